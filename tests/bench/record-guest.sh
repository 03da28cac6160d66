#!/bin/sh
# In a guest whose clock counts instructions: what showing sessions takes of CPU time, and what
# recording them takes instead, beyond a run of nearly none.
# usage: record-guest.sh [SESSIONS]
calls=$((${1:-20000} / 2))
functions='-sn -e __x64_sys_read -a ksys_read -n call'

# row NAME COMMAND...: user time, system time with the workload's, and bytes shown
row() {
	name=$1
	shift
	# busybox's time says it where the command says things.
	time "$@" >/tmp/out 2>/tmp/err
	printf '%-24s %8s %8s %10s\n' "$name" \
		"$(sed -n 's/^user.*m *//p' /tmp/err)" "$(sed -n 's/^sys.*m *//p' /tmp/err)" "$(wc -c </tmp/out)"
}

printf '%-24s %8s %8s %10s\n' "$((calls * 2)) sessions" user sys bytes
# shellcheck disable=SC2086	# lists
{
	row 'of one session' retsnoop stack -T -E $functions -- /call read-bad 1 1
	row 'stack -T -E' retsnoop stack -T -E $functions -- /call read-bad $calls 2
	row 'the same as JSON' retsnoop stack -T -E $functions --format=json -- /call read-bad $calls 2
	row record retsnoop record -o /tmp/calls.data $functions -- /call read-bad $calls 2
}
row 'report of it' retsnoop report -q -T -E -i /tmp/calls.data
row 'report --summary' retsnoop report -q --summary -i /tmp/calls.data
printf '%-24s %28s\n' 'the recording' "$(wc -c </tmp/calls.data)"
