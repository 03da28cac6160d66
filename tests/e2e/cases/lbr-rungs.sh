#!/bin/sh
# Branch records on every way of attaching: some leave less of them, and then say so.
# machines: lbr 6.12/lbr-1-cpu 6.1/lbr-4-cpus
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"

lbr() { run retsnoop lbr -sn "$@" -e __sys_bpf -a array_map_alloc_check -- simfail -n 4 bpf-array-value-size-0; }

for rung in $(all_rungs); do
	test_that "$rung gives branches of the function, or says that none is left"
	lbr --lbr=any --attach=$rung
	expect_status 0
	expect_sessions 4
	expect_out '\[-EINVAL\] +array_map_alloc_check'
	expect 'one or the other, in each' \
		[ "$(grep -cE '^\[#00\] |no branch of array_map_alloc_check is left' "$T/out")" -eq 4 ]
	case $rung/$depth in
	fentry/32|fsession-multi/32)	# where tracing costs the least
		undisturbed
		expect_branches '^array_map_alloc_check -> array_map_alloc_check$' ;;
	esac
	if ! grep -q '^\[#' "$T/out"; then
		expect_out "no branch of array_map_alloc_check is left: tracing took all $depth records"
	fi
done

test_that 'lbr takes a way that leaves most'
lbr --lbr=any -v
expect_status 0
expect_err "Attached to function #2 'array_map_alloc_check' \\((fentry|fsession-multi)\\)"

test_that 'returns alone reach further back'
lbr
expect_status 0
undisturbed
expect_branches '^(array_map_alloc_check|its_return_thunk) -> bpf_trampoline_[0-9]+$'
