// SPDX-License-Identifier: BSD-2-Clause
/*
 * The parts of x86-64 instructions: prefixes, opcode, ModRM with what it brings, immediate. After
 * the opcode maps in appendix A of Intel's manual, volume 2; invalid opcodes are told where that
 * is easy.
 */
#include "util/kernel/code/instruction.h"

#include <errno.h>
#include <stdbool.h>

#include "util/kernel/code/instruction_internal.h"

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

static size_t immediate_length(unsigned int what, const struct x86_insn *insn)
{
	size_t z = insn->operand16 && !insn->wide ? 2 : 4, length = 0;

	if (what & IMM8)
		length += 1;
	if (what & IMM16)
		length += 2;
	if (what & IMM32)
		length += 4;
	if (what & IMMZ)
		length += z;
	if (what & IMMV)
		length += insn->wide ? 8 : z;
	if (what & OFFSET)
		length += insn->address32 ? 4 : 8;
	return length;
}

/* Little endian, its sign extended. */
static int64_t read_signed(const uint8_t *p, size_t size)
{
	uint64_t value = 0;

	for (size_t i = size; i--;)
		value = value << 8 | p[i];
	if (size && size < 8 && value >> (8 * size - 1))
		value |= ~0ull << (8 * size);
	return value;
}

static const uint8_t *read_prefixes(const uint8_t *p, const uint8_t *end, struct x86_insn *insn)
{
	for (; p < end; p++) {
		switch (*p) {
		case 0x66:
			insn->operand16 = true;
			break;
		case 0x67:
			insn->address32 = true;
			break;
		case 0xf2 ... 0xf3:
			insn->repeat = *p;
			break;
		case 0x64 ... 0x65:
			insn->segment = true;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0xf0:
			break;
		default:
			/* REX counts right before the opcode only. */
			if ((*p & 0xf0) != 0x40)
				return p;
			if (p + 1 < end && (p[1] & 0xf0) == 0x40)
				return end;
			insn->rex = *p;
			insn->wide = *p & 8;
			return p + 1;
		}
	}
	return end;
}

/* What follows the opcode; *p is moved behind that. */
static unsigned int read_opcode(const uint8_t **p, const uint8_t *end, struct x86_insn *insn)
{
	size_t left = end - *p;
	const uint8_t *op = *p;

	if (op[0] == 0x0f && left > 2 && (op[1] == 0x38 || op[1] == 0x3a)) {
		*p += 3;
		insn->map = op[1] == 0x38 ? X86_MAP_0F38 : X86_MAP_0F3A;
		insn->op = op[2];
		return op[1] == 0x38 ? MODRM : MODRM | IMM8;
	}
	if (op[0] == 0x0f && left > 1) {
		*p += 2;
		insn->map = X86_MAP_0F;
		insn->op = op[1];
		return two_bytes(op[1]);
	}
	if (op[0] == 0x0f || op[0] == 0xc5 || op[0] == 0xc4 || op[0] == 0x62) {
		insn->map = X86_MAP_VEX;
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
		return INVALID;
	}
	*p += 1;
	insn->map = X86_MAP_ONE;
	insn->op = op[0];
	return one_byte(op[0]);
}

/* ModRM, SIB and displacement; bytes they take, which may be more than there are. */
static size_t read_operand(const uint8_t *p, const uint8_t *end, struct x86_insn *insn)
{
	unsigned int mod = *p >> 6, rm = *p & 7;
	size_t length = 1, size = mod == 1 ? 1 : mod == 2 ? 4 : 0;

	insn->has_modrm = true;
	insn->mod = mod;
	insn->digit = *p >> 3 & 7;
	insn->reg = insn->digit | (insn->rex & 4) << 1;
	insn->rm = rm | (insn->rex & 1) << 3;
	insn->base = X86_NO_REGISTER;
	if (mod == 3)
		return length;
	if (rm == 4) {
		length++;
		if (p + 1 < end) {
			insn->base = (p[1] & 7) | (insn->rex & 1) << 3;
			insn->indexed = ((p[1] >> 3 & 7) | (insn->rex & 2) << 2) != 4;
			if (!mod && (p[1] & 7) == 5) {
				insn->base = X86_NO_REGISTER;
				size = 4;
			}
		}
	} else if (!mod && rm == 5) {
		size = 4;
	} else {
		insn->base = insn->rm;
	}
	if (length + size <= (size_t)(end - p))
		insn->displacement = read_signed(p + length, size);
	return length + size;
}

int x86_parse(const uint8_t *code, size_t size, struct x86_insn *ret_insn)
{
	const uint8_t *end = code + (size < MAX_LENGTH ? size : MAX_LENGTH), *p;
	struct x86_insn insn = {};
	size_t length, immediate;
	unsigned int what;

	p = read_prefixes(code, end, &insn);
	if (p == end)
		return -EINVAL;
	what = read_opcode(&p, end, &insn);
	if (what & INVALID)
		return -EINVAL;
	if (what & MODRM) {
		if (p == end)
			return -EINVAL;
		length = read_operand(p, end, &insn);
		if (what & TEST && insn.digit > 1)
			what = MODRM;
	} else {
		length = 0;
	}
	immediate = immediate_length(what, &insn);
	if (length + immediate > (size_t)(end - p))
		return -EINVAL;
	p += length;
	insn.immediate = read_signed(p, immediate < 8 ? immediate : 8);
	insn.length = p + immediate - code;
	*ret_insn = insn;
	return 0;
}

size_t x86_instruction_length(const uint8_t *code, size_t size)
{
	struct x86_insn insn;

	return x86_parse(code, size, &insn) ? 0 : insn.length;
}

size_t instruction_length(const uint8_t *code, size_t size)
{
#if defined(__x86_64__)
	return x86_instruction_length(code, size);
#else
	return size < 4 ? 0 : 4;
#endif
}
