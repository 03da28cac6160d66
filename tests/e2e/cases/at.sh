#!/bin/sh
# --at: recording begins at a time of day, and follows the clock when it is set meanwhile.
# changes the machine: sets its clock
. "${0%/*}/../lib.sh"

quick="-sn -e $mkdir -a filename_create"
today=$(date +%Y-%m-%d)
trap 'date -s "$(date +%H:%M:%S)" >/dev/null; end_test; rm -rf "$T"' EXIT

# start_and_attach COMMAND...: it waits for its time.
start_and_attach()
{
	note_command "$@"
	: >"$T/err"	# of the run before
	timeout -k 20 "$limit" "$@" >"$T/out" 2>"$T/err" </dev/null &
	pid=$!
	wait_for 60 "$T/err" '^Attached; recording begins in ' || problem 'it is not attached'
}

test_that 'what happens before the time is not recorded'
date -s "$today 01:00:00" >/dev/null
# shellcheck disable=SC2086
start_and_attach retsnoop record $quick --at=02:00:00 --max-sessions=1 -o "$T/data"
simfail fs-mkdir-exists
simfail fs-mkdir-exists
date -s "$today 01:59:59" >/dev/null
wait_for 120 "$T/err" '^Receiving data' || problem 'it did not begin'
simfail fs-mkdir-exists
finish_started
expect_status 0
run retsnoop report "$T/data"
expect_sessions 1
expect_out '^02:0[0-9]:'

details_on 7.2 || exit 0

test_that 'a clock that is set back is followed'
date -s "$today 01:00:00" >/dev/null
# shellcheck disable=SC2086
start_and_attach retsnoop $quick --at=01:30 --max-sessions=1
date -s "$today 00:10:00" >/dev/null
sleep 2
grep -q '^Receiving data' "$T/err" && problem 'it began too early'
date -s "$today 01:45:00" >/dev/null
wait_for 120 "$T/err" '^Receiving data' || problem 'it did not begin'
simfail fs-mkdir-exists
finish_started
expect_status 0
expect_sessions 1

test_that 'a signal ends the wait'
# shellcheck disable=SC2086
start_and_attach retsnoop record $quick --at=+1h -o "$T/none"
stop INT
expect_status 1
expect 'no recording' [ ! -e "$T/none" ]

test_that 'a time that has passed is refused'
run retsnoop record -e "$mkdir" --at="$today 00:00:01" -o "$T/none"
expect_status 2
expect_err "^retsnoop: --at: '$today 00:00:01' has passed: it is $today 0[0-9:]+ here\$"
