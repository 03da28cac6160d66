#!/bin/sh
# retsnoop symbolize on the running kernel.
. "${0%/*}/../lib.sh"

address=$(awk -v name=$mkdir '$3 == name { print $1; exit }' /proc/kallsyms)

test_that 'an address is given its function and offset'
run retsnoop symbolize -sn "0x$address"
expect_status 0
expect_out "$mkdir\\+0x0"

test_that 'addresses come from standard input, too'
run_sh "echo 0x$address | retsnoop symbolize -sn"
expect_status 0
expect_out "$mkdir"

test_that 'an address that is none is refused or named'
run retsnoop symbolize -sn nonsense
expect 'a status that is not 0' [ "$status" -ne 0 ]
expect_err nonsense
