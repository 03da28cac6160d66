// SPDX-License-Identifier: BSD-2-Clause
/* Flags, options and requests of system calls that are tested where their names are certain. */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "decision_tests.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

/* int NAME(int fd, unsigned int cmd, int flags, int optname) */
/* clang-format off */
asm(KERNEL
    TESTS(__do_sys_dup3, "test $0xfff7ffff, %edx", "jne")
    TESTS(__do_sys_pipe2, "test $0xfff7f7ff, %edx", "jne")
    TESTS(__do_sys_signalfd4, "test $0xfff7f7fe, %edx", "jne")
    TESTS(__do_sys_mount, "test $0x1000, %edx", "je")
    TESTS(__do_sys_umount, "cmp $3, %edx", "je")
    TESTS(__do_compat_sys_dup3, "test $0xfff7ffff, %edx", "jne")
    TESTS(dup3, "test $0xfff7ffff, %edx", "jne")
    TESTS(do_eventfd, "test $0xfff7f7fe, %edx", "jne")
    TESTS(do_pipe2, "test $0xfff7b77f, %edx", "jne")
    TESTS(ksys_mount, "test $0xffffff00, %edx", "jne")
    TESTS(do_prlimit, "cmp $7, %esi", "je")
    TESTS(do_vfs_ioctl, "cmp $0x400454ca, %esi", "je")
    TESTS(old_ioctl, "cmp $0x5402, %esi", "je")
    TESTS(half_ioctl, "cmp $0x54ca, %si", "je")
    TESTS(vfs_fallocate, "and $2, %edx\n cmp $0, %edx", "jne")
    TESTS(do_renameat2, "and $2, %edx\n cmp $0, %edx", "je")
    TESTS(ksys_open, "and $0x44000, %edx\n cmp $0, %edx", "jne")
    TESTS(__se_sys_fcntl, "cmp $1033, %esi", "je")
    TESTS(__do_sys_fcntl, "cmp $1033, %esi", "jae")
    TESTS(__do_sys_flock, "cmp $1033, %esi", "je")
    TESTS(__do_sys_getsockopt, "cmp $2, %ecx", "je")
    TESTS(tun_ioctl, "cmp $0x400454ca, %esi", "je")
    TESTS(new_ioctl, "cmp $0x400444fe, %esi", "jne")
    TESTS(tun_control, "cmp $1033, %esi", "je")
    TESTS(tun_mask, "test $0x5401, %esi", "je")
    TESTS(ksys_dup3, "mov %edx, -12(%rsp)\n testb $8, -10(%rsp)", "jne")
    TESTS(ksys_umount, "mov %edx, -12(%rsp)\n testb $3, -12(%rsp)", "jne")
    TESTS(ksys_pipe2, "mov %edx, -12(%rsp)\n cmpb $8, -10(%rsp)", "jne")
    TESTS(range_below, "lea 5(%rdx), %eax\n cmp $11, %eax", "jb")
    TESTS(range_open, "lea -1(%rdx), %eax\n cmp $0x7ffffffe, %eax", "ja")
    TESTS(range_unsigned, "lea -1000(%rsi), %eax\n cmp $999000, %eax", "ja")
    TESTS(range_not_zero, "lea -1(%rsi), %eax\n cmp $5, %eax", "ja")
    TESTS(range_wraps, "lea 5(%rsi), %eax\n cmp $10, %eax", "ja")
    TESTS(range_large, "lea -1(%rdx), %eax\n cmp $0x7fffffff, %eax", "ja")
    TESTS(range_signed, "lea -1(%rdx), %eax\n cmp $10, %eax", "jg")
    TESTS(range_half, "lea -1(%rdx), %eax\n cmp $10, %ax", "ja")
    USER);
/* clang-format on */

#define EACH_FUNC(do)                                                                                             \
	do(DUP3, __do_sys_dup3) do(PIPE2, __do_sys_pipe2) do(SIGNALFD4, __do_sys_signalfd4)                       \
	do(MOUNT, __do_sys_mount) do(UMOUNT, __do_sys_umount) do(COMPAT_DUP3, __do_compat_sys_dup3)               \
	do(HELPER, dup3) do(FCNTL, __se_sys_fcntl) do(FCNTL_ABOVE, __do_sys_fcntl) do(FLOCK, __do_sys_flock)      \
	do(GETSOCKOPT, __do_sys_getsockopt) do(TUN, tun_ioctl) do(NEW, new_ioctl) do(CONTROL, tun_control)        \
	do(MASK, tun_mask) do(EVENTFD, do_eventfd) do(DO_PIPE2, do_pipe2)                                          \
	do(MOUNT_MANY, ksys_mount) do(VFS, do_vfs_ioctl) do(OLD, old_ioctl) do(HALF, half_ioctl)                  \
	do(MASKED, vfs_fallocate) do(NOT_MASKED, do_renameat2) do(OPENS, ksys_open)                               \
	do(BELOW, range_below) do(OPEN, range_open) do(UNSIGNED, range_unsigned) do(WRAPS, range_wraps)           \
	do(SLOT, ksys_dup3) do(SLOT_LOW, ksys_umount) do(SLOT_COMPARED, ksys_pipe2) do(NOT_ZERO, range_not_zero)                                                                             \
	do(PRLIMIT, do_prlimit) do(LARGE, range_large) do(SIGNED, range_signed) do(HALF_RANGE, range_half)

#include "decision_play.h"

static struct kernel_btf *types_of_functions(void)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED), u32 = btf__add_int(b, "unsigned int", 4, 0);
	struct kernel_btf *btf;

	for (int i = 0; i < NR_FUNCS; i++) {
		int proto = btf__add_func_proto(b, i32);

		btf__add_func_param(b, "fd", i32);
		btf__add_func_param(b, i == PRLIMIT ? "resource" : "cmd", u32);
		btf__add_func_param(b, "flags", i32);
		btf__add_func_param(b, "optname", i32);
		btf__add_func(b, func_names[i], BTF_FUNC_STATIC, proto);
	}
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

TEST_F(decision, flags_of_the_system_call_that_a_function_is)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(__do_sys_dup3, DUP3, "flags & ~O_CLOEXEC");
	EXPECT_TEXT(__do_sys_pipe2, PIPE2, "flags & ~(O_CLOEXEC | O_NONBLOCK)");
	/* MS_RDONLY | MS_NOSUID | ... of 100 columns. */
	EXPECT_TEXT(ksys_mount, MOUNT_MANY, "flags & ~0xff");
	/* One of them has no name. */
	EXPECT_TEXT(__do_sys_signalfd4, SIGNALFD4, "flags & ~0x80801");
	EXPECT_TEXT(do_pipe2, DO_PIPE2, "flags & ~(O_CLOEXEC | O_NONBLOCK | O_DIRECT | O_NOTIFICATION_PIPE)");
	EXPECT_TEXT(do_eventfd, EVENTFD, "flags & ~(EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK)");
	EXPECT_TEXT(__do_sys_mount, MOUNT, "!(flags & MS_BIND)");
	EXPECT_TEXT(__do_sys_umount, UMOUNT, "flags == (MNT_FORCE | MNT_DETACH)");
	/* Other functions may mean something else, and so may 32-bit programs. */
	EXPECT_TEXT(__do_compat_sys_dup3, COMPAT_DUP3, "flags & ~0x80000");
	EXPECT_TEXT(dup3, HELPER, "flags & ~0x80000");
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_command_is_named_where_it_is_one_number)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(__se_sys_fcntl, FCNTL, "cmd == F_ADD_SEALS");
	EXPECT_TEXT(__do_sys_fcntl, FCNTL_ABOVE, "cmd >= 1033");
	EXPECT_TEXT(__do_sys_flock, FLOCK, "cmd == 1033");
	EXPECT_TEXT(do_prlimit, PRLIMIT, "resource == RLIMIT_NOFILE");
	/* It is an option of the level, which is not known. */
	EXPECT_TEXT(__do_sys_getsockopt, GETSOCKOPT, "optname == 2");
	kernel_btf_free(self->btf);
}

TEST_F(decision, bits_that_are_compared_with_0)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(vfs_fallocate, MASKED, "flags & 0x2");
	EXPECT_TEXT(do_renameat2, NOT_MASKED, "!(flags & RENAME_EXCHANGE)");
	EXPECT_STREQ("(flags & RENAME_EXCHANGE)", self->condition.a.name);
	EXPECT_TEXT(ksys_open, OPENS, "flags & (O_DIRECT | O_NOATIME)");
	kernel_btf_free(self->btf);
}

/* do_msgrcv() of 7.2 */
TEST_F(decision, a_byte_of_what_was_stored_on_the_stack)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(ksys_dup3, SLOT, "flags & O_CLOEXEC");
	/* What a probe reads there is not where the name's lowest bits are. */
	EXPECT_EQ(0, self->condition.compared_at);
	EXPECT_TEXT(ksys_umount, SLOT_LOW, "flags & (MNT_FORCE | MNT_DETACH)");
	EXPECT_EQ(4, self->condition.a.operand.size);
	/* Only bits can be those of all of it. */
	EXPECT_TEXT(ksys_pipe2, SLOT_COMPARED, "");
	kernel_btf_free(self->btf);
}

TEST_F(decision, requests_of_ioctl_are_no_other_commands)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(tun_ioctl, TUN, "cmd == TUNSETIFF");
	EXPECT_TEXT(do_vfs_ioctl, VFS, "cmd == TUNSETIFF");
	/* TCSETS, and SNDCTL_TMR_START. */
	EXPECT_TEXT(old_ioctl, OLD, "cmd == 0x5402");
	EXPECT_TEXT(half_ioctl, HALF, "(u16)rsi == 0x54ca");
	/* It may be a device's own. */
	EXPECT_TEXT(new_ioctl, NEW, "cmd != 0x400444fe");
	EXPECT_TEXT(tun_control, CONTROL, "cmd == 1033");
	EXPECT_TEXT(tun_mask, MASK, "!(cmd & 0x5401)");
	kernel_btf_free(self->btf);
}

TEST_F(decision, one_comparison_with_both_ends_of_a_range)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(range_below, BELOW, "flags >= -5 && flags <= 5");
	EXPECT_TEXT(range_open, OPEN, "flags < 1");
	EXPECT_TEXT(range_unsigned, UNSIGNED, "cmd < 1000 || cmd > 1000000");
	/* Numbers without a sign from -5 on; beyond the largest number; no such comparison. */
	EXPECT_TEXT(range_not_zero, NOT_ZERO, "cmd == 0 || cmd > 6");
	EXPECT_TEXT(range_wraps, WRAPS, "cmd + 5 > 10");
	EXPECT_TEXT(range_large, LARGE, "flags - 1 > 0x7fffffff");
	EXPECT_TEXT(range_signed, SIGNED, "flags - 1 > 10");
	EXPECT_TEXT(range_half, HALF_RANGE, "(u16)rax > 10");
	kernel_btf_free(self->btf);
}

#endif

TEST_HARNESS_MAIN
