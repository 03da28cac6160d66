#!/bin/sh
# What is written for other programs to draw while it happens: pages, trace events, folded stacks.
. "${0%/*}/../lib.sh"

calls='simfail fs-mkdir-exists bpf-bad-map-val-size-percpu-array bpf-bad-map-type'
bpf=__sys_bpf
# 5.10 has the commands of bpf(2) in the system call itself
creates=map_create
nr_calls=7
is_kernel 5.10 && bpf=${sys}_bpf creates=$bpf nr_calls=5
inner=$bpf
[ $creates = $bpf ] || inner="$bpf;$creates"
funcs="-e $mkdir -a filename_create -e $bpf -a array_map_alloc_check"
[ $creates = $bpf ] || funcs="$funcs -a $creates"

test_that 'trace events are an array of whole objects'
# shellcheck disable=SC2086
run retsnoop trace --format=chrome -A $funcs -- $calls
expect_status 0
expect 'its beginning and its end' sh -c "head -n 1 '$T/out' | grep -qx '\\[' && tail -n 1 '$T/out' | grep -qx '\\]'"
expect 'an object a line, and commas between' awk '
	NR == 1 { next }
	$0 == "]" { exit bad || last ~ /,$/ }
	{ if (last != "" && last !~ /},$/ || $0 !~ /^\{"ph":"[XiM]",.*\},?$/) bad = 1; last = $0 }' "$T/out"
expect 'all calls' [ "$(grep -c '"ph":"X"' "$T/out")" -eq $nr_calls ]
expect 'names of the process and its thread' [ "$(grep -c '"ph":"M"' "$T/out")" -eq 2 ]
expect_out '"name":"array_map_alloc_check",.*"cname":"terrible","args":\{"result":"\[-E2BIG\]","failed":true,"args":\{"attr":"'

test_that 'trace events end whole when the run is ended'
start retsnoop trace --format=chrome -e $mkdir -a filename_create
simfail fs-mkdir-exists
sleep 1
stop INT
expect 'an end' sh -c "tail -n 1 '$T/out' | grep -qx '\\]'"
expect_out '"name":"filename_create"'

test_that 'folded stacks come at the end of the run, one line each'
# shellcheck disable=SC2086
run retsnoop --format=folded $funcs -- simfail -n 3 fs-mkdir-exists bpf-bad-map-type
expect_status 0
expect 'two stacks' [ "$(wc -l <"$T/out")" -eq 2 ]
expect_out "^simfail;.*;$inner 3\$" "^simfail;.*;$dispatcher;.*$mkdir;filename_create 3\$"

test_that 'a profile for pprof has failures, latency and labels'
# shellcheck disable=SC2086
run retsnoop --format=pprof -o "$T/profile" $funcs -- simfail -n 3 fs-mkdir-exists bpf-bad-map-type
expect_status 0
gzip -d <"$T/profile" | tr -c 'A-Za-z_0-9' '\n' >"$T/words"
# A 2 is the tag of the next string.
for word in failures latency nanoseconds filename_create $creates EEXIST EINVAL simfail errno entry comm; do
	expect "$word in the profile" grep -qE "^${word}2?\$" "$T/words"
done

details_on 6.1 || exit 0

test_that 'and with errors as frames'
# shellcheck disable=SC2086
run retsnoop --format=folded-errno $funcs -- $calls
expect_status 0
expect_out ";$creates;\[-EINVAL\] 1\$" ';array_map_alloc_check;\[-E2BIG\] 1$' ';filename_create;\[-EEXIST\] 1$'

test_that 'by latency they are nanoseconds of calls'
# shellcheck disable=SC2086
run retsnoop --format=folded-latency $funcs -- $calls
expect_status 0
expect_out "^simfail;$bpf [1-9][0-9]+\$" "^simfail;$inner;array_map_alloc_check [1-9][0-9]+\$"
[ $creates = $bpf ] || expect_out "^simfail;$inner [1-9][0-9]+\$"
expect 'each stack once' [ -z "$(sed 's/ [0-9]*$//' "$T/out" | sort | uniq -d)" ]

test_that 'a page has all sessions, and the ledger'
# shellcheck disable=SC2086
run retsnoop -T -E -A --format=html $funcs -- $calls
expect_status 0
expect 'a whole page' sh -c "head -n 1 '$T/out' | grep -q '^<!doctype html>' && tail -n 1 '$T/out' | grep -qx '</html>'"
expect 'three sessions' [ "$(grep -c '^{"type":"session",.*"calls":\[.*"stack":\[' "$T/out")" -eq 3 ]
expect 'a head of each' [ "$(grep -c '^{"entry":"' "$T/out")" -eq 3 ]
expect_out '^\{"type":"ledger","sessions_shown":3,'

test_that 'the page of a recording is the page that was made live'
# shellcheck disable=SC2086
run retsnoop record -T -E -A --live --format=html -o page.data $funcs -- $calls
expect_status 0
# The page begins before the functions are attached, the recording after that.
page_lines() { grep '^{"[te]' "$T/out" | grep -v '^{"type":"ledger"' | sed '/^{"type":"page"/s/"start":"[^"]*"//'; }
page_lines >"$T/live"
run retsnoop report --format=html -i page.data
expect_status 0
page_lines >"$T/recorded"
expect 'the same sessions' cmp "$T/live" "$T/recorded"
expect 'sessions' [ -s "$T/live" ]
