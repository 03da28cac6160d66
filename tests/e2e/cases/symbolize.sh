#!/bin/sh
# retsnoop symbolize on the running kernel.
# changes the machine: the console level; a sysctl
. "${0%/*}/../lib.sh"

address=$(awk -v name=$mkdir '$3 == name { print $1; exit }' /proc/kallsyms)

test_that 'an address is given its function and offset'
run retsnoop symbolize -sn "0x$address"
expect_status 0
expect_out "$mkdir\\+0x0"

test_that "the kernel's iterator and its memory have the symbols of /proc/kallsyms, and so does an answer for one"
case $(uname -r) in
5.*)	skip 'Linux 6.0 and later have it' ;;
*)	if [ "$(id -u)" != 0 ]; then
		skip 'this needs root'
	else
		run symbols-same
		expect_status 0
		expect_out '^[0-9]+ symbols, [0-9]+ by the iterator$' \
			'^[0-9]+ symbols, [0-9]+ by the memory$' '^asked: bpf_prog_'
	fi
	;;
esac

test_that 'addresses come from standard input, too'
run_sh "echo 0x$address | retsnoop symbolize -sn"
expect_status 0
expect_out "$mkdir"

test_that 'an address that is none is refused or named'
run retsnoop symbolize -sn nonsense
expect 'a status that is not 0' [ "$status" -ne 0 ]
expect_err nonsense

# The kernel's own log of where all its threads are.
log_threads()
{
	sysrq=$(cat /proc/sys/kernel/sysrq)
	read -r level _ </proc/sys/kernel/printk
	# Not on the console, where stack traces mean trouble.
	dmesg -n 1
	echo 1 >/proc/sys/kernel/sysrq
	echo t >/proc/sysrq-trigger
	echo "$sysrq" >/proc/sys/kernel/sysrq
	sleep 0.5
	dmesg -n "$level"
	dmesg >"$T/log"
}

test_that 'a log of this kernel is given source lines, modules included'
if [ "$(id -u)" != 0 ]; then
	skip 'this needs root'
elif [ ! -e "/usr/lib/debug/boot/vmlinux-$(uname -r)" ]; then
	skip 'there is no debug info here'
else
	log_threads
	expect_no_trouble "$T/log"
	run_sh "su user -c 'retsnoop symbolize --log' <$T/log"
	expect_status 0
	expect_no_err .
	expect_out ' do_syscall_64[+]0x' '^ +\(arch/x86/entry/common.c:[0-9]+:[0-9]+\)$'
	expect_out '^ +[.] [a-z_0-9]+ \([a-z0-9/_-]+[.][ch]:[0-9]+:[0-9]+\)$'
	expect_out ' schedule[+]0x' '^ +\(kernel/sched/core.c:[0-9]+:[0-9]+\)$'
	if grep -q '\[virtio_console\]' "$T/log"; then
		expect_out '\[virtio_console\]' '^ +\(drivers/char/virtio_console.c:[0-9]+:[0-9]+\)$'
	fi
	grep -v -E '^ +(\(|[.] )' "$T/out" >"$T/left"
	expect 'the log itself unchanged' cmp "$T/log" "$T/left"
	# Every line of a stack trace that the kernel itself can name.
	expect 'a source line for nearly all places' awk '
		/[a-z0-9_.]+[+]0x[0-9a-f]+\/0x/ { places++; waiting = 1; next }
		waiting && /^ +[(]/ { found++ }
		{ waiting = 0 }
		END { print found " of " places; exit places < 50 || found < places * 0.95 }' "$T/out"
fi

test_that 'without debug info a log is passed on, and it is said what is missing'
if [ -e "/usr/lib/debug/boot/vmlinux-$(uname -r)" ]; then
	skip 'the debug info is there'
else
	printf ' do_exit+0x1/0x2\nthe end\n' >"$T/log"
	run_sh "retsnoop symbolize --log <$T/log"
	expect_status 3
	expect_err_lines 1
	expect_err 'no debug info found for [0-9]'
	expect 'the log unchanged' cmp "$T/log" "$T/out"
fi
