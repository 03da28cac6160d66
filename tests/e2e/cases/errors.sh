#!/bin/sh
# Every kind of failing call that simfail makes: the stack ends at the function that simfail says
# is the one, with the errno that user space sees, or with the other result that it came from.
. "${0%/*}/../lib.sh"

simfail -l >"$T/list"

# The calls that the cases make, by the names that this machine has, and all functions at fault.
for call in bpf openat mkdir mkdirat rmdir unlinkat write ioctl mount read lseek execve wait4 kill ptrace unshare \
	timerfd_create sethostname mmap munmap mprotect connect getpeername bind socket setsockopt \
	perf_event_open keyctl request_key prctl epoll_ctl fsconfig; do
	awk -v name="${sys}_$call" '$3 == name { print name; exit }' /proc/kallsyms
done >"$T/entries"
awk '{ print $3; if ($4 != "-") print $4 }' "$T/list" | sed -e 's/=.*//' | tr '|' '\n' |
	grep -v '^-$' | sort -u >"$T/allowed"

# Each case in a process of its own name: its number.
awk '$3 != "-" || $4 != "-" { print $1 }' "$T/list" >"$T/names"
i=100
: >"$T/workload"
while read -r name; do
	i=$((i + 1))
	ln -s "$(command -v simfail)" "$T/$i"
	echo "$T/$i $name || echo $name >>$T/not-run" >>"$T/workload"
done <"$T/names"
: >"$T/not-run"

# sweep WORKLOAD [OPTION]...: trace its calls; the output is added to that of earlier sweeps.
sweep()
{
	workload=$1
	shift
	run retsnoop -sn -C bpf.ringbuf-size=64M -e "@$T/entries" -a "@$T/allowed" "$@" -- sh "$workload"
	cat "$T/command" >>"$T/sweep-command"
	cat "$T/out" >>"$T/sweep"
	cat "$T/err" >>"$T/sweep-err"
	sweep_status=$((sweep_status + status))
}

# The timer of remap-eintr calls kill_pid_info() in an interrupt. If the interrupt comes while a BPF
# program runs, the kernel skips those calls.
grep ' remap-eintr ' "$T/workload" >"$T/timer"
grep -v ' remap-eintr ' "$T/workload" >"$T/others"
sweep_status=0
sweep "$T/others"
sweep "$T/timer" -d 'kill_pid_info*'

# of_process NAME: its sessions.
of_process()
{
	awk -v name="($1/$1):" '/ TID\/PID / { on = $NF == name } on' "$T/sweep"
}

# innermost: the last frame of each session, without its time.
innermost()
{
	stacks "$1" | awk '
		/\[NULL\] step_into/ { next }	# that is how it succeeds
		/^TID\/PID/ { if (last) print last; last = ""; next }
		/\[/ { last = $0 }
		END { if (last) print last }' | sed -E 's/^[!*]+ //'
}

i=100
while read -r name; do
	i=$((i + 1))
	# shellcheck disable=SC2046
	set -- $(awk -v name="$name" '$1 == name { print $2, $3, $4 }' "$T/list")
	errno=$1 faults=$2 from=$3
	# It returns an unsigned number, which never counts as an error.
	[ "$faults" != do_mmap ] || faults="do_mmap|${sys}_mmap"
	if [ "$from" = - ]; then
		# NULL: the errno came another way
		where="\\[(-$errno|NULL)\\] (${faults})"
		text="$errno in $(echo "$faults" | sed 's/|/ or /g')"
	else
		result=${from#*=}
		[ "$result" = NULL ] || result=-$result
		where="\\[$result\\] ${from%=*}"
		text="$errno from ${from%=*} = $result"
	fi
	test_that "$name: $text"
	of_process $i >"$T/out"
	cp "$T/sweep-err" "$T/err"
	echo "\$ simfail $name, inside of $(cut -c1-200 "$T/sweep-command")" >"$T/command"
	status=$sweep_status
	innermost "$T/out" >"$T/innermost"
	if grep -qx "$name" "$T/not-run"; then
		skip 'simfail cannot make this call here'
	elif is_kernel 5.10 && [ "${name#perf-}${name#bpf-kprobe-}" != "$name$name" ]; then
		skip 'nothing of perf_event_open can be traced in this kernel'
	else
		expect "a stack that ends at: $where" grep -qE "^$where( |$)" "$T/innermost"
	fi
done <"$T/names"

test_that 'nothing was missed'
cp "$T/sweep-err" "$T/err"
status=$sweep_status
expect_status 0
complete='sessions? shown, nothing (known to be )?missed'
expect_err "$complete" "$complete"
