#!/bin/sh
# A kernel that was built without BTF: what works all the same, what is said, and types from debug info.
# changes the machine: hides BTF and debug info for a while
. "${0%/*}/../lib.sh"

hide() { mount -t tmpfs none "$1"; }

mount="-e ${sys}_mount -a path_mount -a get_fs_type"
vmlinux=/usr/lib/debug/boot/vmlinux-$(uname -r)
without='without BTF every function counts as returning an int'
debug=
[ ! -e "$vmlinux" ] || debug=/usr/lib/debug

hide /sys/kernel/btf
[ -z "$debug" ] || hide $debug

test_that 'doctor says what a kernel without BTF cannot do, and what to do about it'
run retsnoop doctor
expect_out 'missing +fentry +needs BTF' 'missing +btf +the kernel does not describe its types' 'pahole -J'

test_that 'calls are traced, those of the children of a command, too'
run retsnoop trace -sn $mount -- \
	sh -c 'simfail fs-mount-unknown; simfail fs-mount-unknown; (simfail fs-mount-unknown; :); :'
expect_status 0
expect_sessions 3
# Without types, softirqs of PREEMPT_RT are not told from tasks.
missed='nothing (known to be )?missed'
! grep -q PREEMPT_RT /proc/version || missed='some may be missing'
expect_err "$without" "^retsnoop: 3 sessions shown, $missed"
expect_out '^    → path_mount' '^        ↔ get_fs_type +\[0\]' '^← .*_mount +\[-ENODEV\]'

test_that 'calls of other processes than those of the command are not'
simfail -n 2000 fs-mount-unknown >/dev/null 2>&1 &
run retsnoop stack -sn $mount -- sh -c 'sleep 1'
kill $! 2>/dev/null
wait
expect_sessions 0

test_that 'why finds the line of code all the same'
run retsnoop why --syscall mount -- simfail fs-mount-unknown
expect_status 0
expect_err "$without" 'without BTF failures of requests through netlink'
expect_out '^mount\(.*\) = -ENODEV' '^path_mount returned -ENODEV' '^  because get_fs_type\(\) == 0'

if [ -n "$debug" ]; then
	umount $debug

	test_that 'types come from debug info'
	run retsnoop doctor
	expect_out 'missing +fentry +needs BTF' "limited +btf +types from the kernel's debug info"
	run retsnoop args -v -e path_mount -- simfail fs-mount-unknown
	expect_status 0
	expect_sessions 1
	expect_out 'type_page="simfail_no_such_fs" flags='
	expect_err 'This kernel has no BTF: its types are read from its debug info'
	expect_no_err "$without"

	test_that 'so does what interrupts are told from tasks by'
	run retsnoop trace -S -e hrtimer_interrupt --duration 1
	expect_status 0
	expect_out '\), hardirq:$'

	test_that 'a forced method that needs BTF in the kernel is refused'
	run retsnoop stack --attach=fentry -e path_mount -- true
	expect_status 3
	expect_err 'needs BTF'

	test_that 'why shows lines and names'
	run retsnoop why --syscall mount -- simfail fs-mount-unknown
	expect_status 0
	expect_out '^  branch (not )?taken at fs/namespace\.c:[0-9]+' '^  because get_fs_type\(.+\) == NULL'
	expect_no_err "$without"
fi
umount /sys/kernel/btf
