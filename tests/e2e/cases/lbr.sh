#!/bin/sh
# retsnoop lbr: what the CPU did before a call failed.
# machines: lbr
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"

test_that 'the returns before an error name the function that it came from'
run retsnoop -sn -e '*sys_bpf' --lbr -- simfail bpf-array-value-size-0
expect_status 0
expect_sessions 1
expect_branches 'array_map_alloc_check -> map_create$' 'map_create -> __sys_bpf$' '^__sys_bpf -> '
expect_out '^\[#[0-9]+\] .*array_map_alloc_check' '\[-EINVAL\] +__sys_bpf'

test_that 'its branches lead to the place'
run retsnoop -e '*sys_bpf' -a array_map_alloc_check --lbr=any -- simfail bpf-array-value-size-0
expect_status 0
expect_sessions 1
expect_branches '^map_create -> ' '-> array_map_alloc_check$' \
	'^array_map_alloc_check -> array_map_alloc_check$' '^array_map_alloc_check -> '
expect_out '^\[#[0-9]+\] .*array_map_alloc_check' '\[-EINVAL\] +array_map_alloc_check'
if has_lines; then
	expect_out "^\\[#[0-9]+\\] array_map_alloc_check\\+0x[0-9a-f]+ +\\($arraymap:[0-9]+:[0-9]+\\) +->  array_map_alloc_check\\+0x[0-9a-f]+ +\\($arraymap:6[34]:"
fi

test_that 'the oldest comes first, and the last is number 0'
expect 'falling numbers' awk '
	match($0, /^\[#[0-9]+\]/) {
		n = substr($0, 3, RLENGTH - 3) + 0
		if (seen++ && n != last - 1) exit bad = 1
		last = n
	}
	END { exit bad || !seen || last }' "$T/out"

test_that 'only those next to the return are shown when less is asked for'
run retsnoop lbr -sn --lbr=any --lbr-max-count=3 -e __sys_bpf -a array_map_alloc_check -- simfail bpf-array-value-size-0
expect_status 0
expect 'three' [ "$(grep -c '^\[#' "$T/out")" -eq 3 ]
expect_out '^\[#02\] ' '^\[#01\] ' '^\[#00\] '

test_that 'tracing itself is left out, unless all are asked for'
run retsnoop lbr -sn --lbr=any -e __sys_bpf -a array_map_alloc_check -- simfail bpf-array-value-size-0
expect_status 0
expect_no_out 'intel_pmu_snapshot|bpf_prog_'
run retsnoop lbr -sn --lbr=any --lbr-full -e __sys_bpf -a array_map_alloc_check -- simfail bpf-array-value-size-0
expect_status 0
expect_out '^\[#00\] ' 'intel_pmu_snapshot_branch_stack'
expect 'all of them' [ "$(grep -c '^\[' "$T/out")" -eq "$depth" ]

test_that 'every branch of any kind is one that the code has'
expect_true_branches any 6 -n 3 bpf-array-value-size-0 bpf-array-bad-flags
expect 'all of them' [ "$(grep -c '^branch' "$T/rings")" -eq $((6 * depth)) ]

test_that 'those of a success too, when successes are shown'
run retsnoop lbr -sn --lbr=any -S -e __sys_bpf -a array_map_alloc_check -- simfail bpf-simple-obj
expect_status 0
expect_branches 'array_map_alloc_check -> '

test_that 'every session has those of its own error'
run retsnoop lbr -sn --lbr=any -e __sys_bpf -a array_map_alloc_check -- \
	simfail -n 20 bpf-array-value-size-0 bpf-array-bad-flags
expect_status 0
expect_sessions 40
expect 'branches in each' [ "$(grep -c '^\[#00\] ' "$T/out")" -eq 40 ]

test_that 'stack --lbr and trace --lbr show them with what they are for'
run retsnoop stack -sn --lbr=any -e __sys_bpf -a array_map_alloc_check -- simfail bpf-array-value-size-0
expect_status 0
expect_out '^\[#00\] ' '\[-EINVAL\] +array_map_alloc_check'
run retsnoop trace -sn --lbr=any -e __sys_bpf -a array_map_alloc_check -- simfail bpf-array-value-size-0
expect_status 0
expect_out '↔ array_map_alloc_check +\[-EINVAL\]' '^← __sys_bpf' '^\[#00\] '

test_that 'other names of the options do the same'
for option in -R -B --branches; do
	run retsnoop stack -sn $option -e __sys_bpf -a array_map_alloc_check -- simfail bpf-array-value-size-0
	expect_status 0
	expect_out '^\[#00\] '
done

test_that 'JSON has them with addresses, and what function returned'
run retsnoop lbr -sn --lbr=any --format=json -e __sys_bpf -a array_map_alloc_check -- simfail bpf-array-value-size-0
expect_status 0
expect_out '"branches":\[\{"nr":[0-9]+,"from":\{"addr":"0x[0-9a-f]{16}","symbol":"'
expect_out '"branches_func":"array_map_alloc_check"'

test_that 'a reader that leaves ends it'
run_sh 'retsnoop lbr -sn --lbr=any -e __sys_bpf -a array_map_alloc_check -- simfail -n 300 bpf-array-value-size-0 | head -n 3'
expect_out '^\['
expect_no_err 'array_map_alloc_check'

test_that 'Ctrl-C ends it with what there was'
start retsnoop lbr -sn --lbr=any -v -e __sys_bpf -a array_map_alloc_check
simfail bpf-array-value-size-0 >/dev/null
wait_for 20 "$T/out" '^\[#00\]'
stop INT
expect_status 0
expect_sessions 1
expect_out '^\[#00\] '

test_that 'and nothing is left behind: the events are closed'
expect 'no event open' sh -c '! ls -l /proc/[0-9]*/fd 2>/dev/null | grep perf_event'
