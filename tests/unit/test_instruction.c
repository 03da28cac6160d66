// SPDX-License-Identifier: BSD-2-Clause
/* Which instructions of x86 are branches. Lengths alone: test_probe_point.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/base/strbuf.h"
#include "util/kernel/code/instruction.h"
#include "util/kernel/code/machine_code.h"
#include "util/trace/session/assembler.h"

#if defined(__x86_64__)

#define AT 0xffffffff81000100ull

static struct branch_insn branch_of(const char *code, size_t size)
{
	struct branch_insn insn = { .length = 0xff };

	if (branch_decode((const uint8_t *)code, size, AT, &insn))
		insn.length = 0;
	return insn;
}

#define EXPECT_BRANCH(kind_, length_, target_, text)                            \
	do {                                                                    \
		struct branch_insn insn_ = branch_of((text), sizeof(text) - 1); \
		EXPECT_EQ((kind_), insn_.kind);                                 \
		EXPECT_EQ((length_), insn_.length);                             \
		EXPECT_EQ((target_), insn_.target);                             \
	} while (0)

TEST(conditional_branches_have_a_target)
{
	EXPECT_BRANCH(BRANCH_CONDITIONAL, 2, AT + 2 + 0x10, "\x74\x10");
	EXPECT_BRANCH(BRANCH_CONDITIONAL, 2, AT + 2 - 0x10, "\x7f\xf0");
	EXPECT_BRANCH(BRANCH_CONDITIONAL, 6, AT + 6 + 0x1234, "\x0f\x85\x34\x12\x00\x00");
	EXPECT_BRANCH(BRANCH_CONDITIONAL, 6, AT + 6 - 2, "\x0f\x8e\xfe\xff\xff\xff");
	EXPECT_BRANCH(BRANCH_CONDITIONAL, 2, AT, "\xe2\xfe"); /* loop */
	EXPECT_BRANCH(BRANCH_CONDITIONAL, 2, AT + 3, "\xe3\x01"); /* jrcxz */
	EXPECT_BRANCH(BRANCH_CONDITIONAL, 3, AT + 4, "\x67\xe3\x01"); /* jecxz */
	EXPECT_BRANCH(BRANCH_CONDITIONAL, 3, AT + 3 + 5, "\x3e\x75\x05"); /* with a hint */
}

TEST(jumps_and_calls)
{
	EXPECT_BRANCH(BRANCH_JUMP, 2, AT + 2 + 0x7f, "\xeb\x7f");
	EXPECT_BRANCH(BRANCH_JUMP, 5, AT + 5 - 1, "\xe9\xff\xff\xff\xff");
	EXPECT_BRANCH(BRANCH_JUMP, 6, AT + 6, "\xf2\xe9\x00\x00\x00\x00"); /* bnd */
	EXPECT_BRANCH(BRANCH_JUMP, 6, AT + 6,
		      "\x2e\xe9\x00\x00\x00\x00"); /* cs: a thunk's, padded */
	EXPECT_BRANCH(BRANCH_CALL, 5, AT + 5 + 0x100, "\xe8\x00\x01\x00\x00");
	EXPECT_BRANCH(BRANCH_CALL, 6, AT + 6 + 0x100, "\x2e\xe8\x00\x01\x00\x00");
	EXPECT_BRANCH(BRANCH_INDIRECT_JUMP, 2, 0, "\xff\xe0"); /* jmp *%rax */
	EXPECT_BRANCH(BRANCH_INDIRECT_JUMP, 3, 0, "\x3e\xff\xe0"); /* notrack */
	EXPECT_BRANCH(BRANCH_INDIRECT_JUMP, 3, 0, "\x41\xff\xe3"); /* jmp *%r11 */
	EXPECT_BRANCH(BRANCH_INDIRECT_JUMP, 7, 0, "\xff\x24\xc5\x00\x00\x00\x81"); /* a table */
	/* What a retpoline becomes where it is not needed. */
	EXPECT_BRANCH(BRANCH_INDIRECT_CALL, 2, 0, "\xff\xd0\x0f\x1f\x00");
	EXPECT_BRANCH(BRANCH_INDIRECT_CALL, 3, 0, "\x2e\xff\xd0");
	EXPECT_BRANCH(BRANCH_INDIRECT_CALL, 3, 0, "\xff\x50\x18"); /* call *0x18(%rax) */
	EXPECT_BRANCH(BRANCH_INDIRECT_CALL, 6, 0, "\xff\x15\x00\x00\x00\x00");
}

TEST(returns_and_what_leaves_the_kernel)
{
	EXPECT_BRANCH(BRANCH_RETURN, 1, 0, "\xc3");
	EXPECT_BRANCH(BRANCH_RETURN, 2, 0, "\xf3\xc3");
	EXPECT_BRANCH(BRANCH_RETURN, 3, 0, "\xc2\x08\x00");
	EXPECT_BRANCH(BRANCH_SYSTEM, 1, 0, "\xcb"); /* lret */
	EXPECT_BRANCH(BRANCH_SYSTEM, 2, 0, "\xff\x18"); /* lcall */
	EXPECT_BRANCH(BRANCH_SYSTEM, 1, 0, "\xcc"); /* int3 */
	EXPECT_BRANCH(BRANCH_SYSTEM, 2, 0, "\xcd\x80");
	EXPECT_BRANCH(BRANCH_SYSTEM, 2, 0, "\x48\xcf"); /* iretq */
	EXPECT_BRANCH(BRANCH_SYSTEM, 2, 0, "\x0f\x05"); /* syscall */
	EXPECT_BRANCH(BRANCH_SYSTEM, 3, 0, "\x48\x0f\x07"); /* sysretq */
	EXPECT_BRANCH(BRANCH_SYSTEM, 2, 0, "\x0f\x0b"); /* ud2 */
	EXPECT_BRANCH(BRANCH_SYSTEM, 5, 0, "\x67\x0f\xb9\x40\x10"); /* ud1 */
	EXPECT_BRANCH(BRANCH_SYSTEM, 4, 0, "\xf2\x0f\x01\xca"); /* erets */
	EXPECT_BRANCH(BRANCH_NONE, 3, 0, "\x0f\x01\xca"); /* clac */
}

TEST(the_rest_is_no_branch)
{
	EXPECT_BRANCH(BRANCH_NONE, 2, 0, "\x31\xc0");
	EXPECT_BRANCH(BRANCH_NONE, 2, 0, "\xff\xc0"); /* inc */
	EXPECT_BRANCH(BRANCH_NONE, 2, 0, "\xff\x30"); /* push */
	EXPECT_BRANCH(BRANCH_NONE, 4, 0, "\xf3\x0f\x1e\xfa"); /* endbr64 */
	EXPECT_BRANCH(BRANCH_NONE, 3, 0, "\x0f\x94\xc0"); /* sete */
	EXPECT_BRANCH(BRANCH_NONE, 5, 0, "\x0f\x1f\x44\x00\x00");
	/* Opcodes of other maps that look like branches' */
	EXPECT_BRANCH(BRANCH_NONE, 5, 0, "\xc4\xe2\x71\x74\xc2");
	EXPECT_BRANCH(BRANCH_NONE, 5, 0, "\x66\x0f\x38\x05\xc1");
	EXPECT_BRANCH(BRANCH_NONE, 4, 0, "\xc5\xf9\xeb\xc1");
}

TEST(what_is_no_whole_instruction_is_no_branch)
{
	EXPECT_EQ(0, branch_of("", 0).length);
	EXPECT_EQ(0, branch_of("\xe8\x00\x00\x00", 4).length);
	EXPECT_EQ(0, branch_of("\x0f\x84\x00\x00\x00", 5).length);
	EXPECT_EQ(0, branch_of("\x74", 1).length);
	EXPECT_EQ(0, branch_of("\xff", 1).length);
	EXPECT_EQ(0, branch_of("\x06", 1).length);
	EXPECT_EQ(0, branch_of("\x66\x66\x66", 3).length);
}

static bool has_word(const char *const *words, const char *text, size_t len)
{
	for (; *words; words++) {
		if (strlen(*words) == len && !strncmp(*words, text, len))
			return true;
	}
	return false;
}

/* What a disassembler's text makes of an instruction. */
static struct branch_insn branch_in_text(const char *text)
{
	static const char *const prefixes[] = { "bnd",	  "notrack", "cs",  "ds", "data16",
						"repz",	  "repnz",   "rep", "es", "ss",
						"addr32", "rex.W",   "rex", NULL };
	static const char *const system[] = {
		"iret",	  "iretq",   "iretl",	"iretw",   "lret",     "lretq",	   "syscall",
		"sysret", "sysretl", "sysretq", "sysexit", "sysexitl", "sysexitq", "sysenter",
		"int3",	  "int",     "int1",	"icebp",   "ud2",      "ud1",	   "ud0",
		"ljmp",	  "lcall",   "erets",	"eretu",   NULL
	};
	static const char *const returns[] = { "ret", "retq", "retw", NULL };
	static const char *const calls[] = { "call", "callq", "callw", NULL };
	static const char *const jumps[] = { "jmp", "jmpq", "jmpw", NULL };
	struct branch_insn insn = { .kind = BRANCH_NONE };
	size_t len = strcspn(text, " ,\t\n");
	const char *operand;

	while (has_word(prefixes, text, len)) {
		text += len + strspn(text + len, " ");
		len = strcspn(text, " ,\t\n");
	}
	operand = text + len + strspn(text + len, " ,pnt");
	if (has_word(system, text, len))
		insn.kind = BRANCH_SYSTEM;
	else if (has_word(returns, text, len))
		insn.kind = BRANCH_RETURN;
	else if (has_word(calls, text, len))
		insn.kind = *operand == '*' ? BRANCH_INDIRECT_CALL : BRANCH_CALL;
	else if (has_word(jumps, text, len))
		insn.kind = *operand == '*' ? BRANCH_INDIRECT_JUMP : BRANCH_JUMP;
	else if (*text == 'j' || !strncmp(text, "loop", 4))
		insn.kind = BRANCH_CONDITIONAL;
	if (insn.kind == BRANCH_CALL || insn.kind == BRANCH_JUMP || insn.kind == BRANCH_CONDITIONAL)
		insn.target = strtoull(operand, NULL, 16);
	return insn;
}

struct tally {
	unsigned long seen, branches, differ;
};

/* Compares all of a file's code, or what a listing's options leave of it, with a disassembler's. */
static struct tally compare(struct __test_metadata *_metadata, const char *file)
{
	char *command = strf("objdump -d -w --insn-width=16 %s 2>/dev/null", file);
	FILE *listing = popen(command, "r");
	struct tally tally = {};
	char *line = NULL, *end;
	size_t cap = 0;

	while (listing && getline(&line, &cap, listing) > 0) {
		uint64_t addr = strtoull(line, &end, 16);
		struct branch_insn expected, insn = {};
		uint8_t code[16];
		size_t n = 0;
		char *at;

		if (*end != ':' || end[1] != '\t' || strstr(line, "(bad)"))
			continue;
		for (at = end + 2; n < 16; at = end, n++) {
			unsigned long byte = strtoul(at, &end, 16);

			if (end != at + 2 + (n > 0))
				break;
			code[n] = byte;
		}
		at = strchr(at, '\t');
		if (!at)
			continue;
		expected = branch_in_text(at + 1);
		tally.seen++;
		tally.branches += expected.kind != BRANCH_NONE;
		if (!branch_decode(code, n, addr, &insn) && insn.length == n &&
		    insn.kind == expected.kind && insn.target == expected.target)
			continue;
		if (tally.differ++ < 10)
			TH_LOG("%d %llx in: %s", insn.kind, (unsigned long long)insn.target, line);
	}
	if (listing)
		pclose(listing);
	free(line);
	free(command);
	return tally;
}

/* Where a function ends just there, its BUG() is taken for a WARN() otherwise, and its code for torn. */
TEST(padding_is_known_by_its_last_bytes)
{
	static const uint8_t nops[] = { 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x66, 0x90 };
	static const uint8_t ends[] = { 0xcc, 0xcc };
	static const uint8_t moves[] = { 0x66, 0x89, 0xc3 };

	EXPECT_TRUE(code_is_padding(nops, sizeof(nops)));
	EXPECT_TRUE(code_is_padding(nops + 7, 2));
	EXPECT_TRUE(code_is_padding(nops + 8, 1));
	EXPECT_TRUE(code_is_padding(ends, 2));
	EXPECT_TRUE(code_is_padding(ends, 1));
	EXPECT_FALSE(code_is_padding(moves, sizeof(moves)));
	EXPECT_FALSE(code_is_padding(moves, 2));
	EXPECT_FALSE(code_is_padding(nops + 3, 1));
	EXPECT_FALSE(code_is_padding(nops, 0));
}

/* What code_find_call() finds, and code_find_pointer_jump(), looked for byte by byte. */
static bool is_call(const uint8_t *code)
{
	return *code == 0xe8 || *code == 0xe9;
}

static bool is_pointer_jump(const uint8_t *code)
{
	return *code == 0xe9 || (*code == 0xff && (code[1] & 0xf8) == 0xe0);
}

static size_t find_slowly(bool (*is)(const uint8_t *code), const uint8_t *code, size_t size, size_t from)
{
	for (; from + 5 <= size; from++) {
		if (is(code + from))
			return from;
	}
	return size;
}

TEST(calls_and_jumps_are_found_wherever_they_are)
{
	/* Opcodes, and bytes next to them that are none. */
	static const uint8_t bytes[] = { 0xe8, 0xe9, 0xea, 0xe7, 0xff, 0xfe, 0xe0, 0xe1, 0x00, 0x01, 0x80, 0x7f };
	uint64_t target, number = 1, differ = 0, found = 0;
	uint8_t code[67];

	for (int round = 0; round < 2000; round++) {
		size_t size = round % (sizeof(code) + 1);

		for (size_t i = 0; i < size; i++) {
			number = number * 6364136223846793005u + 1442695040888963407u;
			/* Few or many of them. */
			code[i] = number >> 60 > (unsigned int)round % 16 ? bytes[(number >> 33) % sizeof(bytes)] : 0x90;
		}
		for (size_t from = 0; from <= size; from++) {
			size_t call = find_slowly(is_call, code, size, from), at;
			size_t jump = find_slowly(is_pointer_jump, code, size, from);

			found += (call < size) + (jump < size);
			at = code_find_call(code, size, AT, from, &target);
			differ += at != call ||
				  (at < size && target != AT + at + 5 + (uint64_t)(int64_t)(int32_t)
								       (code[at + 1] | code[at + 2] << 8 |
									code[at + 3] << 16 | (uint32_t)code[at + 4] << 24));
			differ += code_find_pointer_jump(code, size, AT, from, &target) != jump ||
				  (jump < size && (code[jump] == 0xe9) != (target != 0));
		}
	}
	EXPECT_GT(found, 10000u);
	EXPECT_EQ(0u, differ);
}

TEST(a_disassembler_says_the_same)
{
	char *self = strf("-j .text /proc/%d/exe", getpid());
	/* Any file, for those who want more; else the disassembler itself. */
	const char *more = getenv("VMLINUX");
	struct tally tally;

	if (system("command -v objdump >/dev/null")) {
		free(self);
		SKIP(return, "no objdump");
	}
	tally = compare(_metadata, self);
	EXPECT_GT(tally.branches, 1000);
	EXPECT_EQ(0, tally.differ);
	tally = compare(_metadata, more ?: "-j .text /proc/self/exe");
	EXPECT_GT(tally.branches, 1000);
	EXPECT_EQ(0, tally.differ);
	free(self);
}

#endif

TEST_HARNESS_MAIN
