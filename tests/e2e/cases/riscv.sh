#!/bin/sh
# machines: riscv
# What the commands show on riscv64, with every attach method that its kernel has.
. "${0%/*}/../lib.sh"
. "${0%/*}/../arch-lib.sh"

# Debian's kernel has it off, and without it nothing can be traced.
echo 1 >/proc/sys/net/core/bpf_jit_enable

for rung in $(all_rungs); do
	test_that "--attach=$rung shows which function failed, with what, and its callers"
	# shellcheck disable=SC2086
	run retsnoop -sn --attach="$rung" $calls -- simfail fs-mount-unknown
	expect_status 0
	expect_sessions 1
	expect_stack $callers '[-ENODEV] __riscv_sys_mount' \
		'[-ENODEV] path_mount' '! [NULL] get_fs_type'
	expect_err 'retsnoop: 1 session shown, nothing (known to be )?missed'

	shows_arguments "$rung"
done

test_that 'methods pass their test, or are not used and it is said why'
methods_pass
# Registers at fprobe's programs lack what unwinding needs.
expect_err '^retsnoop: kprobe-multi is not used: it gives wrong answers'

interrupts_are_apart
syscall_is_selected
recording_shows_the_same riscv64
addresses_become_functions

test_that 'why and lbr say that this CPU is not for them'
run retsnoop why -- simfail fs-mount-unknown
expect_status 3
expect_out_empty
expect_err 'why reads no machine code of riscv'
run retsnoop lbr -e path_mount -- simfail fs-mount-unknown
expect_status 3
expect_out_empty
expect_err 'riscv'
