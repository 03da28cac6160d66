// SPDX-License-Identifier: BSD-2-Clause
/* Elements of arrays by an index that is not a constant, and structs that are passed as numbers are. */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "decision_tests.h"
#include "util/kernel/symbols/data_symbols.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

/* int NAME(struct ucounts *uc, kuid_t uid, unsigned long type, int n, struct pair pair, int last) */
/* clang-format off */
asm(KERNEL
    TESTS(counts, "mov 8(%rdi,%rdx,8), %rax\n cmp $5, %rax", "je")
    TESTS(sums, "lea 8(,%rdx,8), %r9\n lea (%rdi,%r9,1), %r9\n mov (%r9), %rax\n cmp $5, %rax", "je")
    TESTS(mirrors, "lea 8(,%rdx,8), %r9\n lea (%r9,%rdi,1), %r9\n mov (%r9), %rax\n cmp $5, %rax", "je")
    TESTS(added, "lea 1(%rdx), %r9\n mov (%rdi,%r9,8), %rax\n cmp $5, %rax", "je")
    TESTS(buckets, "mov 40(%rdi), %rax\n mov (%rax,%rdx,8), %rax\n cmp $5, %rax", "je")
    TESTS(unknowns, "mov 40(%rdi), %rax\n mov (%rax,%r10,8), %rax\n cmp $5, %rax", "je")
    TESTS(signs, "movslq %ecx, %r9\n mov 8(%rdi,%r9,8), %rax\n cmp $5, %rax", "je")
    TESTS(parts, "movzbl (%rdi), %r9d\n mov 8(%rdi,%r9,8), %rax\n cmp $5, %rax", "je")
    TESTS(masks, "mov %ecx, %r9d\n and $3, %r9d\n mov 8(%rdi,%r9,8), %rax\n cmp $5, %rax", "je")
    TESTS(bytes, "movzbl 48(%rdi,%rdx,1), %eax\n cmp $5, %al", "je")
    TESTS(strides, "mov 8(%rdi,%rdx,4), %rax\n cmp $5, %rax", "je")
    TESTS(later, "mov 16(%rdi,%rdx,8), %rax\n cmp $5, %rax", "je")
    TESTS(sooner, "mov (%rdi,%rdx,8), %rax\n cmp $5, %rax", "je")
    TESTS(negatives, "mov -8(%rdi,%rdx,8), %rax\n cmp $5, %rax", "je")
    TESTS(halves, "mov 8(%rdi,%rdx,8), %eax\n cmp $5, %eax", "je")
    TESTS(uppers, "mov 12(%rdi,%rdx,8), %eax\n cmp $5, %eax", "je")
    TESTS(addresses, "lea 8(%rdi,%rdx,8), %rax\n cmp $5, %rax", "je")
    TESTS(neighbours, "mov 8(%rdi,%rdx,8), %rax\n mov 8(%rax), %rax\n cmp $5, %rax", "je")
    TESTS(users, "cmp $5, %esi", "je")
    TESTS(pairs, "cmp $5, %r8", "je")
    TESTS(classes, "mov %ecx, %eax\n sar $13, %eax\n and $7, %eax\n sub $2, %eax\n cmp $2, %eax", "jae")
    TESTS(behind, "cmp $5, %r9d", "je")
    TESTS(tables, "mov -0x7e000000(,%rdx,8), %rax\n cmp $5, %rax", "je")
    TESTS(constants, "mov $-0x7e000000, %r9\n mov (%r9,%rdx,8), %rax\n cmp $5, %rax", "je")
    TESTS(afters, "lea 1(%rdx), %r9\n mov -0x7e000000(,%r9,8), %rax\n cmp $5, %rax", "je")
    TESTS(overlaps, "mov -0x7e000000(,%rdx,4), %rax\n cmp $5, %rax", "je")
    TESTS(singles, "mov -0x7d000000(,%rdx,8), %rax\n cmp $5, %rax", "je")
    TESTS(positives, "mov 0x6000(,%rdx,8), %rax\n cmp $5, %rax", "je")
    USER);
/* clang-format on */

#define EACH_FUNC(do)                                                                                         \
	do(COUNTS, counts) do(SUMS, sums) do(MIRRORS, mirrors) do(ADDED, added) do(BUCKETS, buckets)          \
	do(UNKNOWNS, unknowns) do(SIGNS, signs) do(BYTES, bytes) do(STRIDES, strides) do(LATER, later)        \
	do(SOONER, sooner) do(NEGATIVES, negatives) do(HALVES, halves) do(UPPERS, uppers)                     \
	do(ADDRESSES, addresses) do(NEIGHBOURS, neighbours) do(USERS, users) do(PAIRS, pairs)                 \
	do(BEHIND, behind) do(CLASSES, classes) do(TABLES, tables) do(CONSTANTS, constants)                   \
	do(AFTERS, afters) do(OVERLAPS, overlaps) do(SINGLES, singles) do(POSITIVES, positives)               \
	do(PARTS, parts) do(MASKS, masks)

#include "decision_play.h"

static struct kernel_btf *types_of_functions(void)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED), u32 = btf__add_int(b, "unsigned int", 4, 0);
	int i64 = btf__add_int(b, "long", 8, BTF_INT_SIGNED), u64 = btf__add_int(b, "unsigned long", 8, 0);
	int u8 = btf__add_int(b, "unsigned char", 1, 0), counter, counters, bucket, name, ucounts, kuid, pair;
	struct kernel_btf *btf;

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
	kuid = btf__add_struct(b, NULL, 4);
	btf__add_field(b, "val", u32, 0, 0);
	kuid = btf__add_typedef(b, "kuid_t", kuid);
	pair = btf__add_struct(b, "pair", 8);
	btf__add_field(b, "one", u32, 0, 0);
	btf__add_field(b, "other", u32, 32, 0);
	for (int i = 0; i < NR_FUNCS; i++) {
		int proto = btf__add_func_proto(b, i32);

		btf__add_func_param(b, "uc", ucounts);
		btf__add_func_param(b, "uid", kuid);
		btf__add_func_param(b, "type", u64);
		btf__add_func_param(b, "n", i32);
		btf__add_func_param(b, "pair", pair);
		btf__add_func_param(b, "last", i32);
		btf__add_func(b, func_names[i], BTF_FUNC_STATIC, proto);
	}
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

TEST_F(decision, an_element_by_its_index)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(counts, COUNTS, "uc->ucount[type].counter == 5");
	EXPECT_TEXT(sums, SUMS, "uc->ucount[type].counter == 5");
	EXPECT_TEXT(mirrors, MIRRORS, "uc->ucount[type].counter == 5");
	EXPECT_TEXT(added, ADDED, "uc->ucount[type].counter == 5");
	EXPECT_TEXT(buckets, BUCKETS, "uc->buckets[type].first == 5");
	EXPECT_TEXT(unknowns, UNKNOWNS, "uc->buckets[...].first == 5");
	EXPECT_TEXT(signs, SIGNS, "uc->ucount[n].counter == 5");
	EXPECT_TEXT(bytes, BYTES, "uc->name[type] == 5");
	/* The lowest byte of a longer number; bits of one. */
	EXPECT_TEXT(parts, PARTS, "uc->ucount[uc->flags & 0xff].counter == 5");
	EXPECT_TEXT(masks, MASKS, "uc->ucount[n & 0x3].counter == 5");
	kernel_btf_free(self->btf);
}

TEST_F(decision, what_is_no_whole_element_of_an_array)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(strides, STRIDES, "rax == 5");
	/* "[type + 1]", or another member's. */
	EXPECT_TEXT(later, LATER, "rax == 5");
	EXPECT_TEXT(sooner, SOONER, "rax == 5");
	EXPECT_TEXT(negatives, NEGATIVES, "rax == 5");
	/* A half of it; between two; where it is; a number is no pointer. */
	EXPECT_TEXT(halves, HALVES, "(u32)uc->ucount[type].counter == 5");
	EXPECT_TEXT(uppers, UPPERS, "(u32)rax == 5");
	EXPECT_TEXT(addresses, ADDRESSES, "rax == 5");
	EXPECT_TEXT(neighbours, NEIGHBOURS, "*(u64 *)(uc->ucount[type].counter + 0x8) == 5");
	kernel_btf_free(self->btf);
}

TEST_F(decision, an_element_of_a_variable)
{
	char table[] = "net_families", single[] = "last", other[] = "families", of_cpu[] = "runqueues";
	const struct data_symbol known[] = {
		{ 0x6000, of_cpu }, { 0x6008, NULL },
		{ 0xffffffff82000000, table }, { 0xffffffff82000004, NULL }, { 0xffffffff82000008, NULL },
		{ 0xffffffff83000000, single }, { 0xffffffff83000008, other },
	};
	struct data_symbols data = {};

	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		ASSERT_EQ(0, vec_push(&data.v, known[i]));
	self->data = &data;
	EXPECT_TEXT(tables, TABLES, "net_families[type] == 5");
	EXPECT_TEXT(constants, CONSTANTS, "net_families[type] == 5");
	EXPECT_TEXT(afters, AFTERS, "rax == 5");
	EXPECT_TEXT(overlaps, OVERLAPS, "rax == 5");
	/* "families[type - 1]" of an array behind it. */
	EXPECT_TEXT(singles, SINGLES, "rax == 5");
	EXPECT_TEXT(positives, POSITIVES, "rax == 5");
	vec_release(&data.v);
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_small_struct_is_passed_as_a_number_is)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(users, USERS, "uid.val == 5");
	EXPECT_TEXT(pairs, PAIRS, "r8 == 5");
	EXPECT_TEXT(behind, BEHIND, "last == 5");
	kernel_btf_free(self->btf);
}

TEST_F(decision, bits_of_a_number_less_another_one)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(classes, CLASSES, "((n >> 13) & 0x7) - 2 >= 2");
	kernel_btf_free(self->btf);
}

#endif

TEST_HARNESS_MAIN
