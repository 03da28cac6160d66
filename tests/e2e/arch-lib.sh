# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2154	# lib.sh sets them
# Tests that the smoke cases of arm64 and riscv64 share; sourced after lib.sh.

calls="-e path_mount -e ${sys}_mount -a get_fs_type"

# shows_arguments RUNG: calls in order, with their arguments.
shows_arguments()
{
	test_that "--attach=$1 shows calls in order, and arguments from registers"
	strings='dev_name="none" dir_name="/" type="simfail_no_such_fs"'
	# shellcheck disable=SC2086
	run retsnoop args -sn --attach="$1" $calls -- simfail fs-mount-unknown
	expect_status 0
	expect_out "^→ ${sys}_mount .*$strings flags=MS_RDONLY data=NULL" \
		'^    → path_mount .*type_page="simfail_no_such_fs" flags=1 data_page=NULL' \
		'^        (→|↔) get_fs_type .*name="simfail_no_such_fs"' \
		"^← ${sys}_mount  *\\[-ENODEV\\]"
}

# methods_pass: each attach method that this kernel must have passes its test.
methods_pass()
{
	run retsnoop funcs -v --why path_mount
	expect_status 0
	for rung in $(all_rungs); do
		expect_out "^  methods .*$rung"
		expect_err "^$rung passed its test"
	done
}

interrupts_are_apart()
{
	test_that 'interrupts have sessions of their own'
	while [ ! -e "$T/read" ]; do dd if=/dev/zero of=/dev/null bs=16M count=4 2>/dev/null; done &
	run retsnoop trace -sn -S -e vfs_read -e hrtimer_interrupt -a update_process_times --duration 4
	: >"$T/read"
	wait
	expect_status 0
	expect_out '\), hardirq:$' '→ hrtimer_interrupt' '(→|↔) vfs_read'
	expect_no_out '\), NMI:$'
}

syscall_is_selected()
{
	test_that 'a system call is selected by the name in its manual page'
	run retsnoop -sn --syscall mount -- simfail fs-mount-unknown
	expect_status 0
	expect_sessions 1
	expect_out "\\[-ENODEV\\] +${sys}_mount"
}

# recording_shows_the_same UNAME: and names the machine that it was made on.
recording_shows_the_same()
{
	test_that 'a recording shows the same'
	run retsnoop record -o "$T/r" -e ${sys}_mount -a path_mount -- simfail fs-mount-unknown
	expect_status 0
	run retsnoop report "$T/r"
	expect_status 0
	expect_stack "[-ENODEV] ${sys}_mount"
	expect_err "$1"
}

addresses_become_functions()
{
	test_that 'addresses become functions'
	path_mount=$(awk '$3 == "path_mount" { print $1; exit }' /proc/kallsyms)
	run retsnoop symbolize -sn "$path_mount"
	expect_status 0
	expect_out 'path_mount'
}
