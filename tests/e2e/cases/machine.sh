#!/bin/sh
# Machines that don't allow something: what is said, and what still works.
# changes the machine: sysctls; unmounts tracefs; mounts over /dev/urandom
. "${0%/*}/../lib.sh"

quick="-sn -e $mkdir -a filename_create -- simfail fs-mkdir-exists"
unless_root_may() { [ "$(id -u)" = 0 ] || skip 'this needs root'; }
unless_root_may

test_that 'an ordinary user is told in one line'
run su user -c "retsnoop -e $mkdir"
expect_status 3
expect_out_empty
expect_err_lines 1
expect_err '^retsnoop: .*(root|privilege|permission|CAP_)'

test_that 'kptr_restrict=2 is no obstacle, or is named'
saved=$(cat /proc/sys/kernel/kptr_restrict)
echo 2 >/proc/sys/kernel/kptr_restrict
# shellcheck disable=SC2086
run retsnoop $quick
echo "$saved" >/proc/sys/kernel/kptr_restrict
if [ $status -eq 0 ]; then
	expect_stack "[-EEXIST] $mkdir" '! [-EEXIST] filename_create'
else
	expect_status 3
	expect_out_empty
	expect_err_lines 1
	expect_err '^retsnoop: .*kptr_restrict'
fi

if details_on 7.2; then
	test_that 'a debugfs that is not mounted is no obstacle'
	umount /sys/kernel/debug/tracing 2>/dev/null
	if umount /sys/kernel/debug; then
		# shellcheck disable=SC2086
		run retsnoop $quick
		mount -t debugfs debugfs /sys/kernel/debug
		expect_status 0
		expect_stack "[-EEXIST] $mkdir" '! [-EEXIST] filename_create'
	else
		skip 'it cannot be unmounted'
	fi
fi

test_that 'without tracefs it works or says what to mount'
umount /sys/kernel/debug/tracing 2>/dev/null
if umount /sys/kernel/debug && umount /sys/kernel/tracing; then
	# shellcheck disable=SC2086
	run retsnoop $quick
	mount -t tracefs tracefs /sys/kernel/tracing
	mount -t debugfs debugfs /sys/kernel/debug
	if [ $status -eq 0 ]; then
		expect_stack "[-EEXIST] $mkdir" '! [-EEXIST] filename_create'
	else
		expect_status 3
		expect_err '^retsnoop: .*tracefs.*mount'
	fi
else
	skip 'it cannot be unmounted'
fi

test_that 'it leaves what is mounted and set alone'
settings()
{
	# Looking into /sys/kernel/debug/tracing mounts it there: the kernel does, for anyone.
	grep -v /sys/kernel/debug/tracing /proc/mounts
	cat /proc/sys/kernel/kptr_restrict /proc/sys/kernel/perf_event_paranoid \
		/proc/sys/kernel/ftrace_enabled
}
settings >"$T/before"
# shellcheck disable=SC2086
run retsnoop $quick
expect_status 0
settings >"$T/after"
expect 'the same mounts and settings' diff "$T/before" "$T/after"

test_that 'a missing vmlinux is named'
# shellcheck disable=SC2086
run retsnoop -k /no/such/vmlinux -e $mkdir
expect_status 3
expect_out_empty
expect_err '^retsnoop: .*/no/such/vmlinux'

test_that 'a vmlinux that is none is named'
echo 'not an ELF file' >"$T/vmlinux"
run retsnoop -k "$T/vmlinux" -e $mkdir
expect_status 3
expect_out_empty
expect_err "^retsnoop: .*$T/vmlinux"

test_that 'a vmlinux of another kernel is refused'
# A program is ELF with another build id.
run retsnoop -k "$(command -v simfail)" -e $mkdir
expect_status 3
expect_out_empty
expect_err '^retsnoop: .*simfail'

test_that 'inlined calls asked for without debug info are refused'
if [ -e "/usr/lib/debug/boot/vmlinux-$(uname -r)" ]; then
	skip 'the debug info is there'
else
	run retsnoop -ss -e $mkdir
	expect_status 3
	expect_out_empty
	expect_err '^retsnoop: .*debug info'
fi

# From 6.10 on, programs for arm64 and riscv64 need the compiler: it has helpers that the interpreter lacks.
test_that 'while BPF programs are interpreted the next method is used, or it is said that they have to be compiled'
saved=$(cat /proc/sys/net/core/bpf_jit_enable 2>/dev/null)
if [ -n "$saved" ] && { echo 0 >/proc/sys/net/core/bpf_jit_enable; } 2>/dev/null; then
	if [ "$(uname -m)" != x86_64 ] && since 6.10; then
		for command in "$quick" 'why -- simfail fs-mkdir-exists'; do
			# shellcheck disable=SC2086
			run retsnoop $command
			expect_status 3
			expect_err_lines 1
			expect_err '^retsnoop: .*only with .*JIT compiler.* sysctl -w net\.core\.bpf_jit_enable=1'
		done
		run retsnoop doctor
		expect_status 3
		expect_out '^  missing +bpf .*JIT compiler' '> sysctl -w net\.core\.bpf_jit_enable=1'
		expect_no_out '^  ok +fsession-multi'
	else
		# shellcheck disable=SC2086
		run retsnoop $quick
		expect_status 0
		expect_stack "[-EEXIST] $mkdir" '! [-EEXIST] filename_create'
		expect_no_err 'Unknown error'
	fi
	if [ "$(uname -m)" = x86_64 ] && has_rung kprobe-session; then
		expect_err "kprobe-session is not used: .*net\.core\.bpf_jit_enable=0"
		# shellcheck disable=SC2086
		run retsnoop --attach=kprobe-session $quick
		expect_status 3
		expect_err_lines 1
		expect_err 'sysctl -w net\.core\.bpf_jit_enable=1'
		run retsnoop doctor
		expect_out '^  missing +kprobe-session +needs BPF.s JIT compiler'
	fi
	echo "$saved" >/proc/sys/net/core/bpf_jit_enable
else
	skip 'this kernel always compiles them'
fi

test_that 'a kernel that is locked down is named at once'
[ -e /sys/kernel/security/lockdown ] ||
	mount -t securityfs securityfs /sys/kernel/security 2>/dev/null
if [ -e /sys/kernel/security/lockdown ]; then
	echo 'none integrity [confidentiality]' >"$T/lockdown"
	mount --bind "$T/lockdown" /sys/kernel/security/lockdown
	for command in "$quick" "record -o $T/data -e $mkdir" 'why -- true'; do
		# shellcheck disable=SC2086
		run retsnoop $command
		expect_status 3
		expect_out_empty
		expect_err_lines 1
		expect_err '^retsnoop: .*locked down .*boot without lockdown=confidentiality'
	done
	umount /sys/kernel/security/lockdown
else
	skip 'this kernel has no lockdown'
fi

# set_max_stack NUMBER: the kernel refuses it as long as it has a map of stacks, which it frees some time after the
# program that made it has ended.
set_max_stack()
{
	tries=300
	until { echo "$1" >/proc/sys/kernel/perf_event_max_stack; } 2>/dev/null || [ $((tries -= 1)) -eq 0 ]; do
		sleep 0.1
	done
}

if details_on 7.2; then
	test_that 'stacks that are cut short are named before anything is attached'
	saved=$(cat /proc/sys/kernel/perf_event_max_stack)
	if { echo 0 >/proc/sys/kernel/perf_event_max_stack; } 2>/dev/null; then
		# shellcheck disable=SC2086
		run retsnoop $quick
		expect_status 3
		expect_err_lines 1
		expect_err '^retsnoop: kernel.perf_event_max_stack=0 .*sysctl -w kernel.perf_event_max_stack=127'
		run retsnoop doctor
		expect_status 3
		expect_out '^  missing +stacks +kernel.perf_event_max_stack=0' '> sysctl -w kernel.perf_event_max_stack=127'
		# The least that is taken has room for the frames of a system call and of tracing.
		set_max_stack 16
		for rung in $(all_rungs); do
			# shellcheck disable=SC2086
			run retsnoop --attach=$rung $quick
			expect_status 0
			expect_stack "[-EEXIST] $mkdir" '! [-EEXIST] filename_create'
			expect_err '^retsnoop: warning: kernel.perf_event_max_stack=16: deeper stacks lack .*=127$'
		done
		# shellcheck disable=SC2086
		run retsnoop trace $quick
		expect_no_err perf_event_max_stack
		run retsnoop doctor
		expect_out '^  limited +stacks +kernel.perf_event_max_stack=16' '> sysctl -w kernel.perf_event_max_stack=127'
		set_max_stack "$saved"
		expect 'it is as before' [ "$(cat /proc/sys/kernel/perf_event_max_stack)" = "$saved" ]
	else
		skip 'it cannot be changed'
	fi
fi

if details_on 7.2; then
	test_that 'a user who may watch no more files is told which setting it is'
	saved=$(cat /proc/sys/fs/epoll/max_user_watches)
	echo 0 >/proc/sys/fs/epoll/max_user_watches
	# shellcheck disable=SC2086
	run retsnoop $quick
	expect_status 3
	expect_err '^retsnoop: .* fs.epoll.max_user_watches allows; raise that by sysctl -w$'
	run retsnoop why -- simfail fs-mkdir-exists
	expect_status 3
	expect_err '^retsnoop: .* fs.epoll.max_user_watches allows; raise that by sysctl -w$'
	echo "$saved" >/proc/sys/fs/epoll/max_user_watches

	test_that 'a recording needs no /dev/urandom'
	mount --bind /dev/null /dev/urandom
	# shellcheck disable=SC2086
	run retsnoop record -o "$T/data" $quick
	umount /dev/urandom
	expect_status 0
	expect 'a recording' [ -s "$T/data" ]
fi
