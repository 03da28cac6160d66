#!/bin/sh
# retsnoop why: requests through io_uring that fail, while each system call succeeds.
. "${0%/*}/../lib.sh"

# 5.10 does not say which request it was, and looks for the descriptor before io_issue_sqe.
case $series in
5.10) openat='a request' read='a request' nop='a request' opcode=null ;;
*) openat=openat read=read nop=nop opcode='"openat"' ;;
esac

# A request that fails in the function of its opcode, which keeps the error in the request.
expect_followed()
{
	if [ "$series" = 5.10 ]; then
		expect_status 1
		expect_out '^what decided that is not known: .*which function made the request fail is not looked into$'
	else
		expect_status 0
		expect_out "$@"
		expect_no_out 'likely '
	fi
}

test_that 'a request that failed is chosen as a call is, and followed from its function'
run retsnoop why -- simfail -v uring-openat
expect_out "^io_uring: $openat \\(user_data 0x1\\) = -ENOENT +simfail \\(pid [0-9]+\\)\$"
expect_followed '^[a-z_]+ returned -ENOENT$' '^  -ENOENT went up through path_openat.*, io_openat2.*, io_openat'

if details_on 7.2; then
	test_that 'so is one that a worker thread did, and it counts for the thread that submitted it'
	run retsnoop why --syscall io_uring_enter -n simfail -- simfail uring-openat-async
	expect_out "^io_uring: $openat \\(user_data 0x1\\) = -ENOENT +simfail \\(pid [0-9]+\\)\$"
	expect_followed '^[a-z_]+ returned -ENOENT$' '^  -ENOENT went up through path_openat.*, io_openat2.*, io_openat'
	expect_no_out 'iou-'
fi

test_that 'a function of requests may have decided itself, and kept the error in the request'
run retsnoop why --format=json --syscall io_uring_enter -- simfail uring-close-badfd
if [ "$series" = 5.10 ]; then
	expect_status 1
else
	expect_status 0
	expect_out '"known":true.*"decision":\{"function":"io_close",.*"stored_parameter":1,"stored_in":"req","stored_member":"cqe.res",.*"likely":false'
fi

if details_on 7.2; then
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
fi

test_that 'one that was canceled since another failed is not what failed'
run retsnoop why --once -- simfail -v uring-linked
expect_status 1
expect_out "^io_uring: $openat \\(user_data 0x1\\) = -ENOENT +simfail \\(pid " \
	"^ +[0-9]+ +1x  io_uring: $nop \\(user_data 0x2\\) = -ECANCELED +simfail\$"

details_on 7.2 || exit 0

test_that 'JSON has the request'
run retsnoop why --once --format=json --syscall io_uring_enter -- simfail uring-openat
expect_status 1
expect_out "\"syscall\":\"io_uring_enter\",\"call\":\"io_uring: $openat \\(user_data 0x1\\)\",\"io_uring\":\\{\"opcode\":$opcode,\"user_data\":\"0x1\"\\},\"errno\":\"ENOENT\",\"comm\":\"simfail\".*\"known\":false"

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

details_on none || exit 0

if [ "$series" != 5.10 ]; then
	test_that 'requests of other kinds that failed with the same error are told apart by their functions'
	run retsnoop why -x ENOENT -- simfail uring-several
	expect_out '^io_uring: unlinkat \(user_data 0x2\) = -ENOENT +simfail ' \
		'^ +[0-9]+ +1x  io_uring: openat \(user_data 0x1\) = -ENOENT '
	expect_followed '^  -ENOENT went up through (.*, )?io_unlinkat'

	test_that 'a request that a thread of the kernel submits is followed, too'
	run retsnoop why --syscall io_uring_enter -- simfail uring-close-sqpoll
	expect_out '^io_uring: close \(user_data 0x1\) = -EBADF +simfail \(pid [0-9]+\)$'
	expect_followed '^io_close stored -EBADF in req->cqe.res$'

	test_that 'the function that returned the error is followed if its way into the request is not known'
	run retsnoop why --syscall io_uring_enter -- simfail uring-write-full
	expect_status 0
	expect_out '^io_uring: write \(user_data 0x1\) = -ENOSPC +simfail ' '^write_full returned -ENOSPC$' '^  likely set '
fi

test_that 'which of several requests is meant is not made up'
if [ "$series" != 5.10 ]; then
	run retsnoop why -x EBADF -- sh -c 'simfail uring-read-badfd; simfail uring-read-badfd'
	expect_status 0
	expect_out '^  likely branch ' 'the call fails so more than once'
fi
run retsnoop why -x EBADF -- sh -c 'simfail uring-read-badfd; cp "$(command -v simfail)" /tmp/other; /tmp/other uring-read-badfd'
expect_status 1
expect_out 'not known: requests of several kinds failed so, and which is which is not looked into$' '^1 run, '
