#!/bin/sh
# Branches and what they tell, out of a recording.
# machines: lbr
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"
. "${0%/*}/../record-lib.sh"

cd "$T" || exit 3
calls='simfail -n 3 bpf-array-value-size-0 bpf-bad-map-type'

test_that 'returns before an error are the same as live'
same_as_live -sn -e __sys_bpf --lbr

test_that 'branches, and the one that decided, are the same as live'
same_as_live -sn -e __sys_bpf -a map_create -a array_map_alloc_check --lbr=any
expect_out '"branches"'

details_on 6.1 || exit 0

test_that 'those with traces, and those that tracing took, are the same as live'
same_as_live -sn -T -e __sys_bpf -a array_map_alloc_check --lbr=any --lbr-full --lbr-max-count=20

if has_lines; then
	test_that 'source lines of branches are the same as live'
	same_as_live -e __sys_bpf -a array_map_alloc_check --lbr=any
	expect_out 'arraymap\.c'
fi

test_that 'fewer branches are shown of what was recorded'
run retsnoop report -sn -i live.data --lbr-max-count=1
expect_status 0
expect_no_out '^\[#01\]'
