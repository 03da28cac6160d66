#!/bin/sh
# --lbr=SPEC: kinds of branches.
# machines: lbr lbr-nehalem
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"

# Nehalem's LBR is older than stacks of calls.
haswell=1
! grep -q Nehalem /proc/cpuinfo || haswell=

lbr() { run retsnoop lbr -sn "$@" -e __sys_bpf -a array_map_alloc_check -- simfail bpf-array-value-size-0; }

test_that 'conditional and indirect branches can be chosen'
for types in cond ind_call; do
	lbr --lbr=$types
	expect_status 0
	expect_sessions 1
	expect_no_err 'no branch records'
done

test_that 'options add up'
lbr --lbr=any_return --lbr=any_call --lbr-full
expect_status 0
branches "$T/out" >"$T/branches"
expect 'calls' grep -q -e '-> array_map_alloc_check$' -e '-> __x86_indirect_thunk_[a-z]*$' "$T/branches"
expect 'returns' grep -q '^array_map_alloc_check -> ' "$T/branches"

test_that 'a mask does the same as the names'
lbr --lbr=0x8
expect_status 0
expect_branches '^array_map_alloc_check -> array_map_alloc_check$'

test_that 'kinds that this CPU cannot choose are refused with their name'
for types in call ind_jump call_stack abort_tx in_tx no_tx 0x80000; do
	lbr --lbr=$types
	case $status in
	0|1)	expect_no_err 'no branch records' ;;
	*)	expect_status 3
		expect_out_empty
		expect_err "^retsnoop: no branch records: this CPU cannot choose just $types; try --lbr=any"
		expect_err_lines 1 ;;
	esac
done
if [ -z "$haswell" ]; then
	lbr --lbr=call_stack
	expect_status 3
fi

test_that 'others there are none: the nearest is offered, before anything is traced'
lbr --lbr=any_returns
expect_status 2
expect_err "there is no branch type 'any_returns'.*any_return"
expect_err_lines 1
lbr --lbr=1
expect_status 2
expect_err_lines 1

test_that 'what was recorded is of the kind asked for'
expect_true_branches any_return 2 -n 2 bpf-array-value-size-0
expect_true_branches any_call 2 -n 2 bpf-array-value-size-0
