#!/bin/sh
# retsnoop why: requests through io_uring that fail, while each system call succeeds.
. "${0%/*}/../lib.sh"

# 5.10 does not say which request it was, and looks for the descriptor before io_issue_sqe.
case $series in
5.10) openat='a request' read='a request' nop='a request' opcode=null ;;
*) openat=openat read=read nop=nop opcode='"openat"' ;;
esac

test_that 'a request that failed is chosen as a call is, and its function is not made up'
run retsnoop why -- simfail -v uring-openat
expect_status 1
expect_out "^io_uring: $openat \\(user_data 0x1\\) = -ENOENT +simfail \\(pid [0-9]+\\)\$" \
	'^what decided that is not known: .*which function made the request fail is not looked into$' '^2 runs, '

test_that 'so is one that a worker thread did, and it counts for the thread that submitted it'
run retsnoop why --syscall io_uring_enter -n simfail -- simfail uring-openat-async
expect_status 1
expect_out "^io_uring: $openat \\(user_data 0x1\\) = -ENOENT +simfail \\(pid [0-9]+\\)\$"
expect_no_out 'iou-'

test_that 'requests are selected by errno, and an error that io_issue_sqe itself returned is followed from there'
run retsnoop why -x EBADF -- simfail uring-read-badfd
expect_out "^io_uring: $read \\(user_data 0x1\\) = -EBADF +simfail \\(pid "
if [ "$series" = 5.10 ]; then
	expect_status 1
	expect_out 'not known: io_issue_sqe was not seen to return the error, and which function '
else
	expect_status 0
	expect_out '^io_issue_sqe returned -EBADF$' \
		'^  branch (not )?taken at (io_issue_sqe\+0x|io_uring/io_uring\.c:)' '^fget returned NULL$'
fi

test_that 'one that was canceled since another failed is not what failed'
run retsnoop why -- simfail -v uring-linked
expect_status 1
expect_out "^io_uring: $openat \\(user_data 0x1\\) = -ENOENT +simfail \\(pid " \
	"^ +[0-9]+ +1x  io_uring: $nop \\(user_data 0x2\\) = -ECANCELED +simfail\$"

test_that 'JSON has the request'
run retsnoop why --format=json --syscall io_uring_enter -- simfail uring-openat
expect_status 1
expect_out "\"syscall\":\"io_uring_enter\",\"call\":\"io_uring: $openat \\(user_data 0x1\\)\",\"io_uring\":\\{\"opcode\":$opcode,\"user_data\":\"0x1\"\\},\"errno\":\"ENOENT\",\"comm\":\"simfail\".*\"known\":false"

details_on 6.1 || exit 0

test_that 'which of several requests is meant is not made up'
if [ "$series" != 5.10 ]; then
	run retsnoop why -x EBADF -- sh -c 'simfail uring-read-badfd; simfail uring-read-badfd'
	expect_status 0
	expect_out '^  likely branch ' 'the call fails so more than once'
fi
run retsnoop why -x EBADF -- sh -c 'simfail uring-read-badfd; cp "$(command -v simfail)" /tmp/other; /tmp/other uring-read-badfd'
expect_status 1
expect_out 'not known: requests of several kinds failed so, and which is which is not looked into$' '^1 run, '

test_that 'requests that are refused when they are submitted are seen, and an unknown one gets no name'
run retsnoop why --syscall io_uring_enter -- simfail uring-bad-flags
expect_status 1
expect_out "^io_uring: $openat \\(user_data 0x1\\) = -EINVAL +simfail "
run retsnoop why --syscall io_uring_enter -- simfail uring-bad-opcode
expect_status 1
expect_out '^io_uring: a request \(user_data 0x1\) = -EINVAL +simfail '

test_that 'one run shows only which request failed'
run retsnoop why --once --syscall io_uring_enter -- simfail uring-read-badfd
expect_status 1
expect_out '= -EBADF +simfail ' 'not known: one run shows only which request failed$' '^1 run, '

cp "$(command -v simfail)" /tmp/requester
(
	while :; do
		/tmp/requester uring-openat-async
		sleep 0.3
	done
) >/dev/null 2>&1 &
requester=$!

test_that 'without a command, such requests of the selected processes are waited for'
run retsnoop why -n requester --syscall io_uring_enter
expect_status 1
expect_out "^io_uring: $openat \\(user_data 0x1\\) = -ENOENT +requester \\(pid " '^1 run, '

test_that 'those of other processes are not shown'
run retsnoop why --syscall io_uring_enter -- sleep 1
expect_status 1
expect_no_out 'io_uring: '
kill $requester
