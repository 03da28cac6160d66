// SPDX-License-Identifier: BSD-2-Clause
/*
 * Trimming BPF programs: what goes, what must stay, and that programs made at random do what they did
 * before, which a small interpreter finds out.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <string.h>

#include "unit.h"
#include "util/kernel/bpf/trim.h"
#include "util/kernel/bpf/trim_internal.h"

#define CONFIG_FD 7
#define MEMORY_FD 8
#define MEMORY_SIZE 64
#define MAX_INSNS 256

#define MOV(to, number) { BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, number }
#define COPY(to, from) { BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0 }
#define ADD(to, number) { BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, number }
#define MAP(to, fd, offset) { BPF_LD | BPF_IMM | BPF_DW, to, BPF_PSEUDO_MAP_VALUE, 0, fd }, { 0, 0, 0, 0, offset }
#define WIDE(to, number) { BPF_LD | BPF_IMM | BPF_DW, to, 0, 0, (int32_t)(number) }, \
			 { 0, 0, 0, 0, (int32_t)((uint64_t)(number) >> 32) }
#define LOAD(size, to, from, offset) { BPF_LDX | BPF_MEM | (size), to, from, offset, 0 }
#define STORE(to, offset, from) { BPF_STX | BPF_MEM | BPF_DW, to, from, offset, 0 }
#define IF(op, reg, number, over) { BPF_JMP | (op) | BPF_K, reg, 0, over, number }
#define GOTO(over) { BPF_JMP | BPF_JA, 0, 0, over, 0 }
#define CALL(helper) { BPF_JMP | BPF_CALL, 0, 0, 0, helper }
#define CALL_LOCAL(over) { BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, over }
#define EXIT() { BPF_JMP | BPF_EXIT, 0, 0, 0, 0 }

static const struct {
	uint8_t off, on;
	uint16_t half;
	uint32_t word;
	uint64_t large, small;
} config = { 0, 1, 500, 70000, 0x123456789abcull, 40 };

#define AT(member) ((int32_t)((const char *)&config.member - (const char *)&config))

static const struct bpf_constants constants = { CONFIG_FD, &config, sizeof(config) };

static uint32_t none;	/* no functions */

struct program {
	struct bpf_insn insns[MAX_INSNS];
	size_t nr;
};

#define PROGRAM(...) ({								\
	const struct bpf_insn insns_[] = { __VA_ARGS__ };			\
	struct program program_ = { .nr = ARRAY_SIZE(insns_) };			\
	memcpy(program_.insns, insns_, sizeof(insns_));				\
	program_; })

static bool same(const struct program *a, const struct program *b)
{
	return a->nr == b->nr && !memcmp(a->insns, b->insns, a->nr * sizeof(a->insns[0]));
}

#define EXPECT_TRIMMED(from, to) do {						\
	struct program from_ = from, to_ = to;					\
	ASSERT_EQ(0, bpf_trim(from_.insns, &from_.nr, &constants, NULL, &none)); \
	EXPECT_EQ(to_.nr, from_.nr);						\
	EXPECT_TRUE(same(&from_, &to_));					\
} while (0)

TEST(what_is_switched_off_goes)
{
	EXPECT_TRIMMED(PROGRAM(MAP(1, CONFIG_FD, AT(off)), LOAD(BPF_B, 2, 1, 0), IF(BPF_JEQ, 2, 0, 2),
			       MOV(1, 3), CALL(5), MOV(0, 0), EXIT()),
		       PROGRAM(MOV(0, 0), EXIT()));
}

TEST(what_is_switched_on_stays_without_its_test)
{
	EXPECT_TRIMMED(PROGRAM(MAP(1, CONFIG_FD, AT(on)), LOAD(BPF_B, 7, 1, 0), IF(BPF_JEQ, 7, 0, 2),
			       MOV(1, 3), CALL(5), MOV(0, 0), EXIT()),
		       PROGRAM(MOV(1, 3), CALL(5), MOV(0, 0), EXIT()));
}

TEST(constants_take_the_place_of_loads)
{
	EXPECT_TRIMMED(PROGRAM(MAP(1, CONFIG_FD, AT(half)), LOAD(BPF_H, 0, 1, 0), EXIT()),
		       PROGRAM(MOV(0, 500), EXIT()));
	EXPECT_TRIMMED(PROGRAM(MAP(1, CONFIG_FD, 0), LOAD(BPF_W, 0, 1, AT(word)), EXIT()),
		       PROGRAM(MOV(0, 70000), EXIT()));
	EXPECT_TRIMMED(PROGRAM(MAP(1, CONFIG_FD, 0), ADD(1, AT(small)), COPY(3, 1),
			       LOAD(BPF_DW, 0, 3, 0), EXIT()),
		       PROGRAM(MOV(0, 40), EXIT()));
}

TEST(loads_of_large_numbers_stay)
{
	struct program program = PROGRAM(MAP(1, CONFIG_FD, AT(large)), LOAD(BPF_DW, 0, 1, 0), EXIT());

	EXPECT_TRIMMED(program, program);
}

TEST(loads_beyond_the_constants_stay)
{
	struct program program = PROGRAM(MAP(1, CONFIG_FD, sizeof(config) - 4), LOAD(BPF_DW, 0, 1, 0),
					 EXIT());

	EXPECT_TRIMMED(program, program);
	program.insns[1].imm = -8;
	EXPECT_TRIMMED(program, program);
}

TEST(other_maps_are_not_constant)
{
	struct program program = PROGRAM(MAP(1, MEMORY_FD, 0), LOAD(BPF_B, 2, 1, 0),
					 IF(BPF_JEQ, 2, 0, 2), MOV(1, 3), CALL(5), MOV(0, 0), EXIT());

	EXPECT_TRIMMED(program, program);
}

TEST(numbers_that_may_be_patched_stay)
{
	struct program program = PROGRAM(WIDE(3, 0x1122334455667788ull), IF(BPF_JEQ, 3, 5, 1),
					 MOV(0, 1), MOV(0, 2), EXIT());
	struct program left = PROGRAM(WIDE(3, 0x1122334455667788ull), IF(BPF_JEQ, 3, 5, 0),
				      MOV(0, 2), EXIT());

	/* The first move is overwritten; the test of the number is not decided. */
	EXPECT_TRIMMED(program, left);
}

TEST(one_value_on_two_ways_is_known_and_two_are_not)
{
	struct program differ = PROGRAM(CALL(5), MOV(6, 1), IF(BPF_JEQ, 0, 0, 1), MOV(6, 2),
					COPY(0, 6), EXIT());

	EXPECT_TRIMMED(differ, differ);
	EXPECT_TRIMMED(PROGRAM(CALL(5), MOV(6, 1), IF(BPF_JEQ, 0, 0, 1), MOV(6, 1),
			       IF(BPF_JEQ, 6, 1, 1), MOV(7, 1), MOV(0, 0), EXIT()),
		       PROGRAM(CALL(5), IF(BPF_JEQ, 0, 0, 0), MOV(0, 0), EXIT()));
}

#define ALU_REG(op, to, with) { BPF_ALU64 | (op) | BPF_X, to, with, 0, 0 }

TEST(numbers_that_arithmetic_makes_are_put_in)
{
	EXPECT_TRIMMED(PROGRAM(MAP(1, CONFIG_FD, AT(half)), LOAD(BPF_H, 0, 1, 0), ADD(0, 24), EXIT()),
		       PROGRAM(MOV(0, 524), EXIT()));
	EXPECT_TRIMMED(PROGRAM(CALL(5), MAP(1, CONFIG_FD, AT(half)), LOAD(BPF_H, 2, 1, 0), ADD(2, -1),
			       ALU_REG(BPF_AND, 0, 2), EXIT()),
		       PROGRAM(CALL(5), { BPF_ALU64 | BPF_AND | BPF_K, 0, 0, 0, 499 }, EXIT()));
	EXPECT_TRIMMED(PROGRAM(CALL(5), MAP(1, CONFIG_FD, AT(half)), LOAD(BPF_H, 2, 1, 0),
			       { BPF_JMP | BPF_JGT | BPF_X, 0, 2, 1, 0 }, MOV(0, 0), EXIT()),
		       PROGRAM(CALL(5), IF(BPF_JGT, 0, 500, 1), MOV(0, 0), EXIT()));
}

TEST(numbers_that_do_not_fit_or_may_be_refused_stay_in_registers)
{
	struct program large = PROGRAM(CALL(5), MOV(2, -1), { BPF_ALU | BPF_MOV | BPF_X, 2, 2, 0, 0 },
				       ALU_REG(BPF_AND, 0, 2), EXIT());
	struct program shift = PROGRAM(CALL(5), MOV(2, 70), ALU_REG(BPF_LSH, 0, 2), EXIT());
	struct program divide = PROGRAM(CALL(5), MOV(2, 0), ALU_REG(BPF_DIV, 0, 2), EXIT());

	EXPECT_TRIMMED(large, large);
	EXPECT_TRIMMED(shift, shift);
	EXPECT_TRIMMED(divide, divide);
}

TEST(calls_overwrite_what_they_may)
{
	struct program program = PROGRAM(MOV(1, 0), MOV(6, 0), CALL(5), IF(BPF_JEQ, 1, 0, 1),
					 CALL(6), IF(BPF_JEQ, 6, 0, 1), CALL(7), EXIT());
	struct program left = PROGRAM(MOV(1, 0), CALL(5), IF(BPF_JEQ, 1, 0, 1), CALL(6), EXIT());

	EXPECT_TRIMMED(program, left);
}

TEST(functions_are_where_they_moved)
{
	struct bpf_func_info funcs[] = { { 0, 10 }, { 7, 11 }, { 9, 12 }, { 11, 13 } };
	struct program program = PROGRAM(
		/* 0: calls the second one only if `off` */
		MAP(6, CONFIG_FD, AT(off)), LOAD(BPF_B, 7, 6, 0), IF(BPF_JEQ, 7, 0, 1),
		CALL_LOCAL(2), CALL_LOCAL(5), EXIT(),
		/* 7: called by `off` alone */
		MOV(0, 1), EXIT(),
		/* 9: called by nobody */
		MOV(0, 2), EXIT(),
		/* 11: begins with what nobody reads */
		MOV(3, 5), MOV(0, 3), EXIT());
	struct program trimmed = PROGRAM(CALL_LOCAL(1), EXIT(), MOV(0, 3), EXIT());
	uint32_t nr = ARRAY_SIZE(funcs);

	ASSERT_EQ(0, bpf_trim(program.insns, &program.nr, &constants, funcs, &nr));
	EXPECT_TRUE(same(&program, &trimmed));
	ASSERT_EQ(2, nr);
	EXPECT_EQ(0, funcs[0].insn_off);
	EXPECT_EQ(10, funcs[0].type_id);
	EXPECT_EQ(2, funcs[1].insn_off);
	EXPECT_EQ(13, funcs[1].type_id);
}

TEST(subprograms_that_nobody_calls_go)
{
	EXPECT_TRIMMED(PROGRAM(MAP(6, CONFIG_FD, AT(off)), LOAD(BPF_B, 7, 6, 0), IF(BPF_JEQ, 7, 0, 1),
			       CALL_LOCAL(3), CALL_LOCAL(4), MOV(0, 0), EXIT(),
			       MOV(0, 1), EXIT(),
			       MOV(0, 2), EXIT()),
		       PROGRAM(CALL_LOCAL(2), MOV(0, 0), EXIT(), MOV(0, 2), EXIT()));
}

TEST(callbacks_stay_and_are_found)
{
	EXPECT_TRIMMED(PROGRAM(MOV(7, 1), { BPF_LD | BPF_IMM | BPF_DW, 2, BPF_PSEUDO_FUNC, 0, 4 }, {},
			       CALL(181), MOV(0, 0), EXIT(), MOV(0, 1), EXIT()),
		       PROGRAM({ BPF_LD | BPF_IMM | BPF_DW, 2, BPF_PSEUDO_FUNC, 0, 4 }, {},
			       CALL(181), MOV(0, 0), EXIT(), MOV(0, 1), EXIT()));
}

TEST(far_jumps_are_mended)
{
	EXPECT_TRIMMED(PROGRAM(CALL(5), IF(BPF_JEQ, 0, 0, 3), { BPF_JMP32 | BPF_JA, 0, 0, 0, 3 }, MOV(7, 1),
			       CALL(6), MOV(0, 1), EXIT(), MOV(0, 2), EXIT()),
		       PROGRAM(CALL(5), IF(BPF_JEQ, 0, 0, 1), { BPF_JMP32 | BPF_JA, 0, 0, 0, 1 },
			       MOV(0, 1), EXIT()));
}

TEST(stores_and_what_they_need_stay)
{
	struct program program = PROGRAM(MOV(2, 5), STORE(10, -8, 2), MOV(0, 0), EXIT());
	struct program fetch = PROGRAM(MOV(0, 1), MOV(2, 3),
				       { BPF_STX | BPF_ATOMIC | BPF_DW, 10, 2, -8, BPF_CMPXCHG }, EXIT());

	EXPECT_TRIMMED(program, program);
	EXPECT_TRIMMED(fetch, fetch);
}

TEST(what_an_atomic_operation_fetches_is_not_known)
{
	struct program program = PROGRAM(MOV(2, 0), { BPF_STX | BPF_ATOMIC | BPF_DW, 10, 2, -8,
						      BPF_ADD | BPF_FETCH },
					 IF(BPF_JEQ, 2, 0, 1), CALL(5), MOV(0, 0), EXIT());

	EXPECT_TRIMMED(program, program);
}

TEST(unknown_instructions_change_nothing)
{
	struct program packet = PROGRAM(MOV(3, 1), { BPF_LD | BPF_ABS | BPF_W, 0, 0, 0, 4 }, EXIT());
	struct program outside = PROGRAM(MOV(3, 1), MOV(0, 0), GOTO(5), EXIT());
	struct program registers = PROGRAM(MOV(12, 1), MOV(0, 0), EXIT());
	struct program open = PROGRAM(MOV(3, 1), MOV(0, 0));
	struct program *const programs[] = { &packet, &outside, &registers, &open };

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		struct program before = *programs[i];

		EXPECT_EQ(-EINVAL, bpf_trim(programs[i]->insns, &programs[i]->nr, &constants, NULL, &none));
		EXPECT_TRUE(same(&before, programs[i]));
	}
}

/* What a program did. */
struct outcome {
	uint64_t result;
	uint8_t memory[MEMORY_SIZE];
	uint64_t calls;		/* a sum of what was called with what */
	bool ended;
};

struct machine {
	const struct program *program;
	struct outcome *outcome;
	int steps;
};

static uint64_t compute(int op, uint64_t a, uint64_t b, int bits)
{
	switch (op) {
	case BPF_ADD: return a + b;
	case BPF_SUB: return a - b;
	case BPF_AND: return a & b;
	case BPF_OR: return a | b;
	case BPF_XOR: return a ^ b;
	case BPF_MUL: return a * b;
	case BPF_LSH: return a << (b & (bits - 1));
	case BPF_RSH: return a >> (b & (bits - 1));
	case BPF_ARSH: return bits == 32 ? (uint64_t)((int32_t)a >> (b & 31)) :
					   (uint64_t)((int64_t)a >> (b & 63));
	default: return b;
	}
}

static bool holds(int op, uint64_t a, uint64_t b, bool narrow)
{
	int64_t sa = narrow ? (int32_t)a : (int64_t)a, sb = narrow ? (int32_t)b : (int64_t)b;

	if (narrow) {
		a = (uint32_t)a;
		b = (uint32_t)b;
	}
	switch (op) {
	case BPF_JA: return true;
	case BPF_JEQ: return a == b;
	case BPF_JNE: return a != b;
	case BPF_JGT: return a > b;
	case BPF_JGE: return a >= b;
	case BPF_JLT: return a < b;
	case BPF_JLE: return a <= b;
	case BPF_JSET: return a & b;
	case BPF_JSGT: return sa > sb;
	case BPF_JSGE: return sa >= sb;
	case BPF_JSLT: return sa < sb;
	default: return sa <= sb;
	}
}

static uint64_t map_value(struct machine *machine, const struct bpf_insn *insn)
{
	uintptr_t base = insn->imm == CONFIG_FD ? (uintptr_t)&config :
						  (uintptr_t)machine->outcome->memory;

	return base + insn[1].imm;
}

/* Runs from @at to the exit; the result, or 0 when it takes too long. */
static uint64_t run_from(struct machine *machine, size_t at, const uint64_t args[6])
{
	uint64_t regs[11] = {};

	memcpy(regs, args, 6 * sizeof(*regs));
	while (at < machine->program->nr && machine->steps++ < 5000) {
		const struct bpf_insn *insn = &machine->program->insns[at];
		bool by_register = BPF_SRC(insn->code) == BPF_X;
		uint64_t *to = &regs[insn->dst_reg];
		uint64_t with = by_register ? regs[insn->src_reg] : (uint64_t)(int64_t)insn->imm;

		switch (BPF_CLASS(insn->code)) {
		case BPF_ALU64:
			*to = compute(BPF_OP(insn->code), *to, with, 64);
			break;
		case BPF_ALU:
			*to = (uint32_t)compute(BPF_OP(insn->code), (uint32_t)*to, (uint32_t)with, 32);
			break;
		case BPF_LD:
			*to = insn->src_reg ? map_value(machine, insn) :
					      (uint32_t)insn->imm | (uint64_t)insn[1].imm << 32;
			at++;
			break;
		case BPF_LDX: {
			uint64_t value = 0;

			memcpy(&value, (void *)(uintptr_t)(regs[insn->src_reg] + insn->off),
			       load_size(insn));
			*to = value;
			break;
		}
		case BPF_STX:
			memcpy((void *)(uintptr_t)(*to + insn->off), &regs[insn->src_reg], 8);
			break;
		default:
			if (is_exit(insn))
				return regs[0];
			if (is_local_call(insn)) {
				regs[0] = run_from(machine, jump_target(insn, at), regs);
			} else if (is_call(insn)) {
				for (int i = 1; i <= 5; i++)
					machine->outcome->calls = machine->outcome->calls * 31 + regs[i];
				machine->outcome->calls += insn->imm;
				regs[0] = machine->outcome->calls >> 7;
			} else if (holds(BPF_OP(insn->code), *to, with,
					 BPF_CLASS(insn->code) == BPF_JMP32)) {
				at = jump_target(insn, at);
				continue;
			}
			if (is_call(insn))
				memset(regs + 1, 0x55, 5 * sizeof(*regs));
		}
		at++;
	}
	machine->outcome->ended = false;
	return 0;
}

static struct outcome run(const struct program *program, uint8_t seed)
{
	struct outcome outcome = { .ended = true };
	struct machine machine = { program, &outcome, 0 };
	const uint64_t args[6] = { 0, seed, seed * 3, 3, 4, 5 };

	memset(outcome.memory, seed, sizeof(outcome.memory));
	outcome.result = run_from(&machine, 0, args);
	return outcome;
}

static uint32_t random_state;

static uint32_t pick(uint32_t below)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % below;
}

static void put(struct program *program, struct bpf_insn insn)
{
	program->insns[program->nr++] = insn;
}

static void put_address(struct program *program, int fd, int32_t offset)
{
	put(program, (struct bpf_insn){ BPF_LD | BPF_IMM | BPF_DW, 9, BPF_PSEUDO_MAP_VALUE, 0, fd });
	put(program, (struct bpf_insn){ .imm = offset });
}

/* r0 to r8 hold numbers, r9 an address; jumps within a subprogram lead anywhere up to its @end. */
static void put_any(struct program *program, size_t begin, size_t end)
{
	static const uint8_t ops[] = { BPF_ADD, BPF_SUB, BPF_AND, BPF_OR, BPF_XOR, BPF_MUL,
				       BPF_LSH, BPF_RSH, BPF_ARSH, BPF_MOV, BPF_MOV, BPF_MOV };
	static const uint8_t tests[] = { BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE,
					 BPF_JSET, BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE };
	static const uint8_t sizes[] = { BPF_B, BPF_H, BPF_W, BPF_DW };
	static const int32_t numbers[] = { 0, 1, 2, -1, 500, 70000, 8, 63 };
	uint8_t to = pick(9), from = pick(9);
	int32_t number = numbers[pick(ARRAY_SIZE(numbers))];
	int32_t aim = pick(8) ? program->nr + 1 + pick(end - program->nr) : begin + pick(program->nr - begin + 1);

	switch (pick(10)) {
	case 0:
	case 1:
	case 2:
		put(program, (struct bpf_insn){ (pick(3) ? BPF_ALU64 : BPF_ALU) |
						ops[pick(ARRAY_SIZE(ops))] | (pick(2) ? BPF_X : BPF_K),
						to, from, 0, number });
		break;
	case 3:
	case 4:
		/* The address and its use together: a jump between them would use another. */
		put_address(program, pick(3) ? CONFIG_FD : MEMORY_FD, 0);
		put(program, (struct bpf_insn)LOAD(sizes[pick(4)], to, 9, (int16_t)pick(sizeof(config) - 8)));
		break;
	case 5:
		put_address(program, MEMORY_FD, 0);
		put(program, (struct bpf_insn)STORE(9, (int16_t)pick(MEMORY_SIZE - 8), from));
		break;
	case 6:
		put(program, (struct bpf_insn)CALL((int32_t)(1 + pick(9))));
		break;
	case 7:
		if (!pick(4)) {
			put(program, (struct bpf_insn)GOTO((int16_t)(aim - (int32_t)program->nr - 1)));
			break;
		}
		/* fallthrough */
	default:
		put(program, (struct bpf_insn){ (pick(3) ? BPF_JMP : BPF_JMP32) |
						tests[pick(ARRAY_SIZE(tests))] | (pick(2) ? BPF_X : BPF_K),
						to, from, (int16_t)(aim - (int32_t)program->nr - 1), number });
	}
}

/* Jumps into the middle of what belongs together lead to its beginning instead. */
static void mend_jumps(struct program *program)
{
	for (size_t i = 0; i < program->nr; i++) {
		struct bpf_insn *insn = &program->insns[i];
		size_t target = jump_target(insn, i);

		if (!(is_branch(insn) || is_always(insn)))
			continue;
		if (target >= 2 && is_wide(&program->insns[target - 2]))
			target -= 2;
		else if (target >= 1 && is_wide(&program->insns[target - 1]))
			target -= 1;
		insn->off = (int16_t)((int32_t)target - (int32_t)i - 1);
	}
}

static void make_program(struct program *program)
{
	const size_t length = 20 + pick(80), sub_length = 10 + pick(30);
	size_t begin;

	*program = (struct program){};
	for (size_t part = 0; part < 2; part++) {
		size_t wanted = part ? sub_length : length, end;

		begin = program->nr;
		/* A subprogram is given r1 to r5. */
		for (int reg = 0; reg < 9; reg++) {
			if (!part || reg == 0 || reg > 5)
				put(program, (struct bpf_insn)MOV(reg, (int32_t)pick(3)));
		}
		begin = program->nr;
		end = begin + wanted;
		while (program->nr + 3 < end)
			put_any(program, begin, end - 3);
		while (program->nr < end)
			put(program, (struct bpf_insn)ADD(0, 1));
		put(program, (struct bpf_insn)EXIT());
	}
	mend_jumps(program);
	/* One of the helpers' calls in the first part becomes one of the second. */
	for (size_t i = 0; i < length + 9; i++) {
		if (is_call(&program->insns[i]) && program->insns[i].imm == 1) {
			program->insns[i].src_reg = BPF_PSEUDO_CALL;
			program->insns[i].imm = (int32_t)(length + 9 + 1 - i - 1);
		}
	}
}

TEST(random_programs_do_what_they_did)
{
	unsigned int shorter = 0, ended = 0;

	for (uint32_t seed = 1; seed <= 20000; seed++) {
		struct program program, trimmed;
		struct outcome before, after;

		random_state = seed;
		make_program(&program);
		trimmed = program;
		ASSERT_EQ(0, bpf_trim(trimmed.insns, &trimmed.nr, &constants, NULL, &none));
		for (int input = 0; input < 2; input++) {
			before = run(&program, (uint8_t)(seed + input));
			if (!before.ended)
				continue;
			ended++;
			after = run(&trimmed, (uint8_t)(seed + input));
			ASSERT_TRUE(after.ended)
				TH_LOG("seed %u", seed);
			ASSERT_EQ(before.result, after.result)
				TH_LOG("seed %u", seed);
			ASSERT_EQ(before.calls, after.calls)
				TH_LOG("seed %u", seed);
			ASSERT_EQ(0, memcmp(before.memory, after.memory, MEMORY_SIZE))
				TH_LOG("seed %u", seed);
		}
		shorter += trimmed.nr < program.nr;
	}
	/* Else this has shown nothing. */
	EXPECT_GT(ended, 20000);
	EXPECT_GT(shorter, 15000);
}

TEST_HARNESS_MAIN
