// SPDX-License-Identifier: BSD-2-Clause
/* What instructions of x86 do to registers: by hand, and compared with what the CPU does. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "unit.h"
#include "util/kernel/code/instruction.h"
#include "util/kernel/arch/x86/registers.h"

#if defined(__x86_64__)

static struct insn_effect effect_of(const char *code, size_t size)
{
	struct insn insn;

	if (insn_decode((const uint8_t *)code, size, 0, &insn) || !insn.is_known)
		return (struct insn_effect){ .kind = 99 };
	return insn.effect;
}

#define EFFECT(text) effect_of((text), sizeof(text) - 1)

#define EXPECT_MOVE(kind_, to_, from_, text)          \
	do {                                          \
		struct insn_effect e_ = EFFECT(text); \
		EXPECT_EQ((kind_), e_.kind);          \
		EXPECT_EQ((to_), e_.to);              \
		EXPECT_EQ((from_), e_.from);          \
		EXPECT_EQ(1, e_.writes >> e_.to & 1); \
		EXPECT_FALSE(e_.sets_flags);          \
	} while (0)

#define EXPECT_CONSTANT(to_, value_, text)                         \
	do {                                                       \
		struct insn_effect e_ = EFFECT(text);              \
		EXPECT_EQ(EFFECT_CONSTANT, e_.kind);               \
		EXPECT_EQ((to_), e_.to);                           \
		EXPECT_EQ((uint32_t)(value_), (uint32_t)e_.value); \
		EXPECT_EQ(1 << (to_), e_.writes);                  \
	} while (0)

/* Versions of Capstone name the two in different order. */
#define EXPECT_SWAP(one, other, text)                                           \
	do {                                                                    \
		struct insn_effect e_ = EFFECT(text);                           \
		EXPECT_EQ(EFFECT_SWAP, e_.kind);                                \
		EXPECT_NE(e_.to, e_.from);                                      \
		EXPECT_EQ(1 << (one) | 1 << (other), 1 << e_.to | 1 << e_.from); \
		EXPECT_EQ(1 << (one) | 1 << (other), e_.writes);                \
	} while (0)

#define EXPECT_WRITES(writes_, text)                  \
	do {                                          \
		struct insn_effect e_ = EFFECT(text); \
		EXPECT_EQ(EFFECT_OTHER, e_.kind);     \
		EXPECT_EQ((writes_), e_.writes);      \
	} while (0)

TEST(values_move)
{
	EXPECT_MOVE(EFFECT_COPY, X86_RAX, X86_RBX, "\x89\xd8"); /* mov %ebx,%eax */
	EXPECT_MOVE(EFFECT_COPY, X86_RAX, X86_RBX, "\x8b\xc3");
	EXPECT_MOVE(EFFECT_COPY, X86_RAX, X86_R12, "\x44\x89\xe0");
	EXPECT_MOVE(EFFECT_COPY, X86_R12, X86_RAX, "\x49\x89\xc4");
	EXPECT_MOVE(EFFECT_COPY, X86_RBX, X86_RAX, "\x48\x63\xd8"); /* movslq */
	EXPECT_MOVE(EFFECT_COPY, X86_RAX, X86_RAX, "\x48\x98"); /* cltq */
	EXPECT_MOVE(EFFECT_SELECT, X86_RAX, X86_RDX, "\x0f\x44\xc2"); /* cmove %edx,%eax */
	/* cmovns 0x8(%rsp),%r12: it only reads the stack. */
	EXPECT_EQ(EFFECT_SELECT, EFFECT("\x4c\x0f\x49\x64\x24\x08").kind);
	EXPECT_EQ(X86_R12, EFFECT("\x4c\x0f\x49\x64\x24\x08").other);
	EXPECT_TRUE(EFFECT("\x4c\x0f\x49\x64\x24\x08").from_is_memory);
	EXPECT_FALSE(EFFECT("\x4c\x0f\x49\x64\x24\x08").on_stack);
	EXPECT_FALSE(EFFECT("\x0f\x44\xc2").from_is_memory);
	EXPECT_SWAP(X86_RAX, X86_R12, "\x49\x94");
	EXPECT_SWAP(X86_RBX, X86_RCX, "\x48\x87\xcb");
	EXPECT_EQ(EFFECT_LOAD, EFFECT("\x8b\x47\x08").kind);
	EXPECT_EQ(X86_RAX, EFFECT("\x8b\x47\x08").to);
	EXPECT_EQ(1 << X86_RAX, EFFECT("\x8b\x47\x08").writes);
	EXPECT_FALSE(EFFECT("\x8b\x47\x08").sets_flags);
	EXPECT_EQ(EFFECT_STORE, EFFECT("\x89\x47\x08").kind);
}

TEST(values_that_are_only_a_part_do_not)
{
	EXPECT_WRITES(1 << X86_RAX, "\x88\xd8"); /* mov %bl,%al */
	EXPECT_WRITES(1 << X86_RAX, "\x66\x89\xd8");
	EXPECT_WRITES(1 << X86_RAX, "\x0f\xb6\xc3"); /* movzbl */
	EXPECT_WRITES(1 << X86_RAX, "\x66\xb8\xea\xff");
	EXPECT_WRITES(1 << X86_RAX, "\x98"); /* cwtl */
	EXPECT_WRITES(1 << X86_RAX, "\xb0\x01");
	EXPECT_WRITES(1 << X86_RAX, "\xb4\x01"); /* mov $1,%ah */
	EXPECT_WRITES(1 << X86_RSI, "\x40\xb6\x01"); /* mov $1,%sil */
	EXPECT_WRITES(1 << X86_RDX, "\x80\xe6\x08"); /* and $8,%dh */
	EXPECT_WRITES(1 << X86_RAX, "\x0f\x94\xc4"); /* sete %ah */
	EXPECT_WRITES(1 << X86_R8, "\x41\x0f\x94\xc0");
}

TEST(constants)
{
	EXPECT_CONSTANT(X86_RAX, -22, "\xb8\xea\xff\xff\xff");
	EXPECT_CONSTANT(X86_R12, -22, "\x41\xbc\xea\xff\xff\xff");
	EXPECT_CONSTANT(X86_RAX, -22, "\x48\xc7\xc0\xea\xff\xff\xff");
	EXPECT_TRUE(EFFECT("\xb8\xea\xff\xff\xff").is_half);
	EXPECT_FALSE(EFFECT("\x48\xc7\xc0\xea\xff\xff\xff").is_half);
	EXPECT_CONSTANT(X86_RAX, 0x4030201, "\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08");
	EXPECT_CONSTANT(X86_RAX, 0, "\x31\xc0");
	EXPECT_CONSTANT(X86_R12, 0, "\x45\x31\xe4");
	EXPECT_CONSTANT(X86_RAX, 0, "\x29\xc0");
	EXPECT_CONSTANT(X86_RAX, -1, "\x83\xc8\xff");
	EXPECT_CONSTANT(X86_RAX, -1, "\x48\x83\xc8\xff");
	EXPECT_WRITES(1 << X86_RAX, "\x31\xd8"); /* xor %ebx,%eax */
	EXPECT_WRITES(1 << X86_RAX, "\x44\x31\xc0"); /* xor %r8d,%eax */
	EXPECT_WRITES(1 << X86_RAX, "\x19\xc0"); /* sbb: depends on the carry */
	EXPECT_WRITES(1 << X86_RAX, "\x30\xc0"); /* xor %al,%al */
	EXPECT_WRITES(1 << X86_RAX, "\x83\xe0\xf9"); /* and $-7,%eax */
}

#define EXPECT_COMPUTES(computes_, to_, from_, value_, text) \
	do {                                                 \
		struct insn_effect e_ = EFFECT(text);        \
		EXPECT_EQ(EFFECT_OTHER, e_.kind);            \
		EXPECT_EQ((computes_), e_.computes);         \
		EXPECT_EQ((to_), e_.to);                     \
		EXPECT_EQ((from_), e_.from);                 \
		EXPECT_EQ((value_), (int32_t)e_.value);      \
	} while (0)

TEST(what_is_computed_from_a_register_and_a_constant)
{
	EXPECT_COMPUTES(COMPUTES_FLAG, X86_RBX, X86_RBX, -1, "\x19\xdb"); /* sbb %ebx,%ebx */
	EXPECT_COMPUTES(COMPUTES_FLAG_BYTE, X86_RAX, X86_RAX, 1, "\x0f\x95\xc0"); /* setne %al */
	EXPECT_COMPUTES(COMPUTES_FLAG_BYTE, X86_RSI, X86_RSI, 1,
			"\x40\x0f\x98\xc6"); /* sets %sil */
	EXPECT_COMPUTES(COMPUTES_BYTE, X86_RAX, X86_RCX, 0, "\x0f\xb6\xc1"); /* movzbl %cl,%eax */
	EXPECT_COMPUTES(COMPUTES_AND, X86_RBX, X86_RBX, -8, "\x83\xe3\xf8");
	/* xchg %r13d,0x11c(%r12): what was there; on the stack, it is written, too. */
	EXPECT_EQ(EFFECT_LOAD, EFFECT("\x45\x87\xac\x24\x1c\x01\x00\x00").kind);
	EXPECT_EQ(X86_R13, EFFECT("\x45\x87\xac\x24\x1c\x01\x00\x00").to);
	EXPECT_EQ(EFFECT_OTHER, EFFECT("\x87\x44\x24\x08").kind);
	/* Bytes above do not change: and $8,%al; and $0xf000,%cx. */
	EXPECT_COMPUTES(COMPUTES_AND, X86_RAX, X86_RAX, ~0xf7, "\x24\x08");
	EXPECT_COMPUTES(COMPUTES_AND, X86_RCX, X86_RCX, ~0xfff, "\x66\x81\xe1\x00\xf0");
	EXPECT_COMPUTES(COMPUTES_OR, X86_RAX, X86_RAX, 8, "\x83\xc8\x08");
	EXPECT_COMPUTES(COMPUTES_XOR, X86_RAX, X86_RAX, 1, "\x83\xf0\x01");
	EXPECT_COMPUTES(COMPUTES_XOR, X86_RAX, X86_RAX, -1, "\xf7\xd0"); /* not %eax */
	EXPECT_COMPUTES(COMPUTES_SUM, X86_RAX, X86_RAX, -4, "\x83\xe8\x04"); /* sub $4,%eax */
	EXPECT_COMPUTES(COMPUTES_SUM, X86_RAX, X86_RAX, -1, "\xff\xc8"); /* dec %eax */
	EXPECT_COMPUTES(COMPUTES_SUM, X86_RAX, X86_RCX, -12,
			"\x8d\x41\xf4"); /* lea -12(%rcx),%eax */
	EXPECT_COMPUTES(COMPUTES_NEGATED, X86_RAX, X86_RAX, 0, "\xf7\xd8");
	/* Not of a byte, of two registers, or with the carry. */
	EXPECT_EQ(COMPUTES_UNKNOWN, EFFECT("\x80\xe4\xfd").computes); /* and $-3,%ah */
	EXPECT_EQ(COMPUTES_UNKNOWN, EFFECT("\x0c\x08").computes); /* or $8,%al */
	EXPECT_EQ(COMPUTES_UNKNOWN, EFFECT("\x0f\x94\xc4").computes); /* sete %ah */
	EXPECT_EQ(COMPUTES_UNKNOWN, EFFECT("\x0f\xb6\xc4").computes); /* movzbl %ah,%eax */
	EXPECT_EQ(COMPUTES_UNKNOWN, EFFECT("\x19\xd8").computes); /* sbb %ebx,%eax */
	EXPECT_EQ(COMPUTES_UNKNOWN, EFFECT("\x83\xd8\x00").computes); /* sbb $0,%eax */
	EXPECT_COMPUTES(COMPUTES_MULTIPLE, X86_RAX, X86_RCX, 0, "\x8d\x04\x09"); /* lea (%rcx,%rcx),%eax */
	EXPECT_EQ(2, EFFECT("\x8d\x04\x09").factor);
	EXPECT_COMPUTES(COMPUTES_MULTIPLE, X86_R8, X86_R8, -22,
			"\x47\x8d\x44\x80\xea"); /* lea -22(%r8,%r8,4),%r8d */
	EXPECT_EQ(5, EFFECT("\x47\x8d\x44\x80\xea").factor);
	EXPECT_COMPUTES(COMPUTES_MULTIPLE, X86_RAX, X86_RCX, -22,
			"\x8d\x04\xcd\xea\xff\xff\xff"); /* lea -22(,%rcx,8),%eax */
	EXPECT_EQ(8, EFFECT("\x8d\x04\xcd\xea\xff\xff\xff").factor);
	EXPECT_EQ(COMPUTES_UNKNOWN, EFFECT("\x8d\x04\x11").computes); /* lea (%rcx,%rdx),%eax */
}

TEST(the_stack)
{
	struct insn_effect e;

	e = EFFECT("\x89\x44\x24\x1c"); /* mov %eax,0x1c(%rsp) */
	EXPECT_EQ(EFFECT_STORE, e.kind);
	EXPECT_TRUE(e.on_stack);
	EXPECT_EQ(X86_RSP, e.base);
	EXPECT_EQ(0x1c, e.displacement);
	EXPECT_EQ(0, e.writes);
	e = EFFECT("\x8b\x44\x24\x1c");
	EXPECT_EQ(EFFECT_LOAD, e.kind);
	EXPECT_TRUE(e.on_stack);
	e = EFFECT("\xc7\x04\x24\xea\xff\xff\xff"); /* movl $-22,(%rsp) */
	EXPECT_EQ(EFFECT_STORE_CONSTANT, e.kind);
	EXPECT_TRUE(e.on_stack);
	EXPECT_EQ(-22, e.value);
	e = EFFECT("\x83\x4c\x24\x08\x01"); /* orl $1,8(%rsp) */
	EXPECT_EQ(EFFECT_OTHER, e.kind);
	EXPECT_TRUE(e.on_stack);
	e = EFFECT("\x8b\x85\x90\xfe\xff\xff"); /* mov -0x170(%rbp),%eax */
	EXPECT_TRUE(e.on_stack);
	EXPECT_EQ(X86_RBP, e.base);
	EXPECT_EQ(-0x170, e.displacement);
	EXPECT_FALSE(EFFECT("\x83\x7c\x24\x08\x00").on_stack); /* cmpl $0,8(%rsp) */
	EXPECT_FALSE(EFFECT("\x48\x8d\x44\x24\x08").on_stack); /* lea */
	EXPECT_FALSE(EFFECT("\x65\x8b\x04\x24").on_stack); /* %gs:(%rsp) */
	EXPECT_TRUE(EFFECT("\x3e\x89\x44\x24\x08").on_stack); /* padded with ds */
	EXPECT_FALSE(EFFECT("\x8b\x04\x8c").on_stack); /* (%rsp,%rcx,4) */
	EXPECT_EQ(-8, EFFECT("\x41\x54").moves_stack);
	EXPECT_EQ(8, EFFECT("\x41\x5c").moves_stack);
	EXPECT_EQ(-0x28, EFFECT("\x48\x83\xec\x28").moves_stack);
	EXPECT_EQ(0x28, EFFECT("\x48\x83\xc4\x28").moves_stack);
	EXPECT_EQ(-0x128, EFFECT("\x48\x81\xec\x28\x01\x00\x00").moves_stack);
	EXPECT_EQ(0x10, EFFECT("\x48\x8d\x64\x24\x10").moves_stack); /* lea 0x10(%rsp),%rsp */
	EXPECT_WRITES(1 << X86_RSP, "\x48\x83\xe4\xf0"); /* and $-16,%rsp */
	e = EFFECT("\xc9"); /* leave */
	EXPECT_EQ(EFFECT_UNWIND, e.kind);
	EXPECT_EQ(8, e.displacement);
	EXPECT_EQ(1 << X86_RSP | 1 << X86_RBP, e.writes);
	e = EFFECT("\x48\x8d\x65\xd8"); /* lea -0x28(%rbp),%rsp */
	EXPECT_EQ(EFFECT_UNWIND, e.kind);
	EXPECT_EQ(-0x28, e.displacement);
	EXPECT_EQ(1 << X86_RSP, e.writes);
	EXPECT_EQ(1 << X86_RSP, EFFECT("\x48\x89\xec").writes); /* mov %rbp,%rsp */
	EXPECT_EQ(EFFECT_UNWIND, EFFECT("\x48\x89\xec").kind);
}

TEST(flags_tell_what_was_tested)
{
	EXPECT_EQ(1 << X86_RAX, EFFECT("\x85\xc0").tests);
	EXPECT_EQ(1 << X86_R12, EFFECT("\x45\x85\xe4").tests);
	EXPECT_EQ(1 << X86_RAX, EFFECT("\x84\xc0").tests);
	EXPECT_EQ(1 << X86_RAX, EFFECT("\x48\x3d\x00\xf0\xff\xff").tests);
	EXPECT_EQ(1 << X86_RBX, EFFECT("\x48\x81\xfb\x00\xf0\xff\xff").tests);
	EXPECT_EQ(1 << X86_RCX | 1 << X86_RDX, EFFECT("\x39\xd1").tests);
	EXPECT_EQ(1 << X86_RDX, EFFECT("\x80\xe6\x08").tests);
	EXPECT_EQ(1 << X86_RDX, EFFECT("\xf6\xc2\x04").tests);
	EXPECT_EQ(0, EFFECT("\x83\x7f\x04\x04").tests); /* cmpl $4,4(%rdi) */
	EXPECT_TRUE(EFFECT("\x83\x7f\x04\x04").sets_flags);
	EXPECT_EQ(0, EFFECT("\x83\x7f\x04\x04").writes);
	EXPECT_FALSE(EFFECT("\x8d\x41\x01").sets_flags);
	EXPECT_FALSE(EFFECT("\xf7\xd0").sets_flags); /* not */
	EXPECT_TRUE(EFFECT("\xf7\xd8").sets_flags); /* neg */
}

TEST(registers_that_are_not_named)
{
	EXPECT_WRITES(1 << X86_RAX | 1 << X86_RDX, "\xf7\xf1"); /* div */
	EXPECT_WRITES(1 << X86_RDX, "\x99");
	EXPECT_WRITES(1 << X86_RSI | 1 << X86_RDI | 1 << X86_RCX, "\xf3\xa4");
	EXPECT_WRITES(1 << X86_RDI | 1 << X86_RCX, "\xf3\x48\xab");
	EXPECT_WRITES(1 << X86_RAX | 1 << X86_RDX, "\x0f\x31"); /* rdtsc */
	EXPECT_WRITES(1 << X86_RAX | 1 << X86_RCX | 1 << X86_RDX | 1 << X86_RBX, "\x0f\xa2");
	EXPECT_WRITES(1 << X86_RAX, "\xf0\x0f\xb1\x0f"); /* lock cmpxchg, memory */
	EXPECT_WRITES(1 << X86_RAX | 1 << X86_RDX, "\xf0\x48\x0f\xc7\x0f");
	EXPECT_WRITES(0, "\xf3\x0f\x1e\xfa");
	EXPECT_WRITES(0, "\x0f\x1f\x44\x00\x00");
	EXPECT_WRITES(0, "\xe8\x00\x00\x00\x00");
}

TEST(second_bytes_are_of_the_first_four_registers)
{
	EXPECT_WRITES(1 << X86_RAX, "\x80\xe4\xfd"); /* and $-3,%ah */
	EXPECT_WRITES(1 << X86_RAX, "\x80\xcc\x02"); /* or $2,%ah */
	EXPECT_WRITES(1 << X86_RAX, "\x80\xc4\x50"); /* add $0x50,%ah */
	EXPECT_EQ(0, EFFECT("\x80\xc4\x50").moves_stack);
	EXPECT_WRITES(1 << X86_RBX, "\x80\xf7\x01"); /* xor $1,%bh */
}

/* Where Capstone 4 or 5 says otherwise. */
TEST(the_decoder_is_corrected)
{
	EXPECT_WRITES(0, "\xa9\x00\x00\x04\x00"); /* test $0x40000,%eax */
	EXPECT_WRITES(1 << X86_RDX, "\x48\x99"); /* cqto */
	EXPECT_WRITES(1 << X86_RAX, "\xd7"); /* xlat */
	EXPECT_WRITES(1 << X86_RAX, "\x0f\xb1\x54\x24\x08"); /* cmpxchg %edx,8(%rsp) */
	EXPECT_TRUE(EFFECT("\x0f\xb1\x54\x24\x08").on_stack);
	EXPECT_TRUE(EFFECT("\x0f\x94\x44\x24\x0f").on_stack); /* sete 15(%rsp) */
	EXPECT_TRUE(EFFECT("\xc1\x44\x24\x08\x03").on_stack); /* roll $3,8(%rsp) */
	EXPECT_FALSE(EFFECT("\xf7\x44\x24\x08\x01\x00\x00\x00").on_stack); /* testl $1,8(%rsp) */
	EXPECT_TRUE(EFFECT("\x66\x0f\x3a\x63\xc1\x1a").sets_flags); /* pcmpistri */
	EXPECT_TRUE(EFFECT("\xdb\xe9").sets_flags); /* fucomi */
	EXPECT_TRUE(EFFECT("\x44\x85\x60\x3c").sets_flags); /* test %r12d,60(%rax) */
	EXPECT_TRUE(EFFECT("\x84\x00").sets_flags); /* test %al,(%rax) */
	EXPECT_WRITES(0, "\x0f\x01\xe8"); /* serialize */
	EXPECT_WRITES(1 << X86_RAX | 1 << X86_RDX, "\x0f\x01\xee"); /* rdpkru */
	EXPECT_WRITES(0, "\x0f\x01\xef"); /* wrpkru */
	EXPECT_EQ(99, EFFECT("\xf3\x0f\x01\xca").kind); /* eretu */
}

TEST(what_vectors_write_is_larger)
{
	EXPECT_EQ(16, EFFECT("\x0f\x29\x44\x24\x10").bytes); /* movaps %xmm0,16(%rsp) */
	EXPECT_EQ(16, EFFECT("\x48\x0f\xc7\x4c\x24\x10").bytes); /* cmpxchg16b 16(%rsp) */
	EXPECT_EQ(8, EFFECT("\x48\x89\x44\x24\x10").bytes); /* mov %rax,16(%rsp) */
	EXPECT_EQ(4, EFFECT("\x89\x44\x24\x10").bytes); /* mov %eax,16(%rsp) */
	EXPECT_EQ(1, EFFECT("\xc6\x44\x24\x10\x01").bytes); /* movb $1,16(%rsp) */
}

TEST(flags_that_are_popped_lose_nothing_on_the_stack)
{
	EXPECT_EQ(8, EFFECT("\x9d").moves_stack);
	EXPECT_TRUE(EFFECT("\x9d").sets_flags);
	EXPECT_FALSE(EFFECT("\x9d").on_stack);
	EXPECT_EQ(-8, EFFECT("\x9c").moves_stack);
	EXPECT_TRUE(EFFECT("\x9c").on_stack);
	EXPECT_WRITES(1 << X86_RSP, "\x5c"); /* pop %rsp */
}

TEST(what_is_not_known_says_so)
{
	EXPECT_EQ(99, EFFECT("\xcc").kind);
	EXPECT_EQ(99, EFFECT("\x0f\x0b").kind);
	EXPECT_EQ(99, EFFECT("\xc5\xf8\x77").kind);
	EXPECT_EQ(99, EFFECT("\xc7\xf8\x00\x00\x00\x00").kind); /* xbegin */
	EXPECT_EQ(99, EFFECT("\x0f\x78\x03").kind); /* vmread %rax,(%rbx) */
	EXPECT_EQ(99, EFFECT("\x66\x0f\xae\xf0").kind); /* tpause %eax */
	EXPECT_EQ(99, EFFECT("\xf2\x0f\xae\xf1").kind); /* umwait %ecx */
	EXPECT_EQ(99, EFFECT("\xf3\x48\x0f\x1e\xc8").kind); /* rdsspq %rax */
	EXPECT_EQ(99, EFFECT("\x0f\x01\xc5").kind); /* pconfig */
	EXPECT_EQ(99, EFFECT("\x89").kind);
	EXPECT_EQ(99, EFFECT("").kind);
}

#define STEPS 20000
#define ARITHMETIC_FLAGS 0x8d5

static int compare_numbers(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Something to watch: code of this program and of the C library. */
static void work(void)
{
	volatile double sum = 0;
	char text[128];
	int numbers[40];

	for (int i = 0; i < 40; i++)
		numbers[i] = (i * 7919) % 101;
	qsort(numbers, 40, sizeof(int), compare_numbers);
	for (int i = 0; i < 40; i += 8) {
		snprintf(text, sizeof(text), "%d %#llx %-8s %.3f %c", numbers[i],
			 (unsigned long long)i << 33, "text", i / 3.0, 'x');
		sum += strtol(text, NULL, 10) + strtod("12.5e3", NULL);
		sum += strlen(strrchr(text, ' ') ?: "");
		free(strdup(text));
	}
	snprintf(text, sizeof(text), "%f", sum);
}

static void registers_of(const struct user_regs_struct *regs, uint64_t *ret)
{
	const uint64_t all[] = {
		[X86_RAX] = regs->rax, [X86_RCX] = regs->rcx, [X86_RDX] = regs->rdx,
		[X86_RBX] = regs->rbx, [X86_RSP] = regs->rsp, [X86_RBP] = regs->rbp,
		[X86_RSI] = regs->rsi, [X86_RDI] = regs->rdi, [X86_R8] = regs->r8,
		[X86_R9] = regs->r9,   [X86_R10] = regs->r10, [X86_R11] = regs->r11,
		[X86_R12] = regs->r12, [X86_R13] = regs->r13, [X86_R14] = regs->r14,
		[X86_R15] = regs->r15,
	};

	memcpy(ret, all, sizeof(all));
}

static uint32_t word_at(pid_t pid, uint64_t addr)
{
	return ptrace(PTRACE_PEEKDATA, pid, addr, NULL);
}

/* Whether a register is what the instruction was said to compute. */
static bool computed_so(const struct insn_effect *e, uint32_t was, uint32_t from, uint32_t is)
{
	switch (e->computes) {
	case COMPUTES_FLAG:
		return !is || is == (uint32_t)e->value;
	case COMPUTES_FLAG_BYTE:
		return (is ^ was) <= 0xff && ((uint8_t)is == 0 || (uint8_t)is == e->value);
	case COMPUTES_BYTE:
		return is == (uint8_t)from;
	case COMPUTES_AND:
		return is == (from & (uint32_t)e->value);
	case COMPUTES_OR:
		return is == (from | (uint32_t)e->value);
	case COMPUTES_XOR:
		return is == (from ^ (uint32_t)e->value);
	case COMPUTES_SUM:
		return is == from + (uint32_t)e->value;
	case COMPUTES_MULTIPLE:
		return is == from * e->factor + (uint32_t)e->value;
	case COMPUTES_NEGATED:
		return is == -from;
	default:
		return false;
	}
}

/* NULL, or how what happened is not what was said. */
static const char *contradiction(pid_t pid, const struct insn_effect *e, enum branch_kind branch,
				 const struct user_regs_struct *before,
				 const struct user_regs_struct *after)
{
	uint64_t was[16], is[16], addr;

	registers_of(before, was);
	registers_of(after, is);
	for (int r = 0; r < 16; r++) {
		if (r != X86_RSP && !(e->writes >> r & 1) && was[r] != is[r])
			return "a register changed";
	}
	if (!(e->writes >> X86_RSP & 1) && branch == BRANCH_NONE &&
	    is[X86_RSP] != was[X86_RSP] + e->moves_stack)
		return "the stack is elsewhere";
	if (!e->sets_flags && (before->eflags ^ after->eflags) & ARITHMETIC_FLAGS)
		return "flags changed";
	addr = was[e->base] + e->displacement;
	if (e->computes && !computed_so(e, was[e->to], was[e->from], is[e->to]))
		return "not computed so";
	switch (e->kind) {
	case EFFECT_COPY:
		return (uint32_t)is[e->to] != (uint32_t)was[e->from] ? "not copied" : NULL;
	case EFFECT_CONSTANT:
		return (uint32_t)is[e->to] != (uint32_t)e->value ? "another constant" : NULL;
	case EFFECT_SELECT:
		return (uint32_t)is[e->to] != (uint32_t)was[e->from] &&
				       (uint32_t)is[e->to] != (uint32_t)was[e->to] ?
			       "neither of two" :
			       NULL;
	case EFFECT_SWAP:
		return (uint32_t)is[e->to] != (uint32_t)was[e->from] ||
				       (uint32_t)is[e->from] != (uint32_t)was[e->to] ?
			       "not swapped" :
			       NULL;
	case EFFECT_LOAD:
		return e->on_stack && word_at(pid, addr) != (uint32_t)is[e->to] ? "not loaded" :
										  NULL;
	case EFFECT_STORE:
		return e->on_stack && word_at(pid, addr) != (uint32_t)was[e->from] ? "not stored" :
										     NULL;
	case EFFECT_STORE_CONSTANT:
		return e->on_stack && word_at(pid, addr) != (uint32_t)e->value ? "not stored" :
										 NULL;
	default:
		return NULL;
	}
}

static pid_t start_traced(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			kill(getpid(), SIGKILL);
		raise(SIGSTOP);
		work();
		kill(getpid(), SIGKILL);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return -1;
	return pid;
}

TEST(the_cpu_does_the_same)
{
	struct user_regs_struct before, after;
	unsigned long known = 0, copies = 0, constants = 0, unknown = 0;
	pid_t pid = start_traced();
	const char *wrong = NULL;
	int status;

	if (pid < 0)
		SKIP(return, "processes cannot be traced here");
	for (int i = 0; i < STEPS && !wrong; i++) {
		struct insn insn;
		uint8_t code[16];
		struct iovec local = { code, sizeof(code) }, remote = { NULL, sizeof(code) };

		if (ptrace(PTRACE_GETREGS, pid, NULL, &before))
			break;
		remote.iov_base = (void *)before.rip;
		if (process_vm_readv(pid, &local, 1, &remote, 1, 0) != sizeof(code) ||
		    ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid ||
		    !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP ||
		    ptrace(PTRACE_GETREGS, pid, NULL, &after))
			break;
		if (insn_decode(code, sizeof(code), before.rip, &insn) || !insn.is_known) {
			unknown++;
			continue;
		}
		known++;
		copies += insn.effect.kind == EFFECT_COPY;
		constants += insn.effect.kind == EFFECT_CONSTANT;
		wrong = contradiction(pid, &insn.effect, insn.branch.kind, &before, &after);
		EXPECT_EQ(NULL, wrong)
		{
			TH_LOG("%s: %02x %02x %02x %02x %02x %02x %02x", wrong, code[0], code[1],
			       code[2], code[3], code[4], code[5], code[6]);
		}
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	EXPECT_GT(known, 5000);
	EXPECT_GT(copies, 300);
	EXPECT_GT(constants, 50);
	/* Vectors. */
	EXPECT_LT(unknown, known / 4);
}

#endif

TEST_HARNESS_MAIN
