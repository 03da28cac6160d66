#!/bin/sh
# What was missed is said, with what can be done; what could not be traced, too.
. "${0%/*}/../lib.sh"

test_that 'sessions that found no room are counted'
run retsnoop -sn -S -C bpf.sessions-size=1 -e hrtimer_nanosleep \
	-- sh -c 'simfail syscall-long-sleep & simfail syscall-long-sleep & wait'
expect_status 0
expect_sessions 1
expect_err '^retsnoop: 1 session shown, some may be missing' '^ +1 call .*bpf.sessions-size'

test_that 'sessions that the ring buffer had no room for are counted'
run retsnoop -sn -C bpf.ringbuf-size=4K -e __x64_sys_fchdir -e __x64_sys_kill -e __x64_sys_mkdir \
	-- simfail threads
expect_status 0
shown=$(grep -c ' TID/PID ' "$T/out")
if [ "$shown" -eq 900 ]; then
	expect_err '^retsnoop: 900 sessions shown, nothing (known to be )?missed'
else
	expect_err "^retsnoop: $shown sessions shown, some may be missing" '^ +[0-9]+ .*bpf.ringbuf-size'
fi

test_that 'functions that cannot be traced are counted, and named at -vv'
run retsnoop -vv --dry-run -e $mkdir -a 'rcu_read*' -a 'preempt_*'
expect_status 0
expect_err 'refused|cannot be traced'
