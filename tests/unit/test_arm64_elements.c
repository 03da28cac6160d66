// SPDX-License-Identifier: BSD-2-Clause
/*
 * Elements of arrays, and the program's memory, in arm64's code. What reads it is built into this test, in place of
 * what is for this machine.
 */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "decision_tests.h"
#include "util/explain/condition.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand.h"
#include "util/kernel/arch/arm64/code.c"
#include "util/kernel/arch/arm64/decode.c"
#include "util/kernel/arch/arm64/instruction.c"
#include "util/kernel/arch/arm64/jump_table.c"
#include "util/kernel/arch/arm64/operands.c"
#include "util/kernel/arch/arm64/routines.c"
#include "util/kernel/numbers/number_text.h"
#include "util/kernel/symbols/data_symbols.h"
#include "util/kernel/types/btf.h"

/* clang-format off */
#define W(word) ".long " #word "\n"
/* if (TEST) return -ENOENT; return 0; TEST ends with what "b.eq" tests. */
#define A64_TESTS(name, test)                 \
	FUNC(name)                            \
	W(0xd503201f) /* nop */               \
	W(0xd503201f) /* nop */               \
	LABEL(name##_body)                    \
	test                                  \
	LABEL(name##_jump)                    \
	W(0x54000060) /* b.eq name_bad */     \
	W(0x52800000) /* mov w0, #0 */        \
	W(0xd65f03c0) /* ret */               \
	LABEL(name##_bad)                     \
	W(0x12800020) /* mov w0, #-2 */       \
	LABEL(name##_ret)                     \
	W(0xd65f03c0) /* ret */               \
	END(name)
#define CMP_X2 W(0xf100145f) /* cmp x2, #5 */
#define CMP_W2 W(0x7100145f) /* cmp w2, #5 */

/* int NAME(struct ucounts *uc, unsigned long type, int *user, int n, long *number) */
asm(KERNEL
    FUNC(foo) LABEL(foo_ret) W(0xd65f03c0) END(foo)
    /* add x2, x0, x1, lsl #3; ldr x2, [x2, #8] */
    A64_TESTS(counts, W(0x8b010c02) W(0xf9400442) CMP_X2)
    /* add x2, x0, w3, sxtw #3; ldr x2, [x2, #8] */
    A64_TESTS(signs, W(0x8b23cc02) W(0xf9400442) CMP_X2)
    /* ldr x2, [x0, #40]; ldr x2, [x2, x1, lsl #3] */
    A64_TESTS(buckets, W(0xf9401402) W(0xf8617842) CMP_X2)
    /* ldr x2, [x0, #40]; ldr x2, [x2, w3, sxtw #3] */
    A64_TESTS(places, W(0xf9401402) W(0xf863d842) CMP_X2)
    /* ldr x2, [x0, #40]; ldr x2, [x2, x9, lsl #3] */
    A64_TESTS(unknowns, W(0xf9401402) W(0xf8697842) CMP_X2)
    /* sbfiz x2, x3, #3, #32; add x2, x2, x0; ldr x2, [x2, #8] */
    A64_TESTS(fields, W(0x937d7c62) W(0x8b000042) W(0xf9400442) CMP_X2)
    /* lsl x2, x1, #3; add x2, x0, x2; ldr x2, [x2, #8] */
    A64_TESTS(shifts, W(0xd37df022) W(0x8b020002) W(0xf9400442) CMP_X2)
    /* add x2, x1, #1; ldr x2, [x0, x2, lsl #3] */
    A64_TESTS(added, W(0x91000422) W(0xf8627802) CMP_X2)
    /* add x2, x0, #48; ldrb w2, [x2, x1] */
    A64_TESTS(bytes, W(0x9100c002) W(0x38616842) CMP_W2)
    /* add x2, x0, x1, lsl #3; ldr x2, [x2, #16] */
    A64_TESTS(later, W(0x8b010c02) W(0xf9400842) CMP_X2)
    /* add x2, x0, x1, lsl #2; ldr x2, [x2, #8] */
    A64_TESTS(strides, W(0x8b010802) W(0xf9400442) CMP_X2)
    /* add x2, x0, x1, lsr #3; ldr x2, [x2, #8] */
    A64_TESTS(halves, W(0x8b410c02) W(0xf9400442) CMP_X2)
    /* add w3, w3, #1; add x2, x0, w3, sxtw #3; ldr x2, [x2, #8] */
    A64_TESTS(nexts, W(0x11000463) W(0x8b23cc02) W(0xf9400442) CMP_X2)
    /* and x2, x2, #0xff7fffffffffffff; ldtr w2, [x2] */
    A64_TESTS(users, W(0x9248f842) W(0xb8400842) CMP_W2)
    /* and x2, x4, #0xfeffffffffffffff; ldr x2, [x2] */
    A64_TESTS(others, W(0x9247f882) W(0xf9400042) CMP_X2)
    /* adrp x2, PAGE; ldr x2, [x2, #0xff8] */
    A64_TESTS(globals, W(0x90000002) W(0xf947fc42) CMP_X2)
    /* adrp x2, PAGE; add x2, x2, #0xff0; ldr x2, [x2, #8] */
    A64_TESTS(members, W(0x90000002) W(0x913fc042) W(0xf9400442) CMP_X2)
    /* adrp x2, PAGE; add x4, x2, #0xf00; add x3, x4, #0xf0; ldr x2, [x3, #8] */
    A64_TESTS(sums, W(0x90000002) W(0x913c0044) W(0x9103c083) W(0xf9400462) CMP_X2)
    /* ldr x1, [x0]; mov x2, #0x900; and x1, x1, x2; cmp x1, x2 */
    A64_TESTS(masks, W(0xf9400001) W(0xd2812002) W(0x8a020021) W(0xeb02003f))
    /* and w1, w3, #0x1ffffffc; and w1, w1, #~0x8; cmp w1, #4 */
    A64_TESTS(both, W(0x121e6861) W(0x121c7821) W(0x7100103f))
    /* ldr x2, [x0]; orr x2, x2, x1; cmp x2, #0 */
    A64_TESTS(eithers, W(0xf9400002) W(0xaa010042) W(0xf100005f))
    /* ldr x2, [x0]; orr x2, x2, x1, lsl #8; cmp x2, #0 */
    A64_TESTS(shifted, W(0xf9400002) W(0xaa012042) W(0xf100005f))
    /* adrp x2, PAGE; ldr x2, [x2, #0xff0] */
    A64_TESTS(befores, W(0x90000002) W(0xf947f842) CMP_X2)
    /* adrp x0, PAGE; add x22, x0, #0xfe0; ldr x2, [x22]; cmp x2, x22 */
    A64_TESTS(lists, W(0x90000000) W(0x913f8016) W(0xf94002c2) W(0xeb16005f))
    /* adrp x2, PAGE; add x2, x2, #0xfd0; ldr x2, [x2, x1, lsl #3] */
    A64_TESTS(tables, W(0x90000002) W(0x913f4042) W(0xf8617842) CMP_X2)
    USER);
/* clang-format on */

#define EACH_FUNC(do)                                                                                        \
	do(COUNTS, counts) do(SIGNS, signs) do(BUCKETS, buckets) do(PLACES, places) do(UNKNOWNS, unknowns)   \
	do(FIELDS, fields) do(SHIFTS, shifts) do(ADDED, added) do(BYTES, bytes) do(LATER, later)             \
	do(STRIDES, strides) do(HALVES, halves) do(NEXTS, nexts) do(USERS, users) do(OTHERS, others)    \
	do(GLOBALS, globals) do(MEMBERS, members) do(BEFORES, befores) do(LISTS, lists) do(TABLES, tables) do(SUMS, sums) \
	do(MASKS, masks) do(BOTH, both) do(EITHERS, eithers) do(SHIFTED, shifted)

#include "decision_play.h"

static void add_types(FIXTURE_DATA(decision) *self)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED), u32 = btf__add_int(b, "unsigned int", 4, 0);
	int i64 = btf__add_int(b, "long", 8, BTF_INT_SIGNED), u64 = btf__add_int(b, "unsigned long", 8, 0);
	int u8 = btf__add_int(b, "unsigned char", 1, 0), counter, counters, bucket, name, ucounts;

	counter = btf__add_struct(b, "counter", 8);
	btf__add_field(b, "counter", i64, 0, 0);
	counters = btf__add_array(b, u32, counter, 4);
	name = btf__add_array(b, u32, u8, 16);
	bucket = btf__add_struct(b, "bucket", 8);
	btf__add_field(b, "first", u64, 0, 0);
	bucket = btf__add_ptr(b, bucket);
	ucounts = btf__add_struct(b, "ucounts", 64);
	btf__add_field(b, "flags", u64, 0, 0);
	btf__add_field(b, "ucount", counters, 8 * 8, 0);
	btf__add_field(b, "buckets", bucket, 40 * 8, 0);
	btf__add_field(b, "name", name, 48 * 8, 0);
	ucounts = btf__add_ptr(b, ucounts);
	i64 = btf__add_ptr(b, i64);
	u32 = btf__add_ptr(b, i32);
	for (int i = 0; i < NR_FUNCS; i++) {
		int proto = btf__add_func_proto(b, i32);

		btf__add_func_param(b, "uc", ucounts);
		btf__add_func_param(b, "type", u64);
		btf__add_func_param(b, "user", u32);
		btf__add_func_param(b, "n", i32);
		btf__add_func_param(b, "number", i64);
		btf__add_func(b, func_names[i], BTF_FUNC_STATIC, proto);
	}
	if (kernel_btf_from(b, &self->btf))
		abort();
}

TEST_F(decision, an_element_by_its_index)
{
	add_types(self);
	EXPECT_TEXT(counts, COUNTS, "uc->ucount[type].counter == 5");
	EXPECT_TEXT(signs, SIGNS, "uc->ucount[n].counter == 5");
	EXPECT_TEXT(buckets, BUCKETS, "uc->buckets[type].first == 5");
	EXPECT_TEXT(places, PLACES, "uc->buckets[n].first == 5");
	EXPECT_TEXT(unknowns, UNKNOWNS, "uc->buckets[...].first == 5");
	EXPECT_TEXT(fields, FIELDS, "uc->ucount[n].counter == 5");
	EXPECT_TEXT(shifts, SHIFTS, "uc->ucount[type].counter == 5");
	EXPECT_TEXT(added, ADDED, "uc->ucount[type].counter == 5");
	EXPECT_TEXT(bytes, BYTES, "uc->name[type] == 5");
	kernel_btf_free(self->btf);
}

TEST_F(decision, what_is_no_whole_element_of_an_array)
{
	add_types(self);
	/* "[type + 1]", or another member's; two elements at once; half of the index. */
	EXPECT_TEXT(later, LATER, "x2 == 5");
	EXPECT_TEXT(strides, STRIDES, "x2 == 5");
	EXPECT_TEXT(halves, HALVES, "x2 == 5");
	EXPECT_TEXT(nexts, NEXTS, "uc->ucount[...].counter == 5");
	kernel_btf_free(self->btf);
}

TEST_F(decision, the_address_of_the_program_s_memory_is_kept_by_the_mask_of_the_access)
{
	add_types(self);
	EXPECT_TEXT(users, USERS, "*user == 5");
	EXPECT_TEXT(others, OTHERS, "x2 == 5");
	kernel_btf_free(self->btf);
}

TEST_F(decision, an_address_goes_on_by_a_sum_of_two_registers)
{
	const struct code_source code = { read_test_code, &self->readable };
	struct code_reader reader;

	code_reader_init(&reader, &self->symbolizer, &code);
	EXPECT_FALSE(code_leaves_alone(&reader, AT(counts_body), arm64_x(0)));
	EXPECT_FALSE(code_leaves_alone(&reader, AT(counts_body), arm64_x(1)));
	EXPECT_FALSE(code_leaves_alone(&reader, AT(counts_body), arm64_x(2)));
	EXPECT_TRUE(code_leaves_alone(&reader, AT(globals_body) + 4, arm64_x(0)));
	code_reader_release(&reader);
}

TEST_F(decision, bits_by_a_mask_in_a_register_or_by_two_masks)
{
	add_types(self);
	EXPECT_TEXT(masks, MASKS, "(uc->flags & 0x900) == 0x900");
	EXPECT_TEXT(both, BOTH, "(n & 0x1ffffff4) == 0x4");
	kernel_btf_free(self->btf);
}

TEST_F(decision, an_or_of_two_values_that_is_0_is_two_conditions)
{
	add_types(self);
	EXPECT_TEXT(eithers, EITHERS, "uc->flags == 0 && type == 0");
	EXPECT_TEXT(shifted, SHIFTED, "(uc->flags | (type << 8)) == 0");
	kernel_btf_free(self->btf);
}

#define PAGE(label) (AT(label) & ~0xfffull)

TEST_F(decision, variables_of_the_kernel_by_the_page_and_the_place_there)
{
	char name[] = "mmap_min_addr", other_name[] = "mmap_min_addr", sum_name[] = "mmap_min_addr";
	const struct data_symbol variable = { PAGE(globals_body) + 0xff8, name };
	const struct data_symbol other = { PAGE(members_body) + 0xff8, other_name };
	const struct data_symbol of_sum = { PAGE(sums_body) + 0xff8, sum_name };
	const struct data_symbol nothing = { PAGE(befores_body) + 0xff0, NULL };
	struct data_symbols data = {};

	add_types(self);
	ASSERT_EQ(0, vec_push(&data.v, variable));
	ASSERT_EQ(0, vec_push(&data.v, other));
	ASSERT_EQ(0, vec_push(&data.v, of_sum));
	ASSERT_EQ(0, vec_push(&data.v, nothing));
	self->data = &data;
	EXPECT_TEXT(globals, GLOBALS, "mmap_min_addr == 5");
	EXPECT_TEXT(members, MEMBERS, "mmap_min_addr == 5");
	/* One address may be made of another one, which is still in its register. */
	EXPECT_TEXT(sums, SUMS, "mmap_min_addr == 5");
	EXPECT_TEXT(befores, BEFORES, "x2 == 5");
	vec_release(&data.v);
	kernel_btf_free(self->btf);
}

TEST_F(decision, an_element_of_a_variable)
{
	char name[] = "net_families";
	const struct data_symbol table = { PAGE(tables_body) + 0xfd0, name };
	const struct data_symbol nothing = { PAGE(tables_body) + 0xfd8, NULL };
	struct data_symbols data = {};

	add_types(self);
	ASSERT_EQ(0, vec_push(&data.v, table));
	ASSERT_EQ(0, vec_push(&data.v, nothing));
	self->data = &data;
	EXPECT_TEXT(tables, TABLES, "net_families[type] == 5");
	vec_release(&data.v);
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_list_whose_head_is_a_variable)
{
	char name[] = "alg_types";
	const struct data_symbol head = { PAGE(lists_body) + 0xfe0, name };
	struct data_symbols data = {};
	char expected[80];

	add_types(self);
	ASSERT_EQ(0, vec_push(&data.v, head));
	self->data = &data;
	/* Far from the kernel's code, the head itself has no name here; one address in 1,000 is a round number. */
	snprintf(expected, sizeof(expected),
		 number_is_round(head.addr) ? "alg_types == %llu (the list is empty)" :
					      "alg_types == 0x%llx (the list is empty)",
		 (unsigned long long)head.addr);
	EXPECT_TEXT(lists, LISTS, expected);
	vec_release(&data.v);
	kernel_btf_free(self->btf);
}

/* "x2 = x0 + x1 (8) * 8, 4 bytes"; "" for an instruction that is not taken. */
static const char *element_of(uint32_t word)
{
	static char text[80];
	struct insn_element made;

	*text = '\0';
	if (operands_element((const uint8_t *)&word, sizeof(word), &made))
		snprintf(text, sizeof(text), "%s%s%s + %s (%d) * %u, %d", code_register_name(made.to.reg),
			 made.is_address ? " = &" : " = ", made.has_base ? code_register_name(made.base) : "0",
			 code_register_name(made.index), made.index_size, made.scale, made.size);
	return text;
}

TEST(addresses_of_two_registers)
{
	EXPECT_STREQ("x2 = x2 + x1 (8) * 8, 8", element_of(0xf8617842)); /* ldr x2, [x2, x1, lsl #3] */
	EXPECT_STREQ("x2 = x2 + x3 (4) * 8, 8", element_of(0xf8635842)); /* ldr x2, [x2, w3, uxtw #3] */
	EXPECT_STREQ("x2 = x2 + x1 (8) * 1, 8", element_of(0xf8616842)); /* ldr x2, [x2, x1] */
	EXPECT_STREQ("x2 = x2 + x1 (8) * 4, 4", element_of(0xb8a17842)); /* ldrsw x2, [x2, x1, lsl #2] */
	EXPECT_STREQ("x2 = &x0 + x3 (4) * 8, 0", element_of(0x8b23cc02)); /* add x2, x0, w3, sxtw #3 */
	EXPECT_STREQ("x2 = &0 + x3 (4) * 8, 0", element_of(0xd37d7c62)); /* ubfiz x2, x3, #3, #32 */
	EXPECT_STREQ("x2 = &0 + x1 (8) * 8, 0", element_of(0xd37df022)); /* lsl x2, x1, #3 */
	EXPECT_STREQ("", element_of(0xd37d3c62)); /* ubfiz x2, x3, #3, #16 */
	EXPECT_STREQ("", element_of(0x93407c62)); /* sxtw x2, w3 */
	EXPECT_STREQ("", element_of(0x0b010c02)); /* add w2, w0, w1, lsl #3 */
	EXPECT_STREQ("", element_of(0x8b01a002)); /* add x2, x0, x1, lsl #40 */
	EXPECT_STREQ("", element_of(0x8b218c02)); /* add x2, x0, w1, sxtb #3 */
	EXPECT_STREQ("", element_of(0xf8617be2)); /* ldr x2, [sp, x1, lsl #3] */
	EXPECT_STREQ("", element_of(0xf8217802)); /* str x2, [x0, x1, lsl #3] */
	EXPECT_STREQ("", element_of(0xf87f6802)); /* ldr x2, [x0, xzr] */
	EXPECT_STREQ("", element_of(0x3ce16802)); /* ldr q2, [x0, x1] */
	EXPECT_STREQ("", element_of(0xcb020020)); /* sub x0, x1, x2 */
}

/* "x0 = sp" where the address of a place on the stack is taken; "" for another instruction. */
static const char *stack_address_of(uint32_t word)
{
	static char text[40];
	struct insn_operands made;

	*text = '\0';
	operands_decode((const uint8_t *)&word, sizeof(word), &made);
	if (made.kind == OPERANDS_ADDRESS && made.b.reg == REG_STACK)
		snprintf(text, sizeof(text), "%s = sp%s", code_register_name(made.a.reg),
			 made.b.kind == OPERAND_MEMORY ? " + number" : "");
	return text;
}

TEST(an_address_on_the_stack_may_be_a_sum_of_two_registers)
{
	EXPECT_STREQ("x0 = sp + number", stack_address_of(0x910023e0)); /* add x0, sp, #8 */
	EXPECT_STREQ("x0 = sp", stack_address_of(0x8b2263e0)); /* add x0, sp, x2 */
	EXPECT_STREQ("x0 = sp", stack_address_of(0x8b226fe0)); /* add x0, sp, x2, lsl #3 */
	EXPECT_STREQ("", stack_address_of(0x8b0203e0)); /* add x0, xzr, x2 */
	EXPECT_STREQ("", stack_address_of(0x8b2263ff)); /* add sp, sp, x2 */
	EXPECT_STREQ("", stack_address_of(0xcb2263e0)); /* sub x0, sp, x2 */
}

TEST_HARNESS_MAIN
