#!/bin/sh
# In a guest: of sessions as fast as two processes make them, all wanted, how many are kept; and
# what is left of that speed when they are counted or recorded, or none is wanted.
# usage: rate-guest.sh [SESSIONS]
calls=$((${1:-100000} / 2))
functions='-e __x64_sys_read -a ksys_read -n call'

# row NAME OUTPUT COMMAND OPTION...
row() {
	name=$1 out=$2
	shift 2
	# What the workload says goes where the sessions do not.
	# shellcheck disable=SC2086	# a list
	retsnoop "$@" -v $functions -- sh -c "/call read-bad $calls 2 >/tmp/calls" >"$out" 2>/tmp/err
	[ $? -le 1 ] || head -n 1 /tmp/err >&2
	printf '%-24s %9s %9s %9s\n' "$name" \
		"$(sed -n 's/.*a_second //p' /tmp/calls)" \
		"$(sed -n 's/^retsnoop: \([0-9]*\) [a-z]* \(shown\|counted\|recorded\),.*/\1/p' /tmp/err)" \
		"$(sed -n 's/^  \([0-9]*\) sessions* w.* lost.*/\1/p' /tmp/err |
			awk '{ n += $1 } END { print n + 0 }')"
	# what else it may have missed, and what it took
	grep -E '^  [0-9]+ |^  ring buffer' /tmp/err
	rm -f /tmp/out
}

printf '%-24s %9s %9s %9s\n' "$((calls * 2)) sessions" a_second kept lost
printf '%-24s %9s\n' untraced "$(/call read-bad $calls 2 | sed 's/.*a_second //')"
row 'trace -x EPERM' /dev/null trace -x EPERM
row 'stack --summary' /dev/null stack --summary
row 'stack, /dev/null' /dev/null stack
row 'stack, file' /tmp/out stack
row 'trace, /dev/null' /dev/null trace
row 'trace, file' /tmp/out trace
row 'record' /dev/null record -o /tmp/calls.data
printf '%-24s %9s bytes\n' 'the recording' "$(wc -c </tmp/calls.data)"
time retsnoop report -q -i /tmp/calls.data >/dev/null
