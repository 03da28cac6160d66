#!/bin/sh
# machines: riscv
# What the commands show on riscv64, with every attach method that its kernel has.
. "${0%/*}/../lib.sh"

# Debian's kernel has it off, and without it nothing can be traced.
echo 1 >/proc/sys/net/core/bpf_jit_enable

calls='-e path_mount -e __riscv_sys_mount -a get_fs_type'
for rung in $(all_rungs); do
	test_that "--attach=$rung shows which function failed, with what, and its callers"
	# shellcheck disable=SC2086
	run retsnoop -sn --attach="$rung" $calls -- simfail fs-mount-unknown
	expect_status 0
	expect_sessions 1
	expect_stack handle_exception do_trap_ecall_u '[-ENODEV] __riscv_sys_mount' \
		'[-ENODEV] path_mount' '! [NULL] get_fs_type'
	expect_err 'retsnoop: 1 session shown, nothing (known to be )?missed'

	test_that "--attach=$rung shows calls in order, and arguments from registers"
	# shellcheck disable=SC2086
	run retsnoop args -sn --attach="$rung" $calls -- simfail fs-mount-unknown
	expect_status 0
	expect_out '^→ __riscv_sys_mount .*dev_name="none" dir_name="/" type="simfail_no_such_fs" flags=1 data=NULL' \
		'^    → path_mount .*type_page="simfail_no_such_fs" flags=1 data_page=NULL' \
		'^        (→|↔) get_fs_type .*name="simfail_no_such_fs"' \
		'^← __riscv_sys_mount  *\[-ENODEV\]'
done

test_that 'methods pass their test, or are not used and it is said why'
run retsnoop funcs -v --why path_mount
expect_status 0
for rung in $(all_rungs); do
	expect_out "^  methods .*$rung"
	expect_err "^$rung passed its test"
done
# Registers at fprobe's programs lack what unwinding needs.
expect_err '^retsnoop: kprobe-multi is not used: it gives wrong answers'

test_that 'interrupts have sessions of their own'
while [ ! -e "$T/read" ]; do dd if=/dev/zero of=/dev/null bs=16M count=4 2>/dev/null; done &
run retsnoop trace -sn -S -e vfs_read -e hrtimer_interrupt -a update_process_times --duration 4
: >"$T/read"
wait
expect_status 0
expect_out '\), hardirq:$'
expect_out '→ hrtimer_interrupt'
expect_out '(→|↔) vfs_read'
expect_no_out '\), NMI:$'

test_that 'a system call is selected by the name in its manual page'
run retsnoop -sn --syscall mount -- simfail fs-mount-unknown
expect_status 0
expect_sessions 1
expect_out '\[-ENODEV\] +__riscv_sys_mount'

test_that 'a recording shows the same'
run retsnoop record -o "$T/r" -e __riscv_sys_mount -a path_mount -- simfail fs-mount-unknown
expect_status 0
run retsnoop report "$T/r"
expect_status 0
expect_stack '[-ENODEV] __riscv_sys_mount'
expect_err 'riscv64'

test_that 'addresses become functions'
path_mount=$(awk '$3 == "path_mount" { print $1; exit }' /proc/kallsyms)
run retsnoop symbolize -sn "$path_mount"
expect_status 0
expect_out 'path_mount'

test_that 'why and lbr say that this CPU is not for them'
run retsnoop why -- simfail fs-mount-unknown
expect_status 3
expect_out_empty
expect_err 'why reads no machine code of riscv'
run retsnoop lbr -e path_mount -- simfail fs-mount-unknown
expect_status 3
expect_out_empty
expect_err 'riscv'
