#!/bin/sh
# In a guest whose clock counts instructions: what a traced call costs, by rung, next to programs
# that do nothing and to ftrace's function_graph. Each figure is the least of many batches, less the
# same untraced.
# usage: calls-guest.sh RUNG...
case $(uname -m) in
aarch64) wrapper=__arm64 ;;
*) wrapper=__x64 ;;
esac
getppid=${wrapper}_sys_getppid
read=${wrapper}_sys_read
inner=ksys_read
ftrace=/sys/kernel/tracing

# cost CALL COMMAND...: added to a call while COMMAND runs what makes it
cost() {
	call=$1
	shift
	rm -f /tmp/cost
	"$@" sh -c "/call $call >/tmp/cost" >/dev/null 2>/tmp/why
	[ -s /tmp/cost ] && echo $(($(cat /tmp/cost) - $(cat "/tmp/untraced-$call"))) && return
	head -n 1 /tmp/why >&2
	echo -
}

# of_others COMMAND OPTION...: added to a getppid while retsnoop wants only the process of PID 1
of_others() {
	retsnoop "$@" -p 1 </dev/null >/dev/null 2>/tmp/why &
	until grep -q 'Receiving data' /tmp/why; do
		kill -0 $! 2>/dev/null || { head -n 1 /tmp/why >&2; echo -; return; }
		sleep 0.1
	done
	echo $(($(/call getppid) - $(cat /tmp/untraced-getppid)))
	kill -INT $!
	wait $!
}

# less A B: the difference
less() {
	case $1,$2 in -,* | *,-) echo - ;; *) echo $(($1 - $2)) ;; esac
}

# graph FUNC COMMAND...: a COMMAND under function_graph, of the functions in the list FUNC alone
graph() {
	echo "$1" | tr , '\n' >$ftrace/set_ftrace_filter
	shift
	echo function_graph >$ftrace/current_tracer
	echo 1 >$ftrace/tracing_on
	"$@"
	echo nop >$ftrace/current_tracer
	echo >$ftrace/set_ftrace_filter
}

# With room for all that is sent: a record that finds none costs less.
room='-C bpf.ringbuf-size=134217728'

for call in getppid read-zero read-bad; do
	/call $call >/tmp/untraced-$call
	printf 'untraced %s: %s\n' $call "$(cat /tmp/untraced-$call)"
done

# A session of one call.
#   outside    the function is no entry, and no session is open
#   filtered   an entry, of a process that is not wanted, going by its name; by pid: going by its PID
#   session    a session that does not pass its filters; traced: its trace kept meanwhile
#   sent       one that passes, with its stack; sent-trace: with its trace; summary: counted
row='%-16s %8s %8s %8s %8s %8s %8s %10s %8s\n'
# shellcheck disable=SC2059	# the format of a table
printf "$row" rung outside filtered "by pid" session traced sent sent-trace summary
# shellcheck disable=SC2059,SC2086	# $on, $room: lists
for rung in "$@"; do
	on="-q --attach=$rung"
	printf "$row" "$rung" \
		"$(cost getppid retsnoop stack $on -e ${wrapper}_sys_bpf -a $getppid --)" \
		"$(cost getppid retsnoop stack $on -e $getppid -N call --)" \
		"$(of_others stack --attach=$rung -e $getppid)" \
		"$(cost getppid retsnoop stack $on -e $getppid --)" \
		"$(cost getppid retsnoop trace -Sn $on -e $getppid --)" \
		"$(cost getppid retsnoop stack $on $room -e $getppid -S --)" \
		"$(cost getppid retsnoop trace $on $room -e $getppid -S --)" \
		"$(cost getppid retsnoop stack $on -e $getppid -S --summary --)"
done

# A call inside a session, its trace on: the session of two calls less that of the outer one alone.
#   empty      the same functions with programs that do nothing
#   healthy    a call that succeeds, in a session that does not pass; failing: one that fails
row='%-16s %8s %8s %8s\n'
# shellcheck disable=SC2059
printf "$row" inside empty healthy failing
# shellcheck disable=SC2059,SC2086
for rung in "$@"; do
	on="-q --attach=$rung -x EPERM -e $read"
	printf "$row" "$rung" \
		"$(less "$(cost read-zero /empty $rung $read,$inner)" \
			"$(cost read-zero /empty $rung $read)")" \
		"$(less "$(cost read-zero retsnoop trace $on -a $inner --)" \
			"$(cost read-zero retsnoop trace $on --)")" \
		"$(less "$(cost read-bad retsnoop trace $on -a $inner --)" \
			"$(cost read-bad retsnoop trace $on --)")"
done
# shellcheck disable=SC2059
printf "$row" function_graph - \
	"$(less "$(cost read-zero graph $read,$inner)" "$(cost read-zero graph $read)")" \
	"$(less "$(cost read-bad graph $read,$inner)" "$(cost read-bad graph $read)")"
