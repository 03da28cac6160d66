#!/bin/sh
# retsnoop why: requests through netlink sockets, whose answer has the error.
. "${0%/*}/../lib.sh"

details_on 7.2 || exit 0

test_that 'a request is explained as a call is, though sendmsg(2) succeeded'
run retsnoop why --runs 20 -- ip route add 10.0.0.0/8 via 192.168.77.1
expect_status 0
expect_out '^sendmsg\(.*\), request RTM_NEWROUTE = -ENETUNREACH    ip \(pid [0-9]+\)$' \
	'^fib_.* returned -ENETUNREACH$' ' branch (not )?taken ' \
	'-ENETUNREACH went up through .*rtnetlink_rcv_msg' \
	'^  the kernel said \(netlink\): "Nexthop has invalid gateway"$'

test_that 'the same as JSON'
run retsnoop why --once --format=json -- ip route add 10.0.0.0/8 via 192.168.77.1
expect_out '"syscall":"sendmsg","call":"sendmsg\([^"]*\), request RTM_NEWROUTE","netlink_request":"RTM_NEWROUTE","errno":"ENETUNREACH",.*"function":"rtnetlink_rcv_msg"'

# Whether another call of ip fails is up to the machine: getrandom(2) does, soon after the boot.
test_that 'a request that succeeds is none that failed'
run retsnoop why --once -- ip addr add 127.0.0.9/8 dev lo
expect_status 1
expect_err "^retsnoop: ('ip' succeeded and wrote no error|no system call of 'ip' failed; it exited with status 0)"
expect_no_out 'request ' sendmsg
run ip addr show dev lo
expect_out '127\.0\.0\.9/8'

details_on none || exit 0

# In between, rtnl_newlink() has checked NLM_F_CREATE.
test_that 'a value that was tested later was set where a list ended'
run retsnoop why --runs 20 -x EOPNOTSUPP -- ip link add name why0 type bridg
expect_out '^rtnl_newlink returned -EOPNOTSUPP$' '^  branch taken at ' \
	'^  because .* == &link_ops \(the list (ended|is empty)\)$'
