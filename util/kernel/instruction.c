// SPDX-License-Identifier: BSD-2-Clause
/*
 * Lengths of x86-64 instructions: prefixes, opcode, ModRM with what it brings, immediate. After
 * the opcode maps in appendix A of Intel's manual, volume 2; invalid opcodes are told where that
 * is easy.
 */
#include "util/kernel/instruction.h"

#include <stdbool.h>

#define MAX_LENGTH 15

/* What follows an opcode. */
enum {
	NONE = 0,
	MODRM = 1 << 0,
	IMM8 = 1 << 1,
	IMM16 = 1 << 2,
	IMM32 = 1 << 3, /* whatever the operands' size */
	IMMZ = 1 << 4, /* 2 bytes with a 66 prefix, else 4 */
	IMMV = 1 << 5, /* as IMMZ, but 8 bytes with REX.W */
	OFFSET = 1 << 6, /* an address: 8 bytes, 4 with a 67 prefix */
	TEST = 1 << 7, /* an immediate only if ModRM.reg is 0 or 1 */
	INVALID = 1 << 8,
};

struct prefixes {
	bool operand16, address32, wide;
};

static unsigned int one_byte(uint8_t op)
{
	if (op < 0x40) {
		/* Arithmetic, eight times the same; 06, 07, 0e and the like are gone. */
		unsigned int low = op & 7;

		return low < 4 ? MODRM : low == 4 ? IMM8 : low == 5 ? IMMZ : INVALID;
	}
	switch (op) {
	case 0x63:
	case 0x84 ... 0x8f:
	case 0xd0 ... 0xd3:
	case 0xd8 ... 0xdf:
	case 0xfe ... 0xff:
		return MODRM;
	case 0x69:
	case 0x81:
	case 0xc7:
		return MODRM | IMMZ;
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xc0 ... 0xc1:
	case 0xc6:
		return MODRM | IMM8;
	case 0x6a:
	case 0x70 ... 0x7f:
	case 0xa8:
	case 0xb0 ... 0xb7:
	case 0xcd:
	case 0xe0 ... 0xe7:
	case 0xeb:
		return IMM8;
	case 0x68:
	case 0xa9:
		return IMMZ;
	case 0xb8 ... 0xbf:
		return IMMV;
	case 0xa0 ... 0xa3:
		return OFFSET;
	case 0xc2:
	case 0xca:
		return IMM16;
	case 0xc8:
		return IMM16 | IMM8;
	case 0xe8 ... 0xe9:
		return IMM32;
	case 0xf6:
		return MODRM | IMM8 | TEST;
	case 0xf7:
		return MODRM | IMMZ | TEST;
	case 0x60 ... 0x62:
	case 0x82:
	case 0x9a:
	case 0xce:
	case 0xd4 ... 0xd6:
	case 0xea:
		return INVALID;
	default:
		return NONE;
	}
}

static unsigned int two_bytes(uint8_t op)
{
	switch (op) {
	case 0x05 ... 0x09:
	case 0x0b:
	case 0x0e:
	case 0x30 ... 0x35:
	case 0x37:
	case 0x77:
	case 0xa0 ... 0xa2:
	case 0xa8 ... 0xaa:
	case 0xc8 ... 0xcf:
		return NONE;
	case 0x80 ... 0x8f:
		return IMM32;
	case 0x0f:
	case 0x70 ... 0x73:
	case 0xa4:
	case 0xac:
	case 0xba:
	case 0xc2:
	case 0xc4 ... 0xc6:
		return MODRM | IMM8;
	case 0x04:
	case 0x0a:
	case 0x0c:
	case 0x24 ... 0x27:
	case 0x36:
		return INVALID;
	default:
		return MODRM;
	}
}

/* The opcode maps 1 to 7, as VEX and EVEX number them. */
static unsigned int in_map(unsigned int map, uint8_t op)
{
	switch (map) {
	case 1:
		return two_bytes(op);
	case 3:
		return MODRM | IMM8;
	case 2:
	case 5:
	case 6:
		return MODRM;
	default:
		return INVALID;
	}
}

/* Bytes behind ModRM: SIB and displacement. @end is behind what there is. */
static size_t operand_length(const uint8_t *modrm, const uint8_t *end)
{
	unsigned int mod = *modrm >> 6, rm = *modrm & 7;
	size_t length = 0;

	if (mod == 3)
		return 0;
	if (rm == 4) {
		length = 1;
		if (modrm + 1 < end && !mod && (modrm[1] & 7) == 5)
			length += 4;
	} else if (!mod && rm == 5) {
		length = 4;
	}
	return length + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

static size_t immediate_length(unsigned int what, const struct prefixes *prefixes)
{
	size_t z = prefixes->operand16 && !prefixes->wide ? 2 : 4, length = 0;

	if (what & IMM8)
		length += 1;
	if (what & IMM16)
		length += 2;
	if (what & IMM32)
		length += 4;
	if (what & IMMZ)
		length += z;
	if (what & IMMV)
		length += prefixes->wide ? 8 : z;
	if (what & OFFSET)
		length += prefixes->address32 ? 4 : 8;
	return length;
}

static const uint8_t *skip_prefixes(const uint8_t *p, const uint8_t *end, struct prefixes *prefixes)
{
	for (; p < end; p++) {
		switch (*p) {
		case 0x66:
			prefixes->operand16 = true;
			break;
		case 0x67:
			prefixes->address32 = true;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64 ... 0x65:
		case 0xf0:
		case 0xf2 ... 0xf3:
			break;
		default:
			/* REX counts right before the opcode only. */
			if ((*p & 0xf0) != 0x40)
				return p;
			if (p + 1 < end && (p[1] & 0xf0) == 0x40)
				return end;
			prefixes->wide = *p & 8;
			return p + 1;
		}
	}
	return end;
}

/* What follows the opcode; *p is moved behind that. */
static unsigned int read_opcode(const uint8_t **p, const uint8_t *end)
{
	size_t left = end - *p;
	const uint8_t *op = *p;

	if (op[0] == 0x0f && left > 2 && (op[1] == 0x38 || op[1] == 0x3a)) {
		*p += 3;
		return op[1] == 0x38 ? MODRM : MODRM | IMM8;
	}
	if (op[0] == 0x0f && left > 1) {
		*p += 2;
		return two_bytes(op[1]);
	}
	if (op[0] == 0xc5 && left > 2) {
		*p += 3;
		return in_map(1, op[2]);
	}
	if (op[0] == 0xc4 && left > 3) {
		*p += 4;
		return in_map(op[1] & 0x1f, op[3]);
	}
	if (op[0] == 0x62 && left > 4) {
		*p += 5;
		return in_map(op[1] & 7, op[4]);
	}
	if (op[0] == 0x0f || op[0] == 0xc5 || op[0] == 0xc4 || op[0] == 0x62)
		return INVALID;
	*p += 1;
	return one_byte(op[0]);
}

size_t x86_instruction_length(const uint8_t *code, size_t size)
{
	const uint8_t *end = code + (size < MAX_LENGTH ? size : MAX_LENGTH), *p;
	struct prefixes prefixes = { false };
	unsigned int what;
	size_t length;

	p = skip_prefixes(code, end, &prefixes);
	if (p == end)
		return 0;
	what = read_opcode(&p, end);
	if (what & INVALID)
		return 0;
	if (what & MODRM) {
		if (p == end)
			return 0;
		if (what & TEST && (*p >> 3 & 7) > 1)
			what = MODRM;
		length = 1 + operand_length(p, end);
	} else {
		length = 0;
	}
	length += immediate_length(what, &prefixes);
	return length > (size_t)(end - p) ? 0 : p - code + length;
}

size_t instruction_length(const uint8_t *code, size_t size)
{
#if defined(__x86_64__)
	return x86_instruction_length(code, size);
#else
	return size < 4 ? 0 : 4;
#endif
}
