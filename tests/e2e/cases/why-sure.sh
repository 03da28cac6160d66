#!/bin/sh
# retsnoop why: answers that are sure, although a part of the way cannot be traced, or a value was selected.
. "${0%/*}/../lib.sh"

if details_on 7.2; then
	test_that 'a function that cannot be traced, and does nothing but pass an error up, leaves no doubt'
	run retsnoop why -x ENODEV -- simfail key-type
	expect_status 0
	expect_out '^add_key\(.* = -ENODEV ' '^  -ENODEV went up through (.*, )?key_create_or_update, .*sys_add_key'
	expect_no_out 'likely' 'cannot be traced'

	test_that 'an error that was selected in place of a pointer is that of the call that returned it'
	run retsnoop why -x EAFNOSUPPORT -- simfail net-bad-family
	expect_status 0
	expect_out '^socket\(.* = -EAFNOSUPPORT ' '^  -EAFNOSUPPORT went up through (.*, )?__sys_socket'
	expect_no_out 'likely' 'selected or computed'
fi
