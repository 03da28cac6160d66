// SPDX-License-Identifier: BSD-2-Clause
/* What a branch asked for: from code, a way through it, and BTF. */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "util/explain/condition.h"
#include "util/explain/condition_internal.h"
#include "util/explain/function/operand.h"
#include "util/kernel/arch/x86/registers.h"
#include "util/kernel/symbols/data_symbols.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/member_at.h"
#include "util/plan/args/args.h"

#if defined(__x86_64__)

/* clang-format off */
asm(KERNEL
    FUNC(__x86_return_thunk)
	"ret\n"
    END(__x86_return_thunk)
    FUNC(__x86_indirect_thunk_rax)
	"jmp *%rax\n"
    END(__x86_indirect_thunk_rax)
    FUNC(find)
	"ret\n"
    END(find)
    FUNC(capable)
	"ret\n"
    END(capable)

    FUNC(__get_user_4)
	"ret\n"
    END(__get_user_4)
    FUNC(_copy_from_user)
	"ret\n"
    END(_copy_from_user)
    FUNC(_inline_copy_from_user)
	"ret\n"
    END(_inline_copy_from_user)
    /* The same by the name that it has on arm64. */
    FUNC(inlines)
	ENTRY
	"sub $0x60, %rsp\n"
	"mov %rdi, %rsi\n"
	"lea 0x10(%rsp), %rdi\n"
	"mov $0x20, %edx\n"
	"call k__inline_copy_from_user\n"
	"test %rax, %rax\n"
	"jne k_inlines_end\n"
	"cmpl $4, 0x18(%rsp)\n"
    LABEL(inlined_jne) "jne k_inlines_end\n"
    LABEL(inlines_end)
	"add $0x60, %rsp\n"
	"jmp k___x86_return_thunk\n"
    END(inlines)

    /* int copies(struct thing *t, int n, unsigned long limit): t is in the program's memory */
    FUNC(copies)
	ENTRY
	"sub $0x60, %rsp\n"
	"mov %rdi, %rbx\n"
	"mov %rdi, %rsi\n"
	"lea 0x10(%rsp), %rdi\n"
	"mov $0x20, %edx\n"
	"call k__copy_from_user\n"
	"test %rax, %rax\n"
	"jne k_copies_end\n"
	"call k_find\n"
	"cmpl $4, 0x18(%rsp)\n"
    LABEL(copied_jne) "jne k_copies_end\n"
	"mov 0x10(%rsp), %rax\n"
	"test $0x70, %al\n"
    LABEL(copied_bits) "jne k_copies_end\n"
	"lea 8(%rbx), %rax\n"
	"call k___get_user_4\n"
	"cmp $3, %edx\n"
    LABEL(got_je) "je k_copies_end\n"
	"cmpl $4, 0x30(%rsp)\n"
    LABEL(beyond_jne) "jne k_copies_end\n"
	"movl %edx, 0x1c(%rsp)\n"
	"cmpq $4, 0x18(%rsp)\n"
    LABEL(written_jne) "jne k_copies_end\n"
	"lea 0x10(%rsp), %rdi\n"
	"call k_find\n"
	"cmpl $4, 0x18(%rsp)\n"
    LABEL(shared_jne) "jne k_copies_end\n"
    LABEL(copies_end)
	"add $0x60, %rsp\n"
	"jmp k___x86_return_thunk\n"
    END(copies)

    /* int sets(int level, struct pair value, int len, struct wide w): value is in two registers */
    FUNC(sets)
	ENTRY
	"sub $0x20, %rsp\n"
	"cmp $8, %ecx\n"
    LABEL(sets_ja) "ja k_sets_end\n"
	"cmp $1, %edx\n"
    LABEL(second_je) "je k_sets_end\n"
	"cmp $2, %r8d\n"
    LABEL(wide_je) "je k_sets_end\n"
	"lea 0x10(%rsp), %rdi\n"
	"mov $0x4, %edx\n"
	"call k__copy_from_user\n"
	"cmpl $2, 0x10(%rsp)\n"
    LABEL(value_ja) "ja k_sets_end\n"
	"mov 0x10(%rsp), %esi\n"
	"lea -1(%rsi), %eax\n"
	"cmp $7, %eax\n"
    LABEL(less_ja) "ja k_sets_end\n"
    LABEL(sets_end)
	"add $0x20, %rsp\n"
	"jmp k___x86_return_thunk\n"
    END(sets)

    /* The parameters of copies(): another function gets the address, too, from another register. */
    FUNC(lends)
	ENTRY
	"push %rbx\n"
	"sub $0x60, %rsp\n"
	"mov %rdi, %rsi\n"
	"lea 0x10(%rsp), %rdi\n"
	"mov %rdi, %rbx\n"
	"mov $0x20, %edx\n"
	"call k__copy_from_user\n"
	"mov %rbx, %rdi\n"
	"call k_find\n"
	"cmpl $4, 0x18(%rsp)\n"
    LABEL(lent_jne) "jne k_lends_end\n"
    LABEL(lends_end)
	"add $0x60, %rsp\n"
	"pop %rbx\n"
	"jmp k___x86_return_thunk\n"
    END(lends)

    /* The parameters of copies(): memset() clears the struct before. */
    FUNC(memset)
	"ret\n"
    END(memset)
    FUNC(fills)
	ENTRY
	"sub $0x60, %rsp\n"
	"mov %rdi, %rbx\n"
	"lea 0x10(%rsp), %rdi\n"
	"xor %esi, %esi\n"
	"mov $0x20, %edx\n"
	"call k_memset\n"
	"mov %rbx, %rsi\n"
	"lea 0x10(%rsp), %rdi\n"
	"mov $0x20, %edx\n"
	"call k__copy_from_user\n"
	"cmpl $4, 0x18(%rsp)\n"
    LABEL(filled_jne) "jne k_fills_end\n"
	"lea 0x10(%rsp), %rdi\n"
	"xor %esi, %esi\n"
	"mov $0x20, %edx\n"
	"call k_memset\n"
	"xor %eax, %eax\n"
	"cmpl $4, 0x18(%rsp)\n"
    LABEL(wiped_jne) "jne k_fills_end\n"
    LABEL(fills_end)
	"add $0x60, %rsp\n"
	"jmp k___x86_return_thunk\n"
    END(fills)

    /* The same, and the address that memset() returned is kept. */
    FUNC(retains)
	ENTRY
	"push %rbx\n"
	"sub $0x60, %rsp\n"
	"mov %rdi, %rsi\n"
	"lea 0x10(%rsp), %rdi\n"
	"call k_memset\n"
	"mov %rax, %rbx\n"
	"lea 0x10(%rsp), %rdi\n"
	"mov $0x20, %edx\n"
	"call k__copy_from_user\n"
	"mov %rbx, %rdi\n"
	"call k_find\n"
	"cmpl $4, 0x18(%rsp)\n"
    LABEL(retained_jne) "jne k_retains_end\n"
    LABEL(retains_end)
	"add $0x60, %rsp\n"
	"pop %rbx\n"
	"jmp k___x86_return_thunk\n"
    END(retains)

    /* The parameters of copies(): the address is kept in another register first, and another function gets it later. */
    FUNC(keeps)
	ENTRY
	"push %rbx\n"
	"sub $0x60, %rsp\n"
	"lea 0x10(%rsp), %rbx\n"
	"mov %rdi, %rsi\n"
	"movq $0, 0x18(%rsp)\n"
	"mov $0x20, %edx\n"
	"mov %rbx, %rdi\n"
	"call k__copy_from_user\n"
	"test %rax, %rax\n"
	"jne k_keeps_end\n"
	"cmpl $4, 0x18(%rsp)\n"
    LABEL(kept_jne) "jne k_keeps_end\n"
	"mov %rbx, %rdi\n"
	"call k_find\n"
	"cmpl $4, 0x18(%rsp)\n"
    LABEL(kept_lent_jne) "jne k_keeps_end\n"
    LABEL(keeps_end)
	"add $0x60, %rsp\n"
	"pop %rbx\n"
	"jmp k___x86_return_thunk\n"
    END(keeps)

    /* The same, and an element behind the kept address is overwritten. */
    FUNC(overwrites)
	ENTRY
	"push %rbx\n"
	"sub $0x60, %rsp\n"
	"lea 0x10(%rsp), %rbx\n"
	"mov %rdi, %rsi\n"
	"mov $0x20, %edx\n"
	"mov %rbx, %rdi\n"
	"call k__copy_from_user\n"
	"mov %ecx, 0x8(%rbx,%r12,4)\n"
	"cmpl $4, 0x18(%rsp)\n"
    LABEL(overwritten_jne) "jne k_overwrites_end\n"
    LABEL(overwrites_end)
	"add $0x60, %rsp\n"
	"pop %rbx\n"
	"jmp k___x86_return_thunk\n"
    END(overwrites)

    /* int checks(struct thing *t, int n, unsigned long limit) */
    FUNC(checks)
	ENTRY
	"push %rbx\n"
	"sub $0x10, %rsp\n"
	"mov %rdi, %rbx\n"
	"mov %rsi, 8(%rsp)\n"
    LABEL(member)
	LINE(1, 1) "cmpl $4, 8(%rdi)\n"
    LABEL(member_jne) "jne k_bad\n"
	"mov 16(%rbx), %rax\n"
	"mov 4(%rax), %ecx\n"
	"test %ecx, %ecx\n"
    LABEL(chain_js) "js k_bad\n"
	"testb $2, 1(%rbx)\n"
    LABEL(mask_je) "je k_bad\n"
	"cmpq $9, 24(%rbx)\n"
    LABEL(union_ja) "ja k_bad\n"
	"mov $0x80000000, %ecx\n"
	"cmp %rcx, 24(%rbx)\n"
    LABEL(large_jbe) "jbe k_bad\n"
	"mov $-22, %ecx\n"
	"cmp %ecx, 8(%rbx)\n"
    LABEL(error_je) "je k_bad\n"
	"cmp %rdx, %rbx\n"
    LABEL(both_jb) "jb k_bad\n"
	"test $0xfff, %edx\n"
    LABEL(half_jne) "jne k_bad\n"
	"mov 8(%rsp), %rax\n"
	"cmp $70000, %eax\n"
    LABEL(spilt_jg) "jg k_bad\n"
	"call k_find\n"
	"mov 8(%rsp), %rax\n"
	"cmp $1, %eax\n"
    LABEL(kept_jl) "jl k_bad\n"
	"lea 4(%rsp), %rdi\n"
	"call k_find\n"
	"mov 8(%rsp), %rax\n"
	"cmp $2, %eax\n"
    LABEL(taken_jl) "jl k_bad\n"
	"mov $7, %edi\n"
	"call k_find\n"
	"cmp $-4096, %rax\n"
    LABEL(err_ja) "ja k_bad\n"
	"test %rax, %rax\n"
    LABEL(null_je) "je k_bad\n"
	"mov $21, %edi\n"
	"call k_capable\n"
	"test %al, %al\n"
    LABEL(bool_je) "je k_bad\n"
	"mov %rbx, %rax\n"
	"call k___x86_indirect_thunk_rax\n"
	"test %eax, %eax\n"
    LABEL(pointer_je) "je k_bad\n"
	"mov 48(%rbx), %rax\n"
	"call k___x86_indirect_thunk_rax\n"
	"test %eax, %eax\n"
    LABEL(by_member_js) "js k_bad\n"
	"mov 8(%rbx), %ecx\n"
	"neg %ecx\n"
    LABEL(negated_sbb) "sbb %eax, %eax\n"
	"xor %ecx, %ecx\n"
	"test %ecx, %ecx\n"
    LABEL(zero_jne) "jne k_bad\n"
	"mov 40(%rbx), %eax\n"
	"add $3, %eax\n"
	"cmp $5, %eax\n"
    LABEL(computed_je) "je k_bad\n"
	"mov 40(%rbx), %eax\n"
	"and $0x700, %eax\n"
	"cmp $0x200, %eax\n"
    LABEL(masked_jne) "jne k_bad\n"
	"movzwl 60(%rbx), %eax\n"
	"and $0xf000, %ax\n"
	"cmp $0xa000, %ax\n"
    LABEL(mode_je) "je k_bad\n"
	"movzwl 60(%rbx), %ecx\n"
	"and $0xf, %cl\n"
	"cmp $3, %cl\n"
    LABEL(byte_je) "je k_bad\n"
	"movl 8(%rbx), %ecx\n"
	"not %ecx\n"
	"test $0x600, %ecx\n"
    LABEL(negated_je) "je k_bad\n"
	"mov 8(%rbx), %edi\n"
	"not %edi\n"
	"call k_find\n"
	"test %rax, %rax\n"
    LABEL(negated_argument) "je k_bad\n"
	"mov (%rbx), %rcx\n"
	"not %rcx\n"
	"cmpl $5, 8(%rcx)\n"
    LABEL(negated_pointer) "je k_bad\n"
	"movl 8(%rbx), %ecx\n"
	"not %ecx\n"
	"add $3, %ecx\n"
	"test $0x600, %ecx\n"
    LABEL(negated_sum) "je k_bad\n"
	"mov 8(%rbx), %eax\n"
	"and $0x10, %eax\n"
    LABEL(and_jne) "jne k_bad\n"
	"mov 8(%rbx), %eax\n"
	"sub $8, %eax\n"
    LABEL(sub_je) "je k_bad\n"
	"and %rcx, %rax\n"
	"test %eax, %eax\n"
    LABEL(both_je) "je k_bad\n"
	"mov $1, %edx\n"
	"cmp %edx, 36(%rbx)\n"
    LABEL(constant_jne) "jne k_bad\n"
	"cmp %rbx, %rcx\n"
	"call k_find\n"
    LABEL(lost_jne) "jne k_bad\n"
	"lea 32(%rbx), %rdi\n"
	"cmpl $5, 4(%rdi)\n"
    LABEL(lea_jne) "jne k_bad\n"
	"testl $0x80000000, 8(%rbx)\n"
    LABEL(high_jne) "jne k_bad\n"
	"mov 16(%rbx), %rax\n"
	"testl $0x80000000, 4(%rax)\n"
    LABEL(sign_jne) "jne k_bad\n"
	"mov $21, %edi\n"
	"call k_capable\n"
	"test $1, %al\n"
    LABEL(bit_je) "je k_bad\n"
    LABEL(bad)
	"add $0x10, %rsp\n"
	"pop %rbx\n"
	"jmp k___x86_return_thunk\n"
    END(checks)

    /* if (current->owner->b > n), and the same of another variable of the CPU */
    FUNC(runs)
	ENTRY
	"mov %gs:0x1fb80, %rax\n"
	"mov 8(%rax), %rax\n"
	"cmp %edi, 4(%rax)\n"
    LABEL(current_jg) "jg k_runs_end\n"
	"mov %gs:0x1fb88, %rax\n"
	"cmp %edi, 8(%rax)\n"
    LABEL(other_jg) "jg k_runs_end\n"
	"cmp 0x1234(%rip), %edi\n"
    LABEL(variable_jae) "jae k_runs_end\n"
	"mov 0x1234(%rip), %eax\n"
    LABEL(loaded)
	"cmp %edi, %eax\n"
    LABEL(loaded_jb) "jb k_runs_end\n"
    LABEL(runs_end)
	"jmp k___x86_return_thunk\n"
    END(runs)

    /* The same parameter, where the way's beginning is not known. */
    FUNC(later)
	ENTRY
	"push %rbx\n"
	"push %rbp\n"
	"mov %rdi, %rbx\n"
	"mov %esi, %ebp\n"
	"test %rdx, %rdx\n"
    LABEL(later_je) "je k_later_end\n"
	"add $1, %ebp\n"
    LABEL(later_begin)
	"cmpl $4, 8(%rbx)\n"
    LABEL(later_jne) "jne k_later_end\n"
	"cmp $5, %ebp\n"
    LABEL(later_jl) "jl k_later_end\n"
    LABEL(later_end)
	"pop %rbp\n"
	"pop %rbx\n"
	"jmp k___x86_return_thunk\n"
    END(later)

    /* return capable(CAP_SYS_ADMIN) - 1; and -!capable(CAP_SYS_ADMIN) */
    FUNC(owns)
	ENTRY
	"mov $21, %edi\n"
	"call k_capable\n"
	"movzbl %al, %eax\n"
    LABEL(owns_sub) "sub $1, %eax\n"
	"jmp k___x86_return_thunk\n"
    END(owns)
    FUNC(lacks)
	ENTRY
	"mov $21, %edi\n"
	"call k_capable\n"
	"xor $1, %eax\n"
	"movzbl %al, %ecx\n"
	"mov %rbx, %rax\n"
    LABEL(lacks_neg) "neg %ecx\n"
	"jmp k___x86_return_thunk\n"
    END(lacks)
    /* return t->size & 1 ? 0 : -EPERM; one of two bits may have been set, or none */
    FUNC(quiets)
	ENTRY
	"mov 8(%rdi), %eax\n"
	"and $1, %eax\n"
    LABEL(quiets_sub) "sub $1, %eax\n"
	"jmp k___x86_return_thunk\n"
    END(quiets)
    FUNC(high_bit)
	ENTRY
	"mov 8(%rdi), %eax\n"
	"and $4, %eax\n"
    LABEL(high_bit_sub) "sub $1, %eax\n"
	"jmp k___x86_return_thunk\n"
    END(high_bit)
    FUNC(extended_bit)
	ENTRY
	"movsbl 8(%rdi), %eax\n"
	"and $0x100, %eax\n"
    LABEL(extended_bit_sub) "sub $1, %eax\n"
	"jmp k___x86_return_thunk\n"
    END(extended_bit)
    FUNC(two_bits)
	ENTRY
	"mov 8(%rdi), %eax\n"
	"and $3, %eax\n"
    LABEL(two_bits_sub) "sub $1, %eax\n"
	"jmp k___x86_return_thunk\n"
    END(two_bits)
    FUNC(masks_bool)
	ENTRY
	"mov $21, %edi\n"
	"call k_capable\n"
	"and $1, %eax\n"
    LABEL(masks_bool_sub) "sub $1, %eax\n"
	"jmp k___x86_return_thunk\n"
    END(masks_bool)
    /* for (; p != end; p++); and a pointer that is not moved */
    FUNC(goes_through)
	ENTRY
	"add $24, %rdi\n"
	"mov $0xffffffff81234560, %rax\n"
    LABEL(goes_through_cmp) "cmp %rax, %rdi\n"
    LABEL(goes_through_je) "je k_checks\n"
	"jmp k___x86_return_thunk\n"
    END(goes_through)
    FUNC(stays)
	ENTRY
	"mov $0xffffffff81234560, %rax\n"
    LABEL(stays_cmp) "cmp %rax, %rdi\n"
    LABEL(stays_je) "je k_checks\n"
	"jmp k___x86_return_thunk\n"
    END(stays)
    /* The same of an int: it may be another number. */
    FUNC(takes)
	ENTRY
	"mov 8(%rdi), %eax\n"
    LABEL(takes_sub) "sub $1, %eax\n"
	"jmp k___x86_return_thunk\n"
    END(takes)

    /* Flags that are not branched on. */
    FUNC(chooses)
	ENTRY
	"cmp $1, %esi\n"
    LABEL(choose_sbb) "sbb %eax, %eax\n"
	"test %edx, %edx\n"
    LABEL(choose_cmovs) "cmovs %edx, %eax\n"
	"cmp $17, %edi\n"
    LABEL(choose_cmove) "cmove %edx, %eax\n"
	"cmp %edi, %esi\n"
    LABEL(choose_setb) "setb %al\n"
	"ret\n"
    END(chooses)

    /* Of no type that is known: names come from debug info. */
    FUNC(locals)
	ENTRY
	"mov 8(%rsp), %rbx\n"
    LABEL(local_cmp) "cmp $3, %esi\n"
    LABEL(local_ja) "ja k_locals_end\n"
	"cmpl $4, 8(%rbx)\n"
    LABEL(local_jne) "jne k_locals_end\n"
	"cmpl $1, 20(%rsp)\n"
    LABEL(stack_jne) "jne k_locals_end\n"
	"cmpb $1, 20(%rsp)\n"
    LABEL(byte_jne) "jne k_locals_end\n"
	"mov %r8d, %r9d\n"
    LABEL(local_copied) "nop\n"
	"cmp $7, %r9d\n"
    LABEL(copied_ja) "ja k_locals_end\n"
	"cmp %rbx, %rdx\n"
    LABEL(both_ja) "ja k_locals_end\n"
	"mov %r12, %rdi\n"
	"call k_capable\n"
	"test %rax, %rax\n"
    LABEL(call_je) "je k_locals_end\n"
	"mov %r13, %rax\n"
	"call k___x86_indirect_thunk_rax\n"
	"test %eax, %eax\n"
    LABEL(pointer_jne) "jne k_locals_end\n"
	"mov (%rdx), %rcx\n"
	"shr $34, %rcx\n"
    LABEL(shift_jne) "jne k_locals_end\n"
	"shr $3, %esi\n"
    LABEL(shift_je) "je k_locals_end\n"
	"shr $1, %esi\n"
    LABEL(carry_jb) "jb k_locals_end\n"
	"shr %cl, %esi\n"
    LABEL(by_cl_jne) "jne k_locals_end\n"
	"movq $0, 40(%rsp)\n"
	"cmpq $0, 40(%rsp)\n"
    LABEL(set_je) "je k_locals_end\n"
    LABEL(set_load) "mov 40(%rsp), %r14\n"
	"test %r14, %r14\n"
    LABEL(set_jne) "jne k_locals_end\n"
    LABEL(locals_end)
	"ret\n"
    END(locals)

    /* int parts(struct thing *t, int n, unsigned long limit, long pos, long err): parts of numbers */
    FUNC(parts)
	ENTRY
	"mov 8(%rdi), %ecx\n"
	"test %cl, %cl\n"
    LABEL(part_js) "js k_parts_end\n"
	"test %cl, %cl\n"
    LABEL(part_je) "je k_parts_end\n"
	"test $2, %cl\n"
    LABEL(part_jne) "jne k_parts_end\n"
	"test $2, %ch\n"
    LABEL(part_high) "jne k_parts_end\n"
	"test %ch, %ch\n"
    LABEL(part_high_je) "je k_parts_end\n"
	"cmp $5, %cl\n"
    LABEL(part_five) "je k_parts_end\n"
	"mov 8(%rdi), %ecx\n"
	"and $8, %ch\n"
    LABEL(part_high_and) "je k_parts_end\n"
	"mov (%rdi), %rax\n"
	"test %eax, %eax\n"
    LABEL(half_js) "js k_parts_end\n"
	"cmpl $0, (%rdi)\n"
    LABEL(half_memory_je) "je k_parts_end\n"
	"test %edx, %edx\n"
    LABEL(half_je) "je k_parts_end\n"
	"cmp $5, %edx\n"
    LABEL(half_ja) "ja k_parts_end\n"
	"cmp $5, %edx\n"
    LABEL(half_jl) "jl k_parts_end\n"
	"cmp %edx, %esi\n"
    LABEL(half_both_je) "je k_parts_end\n"
	"test %r8d, %r8d\n"
    LABEL(half_signed_js) "js k_parts_end\n"
	"mov 8(%rdi), %eax\n"
	"test %eax, %eax\n"
    LABEL(size_js) "js k_parts_end\n"
	"mov (%rdi), %rax\n"
	"test %rax, %rax\n"
    LABEL(flags_js) "js k_parts_end\n"
	"mov 56(%rdi), %eax\n"
	"test %eax, %eax\n"
    LABEL(kind_js) "js k_parts_end\n"
	"movslq 8(%rdi), %rax\n"
	"test %rax, %rax\n"
    LABEL(extended_js) "js k_parts_end\n"
	"testb $0x84, 8(%rdi)\n"
    LABEL(part_memory) "jne k_parts_end\n"
	"test $0x80, %sil\n"
    LABEL(part_sign) "jne k_parts_end\n"
	"mov 24(%rdi), %rax\n"
	"test $2, %al\n"
    LABEL(part_union) "je k_parts_end\n"
	"movzbl 8(%rdi), %eax\n"
	"test $2, %al\n"
    LABEL(part_loaded) "je k_parts_end\n"
	"cmpl $1, 56(%rdi)\n"
    LABEL(enum_je) "je k_parts_end\n"
	"mov 56(%rdi), %eax\n"
	"cmp $2, %eax\n"
    LABEL(enum_two) "je k_parts_end\n"
	"cmp $1, %eax\n"
    LABEL(enum_ja) "ja k_parts_end\n"
	"test $1, %eax\n"
    LABEL(enum_bit) "jne k_parts_end\n"
	"sub $1, %eax\n"
	"cmp $1, %eax\n"
    LABEL(enum_less) "je k_parts_end\n"
	"cmpb $1, 56(%rdi)\n"
    LABEL(enum_byte) "je k_parts_end\n"
    LABEL(parts_end)
	"jmp k___x86_return_thunk\n"
    END(parts)

    /* With the parameters of parts(), too. */
    FUNC(sums)
	ENTRY
	"mov %rdx, %rax\n"
	"shr $12, %rax\n"
	"add (%rdi), %rax\n"
	"cmp (%rdi), %rax\n"
    LABEL(sum_jb) "jb k_sums_end\n"
	"lea 8(%rdx,%rcx,4), %rax\n"
	"cmp $100, %rax\n"
    LABEL(address_ja) "ja k_sums_end\n"
	"lea (%rdx,%rdx,2), %rax\n"
	"test $0x10, %eax\n"
    LABEL(tested_jne) "jne k_sums_end\n"
	"mov %rcx, %rax\n"
	"sub %r8, %rax\n"
	"cmp $-1, %rax\n"
    LABEL(difference_jle) "jle k_sums_end\n"
	"lea -1(%rdx), %rax\n"
	"mov %rax, %r9\n"
	"xor %rdx, %r9\n"
	"cmp %r9, %rax\n"
    LABEL(power_jae) "jae k_sums_end\n"
	"mov %edx, %eax\n"
	"add %esi, %eax\n"
	"cmp $7, %eax\n"
    LABEL(cut_je) "je k_sums_end\n"
	"movslq %esi, %rax\n"
	"add %rdx, %rax\n"
	"cmp $7, %rax\n"
    LABEL(extended_je) "je k_sums_end\n"
	"mov 8(%rdi), %eax\n"
	"mov 8(%rdi), %r9d\n"
	"add %r9, %rax\n"
	"cmp $7, %rax\n"
    LABEL(longer_je) "je k_sums_end\n"
	"mov 8(%rdi), %eax\n"
	"shl $3, %eax\n"
	"sub $16, %eax\n"
	"cmp %eax, 8(%rdi)\n"
    LABEL(shift_jb) "jb k_sums_end\n"
	"lea (%rdi,%rdx,1), %rax\n"
	"cmp %rcx, %rax\n"
    LABEL(pointer_jb) "jb k_sums_end\n"
	"mov %rdx, %rax\n"
	"add %rcx, %rax\n"
	"add %r8, %rax\n"
	"add (%rdi), %rax\n"
	"cmp $7, %rax\n"
    LABEL(long_je) "je k_sums_end\n"
	"mov $3, %eax\n"
	"mov $4, %r9d\n"
	"add %r9, %rax\n"
	"cmp %rdx, %rax\n"
    LABEL(constants_je) "je k_sums_end\n"
	"mov %rdx, %rax\n"
	"add %rcx, %rax\n"
	"cmp $7, %eax\n"
    LABEL(lower_je) "je k_sums_end\n"
	"lea 4095(%rdx), %rax\n"
	"and $-4096, %rax\n"
	"add (%rdi), %rax\n"
	"cmp %rax, (%rdi)\n"
    LABEL(aligned_jae) "jae k_sums_end\n"
	"mov 8(%rdi), %eax\n"
	"add 8(%rdi), %eax\n"
	"mov %rax, %r9\n"
    LABEL(sum_jne) "jne k_sums_end\n"
	"mov %rdx, %rax\n"
	"add %rcx, %rax\n"
    LABEL(sum_jl) "jl k_sums_end\n"
	"add %r8, %r10\n"
    LABEL(sum_je) "je k_sums_end\n"
    LABEL(sums_end)
	"jmp k___x86_return_thunk\n"
    END(sums)

    /* With the parameters of parts(), too. */
    FUNC(selects)
	ENTRY
	"mov (%rdi), %rax\n"
	"mov %rdx, %r9\n"
	"cmp %rax, %r9\n"
	"cmova %rax, %r9\n"
	"cmp %r9, %r8\n"
    LABEL(smaller_jb) "jb k_selects_end\n"
	"mov 8(%rdi), %eax\n"
	"mov $7, %r9d\n"
	"cmp $7, %eax\n"
	"cmovb %r9d, %eax\n"
	"cmp 8(%rdi), %eax\n"
    LABEL(larger_jb) "jb k_selects_end\n"
	"mov %rcx, %rax\n"
	"xor %r9d, %r9d\n"
	"test %rax, %rax\n"
	"cmovs %r9, %rax\n"
	"cmp %rdx, %rax\n"
    LABEL(positive_jae) "jae k_selects_end\n"
	"mov $8, %r9d\n"
	"mov 8(%rdi), %eax\n"
	"cmp $7, %eax\n"
	"cmovb %r9d, %eax\n"
	"cmp 8(%rdi), %eax\n"
    LABEL(another_jb) "jb k_selects_end\n"
	"mov (%rdi), %rax\n"
	"mov %rdx, %r9\n"
	"cmp %rax, %r9\n"
	"mov 16(%rdi), %rax\n"
	"cmova %rax, %r9\n"
	"cmp %r9, %r8\n"
    LABEL(changed_jb) "jb k_selects_end\n"
	"mov (%rdi), %rax\n"
	"mov %rdx, %r9\n"
	"cmp %rax, %r9\n"
	"cmove %rax, %r9\n"
	"cmp %r9, %r8\n"
    LABEL(same_jb) "jb k_selects_end\n"
	"mov (%rdi), %rax\n"
	"mov %rdx, %r9\n"
	"cmp %eax, %r9d\n"
	"cmova %rax, %r9\n"
	"cmp %r9, %r8\n"
    LABEL(halves_jb) "jb k_selects_end\n"
	"mov 0x1234(%rip), %eax\n"
    LABEL(bound_loaded)
	"mov %esi, %r9d\n"
	"cmp %eax, %r9d\n"
	"cmovg %eax, %r9d\n"
	"cmp %r9d, 8(%rdi)\n"
    LABEL(bound_jge) "jge k_selects_end\n"
	"movzbl 0x1234(%rip), %eax\n"
    LABEL(byte_loaded)
	"mov %esi, %r9d\n"
	"cmp %eax, %r9d\n"
	"cmovg %eax, %r9d\n"
	"cmp %r9d, 8(%rdi)\n"
    LABEL(byte_jge) "jge k_selects_end\n"
    LABEL(selects_end)
	"jmp k___x86_return_thunk\n"
    END(selects)

    /* Again: each condition sets a flag, and one branch asks for both. */
    FUNC(flags)
	ENTRY
	"cmpl $4, 8(%rdi)\n"
	"setne %al\n"
	"cmp %rcx, %rdx\n"
	"seta %r9b\n"
    LABEL(flags_or) "or %r9b, %al\n"
    LABEL(flags_jne) "jne k_flags_end\n"
	"cmpl $4, 8(%rdi)\n"
	"setne %al\n"
	"movzbl 60(%rdi), %r9d\n"
	"or %r9b, %al\n"
    LABEL(number_jne) "jne k_flags_end\n"
	"mov %esi, %r9d\n"
	"shr $31, %r9d\n"
	"cmpl $4, 8(%rdi)\n"
	"setne %al\n"
	"or %r9b, %al\n"
    LABEL(sign_flag_jne) "jne k_flags_end\n"
	"mov %esi, %r9d\n"
	"shr $30, %r9d\n"
	"cmpl $4, 8(%rdi)\n"
	"setne %al\n"
	"or %r9b, %al\n"
    LABEL(two_bits_jne) "jne k_flags_end\n"
	"mov %esi, %r9d\n"
	"and $0x80000000, %r9d\n"
	"cmpl $4, 8(%rdi)\n"
	"setne %al\n"
	"or %r9b, %al\n"
    LABEL(masked_flag_jne) "jne k_flags_end\n"
    LABEL(flags_end)
	"jmp k___x86_return_thunk\n"
    END(flags)

    /* Six parameters in registers, then on the stack: int flags, unsigned long size, int mode. */
    FUNC(many)
	ENTRY
	"push %rbx\n"
	"sub $0x18, %rsp\n"
	"mov 0x28(%rsp), %edx\n"
	"cmp $3, %edx\n"
    LABEL(many_ja) "ja k_many_end\n"
	"cmpq $5, 0x30(%rsp)\n"
    LABEL(many_je) "je k_many_end\n"
	"cmpl $5, 0x30(%rsp)\n"
    LABEL(many_half_je) "je k_many_end\n"
	"mov %edi, 0x28(%rsp)\n"
	"cmpl $5, 0x28(%rsp)\n"
    LABEL(many_written_je) "je k_many_end\n"
	"lea 8(%rsp), %r9\n"
	"mov 0x38(%rsp), %edx\n"
	"cmp $3, %edx\n"
    LABEL(many_local_ja) "ja k_many_end\n"
	"lea 0x38(%rsp), %rdi\n"
	"cmpl $5, 0x38(%rsp)\n"
    LABEL(many_shared_je) "je k_many_end\n"
    LABEL(many_end)
	"jmp k___x86_return_thunk\n"
    END(many)

    /* With the parameters of parts(): t, int n, unsigned long limit, long pos, long err. */
    FUNC(bits)
	ENTRY
	"bt $38, %rdx\n"
    LABEL(bit_jb) "jb k_bits_end\n"
	"btl $3, 8(%rdi)\n"
    LABEL(bit_memory_jae) "jae k_bits_end\n"
	"bt $38, %rdx\n"
    LABEL(bit_zero_je) "je k_bits_end\n"
	"bt %rsi, %rdx\n"
    LABEL(bit_both_jb) "jb k_bits_end\n"
	"mov $0x124, %eax\n"
	"bt %rsi, %rax\n"
    LABEL(bit_switch_jae) "jae k_bits_end\n"
	"bt %esi, 8(%rdi)\n"
    LABEL(bit_far_jb) "jb k_bits_end\n"
	"mov %rcx, %rax\n"
	"or %rdx, %rax\n"
    LABEL(either_je) "je k_bits_end\n"
	"mov %rcx, %rax\n"
	"or %rdi, %rax\n"
    LABEL(either_jne) "jne k_bits_end\n"
	"mov %rcx, %rax\n"
	"or %r8, %rax\n"
    LABEL(either_js) "js k_bits_end\n"
	"mov %rcx, %rax\n"
	"or %r8, %rax\n"
    LABEL(either_jb) "jb k_bits_end\n"
	"mov %rcx, %r9\n"
	"or %r8, %r9\n"
	"or %rdx, %r9\n"
    LABEL(three_jne) "jne k_bits_end\n"
	"or %esi, %esi\n"
    LABEL(itself_je) "je k_bits_end\n"
	"xor %eax, %eax\n"
	"or %rcx, %rax\n"
    LABEL(zero_je) "je k_bits_end\n"
	"mov %rcx, %rax\n"
	"or $8, %rax\n"
    LABEL(known_js) "js k_bits_end\n"
    LABEL(bits_end)
	"jmp k___x86_return_thunk\n"
    END(bits)

    /* long enter(const struct pt_regs *regs, int n) */
    FUNC(enter)
	ENTRY
	"cmpq $9, 56(%rdi)\n"
    LABEL(fourth_ja) "ja k_enter_end\n"
	"cmpq $0, 56(%rdi)\n"
    LABEL(fourth_js) "js k_enter_end\n"
    LABEL(fourth_je) "je k_enter_end\n"
	"mov 56(%rdi), %rax\n"
	"cmpl $3, 8(%rax)\n"
    LABEL(fourth_size_je) "je k_enter_end\n"
	"lea -1(%rsi), %eax\n"
	"cmp $6, %eax\n"
    LABEL(offset_ja) "ja k_enter_end\n"
	"mov %esi, %eax\n"
	"sub $32, %eax\n"
	"cltq\n"
	"cmp %rdi, %rax\n"
    LABEL(extended_jb) "jb k_enter_end\n"
	"cmp $-1, %esi\n"
    LABEL(minus_jne) "jne k_enter_end\n"
	"cmp $-22, %esi\n"
    LABEL(errno_jne) "jne k_enter_end\n"
	"cmp $-22, %esi\n"
    LABEL(unsigned_ja) "ja k_enter_end\n"
	"call k_takes\n"
	"cmp $-22, %eax\n"
    LABEL(unsigned_jbe) "jbe k_enter_end\n"
	"cmp $-22, %eax\n"
    LABEL(signed_jl) "jl k_enter_end\n"
	"mov $7, %edi\n"
	"call k_find\n"
	"cmp $-22, %rax\n"
    LABEL(pointer_ja) "ja k_enter_end\n"
	"cmp $-4095, %rax\n"
    LABEL(pointer_jae) "jae k_enter_end\n"
    LABEL(enter_end)
	"jmp k___x86_return_thunk\n"
    END(enter)
    USER);
/* clang-format on */

FIXTURE(condition)
{
	const struct syscall_params *syscall;
	const char *module;
	struct symbolizer symbolizer;
	bool readable;
	struct code_source source;
	struct code_reader reader;
	struct kernel_btf *btf;
	uint32_t thing;
	const struct btf *types;
	struct path path;
	struct decision_condition got;
};

static struct btf *make_btf(uint32_t *ret_thing)
{
	struct btf *b = btf__new_empty();
	int u8 = btf__add_int(b, "bool", 1, BTF_INT_BOOL);
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int u32 = btf__add_int(b, "unsigned int", 4, 0);
	int u64 = btf__add_int(b, "long unsigned int", 8, 0);
	int i64 = btf__add_int(b, "long int", 8, BTF_INT_SIGNED);
	int u16, inner, either, handler, kind, thing, thing_ptr, inner_ptr, array, proto, regs;

	inner = btf__add_struct(b, "inner", 8);
	btf__add_field(b, "a", i32, 0, 0);
	btf__add_field(b, "b", i32, 32, 0);
	inner_ptr = btf__add_ptr(b, inner);
	either = btf__add_union(b, NULL, 8);
	btf__add_field(b, "number", u64, 0, 0);
	btf__add_field(b, "other", u64, 0, 0);
	array = btf__add_array(b, i32, u32, 4);
	handler = btf__add_func_proto(b, i32);
	handler = btf__add_ptr(b, handler);
	kind = btf__add_enum(b, "kind", 4);
	btf__add_enum_value(b, "SOME", 1);
	u16 = btf__add_int(b, "unsigned short", 2, 0);
	thing = btf__add_struct(b, "thing", 64);
	btf__add_field(b, "flags", u64, 0, 0);
	btf__add_field(b, "size", u32, 64, 0);
	btf__add_field(b, "in", inner_ptr, 128, 0);
	btf__add_field(b, NULL, either, 192, 0);
	btf__add_field(b, "slots", array, 256, 0);
	btf__add_field(b, "handler", handler, 384, 0);
	btf__add_field(b, "kind", kind, 448, 0);
	btf__add_field(b, "i_mode", u16, 480, 0);
	thing_ptr = btf__add_ptr(b, thing);
	proto = btf__add_func_proto(b, i32);
	btf__add_func_param(b, "t", thing_ptr);
	btf__add_func_param(b, "n", i32);
	btf__add_func_param(b, "limit", u64);
	btf__add_func(b, "checks", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "later", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "copies", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "inlines", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "lends", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "fills", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "retains", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "keeps", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "overwrites", BTF_FUNC_STATIC, proto);
	handler = btf__add_struct(b, "pair", 16);
	btf__add_field(b, "user", thing_ptr, 0, 0);
	btf__add_field(b, "is_kernel", i32, 64, 0);
	array = btf__add_struct(b, "wide", 24);
	btf__add_field(b, "numbers", u64, 0, 0);
	proto = btf__add_func_proto(b, i32);
	btf__add_func_param(b, "level", i32);
	btf__add_func_param(b, "value", handler);
	btf__add_func_param(b, "len", i32);
	btf__add_func_param(b, "w", array);
	btf__add_func_param(b, "after", i32);
	btf__add_func(b, "sets", BTF_FUNC_STATIC, proto);
	proto = btf__add_func_proto(b, i32);
	btf__add_func_param(b, "t", thing_ptr);
	btf__add_func_param(b, "n", i32);
	btf__add_func_param(b, "limit", u64);
	btf__add_func_param(b, "pos", i64);
	btf__add_func_param(b, "err", i64);
	btf__add_func(b, "parts", BTF_FUNC_STATIC, proto);
	proto = btf__add_func_proto(b, i32);
	btf__add_func_param(b, "fd", i32);
	for (int i = 0; i < 5; i++)
		btf__add_func_param(b, "other", u64);
	btf__add_func_param(b, "flags", i32);
	btf__add_func_param(b, "size", u64);
	btf__add_func_param(b, "mode", i32);
	btf__add_func(b, "many", BTF_FUNC_STATIC, proto);
	regs = btf__add_struct(b, "pt_regs", 168);
	btf__add_field(b, "r10", u64, 56 * 8, 0);
	regs = btf__add_ptr(b, regs);
	proto = btf__add_func_proto(b, i32);
	btf__add_func_param(b, "regs", regs);
	btf__add_func_param(b, "n", i32);
	btf__add_func(b, "enter", BTF_FUNC_STATIC, proto);
	proto = btf__add_func_proto(b, i32);
	btf__add_func(b, "takes", BTF_FUNC_STATIC, proto);
	regs = btf__add_fwd(b, "pt_regs", BTF_FWD_STRUCT);
	regs = btf__add_ptr(b, regs);
	proto = btf__add_func_proto(b, i32);
	btf__add_func_param(b, "__unused", regs);
	btf__add_func(b, "enter_too", BTF_FUNC_STATIC, proto);
	proto = btf__add_func_proto(b, thing_ptr);
	btf__add_func_param(b, "number", i32);
	btf__add_func(b, "find", BTF_FUNC_STATIC, proto);
	proto = btf__add_func_proto(b, u8);
	btf__add_func_param(b, "cap", i32);
	btf__add_func(b, "capable", BTF_FUNC_STATIC, proto);
	thing_ptr = btf__add_struct(b, "task_struct", 16);
	btf__add_field(b, "owner", inner_ptr, 64, 0);
	btf__add_ptr(b, thing_ptr);
	/* Of two files. */
	for (int i = 0; i < 2; i++) {
		int twin = btf__add_struct(b, "twin", 16);

		btf__add_field(b, i ? "one" : "other", u32, 64, 0);
		btf__add_ptr(b, twin);
	}
	*ret_thing = thing;
	return b;
}

FIXTURE_SETUP(condition)
{
	struct btf *b = make_btf(&self->thing);

	self->readable = true;
	self->source = (struct code_source){ read_test_code, &self->readable };
	code_reader_init(&self->reader, &self->symbolizer, &self->source);
	self->types = b;
	ASSERT_EQ(0, kernel_btf_from(b, &self->btf));
}

FIXTURE_TEARDOWN(condition)
{
	condition_release(&self->got);
	path_release(&self->path);
	code_reader_release(&self->reader);
	kernel_btf_free(self->btf);
}

/* Straight on from @begin to the branch at @branch, and from there to its end. */
static uint32_t walk(FIXTURE_DATA(condition) *self, uint64_t begin, uint64_t branch, uint64_t end)
{
	uint32_t found = UINT32_MAX;
	struct branch_insn insn;

	self->path.steps.len = 0;
	for (uint64_t addr = begin; addr < end; addr += insn.length) {
		if (code_branch(&self->reader, addr, &insn))
			return UINT32_MAX;
		if (addr == branch)
			found = self->path.steps.len;
		if (vec_push(&self->path.steps,
			     (struct path_step){ .addr = addr, .insn = insn, .record = NO_RECORD }))
			return UINT32_MAX;
	}
	return found;
}

/* What held at a branch of checks(), or of later(). */
static const char *held(FIXTURE_DATA(condition) *self, const struct code_function *function,
			uint64_t begin, uint64_t branch, bool taken)
{
	const struct operand_way way = {
		.reader = &self->reader, .btf = self->btf, .function = function,
		.path = &self->path, .syscall = self->syscall, .module = self->module,
	};
	uint32_t step = walk(self, begin, branch, branch + 1);

	self->path.begin = begin == function->addr ? PATH_WHOLE : PATH_OLDER;
	if (step == UINT32_MAX || condition_fill(&way, step, taken, &self->got))
		return "error";
	return self->got.text ?: "";
}

#define CHECKS (&(struct code_function){ AT(checks), AT(end_checks) - AT(checks), "checks" })
#define LATER (&(struct code_function){ AT(later), AT(end_later) - AT(later), "later" })
#define ENTER (&(struct code_function){ AT(enter), AT(end_enter) - AT(enter), "enter" })
#define HELD(label, taken) held(self, CHECKS, AT(checks), AT(label), taken)

TEST_F(condition, members_of_parameters_by_name)
{
	EXPECT_STREQ("t->size != 4", HELD(member_jne, true));
	EXPECT_STREQ("t->size == 4", HELD(member_jne, false));
	EXPECT_EQ(AT(member), self->got.compared_at);
	EXPECT_STREQ("t->in->b < 0", HELD(chain_js, true));
	EXPECT_STREQ("t->in->b >= 0", HELD(chain_js, false));
	EXPECT_STREQ("t->slots[1] != 5", HELD(lea_jne, true));
}

TEST_F(condition, the_running_task_is_current)
{
	struct code_function runs = { AT(runs), AT(end_runs) - AT(runs), "runs" };

	EXPECT_STREQ("*(u32 *)(rax + 0x4) > (u32)rdi",
		     held(self, &runs, AT(runs), AT(current_jg), true));
	self->reader.current_task = 0x1fb80;
	EXPECT_STREQ("current->owner->b > (u32)rdi",
		     held(self, &runs, AT(runs), AT(current_jg), true));
	EXPECT_STREQ("*(u32 *)(rax + 0x8) > (u32)rdi",
		     held(self, &runs, AT(runs), AT(other_jg), true));
}

TEST_F(condition, variables_of_the_kernel_by_name)
{
	struct code_function runs = { AT(runs), AT(end_runs) - AT(runs), "runs" };
	struct data_symbols data = {};
	char cpus_name[] = "nr_cpus", nodes_name[] = "nr_nodes";
	const struct data_symbol cpus = { AT(variable_jae) + 0x1234, cpus_name };
	const struct data_symbol nodes = { AT(loaded) + 0x1234, nodes_name };

	EXPECT_STREQ("", held(self, &runs, AT(runs), AT(variable_jae), true));
	ASSERT_EQ(0, vec_push(&data.v, cpus));
	ASSERT_EQ(0, vec_push(&data.v, nodes));
	self->reader.data = &data;
	EXPECT_STREQ("(u32)rdi >= nr_cpus", held(self, &runs, AT(runs), AT(variable_jae), true));
	EXPECT_EQ(OPERAND_VARIABLE, self->got.b.operand.kind);
	EXPECT_STREQ("nr_nodes < (u32)rdi", held(self, &runs, AT(runs), AT(loaded_jb), true));
	self->reader.data = NULL;
	vec_release(&data.v);
}

TEST_F(condition, bits_of_a_part_are_those_of_the_whole)
{
	EXPECT_STREQ("!(t->flags & 0x200)", HELD(mask_je, true));
	EXPECT_STREQ("t->flags & 0x200", HELD(mask_je, false));
	/* All of it is read, where the part is tested. */
	EXPECT_NE(0, self->got.compared_at);
	EXPECT_EQ(0, self->got.a.operand.value);
	EXPECT_EQ(8, self->got.a.operand.size);
	EXPECT_TRUE(condition_take_values(&self->got, 0x300, 0));
	EXPECT_EQ(0x300, self->got.a.value);
	EXPECT_FALSE(condition_take_values(&self->got, 0x100, 0));
}

TEST_F(condition, a_byte_of_a_larger_number_has_some_of_its_bits)
{
	const struct code_function parts = { AT(parts), AT(end_parts) - AT(parts), "parts" };
#define PART(label, taken) held(self, &parts, AT(parts), AT(label), taken)

	/* The sign is that of the byte. */
	EXPECT_STREQ("t->size & 0x80", PART(part_js, true));
	EXPECT_STREQ("!(t->size & 0x80)", PART(part_js, false));
	EXPECT_TRUE(condition_take_values(&self->got, 0x17f, 0));
	EXPECT_FALSE(condition_take_values(&self->got, 0x180, 0));
	EXPECT_STREQ("!(n & 0x80)", PART(part_sign, false));
	EXPECT_STREQ("!(t->size & 0xff)", PART(part_je, true));
	EXPECT_TRUE(condition_take_values(&self->got, 0x300, 0));
	EXPECT_EQ(0x300, self->got.a.value);
	EXPECT_STREQ("(u8)rcx == 5", PART(part_five, true));
	EXPECT_TRUE(condition_take_values(&self->got, 0x305, 0));
	EXPECT_EQ(5, self->got.a.value);
}

TEST_F(condition, of_a_value_of_which_a_byte_is_tested_the_value_is_whole)
{
	const struct code_function parts = { AT(parts), AT(end_parts) - AT(parts), "parts" };

	EXPECT_STREQ("t->size & 0x2", PART(part_jne, true));
	EXPECT_TRUE(condition_take_values(&self->got, 0xff00000382, 0));
	EXPECT_EQ(0x382, self->got.a.value);
	EXPECT_STREQ("t->size & 0x200", PART(part_high, true));
	EXPECT_FALSE(condition_take_values(&self->got, 0x102, 0));
	EXPECT_TRUE(condition_take_values(&self->got, 0xff00000382, 0));
	EXPECT_EQ(0x382, self->got.a.value);
	EXPECT_STREQ("!(t->size & 0xff00)", PART(part_high_je, true));
	EXPECT_STREQ("!(t->size & 0x800)", PART(part_high_and, true));
	EXPECT_STREQ("t->size & 0x84", PART(part_memory, true));
	EXPECT_EQ(4, self->got.a.operand.size);
	EXPECT_FALSE(condition_take_values(&self->got, 0xffffff00, 0));
	EXPECT_TRUE(condition_take_values(&self->got, 0x380, 0));
	EXPECT_EQ(0x380, self->got.a.value);
	EXPECT_STREQ("!(*(u64 *)(t + 0x18) & 0x2)", PART(part_union, true));
	EXPECT_TRUE(condition_take_values(&self->got, 0x40000000071, 0));
	EXPECT_EQ(0x40000000071, self->got.a.value);
	/* Only one byte was loaded. */
	EXPECT_STREQ("!(t->size & 0x2)", PART(part_loaded, true));
	EXPECT_TRUE(condition_take_values(&self->got, 0x71, 0));
}

TEST_F(condition, half_of_a_number_is_not_the_number)
{
	const struct code_function parts = { AT(parts), AT(end_parts) - AT(parts), "parts" };

	EXPECT_STREQ("!(limit & 0xffffffff)", PART(half_je, true));
	EXPECT_TRUE(condition_take_values(&self->got, 0x100000000, 0));
	EXPECT_EQ(0x100000000, self->got.a.value);
	EXPECT_STREQ("limit & 0xffffffff", PART(half_je, false));
	EXPECT_STREQ("t->flags & 0x80000000", PART(half_js, true));
	EXPECT_FALSE(condition_take_values(&self->got, 1ull << 63, 0));
	EXPECT_TRUE(condition_take_values(&self->got, 0x180000000, 0));
	EXPECT_EQ(0x180000000, self->got.a.value);
	EXPECT_STREQ("!(t->flags & 0xffffffff)", PART(half_memory_je, true));
	EXPECT_EQ(8, self->got.a.operand.size);
	EXPECT_STREQ("(u32)limit > 5", PART(half_ja, true));
	EXPECT_TRUE(condition_take_values(&self->got, 0x300000006, 0));
	EXPECT_EQ(6, self->got.a.value);
	EXPECT_STREQ("(s32)limit < 5", PART(half_jl, true));
	EXPECT_STREQ("n == (u32)limit", PART(half_both_je, true));
	EXPECT_TRUE(condition_take_values(&self->got, 6, 0x300000006));
	EXPECT_EQ(6, self->got.b.value);
	/* Of these, compilers test as much as the source's int has. */
	EXPECT_STREQ("err < 0", PART(half_signed_js, true));
}

TEST_F(condition, a_constant_of_32_bits_clears_the_others)
{
	EXPECT_STREQ("*(u64 *)(t + 0x18) <= 0x80000000", HELD(large_jbe, true));
	EXPECT_STREQ("t->size == 0xffffffea", HELD(error_je, true));
}

TEST_F(condition, which_member_of_a_union_nobody_knows)
{
	EXPECT_STREQ("*(u64 *)(t + 0x18) > 9", HELD(union_ja, true));
	EXPECT_STREQ("*(u64 *)(t + 0x18) <= 9", HELD(union_ja, false));
}

TEST_F(condition, parameters_in_registers_and_on_the_stack)
{
	EXPECT_STREQ("t < limit", HELD(both_jb, true));
	EXPECT_STREQ("n > 70000", HELD(spilt_jg, true));
}

TEST_F(condition, what_is_on_the_stack_is_kept_while_nobody_has_its_address)
{
	EXPECT_STREQ("n < 1", HELD(kept_jl, true));
	EXPECT_STREQ("(u32)rax < 2", HELD(taken_jl, true));
}

#define COPIES(label) held(self, &copies, AT(copies), AT(label), true)

TEST_F(condition, what_was_copied_from_the_program_has_the_name_that_it_has_there)
{
	const struct code_function copies = { AT(copies), AT(end_copies) - AT(copies), "copies" };
	const struct code_function inlines = { AT(inlines), AT(end_inlines) - AT(inlines), "inlines" };
	const struct code_function lends = { AT(lends), AT(end_lends) - AT(lends), "lends" };
	const struct code_function keeps = { AT(keeps), AT(end_keeps) - AT(keeps), "keeps" };
	const struct code_function overwrites = { AT(overwrites), AT(end_overwrites) - AT(overwrites), "overwrites" };

	EXPECT_STREQ("t->size != 4", COPIES(copied_jne));
	EXPECT_STREQ("t->size != 4", held(self, &inlines, AT(inlines), AT(inlined_jne), true));
	EXPECT_STREQ("t->flags & 0x70", COPIES(copied_bits));
	/* get_user() */
	EXPECT_STREQ("t->size == 3", COPIES(got_je));
	/* More than that was not copied. */
	EXPECT_STREQ("*(u32 *)(rsp + 0x30) != 4", COPIES(beyond_jne));
	/* A part was written since, or may have been. */
	EXPECT_STREQ("*(u64 *)(rsp + 0x18) != 4", COPIES(written_jne));
	EXPECT_STREQ("*(u32 *)(rsp + 0x18) != 4", COPIES(shared_jne));
	EXPECT_STREQ("*(u32 *)(rsp + 0x18) != 4", held(self, &lends, AT(lends), AT(lent_jne), true));
	EXPECT_STREQ("t->size != 4", held(self, &keeps, AT(keeps), AT(kept_jne), true));
	EXPECT_STREQ("*(u32 *)(rsp + 0x18) != 4", held(self, &keeps, AT(keeps), AT(kept_lent_jne), true));
	EXPECT_STREQ("*(u32 *)(rsp + 0x18) != 4",
		     held(self, &overwrites, AT(overwrites), AT(overwritten_jne), true));
}

TEST_F(condition, memset_keeps_no_address)
{
	const struct code_function fills = { AT(fills), AT(end_fills) - AT(fills), "fills" };
	const struct code_function retains = { AT(retains), AT(end_retains) - AT(retains), "retains" };

	EXPECT_STREQ("t->size != 4", held(self, &fills, AT(fills), AT(filled_jne), true));
	EXPECT_STREQ("*(u32 *)(rsp + 0x18) != 4", held(self, &fills, AT(fills), AT(wiped_jne), true));
	EXPECT_STREQ("*(u32 *)(rsp + 0x18) != 4", held(self, &retains, AT(retains), AT(retained_jne), true));
}

TEST_F(condition, a_parameter_may_take_two_registers)
{
	const struct code_function sets = { AT(sets), AT(end_sets) - AT(sets), "sets" };

	EXPECT_STREQ("len > 8", held(self, &sets, AT(sets), AT(sets_ja), true));
	EXPECT_STREQ("*(u32 *)value > 2", held(self, &sets, AT(sets), AT(value_ja), true));
	EXPECT_STREQ("*(u32 *)value - 1 > 7", held(self, &sets, AT(sets), AT(less_ja), true));
	/* Half of a struct has no name, and a large struct is in no register. */
	EXPECT_STREQ("(u32)rdx == 1", held(self, &sets, AT(sets), AT(second_je), true));
	EXPECT_STREQ("(u32)r8 == 2", held(self, &sets, AT(sets), AT(wide_je), true));
}

TEST_F(condition, what_calls_returned)
{
	EXPECT_STREQ("IS_ERR(find(7))", HELD(err_ja, true));
	EXPECT_STREQ("!IS_ERR(find(7))", HELD(err_ja, false));
	EXPECT_STREQ("find(7) == NULL", HELD(null_je, true));
	EXPECT_STREQ("!capable(CAP_SYS_ADMIN)", HELD(bool_je, true));
	EXPECT_STREQ("capable(CAP_SYS_ADMIN)", HELD(bool_je, false));
}

/* What held if a function computed @result at @at. */
static const char *computed(FIXTURE_DATA(condition) *self, const struct code_function *function,
			    uint64_t at, int32_t result)
{
	const struct operand_way way = {
		.reader = &self->reader, .btf = self->btf, .function = function, .path = &self->path,
	};
	uint32_t step = walk(self, function->addr, at, at + 1);

	self->path.begin = PATH_WHOLE;
	if (step == UINT32_MAX || condition_fill_computed(&way, step, result, &self->got))
		return "error";
	return self->got.text ?: "";
}

TEST_F(condition, a_result_that_was_computed_from_a_bool_tells_which)
{
	const struct code_function owns = { AT(owns), AT(end_owns) - AT(owns), "owns" };
	const struct code_function lacks = { AT(lacks), AT(end_lacks) - AT(lacks), "lacks" };
	const struct code_function takes = { AT(takes), AT(end_takes) - AT(takes), "checks" };

	EXPECT_STREQ("!capable(CAP_SYS_ADMIN)", computed(self, &owns, AT(owns_sub), -1));
	EXPECT_STREQ("capable(CAP_SYS_ADMIN)", computed(self, &owns, AT(owns_sub), 0));
	EXPECT_STREQ("", computed(self, &owns, AT(owns_sub), -22));
	EXPECT_STREQ("!capable(CAP_SYS_ADMIN)", computed(self, &lacks, AT(lacks_neg), -1));
	EXPECT_STREQ("", computed(self, &takes, AT(takes_sub), -1));
}

TEST_F(condition, a_result_that_was_computed_from_a_bit_tells_which)
{
	const struct code_function quiets = { AT(quiets), AT(end_quiets) - AT(quiets), "checks" };
	const struct code_function high = { AT(high_bit), AT(end_high_bit) - AT(high_bit), "checks" };
	const struct code_function two = { AT(two_bits), AT(end_two_bits) - AT(two_bits), "checks" };
	const struct code_function extended = {
		AT(extended_bit), AT(end_extended_bit) - AT(extended_bit), "checks",
	};
	const struct code_function masks = { AT(masks_bool), AT(end_masks_bool) - AT(masks_bool), "owns" };

	EXPECT_STREQ("!(t->size & 0x1)", computed(self, &quiets, AT(quiets_sub), -1));
	EXPECT_NE(0, self->got.compared_at);
	EXPECT_STREQ("t->size & 0x1", computed(self, &quiets, AT(quiets_sub), 0));
	EXPECT_STREQ("!(t->size & 0x4)", computed(self, &high, AT(high_bit_sub), -1));
	EXPECT_STREQ("t->size & 0x4", computed(self, &high, AT(high_bit_sub), 3));
	EXPECT_STREQ("", computed(self, &high, AT(high_bit_sub), 0));
	EXPECT_STREQ("", computed(self, &two, AT(two_bits_sub), -1));
	/* Not in what was loaded: a copy of its sign. */
	EXPECT_STREQ("", computed(self, &extended, AT(extended_bit_sub), -1));
	EXPECT_STREQ("!capable(CAP_SYS_ADMIN)", computed(self, &masks, AT(masks_bool_sub), -1));
}

/* What remains of the name of the variable that begins where an array ends. */
static const char *name_at_end(FIXTURE_DATA(condition) *self, const struct code_function *function, uint64_t compared,
			       uint64_t branch)
{
	const struct operand_way way = {
		.reader = &self->reader, .btf = self->btf, .function = function, .path = &self->path,
	};

	held(self, function, function->addr, branch, true);
	free(self->got.b.name);
	self->got.b.name = strdup("&aalg_list");
	for (uint32_t i = 0; i < self->path.steps.len; i++) {
		if (self->path.steps.data[i].addr == compared)
			condition_take_array_end(&way, i, &self->got);
	}
	return self->got.b.name ?: "";
}

TEST_F(condition, the_end_of_an_array_is_not_the_next_variable)
{
	const struct code_function goes = { AT(goes_through), AT(end_goes_through) - AT(goes_through), "goes" };
	const struct code_function stays = { AT(stays), AT(end_stays) - AT(stays), "stays" };

	EXPECT_STREQ("", name_at_end(self, &goes, AT(goes_through_cmp), AT(goes_through_je)));
	EXPECT_STREQ("&aalg_list", name_at_end(self, &stays, AT(stays_cmp), AT(stays_je)));
}

TEST_F(condition, what_a_call_through_a_member_returned)
{
	EXPECT_STREQ("t->handler(...) < 0", HELD(by_member_js, true));
	EXPECT_TRUE(self->got.a.is_result);
	EXPECT_TRUE(condition_take_values(&self->got, -22, 0));
	EXPECT_STREQ("EINVAL", condition_errno(&self->got, &self->got.a, -22));
}

TEST_F(condition, a_negation_asks_whether_it_is_zero)
{
	EXPECT_STREQ("t->size != 0", HELD(negated_sbb, true));
	EXPECT_TRUE(condition_take_values(&self->got, 2, 0));
	EXPECT_FALSE(condition_take_values(&self->got, 0, 0));
	EXPECT_STREQ("t->size == 0", HELD(negated_sbb, false));
}

TEST_F(condition, what_was_a_constant_on_the_way_tells_nothing)
{
	EXPECT_STREQ("", HELD(zero_jne, false));
}

TEST_F(condition, what_is_not_known_goes_by_register)
{
	EXPECT_STREQ("(u32)rax == 0", HELD(pointer_je, true));
	EXPECT_STREQ("t->slots[2] + 3 == 5", HELD(computed_je, true));
	EXPECT_STREQ("(t->slots[2] & 0x700) != 0x200", HELD(masked_jne, true));
	EXPECT_STREQ("(t->i_mode & 0xf000) == S_IFLNK", HELD(mode_je, true));
	EXPECT_STREQ("(t->i_mode & 0xf) == 0x3", HELD(byte_je, true));
	EXPECT_STREQ("(t->size & 0x600) == 0x600", HELD(negated_je, true));
	EXPECT_STREQ("(t->size & 0x600) != 0x600", HELD(negated_je, false));
	EXPECT_STREQ("find(~t->size) == NULL", HELD(negated_argument, true));
	EXPECT_STREQ("*(u32 *)(rcx + 0x8) == 5", HELD(negated_pointer, true));
	EXPECT_STREQ("!((u32)rcx & 0x600)", HELD(negated_sum, true));
	EXPECT_STREQ("t->size & 0x10", HELD(and_jne, true));
	EXPECT_STREQ("t->size == 8", HELD(sub_je, true));
	EXPECT_STREQ("(u32)rax == 0", HELD(both_je, true));
	EXPECT_STREQ("t->slots[1] != 1", HELD(constant_jne, true));
	/* Flags that a call has changed since. */
	EXPECT_STREQ("", HELD(lost_jne, true));
}

TEST_F(condition, a_way_that_begins_later)
{
	EXPECT_STREQ("t->size != 4", held(self, LATER, AT(later_begin), AT(later_jne), true));
	/* It was changed before that, by one instruction alone. */
	EXPECT_STREQ("n + 1 < 5", held(self, LATER, AT(later_begin), AT(later_jl), true));
	EXPECT_STREQ("n + 1 < 5", held(self, LATER, AT(later), AT(later_jl), true));
}

TEST_F(condition, the_only_bit_of_a_truth_value_and_the_sign_of_a_number)
{
	EXPECT_STREQ("!capable(CAP_SYS_ADMIN)", HELD(bit_je, true));
	EXPECT_STREQ("capable(CAP_SYS_ADMIN)", HELD(bit_je, false));
	EXPECT_STREQ("t->in->b < 0", HELD(sign_jne, true));
	EXPECT_EQ(CONDITION_LESS, self->got.condition);
	EXPECT_TRUE(condition_take_values(&self->got, -5, 0));
	EXPECT_FALSE(condition_take_values(&self->got, 5, 0));
	EXPECT_STREQ("t->in->b >= 0", HELD(sign_jne, false));
	EXPECT_STREQ("t->size & 0x80000000", HELD(high_jne, true));
}

TEST_F(condition, an_unsigned_number_has_a_highest_bit_and_no_sign)
{
	const struct code_function parts = { AT(parts), AT(end_parts) - AT(parts), "parts" };

	EXPECT_STREQ("t->size & 0x80000000", PART(size_js, true));
	EXPECT_TRUE(condition_take_values(&self->got, 0x80000001, 0));
	EXPECT_FALSE(condition_take_values(&self->got, 1, 0));
	EXPECT_STREQ("!(t->size & 0x80000000)", PART(size_js, false));
	EXPECT_STREQ("t->flags & 0x8000000000000000", PART(flags_js, true));
	EXPECT_TRUE(condition_take_values(&self->got, 1ull << 63, 0));
	/* Whether an enum is signed, its type does not say. */
	EXPECT_STREQ("t->kind < 0", PART(kind_js, true));
	/* The highest bit of the register is not that of the number. */
	EXPECT_STREQ("t->size < 0", PART(extended_js, true));
}

TEST_F(condition, the_value_of_an_enum_has_its_name)
{
	const struct code_function parts = { AT(parts), AT(end_parts) - AT(parts), "parts" };

	EXPECT_STREQ("t->kind == SOME", PART(enum_je, true));
	EXPECT_STREQ("t->kind != SOME", PART(enum_je, false));
	EXPECT_TRUE(condition_take_values(&self->got, 3, 0));
	EXPECT_FALSE(condition_take_values(&self->got, 1, 0));
	/* None has it; an order is one of numbers; bits; a sum; a part. */
	EXPECT_STREQ("t->kind == 2", PART(enum_two, true));
	EXPECT_STREQ("t->kind > 1", PART(enum_ja, true));
	EXPECT_STREQ("t->kind & 0x1", PART(enum_bit, true));
	EXPECT_STREQ("t->kind - 1 == 1", PART(enum_less, true));
	EXPECT_STREQ("*(u8 *)(rdi + 0x38) == 1", PART(enum_byte, true));
}

TEST_F(condition, arguments_of_system_calls_by_their_names)
{
	const struct syscall_params params = { 4, { {}, {}, {}, { "loff_t", "pos" } } };
	struct code_function too = *ENTER;

	EXPECT_STREQ("regs->r10 > 9", held(self, ENTER, AT(enter), AT(fourth_ja), true));
	/* Where only the struct's name was known. */
	too.name = "enter_too";
	EXPECT_STREQ("__unused->r10 > 9", held(self, &too, AT(enter), AT(fourth_ja), true));
	self->syscall = &params;
	EXPECT_STREQ("pos > 9", held(self, &too, AT(enter), AT(fourth_ja), true));
	EXPECT_STREQ("pos > 9", held(self, ENTER, AT(enter), AT(fourth_ja), true));
}

TEST_F(condition, arguments_of_system_calls_have_types)
{
	struct syscall_params params = { 4, { {}, {}, {}, { "unsigned long", "arg" } } };

	self->syscall = &params;
	EXPECT_STREQ("arg & 0x8000000000000000", held(self, ENTER, AT(enter), AT(fourth_js), true));
	params.params[3].type = "struct thing *";
	EXPECT_STREQ("arg == NULL", held(self, ENTER, AT(enter), AT(fourth_je), true));
	EXPECT_STREQ("arg->size == 3", held(self, ENTER, AT(enter), AT(fourth_size_je), true));
	params.params[3].type = "struct unknown *";
	EXPECT_STREQ("arg == 0", held(self, ENTER, AT(enter), AT(fourth_je), true));
	params.params[3].type = NULL;
	EXPECT_STREQ("arg < 0", held(self, ENTER, AT(enter), AT(fourth_js), true));
}

TEST_F(condition, numbers_that_something_was_added_to)
{
	/* By one comparison with both ends; the value is that of the number. */
	EXPECT_STREQ("n < 1 || n > 7", held(self, ENTER, AT(enter), AT(offset_ja), true));
	EXPECT_STREQ("n", self->got.a.name);
	EXPECT_FALSE(condition_take_values(&self->got, 6, 0));
	EXPECT_TRUE(condition_take_values(&self->got, 8, 0));
	EXPECT_EQ(9, self->got.a.value);
	EXPECT_STREQ("n >= 1 && n <= 7", held(self, ENTER, AT(enter), AT(offset_ja), false));
	EXPECT_STREQ("n - 32 < regs", held(self, ENTER, AT(enter), AT(extended_jb), true));
}

TEST_F(condition, numbers_computed_from_several)
{
	const struct code_function parts = { AT(sums), AT(end_sums) - AT(sums), "parts" };
#define SUM(label, taken) held(self, &parts, AT(sums), AT(label), taken)

	EXPECT_STREQ("(limit >> 12) + t->flags < t->flags", SUM(sum_jb, true));
	EXPECT_STREQ("limit + (pos << 2) + 8 > 100", SUM(address_ja, true));
	EXPECT_STREQ("(limit + (limit << 1)) & 0x10", SUM(tested_jne, true));
	EXPECT_STREQ("pos - err <= -1", SUM(difference_jle, true));
	EXPECT_STREQ("!is_power_of_2(limit)", SUM(power_jae, true));
	EXPECT_STREQ("n + limit == 7", SUM(extended_je, true));
	EXPECT_STREQ("t->size < (t->size << 3) - 16", SUM(shift_jb, true));
	EXPECT_STREQ("(u32)(limit + pos) == 7", SUM(lower_je, true));
	EXPECT_STREQ("t->flags >= ((limit + 4095) & ~0xfff) + t->flags", SUM(aligned_jae, true));
	/* A part of a long; two ints, of which C has no long; a pointer; too many; two constants. */
	EXPECT_STREQ("(u32)rax == 7", SUM(cut_je, true));
	EXPECT_STREQ("rax == 7", SUM(longer_je, true));
	EXPECT_STREQ("rax < pos", SUM(pointer_jb, true));
	EXPECT_STREQ("rax == 7", SUM(long_je, true));
	EXPECT_STREQ("rax == limit", SUM(constants_je, true));
	/* The addition itself sets the flags: with the carry, its sign is not that of the sum. */
	EXPECT_STREQ("t->size + t->size != 0", SUM(sum_jne, true));
	EXPECT_STREQ("t->size + t->size == 0", SUM(sum_jne, false));
	EXPECT_STREQ("", SUM(sum_jl, true));
	EXPECT_STREQ("", SUM(sum_je, true));
}

TEST_F(condition, the_smaller_or_larger_one_of_two_numbers)
{
	const struct code_function parts = { AT(selects), AT(end_selects) - AT(selects), "parts" };
#define SELECTED(label) held(self, &parts, AT(selects), AT(label), true)

	EXPECT_STREQ("err < min(limit, t->flags)", SELECTED(smaller_jb));
	EXPECT_STREQ("max(t->size, 7) < t->size", SELECTED(larger_jb));
	EXPECT_STREQ("max(pos, 0) >= limit", SELECTED(positive_jae));
	/* Another number than was compared; one that changed since; no order; one of the halves. */
	EXPECT_STREQ("(u32)rax < t->size", SELECTED(another_jb));
	EXPECT_STREQ("err < r9", SELECTED(changed_jb));
	EXPECT_STREQ("err < r9", SELECTED(same_jb));
	EXPECT_STREQ("err < r9", SELECTED(halves_jb));
}

TEST_F(condition, a_limit_that_a_variable_of_the_kernel_bounds)
{
	const struct code_function parts = { AT(selects), AT(end_selects) - AT(selects), "parts" };
	struct data_symbols data = {};
	char bound_name[] = "nr_bound", byte_name[] = "byte_bound";
	const struct data_symbol bound = { AT(bound_loaded) + 0x1234, bound_name };
	const struct data_symbol byte = { AT(byte_loaded) + 0x1234, byte_name };

	ASSERT_EQ(0, vec_push(&data.v, bound));
	ASSERT_EQ(0, vec_push(&data.v, byte));
	self->reader.data = &data;
	EXPECT_STREQ("t->size >= min(n, nr_bound)", SELECTED(bound_jge));
	/* How large the variable is, is not known. */
	EXPECT_STREQ("t->size >= (u32)r9", SELECTED(byte_jge));
	self->reader.data = NULL;
	vec_release(&data.v);
}

TEST_F(condition, two_flags_in_one_branch)
{
	const struct code_function parts = { AT(flags), AT(end_flags) - AT(flags), "parts" };
#define FLAGS(label, taken) held(self, &parts, AT(flags), AT(label), taken)

	EXPECT_STREQ("t->size == 4 && limit <= pos", FLAGS(flags_jne, false));
	EXPECT_FALSE(self->got.either);
	EXPECT_STREQ("t->size != 4 || limit > pos", FLAGS(flags_jne, true));
	ASSERT_TRUE(self->got.either);
	EXPECT_EQ(AT(flags_or), self->got.compared_at);
	EXPECT_EQ(X86_RAX, self->got.either[0].a.operand.reg);
	/* The values of both flags tell which of them it was. */
	EXPECT_FALSE(condition_take_values(&self->got.either[0], 0xffff00, 0));
	EXPECT_TRUE(condition_take_values(&self->got.either[1], 0xffff01, 0));
	condition_choose(&self->got, 1);
	EXPECT_STREQ("limit > pos", self->got.text);
	/* Only one of them is a flag. */
	EXPECT_STREQ("(u8)rax != 0 || (u8)r9 != 0", FLAGS(number_jne, true));
}

TEST_F(condition, parameters_on_the_stack)
{
	const struct code_function many = { AT(many), AT(end_many) - AT(many), "many" };
#define MANY(label) held(self, &many, AT(many), AT(label), true)

	EXPECT_STREQ("flags > 3", MANY(many_ja));
	EXPECT_STREQ("size == 5", MANY(many_je));
	/* A half of it is another number. */
	EXPECT_STREQ("*(u32 *)(rsp + 0x30) == 5", MANY(many_half_je));
	EXPECT_STREQ("fd == 5", MANY(many_written_je));
	/* An object of the function does not contain it. */
	EXPECT_STREQ("mode > 3", MANY(many_local_ja));
	/* What has its address may have written it. */
	EXPECT_STREQ("*(u32 *)(rsp + 0x38) == 5", MANY(many_shared_je));
}

TEST_F(condition, flag_or_negative_number)
{
	const struct code_function parts = { AT(flags), AT(end_flags) - AT(flags), "parts" };

	EXPECT_STREQ("t->size == 4 && n >= 0", FLAGS(sign_flag_jne, false));
	EXPECT_STREQ("t->size != 4 || n < 0", FLAGS(sign_flag_jne, true));
	ASSERT_TRUE(self->got.either);
	EXPECT_TRUE(condition_take_values(&self->got.either[1], 0xffff01, 0));
	condition_choose(&self->got, 1);
	EXPECT_STREQ("n < 0", self->got.text);
	/* No sign: two bits, and a byte in which the highest bit of the number is not. */
	EXPECT_STREQ("(u8)rax != 0 || (u8)r9 != 0", FLAGS(two_bits_jne, true));
	EXPECT_STREQ("(u8)rax != 0 || (u8)r9 != 0", FLAGS(masked_flag_jne, true));
}

TEST_F(condition, negative_numbers_are_errors_where_something_says_so)
{
	struct decision_operand result = { .operand.size = 4, .is_result = true };
	struct decision_operand member = { .operand.size = 4, .is_named = true };
	char name[] = "t->err", compared[] = "strncmp(name, \"a\", 1)", called[] = "recmp_all()";

	member.name = name;
	result.name = compared;
	EXPECT_STREQ("n != -1", held(self, ENTER, AT(enter), AT(minus_jne), true));
	EXPECT_STREQ("n != -22", held(self, ENTER, AT(enter), AT(errno_jne), true));
	EXPECT_EQ(NULL, condition_errno(&self->got, &result, -1));
	result.name = called;
	EXPECT_STREQ("EINVAL", condition_errno(&self->got, &result, -22));
	EXPECT_STREQ("EPERM", condition_errno(&self->got, &result, -1));
	EXPECT_STREQ("EINVAL", condition_errno(&self->got, &member, -22));
	EXPECT_EQ(NULL, condition_errno(&self->got, &member, -1));
}

TEST_F(condition, compared_as_unsigned_no_number_is_negative)
{
	EXPECT_STREQ("n > 0xffffffea", held(self, ENTER, AT(enter), AT(unsigned_ja), true));
	EXPECT_STREQ("n <= 0xffffffea", held(self, ENTER, AT(enter), AT(unsigned_ja), false));
	EXPECT_TRUE(condition_take_values(&self->got, 5, 0));
	EXPECT_STREQ("takes() <= 0xffffffea", held(self, ENTER, AT(enter), AT(unsigned_jbe), true));
	EXPECT_STREQ("takes() < -EINVAL", held(self, ENTER, AT(enter), AT(signed_jl), true));
	EXPECT_STREQ("find(7) > 0xffffffffffffffea",
		     held(self, ENTER, AT(enter), AT(pointer_ja), true));
	EXPECT_STREQ("IS_ERR(find(7))", held(self, ENTER, AT(enter), AT(pointer_jae), true));
}

TEST_F(condition, clones_and_unknown_functions_have_no_parameters)
{
	struct code_function clone = *CHECKS;

	clone.name = "checks.isra.0";
	EXPECT_STREQ("*(u32 *)(rdi + 0x8) != 4",
		     held(self, &clone, clone.addr, AT(member_jne), true));
	clone.name = "nobody";
	EXPECT_STREQ("*(u32 *)(rdi + 0x8) != 4",
		     held(self, &clone, clone.addr, AT(member_jne), true));
	self->readable = false;
	code_reader_forget(&self->reader);
	EXPECT_STREQ("error", held(self, CHECKS, AT(checks), AT(member_jne), true));
}

TEST_F(condition, link_time_optimisation_leaves_a_renamed_function_its_parameters)
{
	struct code_function renamed = *CHECKS;

	renamed.name = "checks.llvm.123";
	EXPECT_STREQ("t->size != 4", held(self, &renamed, renamed.addr, AT(member_jne), true));
}

TEST_F(condition, parameters_that_the_compiler_changed_have_no_names)
{
	self->symbolizer.changed = CHECKS->addr;
	EXPECT_STREQ("*(u32 *)(rdi + 0x8) != 4", held(self, CHECKS, CHECKS->addr, AT(member_jne), true));
	self->symbolizer.changed = AT(find);
	EXPECT_STREQ("t->size != 4", held(self, CHECKS, CHECKS->addr, AT(member_jne), true));
}

TEST_F(condition, of_a_variable_of_which_the_lower_half_is_asked_for_the_value_is_whole)
{
	EXPECT_STREQ("limit & 0xfff", HELD(half_jne, true));
	EXPECT_TRUE(condition_take_values(&self->got, 0x55c0f83adde1, 0));
	EXPECT_EQ(0x55c0f83adde1, self->got.a.value);
}

#define LOCAL(label) \
	held(self, &(struct code_function){ AT(locals), AT(end_locals) - AT(locals), "locals" }, AT(locals), \
	     AT(label), true)

TEST_F(condition, variables_of_debug_info_where_code_tells_no_name)
{
	static const struct variable_type number = { VARIABLE_NUMBER, "int", 0, 0, 4, 4 };
	static const struct variable_type pair = { VARIABLE_NUMBER, "int", 0, 4, 4, 8 };
	static const struct variable_type thing = { VARIABLE_STRUCT, "thing", 1, 0, 64, 8 };
	static const struct variable_type call = { VARIABLE_FUNCTION, NULL, 1, 0, 0, 8 };

	EXPECT_STREQ("(u32)rsi > 3", LOCAL(local_ja));
	EXPECT_STREQ("*(u32 *)(rbx + 0x8) != 4", LOCAL(local_jne));
	EXPECT_STREQ("*(u32 *)(rsp + 0x14) != 1", LOCAL(stack_jne));
	EXPECT_STREQ("(u32)rax != 0", LOCAL(pointer_jne));

	self->symbolizer.variables[0] = (struct test_variable){ false, X86_RSI, 0, { .name = "count", .type = number } };
	self->symbolizer.variables[1] = (struct test_variable){ true, REG_STACK, 16, { .name = "pair", .type = pair } };
	self->symbolizer.variables[2] = (struct test_variable){ false, X86_RBX, 0, { .name = "box", .type = thing } };
	self->symbolizer.variables[3] = (struct test_variable){ false, X86_R13, 0, { .name = "call", .type = call } };
	EXPECT_STREQ("count > 3", LOCAL(local_ja));
	EXPECT_TRUE(self->got.a.is_variable);
	/* Where it is compared, not where it came from. */
	EXPECT_EQ(AT(local_cmp), self->symbolizer.asked_at);
	EXPECT_STREQ("box->size != 4", LOCAL(local_jne));
	EXPECT_FALSE(self->got.a.is_variable);
	/* A module without BTF of its own has the kernel's types, too. */
	self->module = "bridge";
	EXPECT_STREQ("box->size != 4", LOCAL(local_jne));
	self->module = NULL;
	EXPECT_STREQ("pair[1] != 1", LOCAL(stack_jne));
	EXPECT_STREQ("call(...) != 0", LOCAL(pointer_jne));
	EXPECT_TRUE(self->got.a.is_result);
	self->symbolizer.variables[2].found.added = 36;
	EXPECT_STREQ("box->slots[3] != 4", LOCAL(local_jne));
	/* An address in an object has no name. */
	EXPECT_STREQ("rdx > rbx", LOCAL(both_ja));
	self->symbolizer.variables[2].found.added = 0;
	/* A part of a number on the stack is not the number. */
	EXPECT_STREQ("*(u8 *)(rsp + 0x14) != 1", LOCAL(byte_jne));
	/* The other one has no name; a pointer without a type that BTF has is one, too. */
	EXPECT_STREQ("rdx > box", LOCAL(both_ja));
}

/* Debug info does not say where a variable is that is not used any more, and of two registers it names one. */
TEST_F(condition, variables_that_a_register_had_when_it_was_written)
{
	static const struct variable_type number = { VARIABLE_NUMBER, "int", 0, 0, 4, 4 };
	struct test_variable *known = self->symbolizer.variables;

	known[0] = (struct test_variable){ .reg = X86_R9, .found = { .name = "gone", .type = number },
					   .only_at = AT(local_copied) };
	EXPECT_STREQ("gone > 7", LOCAL(copied_ja));
	known[0].reg = X86_R8;
	EXPECT_STREQ("gone > 7", LOCAL(copied_ja));
	known[0].only_at = AT(local_cmp);
	EXPECT_STREQ("(u32)r9 > 7", LOCAL(copied_ja));
}

/* On this way it was a constant. */
TEST_F(condition, a_constant_has_the_name_of_the_variable_that_it_was_in)
{
	static const struct variable_type number = { VARIABLE_NUMBER, "long", 0, 0, 8, 8 };
	struct test_variable *known = self->symbolizer.variables;

	EXPECT_STREQ("", LOCAL(set_je));
	EXPECT_STREQ("", LOCAL(set_jne));
	known[0] = (struct test_variable){ true, REG_STACK, 40, { .name = "timeo", .type = number } };
	EXPECT_STREQ("timeo == 0", LOCAL(set_je));
	EXPECT_EQ(OPERAND_MEMORY, self->got.a.operand.kind);
	known[0].only_at = AT(set_load);
	EXPECT_STREQ("timeo != 0", LOCAL(set_jne));
	EXPECT_EQ(OPERAND_REGISTER, self->got.a.operand.kind);
	EXPECT_STREQ("", LOCAL(set_je));
}

TEST_F(condition, a_variable_is_no_more_than_its_bytes)
{
	static const struct variable_type byte = { VARIABLE_NUMBER, "_Bool", 0, 0, 1, 1 };
	static const struct variable_type number = { VARIABLE_NUMBER, "int", 0, 0, 4, 4 };
	static const struct variable_type twin = { VARIABLE_STRUCT, "twin", 1, 0, 16, 8 };
	static const struct variable_type stranger = { VARIABLE_STRUCT, "thing", 1, 0, 8, 8 };
	struct test_variable *known = self->symbolizer.variables;

	known[0] = (struct test_variable){ .reg = X86_RSI, .found = { .name = "flag", .type = byte } };
	EXPECT_STREQ("(u32)rsi > 3", LOCAL(local_ja));
	known[0] = (struct test_variable){ .reg = X86_RBX, .found = { .name = "half", .type = number } };
	EXPECT_STREQ("rdx > rbx", LOCAL(both_ja));
	known[0] = (struct test_variable){ .reg = X86_RCX, .found = { .name = "half", .type = number } };
	EXPECT_STREQ("rcx & 0xfffffffc00000000", LOCAL(shift_jne));
	/* One of two structs with that name and size. */
	known[0] = (struct test_variable){ .reg = X86_RBX, .found = { .name = "box", .type = twin } };
	EXPECT_STREQ("*(u32 *)(rbx + 0x8) != 4", LOCAL(local_jne));
	/* Another struct by that name. */
	known[0] = (struct test_variable){ .reg = X86_RBX, .found = { .name = "box", .type = stranger } };
	EXPECT_STREQ("*(u32 *)(rbx + 0x8) != 4", LOCAL(local_jne));
}

/* Bits above, where a mask has no room in an instruction. */
TEST_F(condition, what_a_shift_to_the_right_leaves_are_the_bits_above)
{
	EXPECT_STREQ("rcx & 0xfffffffc00000000", LOCAL(shift_jne));
	EXPECT_TRUE(condition_take_values(&self->got, 0x800000000000, 0));
	EXPECT_FALSE(condition_take_values(&self->got, 0x3ffffffff, 0));
	EXPECT_STREQ("!((u32)rsi & ~0x7)", LOCAL(shift_je));
	EXPECT_STREQ("", LOCAL(carry_jb));
	EXPECT_STREQ("", LOCAL(by_cl_jne));
}

TEST_F(condition, variables_of_debug_info_do_not_replace_what_code_tells)
{
	static const struct variable_type other = { VARIABLE_STRUCT, "other", 1, 0, 8, 8 };

	self->symbolizer.variables[0] = (struct test_variable){ false, X86_RDI, 0, { .name = "other", .type = other } };
	EXPECT_STREQ("t->size != 4", HELD(member_jne, true));
}

TEST_F(condition, variables_of_debug_info_as_arguments_of_calls)
{
	static const struct variable_type number = { VARIABLE_NUMBER, "int", 0, 0, 4, 4 };

	self->symbolizer.variables[0] = (struct test_variable){ false, X86_R12, 0, { .name = "what", .type = number } };
	EXPECT_STREQ("!capable(what)", LOCAL(call_je));
}

#define BITS (&(struct code_function){ AT(bits), AT(end_bits) - AT(bits), "parts" })
#define BIT_HELD(label, taken) held(self, BITS, AT(bits), AT(label), taken)

TEST_F(condition, one_bit_by_its_number)
{
	EXPECT_STREQ("limit & 0x4000000000", BIT_HELD(bit_jb, true));
	EXPECT_TRUE(condition_take_values(&self->got, 1ull << 38, 0));
	EXPECT_STREQ("!(limit & 0x4000000000)", BIT_HELD(bit_jb, false));
	EXPECT_STREQ("!(t->size & 0x8)", BIT_HELD(bit_memory_jae, true));
	/* Only the carry is known then. */
	EXPECT_STREQ("", BIT_HELD(bit_zero_je, true));
	EXPECT_STREQ("limit & BIT(n)", BIT_HELD(bit_both_jb, true));
	EXPECT_FALSE(condition_take_values(&self->got, 3, 0xfff7));
	EXPECT_TRUE(condition_take_values(&self->got, 64 + 3, 8));
	EXPECT_EQ(8, self->got.b.value);
	EXPECT_STREQ("!(BIT(n) & 0x124)", BIT_HELD(bit_switch_jae, true));
	EXPECT_FALSE(condition_take_values(&self->got, 5, 0));
	EXPECT_TRUE(condition_take_values(&self->got, 4, 0));
	EXPECT_FALSE(condition_is_failure(&self->got));
	/* Which byte it is in is not known. */
	EXPECT_STREQ("", BIT_HELD(bit_far_jb, true));
}

TEST_F(condition, bits_of_either_of_two_numbers)
{
	EXPECT_STREQ("pos == 0 && limit == 0", BIT_HELD(either_je, true));
	EXPECT_FALSE(condition_take_values(&self->got, 0, 1));
	EXPECT_TRUE(condition_take_values(&self->got, 0, 0));
	EXPECT_STREQ("pos != 0 || limit != 0", BIT_HELD(either_je, false));
	EXPECT_TRUE(condition_take_values(&self->got, 0, 1));
	EXPECT_STREQ("pos != 0 || t != NULL", BIT_HELD(either_jne, true));
	EXPECT_STREQ("pos < 0 || err < 0", BIT_HELD(either_js, true));
	EXPECT_STREQ("pos >= 0 && err >= 0", BIT_HELD(either_js, false));
	EXPECT_STREQ("", BIT_HELD(either_jb, true));
	EXPECT_STREQ("(pos | err) != 0 || limit != 0", BIT_HELD(three_jne, true));
	EXPECT_STREQ("n == 0", BIT_HELD(itself_je, true));
	EXPECT_STREQ("pos == 0", BIT_HELD(zero_je, true));
	EXPECT_STREQ("", BIT_HELD(known_js, true));
}

TEST_F(condition, values_that_do_not_fit_are_not_taken)
{
	HELD(member_jne, true);
	EXPECT_FALSE(condition_take_values(&self->got, 4, 0));
	EXPECT_FALSE(self->got.a.has_value);
	EXPECT_TRUE(condition_take_values(&self->got, 0x700000005, 0));
	EXPECT_EQ(5, self->got.a.value);
	HELD(both_jb, true);
	EXPECT_EQ(0, strcmp(self->got.a.name, "t"));
	EXPECT_FALSE(condition_take_values(&self->got, 5, 5));
	EXPECT_TRUE(condition_take_values(&self->got, 4, 5));
	EXPECT_EQ(5, self->got.b.value);
}

TEST_F(condition, of_moves_and_flags)
{
	const struct code_function chooses = { AT(chooses), AT(end_chooses) - AT(chooses),
					       "chooses" };
#define CHOSE(label, taken) held(self, &chooses, AT(chooses), AT(label), taken)

	EXPECT_STREQ("(u32)rsi == 0", CHOSE(choose_sbb, true));
	EXPECT_STREQ("(u32)rsi != 0", CHOSE(choose_sbb, false));
	EXPECT_STREQ("(u32)rdx < 0", CHOSE(choose_cmovs, true));
	EXPECT_STREQ("(u32)rdi == 17", CHOSE(choose_cmove, true));
	EXPECT_STREQ("(u32)rsi >= (u32)rdi", CHOSE(choose_setb, false));
}

TEST_F(condition, conditions_hold_by_size_and_sign)
{
	EXPECT_TRUE(condition_holds(CONDITION_EQUAL, 0x105, 5, 1));
	EXPECT_FALSE(condition_holds(CONDITION_EQUAL, 0x105, 5, 2));
	EXPECT_TRUE(condition_holds(CONDITION_LESS, 0xff, 1, 1));
	EXPECT_FALSE(condition_holds(CONDITION_BELOW, 0xff, 1, 1));
	EXPECT_FALSE(condition_holds(CONDITION_LESS, 0xff, 1, 4));
	EXPECT_TRUE(condition_holds(CONDITION_ABOVE, -4095, -4096, 8));
	EXPECT_FALSE(condition_holds(CONDITION_UNKNOWN, 1, 1, 8));
	for (int c = CONDITION_EQUAL; c < NR_CONDITIONS; c++) {
		EXPECT_EQ(c, condition_not(condition_not(c)));
		for (int x = -1; x <= 1; x++)
			EXPECT_NE(condition_holds(c, x, 0, 4), condition_holds(condition_not(c), x, 0, 4));
	}
}

static const char *member(FIXTURE_DATA(condition) *self, uint64_t offset, uint32_t size)
{
	static struct strbuf path;
	uint32_t type, shift;

	strbuf_reset(&path);
	if (btf_member_at(self->types, self->thing, offset, size, NULL, &path, &type, &shift))
		return path.len ? "something" : NULL;
	return strbuf_str(&path);
}

/* struct file has this since Linux 6.19. */
TEST_F(condition, a_member_that_is_there_twice_but_for_const)
{
	_cleanup_(strbuf_release) struct strbuf path = STRBUF_INIT;
	struct btf *b = btf__new_empty();
	int number = btf__add_int(b, "long", 8, BTF_INT_SIGNED), inner, same, either, file, other;
	uint32_t type, shift;

	inner = btf__add_struct(b, "path", 16);
	btf__add_field(b, "mnt", number, 0, 0);
	btf__add_field(b, "dentry", number, 64, 0);
	same = btf__add_const(b, inner);
	either = btf__add_union(b, NULL, 16);
	btf__add_field(b, "f_path", same, 0, 0);
	btf__add_field(b, "__f_path", inner, 0, 0);
	file = btf__add_struct(b, "file", 16);
	btf__add_field(b, NULL, either, 0, 0);
	other = btf__add_union(b, NULL, 16);
	btf__add_field(b, "one", inner, 0, 0);
	btf__add_field(b, "two", inner, 0, 0);
	EXPECT_EQ(0, btf_member_at(b, file, 8, 8, NULL, &path, &type, &shift));
	EXPECT_STREQ(".f_path.dentry", strbuf_str(&path));
	EXPECT_EQ(-ENOENT, btf_member_at(b, other, 8, 8, NULL, &path, &type, &shift));
	btf__free(b);
}

/* As in struct fs_context. */
TEST_F(condition, a_bit_field_of_whole_bytes)
{
	_cleanup_(strbuf_release) struct strbuf path = STRBUF_INIT;
	struct btf *b = btf__new_empty();
	int number = btf__add_int(b, "unsigned int", 4, 0), context;
	uint32_t type = 1, shift;

	context = btf__add_struct(b, "fs_context", 8);
	btf__add_field(b, "sb_flags", number, 0, 0);
	btf__add_field(b, "purpose", number, 32, 8);
	btf__add_field(b, "phase", number, 40, 8);
	btf__add_field(b, "need_free", number, 48, 1);
	btf__add_field(b, "rest", number, 49, 7);
	EXPECT_EQ(0, btf_member_at(b, context, 5, 1, NULL, &path, &type, &shift));
	EXPECT_STREQ(".phase", strbuf_str(&path));
	EXPECT_EQ(0u, type);
	EXPECT_EQ(0u, shift);
	/* More or less than one of them. */
	EXPECT_EQ(-ENOENT, btf_member_at(b, context, 4, 2, NULL, &path, &type, &shift));
	EXPECT_EQ(-ENOENT, btf_member_at(b, context, 6, 1, NULL, &path, &type, &shift));
	/* One bit alone. */
	strbuf_reset(&path);
	EXPECT_EQ(0, btf_bit_field_at(b, context, 6, 0, NULL, &path));
	EXPECT_STREQ(".need_free", strbuf_str(&path));
	strbuf_reset(&path);
	EXPECT_EQ(0, btf_bit_field_at(b, context, 4, 16, NULL, &path));
	EXPECT_STREQ(".need_free", strbuf_str(&path));
	EXPECT_EQ(-ENOENT, btf_bit_field_at(b, context, 6, 1, NULL, &path));
	EXPECT_EQ(-ENOENT, btf_bit_field_at(b, context, 0, 0, NULL, &path));
	btf__free(b);
}

/* What has 4 bytes at @offset of @id; NULL: none or several have. */
static const char *four_bytes_at(const struct btf *b, int id, uint64_t offset, const struct union_member *known)
{
	static struct strbuf path;
	uint32_t type, shift;

	strbuf_reset(&path);
	return btf_member_at(b, id, offset, 4, known, &path, &type, &shift) ? NULL : strbuf_str(&path);
}

/* As in struct inode and struct qstr. */
TEST_F(condition, members_of_unions_that_are_the_same)
{
	struct btf *b = btf__new_empty();
	int number = btf__add_int(b, "unsigned int", 4, 0), longer = btf__add_int(b, "unsigned long", 8, 0);
	int constant = btf__add_const(b, number), same, parts, view;

	same = btf__add_union(b, NULL, 4);
	btf__add_field(b, "i_nlink", constant, 0, 0);
	btf__add_field(b, "__i_nlink", number, 0, 0);
	EXPECT_STREQ(".i_nlink", four_bytes_at(b, same, 0, NULL));
	same = btf__add_union(b, NULL, 4);
	btf__add_field(b, "one", constant, 0, 0);
	btf__add_field(b, "two", number, 0, 0);
	EXPECT_FALSE(four_bytes_at(b, same, 0, NULL));

	/* A group and its name; a struct of other members. */
	for (int i = 0; i < 2; i++) {
		parts = btf__add_struct(b, NULL, 8);
		btf__add_field(b, "next", number, 0, 0);
		btf__add_field(b, "prev", number, 32, 0);
		same = btf__add_struct(b, "group", 8);
		btf__add_field(b, "next", number, 0, 0);
		btf__add_field(b, i ? "last" : "prev", number, 32, 0);
		view = btf__add_union(b, NULL, 8);
		btf__add_field(b, NULL, parts, 0, 0);
		btf__add_field(b, "list", same, 0, 0);
		EXPECT_STREQ(i ? "none" : ".prev", four_bytes_at(b, view, 4, NULL) ?: "none");
	}

	parts = btf__add_struct(b, NULL, 8);
	btf__add_field(b, "hash", number, 0, 0);
	btf__add_field(b, "len", number, 32, 0);
	view = btf__add_union(b, NULL, 8);
	btf__add_field(b, NULL, parts, 0, 0);
	btf__add_field(b, "hash_len", longer, 0, 0);
	EXPECT_STREQ(".hash", four_bytes_at(b, view, 0, NULL));
	EXPECT_STREQ(".len", four_bytes_at(b, view, 4, NULL));
	/* Beside a number alone, a larger one is something else. */
	view = btf__add_union(b, NULL, 8);
	btf__add_field(b, "len", number, 0, 0);
	btf__add_field(b, "address", longer, 0, 0);
	EXPECT_FALSE(four_bytes_at(b, view, 0, NULL));
	btf__free(b);
}

static const char *with_member(const char *pointer, const char *path)
{
	static struct expression whole;

	strbuf_reset(&whole.text);
	strbuf_addstr(&whole.text, pointer);
	expression_add_member(&whole, path);
	return strbuf_str(&whole.text);
}

TEST_F(condition, limits_of_resources_have_names)
{
	EXPECT_STREQ("signal->rlim[RLIMIT_NOFILE].rlim_cur", with_member("signal", ".rlim[7].rlim_cur"));
	EXPECT_STREQ("(*sp)->s.rlim[RLIMIT_CPU]", with_member("*sp", ".s.rlim[0]"));
	EXPECT_STREQ("signal->rlim[16].rlim_cur", with_member("signal", ".rlim[16].rlim_cur"));
	EXPECT_STREQ("signal->old_rlim[7]", with_member("signal", ".old_rlim[7]"));
}

/* As in struct vm_area_struct and struct cred. */
TEST_F(condition, members_that_only_freed_objects_use)
{
	struct btf *b = btf__new_empty();
	int number = btf__add_int(b, "unsigned int", 4, 0), longer = btf__add_int(b, "unsigned long", 8, 0);
	int either, start, inner, freeptr, head;

	start = btf__add_struct(b, NULL, 16);
	btf__add_field(b, "vm_start", longer, 0, 0);
	btf__add_field(b, "vm_end", longer, 64, 0);
	inner = btf__add_struct(b, NULL, 8);
	btf__add_field(b, "v", longer, 0, 0);
	freeptr = btf__add_typedef(b, "freeptr_t", inner);
	either = btf__add_union(b, NULL, 16);
	btf__add_field(b, NULL, start, 0, 0);
	btf__add_field(b, "vm_freeptr", freeptr, 0, 0);
	EXPECT_STREQ(".vm_start", four_bytes_at(b, either, 0, NULL));
	head = btf__add_struct(b, "callback_head", 16);
	btf__add_field(b, "next", longer, 0, 0);
	btf__add_field(b, "func", longer, 64, 0);
	either = btf__add_union(b, NULL, 16);
	btf__add_field(b, "non_rcu", number, 0, 0);
	btf__add_field(b, "rcu", head, 0, 0);
	EXPECT_STREQ(".non_rcu", four_bytes_at(b, either, 0, NULL));
	/* Heads of task work are of living objects, too. */
	either = btf__add_union(b, NULL, 16);
	btf__add_field(b, "f_llist", number, 0, 0);
	btf__add_field(b, "f_task_work", head, 0, 0);
	EXPECT_FALSE(four_bytes_at(b, either, 0, NULL));
	btf__free(b);
}

TEST_F(condition, the_member_of_a_union_that_is_in_use)
{
	static const struct union_member create = { "bpf_attr", "map_type" }, get = { "bpf_attr", "map_id" },
					 link = { "bpf_attr", "link_create" }, newer = { "bpf_attr", "other" };
	struct btf *b = btf__new_empty();
	int number = btf__add_int(b, "unsigned int", 4, 0), map, ids, id, named, attr, stranger;

	map = btf__add_struct(b, NULL, 8);
	btf__add_field(b, "map_type", number, 0, 0);
	btf__add_field(b, "key_size", number, 32, 0);
	ids = btf__add_union(b, NULL, 4);
	btf__add_field(b, "start_id", number, 0, 0);
	btf__add_field(b, "map_id", number, 0, 0);
	id = btf__add_struct(b, NULL, 8);
	btf__add_field(b, NULL, ids, 0, 0);
	btf__add_field(b, "next_id", number, 32, 0);
	named = btf__add_struct(b, NULL, 4);
	btf__add_field(b, "prog_fd", number, 0, 0);
	attr = btf__add_union(b, "bpf_attr", 8);
	btf__add_field(b, NULL, map, 0, 0);
	btf__add_field(b, NULL, id, 0, 0);
	btf__add_field(b, "link_create", named, 0, 0);
	EXPECT_FALSE(four_bytes_at(b, attr, 0, NULL));
	EXPECT_STREQ(".map_type", four_bytes_at(b, attr, 0, &create));
	EXPECT_STREQ(".key_size", four_bytes_at(b, attr, 4, &create));
	EXPECT_STREQ(".map_id", four_bytes_at(b, attr, 0, &get));
	EXPECT_STREQ(".next_id", four_bytes_at(b, attr, 4, &get));
	EXPECT_STREQ(".link_create.prog_fd", four_bytes_at(b, attr, 0, &link));
	EXPECT_FALSE(four_bytes_at(b, attr, 4, &link));
	/* A kernel that has no such member. */
	EXPECT_FALSE(four_bytes_at(b, attr, 0, &newer));

	/* Another union with that member. */
	stranger = btf__add_union(b, NULL, 4);
	btf__add_field(b, "map_type", number, 0, 0);
	btf__add_field(b, "length", number, 0, 0);
	EXPECT_FALSE(four_bytes_at(b, stranger, 0, &create));
	btf__free(b);
}

TEST_F(condition, members_by_offset)
{
	EXPECT_STREQ(".flags", member(self, 0, 8));
	EXPECT_STREQ(".flags", member(self, 3, 1));
	EXPECT_STREQ(".size", member(self, 8, 4));
	EXPECT_STREQ(".slots[3]", member(self, 44, 4));
	/* A hole, a union, two members at once, behind the end. */
	EXPECT_EQ(NULL, member(self, 12, 4));
	EXPECT_EQ(NULL, member(self, 24, 8));
	EXPECT_EQ(NULL, member(self, 36, 8));
	EXPECT_EQ(NULL, member(self, 64, 4));
	EXPECT_EQ(NULL, member(self, 1ull << 40, 4));
}

TEST_F(condition, objects_have_their_names_where_members_lead_to)
{
	struct btf *b = btf__new_empty();
	int c = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	int u32 = btf__add_int(b, "unsigned int", 4, 0);
	int text = btf__add_array(b, u32, c, 16), text_ptr = btf__add_ptr(b, c);
	int qstr, dentry, entry_ptr, path, file, task, other, node, head, inode, in_union;
	struct object_name name;

	qstr = btf__add_struct(b, "qstr", 16);
	btf__add_field(b, "name", text_ptr, 64, 0);
	dentry = btf__add_struct(b, "dentry", 64);
	btf__add_field(b, "d_name", qstr, 32 * 8, 0);
	btf__add_field(b, "d_u", btf__type_cnt(b) + 1, 48 * 8, 0);
	in_union = btf__add_ptr(b, dentry);
	ASSERT_EQ(in_union + 1, btf__add_union(b, NULL, 16));
	btf__add_field(b, "d_alias", btf__type_cnt(b), 0, 0);
	node = btf__add_struct(b, "hlist_node", 16);
	head = btf__add_struct(b, "hlist_head", 8);
	btf__add_field(b, "first", head + 1, 0, 0);
	btf__add_ptr(b, node);
	inode = btf__add_struct(b, "inode", 64);
	btf__add_field(b, "i_dentry", head, 8 * 8, 0);
	entry_ptr = btf__add_ptr(b, dentry);
	path = btf__add_struct(b, "path", 16);
	btf__add_field(b, "dentry", entry_ptr, 64, 0);
	file = btf__add_struct(b, "file", 64);
	btf__add_field(b, "f_path", path, 16 * 8, 0);
	task = btf__add_struct(b, "task_struct", 64);
	btf__add_field(b, "comm", text, 24 * 8, 0);
	other = btf__add_struct(b, "super_block", 8);
	btf__add_field(b, "s_id", u32, 0, 0);

	name = object_name_find(b, dentry);
	ASSERT_EQ(2, name.nr_steps);
	EXPECT_EQ(40, name.steps[0]);
	EXPECT_EQ(0, name.steps[1]);
	name = object_name_find(b, file);
	ASSERT_EQ(3, name.nr_steps);
	EXPECT_EQ(24, name.steps[0]);
	EXPECT_EQ(40, name.steps[1]);
	name = object_name_find(b, task);
	ASSERT_EQ(1, name.nr_steps);
	EXPECT_EQ(24, name.steps[0]);
	/* From the list in the directory entry to the entry. */
	name = object_name_find(b, inode);
	ASSERT_EQ(3, name.nr_steps);
	EXPECT_EQ(8, name.steps[0]);
	EXPECT_EQ(40 - 48, name.steps[1]);
	EXPECT_EQ(0, name.steps[2]);
	/* Not as expected, of another type, of no type. */
	EXPECT_EQ(0, object_name_find(b, other).nr_steps);
	EXPECT_EQ(0, object_name_find(b, qstr).nr_steps);
	EXPECT_EQ(0, object_name_find(b, 0).nr_steps);
	btf__free(b);
}

#endif

TEST_HARNESS_MAIN
