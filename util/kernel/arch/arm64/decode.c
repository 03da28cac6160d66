// SPDX-License-Identifier: BSD-2-Clause
/*
 * Instructions of arm64 in parts, by the groups of the Arm Architecture Reference Manual (C4.1). All
 * have one size and registers in few places, so that no decoder is needed for them: Capstone 4 does
 * not know the atomic instructions and returns that kernels use since Armv8.1.
 */
#include "util/kernel/arch/arm64/decode.h"

#include "util/kernel/code/operands.h"

/* Where an instruction has its registers. */
#define RD 0
#define RN 5
#define RT2 10
#define RM 16

/* The register in 5 bits from @at; 31 is zero. */
static uint8_t reg_at(uint32_t word, int at)
{
	uint32_t n = arm64_bits(word, at + 4, at);

	return n == 31 ? ARM64_ZERO : arm64_x(n);
}

/* The same; 31 is the stack pointer. */
static uint8_t sp_at(uint32_t word, int at)
{
	uint32_t n = arm64_bits(word, at + 4, at);

	return n == 31 ? ARM64_SP : arm64_x(n);
}

/* A signed number in bits @high to @low. */
static int64_t signed_at(uint32_t word, int high, int low)
{
	int shift = 63 - (high - low);

	return (int64_t)((uint64_t)arm64_bits(word, high, low) << shift) >> shift;
}

/* Constants of 32 bits are kept with their sign. */
static int64_t signed_constant(uint64_t value, uint8_t size)
{
	return sign_extend(value, size);
}

static void set_written(struct arm64_insn *insn, uint8_t d)
{
	insn->d = d;
	insn->writes |= arm64_bit(d);
}

/* DecodeBitMasks(): ones, rotated, repeated. */
static uint64_t bit_mask(uint32_t word, uint8_t size)
{
	uint32_t n = arm64_bits(word, 22, 22), immr = arm64_bits(word, 21, 16);
	uint32_t imms = arm64_bits(word, 15, 10), pattern = n << 6 | (~imms & 0x3f), width, rotate;
	uint64_t mask, ones;
	int log = 6;

	while (log > 0 && !(pattern >> log & 1))
		log--;
	width = 1u << log;
	ones = (imms & (width - 1)) + 1;
	rotate = immr & (width - 1);
	mask = ones >= 64 ? ~0ull : (1ull << ones) - 1;
	if (rotate)
		mask = mask >> rotate | mask << (width - rotate);
	if (width < 64)
		mask &= (1ull << width) - 1;
	for (; width < 64; width *= 2)
		mask |= mask << width;
	return size == 8 ? mask : (uint32_t)mask;
}

static void decode_add_immediate(uint32_t word, struct arm64_insn *insn)
{
	int64_t value = arm64_bits(word, 21, 10) << (arm64_bits(word, 22, 22) ? 12 : 0);
	bool subtracts = arm64_bits(word, 30, 30);

	insn->n = sp_at(word, RN);
	insn->sets_flags = arm64_bits(word, 29, 29);
	set_written(insn, insn->sets_flags ? reg_at(word, RD) : sp_at(word, RD));
	insn->has_value = true;
	insn->value = subtracts ? -value : value;
	insn->family = ARM64_ADD;
	if (!insn->sets_flags)
		return;
	/* The flags of n + 5 are those of n - -5, but for 0. */
	insn->family = subtracts || value ? ARM64_COMPARE : ARM64_OTHER;
	insn->value = -insn->value;
}

static void decode_logical_immediate(uint32_t word, struct arm64_insn *insn)
{
	uint64_t mask = bit_mask(word, insn->size);
	uint32_t opc = arm64_bits(word, 30, 29);

	insn->n = reg_at(word, RN);
	insn->sets_flags = opc == 3;
	set_written(insn, insn->sets_flags ? reg_at(word, RD) : sp_at(word, RD));
	insn->has_value = true;
	insn->value = signed_constant(mask, insn->size);
	if (opc == 3) {
		insn->family = ARM64_MASK;
	} else if (opc == 1 && insn->n == ARM64_ZERO) {
		insn->family = ARM64_CONSTANT;
	} else if (opc == 0 && (mask == 0xff || mask == 0xffff)) {
		insn->family = ARM64_MOVE;
		insn->from_size = mask == 0xff ? 1 : 2;
	} else {
		insn->family = ARM64_COMPUTE;
		insn->computes = opc == 0 ? COMPUTES_AND : opc == 1 ? COMPUTES_OR : COMPUTES_XOR;
	}
}

static void decode_move_wide(uint32_t word, struct arm64_insn *insn)
{
	uint64_t value = (uint64_t)arm64_bits(word, 20, 5) << 16 * arm64_bits(word, 22, 21);
	uint32_t opc = arm64_bits(word, 30, 29);

	set_written(insn, reg_at(word, RD));
	/* movk keeps the rest. */
	if (opc == 3)
		return;
	insn->family = ARM64_CONSTANT;
	insn->value = signed_constant(opc ? value : ~value, insn->size);
}

/* Extensions are moves of bits that begin with the lowest. */
static void decode_bit_field(uint32_t word, struct arm64_insn *insn)
{
	uint32_t opc = arm64_bits(word, 30, 29), last = arm64_bits(word, 15, 10);

	set_written(insn, reg_at(word, RD));
	insn->n = reg_at(word, RN);
	if (opc == 1 || arm64_bits(word, 21, 16) || (last != 7 && last != 15 && last != 31) ||
	    last + 1 == insn->size * 8u)
		return;
	insn->family = ARM64_MOVE;
	insn->from_size = (last + 1) / 8;
	insn->extends_sign = !opc;
}

static void decode_immediate(uint32_t word, struct arm64_insn *insn)
{
	insn->is_known = true;
	switch (arm64_bits(word, 25, 23)) {
	case 2:
		decode_add_immediate(word, insn);
		break;
	case 3: /* tags */
		set_written(insn, sp_at(word, RD));
		break;
	case 4:
		decode_logical_immediate(word, insn);
		break;
	case 5:
		decode_move_wide(word, insn);
		break;
	case 6:
		decode_bit_field(word, insn);
		break;
	default: /* adr, adrp, extr */
		set_written(insn, reg_at(word, RD));
		break;
	}
}

static void leads_to(struct arm64_insn *insn, enum branch_kind kind, uint64_t target)
{
	insn->branch = kind;
	insn->target = target;
}

static void decode_exception(uint32_t word, struct arm64_insn *insn)
{
	/* hvc and smc return here. */
	if (arm64_bits(word, 23, 21) == 0 && arm64_bits(word, 1, 0) != 1)
		insn->is_known = false;
	else
		insn->branch = BRANCH_SYSTEM;
}

static void decode_register_branch(uint32_t word, struct arm64_insn *insn)
{
	insn->n = reg_at(word, RN);
	/* With and without a check of the pointer: br, braa, and so on. */
	switch (arm64_bits(word, 24, 21)) {
	case 0:
	case 8:
		insn->branch = BRANCH_INDIRECT_JUMP;
		break;
	case 1:
	case 9:
		insn->branch = BRANCH_INDIRECT_CALL;
		break;
	case 2:
		insn->branch = BRANCH_RETURN;
		break;
	default:
		insn->branch = BRANCH_SYSTEM;
		break;
	}
}

static void decode_hint(uint32_t word, struct arm64_insn *insn)
{
	switch (arm64_bits(word, 11, 5)) {
	case 7: /* xpaclri */
	case 24 ... 31: /* paciasp, autiasp, and so on */
		insn->writes = REG_BIT(ARM64_X30);
		break;
	case 8: /* pacia1716, and so on */
	case 10:
	case 12:
	case 14:
		insn->writes = REG_BIT(arm64_x(17));
		break;
	}
}

static void decode_system(uint32_t word, struct arm64_insn *insn)
{
	bool reads = arm64_bits(word, 21, 21);

	if (word >> 12 == 0xd5032) {
		decode_hint(word, insn);
	} else if (reads) { /* mrs, sysl */
		set_written(insn, reg_at(word, RD));
	} else {
		/* The condition is a system register, too. */
		insn->sets_flags = arm64_bits(word, 20, 20) || word >> 16 == 0xd500;
	}
}

static void decode_branch(uint32_t word, uint64_t at, struct arm64_insn *insn)
{
	insn->is_known = true;
	if (arm64_bits(word, 30, 26) == 5) {
		leads_to(insn, word >> 31 ? BRANCH_CALL : BRANCH_JUMP,
			 at + 4 * signed_at(word, 25, 0));
	} else if (arm64_bits(word, 30, 25) == 0x1a) { /* cbz, cbnz */
		insn->family = ARM64_TEST;
		insn->n = reg_at(word, RD);
		leads_to(insn, BRANCH_CONDITIONAL, at + 4 * signed_at(word, 23, 5));
	} else if (arm64_bits(word, 30, 25) == 0x1b) { /* tbz, tbnz */
		insn->family = ARM64_TEST_BIT;
		insn->n = reg_at(word, RD);
		insn->value = arm64_bits(word, 31, 31) << 5 | arm64_bits(word, 23, 19);
		leads_to(insn, BRANCH_CONDITIONAL, at + 4 * signed_at(word, 18, 5));
	} else if (word >> 24 == 0x54) {
		/* Conditions 14 and 15 are always met. */
		leads_to(insn, arm64_bits(word, 3, 0) >= 14 ? BRANCH_JUMP : BRANCH_CONDITIONAL,
			 at + 4 * signed_at(word, 23, 5));
	} else if (word >> 24 == 0xd4) {
		decode_exception(word, insn);
	} else if (word >> 25 == 0x6b) {
		decode_register_branch(word, insn);
	} else if (word >> 22 == 0x354) {
		decode_system(word, insn);
	} else {
		insn->is_known = false;
	}
}

/* A load or a store that also moves the pointer. */
static void writes_back(struct arm64_insn *insn, int64_t moves)
{
	insn->moves = moves;
	insn->writes |= arm64_bit(insn->n);
}

/* Of vector instructions, only the memory they access is followed. */
static void is_of_vectors(struct arm64_insn *insn)
{
	insn->d = insn->m = ARM64_ZERO;
	insn->size = 0;
}

static void set_loads(struct arm64_insn *insn)
{
	insn->family = ARM64_LOAD;
	insn->writes |= arm64_bit(insn->d) | (insn->is_pair ? arm64_bit(insn->m) : 0);
}

static void decode_exclusive(uint32_t word, struct arm64_insn *insn)
{
	uint32_t size = arm64_bits(word, 31, 30);
	bool o2 = arm64_bits(word, 23, 23), o1 = arm64_bits(word, 21, 21);
	bool is_load = arm64_bits(word, 22, 22);

	insn->n = sp_at(word, RN);
	insn->d = reg_at(word, RD);
	insn->size = size == 3 ? 8 : 4;
	insn->memory_size = insn->from_size = 1 << size;
	if (o1 && (o2 || size < 2)) { /* cas; casp, of two registers */
		insn->writes = arm64_bit(reg_at(word, RM));
		if (!o2)
			insn->writes |= arm64_bit(reg_at(word | 1u << RM, RM));
		insn->memory_size = o2 ? insn->memory_size : 16;
		insn->family = ARM64_STORE;
		insn->d = ARM64_ZERO;
		insn->size = 0;
		return;
	}
	insn->is_pair = o1;
	insn->m = reg_at(word, RT2);
	insn->family = ARM64_STORE;
	if (is_load) {
		set_loads(insn);
	} else if (!o2) { /* stxr: whether it was stored */
		insn->writes = arm64_bit(reg_at(word, RM));
		insn->size = 0;
	}
}

static void decode_pair(uint32_t word, struct arm64_insn *insn)
{
	uint32_t opc = arm64_bits(word, 31, 30), mode = arm64_bits(word, 24, 23);
	bool is_vector = arm64_bits(word, 26, 26), is_load = arm64_bits(word, 22, 22);
	int64_t value;

	insn->d = reg_at(word, RD);
	insn->m = reg_at(word, RT2);
	insn->n = sp_at(word, RN);
	insn->is_pair = true;
	insn->size = opc ? 8 : 4;
	insn->memory_size = is_vector ? 4 << opc : opc == 2 ? 8 : 4;
	insn->from_size = insn->memory_size;
	insn->extends_sign = opc == 1;
	if (opc == 3 || (opc == 1 && !is_vector && !is_load)) { /* stgp writes tags, too */
		insn->is_known = false;
		return;
	}
	value = signed_at(word, 21, 15) * insn->memory_size;
	insn->value = mode == 1 ? 0 : value;
	if (is_vector)
		is_of_vectors(insn);
	if (is_load)
		set_loads(insn);
	else
		insn->family = ARM64_STORE;
	if (mode & 1)
		writes_back(insn, value);
}

/* One register; bits 31 to 22 mean the same in all forms. */
static void decode_transfer(uint32_t word, struct arm64_insn *insn)
{
	uint32_t size = arm64_bits(word, 31, 30), opc = arm64_bits(word, 23, 22);

	insn->d = reg_at(word, RD);
	insn->n = sp_at(word, RN);
	insn->memory_size = 1 << size;
	insn->size = size == 3 || opc == 2 ? 8 : 4;
	insn->extends_sign = opc >= 2;
	if (arm64_bits(word, 26, 26)) {
		insn->memory_size = opc >= 2 ? 16 : 1 << size;
		is_of_vectors(insn);
		opc &= 1;
	} else if (size == 3 && opc == 2) { /* prfm */
		insn->family = ARM64_OTHER;
		return;
	}
	insn->from_size = insn->memory_size;
	if (opc)
		set_loads(insn);
	else
		insn->family = ARM64_STORE;
}

static void decode_atomic(uint32_t word, struct arm64_insn *insn)
{
	bool o3 = arm64_bits(word, 15, 15);
	uint32_t opc = arm64_bits(word, 14, 12);

	insn->n = sp_at(word, RN);
	insn->memory_size = 1 << arm64_bits(word, 31, 30);
	insn->size = 0;
	if (arm64_bits(word, 26, 26) || (o3 && opc && opc != 4)) {
		insn->is_known = false;
	} else if (o3 && opc == 4) { /* ldapr */
		insn->d = reg_at(word, RD);
		insn->size = insn->memory_size == 8 ? 8 : 4;
		insn->from_size = insn->memory_size;
		set_loads(insn);
	} else { /* the old value */
		insn->family = ARM64_STORE;
		insn->writes = arm64_bit(reg_at(word, RD));
	}
}

/* ldr and str, in their forms for addresses. */
static void decode_register_memory(uint32_t word, struct arm64_insn *insn)
{
	uint32_t mode = arm64_bits(word, 11, 10);

	if (arm64_bits(word, 24, 24)) {
		decode_transfer(word, insn);
		insn->value = (int64_t)arm64_bits(word, 21, 10) * insn->memory_size;
		return;
	}
	if (!arm64_bits(word, 21, 21)) {
		decode_transfer(word, insn);
		insn->value = mode == 1 ? 0 : signed_at(word, 20, 12);
		if (mode & 1)
			writes_back(insn, signed_at(word, 20, 12));
	} else if (mode == 2) {
		decode_transfer(word, insn);
		insn->is_indexed = true;
	} else if (!mode) {
		decode_atomic(word, insn);
	} else { /* ldraa, ldrab */
		insn->d = reg_at(word, RD);
		insn->n = sp_at(word, RN);
		insn->size = insn->memory_size = insn->from_size = 8;
		insn->is_indexed = true;
		set_loads(insn);
		if (mode & 2)
			insn->writes |= arm64_bit(insn->n);
	}
}

static void decode_memory(uint32_t word, struct arm64_insn *insn)
{
	bool is_vector = arm64_bits(word, 26, 26);

	insn->is_known = true;
	switch (arm64_bits(word, 29, 27)) {
	case 1:
		if (is_vector) /* ld1 and so on, of various sizes */
			insn->is_known = false;
		else if (!arm64_bits(word, 24, 24))
			decode_exclusive(word, insn);
		else if (!arm64_bits(word, 21, 21) && !arm64_bits(word, 11, 10)) { /* ldapur, stlur */
			decode_transfer(word, insn);
			insn->value = signed_at(word, 20, 12);
		} else {
			insn->is_known = false;
		}
		break;
	case 3: /* a literal near the code */
		if (arm64_bits(word, 24, 24))
			insn->is_known = false;
		else if (!is_vector && arm64_bits(word, 31, 30) != 3)
			set_written(insn, reg_at(word, RD));
		break;
	case 5:
		decode_pair(word, insn);
		break;
	case 7:
		decode_register_memory(word, insn);
		break;
	default:
		insn->is_known = false;
		break;
	}
}

/* and, orr, eor and so on, with a register that may be shifted. */
static void decode_logical(uint32_t word, struct arm64_insn *insn)
{
	bool is_plain = !arm64_bits(word, 15, 10) && !arm64_bits(word, 23, 21);
	uint32_t opc = arm64_bits(word, 30, 29);

	set_written(insn, reg_at(word, RD));
	insn->n = reg_at(word, RN);
	insn->m = reg_at(word, RM);
	insn->sets_flags = opc == 3;
	/* mvn */
	if (opc == 1 && insn->n == ARM64_ZERO && arm64_bits(word, 23, 21) == 1 &&
	    !arm64_bits(word, 15, 10)) {
		insn->family = ARM64_COMPUTE;
		insn->n = insn->m;
		insn->computes = COMPUTES_XOR;
		insn->value = -1;
	}
	if (!is_plain)
		return;
	if (opc == 3) {
		insn->family = ARM64_MASK;
	} else if (opc == 1 && insn->n == ARM64_ZERO) {
		insn->family = insn->m == ARM64_ZERO ? ARM64_CONSTANT : ARM64_MOVE;
		insn->n = insn->m;
		insn->from_size = insn->size;
	}
}

static void decode_add(uint32_t word, struct arm64_insn *insn)
{
	bool is_extended = arm64_bits(word, 21, 21), subtracts = arm64_bits(word, 30, 30);
	bool is_plain = !is_extended && !arm64_bits(word, 15, 10);

	insn->sets_flags = arm64_bits(word, 29, 29);
	insn->n = is_extended ? sp_at(word, RN) : reg_at(word, RN);
	insn->m = reg_at(word, RM);
	set_written(insn, is_extended && !insn->sets_flags ? sp_at(word, RD) : reg_at(word, RD));
	if (insn->sets_flags && subtracts && is_plain)
		insn->family = ARM64_COMPARE;
	if (!insn->sets_flags && subtracts && is_plain && insn->n == ARM64_ZERO) { /* neg */
		insn->family = ARM64_COMPUTE;
		insn->n = insn->m;
		insn->computes = COMPUTES_NEGATED;
	}
	/* With zero it is a constant. */
	if (insn->family == ARM64_COMPARE && insn->m == ARM64_ZERO)
		insn->has_value = true;
}

static void decode_select(uint32_t word, struct arm64_insn *insn)
{
	set_written(insn, reg_at(word, RD));
	insn->n = reg_at(word, RN);
	insn->m = reg_at(word, RM);
	if (arm64_bits(word, 29, 29) || arm64_bits(word, 11, 11))
		return;
	insn->family = ARM64_SELECT;
	switch (arm64_bits(word, 30, 30) << 1 | arm64_bits(word, 10, 10)) {
	case 1: /* csinc; cset, of 0 and 0 */
		insn->computes = COMPUTES_SUM;
		insn->value = 1;
		break;
	case 2: /* csinv; csetm */
		insn->computes = COMPUTES_XOR;
		insn->value = -1;
		break;
	case 3: /* csneg */
		insn->computes = COMPUTES_NEGATED;
		break;
	}
}

static void decode_register(uint32_t word, struct arm64_insn *insn)
{
	insn->is_known = true;
	if (!arm64_bits(word, 28, 28)) {
		if (arm64_bits(word, 24, 24))
			decode_add(word, insn);
		else
			decode_logical(word, insn);
		return;
	}
	switch (arm64_bits(word, 24, 21)) {
	case 0: /* adc, sbc; flags alone */
		insn->sets_flags = arm64_bits(word, 29, 29);
		if (!arm64_bits(word, 15, 10))
			set_written(insn, reg_at(word, RD));
		break;
	case 2: /* ccmp, ccmn: what they compare counts only if a condition is met */
		insn->sets_flags = true;
		break;
	case 4:
		decode_select(word, insn);
		break;
	default:
		insn->sets_flags = arm64_bits(word, 29, 29);
		set_written(insn, reg_at(word, RD));
		break;
	}
}

void arm64_decode(uint32_t word, uint64_t at, struct arm64_insn *insn)
{
	*insn = (struct arm64_insn){
		.size = word >> 31 ? 8 : 4,
		.d = ARM64_ZERO,
		.n = ARM64_ZERO,
		.m = ARM64_ZERO,
	};
	switch (arm64_bits(word, 28, 25)) {
	case 8:
	case 9:
		decode_immediate(word, insn);
		break;
	case 10:
	case 11:
		decode_branch(word, at, insn);
		break;
	case 4:
	case 6:
	case 12:
	case 14:
		decode_memory(word, insn);
		break;
	case 5:
	case 13:
		decode_register(word, insn);
		break;
	case 0:
		/* udf */
		if (!(word >> 16))
			insn->branch = BRANCH_SYSTEM;
		break;
	}
}
