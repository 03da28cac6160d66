#!/bin/sh
# retsnoop lbr: what the CPU did before a call failed.
# machines: lbr
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"

check='-sn -e __sys_bpf -a array_map_alloc_check'
fail='simfail -n 3 bpf-array-value-size-0'

test_that 'the returns before an error name the function that it came from'
run retsnoop -sn -e '*sys_bpf' --lbr -- $fail
expect_status 0
expect_sessions 3
undisturbed
expect_branches '^array_map_alloc_check -> map_create$' '^map_create -> __sys_bpf$|^its_return_thunk -> __sys_bpf$' \
	'^__sys_bpf -> '
expect_out '\[-EINVAL\] +__sys_bpf'

test_that 'the branches of that function lead to the place'
run retsnoop -e '*sys_bpf' -a array_map_alloc_check --lbr=any -- $fail
expect_status 0
expect_sessions 3
undisturbed
expect_branches '-> array_map_alloc_check$' '^array_map_alloc_check -> array_map_alloc_check$' \
	'^array_map_alloc_check -> '
expect_out '^\[#[0-9]+\] ' '\[-EINVAL\] +array_map_alloc_check'
if has_lines; then
	expect_out "^\\[#[0-9]+\\] array_map_alloc_check\\+0x[0-9a-f]+ +\\($arraymap:[0-9]+:[0-9]+\\) +->  array_map_alloc_check\\+0x[0-9a-f]+ +\\($arraymap:6[34]:"
fi
cp "$T/out" "$T/kept"

test_that 'the oldest comes first, and the last is number 0'
cp "$T/kept" "$T/out"
expect 'falling numbers' awk '
	match($0, /^\[#[0-9]+\]/) {
		n = substr($0, 3, RLENGTH - 3) + 0
		if (seen++ && n != last - 1)
			bad = 1
		last = n
	}
	END { exit bad || !seen || last }' "$T/out"

test_that 'the columns stand one below the other'
cp "$T/kept" "$T/out"
expect 'arrows in one column' awk '
	/^\[#/ { at[index($0, "  ->  ")]++ }
	END { for (column in at) n++; exit n != 1 || 0 in at }' "$T/out"

test_that 'how tracing got to the record is left out, unless all of it is asked for'
cp "$T/kept" "$T/out"
expect_no_out 'intel_pmu_snapshot'
run retsnoop lbr --lbr=any --lbr-full $check -- simfail bpf-array-value-size-0
expect_status 0
expect_out 'intel_pmu_snapshot_branch_stack.*tracing'
expect 'all of it' [ "$(grep -c '^\[' "$T/out")" -eq "$depth" ]

test_that 'every branch of any kind is one that the code has'
expect_true_branches any 6 -n 3 bpf-array-value-size-0 bpf-array-bad-flags
expect 'all of them' [ "$(grep -c '^branch' "$T/rings")" -eq $((6 * depth)) ]

test_that 'an exception that cut in is marked, and what follows it is not'
run retsnoop lbr --lbr=any_return -sn -e __sys_bpf -a vmemdup_user -- simfail -n 3 bpf-bad-map-lookup-key
expect_status 0
expect_branches '^bsearch -> search_extable \(interrupt\)$|^its_return_thunk -> search_extable \(interrupt\)$' \
	'^native_irq_return_iret -> (copy_user|rep_movs)[a-z_]* \(interrupt\)$' \
	'^(its_return_thunk|rep_movs_alternative) -> _copy_from_user$' \
	'-> bpf_trampoline_[0-9]+$|^vmemdup_user -> |^its_return_thunk -> '
# a timer's interrupt may have come there, too; that one is marked with right
expect 'no mark after it' awk '
	/vmemdup_user.*\(interrupt\)/ && !/native_irq_return_iret.*vmemdup_user/ { bad = 1 }
	END { exit bad || !NR }' "$T/out"

details_on 7.2 || exit 0

test_that 'those of a success too, when successes are shown'
run retsnoop lbr --lbr=any -S $check -- simfail -n 3 bpf-simple-obj
expect_status 0
expect_branches 'array_map_alloc_check -> '

test_that 'every session has those of its own error, and no more than asked for'
run retsnoop lbr --lbr=any --lbr-max-count=2 $check -- simfail -n 10 bpf-array-value-size-0 bpf-array-bad-flags
expect_status 0
expect_sessions 20
none=$(grep -c 'no branch of array_map_alloc_check' "$T/out")
expect 'two, or that none is left, in each' [ "$(grep -c '^\[#' "$T/out")" -eq $((2 * (20 - none))) ]
expect 'two jumps, in turn' awk '
	match($0, /^\[#01\] array_map_alloc_check\+0x[0-9a-f]+/) { jump[substr($0, 7, RLENGTH - 6)]++ }
	END { for (j in jump) n += jump[j] > 4; exit n != 2 }' "$T/out"

test_that 'stack --lbr and trace --lbr show them with what they are for, by other names too'
run retsnoop stack -Rany $check -- $fail
expect_status 0
undisturbed
expect_out '^\[#00\] ' '\[-EINVAL\] +array_map_alloc_check'
run retsnoop trace --branches=any $check -- $fail
expect_status 0
undisturbed
expect_out '↔ array_map_alloc_check +\[-EINVAL\]' '^← __sys_bpf' '^\[#00\] '

test_that 'JSON has them with addresses, and what function returned'
run retsnoop lbr --lbr=any --format=json $check -- $fail
expect_status 0
expect_out '"branches":\[\{"nr":[0-9]+,"from":\{"addr":"0x[0-9a-f]{16}","symbol":"'
expect_out '"nr":0,"from":\{"addr":"0x[0-9a-f]{16}","symbol":"[a-z_]+"'
expect_out '"branches_function":"array_map_alloc_check"'
expect 'objects that end, a line each' awk '
	{
		line = $0
		gsub(/\\./, "", line)
		gsub(/"[^"]*"/, "", line)
		if (line !~ /^[{].*[}]$/ || gsub(/[{]/, "", line) != gsub(/[}]/, "", line) ||
		    gsub(/[[]/, "", line) != gsub(/[]]/, "", line))
			bad = 1
	}
	END { exit bad || !NR }' "$T/out"

test_that 'a reader that leaves ends it'
run_sh "retsnoop lbr --lbr=any $check -- simfail -n 300 bpf-array-value-size-0 | head -n 3"
expect_out ' TID/PID '
expect_no_err 'array_map_alloc_check'

test_that 'Ctrl-C ends it with what there was'
start retsnoop lbr --lbr=any -v $check
simfail bpf-array-value-size-0 >/dev/null
wait_for 60 "$T/out" '__sys_bpf'
stop INT
expect_status 0
expect_sessions 1
expect_out '^\[#00\] |no branch of'

test_that 'and nothing is left behind: the events are closed'
expect 'no event open' sh -c '! ls -l /proc/[0-9]*/fd 2>/dev/null | grep perf_event'
