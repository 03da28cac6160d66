# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# shellcheck disable=SC2034	# what cases use
# Names and numbers that depend on the CPU.
#
# sys, sys_mkdir	the prefix of system calls' functions; the one behind mkdir() of the C library
# callers		the frames above each system call's function, outermost first
# dispatcher		one of these, which every kernel has
# kernel_text		how addresses of the kernel's code begin
# user_stack		how addresses of user stacks begin
# o_directory, o_largefile	flags of open()
# second		the offset of most functions' second instruction
# inside		an offset where any function takes a probe: after what the compiler and ftrace put first
# in_arguments, in_result, in_pc	registers, as probes show them
# unprobed		a function that takes no probe
# kernel_suffix		of kernels' names in tests/kernels
kernel_suffix=
case $(uname -m) in
x86_64)
	sys=__x64_sys sys_mkdir=__x64_sys_mkdir
	callers='entry_SYSCALL_64_after_hwframe do_syscall_64' dispatcher=do_syscall_64
	kernel_text=0xffffffff user_stack=0x7f
	o_directory=0x10000 o_largefile=0x8000
	second=0x5 inside=0x5 in_arguments='di si dx cx r8 r9' in_result=ax in_pc=ip
	unprobed=do_int3 ;;
aarch64)
	sys=__arm64_sys sys_mkdir=__arm64_sys_mkdirat kernel_suffix=-arm64
	dispatcher=do_el0_svc
	# 5.10 has other names, and compilers make variants; the last is of calls of the kernel itself.
	callers=$(awk '
		BEGIN {
			n = split("el0t?(_64)?_sync el0t?(_64)?_sync_handler el0_svc do_el0_svc " \
				"el0_svc_common invoke_syscall el1h?(_64)?_sync_handler", like, " ")
		}
		{
			for (i = 1; i <= n; i++)
				if (!(i in name) && $3 ~ "^" like[i] "([.]constprop[.][0-9]+)?$")
					name[i] = $3
		}
		END { for (i = 1; i <= n; i++) printf "%s ", name[i] }' /proc/kallsyms)
	callers=${callers% } unprobed=${callers##* } callers=${callers% *}
	kernel_text=0xffff user_stack=0xffff
	o_directory=0x4000 o_largefile=0x20000
	second=0x4 inside=0xc in_arguments='x0 x1 x2 x3 x4 x5 x6 x7' in_result=x0 in_pc=pc ;;
riscv64)
	sys=__riscv_sys sys_mkdir=__riscv_sys_mkdirat kernel_suffix=-riscv64
	callers='handle_exception do_trap_ecall_u' dispatcher=do_trap_ecall_u
	kernel_text=0xffffffff user_stack=0x
	o_directory=0x10000 o_largefile=0x8000
	second=0x4 inside=0x8 in_arguments='a0 a1 a2 a3 a4 a5 a6 a7' in_result=a0 in_pc=epc
	unprobed=do_trap_break ;;
esac
in_argument=${in_arguments%% *}

# has_nmis: whether sysrq's backtraces come by NMIs; arm64 sends plain interrupts, unless gicv3_pseudo_nmi=1.
has_nmis() { [ "$(uname -m)" = x86_64 ]; }

# needs_ftrace RUNG: arm64's kprobes are always breakpoints, others may be ftrace's calls.
needs_ftrace() { [ "$1" != kprobe ] || [ "$(uname -m)" != aarch64 ]; }
