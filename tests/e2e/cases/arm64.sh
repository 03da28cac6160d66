#!/bin/sh
# machines: arm64
# smoke
# What every command shows on arm64, with every attach method that its kernels have.
. "${0%/*}/../lib.sh"
. "${0%/*}/../arch-lib.sh"

for rung in $(some_rungs); do
	test_that "--attach=$rung shows which function failed, with what, and its callers"
	# shellcheck disable=SC2086
	run_unskipped retsnoop -sn --attach="$rung" $calls -- simfail fs-mount-unknown
	expect_status 0
	expect_sessions 1
	# shellcheck disable=SC2086
	expect_stack $callers '[-ENODEV] __arm64_sys_mount'
	expect_stack '[-ENODEV] path_mount' '! [NULL] get_fs_type'
	expect_no_out 0xfff
	expect_err 'retsnoop: 1 session shown, nothing (known to be )?missed'

	test_that "--attach=$rung finds the call that returns in recursion"
	run_unskipped retsnoop -sn -S --attach="$rung" -e ksys_write -a ep_poll_callback -- simfail deep-epoll-wake
	expect_status 0
	expect_sessions 1
	# 5.10 keeps as many returns of a function at a time as there are CPUs (stacks.sh).
	kept=5
	! is_kernel 5.10 || kept=$(nproc)
	expect "$kept calls of ep_poll_callback" \
		[ "$(grep -c '\] *ep_poll_callback' "$T/out")" -eq "$kept" ]
	if [ "$kept" -lt 5 ]; then
		expect_err "$((5 - kept)) traced calls' returns were not seen"
	else
		expect_no_err 'not seen' 'lost' 'not followed'
	fi

	shows_arguments "$rung"
done

test_that 'every attach method passes its test, and doctor agrees'
methods_pass
expect_no_err 'wrong answers' 'could not be tested'
run retsnoop doctor
expect_out 'aarch64'
expect_no_out 'wrong answers' 'not tested'

syscall_is_selected

test_that 'conditions on arguments choose calls'
run retsnoop -sn --where 'path_mount: flags == 1' -e path_mount -- simfail fs-mount-unknown
expect_status 0
expect_sessions 1
run retsnoop -sn --where 'path_mount: flags == 2' -e path_mount -- simfail fs-mount-unknown
expect_status 1

interrupts_are_apart
run retsnoop doctor
expect_no_out 'preempt count'

test_that 'probes have registers by their names'
run retsnoop trace -sn -J kprobe:path_mount+8 -J kretprobe:get_fs_type -e __arm64_sys_mount -- simfail fs-mount-unknown
expect_status 0
expect_out '◎ kprobe:path_mount\+0x8 .*regs=\{\.x0=.*\.x29=0xffff.*\.sp=0xffff.*\.pc=0xffff'
expect_out '◎ kretprobe:get_fs_type .*result=NULL'

test_that 'a probe inside an instruction is refused'
run retsnoop trace -sn -J kprobe:path_mount+6 -e __arm64_sys_mount -- simfail fs-mount-unknown
expect_status 2
expect_err 'is in the middle of an instruction of path_mount; the nearest .* path_mount.0x4 and path_mount.0x8'

recording_shows_the_same aarch64
run retsnoop why -i "$T/r"
expect_status 1
expect_out '__arm64_sys_mount|path_mount'

addresses_become_functions

test_that 'lbr says that there are no branch records'
run retsnoop lbr -e path_mount -- simfail fs-mount-unknown
expect_status 3
expect_out_empty
expect_err 'arm64'
expect 'one line' [ "$(wc -l <"$T/err")" -eq 1 ]
