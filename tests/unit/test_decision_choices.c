// SPDX-License-Identifier: BSD-2-Clause
/* Why a call failed, where no branch decided but a conditional move, or a flag put into a register. */
#include <errno.h>

#include "decision_fixture.h"

#if defined(__x86_64__)

/* clang-format off */
asm(KERNEL
    FUNC(capable)
    LABEL(capable_ret)
	"ret\n"
    END(capable)
    FUNC(store)
    LABEL(store_ret)
	"ret\n"
    END(store)
    FUNC(cleanup)
    LABEL(cleanup_ret)
	"ret\n"
    END(cleanup)

    /* if (!n) return -EINVAL; return -EFAULT: as GCC has it */
    FUNC(masked)
	ENTRY
    LABEL(masked_body)
    LINE(10, 5)
	"cmp $1, %edi\n"
    LINE(11, 9)
	"sbb %ebx, %ebx\n"
	"and $-8, %ebx\n"
	"sub $14, %ebx\n"
	"mov %ebx, %eax\n"
    LABEL(masked_ret)
	"ret\n"
    END(masked)

    /* return a == b ? 0 : -EPERM */
    FUNC(flagged)
	ENTRY
    LABEL(flagged_body)
    LINE(20, 9)
	"xor %eax, %eax\n"
	"cmp %esi, %edi\n"
	"setne %al\n"
	"neg %eax\n"
    LABEL(flagged_ret)
	"ret\n"
    END(flagged)

    /* The same, the flag extended afterwards. */
    FUNC(extended)
	ENTRY
    LABEL(extended_body)
    LINE(25, 9)
	"test %edi, %edi\n"
	"sets %cl\n"
	"movzbl %cl, %ecx\n"
	"lea -12(%rcx), %eax\n"
    LABEL(extended_ret)
	"ret\n"
    END(extended)

    /* Of a byte alone, the rest is anything. */
    FUNC(partly)
	ENTRY
    LABEL(partly_body)
	"test %edi, %edi\n"
	"setne %al\n"
	"neg %eax\n"
    LABEL(partly_ret)
	"ret\n"
    END(partly)

    /* err = store(); if (err == -EEXIST) err = -EADDRINUSE; cleanup(); return err */
    FUNC(renames)
	ENTRY
    LABEL(renames_body)
	"push %rbx\n"
    LINE(30, 8)
    LABEL(renames_call)
	"call k_store\n"
    LABEL(renames_after)
    LINE(31, 6)
	"mov %eax, %ebx\n"
	"cmp $-17, %eax\n"
	"mov $-98, %edx\n"
	"cmove %edx, %ebx\n"
    LINE(33, 2)
	"test %rdi, %rdi\n"
    LABEL(renames_je)
	"je k_renames_out\n"
    LABEL(renames_call_cleanup)
	"call k_cleanup\n"
    LABEL(renames_out)
	"mov %ebx, %eax\n"
	"pop %rbx\n"
    LABEL(renames_ret)
	"ret\n"
    END(renames)

    /* err = capable() ? -EPERM : -EACCES; if (quiet) err = 0; return err */
    FUNC(forgives)
	ENTRY
    LABEL(forgives_body)
	"mov $-13, %eax\n"
	"mov $-1, %ecx\n"
    LINE(40, 8)
	"test %edi, %edi\n"
	"cmovne %ecx, %eax\n"
    LINE(41, 6)
	"test %esi, %esi\n"
    LABEL(forgives_je)
	"je k_forgives_out\n"
	"xor %eax, %eax\n"
    LABEL(forgives_out)
    LABEL(forgives_ret)
	"ret\n"
    END(forgives)

    /* if (n > 3) err = -EBUSY; return err ?: later */
    FUNC(settled)
	ENTRY
    LABEL(settled_body)
	"xor %ecx, %ecx\n"
	"mov $-16, %eax\n"
    LINE(60, 6)
	"cmp $3, %edi\n"
    LABEL(settled_jg)
	"jg k_settled_out\n"
	"xor %eax, %eax\n"
    LABEL(settled_out)
    LINE(63, 9)
	"test %eax, %eax\n"
	"cmove %ecx, %eax\n"
    LABEL(settled_ret)
	"ret\n"
    END(settled)

    /* other = NULL; again: err = -EINVAL; if (found != 0) err = store(&other); cleanup(); if (other) ... again */
    FUNC(retries)
	ENTRY
    LABEL(retries_body)
	"push %rbx\n"
	"sub $16, %rsp\n"
	"movq $0, 8(%rsp)\n"
    LABEL(retries_again)
    LABEL(retries_find)
	"call k_capable\n"
    LABEL(retries_found)
    LINE(120, 6)
	"mov $-22, %ebx\n"
	"cmp %rax, %r12\n"
    LABEL(retries_je)
	"je k_retries_out\n"
	"lea 8(%rsp), %rdi\n"
	"call k_store\n"
	"mov %eax, %ebx\n"
    LABEL(retries_out)
    LABEL(retries_unlock)
	"call k_cleanup\n"
    LABEL(retries_after)
    LINE(125, 6)
	"mov 8(%rsp), %rdi\n"
	"test %rdi, %rdi\n"
    LABEL(retries_none)
	"je k_retries_end\n"
	"call k_store\n"
	"movq $0, 8(%rsp)\n"
	"mov %eax, %ebx\n"
	"test %eax, %eax\n"
	"je k_retries_again\n"
    LABEL(retries_end)
	"add $16, %rsp\n"
	"mov %ebx, %eax\n"
	"pop %rbx\n"
    LABEL(retries_ret)
	"ret\n"
    END(retries)

    /* count = 0; store(&count, or what is before it); return count ? 0 : -EINVAL */
    FUNC(tells)
	ENTRY
    LABEL(tells_body)
	"sub $16, %rsp\n"
	"movq $0, 8(%rsp)\n"
	"lea 4(%rsp), %rdi\n"
    LABEL(tells_call)
	"call k_store\n"
    LABEL(tells_after)
    LINE(132, 6)
	"mov 8(%rsp), %rdi\n"
	"test %rdi, %rdi\n"
    LABEL(tells_je)
	"je k_tells_bad\n"
	"xor %eax, %eax\n"
	"add $16, %rsp\n"
	"ret\n"
    LABEL(tells_bad)
	"mov $-22, %eax\n"
	"add $16, %rsp\n"
    LABEL(tells_ret)
	"ret\n"
    END(tells)

    /* count = store(); if (n > 3) err = -EAGAIN; if (a != b) cleanup(); return err ?: count */
    FUNC(counts)
	ENTRY
    LABEL(counts_body)
	"push %rbx\n"
	"push %rbp\n"
    LABEL(counts_call)
	"call k_store\n"
    LABEL(counts_after)
	"mov %eax, %ebp\n"
	"mov $-11, %ebx\n"
    LINE(140, 6)
	"cmp $3, %r12d\n"
    LABEL(counts_jg)
	"jg k_counts_out\n"
	"xor %ebx, %ebx\n"
    LABEL(counts_out)
    LINE(141, 6)
	"cmp %r14, %r15\n"
    LABEL(counts_skip)
	"je k_counts_done\n"
    LABEL(counts_clean)
	"call k_cleanup\n"
    LABEL(counts_done)
    LINE(142, 9)
	"test %ebx, %ebx\n"
	"cmove %ebp, %ebx\n"
	"mov %ebx, %eax\n"
	"pop %rbp\n"
	"pop %rbx\n"
    LABEL(counts_ret)
	"ret\n"
    END(counts)

    /* err = store(); return err ?: count, in two forms; the last one is not about what was returned */
#define WRITES(name, tests, move)       \
	FUNC(name)                      \
	ENTRY                           \
	LABEL(name##_body)              \
	"mov %rdi, %rbx\n"              \
	LABEL(name##_call)              \
	"call k_store\n"                \
	LABEL(name##_after)             \
	tests                           \
	LINE(150, 9)                    \
	move                            \
	LABEL(name##_ret)               \
	"ret\n"                         \
	END(name)
    WRITES(writes, "movslq %eax, %rdx\n test %eax, %eax\n mov %rbx, %rax\n", "cmovne %rdx, %rax\n")
    WRITES(writes_long, "test %rax, %rax\n", "cmove %rbx, %rax\n")
    WRITES(writes_read, "movslq %eax, %rcx\n test %eax, %eax\n", "cmovns 8(%rbx), %rcx\n mov %ecx, %eax\n")
    WRITES(writes_some_read, "test %ebp, %ebp\n", "cmovns 8(%rbx), %rax\n")
    WRITES(writes_some, "test %ebp, %ebp\n", "cmove %rbx, %rax\n")
    /* As file_write_and_wait_range(): err = store(); err2 = cleanup(); return err ?: err2 */
    FUNC(waits)
	ENTRY
    LABEL(waits_body)
    LABEL(waits_call)
	"call k_store\n"
    LABEL(waits_after)
	"mov %eax, %r13d\n"
    LABEL(waits_check)
	"call k_cleanup\n"
    LABEL(waits_checked)
	LINE(151, 9)
	"test %r13d, %r13d\n"
	"cmove %eax, %r13d\n"
	"mov %r13d, %eax\n"
    LABEL(waits_ret)
	"ret\n"
    END(waits)
    /* The same on 7.2: err is on the stack, and "if (err != -EIO) store()" has found that it is another one. */
    FUNC(waits_kept)
	ENTRY
    LABEL(waits_kept_body)
	"push %rbx\n"
	"mov %rdi, %rbx\n"
	"sub $0x18, %rsp\n"
	"mov %rsi, 8(%rsp)\n"
	"mov %rdi, (%rsp)\n"
    LABEL(waits_kept_call)
	"call k_store\n"
    LABEL(waits_kept_after)
	"mov 8(%rsp), %rsi\n"
	"cmp $-5, %eax\n"
    LABEL(waits_kept_jne)
	"jne k_waits_kept_other\n"
	"mov %rbx, %rdi\n"
	"mov %eax, (%rsp)\n"
	"call k_cleanup\n"
	"mov (%rsp), %ecx\n"
	"add $0x18, %rsp\n"
	"mov %ecx, %eax\n"
	"pop %rbx\n"
	"ret\n"
    LABEL(waits_kept_other)
	"mov (%rsp), %rdi\n"
	"mov %eax, (%rsp)\n"
    LABEL(waits_kept_store)
	"call k_store\n"
    LABEL(waits_kept_stored)
	"mov %rbx, %rdi\n"
    LABEL(waits_kept_check)
	"call k_cleanup\n"
    LABEL(waits_kept_checked)
	"mov (%rsp), %ecx\n"
	LINE(151, 9)
	"test %ecx, %ecx\n"
	"cmove %eax, %ecx\n"
	"add $0x18, %rsp\n"
	"pop %rbx\n"
	"mov %ecx, %eax\n"
    LABEL(waits_kept_ret)
	"ret\n"
    END(waits_kept)
    /* err = 0; count = n + 1; store(&err); if (a < b) cleanup(); return err ?: count */
    FUNC(allocates)
	ENTRY
    LABEL(allocates_body)
	"push %rbx\n"
	"sub $16, %rsp\n"
	"movl $0, 8(%rsp)\n"
    LINE(145, 6)
	"lea 1(%rdi), %ebx\n"
	"lea 8(%rsp), %rdi\n"
    LABEL(allocates_call)
	"call k_store\n"
    LABEL(allocates_after)
    LINE(146, 6)
	"cmp %r14d, %r15d\n"
    LABEL(allocates_jge)
	"jge k_allocates_done\n"
    LABEL(allocates_clean)
	"call k_cleanup\n"
    LABEL(allocates_done)
	"mov 8(%rsp), %eax\n"
	"test %eax, %eax\n"
    LINE(147, 9)
	"cmove %ebx, %eax\n"
	"add $16, %rsp\n"
	"pop %rbx\n"
    LABEL(allocates_ret)
	"ret\n"
    END(allocates)

    /* err = -EMSGSIZE; if (a < b) goto out; err = 0; out: other = 0; return err, both on the stack */
#define SENDS_TO(name, other)		\
    FUNC(name)				\
	ENTRY				\
    LABEL(name##_body)			\
	"sub $24, %rsp\n"		\
	"movl $-90, 4(%rsp)\n"		\
    LINE(195, 6)			\
	"cmp %r14d, %r15d\n"		\
    LABEL(name##_jb)			\
	"jb k_" #name "_out\n"		\
	"movl $0, 4(%rsp)\n"		\
    LABEL(name##_out)			\
	other				\
	"mov 4(%rsp), %eax\n"		\
	"add $24, %rsp\n"		\
    LABEL(name##_ret)			\
	"ret\n"				\
    END(name)
    SENDS_TO(sends, "movq $0, 8(%rsp)\n movl $0, (%rsp)\n")
    SENDS_TO(sends_below, "mov %rcx, (%rsp)\n")
    SENDS_TO(sends_inside, "movl $0, 5(%rsp)\n")

    /* if (!a) { BUG_ON(!b); return -EINVAL; } return 0; what follows the call of the trap is from elsewhere */
    FUNC(__stack_chk_fail)
	"ud2\n"
    END(__stack_chk_fail)
    FUNC(traps)
	"ud2\n"
    END(traps)
#define GUARDED(name, trap)		\
    FUNC(name)				\
	ENTRY				\
    LABEL(name##_body)			\
    LINE(200, 5)			\
	"test %rdi, %rdi\n"		\
    LABEL(name##_je)			\
	"je k_" #name "_bad\n"		\
	"xor %eax, %eax\n"		\
	"ret\n"				\
    LABEL(name##_bad)			\
    LINE(202, 5)			\
	"test %rsi, %rsi\n"		\
	"je k_" #name "_bug\n"		\
	"mov $-22, %eax\n"		\
    LABEL(name##_ret)			\
	"ret\n"				\
    LABEL(name##_bug)			\
	"call k_" trap "\n"		\
	"mov $-5, %eax\n"		\
	"ret\n"				\
    END(name)
    GUARDED(guarded, "__stack_chk_fail")
    GUARDED(guarded_by_own, "traps")

    /* unmapped = err = 0; if (a >= b) err = -ENOMEM; cleanup(); return err ?: unmapped, both on the stack */
    FUNC(syncs)
	ENTRY
    LABEL(syncs_body)
	"sub $24, %rsp\n"
	"movl $0, 4(%rsp)\n"
	"movl $0, 8(%rsp)\n"
    LINE(190, 6)
	"cmp %r14d, %r15d\n"
    LABEL(syncs_jl)
	"jl k_syncs_call\n"
	"movl $-12, 8(%rsp)\n"
    LABEL(syncs_call)
	"call k_cleanup\n"
    LABEL(syncs_after)
	"mov 8(%rsp), %eax\n"
	"mov 4(%rsp), %ecx\n"
	"test %eax, %eax\n"
    LINE(191, 9)
	"cmove %ecx, %eax\n"
	"add $24, %rsp\n"
    LABEL(syncs_ret)
	"ret\n"
    END(syncs)

    /* copied = 0; if (n > 3) { if (a != b) cleanup(); err = -ENOENT; } return copied ?: err, of 64 bits */
    FUNC(transfers)
	ENTRY
    LABEL(transfers_body)
	"push %rbx\n"
	"push %rbp\n"
	"xor %ebp, %ebp\n"
	"xor %ebx, %ebx\n"
    LINE(180, 6)
	"cmp $3, %edi\n"
    LABEL(transfers_jle)
	"jle k_transfers_out\n"
    LINE(181, 6)
	"cmp %r14, %r15\n"
    LABEL(transfers_je)
	"je k_transfers_done\n"
    LABEL(transfers_clean)
	"call k_cleanup\n"
    LABEL(transfers_done)
	"mov $-2, %rbx\n"
    LABEL(transfers_out)
    LINE(182, 9)
	"test %rbp, %rbp\n"
	"cmove %rbx, %rbp\n"
	"mov %rbp, %rax\n"
	"pop %rbp\n"
	"pop %rbx\n"
    LABEL(transfers_ret)
	"ret\n"
    END(transfers)

    /* return op == 1 ? -EEXIST : -EINVAL, on a stack that was aligned */
    FUNC(multiplied)
	ENTRY
    LABEL(multiplied_body)
	"push %rbp\n"
	"mov %rsp, %rbp\n"
	"and $-16, %rsp\n"
	"sub $0x70, %rsp\n"
    LINE(70, 9)
	"xor %ecx, %ecx\n"
	"cmp $1, %edi\n"
	"sete %cl\n"
	"lea -22(%rcx,%rcx,4), %ecx\n"
	"mov %ecx, 0x20(%rsp)\n"
	"mov 0x20(%rsp), %eax\n"
	"lea -8(%rbp), %rsp\n"
	"leave\n"
    LABEL(multiplied_ret)
	"ret\n"
    END(multiplied)

    /* The same with a branch. */
    FUNC(aligned)
	ENTRY
    LABEL(aligned_body)
	"push %rbp\n"
	"mov %rsp, %rbp\n"
	"and $-16, %rsp\n"
	"sub $0x70, %rsp\n"
	"movl $0, 0x20(%rsp)\n"
    LINE(75, 5)
	"cmp $1, %edi\n"
    LABEL(aligned_je)
	"je k_aligned_bad\n"
    LABEL(aligned_out)
	"mov 0x20(%rsp), %eax\n"
	"leave\n"
    LABEL(aligned_ret)
	"ret\n"
    LABEL(aligned_bad)
	"movl $-1, 0x20(%rsp)\n"
    LABEL(aligned_jmp)
	"jmp k_aligned_out\n"
    END(aligned)

    /* err = -EPERM; if (n != 1) err = 0; keep(&err); return err, by the stack and by the frame */
    FUNC(lent)
	ENTRY
    LABEL(lent_body)
	"sub $0x18, %rsp\n"
	"movl $-1, 8(%rsp)\n"
    LINE(80, 5)
	"cmp $1, %edi\n"
    LABEL(lent_je)
	"je k_lent_bad\n"
	"movl $0, 8(%rsp)\n"
    LABEL(lent_bad)
	"lea 8(%rsp), %rdi\n"
    LABEL(lent_call)
	"call k_store\n"
    LABEL(lent_after)
	"mov 8(%rsp), %eax\n"
	"add $0x18, %rsp\n"
    LABEL(lent_ret)
	"ret\n"
    END(lent)
    FUNC(framed_lent)
	ENTRY
    LABEL(framed_lent_body)
	"push %rbp\n"
	"mov %rsp, %rbp\n"
	"sub $0x18, %rsp\n"
	"movl $-1, 8(%rsp)\n"
    LINE(85, 5)
	"cmp $1, %edi\n"
    LABEL(framed_lent_je)
	"je k_framed_lent_bad\n"
	"movl $0, 8(%rsp)\n"
    LABEL(framed_lent_bad)
	"lea -0x10(%rbp), %rdi\n"
    LABEL(framed_lent_call)
	"call k_store\n"
    LABEL(framed_lent_after)
	"mov 8(%rsp), %eax\n"
	"leave\n"
    LABEL(framed_lent_ret)
	"ret\n"
    END(framed_lent)

    /* s->err = -EPERM; if (n != 1) s->err = 0; store(s); return s->err, with s in the frame pointer */
    FUNC(pointed)
	ENTRY
    LABEL(pointed_body)
	"push %rbp\n"
	"mov %rsi, %rbp\n"
	"movl $-1, 8(%rbp)\n"
    LINE(87, 5)
	"cmp $1, %edi\n"
    LABEL(pointed_je)
	"je k_pointed_bad\n"
	"movl $0, 8(%rbp)\n"
    LABEL(pointed_bad)
	"mov %rbp, %rdi\n"
    LABEL(pointed_call)
	"call k_store\n"
    LABEL(pointed_after)
	"mov 8(%rbp), %eax\n"
	"pop %rbp\n"
    LABEL(pointed_ret)
	"ret\n"
    END(pointed)
    /* errors[1] = n == 1 ? -EPERM : 0; errors[i] = 0; return errors[1] */
    FUNC(indexed)
	ENTRY
    LABEL(indexed_body)
	"sub $0x18, %rsp\n"
	"movl $-1, 12(%rsp)\n"
    LINE(88, 5)
	"cmp $1, %edi\n"
    LABEL(indexed_je)
	"je k_indexed_bad\n"
	"movl $0, 12(%rsp)\n"
    LABEL(indexed_bad)
	"movl $0, 8(%rsp, %rsi, 4)\n"
	"mov 12(%rsp), %eax\n"
	"add $0x18, %rsp\n"
    LABEL(indexed_ret)
	"ret\n"
    END(indexed)
    /* err = n == 1 ? -EPERM : 0; if (m) store(&err); return err */
    FUNC(lends)
	ENTRY
    LABEL(lends_body)
	"sub $0x18, %rsp\n"
	"movl $-1, 8(%rsp)\n"
    LINE(82, 5)
	"cmp $1, %edi\n"
    LABEL(lends_je)
	"je k_lends_bad\n"
	"movl $0, 8(%rsp)\n"
    LABEL(lends_bad)
    LINE(83, 5)
	"test %esi, %esi\n"
    LABEL(lends_none)
	"je k_lends_out\n"
	"lea 8(%rsp), %rdi\n"
	"call k_store\n"
    LABEL(lends_out)
	"mov 8(%rsp), %eax\n"
	"add $0x18, %rsp\n"
    LABEL(lends_ret)
	"ret\n"
    END(lends)
    /* if (m == 3) return 0; found = 0; p = &found; if (n) *p = n; return found ? 0 : -ENOENT */
    FUNC(listed)
	ENTRY
    LABEL(listed_body)
	"sub $0x18, %rsp\n"
    LINE(160, 5)
	"cmp $3, %esi\n"
	"je k_listed_fine\n"
	"movl $0, 8(%rsp)\n"
	"lea 8(%rsp), %rdx\n"
    LINE(161, 5)
	"test %edi, %edi\n"
    LABEL(listed_none)
	"je k_listed_asked\n"
	"mov %edi, (%rdx)\n"
    LABEL(listed_asked)
    LINE(162, 5)
	"cmpl $0, 8(%rsp)\n"
    LABEL(listed_je)
	"je k_listed_bad\n"
    LABEL(listed_fine)
	"xor %eax, %eax\n"
    LABEL(listed_out)
	"add $0x18, %rsp\n"
    LABEL(listed_ret)
	"ret\n"
    LABEL(listed_bad)
	"mov $-2, %eax\n"
    LABEL(listed_jmp)
	"jmp k_listed_out\n"
    END(listed)
    /* if (version == 3) return 0; if (p < 0) p = untagged(p); return p > limit ? -EFAULT : -EINVAL */
    FUNC(preloads)
	ENTRY
    LABEL(preloads_body)
    LINE(165, 6)
	"cmp $3, %edi\n"
    LABEL(preloads_je)
	"je k_preloads_fine\n"
	"mov $-22, %eax\n"
	"mov $-14, %edx\n"
    LINE(167, 6)
	"test %rsi, %rsi\n"
    LABEL(preloads_jns)
	"jns k_preloads_check\n"
	"shl $8, %rsi\n"
    LABEL(preloads_check)
    LINE(168, 6)
	"cmp %r8, %rsi\n"
	"cmova %edx, %eax\n"
    LABEL(preloads_ret)
	"ret\n"
    LABEL(preloads_fine)
	"xor %eax, %eax\n"
	"ret\n"
    END(preloads)
    FUNC(__x86_indirect_thunk_rax)
	"jmp *%rax\n"
    END(__x86_indirect_thunk_rax)
    /* if (is_dir) return 0; if (rcu && !store()) return -ECHILD; return -ENOTDIR */
    FUNC(walks)
	ENTRY
    LABEL(walks_body)
    LINE(190, 6)
	"test %edi, %edi\n"
    LABEL(walks_jne)
	"jne k_walks_fine\n"
    LINE(191, 7)
	"test %esi, %esi\n"
	"je k_walks_bad\n"
    LINE(192, 8)
    LABEL(walks_call)
	"call k_store\n"
    LABEL(walks_after)
	"test %al, %al\n"
    LABEL(walks_unlazy)
	"jne k_walks_bad\n"
	"mov $-10, %eax\n"
	"ret\n"
    LABEL(walks_bad)
	"mov $-20, %eax\n"
    LABEL(walks_ret)
	"ret\n"
    LABEL(walks_fine)
	"xor %eax, %eax\n"
	"ret\n"
    END(walks)
    /* if (!full) return 0; return dirty ? a(ERR_PTR(-EROFS)) : b(ERR_PTR(-EROFS)) */
    FUNC(hands)
	ENTRY
    LABEL(hands_body)
    LINE(170, 6)
	"test %edi, %edi\n"
    LABEL(hands_full)
	"je k_hands_fine\n"
	"mov $-30, %r12\n"
	"mov %r12, %rdi\n"
    LINE(172, 6)
	"test %ebx, %ebx\n"
    LABEL(hands_je)
	"je k_hands_walk\n"
	"mov 8(%r13), %rax\n"
	"call k___x86_indirect_thunk_rax\n"
	"ret\n"
    LABEL(hands_walk)
	"call k___x86_indirect_thunk_rax\n"
    LABEL(hands_walked)
    LABEL(hands_ret)
	"ret\n"
    LABEL(hands_fine)
	"xor %eax, %eax\n"
	"ret\n"
    END(hands)

    /* if (n > 1) err = -ENOMEM; WARN_ON(!locked); if (!err) err = store(); return err */
    FUNC(unlocks)
	ENTRY
    LABEL(unlocks_body)
	"push %rbx\n"
	"mov $-12, %ebx\n"
    LINE(80, 5)
	"cmp $1, %edi\n"
    LABEL(unlocks_jg)
	"jg k_unlocks_put\n"
	"xor %ebx, %ebx\n"
    LABEL(unlocks_put)
    LINE(82, 5)
	"testl $1, (%rsi)\n"
    LABEL(unlocks_je)
	"je k_unlocks_warn\n"
    LABEL(unlocks_on)
    LINE(83, 5)
	"test %ebx, %ebx\n"
    LABEL(unlocks_jz)
	"je k_unlocks_more\n"
    LABEL(unlocks_out)
	"mov %ebx, %eax\n"
	"pop %rbx\n"
    LABEL(unlocks_ret)
	"ret\n"
    LABEL(unlocks_more)
	"call k_store\n"
	"mov %eax, %ebx\n"
	"jmp k_unlocks_out\n"
    LABEL(unlocks_warn)
	"ud2\n"
	"jmp k_unlocks_on\n"
    END(unlocks)

    /* One choice after the other. */
    FUNC(twice)
	ENTRY
    LABEL(twice_body)
	"mov $-22, %eax\n"
	"mov $-12, %ecx\n"
	"mov $-5, %edx\n"
    LINE(50, 8)
	"cmp $3, %edi\n"
	"cmova %ecx, %eax\n"
    LINE(51, 8)
	"test %esi, %esi\n"
	"cmovs %edx, %eax\n"
    LABEL(twice_ret)
	"ret\n"
    END(twice)

    /* if (version == 3) return 0; return store() ? -EFAULT : -EINVAL */
    FUNC(versioned)
	ENTRY
    LABEL(versioned_body)
    LINE(70, 6)
	"cmp $3, %edi\n"
    LABEL(versioned_je)
	"je k_versioned_fine\n"
    LINE(72, 9)
    LABEL(versioned_call)
	"call k_store\n"
    LABEL(versioned_after)
	"test %eax, %eax\n"
	"mov $-22, %eax\n"
	"mov $-14, %edx\n"
	"cmovne %edx, %eax\n"
    LABEL(versioned_ret)
	"ret\n"
    LABEL(versioned_fine)
	"xor %eax, %eax\n"
	"ret\n"
    END(versioned)

    /* err = store(); do { if (!err && n) err = -ENOTDIR; if (more) cleanup(); } while (err == -ESTALE && !again) */
    FUNC(repeats)
	ENTRY
    LABEL(repeats_body)
	"push %rbx\n"
	"push %rbp\n"
	"mov %esi, %ebp\n"
    LINE(180, 5)
    LABEL(repeats_call)
	"call k_store\n"
    LABEL(repeats_again)
	"mov %eax, %ebx\n"
	"test %ebx, %ebx\n"
    LABEL(repeats_js)
	"js k_repeats_out\n"
    LINE(181, 5)
	"mov $-20, %ebx\n"
	"cmpb $0, (%r12)\n"
    LABEL(repeats_jne)
	"jne k_repeats_out\n"
	"xor %ebx, %ebx\n"
    LABEL(repeats_out)
    LINE(182, 5)
	"test %r13, %r13\n"
    LABEL(repeats_je)
	"je k_repeats_end\n"
    LABEL(repeats_clean)
	"call k_cleanup\n"
    LABEL(repeats_end)
    LINE(183, 5)
	"xor $1, %ebp\n"
	"cmp $-116, %ebx\n"
	"sete %dl\n"
	"and %edx, %ebp\n"
    LABEL(repeats_put)
	"call k_cleanup\n"
    LABEL(repeats_tail)
	"test %bpl, %bpl\n"
    LABEL(repeats_retry)
	"jne k_repeats_call\n"
	"mov %ebx, %eax\n"
	"pop %rbp\n"
	"pop %rbx\n"
    LABEL(repeats_ret)
	"ret\n"
    END(repeats)

    /* if (capable()) return 0; if (size > 8) return -E2BIG; return mask & 2 ? -EPERM : -ENODATA */
    FUNC(refuses)
	ENTRY
    LABEL(refuses_body)
	"push %rbx\n"
	"mov %edi, %ebx\n"
    LINE(90, 6)
    LABEL(refuses_call)
	"call k_capable\n"
    LABEL(refuses_after)
	"test %al, %al\n"
    LABEL(refuses_jne)
	"jne k_refuses_fine\n"
    LINE(92, 6)
	"cmp $8, %esi\n"
    LABEL(refuses_ja)
	"ja k_refuses_big\n"
    LINE(94, 10)
	"and $2, %ebx\n"
	"cmp $1, %ebx\n"
	"sbb %eax, %eax\n"
	"and $-60, %eax\n"
	"sub $1, %eax\n"
    LABEL(refuses_out)
	"pop %rbx\n"
    LABEL(refuses_ret)
	"ret\n"
    LABEL(refuses_big)
	"mov $-7, %eax\n"
    LABEL(refuses_jmp)
	"jmp k_refuses_out\n"
    LABEL(refuses_fine)
	"xor %eax, %eax\n"
	"jmp k_refuses_out\n"
    END(refuses)

    /* err = -EFAULT; if (version == 3) err = 0; else if (!store()) err = -EINVAL; return err */
    FUNC(branched)
	ENTRY
    LABEL(branched_body)
	"push %rbx\n"
	"mov $-14, %ebx\n"
    LINE(75, 6)
	"cmp $3, %edi\n"
    LABEL(branched_je)
	"je k_branched_fine\n"
    LINE(77, 9)
    LABEL(branched_call)
	"call k_store\n"
    LABEL(branched_after)
	"test %eax, %eax\n"
	"jne k_branched_out\n"
	"mov $-22, %ebx\n"
    LABEL(branched_out)
	"mov %ebx, %eax\n"
	"pop %rbx\n"
    LABEL(branched_ret)
	"ret\n"
    LABEL(branched_fine)
	"xor %ebx, %ebx\n"
	"jmp k_branched_out\n"
    END(branched)

    /* copied = 0; if (!store()) { if (!copied) copied = -EIO; return copied; } return copied + 1 */
    FUNC(copies)
	ENTRY
    LABEL(copies_body)
	"push %rbx\n"
	"xor %ebx, %ebx\n"
    LABEL(copies_call)
	"call k_store\n"
    LABEL(copies_after)
    LINE(80, 6)
	"test %eax, %eax\n"
    LABEL(copies_jne)
	"jne k_copies_more\n"
    LINE(81, 7)
	"test %ebx, %ebx\n"
	"mov $-5, %eax\n"
	"cmovne %ebx, %eax\n"
	"pop %rbx\n"
    LABEL(copies_ret)
	"ret\n"
    LABEL(copies_more)
	"lea 1(%rbx), %eax\n"
	"pop %rbx\n"
	"ret\n"
    END(copies)

    /* if (name_in_use()) return -dup_errno; return 0 */
    FUNC(renamed)
	ENTRY
    LABEL(renamed_body)
	"push %rbx\n"
	"mov %edx, %ebx\n"
    LABEL(renamed_call)
	"call k_store\n"
    LABEL(renamed_after)
    LINE(90, 6)
	"test %al, %al\n"
    LABEL(renamed_je)
	"je k_renamed_fine\n"
    LINE(91, 10)
	"mov %ebx, %eax\n"
	"neg %eax\n"
    LABEL(renamed_out)
	"pop %rbx\n"
    LABEL(renamed_ret)
	"ret\n"
    LABEL(renamed_fine)
	"xor %eax, %eax\n"
	"jmp k_renamed_out\n"
    END(renamed)

    /* if (err) return -err; return 0: the parameter itself decides */
    FUNC(negated)
	ENTRY
    LABEL(negated_body)
	"mov %edx, %eax\n"
    LINE(95, 6)
	"test %edx, %edx\n"
	"je 1f\n"
    LINE(96, 10)
	"neg %eax\n"
    LABEL(negated_ret)
	"ret\n"
	"1: xor %eax, %eax\n"
	"ret\n"
    END(negated)
    USER);
/* clang-format on */

enum {
	MASKED,
	FLAGGED,
	EXTENDED,
	PARTLY,
	RENAMES,
	FORGIVES,
	TWICE,
	SETTLED,
	MULTIPLIED,
	ALIGNED,
	LENT,
	FRAMED_LENT,
	POINTED,
	INDEXED,
	LENDS,
	LISTED,
	PRELOADS,
	HANDS,
	UNLOCKS,
	VERSIONED,
	BRANCHED,
	COPIES,
	REFUSES,
	RETRIES,
	TELLS,
	COUNTS,
	ALLOCATES,
	SYNCS,
	SENDS, SENDS_BELOW, SENDS_INSIDE,
	GUARDED, GUARDED_BY_OWN,
	TRANSFERS,
	WRITES,
	WRITES_LONG,
	WRITES_SOME,
	WRITES_READ,
	WAITS,
	WAITS_KEPT,
	WRITES_SOME_READ,
	REPEATS,
	WALKS,
	RENAMED, NEGATED,
	NR_FUNCS,
};

static const char *const func_names[] = {
	[MASKED] = "masked", [FLAGGED] = "flagged", [EXTENDED] = "extended",
	[PARTLY] = "partly", [RENAMES] = "renames", [FORGIVES] = "forgives",
	[TWICE] = "twice",   [SETTLED] = "settled", [VERSIONED] = "versioned",
	[MULTIPLIED] = "multiplied", [ALIGNED] = "aligned",
	[LENT] = "lent", [FRAMED_LENT] = "framed_lent",
	[POINTED] = "pointed", [INDEXED] = "indexed", [LENDS] = "lends", [LISTED] = "listed",
	[PRELOADS] = "preloads", [HANDS] = "hands",
	[UNLOCKS] = "unlocks",
	[COPIES] = "copies",  [BRANCHED] = "branched",
	[REFUSES] = "refuses",
	[RETRIES] = "retries",	[TELLS] = "tells",
	[COUNTS] = "counts",	[ALLOCATES] = "allocates", [SYNCS] = "syncs",
	[SENDS] = "sends", [SENDS_BELOW] = "sends_below", [SENDS_INSIDE] = "sends_inside",
	[GUARDED] = "guarded", [GUARDED_BY_OWN] = "guarded_by_own",
	 [TRANSFERS] = "transfers",
	[WRITES] = "writes", [WRITES_LONG] = "writes_long", [WRITES_SOME] = "writes_some",
	[WAITS] = "waits", [WAITS_KEPT] = "waits_kept",
	[WRITES_READ] = "writes_read", [WRITES_SOME_READ] = "writes_some_read",
	[REPEATS] = "repeats", [WALKS] = "walks",
	[RENAMED] = "renamed", [NEGATED] = "negated",
};

#include "decision_play.h"

/* The register of the first parameter, as machine code numbers it. */
#define REG_OF_RDI 7

#define EXPECT_CHOICE(line_, is_sure)                                                           \
	do {                                                                                    \
		EXPECT_EQ(DECISION_SELECTED, self->decision.kind)                               \
		{                                                                               \
			TH_LOG("line %u: %s", self->decision.from.line, self->decision.reason); \
		}                                                                               \
		EXPECT_EQ((line_), self->decision.from.line);                                   \
		EXPECT_EQ(!(is_sure), self->decision.likely);                                   \
		EXPECT_EQ(!(is_sure), self->decision.settled_by_values);                        \
	} while (0)

TEST_F(decision, a_flag_made_an_error_by_arithmetic)
{
	for (int i = 0; i < 2; i++) {
		self->nr = 0;
		CALLED(masked_body);
		RETURNED(masked_ret);
		decided(self, MASKED, i ? -EINVAL : -EFAULT);
		EXPECT_CHOICE(11, true);
	}
	self->nr = 0;
	CALLED(flagged_body);
	RETURNED(flagged_ret);
	decided(self, FLAGGED, -EPERM);
	EXPECT_CHOICE(20, true);

	for (int i = 0; i < 2; i++) {
		self->nr = 0;
		CALLED(extended_body);
		RETURNED(extended_ret);
		decided(self, EXTENDED, i ? -EAGAIN : -ENOMEM);
		EXPECT_CHOICE(25, true);
	}
}

TEST_F(decision, what_led_to_a_parameter_with_the_other_sign)
{
	CALLED(renamed_body);
	TOOK(renamed_call, store);
	TOOK(store_ret, renamed_after);
	RETURNED(renamed_ret);
	decided(self, RENAMED, -EEXIST);
	EXPECT_EQ(DECISION_NOT_TAKEN, self->decision.kind);
	EXPECT_EQ(90, self->decision.from.line);
	EXPECT_FALSE(self->decision.likely);

	self->nr = 0;
	CALLED(negated_body);
	RETURNED(negated_ret);
	decided(self, NEGATED, -EEXIST);
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);
	EXPECT_EQ(96, self->decision.from.line);
}

TEST_F(decision, a_flag_made_one_of_two_errors_on_an_aligned_stack)
{
	CALLED(multiplied_body);
	RETURNED(multiplied_ret);
	decided(self, MULTIPLIED, -EEXIST);
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	EXPECT_EQ(70, self->decision.from.line);

	self->nr = 0;
	CALLED(multiplied_body);
	RETURNED(multiplied_ret);
	decided(self, MULTIPLIED, -EIO);
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);
}

TEST_F(decision, an_error_kept_on_an_aligned_stack_is_followed)
{
	CALLED(aligned_body);
	TOOK(aligned_je, aligned_bad);
	TOOK(aligned_jmp, aligned_out);
	RETURNED(aligned_ret);
	decided(self, ALIGNED, -EPERM);
	EXPECT_EQ(DECISION_TAKEN, self->decision.kind);
	EXPECT_TRUE(self->decision.result_is_constant);
	EXPECT_EQ(75, self->decision.from.line);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, a_result_on_the_stack_whose_address_was_passed_is_likely)
{
	CALLED(lent_body);
	TOOK(lent_je, lent_bad);
	TOOK(lent_call, store);
	TOOK(store, lent_after);
	RETURNED(lent_ret);
	decided(self, LENT, -EPERM);
	EXPECT_EQ(80, self->decision.from.line);
	EXPECT_TRUE(self->decision.likely);
	decided(self, LENT, -ENOMEM);
	EXPECT_EQ(DECISION_NONE, self->decision.kind);
	EXPECT_STREQ("a called function or another task stored it by an address on the stack",
		     self->decision.reason);

	self->nr = 0;
	CALLED(framed_lent_body);
	TOOK(framed_lent_je, framed_lent_bad);
	TOOK(framed_lent_call, store);
	TOOK(store, framed_lent_after);
	RETURNED(framed_lent_ret);
	decided(self, FRAMED_LENT, -EPERM);
	EXPECT_EQ(85, self->decision.from.line);
	EXPECT_TRUE(self->decision.likely);
}

/* On its other side the result is asked for again: it is the same. */
TEST_F(decision, a_warning_before_the_result_is_tested_decides_nothing)
{
	CALLED(unlocks_body);
	TOOK(unlocks_jg, unlocks_put);
	RETURNED(unlocks_ret);
	decided(self, UNLOCKS, -ENOMEM);
	EXPECT_EQ(DECISION_TAKEN, self->decision.kind);
	EXPECT_EQ(80, self->decision.from.line);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, what_cannot_have_been_chosen_is_not)
{
	CALLED(masked_body);
	RETURNED(masked_ret);
	decided(self, MASKED, -EPERM);
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);

	self->nr = 0;
	CALLED(partly_body);
	RETURNED(partly_ret);
	decided(self, PARTLY, -EPERM);
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);
}

static void renamed(FIXTURE_DATA(decision) * self, int64_t result)
{
	self->nr = 0;
	CALLED(renames_body);
	TOOK(renames_call, store);
	TOOK(store_ret, renames_after);
	TOOK(renames_call_cleanup, cleanup);
	TOOK(cleanup_ret, renames_out);
	RETURNED(renames_ret);
	decided(self, RENAMES, result);
}

TEST_F(decision, what_a_move_leaves_as_it_was_comes_from_before)
{
	renamed(self, -EIO);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("store", self->decision.callees.data[0].name);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, a_move_that_may_not_have_been_is_likely)
{
	renamed(self, -EADDRINUSE);
	EXPECT_CHOICE(31, false);
	EXPECT_STREQ("store", self->decision.tested_callee);
}

TEST_F(decision, a_branch_after_a_choice_decides)
{
	CALLED(forgives_body);
	TOOK(forgives_je, forgives_out);
	RETURNED(forgives_ret);
	decided(self, FORGIVES, -EPERM);
	EXPECT_EQ(DECISION_TAKEN, self->decision.kind);
	EXPECT_EQ(41, self->decision.from.line);
}

TEST_F(decision, a_choice_by_the_value_itself_was_settled_before)
{
	CALLED(settled_body);
	TOOK(settled_jg, settled_out);
	RETURNED(settled_ret);
	decided(self, SETTLED, -EBUSY);
	EXPECT_BRANCH(DECISION_TAKEN, settled_jg, 60, true);
}

/* The way from where capable() has returned. */
static void retried(FIXTURE_DATA(decision) * self)
{
	TOOK(capable_ret, retries_found);
	TOOK(retries_je, retries_out);
	TOOK(retries_unlock, cleanup);
	TOOK(cleanup_ret, retries_after);
	TOOK(retries_none, retries_end);
	RETURNED(retries_ret);
	decided(self, RETRIES, -EINVAL);
}

TEST_F(decision, a_branch_on_what_nothing_has_set_yet_decides_nothing)
{
	CALLED(retries_body);
	TOOK(retries_find, capable);
	retried(self);
	EXPECT_BRANCH(DECISION_TAKEN, retries_je, 120, true);
}

TEST_F(decision, a_branch_on_what_was_on_the_stack_before_the_known_way_is_likely)
{
	retried(self);
	EXPECT_BRANCH(DECISION_TAKEN, retries_none, 125, false);
}

TEST_F(decision, a_choice_between_errors_is_likely_where_the_branch_before_is_not_known)
{
	TOOK(store_ret, versioned_after);
	RETURNED(versioned_ret);
	decided(self, VERSIONED, -EINVAL);
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	EXPECT_EQ(72, self->decision.from.line);
	EXPECT_TRUE(self->decision.likely);
	EXPECT_STREQ("what decided may be before the known way", self->decision.reason);
}

TEST_F(decision, a_branch_on_what_a_call_may_have_set_since_is_likely)
{
	CALLED(tells_body);
	TOOK(tells_call, store);
	TOOK(store_ret, tells_after);
	TOOK(tells_je, tells_bad);
	RETURNED(tells_ret);
	decided(self, TELLS, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, tells_je, 132, false);
}

TEST_F(decision, an_error_goes_before_a_number_that_may_be_anything)
{
	CALLED(counts_body);
	TOOK(counts_call, store);
	TOOK(store_ret, counts_after);
	TOOK(counts_jg, counts_out);
	TOOK(counts_clean, cleanup);
	TOOK(cleanup_ret, counts_done);
	RETURNED(counts_ret);
	decided(self, COUNTS, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, counts_jg, 140, true);
	self->nr = 0;
	CALLED(counts_body);
	TOOK(counts_call, store);
	TOOK(store_ret, counts_after);
	TOOK(counts_skip, counts_done);
	RETURNED(counts_ret);
	decided(self, COUNTS, -EAGAIN);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("store", self->decision.callees.data[0].name);
}

TEST_F(decision, an_error_of_a_call_goes_before_a_number_that_may_be_anything)
{
#define PLAY_WRITES(name, func)                      \
	do {                                         \
		self->nr = 0;                        \
		CALLED(name##_body);                 \
		TOOK(name##_call, store);            \
		TOOK(store_ret, name##_after);       \
		RETURNED(name##_ret);                \
		decided(self, func, -ERANGE);        \
	} while (0)

	PLAY_WRITES(writes, WRITES);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("store", self->decision.callees.data[0].name);
	/* The number may be an error, too. */
	EXPECT_TRUE(self->decision.likely);
	PLAY_WRITES(writes_long, WRITES_LONG);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	EXPECT_TRUE(self->decision.likely);
	/* "return err < 0 ? ERR_PTR(err) : sock", where the address of sock was passed. */
	PLAY_WRITES(writes_read, WRITES_READ);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	EXPECT_TRUE(self->decision.likely);
	PLAY_WRITES(writes_some_read, WRITES_SOME_READ);
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);
	PLAY_WRITES(writes_some, WRITES_SOME);
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);
	EXPECT_EQ(150, self->decision.from.line);
}

TEST_F(decision, of_two_calls_errors_it_is_the_second_one_where_the_first_did_not_fail)
{
	for (int i = 0; i < 2; i++) {
		self->nr = 0;
		self->not_by_call = i;
		CALLED(waits_body);
		TOOK(waits_call, store);
		TOOK(store_ret, waits_after);
		TOOK(waits_check, cleanup);
		TOOK(cleanup_ret, waits_checked);
		RETURNED(waits_ret);
		decided(self, WAITS, -EIO);
		EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
		ASSERT_EQ(1, self->decision.callees.len);
		EXPECT_STREQ(i ? "cleanup" : "store", self->decision.callees.data[0].name);
		EXPECT_EQ(!i, self->decision.likely);
		EXPECT_EQ(!i, self->decision.has_other);
	}
	/* A branch of the way tells that it was not the first one, unless that returned another error. */
	for (int i = 0; i < 2; i++) {
		self->nr = 0;
		self->not_by_call = false;
		CALLED(waits_kept_body);
		TOOK(waits_kept_call, store);
		TOOK(store_ret, waits_kept_after);
		TOOK(waits_kept_jne, waits_kept_other);
		TOOK(waits_kept_store, store);
		TOOK(store_ret, waits_kept_stored);
		TOOK(waits_kept_check, cleanup);
		TOOK(cleanup_ret, waits_kept_checked);
		RETURNED(waits_kept_ret);
		decided(self, WAITS_KEPT, i ? -ENOSPC : -EIO);
		EXPECT_FALSE(self->decision.result_is_constant);
		EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
		ASSERT_EQ(1, self->decision.callees.len);
		EXPECT_STREQ(i ? "store" : "cleanup", self->decision.callees.data[0].name);
		EXPECT_EQ(i, self->decision.likely);
		EXPECT_EQ(i, self->decision.has_other);
	}
	/* Another value, no call's, is not looked for. */
	self->not_by_call = true;
	self->nr = 0;
	PLAY_WRITES(writes, WRITES);
	EXPECT_TRUE(self->decision.kind != DECISION_CALLEE);
}

/* As in mfill_atomic_copy(): what is cleaned up on the way to an error does not decide it. */
TEST_F(decision, a_choice_by_a_number_of_64_bits_was_settled_before)
{
	CALLED(transfers_body);
	TOOK(transfers_clean, cleanup);
	TOOK(cleanup_ret, transfers_done);
	RETURNED(transfers_ret);
	decided(self, TRANSFERS, -ENOENT);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, transfers_jle, 180, true);
	self->nr = 0;
	CALLED(transfers_body);
	TOOK(transfers_je, transfers_done);
	RETURNED(transfers_ret);
	decided(self, TRANSFERS, -ENOENT);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, transfers_jle, 180, true);
}

/* As ext4_mb_new_blocks() stores -ENOSPC: err is 0 no more, and the result is not the count. */
TEST_F(decision, an_error_that_a_call_stored_by_address_is_not_ruled_out_by_what_was_there)
{
	CALLED(allocates_body);
	TOOK(allocates_call, store);
	TOOK(store_ret, allocates_after);
	TOOK(allocates_jge, allocates_done);
	RETURNED(allocates_ret);
	decided(self, ALLOCATES, -ENOSPC);
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);
	EXPECT_EQ(147, self->decision.from.line);
}

/* As msync(2) of 6.12: nobody has the addresses of the two, so a called function cannot have changed them. */
TEST_F(decision, an_error_on_the_stack_that_nobody_could_change_is_what_was_stored)
{
	CALLED(syncs_body);
	TOOK(syncs_call, cleanup);
	TOOK(cleanup_ret, syncs_after);
	RETURNED(syncs_ret);
	decided(self, SYNCS, -ENOMEM);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, syncs_jl, 190, true);
}

TEST_F(decision, of_several_choices_the_one_that_it_came_from)
{
	static const struct {
		int64_t result;
		uint32_t line;
	} cases[] = { { -EIO, 51 }, { -ENOMEM, 50 }, { -EINVAL, 50 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		self->nr = 0;
		CALLED(twice_body);
		RETURNED(twice_ret);
		decided(self, TWICE, cases[i].result);
		EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
		EXPECT_EQ(cases[i].line, self->decision.from.line);
	}
}

TEST_F(decision, that_memory_was_there_decides_nothing_the_branch_before_does)
{
	CALLED(versioned_body);
	TOOK(versioned_call, store);
	TOOK(store_ret, versioned_after);
	RETURNED(versioned_ret);
	decided(self, VERSIONED, -EINVAL);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, versioned_je, 70, true);

	self->nr = 0;
	CALLED(branched_body);
	TOOK(branched_call, store);
	TOOK(store_ret, branched_after);
	RETURNED(branched_ret);
	decided(self, BRANCHED, -EINVAL);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, branched_je, 75, true);
}

TEST_F(decision, which_error_it_is_decides_nothing_where_it_failed_before)
{
	CALLED(refuses_body);
	TOOK(refuses_call, capable);
	TOOK(capable_ret, refuses_after);
	RETURNED(refuses_ret);
	decided(self, REFUSES, -EPERM);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, refuses_jne, 90, true);
	EXPECT_STREQ("capable", self->decision.tested_callee);

	self->nr = 0;
	CALLED(refuses_body);
	TOOK(refuses_call, capable);
	TOOK(capable_ret, refuses_after);
	TOOK(refuses_ja, refuses_big);
	TOOK(refuses_jmp, refuses_out);
	RETURNED(refuses_ret);
	decided(self, REFUSES, -E2BIG);
	EXPECT_BRANCH(DECISION_TAKEN, refuses_ja, 92, true);
}

TEST_F(decision, a_choice_by_what_was_a_constant_on_the_way_was_settled_before)
{
	CALLED(copies_body);
	TOOK(copies_call, store);
	TOOK(store_ret, copies_after);
	RETURNED(copies_ret);
	decided(self, COPIES, -EIO);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, copies_jne, 80, true);
	EXPECT_STREQ("store", self->decision.tested_callee);
}

TEST_F(decision, a_result_that_the_frame_pointer_points_to_elsewhere_is_likely)
{
	CALLED(pointed_body);
	TOOK(pointed_je, pointed_bad);
	TOOK(pointed_call, store);
	TOOK(store_ret, pointed_after);
	RETURNED(pointed_ret);
	decided(self, POINTED, -EPERM);
	EXPECT_BRANCH(DECISION_TAKEN, pointed_je, 87, false);
}

TEST_F(decision, a_result_in_an_array_on_the_stack_is_likely)
{
	CALLED(indexed_body);
	TOOK(indexed_je, indexed_bad);
	RETURNED(indexed_ret);
	decided(self, INDEXED, -EPERM);
	EXPECT_BRANCH(DECISION_TAKEN, indexed_je, 88, false);
}

/* m decided, or n did. */
TEST_F(decision, a_result_whose_address_would_have_been_passed_otherwise_is_likely)
{
	CALLED(lends_body);
	TOOK(lends_je, lends_bad);
	TOOK(lends_none, lends_out);
	RETURNED(lends_ret);
	decided(self, LENDS, -EPERM);
	EXPECT_TRUE(self->decision.likely);
}

TEST_F(decision, what_a_pointer_may_have_written_is_no_constant)
{
	CALLED(listed_body);
	TOOK(listed_none, listed_asked);
	TOOK(listed_je, listed_bad);
	TOOK(listed_jmp, listed_out);
	RETURNED(listed_ret);
	decided(self, LISTED, -ENOENT);
	EXPECT_BRANCH(DECISION_TAKEN, listed_je, 162, true);
}

TEST_F(decision, a_check_of_memory_between_errors_that_were_loaded_before_did_not_decide)
{
	CALLED(preloads_body);
	TOOK(preloads_jns, preloads_check);
	RETURNED(preloads_ret);
	decided(self, PRELOADS, -EINVAL);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, preloads_je, 165, true);
}

/* The kernel looks the path up again after -ECHILD: no program ever gets that. */
TEST_F(decision, a_choice_between_an_error_and_another_try_did_not_decide)
{
	CALLED(walks_body);
	TOOK(walks_call, store);
	TOOK(store_ret, walks_after);
	TOOK(walks_unlazy, walks_bad);
	RETURNED(walks_ret);
	decided(self, WALKS, -ENOTDIR);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, walks_jne, 190, true);
}

/* Both ways go through cleanup, and ask whether to begin again. */
static void repeated(FIXTURE_DATA(decision) * self, bool fails, int64_t result)
{
	self->nr = 0;
	CALLED(repeats_body);
	TOOK(repeats_call, store);
	TOOK(store_ret, repeats_again);
	if (fails)
		TOOK(repeats_js, repeats_out);
	else
		TOOK(repeats_jne, repeats_out);
	TOOK(repeats_clean, cleanup);
	TOOK(cleanup_ret, repeats_end);
	TOOK(repeats_put, cleanup);
	TOOK(cleanup_ret, repeats_tail);
	RETURNED(repeats_ret);
	decided(self, REPEATS, result);
}

TEST_F(decision, a_flag_of_the_error_and_another_one_decides_nothing)
{
	repeated(self, false, -ENOTDIR);
	EXPECT_BRANCH(DECISION_TAKEN, repeats_jne, 181, true);
	repeated(self, true, -EIO);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("store", self->decision.callees.data[0].name);
	EXPECT_FALSE(self->decision.likely);
}

TEST_F(decision, calls_through_pointers_need_not_call_the_same_function)
{
	self->passing = AT(hands_walk);
	self->passing_reg = REG_OF_RDI;
	CALLED(hands_body);
	TOOK(hands_je, hands_walk);
	TOOK(hands_walk, __x86_indirect_thunk_rax);
	TOOK(__x86_indirect_thunk_rax, store);
	TOOK(store_ret, hands_walked);
	RETURNED(hands_ret);
	decided(self, HANDS, -EROFS);
	EXPECT_BRANCH(DECISION_TAKEN, hands_je, 172, true);
}

TEST_F(decision, a_function_that_only_traps_does_not_return)
{
	CALLED(guarded_body);
	TOOK(guarded_je, guarded_bad);
	RETURNED(guarded_ret);
	decided(self, GUARDED, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, guarded_je, 200, true);
	self->nr = 0;
	CALLED(guarded_by_own_body);
	TOOK(guarded_by_own_je, guarded_by_own_bad);
	RETURNED(guarded_by_own_ret);
	decided(self, GUARDED_BY_OWN, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, guarded_by_own_je, 200, true);
}

TEST_F(decision, what_is_stored_beside_the_result_leaves_it)
{
	CALLED(sends_body);
	TOOK(sends_jb, sends_out);
	RETURNED(sends_ret);
	decided(self, SENDS, -EMSGSIZE);
	EXPECT_BRANCH(DECISION_TAKEN, sends_jb, 195, true);
}

TEST_F(decision, what_is_stored_over_a_part_of_the_result_is_not_followed)
{
	CALLED(sends_below_body);
	TOOK(sends_below_jb, sends_below_out);
	RETURNED(sends_below_ret);
	decided(self, SENDS_BELOW, -EMSGSIZE);
	EXPECT_NONE("where the result came from could not be followed");
	self->nr = 0;
	CALLED(sends_inside_body);
	TOOK(sends_inside_jb, sends_inside_out);
	RETURNED(sends_inside_ret);
	decided(self, SENDS_INSIDE, -EMSGSIZE);
	EXPECT_NONE("where the result came from could not be followed");
}

#endif

TEST_HARNESS_MAIN
