#!/bin/sh
# In a guest: microseconds from a call's return to its session's last byte, of 100 calls one at a time.
mkdir=do_mkdirat
grep -q " [tT] $mkdir$" /proc/kallsyms || mkdir=filename_mkdirat

# row NAME OPTION...
row() {
	name=$1
	shift
	rm -f /tmp/sessions
	mkfifo /tmp/sessions
	retsnoop "$@" --format=json -e $mkdir -n latency >/tmp/sessions 2>/tmp/err &
	exec 3</tmp/sessions
	until grep -q 'Receiving data' /tmp/err; do sleep 0.1; done
	printf '%-24s %s\n' "$name" "$(/latency 100 <&3)"
	kill -INT $!
	cat <&3 >/dev/null
	wait $!
	exec 3<&-
}

printf '%-24s %s\n' '' 'least, median, 99th of a hundred, most (us)'
row stack stack
row trace trace -S
