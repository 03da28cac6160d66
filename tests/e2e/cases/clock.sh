#!/bin/sh
# Somebody sets the clock during a run: times of day are those at which things happened.
# changes the machine: sets its clock
. "${0%/*}/../lib.sh"

quick="-sn -e $mkdir -a filename_create"
today=$(date +%Y-%m-%d)
trap 'date -s "$(date +%H:%M:%S)" >/dev/null; end_test; rm -rf "$T"' EXIT

# set_clock TIME: and a moment, for it to be noticed before the next call.
set_clock() { date -s "$today $1" >/dev/null; sleep "$(slowness)"; }

# two_hours: a call before two o'clock, and one after three, which is a minute later at most.
two_hours()
{
	simfail fs-mkdir-exists
	sleep 1
	set_clock 03:00:00
	simfail fs-mkdir-exists
	sleep 1
}

if details_on 7.2; then
	test_that 'sessions have the time of day at which they were'
	set_clock 01:30:00
	# shellcheck disable=SC2086
	start retsnoop $quick
	two_hours
	stop INT
	expect_status 0
	expect_sessions 2
	expect_out '^01:3[0-9]:[0-9.]+ -> 01:3' '^03:0[0-9]:[0-9.]+ -> 03:0'
fi

details_on 7.2 || exit 0

test_that 'they have it in JSON'
set_clock 01:30:00
# shellcheck disable=SC2086
start retsnoop $quick --format=json
two_hours
stop INT
expect_status 0
keep_json
expect_out 'start":"[0-9-]+T01:3[0-9]' 'start":"[0-9-]+T03:0[0-9]'

test_that 'they have it in recordings, whatever the time is when those are shown'
set_clock 01:30:00
# shellcheck disable=SC2086
start retsnoop record $quick -o "$T/data"
two_hours
stop INT
expect_status 0
date -s "$today 05:00:00" >/dev/null
run retsnoop report -i "$T/data"
expect_status 0
expect_sessions 2
expect_out '^01:3[0-9]:[0-9.]+ -> 01:3' '^03:0[0-9]:[0-9.]+ -> 03:0'

# Of util-linux: busybox's makes no time namespaces.
unshare=${0%/*}/../../../unshare
ago=$((3600 * 5))
test_that 'in a time namespace they have the time of day, too'
if [ -e /proc/self/ns/time ] && "$unshare" -T true 2>/dev/null; then
	set_clock 07:30:00
	# shellcheck disable=SC2086
	run "$unshare" -T -f --monotonic $ago --boottime $ago retsnoop $quick -- simfail fs-mkdir-exists
	expect_status 0
	expect_sessions 1
	expect_out '^07:3[0-9]:[0-9.]+ -> 07:3'
	# shellcheck disable=SC2086
	run "$unshare" -T -f --monotonic $ago --boottime $ago retsnoop record $quick -o "$T/inside" -- simfail fs-mkdir-exists
	expect_status 0
	run retsnoop report -i "$T/inside"
	expect_sessions 1
	expect_out '^07:3[0-9]:[0-9.]+ -> 07:3'
else
	skip 'no time namespaces here'
fi

test_that 'a summary every few seconds has the times of its beginning and its end'
set_clock 01:30:00
# shellcheck disable=SC2086
start retsnoop $quick --summary --interval 3
simfail fs-mkdir-exists
wait_for 60 "$T/out" '01:3.*1 call' || problem 'no first summary'
set_clock 03:00:00
simfail fs-mkdir-exists
stop INT
expect_status 0
expect_out '^01:3[0-9]:[0-9.]+ -> 01:3.*1 call:' ' -> 03:0.*1 call:'
