#!/bin/sh
# Every kind of failing call that simfail makes: the stack ends at the function that simfail says
# is the one, with the errno that user space sees, or with the other result that it came from.
. "${0%/*}/../lib.sh"

simfail -l >"$T/list"
# Its compiler has put that into the system call.
! is_kernel 5.10-arm64 || sed -i "s/ do_mprotect_pkey / ${sys}_mprotect /" "$T/list"

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

# The sessions of each process, and the last frame of each, without its time: a file each, named as the process.
mkdir "$T/sessions" "$T/innermost"
awk -v to="$T/sessions/" '
	/ TID\/PID / { split($NF, part, /[(\/]/); name = part[2]; print "@ " name }
	name { print >(to name) }
	{ print }' "$T/sweep" >"$T/marked"
stacks "$T/marked" | awk -v to="$T/innermost/" '
	function frame() { sub(/^[!*]+ /, "", last); if (last) print last >(to name); last = "" }
	/^@ / { frame(); name = $2; next }
	/\[NULL\] step_into/ || /^TID\/PID/ { next }	# that is how step_into() succeeds
	/\[/ { last = $0 }
	END { frame() }'
status=$sweep_status
not_run=" $(tr '\n' ' ' <"$T/not-run")"

i=100
while read -r name errno faults from _; do
	[ "$faults" != - ] || [ "$from" != - ] || continue
	i=$((i + 1))
	# It returns an unsigned number, which never counts as an error.
	[ "$faults" != do_mmap ] || faults="do_mmap|${sys}_mmap"
	if [ "$from" = - ]; then
		# NULL: the errno came another way
		where="\\[(-$errno|NULL)\\] ($faults)"
		text="$errno in $(echo "$faults" | sed 's/|/ or /g')"
	else
		result=${from#*=}
		[ "$result" = NULL ] || result=-$result
		where="\\[$result\\] ${from%=*}"
		text="$errno from ${from%=*} = $result"
	fi
	test_that "$name: $text"
	echo "\$ simfail $name, in a run for all of them" >"$T/command"
	cp "$T/sessions/$i" "$T/out" 2>/dev/null
	cp "$T/sweep-err" "$T/err"
	case $not_run in
	*" $name "*)
		skip 'simfail cannot make this call here'
		continue ;;
	esac
	if is_kernel 5.10 && [ "${name#perf-}${name#bpf-kprobe-}" != "$name$name" ]; then
		skip 'nothing of perf_event_open can be traced in this kernel'
	else
		expect "a stack that ends at: $where" grep -qE "^$where( |$)" "$T/innermost/$i"
	fi
done <"$T/list"

test_that 'nothing was missed'
cp "$T/sweep-err" "$T/err"
expect_status 0
complete='sessions? shown, nothing (known to be )?missed'
expect_err "$complete" "$complete"
