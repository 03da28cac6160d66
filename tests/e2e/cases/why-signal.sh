#!/bin/sh
# retsnoop why: calls that a signal ended.
. "${0%/*}/../lib.sh"

test_that 'the signal is named, who sent it, and what would have kept the call going'
run retsnoop why -x EINTR -- simfail remap-eintr
expect_status 0
# What is in the buffer was not read from the pipe.
expect_out '^read\(fd=3, buf=0x[0-9a-f]+, count=1\) = -EINTR    simfail \(pid [0-9]+\)$' \
	'^interrupted by SIGALRM, sent by the kernel$' \
	'^  the program handles that signal without SA_RESTART$' '^1 run, '
expect_no_out 'system call 4294967295'

details_on 7.2 || exit 0

test_that 'the same as JSON'
run retsnoop why -q -x EINTR --format=json -- simfail remap-eintr
expect_out '"known":true,"interrupted_by":\{"signal":"SIGALRM","number":14,"sender":"kernel","restartable":true\}'

test_that 'an interrupted call is explained when there is nothing that is likelier'
run retsnoop why --once -- sh -c 'trap : USR1; (sleep 1; kill -USR1 $$) & wait; exit 1'
expect_status 0
expect_out ' = -EINTR    sh \(pid [0-9]+\)$' \
	'^  \(it left no message; this is its last failure before it exited' \
	'^interrupted by SIGUSR1, sent by process [0-9]+$' \
	'^  the program handles that signal; no handler lets this call go on$'

test_that 'but not where there is'
run retsnoop why --once -- sh -c 'trap : USR1; cd /etc/passwd; (sleep 1; kill -USR1 $$) & wait; exit 1'
expect_out '^chdir\(.*\) = -ENOTDIR ' ' = -EINTR  sh$'
