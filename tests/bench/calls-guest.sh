#!/bin/sh
# In a guest whose clock counts instructions: what a traced call costs, by rung.
# usage: calls-guest.sh RUNG...
f=__x64_sys_getppid
base=$(/getppid)
# cost OPTION...: added to a call, the tracing command's own output aside
cost() {
	rm -f /tmp/cost
	retsnoop stack -q --attach="$rung" "$@" -- sh -c '/getppid >/tmp/cost' \
		>/dev/null 2>/tmp/why
	[ -s /tmp/cost ] && echo $(($(cat /tmp/cost) - base)) && return
	head -n 1 /tmp/why >&2
	echo -
}
printf 'untraced call: %s\n' "$base"
printf '%-16s %8s %8s %8s %8s\n' rung outside filtered session sent
for rung in "$@"; do
	# a function that is no entry, outside any session; an entry of a process that is not
	# wanted; a session that does not pass; one that does, with its stack
	printf '%-16s %8s %8s %8s %8s\n' "$rung" \
		"$(cost -e __x64_sys_bpf -a $f)" "$(cost -e $f -N getppid)" \
		"$(cost -e $f)" "$(cost -e $f -S)"
done
