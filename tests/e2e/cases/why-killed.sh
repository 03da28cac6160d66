#!/bin/sh
# retsnoop why: processes that a signal ended: who sent it, and what for.
. "${0%/*}/../lib.sh"

test_that 'an access to memory that is not there: the address'
run retsnoop why -- sh -c 'simfail killed-fault; exit 139'
expect_status 0
expect_out '^killed by SIGSEGV \(Segmentation fault\) +simfail \(pid [0-9]+\)$' '^$' \
	'^the kernel sent it: no memory is mapped at 0x8$'
expect_no_err 'killed by signal'

test_that 'a read beyond the end of a mapped file'
run retsnoop why -- sh -c 'simfail killed-file; exit 135'
expect_status 0
expect_out '^killed by SIGBUS \(Bus error\) ' '^the kernel sent it: the mapped file has nothing, or no room, at 0x[0-9a-f]+$'

test_that 'a seccomp filter that kills: the system call'
run retsnoop why -- sh -c 'simfail killed-seccomp; exit 159'
if since 5.11; then
	expect_status 0
	expect_out '^killed by SIGSYS \(Bad system call\) ' '^the kernel sent it: a seccomp filter forbids the call: acct\(2\)$' \
		'^    (\. )?__seccomp_filter'
else
	expect_status 1
	expect_out '^killed by SIGSYS ' '^who sent it was not seen$'
fi

test_that 'a process that kills: its id and its name'
run retsnoop why -- sh -c 'sleep 100 & kill -9 $!; wait $!'
expect_status 0
expect_out '^killed by SIGKILL \(Killed\) +(sleep|exe|sh) \(pid [0-9]+\)$' '^process [0-9]+ \(sh\) sent it$'

details_on 7.2 || exit 0

test_that 'a process that ends itself'
run retsnoop why -- sh -c 'kill -ABRT $$'
expect_status 0
expect_out '^killed by SIGABRT ' '^the process sent it to itself$'

test_that 'a command that goes on after a child was killed has nothing to explain'
run retsnoop why -- sh -c 'simfail killed-fault; exit 0'
expect_status 1
expect_no_out 'killed by'

# until_watched: wait for the programs of a watch, of which the one at the end of tasks is attached last.
until_watched()
{
	tries=600
	until grep -qs 'tp_name:.sched_process_free' /proc/[0-9]*/fdinfo/* || [ $((tries -= 1)) -eq 0 ]; do
		sleep 0.1
	done
	sleep 0.2
}

test_that '-p: who ended the process that is watched'
sleep 100 &
slept=$!
(
	until_watched
	kill $slept
) &
killer=$!
run retsnoop why -p $slept
expect_status 0
expect_out "^killed by SIGTERM \\(Terminated\\) +sleep \\(pid $slept\\)\$" '^process [0-9]+ \(sh\) sent it$'
wait $killer

test_that '-n: that services are stopped is no failure'
cp "$(command -v simfail)" /tmp/served
/tmp/served -n 100 syscall-long-sleep &
slept=$!
(
	until_watched
	kill $slept
	sleep 1
	simfail killed-fault
) &
killer=$!
run retsnoop why -n served -n simfail
expect_status 0
expect_out '^killed by SIGSEGV '
wait $killer

details_on none || exit 0

test_that 'a limit of CPU time: in the kernel, whose stack is shown'
run retsnoop why -- sh -c 'ulimit -t 1; while :; do :; done'
expect_status 0
expect_out '^killed by SIG(KILL|XCPU) ' '^the kernel sent it: the limit of CPU time was reached \(RLIMIT_CPU, or RLIMIT_RTTIME\)$' '^    [a-z_.]+'

test_that 'SIGPIPE and SIGXFSZ come with a call that failed, which is explained'
run retsnoop why -- sh -c 'yes | true; exit 141'
expect_status 0
expect_out '^write\(.*\) = -EPIPE ' \
	'^  \(the process was killed by SIGPIPE, which comes with this failure\)$' ' returned -EPIPE$'
run retsnoop why --format=json -- sh -c 'ulimit -f 1; exec dd if=/dev/zero of=/tmp/large bs=4096 count=4'
expect_status 0
expect_out '"errno":"EFBIG".*"chosen_by":"signal".*"killed_by":\{"signal":"SIGXFSZ"'

test_that 'what a process complains of goes before how it ended'
run retsnoop why -- sh -c 'cd /proc/version; kill -ABRT $$'
expect_status 0
expect_out '^chdir\(filename="/proc/version"\) = -ENOTDIR '
