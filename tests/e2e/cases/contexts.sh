#!/bin/sh
# Tasks, softirqs, hardirqs and NMIs have sessions of their own, which never mix, although they
# cut into each other's calls on the same CPU.
# smoke
# changes the machine: takes a CPU offline; the console level
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
		/^ *(→|↔|◎)/ { line = line " " $2 }
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

# expect_inside CONTEXT OUTER [SECONDS]: some sessions of CONTEXT ran while one of OUTER was open, that
# took so long.
expect_inside()
{
	expectations=$((expectations + 1))
	awk -v inner="$1" -v outer="$2" -v least="${3-0.0005}" '
		{ context[NR] = $1; start[NR] = $2; end[NR] = $3 }
		END {
			for (i = 1; i <= NR; i++) {
				if (context[i] != outer || end[i] - start[i] < least)
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

# What a packet to this machine itself does: the task that sends it runs the softirq, when it enables
# them again. With PREEMPT_RT, too, where that is on the same stack, and softirqs are not counted with
# interrupts, but in the task.
test_that 'a softirq that a task runs in its own call has a session of its own'
start retsnoop trace -S -e __sys_sendto -e net_rx_action -a ip_rcv -a ip_send_skb
ping -q -c 5 -i 0.2 127.0.0.1 >/dev/null 2>&1
stop INT
expect_status 0
expect_contexts_apart '__sys_sendto' '' 'net_rx_action ip_rcv'
expect_inside softirq task 0
expect_out '(→|↔) __sys_sendto' '(→|↔) ip_rcv' '\(ping/ping\), softirq:$'

test_that 'functions that switch softirqs on and off leave nothing open'
entries='-e __sys_sendto'
[ "$kernel" != 6.12-rt ] || entries="$entries -e run_ksoftirqd -e run_ktimerd"
# shellcheck disable=SC2086
start retsnoop trace -S $entries -a '*local_bh_*'
ping -q -c 5 -i 0.2 127.0.0.1 >/dev/null 2>&1
stop INT
expect_status 0
expect_out '(→|↔) __local_bh_enable_ip'
expect_no_out '‼'
expect_no_err 'not seen'

# inside_of FUNCTION: a place behind what ftrace has where it begins, and before that the mark of
# indirect branches' targets, if kernels have them.
inside_of()
{
	if [ "$(uname -m)" != x86_64 ]; then
		echo "$1+$inside"
	elif retsnoop probe --why "kprobe:$1+5" >/dev/null 2>&1; then
		echo "$1+0x5"
	else
		echo "$1+0x9"
	fi
}

# A breakpoint counts as an NMI while it is handled, whatever it is in.
test_that 'a kprobe that is a breakpoint belongs to the context that it is in'
optimize=/proc/sys/debug/kprobes-optimization
[ ! -e $optimize ] || echo 0 >$optimize
at=$(inside_of hrtimer_interrupt)
at_softirq=$(inside_of run_timer_softirq)
at_read=$(inside_of vfs_read)
run retsnoop trace -S -e vfs_read -e hrtimer_interrupt -e run_timer_softirq \
	-J "kprobe:$at" -J "kprobe:$at_softirq" -J "kprobe:$at_read" --duration 2
[ ! -e $optimize ] || echo 1 >$optimize
expect_status 0
expect_contexts_apart "vfs_read kprobe:$at_read" "hrtimer_interrupt kprobe:$at" \
	"run_timer_softirq kprobe:$at_softirq"
expect_out '◎ kprobe:hrtimer_interrupt\+0x' '◎ kprobe:run_timer_softirq\+0x' '◎ kprobe:vfs_read\+0x'
expect_no_out ', NMI'

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
elif ! has_nmis; then
	skip 'sysrq sends none here'
elif is_kernel 5.10; then
	skip 'BPF is not safe in NMIs here'
else
	console_off
	start retsnoop trace -S -e proc_pid_status -e show_regs -a vprintk_emit -a '*seq_put_*'
	nmi
	stop INT
	console_on
	expect_status 0
	expect_out '\), NMI:$' '(→|↔) show_regs'
	contexts "$T/out" >"$T/contexts"
	expect 'no call of a task in an NMI' sh -c "! grep '^NMI .*proc_pid_status' '$T/contexts'"
	expect 'no call of an NMI in a task' sh -c "! grep '^task .*show_regs' '$T/contexts'"
fi

test_that 'where NMIs are not safe to trace, that is said'
if is_kernel 5.10 && [ -e $cpu1 ] && has_nmis; then
	console_off
	start retsnoop trace -S -e show_regs
	nmi
	stop INT
	console_on
	expect_no_out ', NMI'
	expect_err 'NMI'
else
	skip 'they are, or there are none'
fi

# Then the layout of the preempt count is tried, where symbols say where it is; on arm64 its place, too.
test_that 'without BTF interrupts are told from tasks as well'
btf=/sys/kernel/btf/vmlinux
: >"$T/empty"
if mount --bind "$T/empty" $btf; then
	run retsnoop doctor -v
	cp "$T/out" "$T/doctor"
	run retsnoop trace -S -e hrtimer_interrupt --duration 1
	umount $btf
	expect_status 0
	expect_out '\), hardirq:$'
	if grep -q PREEMPT_RT /proc/version; then
		# They are counted in the task.
		expect_err 'softirqs are not told from tasks: this PREEMPT_RT kernel has no BTF'
		expect 'the same from doctor' grep -q 'limited  contexts .*softirqs are not told' "$T/doctor"
	else
		expect_no_err 'not told from'
		expect 'it was tried' grep -q 'ok  *contexts .*; tried' "$T/doctor"
	fi
else
	skip 'BTF cannot be hidden'
fi

# Between the switch to the interrupt's stack and the change of the preempt count.
test_that 'functions where interrupts begin do not end the session that they cut into'
run retsnoop trace -S -L 2 -e vfs_read -a '*softirq*' -a 'irq_enter*' -a 'rcu_core*' -n dd \
	-- sh -c "dd if=/dev/zero of=/dev/null bs=32M count=4 2>/dev/null"
expect_status 0
expect_sessions 4
expect_no_out 'handle_softirqs' '__do_softirq' 'do_softirq_own_stack' 'irq_enter'

test_that 'a thread that ends inside a call leaves no session behind'
run retsnoop trace -S -C bpf.sessions-size=4 -e ${sys}_exit_group -e $mkdir \
	-- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do /bin/true; done; mkdir /proc 2>/dev/null'
expect_status 0
expect_out "← $mkdir|↔ $mkdir"
expect_no_err 'not followed'
