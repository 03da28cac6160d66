#!/bin/sh
# --summary: counts in place of sessions, made in the kernel.
. "${0%/*}/../lib.sh"

calls="-sn -e $mkdir -a filename_create"

bpf=${sys}_bpf
checks='-a map_create -a array_map_alloc_check'

test_that 'calls are counted by entry function and result, and errors by their producer'
# shellcheck disable=SC2086
run retsnoop -v --summary -e $bpf $checks -- sh -c 'simfail -n 300 bpf-bad-map-val-size-percpu-array
	simfail -n 200 bpf-array-bad-flags; simfail -n 2 bpf-simple-obj'
expect_status 0
expect_out '^ENTRY FUNCTION +RESULT +COUNT +TOTAL +MEAN +P50 +P95 +P99 +MAX$'
expect_out "^$bpf +ok +4 "
expect_out "^$bpf +\[-E2BIG\] +300 "
expect_out "^$bpf +\[-EINVAL\] +200 "
expect_out "^$bpf \[-E2BIG\]:\$" '^\[[0-9.]+[nu]s, [0-9.]+[um]s\) +[0-9]+ \|@* *\|$'
expect_out '^PRODUCER +RETURNED +CAME OUT AS +COUNT +SHARE$' \
	'^array_map_alloc_check +\[-E2BIG\] +\[-E2BIG\] +300 +60.0%$' \
	'^array_map_alloc_check +\[-EINVAL\] +\[-EINVAL\] +200 +40.0%$'
expect_no_out TID/PID
expect_err '^retsnoop: 504 calls counted, nothing (known to be )?missed' 'ring buffer: 0 records, 0 bytes'

if details_on 7.2; then
	test_that '-x counts only calls that failed so; JSON is an object a row'
	# shellcheck disable=SC2086
	run retsnoop --summary --format=json -x E2BIG -e $bpf $checks -- sh -c '
		simfail -n 3 bpf-bad-map-val-size-percpu-array; simfail -n 2 bpf-array-bad-flags bpf-simple-obj'
	expect_status 0
	expect 'a row, a producer and the ledger' [ "$(wc -l <"$T/out")" -eq 3 ]
	expect_out "^\{\"type\":\"summary\",.*\"function\":\"$bpf\",.*\"errno\":\"E2BIG\",\"count\":3,.*\"histogram\":\[\{" \
		'^\{"type":"producer",.*"function":"array_map_alloc_check",.*"errno":"E2BIG",.*"count":3,"of_count":3\}$'
	expect_err '^retsnoop: 3 calls counted'
fi

test_that 'twenty thousand calls are all counted, and not one is sent to user space'
run retsnoop -v --summary -e ${sys}_getppid -- simfail -n 20000 ok-getppid
expect_status 0
expect_out '_sys_getppid +ok +20000 '
expect_err '^retsnoop: 20000 calls counted' 'ring buffer: 0 records, 0 bytes'

if details_on 7.2; then
	test_that 'with --interval there is a block for each, and no call is in two of them'
	# shellcheck disable=SC2086
	run retsnoop $calls --summary --interval 1 \
		-- sh -c 'simfail -n 3000 fs-mkdir-exists; sleep 2.5; simfail -n 7 fs-mkdir-exists'
	expect_status 0
	expect_err '^retsnoop: 3007 calls counted'
	expect_out '^[0-9:.]+ -> [0-9:.]+, no calls$' '^[0-9:.]+ -> [0-9:.]+, [0-9]+ calls:$'
	expect 'counts that add up' sh -c \
		"awk '/^$mkdir .*EEXIST.* [0-9]/ { n += \$3 } END { exit n != 3007 }' $T/out"

	test_that 'nothing counted is nothing shown'
	# shellcheck disable=SC2086
	run retsnoop $calls -x EPERM --summary -- simfail -n 5 fs-mkdir-exists
	expect_status 1
	expect_out_empty
	expect_err '^retsnoop: 0 calls counted'
fi

if details_on 7.2; then
	test_that '--by counts each process, name, cgroup and producer apart, as text, JSON and CSV'
	# shellcheck disable=SC2086
	run retsnoop $calls --by=process -- sh -c 'simfail -n 3 fs-mkdir-exists; simfail -n 2 fs-mkdir-exists'
	expect_status 0
	expect_out '^PROCESS +ENTRY FUNCTION ' "^simfail/[0-9]+ +$mkdir +\\[-EEXIST\\] +3 " \
		"^simfail/[0-9]+ +$mkdir +\\[-EEXIST\\] +2 " '^filename_create .* 5 +100.0%$'
	expect_no_out '@'
	# shellcheck disable=SC2086
	run retsnoop $calls --by=comm --json -- sh -c 'simfail -n 3 fs-mkdir-exists; simfail -n 2 fs-mkdir-exists'
	expect_status 0
	expect_out "\"comm\":\"simfail\",.*\"errno\":\"EEXIST\",\"count\":5,"
	# shellcheck disable=SC2086
	run retsnoop $calls --by=comm -n EEXIST -- simfail threads
	expect_status 0
	expect_out "^simfail +$mkdir +\\[-EEXIST\\] +300 "
	# shellcheck disable=SC2086
	run retsnoop $calls --by=producer --format=csv -- simfail -n 4 fs-mkdir-exists
	expect_status 0
	expect_out '^start,end,producer,producer_module,function,' \
		"^[^,]*,[^,]*,filename_create,,$mkdir,,EEXIST,4,"
	# shellcheck disable=SC2086
	run retsnoop $calls --by=cgroup --histogram -- simfail -n 4 fs-mkdir-exists
	expect_status 0
	expect_out '^CGROUP +ENTRY FUNCTION ' " $mkdir +\\[-EEXIST\\] +4 " '\|@+\|$'
fi

for option in -T -E -I '--max-sessions 3'; do
	test_that "--summary $option is refused"
	# shellcheck disable=SC2086
	run retsnoop --summary $option -e $mkdir -- simfail fs-mkdir-exists
	expect_status 2
	expect_out_empty
	expect_err_lines 1
	expect_err "^retsnoop: --summary shows no single sessions: it cannot be combined with ${option% *}$"
done
