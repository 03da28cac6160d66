#!/bin/sh
# --summary: counts in place of sessions, made in the kernel; and runs with more than can be shown.
. "${0%/*}/../lib.sh"

calls="-sn -e $mkdir -a filename_create"

test_that 'calls are counted by entry function and result, and errors by their producer'
# shellcheck disable=SC2086
run retsnoop -v $calls --summary -- simfail -n 500 fs-mkdir-exists
expect_status 0
expect_out '^ENTRY FUNCTION +RESULT +COUNT +TOTAL +MEAN +P50 +P95 +P99 +MAX$' \
	"^$mkdir +\[-EEXIST\] +500 " '^\[[0-9.]+[nu]s, [0-9.]+[um]s\) +[0-9]+ \|@* *\|$' \
	'^PRODUCER +RETURNED +CAME OUT AS +COUNT +SHARE$' \
	'^filename_create +\[-EEXIST\] +\[-EEXIST\] +500 +100.0%$'
expect_err '^retsnoop: 500 calls counted' 'ring buffer: 0 records, 0 bytes'

test_that 'successes are counted apart with -S'
# shellcheck disable=SC2086
run retsnoop $calls -S --summary -- sh -c "simfail -n 20 fs-mkdir-exists; mkdir $T/one $T/two"
expect_status 0
expect_out "^$mkdir +\[-EEXIST\] +20 " "^$mkdir +ok +[0-9]+ "
expect_out "^$mkdir ok:\$"

test_that 'with --interval there is a block for each, and no call is in two of them'
# shellcheck disable=SC2086
run retsnoop $calls --summary --interval 1 \
	-- sh -c 'simfail -n 3000 fs-mkdir-exists; sleep 2.5; simfail -n 7 fs-mkdir-exists'
expect_status 0
expect_err '^retsnoop: 3007 calls counted'
expect_out '^[0-9:.]+ -> [0-9:.]+, no calls$' '^[0-9:.]+ -> [0-9:.]+, [0-9]+ calls:$'
expect 'counts that add up' sh -c \
	"awk '/^$mkdir .*EEXIST.* [0-9]/ { n += \$3 } END { exit n != 3007 }' $T/out"

test_that '--summary in JSON is an object a row'
# shellcheck disable=SC2086
run retsnoop $calls --summary --format=json -- simfail -n 5 fs-mkdir-exists
expect_status 0
expect_out "^\{\"type\":\"summary\",.*\"function\":\"$mkdir\",.*\"errno\":\"EEXIST\",\"count\":5," \
	'^\{"type":"producer",.*"function":"filename_create",.*"count":5,"of":5\}$'

test_that 'nothing counted is nothing shown'
# shellcheck disable=SC2086
run retsnoop $calls -x EPERM --summary -- simfail -n 5 fs-mkdir-exists
expect_status 1
expect_out_empty
expect_err '^retsnoop: 0 calls counted'

test_that '--stats prints the ledger while it runs'
# shellcheck disable=SC2086
run retsnoop $calls --stats 1 --duration 3 -- sh -c 'simfail -n 5 fs-mkdir-exists; sleep 10'
expect_status 0
expect_err '^retsnoop: after 1(\.[0-9])?s: 5 sessions shown' '^retsnoop: after 2(\.[0-9])?s: ' \
	'^retsnoop: 5 sessions shown'

test_that 'what is being lost is said on the spot, with what helps'
# shellcheck disable=SC2086
run retsnoop $calls -C bpf.ringbuf-size=4K --duration 4 \
	-- sh -c 'simfail -n 100000000 fs-mkdir-exists & simfail -n 100000000 fs-mkdir-exists'
expect_status 0
expect_err '^retsnoop: warning: [0-9]+ sessions? w.* lost: the ring buffer was full; try -C bpf.ring'
killall simfail 2>/dev/null

test_that 'a reader that does not read delays neither the end nor a second Ctrl-C'
mkfifo "$T/fifo"
sleep 60 <"$T/fifo" &
reader=$!
simfail -n 100000000 fs-mkdir-exists &
busy=$!
start sh -c "exec retsnoop $calls >$T/fifo"
sleep 3
kill -s INT $pid
wait_for 20 "$T/err" 'nobody reads' || problem 'it was not said that much is left'
stop INT
expect_status 0
expect_err 'sessions are still to be shown, and nobody reads the output; another Ctrl-C leaves' \
	'[0-9]+ sessions were not shown: the run was ended'
expect 'an end within seconds' [ $duration_ms -lt 30000 ]
kill $busy $reader 2>/dev/null
