#!/bin/sh
# retsnoop why: errors that sockets keep, and that a call of the program gets later.
. "${0%/*}/../lib.sh"

ip link set lo up

refused='^  the socket to 127\.0\.0\.1:[0-9]+ had got this error [0-9.]+[a-z]+ before, when a packet with RST arrived \(.*\):$'
by='^    (\. )?tcp_(rcv_state_process|rcv_synsent_state_process)'

test_that 'an error that getsockopt(SO_ERROR) reads is explained by one run'
run retsnoop why --syscall getsockopt -- simfail net-late-refusal
expect_status 0
expect_out "^getsockopt\\(fd=[0-9]+, level=SOL_SOCKET, optname=SO_ERROR, .*\\), the socket's error = -ECONNREFUSED +simfail \\(pid " \
	"$refused" "$by" '^    .*tcp_v4_do_rcv' 'connect\(.*\) = -EINPROGRESS ' '^1 run, '
expect_no_out 'sk_error_report|sock_def_error_report|do_syscall_64|not known'

test_that 'a call that fails with such an error has both: its way, and who set the error'
run retsnoop why --syscall connect -- simfail net-connect-refused
expect_status 0
expect_out '^connect\(fd=[0-9]+, uservaddr=\{AF_INET 127\.0\.0\.1:[0-9]+\}, addrlen=16\) = -ECONNREFUSED ' '^__inet_stream_connect returned -ECONNREFUSED$' "$refused" "$by"

test_that 'JSON has the stack'
run retsnoop why --format=json --syscall getsockopt -- simfail net-late-refusal
expect_status 0
expect_out '"so_error":true,"errno":"ECONNREFUSED".*"known":true,"socket_error":\{"local":("[^"]*"|null),"peer":"127\.0\.0\.1:[0-9]+","before_ns":[0-9]+,"event":"a packet with RST arrived","context":"(task|softirq)".*"stack":\[\{"addr":"0x[0-9a-f]+","symbol":"tcp_'

if details_on 7.2; then
	test_that 'an error that a called function stores by an address comes from that function'
	run retsnoop why --syscall recvfrom -- simfail receive-nothing
	expect_status 0
	expect_out '= -EAGAIN ' '^__skb_recv_udp stored -EAGAIN in \*err$' '^  branch (not )?taken at ' '^  because ' \
		'^  -EAGAIN went up through udp_recvmsg'
	expect_no_out 'likely|not known'
fi

details_on 7.2 || exit 0

cp "$(command -v simfail)" /tmp/late
(
	while :; do
		/tmp/late net-late-refusal
		sleep 0.3
	done
) >/dev/null 2>&1 &
late=$!

test_that 'without a command, processes are watched for such errors, too'
run retsnoop why -n late --syscall getsockopt
expect_status 0
expect_out '^getsockopt\(.* = -ECONNREFUSED +late \(pid ' "$refused" "$by" '^1 run, '

test_that 'what fails so meanwhile in other processes is not shown'
run retsnoop why --syscall getsockopt -- sleep 1
expect_status 1
expect_no_out 'getsockopt\('
kill $late
