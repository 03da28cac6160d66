// SPDX-License-Identifier: BSD-2-Clause
/*
 * Instructions of x86-64, decoded by Capstone. Its lengths, branches and registers are used as they
 * are; where version 4 or 5 is wrong, a comment says so.
 */
#include <capstone/capstone.h>
#include <errno.h>
#include <string.h>

#include "util/kernel/code/instruction.h"
#include "util/kernel/arch/x86/registers.h"
#include "util/kernel/arch/x86/decode.h"

csh x86_decoder;

/* The buffer for a decoded instruction. */
static cs_insn *open_decoder(void)
{
	static cs_insn *insn;

	if (!insn && !cs_open(CS_ARCH_X86, CS_MODE_64, &x86_decoder)) {
		cs_option(x86_decoder, CS_OPT_DETAIL, CS_OPT_ON);
		insn = cs_malloc(x86_decoder);
	}
	return insn;
}

bool x86_is_high_byte(unsigned int reg)
{
	return reg == X86_REG_AH || reg == X86_REG_BH || reg == X86_REG_CH || reg == X86_REG_DH;
}

uint8_t x86_register(unsigned int reg)
{
#define NUMBER(number, reg64, reg32, reg16, reg8)                           \
	[X86_REG_##reg64] = (number) + 1, [X86_REG_##reg32] = (number) + 1, \
	[X86_REG_##reg16] = (number) + 1, [X86_REG_##reg8] = (number) + 1
	/* Plus 1; 0: no general register. */
	static const uint8_t numbers[X86_REG_ENDING] = {
		NUMBER(X86_RAX, RAX, EAX, AX, AL),
		NUMBER(X86_RCX, RCX, ECX, CX, CL),
		NUMBER(X86_RDX, RDX, EDX, DX, DL),
		NUMBER(X86_RBX, RBX, EBX, BX, BL),
		NUMBER(X86_RSP, RSP, ESP, SP, SPL),
		NUMBER(X86_RBP, RBP, EBP, BP, BPL),
		NUMBER(X86_RSI, RSI, ESI, SI, SIL),
		NUMBER(X86_RDI, RDI, EDI, DI, DIL),
		NUMBER(X86_R8, R8, R8D, R8W, R8B),
		NUMBER(X86_R9, R9, R9D, R9W, R9B),
		NUMBER(X86_R10, R10, R10D, R10W, R10B),
		NUMBER(X86_R11, R11, R11D, R11W, R11B),
		NUMBER(X86_R12, R12, R12D, R12W, R12B),
		NUMBER(X86_R13, R13, R13D, R13W, R13B),
		NUMBER(X86_R14, R14, R14D, R14W, R14B),
		NUMBER(X86_R15, R15, R15D, R15W, R15B),
		[X86_REG_AH] = X86_RAX + 1,
		[X86_REG_CH] = X86_RCX + 1,
		[X86_REG_DH] = X86_RDX + 1,
		[X86_REG_BH] = X86_RBX + 1,
	};
#undef NUMBER
	return numbers[reg] ? numbers[reg] - 1 : NO_REGISTER;
}

const cs_insn *x86_decode(const uint8_t *code, size_t size)
{
	cs_insn *insn = open_decoder();
	uint64_t at = 0;

	return insn && cs_disasm_iter(x86_decoder, &code, &size, &at, insn) ? insn : NULL;
}

bool x86_is_in_group(const cs_insn *insn, uint8_t group)
{
	return memchr(insn->detail->groups, group, insn->detail->groups_count);
}

/* ff /3 and ff /5, a call and a jump to another segment: to Capstone 5 they are as those to this one. */
static bool is_far(const cs_insn *insn)
{
	uint8_t operation = insn->detail->x86.modrm >> 3 & 7;

	return insn->detail->x86.opcode[0] == 0xff && (operation == 3 || operation == 5);
}

static enum branch_kind kind_of_branch(const cs_insn *insn)
{
	const cs_x86_op *to = &insn->detail->x86.operands[0];

	if (is_far(insn))
		return BRANCH_SYSTEM;
	switch (insn->id) {
	case X86_INS_CALL:
		return to->type == X86_OP_IMM ? BRANCH_CALL : BRANCH_INDIRECT_CALL;
	case X86_INS_JMP:
		return to->type == X86_OP_IMM ? BRANCH_JUMP : BRANCH_INDIRECT_JUMP;
	case X86_INS_RET:
		return BRANCH_RETURN;
	case X86_INS_LOOP:
	case X86_INS_LOOPE:
	case X86_INS_LOOPNE:
		return BRANCH_CONDITIONAL;
	case X86_INS_XBEGIN:
	case X86_INS_XABORT:
		return BRANCH_NONE;
	case X86_INS_LCALL:
	case X86_INS_LJMP:
	case X86_INS_RETF:
	case X86_INS_RETFQ:
	case X86_INS_INT:
	case X86_INS_INT1:
	case X86_INS_INT3:
	case X86_INS_IRET:
	case X86_INS_IRETD:
	case X86_INS_IRETQ:
	case X86_INS_SYSCALL:
	case X86_INS_SYSENTER:
	case X86_INS_SYSEXIT:
	case X86_INS_SYSRET:
#if CS_API_MAJOR >= 5
	case X86_INS_SYSEXITQ:
	case X86_INS_SYSRETQ:
#endif
	case X86_INS_UD2:
		return BRANCH_SYSTEM;
	default:
		return x86_is_in_group(insn, CS_GRP_JUMP) ? BRANCH_CONDITIONAL : BRANCH_NONE;
	}
}

const uint8_t *x86_opcode_of(const uint8_t *code, size_t size, size_t *ret_size)
{
	static const uint8_t prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
					    0x66, 0x67, 0xf0, 0xf2, 0xf3 };

	while (size && memchr(prefixes, *code, sizeof(prefixes))) {
		code++;
		size--;
	}
	if (size && (*code & 0xf0) == 0x40) {
		code++;
		size--;
	}
	*ret_size = size;
	return code;
}

/* Instructions that Capstone 5 knows, or 4 does in part, but not all that they write. */
static bool lacks_effects(const uint8_t *code, const uint8_t *op, size_t left)
{
	uint8_t operation = left > 2 ? op[2] >> 3 & 7 : 0;

	if (left < 3 || op[0] != 0x0f)
		return false;
	switch (op[1]) {
	case 0x01: /* enclv, pconfig */
		return op[2] == 0xc0 || op[2] == 0xc5;
	case 0x1e: /* rdsspd, rdsspq */
		return operation == 1 && op[2] >= 0xc0 && memchr(code, 0xf3, op - code);
	case 0x78: /* vmread, vmwrite */
	case 0x79:
		return true;
	case 0xae: /* tpause, umwait */
		return operation == 6 &&
		       (memchr(code, 0x66, op - code) || memchr(code, 0xf2, op - code));
	default:
		return false;
	}
}

/* Instructions that Capstone describes incompletely. No result passes where kernels use them. */
static bool is_left_out(const cs_insn *insn)
{
	const uint8_t *opcode = insn->detail->x86.opcode;
	size_t left;
	const uint8_t *op = x86_opcode_of(insn->bytes, insn->size, &left);

	switch (insn->id) {
	case X86_INS_ENTER:
	case X86_INS_GETSEC:
	case X86_INS_ENCLS:
	case X86_INS_ENCLU:
		return true;
	default:
		return x86_is_in_group(insn, X86_GRP_VM) || x86_is_in_group(insn, X86_GRP_RTM) ||
		       /* VIA's ciphers */
		       (opcode[0] == 0x0f && (opcode[1] == 0xa6 || opcode[1] == 0xa7)) ||
		       lacks_effects(insn->bytes, op, left);
	}
}

/* An instruction with operands encoded like those of imul (0f af). */
struct shape {
	size_t opcode_size;
	bool has_immediate; /* a byte, after the operands */
};

static bool is_vector(const uint8_t *op)
{
	return *op == 0xc4 || *op == 0xc5 || *op == 0x62;
}

/* Prefixes of AVX; the number of the opcode's map follows 62 and c4. */
static struct shape shape_of_vector(const uint8_t *op, size_t left)
{
	size_t size = *op == 0xc5 ? 3 : *op == 0xc4 ? 4 : 5;
	uint8_t map = *op == 0xc5 ? 1 : op[1] & (*op == 0xc4 ? 0x1f : 7), opcode;

	if (left <= size)
		return (struct shape){};
	opcode = op[size - 1];
	return (struct shape){ size, map == 3 || (map == 1 && (opcode & 0xfc) == 0x70) };
}

/*
 * Instructions that Capstone 4 does not know, or takes for others: *ret_insn is filled in, but for
 * the length. An opcode of size 0: Capstone is right.
 */
static struct shape shape_of_unknown(const uint8_t *code, const uint8_t *op, size_t left,
				     bool is_decoded, struct insn *ret_insn)
{
	bool repeats = memchr(code, 0xf2, op - code) || memchr(code, 0xf3, op - code);

	if (left < 2)
		return (struct shape){};
	if (is_vector(op))
		return is_decoded ? (struct shape){} : shape_of_vector(op, left);
	switch (*op == 0x0f ? op[1] : 0) {
	case 0xb9: /* ud1 */
	case 0xff: /* ud0 */
		ret_insn->branch.kind = BRANCH_SYSTEM;
		return (struct shape){ 2 };
	case 0x01:
		if (left < 3)
			return (struct shape){};
		/* serialize, rdpkru, wrpkru; version 5 knows them, but not what they write */
		ret_insn->is_known = op[2] == 0xe8 || op[2] == 0xee || op[2] == 0xef;
		if (is_decoded && !repeats && !ret_insn->is_known)
			return (struct shape){};
		if (repeats && op[2] == 0xca) /* eretu, erets */
			ret_insn->branch.kind = BRANCH_SYSTEM;
		if (op[2] == 0xee)
			ret_insn->effect.writes = REG_BIT(X86_RAX) | REG_BIT(X86_RDX);
		return (struct shape){ 2 };
	case 0x1e:
	case 0xae:
	case 0xc7:
		return (struct shape){ is_decoded ? 0 : 2 };
	case 0x38:
		return (struct shape){ is_decoded ? 0 : 3 };
	default:
		return (struct shape){};
	}
}

/* Length of an instruction, by decoding imul in its place; 0: it goes on beyond @size. */
static size_t length_of_shape(cs_insn *insn, struct shape shape, const uint8_t *code, size_t size,
			      const uint8_t *op)
{
	size_t extra = shape.opcode_size - 2, left = size - extra, length;
	uint8_t copy[INSN_MAX_LENGTH];
	const uint8_t *p = copy;
	uint64_t at = 0;

	if (size - (op - code) < shape.opcode_size)
		return 0;
	memcpy(copy, code, op - code);
	memcpy(copy + (op - code), "\x0f\xaf", 2);
	memcpy(copy + (op - code) + 2, op + shape.opcode_size,
	       size - (op - code) - shape.opcode_size);
	if (!cs_disasm_iter(x86_decoder, &p, &left, &at, insn))
		return 0;
	length = insn->size + extra + shape.has_immediate;
	return length <= size ? length : 0;
}

static void fill_insn(const cs_insn *insn, struct insn *ret_insn)
{
	enum branch_kind kind = kind_of_branch(insn);

	ret_insn->branch.kind = kind;
	if (kind == BRANCH_CONDITIONAL || kind == BRANCH_JUMP || kind == BRANCH_CALL)
		ret_insn->branch.target = insn->detail->x86.operands[0].imm;
	ret_insn->is_known = kind != BRANCH_SYSTEM && !is_left_out(insn) &&
			     !x86_fill_effect(insn, &ret_insn->effect);
}

/* A direct call or jump with a prefix that Intel's CPUs ignore there; Capstone 4 does not. */
static bool is_data16_branch(const uint8_t *code, const uint8_t *op, size_t left)
{
	return *code == 0x66 && left &&
	       (op[0] == 0xe8 || op[0] == 0xe9 ||
		(left > 1 && op[0] == 0x0f && (op[1] & 0xf0) == 0x80));
}

int insn_decode(const uint8_t *code, size_t size, uint64_t at, struct insn *ret_insn)
{
	cs_insn *insn = open_decoder();
	size_t left, length = 0, skip;
	const uint8_t *op, *p;
	struct shape shape;
	bool is_decoded;

	if (!insn)
		return -ENOMEM;
	if (size > INSN_MAX_LENGTH)
		size = INSN_MAX_LENGTH;
	op = x86_opcode_of(code, size, &left);
	if (!left)
		return -EINVAL;
	memset(ret_insn, 0, sizeof(*ret_insn));
	skip = is_data16_branch(code, op, left);
	p = code + skip;
	size -= skip;
	at += skip;
	is_decoded = cs_disasm_iter(x86_decoder, &p, &size, &at, insn);
	if (is_decoded)
		length = insn->size + skip;
	size = left + (op - code);
	shape = shape_of_unknown(code, op, left, is_decoded, ret_insn);
	if (shape.opcode_size)
		length = length_of_shape(insn, shape, code, size, op);
	else if (is_decoded)
		fill_insn(insn, ret_insn);
	/* Some comparisons of vectors lack their flags. */
	if (is_vector(op))
		ret_insn->is_known = false;
	ret_insn->branch.length = length;
	return length ? 0 : -EINVAL;
}
