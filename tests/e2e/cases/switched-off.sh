#!/bin/sh
# Somebody has switched off kprobes or ftrace: what is attached is not seen, and that is said.
# changes the machine: switches kprobes and ftrace off
. "${0%/*}/../lib.sh"

kprobes=/sys/kernel/debug/kprobes/enabled
ftrace=/proc/sys/kernel/ftrace_enabled
trap 'echo 1 >$kprobes; echo 1 >$ftrace; end_test; rm -rf "$T"' EXIT

help_kprobes='try echo 1 > /sys/kernel/debug/kprobes/enabled$'
help_ftrace='try sysctl -w kernel.ftrace_enabled=1$'

test_that 'with kprobes switched off that is said before anything is traced, and in the end'
echo 0 >$kprobes
run retsnoop --attach=kprobe -e $mkdir -- simfail fs-mkdir-exists
expect_status 1
expect_out_empty
expect_err "^retsnoop: warning: 1 function or point is not seen while kprobes are switched off; $help_kprobes" \
	'^Receiving data' '^retsnoop: 0 sessions shown, some may be missing' \
	"^  1 function or point is not seen while kprobes are switched off; $help_kprobes"

test_that 'who is quiet still learns what was lost, and nothing else'
run retsnoop -q --attach=kprobe -e $mkdir -- simfail fs-mkdir-exists
expect_status 1
expect_err_lines 2
expect_err '^retsnoop: 0 sessions shown, some may be missing' '^  1 function or point is not seen'

test_that 'points are counted with the functions, tracepoints are not'
run retsnoop probe kprobe:$mkdir tp:sched:sched_process_exec -e $mkdir --attach=kprobe \
	-- simfail fs-mkdir-exists
expect_err 'warning: 2 functions and points are not seen while kprobes are switched off'

test_that 'other rungs hear all with kprobes switched off, and nothing is said'
if has_rung fentry; then
	run retsnoop --attach=fentry -e $mkdir -- simfail fs-mkdir-exists
	expect_status 0
	expect_sessions 1
	expect_no_err 'switched off'
else
	skip 'no fentry here'
fi

test_that 'what is switched off while it runs is said on the spot'
echo 1 >$kprobes
start retsnoop --attach=kprobe -e $mkdir
simfail fs-mkdir-exists
echo 0 >$kprobes
wait_for 10 "$T/err" 'warning: 1 function or point is not seen' || problem 'expected a warning'
echo 1 >$kprobes
stop INT
expect_status 0
expect_err "^  1 function or point is not seen while kprobes are switched off; $help_kprobes"

left=
needs_ftrace kprobe || left='; or leave out --attach to use the best that can$'
for rung in $(some_rungs); do
	test_that "with ftrace switched off that is said: $rung"
	if ! { echo 0 >$ftrace; } 2>/dev/null; then
		skip 'this kernel does not let ftrace be switched off'	# 7.3: EOPNOTSUPP
		continue
	fi
	run retsnoop -sn --attach=$rung -e $mkdir -- simfail fs-mkdir-exists
	if needs_ftrace "$rung"; then
		expect_status 3
		expect_out_empty
		expect_err "^retsnoop: .*ftrace is switched off; ${left:+${help_ftrace%?}}${left:-$help_ftrace}"
	else
		expect_status 0
		expect_sessions 1
		expect_err 'shown, nothing '
		expect_no_err 'switched off'
	fi
	echo 1 >$ftrace
done

test_that 'without an attach method nothing begins, and the reason is named once'
if ! needs_ftrace kprobe; then
	skip 'kprobes are left'
elif { echo 0 >$ftrace; } 2>/dev/null; then
	run retsnoop -e $mkdir -- simfail fs-mkdir-exists
	expect_status 3
	expect_err_lines 1
	expect_err "^retsnoop: no attach method can be used on this machine, so nothing can be traced; ftrace is switched off; $help_ftrace"
	echo 1 >$ftrace
else
	skip 'this kernel does not let ftrace be switched off'
fi

test_that 'kprobes that are breakpoints are chosen and heard without ftrace, points are, too'
if needs_ftrace kprobe; then
	skip 'kprobes use ftrace here'
elif { echo 0 >$ftrace; } 2>/dev/null; then
	run retsnoop trace -sn -J kprobe:filename_create -e $mkdir -- simfail fs-mkdir-exists
	expect_status 0
	expect_sessions 1
	expect_out '◎ kprobe:filename_create'
	expect_no_err 'switched off'
	echo 1 >$ftrace
else
	skip 'this kernel does not let ftrace be switched off'
fi

test_that 'switched on again all is heard'
run retsnoop -sn -e $mkdir -- simfail fs-mkdir-exists
expect_status 0
expect_sessions 1
expect_err 'shown, nothing '
