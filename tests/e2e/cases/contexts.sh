#!/bin/sh
# Tasks, softirqs, hardirqs and NMIs have sessions of their own, which never mix, although they
# cut into each other's calls on the same CPU.
# smoke
. "${0%/*}/../lib.sh"

# One CPU: what happens at the same time happens inside.
cpu1=/sys/devices/system/cpu/cpu1/online
alone() { [ ! -e $cpu1 ] || echo "$1" >$cpu1; }

# contexts FILE: of each session a line "CONTEXT START END FUNCTION...", times in seconds of the day.
contexts()
{
	awk '
		function seconds(t,  p) { split(t, p, ":"); return p[1] * 3600 + p[2] * 60 + p[3] }
		/ TID\/PID / {
			if (line != "")
				print line
			context = "task"
			if ($0 ~ /, (softirq|hardirq|NMI):$/) {
				context = $NF
				sub(/:$/, "", context)
			}
			line = sprintf("%s %.6f %.6f", context, seconds($1), seconds($3))
			next
		}
		/^ *(→|↔)/ { line = line " " $2 }
		END { if (line != "") print line }' "$1"
}

# expect_contexts_apart: functions of one context are in no other's trace.
expect_contexts_apart()
{
	expectations=$((expectations + 1))
	contexts "$T/out" >"$T/contexts"
	awk -v task="$1" -v hardirq="$2" -v softirq="$3" '
		BEGIN { of["task"] = task; of["hardirq"] = hardirq; of["softirq"] = softirq }
		{
			for (i = 4; i <= NF; i++)
				for (c in of)
					if (index(" " of[c] " ", " " $i " ") && c != $1 && bad++ < 5)
						print $i " in a session of a " $1
		}
		END { exit bad != 0 }' "$T/contexts" >"$T/mixed" ||
		problem "contexts mixed: $(cat "$T/mixed")"
}

# expect_inside CONTEXT OUTER: some sessions of CONTEXT ran while one of OUTER was open.
expect_inside()
{
	expectations=$((expectations + 1))
	awk -v inner="$1" -v outer="$2" '
		{ context[NR] = $1; start[NR] = $2; end[NR] = $3 }
		END {
			for (i = 1; i <= NR; i++) {
				if (context[i] != outer || end[i] - start[i] < 0.0005)
					continue
				for (j = 1; j <= NR; j++)
					if (context[j] == inner && start[j] > start[i] && end[j] < end[i])
						exit 0
			}
			exit 1
		}' "$T/contexts" || problem "expected sessions of a $1 inside one of a $2"
}

# A read that takes long, without sleeping: timers fire meanwhile.
read_long='dd if=/dev/zero of=/dev/null bs=16M count=4'
softirqs='run_timer_softirq rcu_core'
hardirqs='hrtimer_interrupt tick_sched_timer tick_nohz_handler update_process_times'

test_that 'interrupts inside a traced call have sessions of their own'
alone 0
while [ ! -e "$T/read" ]; do $read_long 2>/dev/null; done &
run retsnoop trace -S -e vfs_read -e hrtimer_interrupt -e run_timer_softirq \
	-a update_process_times -a rcu_core --duration 4
: >"$T/read"
wait
expect_status 0
expect_contexts_apart 'vfs_read' "$hardirqs" "$softirqs"
expect_inside hardirq task
expect_inside softirq task
expect_out '\), hardirq:$'
expect_out '\), softirq:$'
alone 1

test_that 'with a process filter interrupts are not shown'
run retsnoop trace -S -e vfs_read -e hrtimer_interrupt -- sh -c "$read_long 2>/dev/null"
expect_status 0
expect_out vfs_read
expect_no_out hrtimer_interrupt ', hardirq'

# sysrq l sends NMIs to the other CPUs, which print where they are.
nmi()
{
	load taskset 2 sh -c 'while :; do cat /proc/self/status >/dev/null; done'
	sleep 0.5
	for i in 1 2 3; do taskset 1 sh -c 'echo l >/proc/sysrq-trigger'; done
	end_loads
}

test_that 'NMIs inside a traced call have sessions of their own'
if [ ! -e $cpu1 ]; then
	skip 'one CPU only'
elif is_kernel 5.10; then
	skip 'BPF is not safe in NMIs here'
else
	read -r levels </proc/sys/kernel/printk
	echo 1 >/proc/sys/kernel/printk
	start retsnoop trace -S -e proc_pid_status -e show_regs -a vprintk_emit -a '*seq_put_*'
	nmi
	stop INT
	echo "$levels" >/proc/sys/kernel/printk
	expect_status 0
	expect_out '\), NMI:$' '(→|↔) show_regs'
	contexts "$T/out" >"$T/contexts"
	expect 'no call of a task in an NMI' sh -c "! grep '^NMI .*proc_pid_status' '$T/contexts'"
	expect 'no call of an NMI in a task' sh -c "! grep '^task .*show_regs' '$T/contexts'"
fi

test_that 'where NMIs are not safe to trace, that is said'
if is_kernel 5.10 && [ -e $cpu1 ]; then
	read -r levels </proc/sys/kernel/printk
	echo 1 >/proc/sys/kernel/printk
	start retsnoop trace -S -e show_regs
	nmi
	stop INT
	echo "$levels" >/proc/sys/kernel/printk
	expect_no_out ', NMI'
	expect_err 'NMI'
else
	skip 'they are'
fi

# Between the switch to the interrupt's stack and the change of the preempt count.
test_that 'functions where interrupts begin do not end the session that they cut into'
run retsnoop trace -S -L 2 -e vfs_read -a '*softirq*' -a 'irq_enter*' -a 'rcu_core*' -n dd \
	-- sh -c "dd if=/dev/zero of=/dev/null bs=32M count=4 2>/dev/null"
expect_status 0
expect_sessions 4
expect_no_out 'handle_softirqs' '__do_softirq' 'irq_enter'

test_that 'a thread that ends inside a call leaves no session behind'
run retsnoop trace -S -C bpf.sessions-size=4 -e __x64_sys_exit_group -e $mkdir \
	-- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do /bin/true; done; mkdir /proc 2>/dev/null'
expect_status 0
expect_out "← $mkdir|↔ $mkdir"
expect_no_err 'not followed'
