#!/bin/sh
# Branch records on a machine that is busy, and often interrupted.
# machines: lbr-4-cpus
# kernels: 6.1 6.12 7.2
. "${0%/*}/../lib.sh"
. "${0%/*}/../lbr-lib.sh"

# CPUs that are never idle, and timers and packets on them.
i=0
while [ $i -lt "$(nproc)" ]; do
	load sh -c 'while :; do :; done'
	renice -n 19 -p $! >/dev/null
	load ping -q -i 0.002 127.0.0.1
	i=$((i + 1))
done

test_that 'under load every branch is one that the code has'
expect_true_branches any 8 -n 4 bpf-array-value-size-0 bpf-array-bad-flags
expect 'all of them' [ "$(grep -c '^branch' "$T/rings")" -eq $((8 * depth)) ]

test_that 'under load every session has branches, or says why not'
run retsnoop lbr -sn --lbr=any -e __sys_bpf -a array_map_alloc_check -- simfail -n 20 bpf-array-value-size-0
expect_status 0
expect_sessions 20
expect 'one or the other, in each' \
	[ "$(grep -cE '^\[#00\] |no branch of array_map_alloc_check is left' "$T/out")" -eq 20 ]
undisturbed
expect_branches '^array_map_alloc_check -> array_map_alloc_check$' '^array_map_alloc_check -> '

test_that 'the load ran all the while'
end_loads
