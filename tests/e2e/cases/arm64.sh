#!/bin/sh
# machines: arm64
# smoke
# What every command shows on arm64, with every attach method that its kernels have.
. "${0%/*}/../lib.sh"

calls='-e path_mount -e __arm64_sys_mount -a get_fs_type'
for rung in $(some_rungs); do
	test_that "--attach=$rung shows which function failed, with what, and its callers"
	# shellcheck disable=SC2086
	run retsnoop -sn --attach="$rung" $calls -- simfail fs-mount-unknown
	expect_status 0
	expect_sessions 1
	expect_stack el0_svc 'do_el0_svc'
	expect_stack '[-ENODEV] __arm64_sys_mount'
	expect_stack '[-ENODEV] path_mount' '! [NULL] get_fs_type'
	expect_no_out 0xffff
	expect_err 'retsnoop: 1 session shown, nothing (known to be )?missed'

	test_that "--attach=$rung finds the call that returns in recursion"
	run retsnoop -sn -S --attach="$rung" -e ksys_write -a ep_poll_callback -- simfail deep-epoll-wake
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

	test_that "--attach=$rung shows calls in order, and arguments from registers"
	# shellcheck disable=SC2086
	run retsnoop args -sn --attach="$rung" $calls -- simfail fs-mount-unknown
	expect_status 0
	expect_out '^→ __arm64_sys_mount .*dev_name="none" dir_name="/" type="simfail_no_such_fs" flags=1 data=NULL'
	expect_out '^    → path_mount .*type_page="simfail_no_such_fs" flags=1 data_page=NULL'
	expect_out '^        (→|↔) get_fs_type .*name="simfail_no_such_fs"'
	expect_out '^← __arm64_sys_mount  *\[-ENODEV\]'
done

test_that 'every attach method passes its test, and doctor agrees'
run retsnoop funcs -v --why path_mount
expect_status 0
for rung in $(all_rungs); do
	expect_out "^  methods .*$rung"
	expect_err "^$rung passed its test"
done
expect_no_err 'wrong answers' 'could not be tested'
run retsnoop doctor
expect_out 'aarch64'
expect_no_out 'wrong answers' 'not tested'

test_that 'a system call is selected by the name in its manual page'
run retsnoop -sn --syscall mount -- simfail fs-mount-unknown
expect_status 0
expect_sessions 1
expect_out '\[-ENODEV\] +__arm64_sys_mount'

test_that 'conditions on arguments choose calls'
run retsnoop -sn --where 'path_mount: flags == 1' -e path_mount -- simfail fs-mount-unknown
expect_status 0
expect_sessions 1
run retsnoop -sn --where 'path_mount: flags == 2' -e path_mount -- simfail fs-mount-unknown
expect_status 1

test_that 'interrupts have sessions of their own'
while [ ! -e "$T/read" ]; do dd if=/dev/zero of=/dev/null bs=16M count=4 2>/dev/null; done &
run retsnoop trace -sn -S -e vfs_read -e hrtimer_interrupt -a update_process_times --duration 4
: >"$T/read"
wait
expect_status 0
expect_out '\), hardirq:$' '→ hrtimer_interrupt' '(→|↔) vfs_read'
expect_no_out '\), NMI:$'
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

test_that 'a recording shows the same'
run retsnoop record -o "$T/r" -e __arm64_sys_mount -a path_mount -- simfail fs-mount-unknown
expect_status 0
run retsnoop report "$T/r"
expect_status 0
expect_stack '[-ENODEV] __arm64_sys_mount'
expect_err 'aarch64'
run retsnoop why -i "$T/r"
expect_status 1
expect_out '__arm64_sys_mount|path_mount'

test_that 'addresses become functions'
path_mount=$(awk '$3 == "path_mount" { print $1; exit }' /proc/kallsyms)
run retsnoop symbolize -sn "$path_mount"
expect_status 0
expect_out 'path_mount'

test_that 'lbr says that there are no branch records'
run retsnoop lbr -e path_mount -- simfail fs-mount-unknown
expect_status 3
expect_out_empty
expect_err 'arm64'
expect 'one line' [ "$(wc -l <"$T/err")" -eq 1 ]
