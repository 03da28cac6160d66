#!/bin/sh
# Branch records on every way of attaching: some leave less of them, and then say so.
# machines: lbr lbr-1-cpu lbr-4-cpus
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"

for rung in $(all_rungs); do
	test_that "$rung gives branches of the function, or says that none is left"
	run retsnoop lbr -sn --attach=$rung --lbr=any -e __sys_bpf -a array_map_alloc_check -- simfail bpf-array-value-size-0
	expect_status 0
	expect_sessions 1
	expect_out '\[-EINVAL\] +array_map_alloc_check'
	if grep -q '^\[#' "$T/out"; then
		expect_branches '^array_map_alloc_check -> '
		expect_no_out 'no branch of'
	else
		expect_out "\\(no branch of array_map_alloc_check is left: tracing took all $depth records"
		# That is never so where tracing costs the least.
		expect 'a costly way' [ $rung != fentry ]
	fi
done

test_that 'lbr takes a way that leaves most'
run retsnoop lbr -sn -v --lbr=any -e __sys_bpf -a array_map_alloc_check -- simfail bpf-array-value-size-0
expect_status 0
expect_branches '^array_map_alloc_check -> array_map_alloc_check$' '^array_map_alloc_check -> '
