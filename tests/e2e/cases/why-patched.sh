#!/bin/sh
# kernels: 7.3
# smoke
# retsnoop why: code that the kernel patched for its CPU. Of the test machines, that of 7.3 has enhanced IBRS.
. "${0%/*}/../lib.sh"

test_that 'the machine is one without retpolines'
run cat /sys/devices/system/cpu/vulnerabilities/spectre_v2
expect_status 0
expect_out 'Enhanced / Automatic IBRS'
expect_no_out 'Retpolines'

# Tail calls through a pointer: jmp *%reg.
test_that 'an indirect jump is a tail call, and no jump by a table'
run retsnoop why -x EAFNOSUPPORT -- simfail connect-family
expect_status 0
expect_out '^tcp_v4_connect returned -EAFNOSUPPORT$' '^  branch (not )?taken at tcp_v4_connect\+0x'

run retsnoop why -x EINVAL -- simfail setsockopt-ttl
expect_status 0
expect_out '^do_ip_setsockopt returned -EINVAL$' '^  branch (not )?taken at do_ip_setsockopt\+0x'
