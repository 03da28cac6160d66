#!/bin/sh
# --lbr=SPEC: kinds of branches.
# machines: 6.12/lbr 7.2/lbr-nehalem
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"

# Nehalem's LBR is older than stacks of calls.
call_stack=1
! grep -q Nehalem /proc/cpuinfo || call_stack=

lbr() { run retsnoop lbr -sn "$@" -e __sys_bpf -a array_map_alloc_check -- simfail -n 3 bpf-array-value-size-0; }

# accepted: the last run did as it was told.
accepted()
{
	expect_status 0
	expect_sessions 3
	expect_no_err 'no branch records'
}

test_that 'kinds that this CPU cannot choose are refused with their name'
for types in call ind_jump call_stack abort_tx in_tx no_tx 0x40000; do
	lbr --lbr=$types
	case $status in
	0)	expect_no_err 'no branch records' ;;
	*)	expect_status 3
		expect_out_empty
		expect_err "^retsnoop: no branch records: this CPU cannot choose just $types; try --lbr=any"
		expect_err_lines 1 ;;
	esac
	case $types/$call_stack in
	call_stack/)	expect_status 3 ;;
	call_stack/1)	expect_status 0 ;;
	esac
done

test_that 'others there are none: the nearest is offered, before anything is traced'
lbr --lbr=any_returns
expect_status 2
expect_err "unknown branch type 'any_returns'.*any_return"
expect_err_lines 1
lbr --lbr=1
expect_status 2
expect_err_lines 1

# On one kind of CPU is enough.
[ -n "$call_stack" ] || exit 0

test_that 'conditional branches can be chosen'
lbr --lbr=cond
accepted
undisturbed
expect_branches '^array_map_alloc_check -> array_map_alloc_check$'
expect 'no others' [ "$(grep -c '_thunk' "$T/branches")" -eq 0 ]

test_that 'indirect calls can be chosen'
lbr --lbr=ind_call
accepted

test_that 'options add up, and so do names with commas'
lbr --lbr=any_return --lbr=any_call --lbr-full
accepted
undisturbed
branches >"$T/branches"
expect 'calls' grep -q -e '-> __bpf_prog_enter' -e '-> intel_pmu_snapshot_branch_stack' "$T/branches"
expect 'returns' grep -q '^array_map_alloc_check -> \|^its_return_thunk -> ' "$T/branches"
lbr --lbr=any_return,any_call --lbr-full
accepted
undisturbed
branches >"$T/branches.2"
expect 'the same kinds' grep -q -e '-> __bpf_prog_enter' -e '-> intel_pmu_snapshot_branch_stack' "$T/branches.2"

test_that 'a mask does the same as the names'
lbr --lbr=0x8
accepted
undisturbed
expect_branches '^array_map_alloc_check -> array_map_alloc_check$'

test_that 'what was recorded is of the kind asked for'
expect_true_branches any_return 2 -n 2 bpf-array-value-size-0
expect_true_branches any_call 2 -n 2 bpf-array-value-size-0
