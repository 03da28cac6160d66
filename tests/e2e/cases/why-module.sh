#!/bin/sh
# retsnoop why: what a function of a module decided.
# changes the machine: loads and unloads modules
. "${0%/*}/../lib.sh"

# dummy(4) takes no address that is one of a group.
needs_modules dummy
modprobe dummy

if details_on 6.1; then
	test_that 'a branch in a module is found, with what it compared'
	run retsnoop why --runs 20 -- ip link add d1 address 01:00:00:00:00:00 type dummy
	expect_status 0
	place='dummy_validate\+0x[0-9a-f]+ '
	# With debug info.
	! is_kernel 6.1 || place='drivers/net/dummy\.c:[0-9]+:[0-9]+ \(is_valid_ether_addr, include/linux/etherdevice\.h:[0-9]+\) '
	expect_out 'request RTM_NEWLINK = -EADDRNOTAVAIL    ip \(pid [0-9]+\)$' \
		'^dummy_validate \[dummy\] returned -EADDRNOTAVAIL$' \
		"^  branch taken at $place" \
		' & 0x1$' ' = 0x1$' \
		'-EADDRNOTAVAIL went up through .*rtnetlink_rcv_msg'
fi

if details_on 6.1; then
	test_that 'so is one in a module that the command had loaded'
	rmmod dummy
	run retsnoop why --runs 20 -- sh -c 'modprobe dummy; ip link add d1 address 01:00:00:00:00:00 type dummy'
	expect_status 0
	expect_out '^dummy_validate \[dummy\] returned -EADDRNOTAVAIL$' "^  branch taken at $place"
fi

details_on 7.2 || exit 0

test_that 'the same as JSON'
run retsnoop why -q --runs 20 --format=json -- ip link add d1 address 01:00:00:00:00:00 type dummy
expect_out '"errno":"EADDRNOTAVAIL",.*"decision":\{"function":"dummy_validate","module":"dummy",'
