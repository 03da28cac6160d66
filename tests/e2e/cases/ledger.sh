#!/bin/sh
# What was missed is said, at the end, on the spot and while it runs, with what can be done; what
# could not be traced, too.
. "${0%/*}/../lib.sh"

test_that 'sessions that found no room are counted'
run retsnoop -sn -S -C bpf.sessions-size=1 -e hrtimer_nanosleep \
	-- sh -c 'simfail syscall-long-sleep & simfail syscall-long-sleep & wait'
expect_status 0
expect_sessions 1
expect_err '^retsnoop: 1 session shown, some may be missing' '^ +1 call .*bpf.sessions-size'

# While retsnoop stands still, nobody empties the ring buffer. One connection that is refused is two
# packets, received with deep stacks; with other calls before, sometimes there is room for a session
# without its stack. With how many depends on the sizes of the kernel's stacks: try until it happened.
test_that 'what the ring buffer had no room for is counted, and said before the end'
ip link set lo up
start retsnoop -sn -v --stats=1 -C bpf.ringbuf-size=4K -S -e $mkdir -e tcp_v4_rcv
first=0
calls=0
while [ $first -lt 5 ] || { [ $first -lt 25 ] && ! grep -q 'no kernel stack' "$T/err"; }; do
	kill -STOP $pid
	[ $first -eq 0 ] || simfail -n $first fs-mkdir-exists
	simfail -n 15 net-connect-refused
	kill -CONT $pid
	sleep 0.3
	calls=$((calls + first + 30))
	first=$((first + 1))
done
wait_for 10 "$T/err" '^retsnoop: warning: [0-9]+ sessions? (was|were) lost: the ring buffer was full; try -C bpf.ringbuf-size=N$' ||
	problem 'expected a warning on the spot'
wait_for 10 "$T/err" '^retsnoop: after [1-9].*s: [0-9]+ sessions? shown, some may be missing' ||
	problem 'expected counts while it runs'
stop INT
expect_status 0
shown=$(grep -c ' TID/PID ' "$T/out")
lost=$(sed -nE 's/^ +([0-9]+) sessions were lost: the ring buffer was full; .*/\1/p' "$T/err" | tail -n 1)
expect "all of $calls to be shown or lost" [ $((shown + ${lost:-0})) -eq $calls ]
expect_err Detaching "^retsnoop: $shown sessions shown, some may be missing \(2 functions attached\)" \
	"^ +$lost sessions were lost: the ring buffer was full; try -C bpf.ringbuf-size=N$" \
	'^ +[0-9]+ sessions? (has|have) no kernel stack, or only part of it; try' \
	'^ +ring buffer: [0-9]+ records, [0-9]+ bytes$'

# Return probes can follow so many calls of a function at a time: one or two a CPU, or ten.
test_that 'returns that were not seen are counted'
run retsnoop trace -sn -S --attach=kprobe -e ${sys}_clock_nanosleep -- sh -c '
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do simfail -n 2 syscall-long-sleep & done; wait'
expect_status 0
expect_nested
expect_err 'sessions shown, some may be missing' "^ +[0-9]+ traced calls?'s? returns? (was|were) not seen"
if since 6.7; then
	expect_err '^ +[0-9]+ hits? (was|were) skipped by the kernel$'
fi

test_that 'hits that came while a program of ours ran are counted'
if has_rung kprobe-multi; then
	run retsnoop --summary --attach=kprobe-multi -e ${sys}_getppid -a hrtimer_interrupt \
		-- simfail -n 200000 ok-getppid
	expect_status 0
	expect_out '_sys_getppid +ok +[0-9]+'
	expect_err 'calls counted, some may be missing' \
		'^ +[0-9]+ hits? (was|were) skipped: (it|they) came while a program of ours ran on that CPU; try'
else
	skip 'older kernels do not count them'
fi

test_that 'a function that this rung refuses is counted, and named'
if has_rung fentry; then
	run retsnoop -sn --attach=fentry -e $mkdir -a seq_printf -- simfail fs-mkdir-exists
	expect_status 0
	expect_sessions 1
	expect_err "no way to attach to 'seq_printf' on this kernel with fentry: it is variadic" \
		'^retsnoop: 1 session shown, .*\(1 of 2 functions attached, 1 refused\)'
else
	skip 'no fentry here'
fi

if details_on 6.1; then
	test_that 'functions of one name that this rung refuses are named once, and each is counted'
	if has_rung fentry; then
		run retsnoop -sn --attach=fentry -e $mkdir -a type_show -- simfail fs-mkdir-exists
		expect_status 0
		expect_sessions 1
		expect_err "no way to attach to 'type_show' \([0-9]+ functions\) on this kernel with fentry: (several functions have|BTF does)"
		expect 'one warning' sh -c "[ \$(grep -c type_show $T/err) -eq 1 ]"
		same_name=$(grep -c ' [tT] type_show$' /proc/kallsyms)
		expect_err "\(1 of $((same_name + 1)) functions attached, $same_name refused\)"
	else
		skip 'no fentry here'
	fi
fi

# shellcheck disable=SC2086	# a list
set -- $in_arguments
nr_registers=$#
test_that 'what a trampoline does not take is said in words'
if has_rung fentry; then
	run retsnoop -sn --attach=fentry -e ${sys}_mmap -a do_mmap -- simfail mm-mmap-empty
	expect_status 0
	expect_sessions 1
	expect_no_err 'Unknown error'
	if is_kernel 5.10 6.1 6.12-arm64; then
		expect_err "fentry refuses 'do_mmap': its arguments take [0-9]+ registers, and this kernel's trampolines hand on no more than $nr_registers"
	else
		expect_err '\(2 functions attached\)'
	fi
else
	skip 'no fentry here'
fi

test_that 'sessions that nobody read any more are counted'
# More than a pipe holds, and made before the reader reads its line and leaves.
run_sh "retsnoop trace -sn -e $mkdir -- sh -c 'simfail -n 3000 fs-mkdir-exists; : >$T/made' |
	(until [ -e $T/made ]; do sleep 0.1; done; head -n 1)"
expect_status 0
expect_err 'shown, some may be missing' '^ +[0-9]+ sessions were not shown: the run was ended, or the output was no longer read'

test_that 'functions that cannot be traced are counted, and named at -vv'
run retsnoop -vv --dry-run -e $mkdir -a 'rcu_read*' -a 'preempt_*'
expect_status 0
expect_err 'refused|cannot be traced'
