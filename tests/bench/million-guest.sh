#!/bin/sh
# In a guest: what a million calls that are not wanted put into the ring buffer, by the kernel's own
# position in it (ringpos.c), next to some that are wanted.
# usage: million-guest.sh [CALLS]
calls=${1:-1000000}
functions='-e __x64_sys_read -a ksys_read -a vfs_read -a read_zero -n call'

# row NAME CALL CALLS COMMAND OPTION...: bytes put into the ring buffer while there were so many
row() {
	name=$1 call=$2 nr=$3
	shift 3
	# shellcheck disable=SC2086	# a list
	retsnoop "$@" -v $functions -- sh -c "/ringpos >/tmp/before && /call $call $nr >/tmp/calls &&
		/ringpos >/tmp/after" >/dev/null 2>/tmp/err || [ $? = 1 ] || head -n 1 /tmp/err >&2
	bytes=$(($(cat /tmp/after) - $(cat /tmp/before)))
	printf '%-36s %8s %10s %10s  %s\n' "$name" "$nr" "$bytes" \
		"$(awk "BEGIN { printf \"%.1f\", $bytes / $nr }")" \
		"$(grep '^  ring buffer' /tmp/err)"
}

printf '%-36s %8s %10s %10s\n' '' sessions bytes each
row 'trace -x EPERM, healthy calls' read-zero "$calls" trace -x EPERM
row 'trace -x EPERM, failing calls' read-bad "$calls" trace -x EPERM
row 'trace -S --summary, healthy calls' read-zero "$calls" trace -S --summary
row 'trace -S, healthy calls' read-zero 10000 trace -S
row 'trace, failing calls' read-bad 10000 trace
row 'stack, failing calls' read-bad 10000 stack
