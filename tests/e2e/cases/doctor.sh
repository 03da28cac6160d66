#!/bin/sh
# retsnoop doctor: what machines allow.
# changes the machine: sysctls; switches kprobes and ftrace off; unmounts tracefs
. "${0%/*}/../lib.sh"

unless_root_may() { [ "$(id -u)" = 0 ] || skip 'this needs root'; }
unless_root_may
[ -e /sys/kernel/security/lockdown ] ||
	mount -t securityfs securityfs /sys/kernel/security 2>/dev/null

test_that 'root can trace, with all ways to attach that the kernel has'
run retsnoop doctor
[ $status -eq 0 ] || expect_status 1	# the debug info may not be there
expect_no_err .
expect_out '^  ok +rights +root' '^  ok +bpf ' '^  ok +functions +[0-9]{5} can be traced' '^Tracing works here'
for rung in $(all_rungs); do
	expect_out "^  ok +$rung "
done
for rung in fsession-multi kprobe-session kprobe-multi fentry kprobe; do
	all_rungs | tr ' ' '\n' | grep -qx "$rung" || expect_out "^  missing +$rung "
done

test_that 'debug info is found, or its absence is what is wanting'
run retsnoop doctor
if [ -e "/usr/lib/debug/boot/vmlinux-$(uname -r)" ]; then
	expect_out "^  ok +debug-info +/usr/lib/debug/boot/vmlinux-$(uname -r)"
	expect_status 0
else
	expect_out '^  missing +debug-info ' '^ +> ' '^Tracing works here, with 1 limit'
	expect_status 1
fi

test_that 'what it says of an ordinary user is so'
run su user -c 'retsnoop doctor'
expect_status 3
expect_no_err .
expect_out '^  missing +rights +user 1000' '> sudo retsnoop doctor' '^  unknown +bpf ' \
	'^  missing +addresses ' '^Tracing does not work here'
run su user -c "retsnoop -e $mkdir"
expect_status 3

test_that 'JSON has every check and ends with the verdict'
run retsnoop doctor --format=json
expect_out '"check":"kernel"' '"check":"lockdown"' '"check":"memlock"' '"check":"cgroups"' \
	'^[{]"type":"verdict","verdict":"(works|limited)"'
expect 'objects only' [ "$(grep -cv '^{"type":"[a-z]*",.*}$' "$T/out")" -eq 0 ]

test_that 'kptr_restrict=2 is in the way, and what to do about it'
saved=$(cat /proc/sys/kernel/kptr_restrict)
echo 2 >/proc/sys/kernel/kptr_restrict
run retsnoop doctor
echo "$saved" >/proc/sys/kernel/kptr_restrict
expect_status 3
expect_out '^  missing +addresses +kernel.kptr_restrict=2' '> sysctl -w kernel.kptr_restrict=1'

test_that 'without tracefs and debugfs there are limits'
umount /sys/kernel/debug/tracing 2>/dev/null
if umount /sys/kernel/debug && umount /sys/kernel/tracing; then
	run retsnoop doctor
	mounts=$(grep -c -E 'tracefs|debugfs' /proc/mounts)
	mount -t tracefs tracefs /sys/kernel/tracing
	mount -t debugfs debugfs /sys/kernel/debug
	expect_status 1
	expect_out '^  limited +functions +tracefs is not mounted' '> mount -t tracefs' '^  limited +blacklist '
	expect 'nothing mounted by looking' [ "$mounts" -eq 0 ]
else
	skip 'it cannot be unmounted'
fi

if details_on 7.2; then
	test_that 'function tracing that is switched off is found, and is in the way'
	saved=$(cat /proc/sys/kernel/ftrace_enabled)
	if { echo 0 >/proc/sys/kernel/ftrace_enabled; } 2>/dev/null; then
		run retsnoop doctor
		expect_out '> sysctl -w kernel.ftrace_enabled=1'
		for rung in $(all_rungs); do
			if needs_ftrace "$rung"; then
				expect_out "^  missing +$rung +ftrace is switched off"
			else
				expect_out "^  ok +$rung "
			fi
		done
		if needs_ftrace kprobe; then
			expect_status 3
			expect_out '^  missing +ftrace +kernel.ftrace_enabled=0'
			run retsnoop funcs --why $mkdir
			expect_out "^$mkdir cannot be traced here: no usable attach method"
			expect_err 'ftrace is switched off; try sysctl -w kernel.ftrace_enabled=1$'
		else
			expect_status 1
			expect_out '^  limited +ftrace +kernel.ftrace_enabled=0'
			run retsnoop funcs --why $mkdir
			expect_no_out 'cannot be traced here'
		fi
		echo "$saved" >/proc/sys/kernel/ftrace_enabled
	else
		skip 'this kernel does not let ftrace be switched off'	# 7.3: EOPNOTSUPP
	fi
fi

details_on 6.1 || exit 0

test_that 'kprobes that are switched off are found'
echo 0 >/sys/kernel/debug/kprobes/enabled
run retsnoop doctor
echo 1 >/sys/kernel/debug/kprobes/enabled
expect_status 1
expect_out '^  limited +kprobes +switched off' '> echo 1 > /sys/kernel/debug/kprobes/enabled'

test_that 'lockdown is what the kernel says it is'
if [ -e /sys/kernel/security/lockdown ]; then
	run retsnoop doctor -v
	case $(cat /sys/kernel/security/lockdown) in
	*'[none]'*)	expect_out '^  ok +lockdown +off' ;;
	*'[integrity]'*) expect_out '^  ok +lockdown +integrity' ;;
	*)		expect_out '^  missing +lockdown +confidentiality'
			expect_status 3 ;;
	esac
else
	skip 'this kernel has no lockdown'
fi

test_that 'nothing on the machine is changed'
settings()
{
	cat /proc/mounts /proc/sys/kernel/kptr_restrict /proc/sys/kernel/perf_event_paranoid \
		/proc/sys/kernel/ftrace_enabled /sys/kernel/debug/kprobes/enabled
}
settings >"$T/before"
run retsnoop doctor -v
settings >"$T/after"
expect 'the same mounts and settings' diff "$T/before" "$T/after"
