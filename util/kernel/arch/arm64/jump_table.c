// SPDX-License-Identifier: BSD-2-Clause
/*
 * Addresses of data in code, and jumps by a table of offsets, as GCC compiles a switch:
 *
 *	cmp	w1, #38
 *	b.hi	default
 *	adrp	x0, table
 *	add	x0, x0, :lo12:table
 *	ldrh	w0, [x0, w1, uxtw #1]
 *	adr	x1, base
 *	add	x0, x1, w0, sxth #2
 *	br	x0
 *
 * Instead of b.hi there may be a b.ls elsewhere that leads to the adrp.
 */
#include "util/kernel/code/machine_code.h"

#include "util/kernel/arch/arm64/decode.h"

/* Instructions examined before the jump. */
#define MAX_BACK 24
/* Instructions from a comparison to the branch that uses it. */
#define MAX_COMPARE_BACK 4
#define MAX_ENTRIES 1024

#define CONDITION_HI 8
#define CONDITION_LS 9

struct code {
	const uint8_t *bytes;
	size_t size;
	uint64_t at;
};

#define NOT_FOUND SIZE_MAX

static uint32_t word_at(const struct code *code, size_t offset)
{
	return arm64_word(code->bytes + offset, ARM64_INSN_SIZE);
}

static void insn_at(const struct code *code, size_t offset, struct arm64_insn *insn)
{
	arm64_decode(word_at(code, offset), code->at + offset, insn);
}

/* The last instruction before @from that wrote a register, without a branch in between. */
static size_t find_write(const struct code *code, size_t from, uint32_t n)
{
	reg_set bit = n == 31 ? 0 : REG_BIT(arm64_x(n));

	for (int i = 0; i < MAX_BACK && from >= ARM64_INSN_SIZE; i++) {
		struct arm64_insn insn;

		from -= ARM64_INSN_SIZE;
		insn_at(code, from, &insn);
		if (!insn.is_known ||
		    (insn.branch != BRANCH_NONE && insn.branch != BRANCH_CONDITIONAL))
			return NOT_FOUND;
		if (insn.writes & bit)
			return from;
	}
	return NOT_FOUND;
}

/* The address that adr or adrp computes. */
static uint64_t address_of(uint32_t word, uint64_t at)
{
	int64_t offset = (int64_t)((uint64_t)arm64_bits(word, 23, 5) << 45) >> 43 |
			 arm64_bits(word, 30, 29);

	return word >> 31 ? (at & ~0xfffull) + offset * 4096 : at + offset;
}

static bool is_adr(uint32_t word, bool of_page)
{
	return (word & 0x9f000000) == (of_page ? 0x90000000 : 0x10000000);
}

/* The constant of an add after adrp; 0: not such an add. */
static uint64_t address_by(const struct code *code, size_t add)
{
	struct arm64_insn insn;
	size_t page;

	insn_at(code, add, &insn);
	if (insn.family != ARM64_ADD)
		return 0;
	page = find_write(code, add, arm64_bits(word_at(code, add), 9, 5));
	if (page == NOT_FOUND || !is_adr(word_at(code, page), true))
		return 0;
	return address_of(word_at(code, page), code->at + page) + insn.value;
}

/* The constant that a movk completes: each one puts 16 bits into a register. 0: it is none. */
static uint64_t constant_by(const struct code *code, size_t at)
{
	uint32_t word = word_at(code, at), shift = 16 * arm64_bits(word, 22, 21);
	uint64_t value = 0;
	struct arm64_insn insn;
	size_t before;

	if ((word & 0x7f800000) != 0x72800000)
		return 0;
	before = find_write(code, at, arm64_bits(word, 4, 0));
	if (before == NOT_FOUND)
		return 0;
	insn_at(code, before, &insn);
	value = insn.family == ARM64_CONSTANT ? (uint64_t)insn.value : constant_by(code, before);
	if (!value)
		return 0;
	value = (value & ~(0xffffull << shift)) | (uint64_t)arm64_bits(word, 20, 5) << shift;
	return word >> 31 ? value : (uint64_t)(int64_t)(int32_t)value;
}

uint64_t arm64_made_constant(const uint8_t *bytes, size_t size, uint64_t at, size_t offset)
{
	const struct code code = { bytes, size, at };

	if (size - offset < ARM64_INSN_SIZE)
		return 0;
	/* The page of an address; the loads from there add the rest. */
	if (is_adr(word_at(&code, offset), true))
		return address_of(word_at(&code, offset), at + offset);
	return address_by(&code, offset) ?: constant_by(&code, offset);
}

/* Whether a branch of the function leads behind @from, and not behind @to. */
static bool is_led_to(const struct code *code, size_t from, size_t to)
{
	for (size_t at = 0; at + ARM64_INSN_SIZE <= code->size; at += ARM64_INSN_SIZE) {
		struct arm64_insn insn;

		insn_at(code, at, &insn);
		if ((insn.branch == BRANCH_CONDITIONAL || insn.branch == BRANCH_JUMP) &&
		    insn.target - code->at > from && insn.target - code->at <= to)
			return true;
	}
	return false;
}

/* Whether two registers have the same number before @end, since one was copied to the other. */
static bool are_equal_before(const struct code *code, size_t end, uint8_t a, uint8_t b)
{
	size_t at = end;

	for (int i = 0; i < MAX_BACK && at >= ARM64_INSN_SIZE; i++) {
		struct arm64_insn insn;

		at -= ARM64_INSN_SIZE;
		insn_at(code, at, &insn);
		if (!insn.is_known || (insn.branch != BRANCH_NONE && insn.branch != BRANCH_CONDITIONAL))
			return false;
		if (!(insn.writes & (REG_BIT(a) | REG_BIT(b))))
			continue;
		return insn.family == ARM64_MOVE && insn.from_size >= 4 &&
		       ((insn.d == a && insn.n == b) || (insn.d == b && insn.n == a)) && !is_led_to(code, at, end);
	}
	return false;
}

/* The number that a register is compared with just before a branch; -1: none. */
static int64_t compared_before(const struct code *code, size_t branch, uint8_t reg)
{
	struct arm64_insn insn;

	for (int i = 0; i < MAX_COMPARE_BACK && branch >= ARM64_INSN_SIZE; i++) {
		branch -= ARM64_INSN_SIZE;
		insn_at(code, branch, &insn);
		if (insn.family == ARM64_COMPARE && insn.has_value && insn.d == ARM64_ZERO &&
		    (insn.n == reg || are_equal_before(code, branch, insn.n, reg)))
			return insn.value;
		if (!insn.is_known || insn.branch != BRANCH_NONE || insn.sets_flags ||
		    insn.writes & REG_BIT(reg))
			return -1;
	}
	return -1;
}

static bool is_branch_on(uint32_t word, uint32_t condition)
{
	return word >> 24 == 0x54 && arm64_bits(word, 4, 0) == condition;
}

/* The largest index that a register can have at @load; -1: not known. */
static int64_t find_largest(const struct code *code, size_t load, uint8_t reg)
{
	/* Where the straight way to @load begins, and how far the index is in that register. */
	size_t start = load, end = load;
	struct arm64_insn insn;

	for (int i = 0; i < MAX_BACK && start >= ARM64_INSN_SIZE; i++) {
		size_t at = start - ARM64_INSN_SIZE;

		insn_at(code, at, &insn);
		if (is_branch_on(word_at(code, at), CONDITION_HI))
			return compared_before(code, at, reg);
		if (insn.branch == BRANCH_JUMP || insn.branch == BRANCH_RETURN)
			break;
		if (!insn.is_known || insn.branch != BRANCH_NONE)
			return -1;
		start = at;
		if (!(insn.writes & REG_BIT(reg)))
			continue;
		if (insn.family != ARM64_MOVE || insn.from_size < 4)
			return -1;
		reg = insn.n;
		end = at;
	}
	for (size_t at = 0; at + ARM64_INSN_SIZE <= code->size; at += ARM64_INSN_SIZE) {
		if (!is_branch_on(word_at(code, at), CONDITION_LS))
			continue;
		insn_at(code, at, &insn);
		if (insn.target - code->at >= start && insn.target - code->at <= end)
			return compared_before(code, at, reg);
	}
	return -1;
}

bool arm64_jump_table(const uint8_t *bytes, size_t size, uint64_t at, size_t jump,
		     struct jump_table *ret_table)
{
	const struct code code = { bytes, size, at };
	size_t add, base, load, table;
	uint32_t word, extends;
	int64_t largest;

	word = word_at(&code, jump);
	add = find_write(&code, jump, arm64_bits(word, 9, 5));
	if ((word & ~0x3e0u) != 0xd61f0000 || add == NOT_FOUND)
		return false;
	/* add, of a register that is extended and shifted by 2 */
	word = word_at(&code, add);
	extends = arm64_bits(word, 15, 13);
	if (word >> 21 != 0x459 || extends < 4 || extends > 6 || arm64_bits(word, 12, 10) != 2)
		return false;
	base = find_write(&code, add, arm64_bits(word, 9, 5));
	load = find_write(&code, add, arm64_bits(word, 20, 16));
	if (base == NOT_FOUND || load == NOT_FOUND || !is_adr(word_at(&code, base), false))
		return false;
	/* ldrb, ldrh or ldr, of a register that is added, which is shifted by as much */
	word = word_at(&code, load);
	if ((word & 0x3fe0cc00) != 0x38604800 || word >> 30 != extends - 4 ||
	    arm64_bits(word, 12, 12) != (word >> 30 != 0))
		return false;
	largest = arm64_bits(word, 20, 16) == 31 ?
			  -1 : find_largest(&code, load, arm64_x(arm64_bits(word, 20, 16)));
	table = find_write(&code, load, arm64_bits(word, 9, 5));
	if (largest < 0 || largest >= MAX_ENTRIES || table == NOT_FOUND)
		return false;
	*ret_table = (struct jump_table){
		.at = address_by(&code, table),
		.base = address_of(word_at(&code, base), at + base),
		.nr = largest + 1,
		.entry_size = 1 << (word >> 30),
		.unit = 4,
	};
	return ret_table->at;
}
