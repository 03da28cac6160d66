// SPDX-License-Identifier: BSD-2-Clause
/* A capability was missing: what it was asked for. */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "util/kernel/arch/x86/registers.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

#define IS(test, cap, name)                     \
	"mov $" #cap ", %edi\n"                 \
	LABEL(name##_##test)                    \
	"call k_capable\n"                      \
	LABEL(name##_##test##_called)           \
	LINE(60, 6)                             \
	"test %al, %al\n"

/* @fine: what follows where nothing is refused */
#define ENDS(name, fine)                        \
	LABEL(name##_fine)                      \
	LINE(64, 2)                             \
	fine                                    \
	LABEL(name##_bad)                       \
	LINE(61, 3)                             \
	"mov $-2, %eax\n"                       \
	LABEL(name##_ret)                       \
	"ret\n"                                 \
	END(name)

#define SUCCEEDS "xor %eax, %eax\nret\n"

/* clang-format off */
asm(KERNEL
    FUNC(capable)
    LABEL(capable_ret)
	"ret\n"
    END(capable)
    FUNC(count)
    LABEL(count_ret)
	"ret\n"
    END(count)
    /* if (number > 4 && other != 3 && !capable(CAP_SYS_ADMIN) && !capable(CAP_IPC_LOCK)) return -ENOENT; return 0 */
    FUNC(limited)
    ENTRY
    LABEL(limited_body)
    LINE(50, 6)
	"cmp $4, %edi\n"
	"jle k_limited_fine\n"
	"cmp $3, %esi\n"
	"je k_limited_fine\n"
    IS(first, 21, limited)
	"jne k_limited_fine\n"
    IS(last, 14, limited)
    LABEL(limited_je)
	"je k_limited_bad\n"
    ENDS(limited, SUCCEEDS)
    /* if ((number < 1 || number > 10) && other != 3 && !capable(CAP_NET_RAW)) return -ENOENT; return 0 */
    FUNC(ranges)
    ENTRY
    LABEL(ranges_body)
    LINE(50, 6)
	"lea -1(%rdi), %eax\n"
	"cmp $9, %eax\n"
	"jbe k_ranges_fine\n"
	"cmp $3, %esi\n"
	"je k_ranges_fine\n"
    IS(last, 13, ranges)
    LABEL(ranges_je)
	"je k_ranges_bad\n"
    ENDS(ranges, SUCCEEDS)
    /* if (number <= 4 || capable(CAP_IPC_LOCK)) { if (again) goto asked; return 0; } return -ENOENT */
    FUNC(either)
    ENTRY
    LABEL(either_body)
    LINE(50, 6)
	"cmp $4, %edi\n"
	"jle k_either_fine\n"
	"k_either_asked:\n"
    IS(last, 14, either)
    LABEL(either_je)
	"je k_either_bad\n"
	"jmp k_either_fine\n"
    ENDS(either, "cmp $9, %edx\n" "je k_either_asked\n" SUCCEEDS)
    /* The same, but other numbers lead elsewhere, and from there to the question. */
    FUNC(around)
    ENTRY
    LABEL(around_body)
    LINE(50, 6)
	"cmp $4, %edi\n"
	"jle k_around_other\n"
	"k_around_asked:\n"
    IS(last, 14, around)
    LABEL(around_je)
	"je k_around_bad\n"
    ENDS(around, SUCCEEDS "k_around_other: cmp $9, %edx\n" "je k_around_asked\n" SUCCEEDS)
    /* if (sysctl_protects && count(number, other) && !capable(CAP_FOWNER)) return -ENOENT; return 0 */
    FUNC(switched)
    ENTRY
    LABEL(switched_body)
    LINE(50, 6)
	"test %r12d, %r12d\n"
	"je k_switched_fine\n"
    LABEL(switched_counts)
	"call k_count\n"
    LABEL(switched_counted)
	"test %eax, %eax\n"
	"je k_switched_fine\n"
    IS(last, 3, switched)
    LABEL(switched_je)
	"je k_switched_bad\n"
    ENDS(switched, SUCCEEDS)
    /* if (sysctl_protects < count(number, other) && !capable(CAP_SYS_RESOURCE)) return -ENOENT; return 0 */
    FUNC(counted)
    ENTRY
    LABEL(counted_body)
    LABEL(counted_counts)
	"call k_count\n"
    LABEL(counted_counted)
    LINE(50, 6)
	"cmp %eax, %r12d\n"
	"jge k_counted_fine\n"
    IS(last, 24, counted)
    LABEL(counted_je)
	"je k_counted_bad\n"
    ENDS(counted, SUCCEEDS)
    /* if (VALUE < sysctl_protects && !capable(CAP_NET_BIND_SERVICE)) return -ENOENT; return 0; VALUE is in r9 */
    FUNC(unnamed)
    ENTRY
    LABEL(unnamed_body)
    LINE(50, 6)
	"cmp %r12d, %r9d\n"
	"jge k_unnamed_fine\n"
    IS(last, 10, unnamed)
    LABEL(unnamed_je)
	"je k_unnamed_bad\n"
    ENDS(unnamed, SUCCEEDS)
    /* return number <= 4 || capable(CAP_SYS_NICE) ? 0 : -ENOENT */
    FUNC(computes)
    ENTRY
    LABEL(computes_body)
    LINE(50, 6)
	"xor %eax, %eax\n"
	"cmp $4, %edi\n"
	"jle k_computes_ret\n"
	"mov $23, %edi\n"
    LABEL(computes_last)
	"call k_capable\n"
    LABEL(computes_last_called)
    LINE(60, 6)
	"cmp $1, %al\n"
	"sbb %eax, %eax\n"
	"and $-2, %eax\n"
    LABEL(computes_ret)
	"ret\n"
    END(computes)
    /* return number & 0x4000 ? (other & 0x400000 ? 0 : -ENOENT) : 0 */
    FUNC(masks)
    ENTRY
    LABEL(masks_body)
    LINE(50, 6)
	"xor %eax, %eax\n"
	"test $0x4000, %edi\n"
	"je k_masks_ret\n"
    LINE(60, 6)
	"mov %esi, %eax\n"
	"and $0x400000, %eax\n"
	"cmp $1, %eax\n"
	"sbb %eax, %eax\n"
	"and $-2, %eax\n"
    LABEL(masks_ret)
	"ret\n"
    END(masks)
    /* return number > 4 || other == 3 ? capable(CAP_SYS_NICE) - 1 : 0 */
    FUNC(one_of)
    ENTRY
    LABEL(one_of_body)
    LINE(50, 6)
	"cmp $4, %edi\n"
    LABEL(one_of_jg)
	"jg k_one_of_asks\n"
	"cmp $3, %esi\n"
	"jne k_one_of_fine\n"
    LABEL(one_of_asks)
	"mov $23, %edi\n"
    LABEL(one_of_last)
	"call k_capable\n"
    LABEL(one_of_last_called)
	"movzbl %al, %eax\n"
	"sub $1, %eax\n"
    LABEL(one_of_ret)
	"ret\n"
    LABEL(one_of_fine)
	"xor %eax, %eax\n"
	"ret\n"
    END(one_of)
    /* if ((number > 4 || other == 3) && !capable(CAP_SYS_NICE)) return -ENOENT; return 0 */
    FUNC(ways)
    ENTRY
    LABEL(ways_body)
    LINE(50, 6)
	"cmp $4, %edi\n"
    LABEL(ways_jg)
	"jg k_ways_asks\n"
	"cmp $3, %esi\n"
	"jne k_ways_fine\n"
    LABEL(ways_asks)
    IS(last, 23, ways)
    LABEL(ways_je)
	"je k_ways_bad\n"
    ENDS(ways, SUCCEEDS)
    /* if (number <= 4) other = 3; if (!capable(CAP_SYS_NICE)) return -ENOENT; return 0 */
    FUNC(always)
    ENTRY
    LABEL(always_body)
    LINE(50, 6)
	"cmp $4, %edi\n"
    LABEL(always_jg)
	"jg k_always_asks\n"
	"mov $3, %esi\n"
    LABEL(always_asks)
    IS(last, 23, always)
    LABEL(always_je)
	"je k_always_bad\n"
    ENDS(always, SUCCEEDS)
    /* if (other == 3) *(int *)flag = 1; if (number > 4 && !capable(CAP_SYS_NICE)) return -ENOENT; return 0 */
    FUNC(beforehand)
    ENTRY
    LABEL(beforehand_body)
    LINE(50, 6)
	"cmp $3, %esi\n"
	"jne 1f\n"
	"movl $1, (%rdx)\n"
    LINE(52, 6)
	"1: cmp $4, %edi\n"
	"jle k_beforehand_fine\n"
    IS(last, 23, beforehand)
    LABEL(beforehand_je)
	"je k_beforehand_bad\n"
    ENDS(beforehand, SUCCEEDS)
    /* if (is_above(number, 4) && !capable(CAP_SYS_NICE)) return -ENOENT; return 0 */
    FUNC(inlines)
    ENTRY
    LABEL(inlines_body)
    INLINED_OWN(50, 7)
	"cmp $4, %edi\n"
	"jle k_inlines_fine\n"
    LINE(58, 6)
    IS(last, 23, inlines)
    LABEL(inlines_je)
	"je k_inlines_bad\n"
    ENDS(inlines, SUCCEEDS)
    /* if ((number > 4 || other == 3) && !capable(CAP_SYSLOG)) { if (!capable(CAP_SYS_ADMIN)) return -2; count(); } */
    FUNC(warns)
    ENTRY
    LABEL(warns_body)
    LINE(50, 6)
	"cmp $4, %edi\n"
    LABEL(warns_jg)
	"jg k_warns_asks\n"
	"cmp $3, %esi\n"
	"jne k_warns_fine\n"
    LABEL(warns_asks)
    IS(first, 34, warns)
	"jne k_warns_fine\n"
    IS(last, 21, warns)
    LABEL(warns_je)
	"je k_warns_bad\n"
	"call k_count\n"
    ENDS(warns, SUCCEEDS)
    /* if (is_above(number, 4)) { if (!capable(CAP_SYS_NICE)) return -ENOENT; return 0; } return 1 */
    FUNC(apart)
    ENTRY
    LABEL(apart_body)
    INLINED_OWN(50, 7)
	"cmp $4, %edi\n"
	"jle k_apart_other\n"
    LINE(58, 6)
    IS(last, 23, apart)
    LABEL(apart_je)
	"je k_apart_bad\n"
    ENDS(apart, SUCCEEDS "k_apart_other: mov $1, %eax\n" "ret\n")
    /* return count(number, other) == number || capable(CAP_SYS_NICE) ? 0 : -EPERM */
    FUNC(owners)
    ENTRY
    LABEL(owners_body)
    LINE(50, 6)
	"push %rbx\n"
	"mov %edi, %ebx\n"
    LABEL(owners_counts)
	"call k_count\n"
    LABEL(owners_counted)
	"cmp %ebx, %eax\n"
	"je k_owners_fine\n"
	"mov $23, %edi\n"
    LABEL(owners_last)
	"call k_capable\n"
    LABEL(owners_last_called)
	"movzbl %al, %eax\n"
	"sub $1, %eax\n"
    LABEL(owners_out)
	"pop %rbx\n"
    LABEL(owners_ret)
	"ret\n"
    LABEL(owners_fine)
	"xor %eax, %eax\n"
	"jmp k_owners_out\n"
    END(owners)
    /* if (!capable(CAP_SYS_NICE)) { if (number > 4 && !other) return -EPERM; } return 0 */
    FUNC(behind)
    ENTRY
    LABEL(behind_body)
    LINE(50, 6)
	"push %rbx\n"
	"push %rbp\n"
	"mov %edi, %ebx\n"
	"mov %esi, %ebp\n"
	"mov $23, %edi\n"
    LABEL(behind_last)
	"call k_capable\n"
    LABEL(behind_last_called)
	"test %al, %al\n"
	"jne k_behind_fine\n"
    LINE(60, 6)
	"cmp $4, %ebx\n"
	"jle k_behind_fine\n"
	"test %ebp, %ebp\n"
	"jne k_behind_fine\n"
	"mov $-1, %eax\n"
    LABEL(behind_out)
	"pop %rbp\n"
	"pop %rbx\n"
    LABEL(behind_ret)
	"ret\n"
    LABEL(behind_fine)
	"xor %eax, %eax\n"
	"jmp k_behind_out\n"
    END(behind)
    /* capable(CAP_SYS_NICE); the same */
    FUNC(beside)
    ENTRY
    LABEL(beside_body)
    LINE(50, 6)
	"push %rbx\n"
	"mov %edi, %ebx\n"
	"mov $23, %edi\n"
    LABEL(beside_last)
	"call k_capable\n"
    LABEL(beside_last_called)
	"test %al, %al\n"
	"jne k_beside_asked\n"
	"nop\n"
    LABEL(beside_asked)
    LINE(60, 6)
	"cmp $4, %ebx\n"
	"jle k_beside_fine\n"
	"mov $-1, %eax\n"
    LABEL(beside_out)
	"pop %rbx\n"
    LABEL(beside_ret)
	"ret\n"
    LABEL(beside_fine)
	"xor %eax, %eax\n"
	"jmp k_beside_out\n"
    END(beside)
    USER);
/* clang-format on */

enum {
	CAPABLE,
	COUNT,
	LIMITED,
	RANGES,
	EITHER,
	AROUND,
	SWITCHED,
	COUNTED,
	UNNAMED,
	COMPUTES,
	MASKS,
	BEHIND, BESIDE, OWNERS, ONE_OF, WAYS, ALWAYS, BEFOREHAND, INLINES, WARNS, APART,
	NR_FUNCS,
};

static const char *const func_names[NR_FUNCS] = {
	[CAPABLE] = "capable", [COUNT] = "count",	[LIMITED] = "limited", [RANGES] = "ranges",	 [EITHER] = "either",
	[AROUND] = "around",   [SWITCHED] = "switched", [COUNTED] = "counted", [UNNAMED] = "unnamed", [COMPUTES] = "computes",
	[MASKS] = "masks", [BEHIND] = "behind", [BESIDE] = "beside", [OWNERS] = "owners",
	[ONE_OF] = "one_of", [WAYS] = "ways", [ALWAYS] = "always", [BEFOREHAND] = "beforehand", [INLINES] = "inlines",
	[WARNS] = "warns", [APART] = "apart",
};

#include "decision_play.h"

/* bool capable(int cap); int NAME(int number, int other) */
static struct kernel_btf *types_of_functions(void)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int boolean = btf__add_int(b, "bool", 1, BTF_INT_BOOL);
	struct kernel_btf *btf;

	for (int i = 0; i < NR_FUNCS; i++) {
		int proto = btf__add_func_proto(b, i == CAPABLE ? boolean : i32);

		btf__add_func_param(b, i == CAPABLE ? "cap" : "number", i32);
		if (i != CAPABLE)
			btf__add_func_param(b, "other", i32);
		btf__add_func(b, func_names[i], BTF_FUNC_STATIC, proto);
	}
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

static const struct test_variable setting_in_r12 = {
	false, X86_R12, 0, { .name = "sysctl_protects", .type = { VARIABLE_NUMBER, "int", 0, 0, 4, 4 } }
};

#define ASKED(name, test)                           \
	do {                                        \
		TOOK(name##_##test, capable)    ;   \
		TOOK(capable_ret, name##_##test##_called); \
	} while (0)

#define DECIDED_AS(func, result)                                \
	do {                                                    \
		self->btf = types_of_functions();               \
		ASSERT_NE(NULL, self->btf);                     \
		decided(self, func, result);                    \
		kernel_btf_free(self->btf);                     \
	} while (0)
#define DECIDED(func) DECIDED_AS(func, -ENOENT)

#define REFUSED(name, func, sure, expected)                                    \
	do {                                                                \
		ASKED(name, last);                                          \
		TOOK(name##_je, name##_bad);                                \
		RETURNED(name##_ret);                                       \
		DECIDED(func);                                              \
		EXPECT_BRANCH(DECISION_TAKEN, name##_je, 60, sure);         \
		EXPECT_STREQ(expected, self->condition.text);               \
	} while (0)

TEST_F(decision, a_capability_is_the_way_around_a_limit)
{
	CALLED(limited_body);
	ASKED(limited, first);
	REFUSED(limited, LIMITED, true, "!capable(CAP_IPC_LOCK)");
	EXPECT_STREQ("number > 4 && other != 3 && !capable(CAP_SYS_ADMIN)", self->condition.after);
	self->nr = 0;
	CALLED(ranges_body);
	REFUSED(ranges, RANGES, true, "!capable(CAP_NET_RAW)");
	EXPECT_STREQ("(number < 1 || number > 10) && other != 3", self->condition.after);
}

TEST_F(decision, what_leads_to_the_same_code_as_the_capability_is_told)
{
	CALLED(either_body);
	REFUSED(either, EITHER, true, "!capable(CAP_IPC_LOCK)");
	EXPECT_STREQ("number > 4", self->condition.after);
	self->nr = 0;
	CALLED(around_body);
	REFUSED(around, AROUND, true, "!capable(CAP_IPC_LOCK)");
	EXPECT_EQ(NULL, self->condition.after);
}

TEST_F(decision, a_setting_that_switches_a_check_on_is_told)
{
	self->symbolizer.variables[0] = setting_in_r12;
	CALLED(switched_body);
	TOOK(switched_counts, count);
	TOOK(count_ret, switched_counted);
	REFUSED(switched, SWITCHED, true, "!capable(CAP_FOWNER)");
	EXPECT_STREQ("sysctl_protects != 0", self->condition.after);
}

TEST_F(decision, a_result_that_is_compared_as_a_number_is_told)
{
	self->symbolizer.variables[0] = setting_in_r12;
	CALLED(counted_body);
	TOOK(counted_counts, count);
	TOOK(count_ret, counted_counted);
	REFUSED(counted, COUNTED, true, "!capable(CAP_SYS_RESOURCE)");
	EXPECT_STREQ("sysctl_protects < count(number, other)", self->condition.after);
}

TEST_F(decision, a_limit_has_its_name_where_the_other_number_has_none)
{
	self->symbolizer.variables[0] = setting_in_r12;
	CALLED(unnamed_body);
	REFUSED(unnamed, UNNAMED, true, "!capable(CAP_NET_BIND_SERVICE)");
	EXPECT_STREQ("(u32)r9 < sysctl_protects", self->condition.after);
}

TEST_F(decision, a_capability_whose_answer_is_the_result_is_the_way_around_a_limit)
{
	CALLED(computes_body);
	ASKED(computes, last);
	RETURNED(computes_ret);
	DECIDED(COMPUTES);
	EXPECT_STREQ("!capable(CAP_SYS_NICE)", self->condition.text);
	EXPECT_STREQ("number > 4", self->condition.after);
}

TEST_F(decision, what_decided_with_a_flag_that_the_result_was_computed_of_is_told)
{
	CALLED(masks_body);
	RETURNED(masks_ret);
	DECIDED(MASKS);
	EXPECT_STREQ("!(other & 0x400000)", self->condition.text);
	EXPECT_STREQ("number & 0x4000", self->condition.after);
}

TEST_F(decision, two_values_that_differ_before_a_computed_result_are_told)
{
	CALLED(owners_body);
	TOOK(owners_counts, count);
	TOOK(count_ret, owners_counted);
	ASKED(owners, last);
	RETURNED(owners_ret);
	DECIDED_AS(OWNERS, -EPERM);
	EXPECT_STREQ("!capable(CAP_SYS_NICE)", self->condition.text);
	EXPECT_STREQ("count(number, other) != number", self->condition.after ?: "");
}

TEST_F(decision, one_of_two_conditions_before_a_computed_result_is_told)
{
	CALLED(one_of_body);
	TOOK(one_of_jg, one_of_asks);
	ASKED(one_of, last);
	RETURNED(one_of_ret);
	DECIDED_AS(ONE_OF, -EPERM);
	EXPECT_STREQ("!capable(CAP_SYS_NICE)", self->condition.text);
	EXPECT_STREQ("number > 4", self->condition.after ?: "");
}

TEST_F(decision, one_of_two_conditions_why_a_capability_was_asked_for_is_told)
{
	CALLED(ways_body);
	TOOK(ways_jg, ways_asks);
	REFUSED(ways, WAYS, true, "!capable(CAP_SYS_NICE)");
	EXPECT_STREQ("number > 4", self->condition.after ?: "");
	/* It is asked for in any case. */
	self->nr = 0;
	CALLED(always_body);
	TOOK(always_jg, always_asks);
	REFUSED(always, ALWAYS, true, "!capable(CAP_SYS_NICE)");
	EXPECT_EQ(NULL, self->condition.after);
	/* What came before the limit has nothing to do with it. */
	self->nr = 0;
	CALLED(beforehand_body);
	REFUSED(beforehand, BEFOREHAND, true, "!capable(CAP_SYS_NICE)");
	EXPECT_STREQ("number > 4", self->condition.after ?: "");
}

TEST_F(decision, why_another_capability_was_asked_for_is_told)
{
	CALLED(warns_body);
	TOOK(warns_jg, warns_asks);
	ASKED(warns, first);
	REFUSED(warns, WARNS, true, "!capable(CAP_SYS_ADMIN)");
	EXPECT_STREQ("number > 4 && !capable(CAP_SYSLOG)", self->condition.after ?: "");
}

TEST_F(decision, a_limit_that_an_inlined_function_asked_for_is_told)
{
	CALLED(inlines_body);
	REFUSED(inlines, INLINES, true, "!capable(CAP_SYS_NICE)");
	EXPECT_STREQ("number > 4", self->condition.after ?: "");
	self->nr = 0;
	CALLED(apart_body);
	REFUSED(apart, APART, true, "!capable(CAP_SYS_NICE)");
	EXPECT_STREQ("number > 4", self->condition.after ?: "");
}

TEST_F(decision, a_capability_that_was_refused_before_is_told)
{
	CALLED(behind_body);
	ASKED(behind, last);
	RETURNED(behind_ret);
	DECIDED_AS(BEHIND, -EPERM);
	EXPECT_STREQ("other == 0", self->condition.text);
	EXPECT_STREQ("!capable(CAP_SYS_NICE) && number > 4", self->condition.after);
	/* It would have failed with the capability, too. */
	self->nr = 0;
	CALLED(beside_body);
	ASKED(beside, last);
	RETURNED(beside_ret);
	DECIDED_AS(BESIDE, -EPERM);
	EXPECT_STREQ("number > 4", self->condition.text);
	EXPECT_EQ(NULL, self->condition.after);
}

#endif

TEST_HARNESS_MAIN
