#!/bin/sh
# Tasks that end: calls that cannot return are no loss, and leave no session behind. Nor do NMIs that
# interrupt tracing itself.
# changes the machine: the console level
. "${0%/*}/../lib.sh"

has_function() { grep -qE " [tT] $1$" /proc/kallsyms; }

# entries NAME...: those that this kernel has, as -e options.
entries()
{
	for name; do
		! has_function "$name" || printf ' -e %s' "$name"
	done
}

# expect_no_slot_lost N: each of N slots is free at the end, or is kept by a session that is open.
expect_no_slot_lost()
{
	expectations=$((expectations + 1))
	awk -v all="$1" '
		/ of [0-9]+ session slots are free, / {
			found = 1
			for (i = 1; i <= NF; i++)
				if ($i == "of") { nr_free = $(i - 1); size = $(i + 1) }
			open = $(NF - 3)
		}
		END { exit !(found && size == all && nr_free <= all && nr_free + open >= all) }' \
		"$T/err" || problem "expected $1 slots, free or in use"
}

# On PREEMPT_RT tasks are preempted in BPF programs, mostly in fentry's, and the next task's hits are skipped:
# tasks of one real-time priority do not preempt each other.
fifo=
! is_kernel 6.12-rt || fifo='chrt -f 1'

# One function at a time takes seconds to attach: there, what a program that ends runs through.
for rung in $(some_rungs); do
	test_that "$rung: a program that exits misses nothing"
	case $rung in
	*multi|*session) functions='-e *_sys_*' ;;
	*) functions='-e *_sys_exit* -e *_sys_wait4 -a do_exit' ;;
	esac
	# All that sleep in a system call hold a return probe of this one: older kernels have two.
	if [ "$rung" = fentry ] || since 6.12; then
		functions="$functions $(entries x64_sys_call invoke_syscall)"
	fi
	set -f
	# A return that the kernel skipped, for the same program ran in another task of that CPU, is a
	# loss and no exit's.
	for _ in 1 2 3 4 5; do
		# shellcheck disable=SC2086	# a list
		run $fifo retsnoop -S --attach="$rung" $functions -n true -n sh \
			-- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done'
		grep -q 'while a program of ours ran on that CPU' "$T/err" &&
			grep -qE 'returns? (was|were) not seen' "$T/err" || break
	done
	set +f
	expect_status 0
	expect_err '^retsnoop: [0-9]+ sessions? shown, '
	expect_no_err 'returns? (was|were) not seen'

	# Its thread that collects sessions waits in a traced call when recording ends, and exits before losses are read.
	test_that "$rung: a task that exits after recording, in a call from before, misses nothing"
	set -f
	for _ in 1 2 3 4 5; do
		# shellcheck disable=SC2086	# a list
		run $fifo retsnoop --summary --attach="$rung" --duration=1 $functions -e '*_sys_epoll_*wait' -n retsnoop
		grep -q 'while a program of ours ran on that CPU' "$T/err" &&
			grep -qE 'returns? (was|were) not seen' "$T/err" || break
	done
	set +f
	expect_status 0
	expect_err '^retsnoop: [0-9]+ calls? counted, '
	expect_no_err 'returns? (was|were) not seen'
done

# Some of these run when the task has ended for all but the scheduler, and not for a workload any more.
test_that 'tasks that end leave no session behind, whatever they call on the way'
# shellcheck disable=SC2046	# a list
start retsnoop -vv -S -C bpf.sessions-size=8 -e '*_sys_exit*' -e $mkdir -n sh -n simfail \
	$(entries do_exit do_group_exit do_task_dead exit_mm exit_files exit_fs exit_notify)
sh -c 'i=0; while [ $i -lt 1000 ]; do (exit 0); i=$((i + 1)); done; simfail fs-mkdir-exists'
stop INT
expect_status 0
expect_out "\[-EEXIST\] +$mkdir"
expect_out '\[void\] +exit_(files|fs|notify|mm)$'
expect_no_err 'too many were open' 'returns? (was|were) not seen' 'were? not followed'
expect_err '^8 of 8 session slots are free, 0 sessions are open'

test_that 'an entry function that does not return is refused, with the reason'
run retsnoop -e do_exit -- true
expect_status 1
expect_err 'do_exit does not return, so it cannot be an entry function' \
	'none of the entry functions returns'

test_that 'next to other entry functions it does no harm'
run retsnoop -sn -e do_exit -e $mkdir -- simfail fs-mkdir-exists
expect_status 0
expect_sessions 1
expect_err 'do_exit does not return' '^retsnoop: 1 session shown, nothing (known to be )?missed'

# NMIs come while a map of ours is locked, now and then.
test_that 'NMIs while sessions open and close lose no slot'
if [ ! -e /sys/devices/system/cpu/cpu1/online ]; then
	skip 'one CPU only'
elif ! has_nmis; then
	skip 'sysrq sends none here'
elif is_kernel 5.10; then
	skip 'BPF is not safe in NMIs here'
else
	console_off
	start retsnoop -vv --summary -S -C bpf.sessions-size=16 -e proc_pid_status -e show_regs \
		-e '*_sys_bpf' -a vprintk_emit -a '*seq_put_*'
	taskset 2 sh -c 'while :; do cat /proc/self/status >/dev/null; done' &
	busy=$!
	for i in $(seq 50); do
		taskset 1 sh -c 'echo l >/proc/sysrq-trigger'
		[ $((i % 5)) -ne 0 ] || judge_log
	done
	kill $busy
	wait $busy 2>/dev/null
	stop INT
	console_on
	expect_status 0
	expect_out 'show_regs' 'proc_pid_status'
	expect_no_slot_lost 16
fi
