#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A module that is loaded during a run: its functions are not traced, which is said.
. "${0%/*}/../lib.sh"

rmmod dummy 2>/dev/null
untraced='^retsnoop: warning: module dummy was loaded during the run: .* not traced; start retsnoop again to trace'

test_that 'selected functions of a module that is loaded later are named'
start retsnoop -e "$mkdir" -e 'dummy_*'
modprobe dummy
wait_for 120 "$T/err" "$untraced" || problem 'nothing is said'
simfail -n 2 fs-mkdir-exists
stop TERM
expect_status 0
expect 'once' [ "$(grep -c "$untraced" "$T/err")" = 1 ]
rmmod dummy

test_that 'loaded again, it is another module'
start retsnoop -e "$mkdir" -a dummy_validate
modprobe dummy
wait_for 120 "$T/err" 'was loaded during the run: 1 function of it .* is not traced' || problem 'nothing is said'
rmmod dummy
sleep 2.5
modprobe dummy
sleep 2.5
stop TERM
expect 'twice' [ "$(grep -c "$untraced" "$T/err")" = 2 ]

test_that 'a module that was loaded before is not new'
run retsnoop -e "$mkdir" -e dummy_validate -- sh -c 'simfail fs-mkdir-exists; sleep 3'
expect_status 0
expect_no_err 'was loaded'
rmmod dummy

test_that 'a recording that ends at once is no exception'
run retsnoop record -o "$T/a.data" -e "$mkdir" -e dummy_validate -- modprobe dummy
expect_err "$untraced"
rmmod dummy 2>/dev/null

test_that 'a module without selected functions is of no interest'
run retsnoop -e "$mkdir" -- sh -c 'modprobe dummy; simfail fs-mkdir-exists; sleep 3'
expect_status 0
expect_no_err 'was loaded'
rmmod dummy
