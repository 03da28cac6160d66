// SPDX-License-Identifier: BSD-2-Clause
/*
 * Why a call failed, as far as types tell: which values on the stack were passed to calls by their
 * address, and which call had failed before.
 */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

/*
 * other = NULL; FIND(&found); if (a == b) err = -EINVAL, but for MORE; if (c != d) cleanup();
 * if (other) err = -EAGAIN; return err. FOUND takes the address of `found`; `other` is at 16(%rsp).
 */
#define FINDS(name, find, found, more)                          \
	FUNC(name)                                              \
	ENTRY                                                   \
	LABEL(name##_body)                                      \
	"push %rbx\n"                                           \
	"sub $32, %rsp\n"                                       \
	"movq $0, 16(%rsp)\n"                                   \
	"mov %rsi, %r12\n"                                      \
	found                                                   \
	"xor %edi, %edi\n"                                      \
	LABEL(name##_find)                                      \
	"call k_" #find "\n"                                    \
	LABEL(name##_found)                                     \
	"mov $-22, %ebx\n"                                      \
	LINE(10, 6)                                             \
	"cmp %r12, %r13\n"                                      \
	LABEL(name##_je)                                        \
	"je k_" #name "_out\n"                                  \
	more                                                    \
	LABEL(name##_out)                                       \
	LINE(20, 6)                                             \
	"cmp %r14, %r15\n"                                      \
	LABEL(name##_skip)                                      \
	"je k_" #name "_done\n"                                 \
	LABEL(name##_call)                                      \
	"call k_cleanup\n"                                      \
	LABEL(name##_done)                                      \
	LINE(30, 6)                                             \
	"mov 16(%rsp), %rdi\n"                                  \
	"test %rdi, %rdi\n"                                     \
	LABEL(name##_none)                                      \
	"je k_" #name "_end\n"                                  \
	"mov $-11, %ebx\n"                                      \
	LABEL(name##_end)                                       \
	"mov %ebx, %eax\n"                                      \
	"add $32, %rsp\n"                                       \
	"pop %rbx\n"                                            \
	LABEL(name##_ret)                                       \
	"ret\n"                                                 \
	END(name)

/* err = find_int(); if (err == -EAGAIN && !oif) return -ERROR; return 0 */
#define ROUTES_TO(name, error)          \
	FUNC(name)                      \
	ENTRY                           \
	LABEL(name##_body)              \
	"mov %edi, %r12d\n"             \
	LABEL(name##_find)              \
	"call k_find_int\n"             \
	LABEL(name##_found)             \
	LINE(40, 6)                     \
	"cmp $-11, %eax\n"              \
	"jne k_" #name "_out\n"         \
	"mov $-" #error ", %eax\n"      \
	LINE(42, 6)                     \
	"test %r12d, %r12d\n"           \
	LABEL(name##_je)                \
	"je k_" #name "_end\n"          \
	LABEL(name##_out)               \
	"xor %eax, %eax\n"              \
	LABEL(name##_end)               \
	LABEL(name##_ret)               \
	"ret\n"                         \
	END(name)

/* if (CONDITION) { if (number & 0x200) return -ENOENT; return 0; } OTHER; return 0 */
#define TOGETHER(name, compare, jump, other)    \
	FUNC(name)                              \
	ENTRY                                   \
	LABEL(name##_body)                      \
	compare                                 \
	jump " k_" #name "_other\n"             \
	LABEL(name##_asked)                     \
	LINE(60, 6)                             \
	"test $0x200, %edi\n"                   \
	LABEL(name##_jne)                       \
	"jne k_" #name "_bad\n"                 \
	LABEL(name##_fine)                      \
	"xor %eax, %eax\n"                      \
	"ret\n"                                 \
	LABEL(name##_other)                     \
	other                                   \
	"jmp k_" #name "_fine\n"                \
	LABEL(name##_bad)                       \
	"mov $-2, %eax\n"                       \
	LABEL(name##_ret)                       \
	"ret\n"                                 \
	END(name)

/* clang-format off */
asm(KERNEL
    FUNC(find_int)
    LABEL(find_int_ret)
	"ret\n"
    END(find_int)
    FUNC(find_long)
    LABEL(find_long_ret)
	"ret\n"
    END(find_long)
    FUNC(find_pair)
    LABEL(find_pair_ret)
	"ret\n"
    END(find_pair)
    FUNC(cleanup)
    LABEL(cleanup_ret)
	"ret\n"
    END(cleanup)
    TOGETHER(negative, "cmp $3, %edi\n", "jle", "nop\n")
    TOGETHER(missing, "test %rsi, %rsi\n", "jne", "jmp k_missing_fine\n")
    TOGETHER(skips, "test %rsi, %rsi\n", "jne", "add $1, %ecx\njmp k_skips_asked\n")
    TOGETHER(checked, "cmp $3, %edi\n", "jle", "mov $-22, %eax\nret\n")
    /* return op == 3 ? 0 : op == 1 ? -ENOENT : 0 */
    FUNC(switches)
	ENTRY
    LABEL(switches_body)
	"cmp $3, %edi\n"
	"je k_switches_other\n"
    LINE(60, 6)
	"cmp $1, %edi\n"
    LABEL(switches_jne)
	"je k_switches_bad\n"
    LABEL(switches_fine)
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(switches_other)
	"nop\n"
	"jmp k_switches_fine\n"
    LABEL(switches_bad)
	"mov $-2, %eax\n"
    LABEL(switches_ret)
	"ret\n"
    END(switches)
    /* while (!(err = find_long(s))) s = number ? find_int() : -ENOSPC; return err */
    FUNC(opens)
	ENTRY
    LABEL(opens_body)
    LABEL(opens_again)
	"mov %r12, %rdi\n"
    LABEL(opens_walk)
	"call k_find_long\n"
    LABEL(opens_walked)
    LINE(70, 6)
	"test %eax, %eax\n"
    LABEL(opens_jne)
	"jne k_opens_out\n"
	"mov $-28, %r12\n"
    LINE(72, 6)
	"test %ebx, %ebx\n"
    LABEL(opens_full)
	"je k_opens_again\n"
    LABEL(opens_make)
	"call k_find_int\n"
    LABEL(opens_made)
	"movslq %eax, %r12\n"
    LABEL(opens_jmp)
	"jmp k_opens_again\n"
    LABEL(opens_out)
    LABEL(opens_ret)
	"ret\n"
    END(opens)
    /* if (!number) { err = -EROFS; flags &= ~0x40; } if (flags & 0x40) return 0; return err */
    FUNC(clears)
	ENTRY
    LABEL(clears_body)
	"xor %eax, %eax\n"
    LINE(80, 6)
	"test %edi, %edi\n"
    LABEL(clears_jne)
	"jne k_clears_asked\n"
	"mov $-30, %eax\n"
	"and $-0x41, %ebp\n"
    LABEL(clears_asked)
    LINE(83, 6)
	"mov %ebp, %ecx\n"
	"mov %ecx, -8(%rsp)\n"
	"mov -8(%rsp), %r9d\n"
	"test $0x40, %r9b\n"
    LABEL(clears_je)
	"je k_clears_end\n"
	"xor %eax, %eax\n"
    LABEL(clears_end)
    LABEL(clears_ret)
	"ret\n"
    END(clears)
    /* err = find_int(); if (err < 0) return err; find_long(number, &err); return err */
    FUNC(parses)
	ENTRY
    LABEL(parses_body)
	"sub $24, %rsp\n"
    LABEL(parses_find)
	"call k_find_int\n"
    LABEL(parses_found)
	"mov %eax, 12(%rsp)\n"
	"test %eax, %eax\n"
    LABEL(parses_js)
	"js k_parses_out\n"
	"lea 12(%rsp), %rsi\n"
    LABEL(parses_make)
	"call k_find_long\n"
    LABEL(parses_made)
    LABEL(parses_out)
	"mov 12(%rsp), %eax\n"
	"add $24, %rsp\n"
    LABEL(parses_ret)
	"ret\n"
    END(parses)
    /* flags[1] = number == 1 ? -EINVAL : 0; find_int(number, flags); return flags[1] */
    FUNC(second)
	ENTRY
    LABEL(second_body)
	"sub $24, %rsp\n"
	"movl $-22, 12(%rsp)\n"
    LINE(110, 6)
	"cmp $1, %edi\n"
    LABEL(second_je)
	"je k_second_bad\n"
	"movl $0, 12(%rsp)\n"
    LABEL(second_bad)
	"lea 8(%rsp), %rsi\n"
    LABEL(second_find)
	"call k_find_int\n"
    LABEL(second_found)
	"mov 12(%rsp), %eax\n"
	"add $24, %rsp\n"
    LABEL(second_ret)
	"ret\n"
    END(second)
    /* if (!number) { err = -EROFS; flags &= ~0x40; } find_int(&flags); return flags & 0x40 ? 0 : err */
    FUNC(sets)
	ENTRY
    LABEL(sets_body)
	"sub $24, %rsp\n"
	"xor %ebx, %ebx\n"
    LINE(112, 6)
	"test %edi, %edi\n"
	"jne k_sets_asked\n"
	"mov $-30, %ebx\n"
	"and $-0x41, %r12d\n"
    LABEL(sets_asked)
	"mov %r12d, 12(%rsp)\n"
	"lea 12(%rsp), %rsi\n"
    LABEL(sets_find)
	"call k_find_int\n"
    LABEL(sets_found)
    LINE(114, 6)
	"mov 12(%rsp), %r9d\n"
	"test $0x40, %r9b\n"
    LABEL(sets_je)
	"je k_sets_end\n"
	"xor %ebx, %ebx\n"
    LABEL(sets_end)
	"mov %ebx, %eax\n"
	"add $24, %rsp\n"
    LABEL(sets_ret)
	"ret\n"
    END(sets)
    /* p = number ? ERR_PTR(-EROFS) : find_int(); if (other) cleanup(); return IS_ERR(p) ? p : 0 */
    FUNC(unlocks)
	ENTRY
    LABEL(unlocks_body)
	"mov $-30, %rbx\n"
    LINE(95, 6)
	"test %edi, %edi\n"
    LABEL(unlocks_jne)
	"jne k_unlocks_bad\n"
	"call k_find_int\n"
	"mov %rax, %rbx\n"
    LABEL(unlocks_bad)
    LINE(97, 6)
	"cmpb $0, 20(%r12)\n"
    LABEL(unlocks_je)
	"je k_unlocks_end\n"
	"call k_cleanup\n"
    LABEL(unlocks_end)
	"cmp $-4096, %rbx\n"
    LABEL(unlocks_ja)
	"ja k_unlocks_out\n"
	"xor %ebx, %ebx\n"
    LABEL(unlocks_out)
	"mov %ebx, %eax\n"
    LABEL(unlocks_ret)
	"ret\n"
    END(unlocks)
    /* ok = !find_int(); err = ok ? find_long() : -EROFS; if (err && !object->member) return err */
    FUNC(creates)
	ENTRY
    LABEL(creates_body)
	"sub $16, %rsp\n"
    LABEL(creates_find)
	"call k_find_int\n"
    LABEL(creates_found)
	"test %eax, %eax\n"
	"sete 12(%rsp)\n"
    LABEL(creates_lock)
	"call k_cleanup\n"
    LABEL(creates_locked)
    LINE(100, 6)
	"cmpb $0, 12(%rsp)\n"
    LABEL(creates_je)
	"je k_creates_refused\n"
	"call k_find_long\n"
	"mov %eax, %ebx\n"
    LABEL(creates_asked)
    LINE(102, 6)
	"cmpq $0, 48(%r12)\n"
    LABEL(creates_missing)
	"je k_creates_end\n"
	"xor %ebx, %ebx\n"
    LABEL(creates_end)
	"mov %ebx, %eax\n"
	"add $16, %rsp\n"
    LABEL(creates_ret)
	"ret\n"
    LABEL(creates_refused)
	"mov $-30, %ebx\n"
    LABEL(creates_jmp)
	"jmp k_creates_asked\n"
    END(creates)
    FUNC(__SCT__preempt_schedule)
	"ret\n"
    END(__SCT__preempt_schedule)
    /* err = number ? -EROFS : 0; preempt_enable(); return err */
    FUNC(preempts)
	ENTRY
    LABEL(preempts_body)
	"xor %eax, %eax\n"
    LINE(90, 6)
	"test %edi, %edi\n"
    LABEL(preempts_je)
	"je k_preempts_enable\n"
	"mov $-30, %eax\n"
    LABEL(preempts_enable)
    LINE(92, 6)
	"decl (%rsi)\n"
	"je k_preempts_schedule\n"
    LABEL(preempts_ret)
	"ret\n"
    LABEL(preempts_schedule)
	"call k___SCT__preempt_schedule\n"
	"ret\n"
    END(preempts)
    ROUTES_TO(routes, 101)
    ROUTES_TO(retries, 11)
    /* found = 0; find_int(&found); return found == *wanted ? 0 : -EAGAIN */
    FUNC(meets)
	ENTRY
    LABEL(meets_body)
	"sub $16, %rsp\n"
	"movl $0, 12(%rsp)\n"
	"lea 12(%rsp), %rsi\n"
    LABEL(meets_find)
	"call k_find_int\n"
    LABEL(meets_found)
    LINE(50, 6)
	"mov 12(%rsp), %esi\n"
	"cmp %esi, (%r12)\n"
	"mov $-11, %eax\n"
    LABEL(meets_jne)
	"jne k_meets_end\n"
	"xor %eax, %eax\n"
    LABEL(meets_end)
	"add $16, %rsp\n"
    LABEL(meets_ret)
	"ret\n"
    END(meets)
    /* found = 0; find_int(&found); return found == limit ? 0 : -EAGAIN */
    FUNC(limits)
	ENTRY
    LABEL(limits_body)
	"sub $16, %rsp\n"
	"movl $0, 12(%rsp)\n"
	"lea 12(%rsp), %rsi\n"
    LABEL(limits_find)
	"call k_find_int\n"
    LABEL(limits_found)
    LINE(52, 6)
	"mov 12(%rsp), %esi\n"
	"cmp %esi, 0x1234(%rip)\n"
	"mov $-11, %eax\n"
    LABEL(limits_jne)
	"jne k_limits_end\n"
	"xor %eax, %eax\n"
    LABEL(limits_end)
	"add $16, %rsp\n"
    LABEL(limits_ret)
	"ret\n"
    END(limits)
    /* err = -EINVAL; if (a == b) return -EAGAIN; find_long(&other); return other ? 0 : err */
    FUNC(looks)
	ENTRY
    LABEL(looks_body)
	"sub $24, %rsp\n"
	"mov $-22, %ebx\n"
	"cmp %r12, %r13\n"
    LABEL(looks_jne)
	"jne k_looks_on\n"
	"mov $-11, %ebx\n"
	"jmp k_looks_end\n"
    LABEL(looks_on)
	"movq $0, 16(%rsp)\n"
	"lea 16(%rsp), %rsi\n"
    LABEL(looks_find)
	"call k_find_long\n"
    LABEL(looks_found)
    LINE(120, 6)
	"mov 16(%rsp), %rdi\n"
	"test %rdi, %rdi\n"
    LABEL(looks_none)
	"je k_looks_end\n"
	"xor %ebx, %ebx\n"
    LABEL(looks_end)
	"mov %ebx, %eax\n"
	"add $24, %rsp\n"
    LABEL(looks_ret)
	"ret\n"
    END(looks)
    FINDS(number, find_int, "lea 12(%rsp), %rsi\n", "xor %ebx, %ebx\n")
    FINDS(half, find_int, "lea 14(%rsp), %rsi\n", "xor %ebx, %ebx\n")
    FINDS(array, find_long, "lea 8(%rsp), %rsi\n", "xor %ebx, %ebx\n")
    FINDS(object, find_pair, "lea 8(%rsp), %rsi\n", "xor %ebx, %ebx\n")
    FINDS(itself, find_long, "lea 16(%rsp), %rsi\n", "xor %ebx, %ebx\n")
    FINDS(lowest, find_int, "mov %rsp, %rsi\n", "xor %ebx, %ebx\n")
    FINDS(low, find_pair, "mov %rsp, %rsi\n", "xor %ebx, %ebx\n")
    FINDS(above, find_pair, "lea 24(%rsp), %rbp\n" "mov %rbp, %rsi\n", "xor %ebx, %ebx\n")
    FINDS(below, find_pair, "lea 24(%rsp), %rbp\n" "lea -16(%rbp), %rsi\n", "xor %ebx, %ebx\n")
    FINDS(moved, find_pair, "lea 24(%rsp), %rbp\n" "sub $16, %rbp\n" "mov %rbp, %rsi\n", "xor %ebx, %ebx\n")
    FINDS(lent, find_int, "lea 12(%rsp), %rsi\n", "mov %rsp, %rdi\n" "call k_find_pair\n")
    FINDS(given, find_int, "lea 12(%rsp), %rsi\n", "lea 16(%rsp), %rdi\n" "call k_find_long\n")
    USER);
/* clang-format on */

enum {
	NUMBER,
	HALF,
	ARRAY,
	OBJECT,
	ITSELF,
	GIVEN,
	ROUTES,
	LOWEST,
	ABOVE,
	BELOW,
	MOVED,
	LOW,
	LENT,
	MEETS,
	RETRIES,
	NEGATIVE,
	MISSING,
	SKIPS,
	CHECKED,
	SWITCHES,
	OPENS,
	CLEARS,
	PREEMPTS,
	UNLOCKS,
	CREATES,
	SECOND,
	SETS,
	LIMITS,
	PARSES,
	LOOKS,
	NR_FUNCS,
};

static const char *const func_names[NR_FUNCS] = {
	[NUMBER] = "number", [HALF] = "half",	  [ARRAY] = "array",
	[OBJECT] = "object", [ITSELF] = "itself", [GIVEN] = "given",
	[ROUTES] = "routes", [LOWEST] = "lowest", [LOW] = "low",
	[ABOVE] = "above", [BELOW] = "below", [MOVED] = "moved",
	[LENT] = "lent", [MEETS] = "meets", [RETRIES] = "retries",
	[NEGATIVE] = "negative", [MISSING] = "missing", [SKIPS] = "skips", [CHECKED] = "checked",
	[SWITCHES] = "switches",
	[OPENS] = "opens", [CLEARS] = "clears", [PREEMPTS] = "preempts",
	[UNLOCKS] = "unlocks",	 [CREATES] = "creates",
	[SECOND] = "second", [SETS] = "sets", [LIMITS] = "limits",
	[PARSES] = "parses",	 [LOOKS] = "looks",
};

#include "decision_play.h"

/* int find_TYPE(int, TYPE *) */
static void add_find(struct btf *b, const char *name, int number, int type)
{
	int pointer = btf__add_ptr(b, type);
	int proto = btf__add_func_proto(b, number);

	btf__add_func_param(b, "number", number);
	btf__add_func_param(b, "found", pointer);
	btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

static struct kernel_btf *types_of_finds(void)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int i64 = btf__add_int(b, "long", 8, BTF_INT_SIGNED);
	struct kernel_btf *btf;
	int pair;

	pair = btf__add_struct(b, "pair", 16);
	btf__add_field(b, "a", i64, 0, 0);
	btf__add_field(b, "b", i64, 64, 0);
	add_find(b, "find_int", i32, i32);
	add_find(b, "find_long", i32, i64);
	add_find(b, "find_pair", i32, pair);
	add_find(b, "routes", i32, i32);
	add_find(b, "negative", i32, i32);
	add_find(b, "missing", i32, i32);
	add_find(b, "skips", i32, i32);
	add_find(b, "checked", i32, i32);
	add_find(b, "switches", i32, i32);
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

/* What decided that one of FINDS() returned -EINVAL. */
#define PLAY(name, find, func)                       \
	do {                                         \
		self->nr = 0;                        \
		CALLED(name##_body);                 \
		TOOK(name##_find, find);             \
		TOOK(find##_ret, name##_found);      \
		TOOK(name##_je, name##_out);         \
		TOOK(name##_call, cleanup);          \
		TOOK(cleanup_ret, name##_done);      \
		TOOK(name##_none, name##_end);       \
		RETURNED(name##_ret);                \
		decided(self, func, -EINVAL);        \
	} while (0)

TEST_F(decision, an_int_passed_by_address_is_no_more_than_an_int)
{
	self->btf = types_of_finds();
	ASSERT_NE(NULL, self->btf);
	PLAY(number, find_int, NUMBER);
	EXPECT_BRANCH(DECISION_TAKEN, number_je, 10, true);
	EXPECT_FALSE(self->decision.may_be_constant);
	PLAY(lowest, find_int, LOWEST);
	EXPECT_BRANCH(DECISION_TAKEN, lowest_je, 10, true);
	kernel_btf_free(self->btf);
}

/* That is a doubt, but the error was set for the branch before, and the test behind it only replaces it. */
TEST_F(decision, what_may_be_larger_may_have_been_set)
{
	self->btf = types_of_finds();
	ASSERT_NE(NULL, self->btf);
	PLAY(half, find_int, HALF);
	EXPECT_BRANCH(DECISION_TAKEN, half_je, 10, false);
	PLAY(array, find_long, ARRAY);
	EXPECT_BRANCH(DECISION_TAKEN, array_je, 10, false);
	PLAY(object, find_pair, OBJECT);
	EXPECT_BRANCH(DECISION_TAKEN, object_je, 10, false);
	PLAY(itself, find_long, ITSELF);
	EXPECT_BRANCH(DECISION_TAKEN, itself_je, 10, false);
	PLAY(low, find_pair, LOW);
	EXPECT_BRANCH(DECISION_TAKEN, low_je, 10, false);
	kernel_btf_free(self->btf);
}

/* The error is from before the call, and not for the branch behind it. */
TEST_F(decision, what_a_call_was_to_find_decided_that_nothing_was_found)
{
	self->btf = types_of_finds();
	ASSERT_NE(NULL, self->btf);
	CALLED(looks_body);
	TOOK(looks_jne, looks_on);
	TOOK(looks_find, find_long);
	TOOK(find_long_ret, looks_found);
	TOOK(looks_none, looks_end);
	RETURNED(looks_ret);
	decided(self, LOOKS, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, looks_none, 120, false);
	/* If its value is another one than NULL, the call did set it. */
	EXPECT_TRUE(self->decision.may_be_constant);
	EXPECT_EQ(0, self->decision.constant);
	kernel_btf_free(self->btf);
}

TEST_F(decision, without_types_an_int_may_be_anything)
{
	PLAY(number, find_int, NUMBER);
	EXPECT_BRANCH(DECISION_TAKEN, number_je, 10, false);
}

/* Compilers use the frame pointer as a register as others, also for the address of an object. */
TEST_F(decision, an_address_in_the_frame_pointer_is_that_of_one_object)
{
	self->btf = types_of_finds();
	ASSERT_NE(NULL, self->btf);
	PLAY(above, find_pair, ABOVE);
	EXPECT_BRANCH(DECISION_TAKEN, above_je, 10, true);
	PLAY(below, find_pair, BELOW);
	EXPECT_BRANCH(DECISION_TAKEN, below_je, 10, false);
	PLAY(moved, find_pair, MOVED);
	EXPECT_BRANCH(DECISION_TAKEN, moved_je, 10, false);
	kernel_btf_free(self->btf);
}

/* The other way sets the value: then the branch to there decided, if nothing else did. */
TEST_F(decision, a_constant_that_the_other_way_may_change_is_none_there)
{
	self->btf = types_of_finds();
	ASSERT_NE(NULL, self->btf);
	PLAY(given, find_int, GIVEN);
	EXPECT_BRANCH(DECISION_TAKEN, given_je, 10, true);
	PLAY(lent, find_int, LENT);
	EXPECT_BRANCH(DECISION_TAKEN, lent_je, 10, true);
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_comparison_with_memory_is_none_of_constants)
{
	CALLED(meets_body);
	TOOK(meets_find, find_int);
	TOOK(find_int_ret, meets_found);
	TOOK(meets_jne, meets_end);
	RETURNED(meets_ret);
	decided(self, MEETS, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, meets_jne, 50, true);

	self->nr = 0;
	CALLED(limits_body);
	TOOK(limits_find, find_int);
	TOOK(find_int_ret, limits_found);
	TOOK(limits_jne, limits_end);
	RETURNED(limits_ret);
	decided(self, LIMITS, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, limits_jne, 52, true);
}

TEST_F(decision, a_call_that_had_failed_before_is_told)
{
	self->btf = types_of_finds();
	ASSERT_NE(NULL, self->btf);
	CALLED(routes_body);
	TOOK(routes_find, find_int);
	TOOK(find_int_ret, routes_found);
	TOOK(routes_je, routes_end);
	RETURNED(routes_ret);
	decided(self, ROUTES, -ENETUNREACH);
	EXPECT_BRANCH(DECISION_TAKEN, routes_je, 42, true);
	EXPECT_STREQ("number == 0", self->condition.text);
	EXPECT_STREQ("find_int(number, found) == -EAGAIN", self->condition.after);
	/* It had failed with another error. */
	EXPECT_EQ(NULL, self->decision.failed_callee);
	/* That it had not failed before says nothing. */
	PLAY(number, find_int, NUMBER);
	EXPECT_EQ(NULL, self->condition.after);
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_call_that_had_failed_before_with_the_same_error_is_named)
{
	self->btf = types_of_finds();
	ASSERT_NE(NULL, self->btf);
	CALLED(retries_body);
	TOOK(retries_find, find_int);
	TOOK(find_int_ret, retries_found);
	TOOK(retries_je, retries_end);
	RETURNED(retries_ret);
	decided(self, RETRIES, -EAGAIN);
	EXPECT_BRANCH(DECISION_TAKEN, retries_je, 42, true);
	EXPECT_STREQ("find_int", self->decision.failed_callee);
	kernel_btf_free(self->btf);
}

#define PLAY_TOGETHER(name, func)             \
	do {                                  \
		self->nr = 0;                 \
		CALLED(name##_body);          \
		TOOK(name##_jne, name##_bad); \
		RETURNED(name##_ret);         \
		decided(self, func, -ENOENT); \
	} while (0)

TEST_F(decision, conditions_that_decided_together_are_both_told)
{
	self->btf = types_of_finds();
	ASSERT_NE(NULL, self->btf);
	PLAY_TOGETHER(negative, NEGATIVE);
	EXPECT_BRANCH(DECISION_TAKEN, negative_jne, 60, true);
	EXPECT_STREQ("number & 0x200", self->condition.text);
	EXPECT_STREQ("number > 3", self->condition.after);
	PLAY_TOGETHER(missing, MISSING);
	EXPECT_STREQ("found == NULL", self->condition.after);
	/* Otherwise it would have been asked, too. */
	PLAY_TOGETHER(skips, SKIPS);
	EXPECT_STREQ("number & 0x200", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
	/* Otherwise it would have failed, too. */
	PLAY_TOGETHER(checked, CHECKED);
	EXPECT_STREQ("number & 0x200", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
	/* The last one says it, too: number != 3. */
	PLAY_TOGETHER(switches, SWITCHES);
	EXPECT_STREQ("number == 1", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
	kernel_btf_free(self->btf);
}

TEST_F(decision, bits_that_were_cleared_on_the_way_decide_nothing)
{
	CALLED(clears_body);
	TOOK(clears_je, clears_end);
	RETURNED(clears_ret);
	decided(self, CLEARS, -EROFS);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, clears_jne, 80, true);
}

TEST_F(decision, a_result_in_an_array_that_was_passed_is_likely)
{
	self->btf = types_of_finds();
	ASSERT_NE(NULL, self->btf);
	CALLED(second_body);
	TOOK(second_je, second_bad);
	TOOK(second_find, find_int);
	TOOK(find_int_ret, second_found);
	RETURNED(second_ret);
	decided(self, SECOND, -EINVAL);
	EXPECT_BRANCH(DECISION_TAKEN, second_je, 110, false);
	kernel_btf_free(self->btf);
}

TEST_F(decision, an_error_that_was_tested_before_is_not_that_of_the_call)
{
	CALLED(parses_body);
	TOOK(parses_find, find_int);
	TOOK(find_int_ret, parses_found);
	TOOK(parses_make, find_long);
	TOOK(find_long_ret, parses_made);
	RETURNED(parses_ret);
	decided(self, PARSES, -ENOENT);
	EXPECT_EQ(DECISION_NONE, self->decision.kind);
	EXPECT_STREQ("a called function or another task stored it by an address on the stack",
		     self->decision.reason);
	self->nr = 0;
	CALLED(parses_body);
	TOOK(parses_find, find_int);
	TOOK(find_int_ret, parses_found);
	TOOK(parses_js, parses_out);
	RETURNED(parses_ret);
	decided(self, PARSES, -ENOENT);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("find_int", self->decision.callees.data[0].name);
}

TEST_F(decision, bits_that_a_call_may_have_set_again_decide)
{
	CALLED(sets_body);
	TOOK(sets_find, find_int);
	TOOK(find_int_ret, sets_found);
	TOOK(sets_je, sets_end);
	RETURNED(sets_ret);
	decided(self, SETS, -EROFS);
	EXPECT_BRANCH(DECISION_TAKEN, sets_je, 114, true);
}

TEST_F(decision, that_another_task_may_run_decides_nothing)
{
	CALLED(preempts_body);
	RETURNED(preempts_ret);
	decided(self, PREEMPTS, -EROFS);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, preempts_je, 90, true);
}

TEST_F(decision, what_is_cleaned_up_before_is_err_decides_nothing)
{
	CALLED(unlocks_body);
	TOOK(unlocks_jne, unlocks_bad);
	TOOK(unlocks_je, unlocks_end);
	TOOK(unlocks_ja, unlocks_out);
	RETURNED(unlocks_ret);
	decided(self, UNLOCKS, -EROFS);
	EXPECT_BRANCH(DECISION_TAKEN, unlocks_jne, 95, true);
}

TEST_F(decision, a_call_whose_failure_set_the_result_is_named)
{
	self->btf = types_of_finds();
	ASSERT_NE(NULL, self->btf);
	CALLED(creates_body);
	TOOK(creates_find, find_int);
	TOOK(find_int_ret, creates_found);
	TOOK(creates_lock, cleanup);
	TOOK(cleanup_ret, creates_locked);
	TOOK(creates_je, creates_refused);
	TOOK(creates_jmp, creates_asked);
	TOOK(creates_missing, creates_end);
	RETURNED(creates_ret);
	decided(self, CREATES, -EROFS);
	EXPECT_BRANCH(DECISION_TAKEN, creates_missing, 102, true);
	EXPECT_STREQ("find_int(...) != 0", self->condition.after);
	EXPECT_STREQ("find_int", self->decision.failed_callee);
	kernel_btf_free(self->btf);
}

/* REG_OF_RDI: the register of the first parameter, as machine code numbers it. */
#define REG_OF_RDI 7

TEST_F(decision, what_a_call_was_passed_and_returned_is_followed_to_where_it_came_from)
{
	self->passing = AT(opens_walk);
	self->passing_reg = REG_OF_RDI;
	for (int made = 0; made < 2; made++) {
		self->nr = 0;
		CALLED(opens_body);
		TOOK(opens_walk, find_long);
		TOOK(find_long_ret, opens_walked);
		if (made) {
			TOOK(opens_make, find_int);
			TOOK(find_int_ret, opens_made);
			TOOK(opens_jmp, opens_again);
		} else {
			TOOK(opens_full, opens_again);
		}
		TOOK(opens_walk, find_long);
		TOOK(find_long_ret, opens_walked);
		TOOK(opens_jne, opens_out);
		RETURNED(opens_ret);
		decided(self, OPENS, -ENOSPC);
		if (!made) {
			EXPECT_BRANCH(DECISION_TAKEN, opens_full, 72, true);
			continue;
		}
		EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
		ASSERT_EQ(1, self->decision.callees.len);
		EXPECT_STREQ("find_int", self->decision.callees.data[0].name);
	}
	/* Otherwise the call itself decided. */
	self->passing = 0;
	decided(self, OPENS, -ENOSPC);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1, self->decision.callees.len);
	EXPECT_STREQ("find_long", self->decision.callees.data[0].name);
}

#endif

TEST_HARNESS_MAIN
