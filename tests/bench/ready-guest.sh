#!/bin/sh
# In a guest: milliseconds from launch until the functions are attached, and from Ctrl-C to the prompt; and kB of memory
# when they are attached, and the most until then.
# usage: ready-guest.sh WHAT..., each of 45 (functions), 45-fentry and all (of about 40,000)

now_ms() { awk '{ print int($1 * 1000) }' /proc/uptime; }

# status NAME: a line of what the kernel tells of retsnoop
status() { awk -v name="$1:" '$1 == name { print $2 }' /proc/$!/status; }

# measure WHAT OPTION...
measure()
{
	what=$1
	shift
	: >/tmp/log
	begun=$(now_ms)
	retsnoop stack -e '*sys_bpf' "$@" >/dev/null 2>/tmp/log &
	until grep -q 'Receiving data' /tmp/log; do
		kill -0 $! 2>/dev/null || { head -n 1 /tmp/log >&2; return; }
	done
	ready=$(($(now_ms) - begun))
	rss=$(status VmRSS) peak=$(status VmHWM)
	begun=$(now_ms)
	kill -INT $!
	wait $!
	printf '%-16s %8s %8s %10s %8s %8s\n' "$what" "$ready" $(($(now_ms) - begun)) \
		"$(sed -n 's/.*[( ]\([0-9]*\) functions attached.*/\1/p' /tmp/log)" "$rss" "$peak"
}

printf '%-16s %8s %8s %10s %8s %8s\n' ready ready_ms exit_ms functions rss_kb peak_kb
for what; do
	case $what in
	45) measure 45 -a '*map_alloc*' ;;
	45-fentry) measure 45-fentry -a '*map_alloc*' --attach=fentry ;;
	all) measure all -a '*_*' ;;
	esac
done
