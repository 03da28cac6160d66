// SPDX-License-Identifier: BSD-2-Clause
/* Where instructions of x86 begin. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/base/strbuf.h"
#include "util/kernel/code/instruction.h"
#include "util/kernel/code/probe_point.h"
#include "util/kernel/symbols/code_source.h"
#include "util/trace/session/assembler.h"

#if defined(__x86_64__)

#define CODE(text) (const uint8_t *)(text), sizeof(text) - 1
#define EXPECT_LENGTH(expected, text) EXPECT_EQ((expected), instruction_length(CODE(text)))

TEST(instructions_have_their_length)
{
	EXPECT_LENGTH(4, "\xf3\x0f\x1e\xfa\x90");				/* endbr64 */
	EXPECT_LENGTH(5, "\xe8\x00\x00\x00\x00\x90");				/* call */
	EXPECT_LENGTH(6, "\x66\xe8\x00\x00\x00\x00\x90");			/* data16 call */
	EXPECT_LENGTH(5, "\x0f\x1f\x44\x00\x00\x90");				/* nopl */
	EXPECT_LENGTH(1, "\x55\x90");						/* push */
	EXPECT_LENGTH(2, "\x41\x57\x90");					/* push r15 */
	EXPECT_LENGTH(3, "\x48\x89\xe5\x90");					/* mov */
	EXPECT_LENGTH(7, "\x48\xc7\xc0\x01\x00\x00\x00\x90");			/* mov imm32 */
	EXPECT_LENGTH(10, "\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08\x90");	/* movabs */
	EXPECT_LENGTH(5, "\xb8\x01\x02\x03\x04\x90");
	EXPECT_LENGTH(4, "\x66\xb8\x01\x02\x90");
	EXPECT_LENGTH(9, "\x65\x48\x8b\x04\x25\x00\x00\x00\x00\x90");		/* gs: absolute */
	EXPECT_LENGTH(8, "\x65\x48\x8b\x05\x00\x00\x00\x00\x90");		/* gs: rip */
	EXPECT_LENGTH(3, "\xf6\xc3\x01\x90");					/* test imm8 */
	EXPECT_LENGTH(2, "\xf6\xd3\x90");					/* not */
	EXPECT_LENGTH(6, "\xf7\xc3\x01\x00\x00\x00\x90");
	EXPECT_LENGTH(6, "\x0f\x84\x00\x00\x00\x00\x90");			/* je */
	EXPECT_LENGTH(4, "\x0f\xba\xe0\x07\x90");				/* bt imm8 */
	EXPECT_LENGTH(3, "\xc5\xf8\x77\x90");					/* vzeroupper */
	EXPECT_LENGTH(6, "\x62\xf1\x7c\x48\x28\xc1\x90");			/* vmovaps zmm */
	EXPECT_LENGTH(6, "\xc4\xe3\x7d\x39\xc1\x01\x90");			/* vextracti128 */
	EXPECT_LENGTH(2, "\x0f\x0b\x90");					/* ud2 */
	EXPECT_LENGTH(5, "\x67\x48\x0f\xb9\x3a\x90");			/* ud1 */
	EXPECT_LENGTH(7, "\x0f\xff\x80\x00\x01\x00\x00\x90");		/* ud0 */
	EXPECT_LENGTH(3, "\x0f\x01\xfa\x90");				/* monitorx */
	EXPECT_LENGTH(4, "\xf2\x0f\x01\xff\x90");				/* pvalidate */
	EXPECT_LENGTH(4, "\x66\x0f\xae\xf1\x90");				/* tpause */
	EXPECT_LENGTH(5, "\xf3\x48\x0f\x1e\xc8\x90");			/* rdsspq */
	EXPECT_LENGTH(7, "\x66\x48\x0f\x38\xf5\x45\xf8\x90");		/* wrussq */
	EXPECT_LENGTH(7, "\x62\xf3\xd5\x48\x25\xc4\x96\x90");		/* vpternlogq */
	EXPECT_LENGTH(7, "\x62\xf1\x65\x08\x72\xc3\x10\x90");		/* vprord */
	EXPECT_LENGTH(6, "\xc4\xe3\x7d\x44\xef\x11\x90");		/* vpclmulqdq */
	EXPECT_LENGTH(5, "\xc4\xe2\x78\x49\xc0\x90");			/* tilerelease */
	EXPECT_LENGTH(9, "\xf0\x48\x0f\xc7\x8b\x00\x01\x00\x00\x90"); /* lock cmpxchg16b */
}

TEST(what_is_no_instruction_has_no_length)
{
	EXPECT_LENGTH(0, "");
	EXPECT_LENGTH(0, "\x06");
	EXPECT_LENGTH(0, "\xe8\x00\x00\x00");
	EXPECT_LENGTH(0, "\x48");
	EXPECT_LENGTH(0, "\x8b\x04");
	EXPECT_LENGTH(0, "\x67\x0f\xb9\x40");
	EXPECT_LENGTH(0, "\x0f\xb9");
	EXPECT_LENGTH(0, "\x0f\x01");
	EXPECT_LENGTH(0, "\x0f\x38");
	EXPECT_LENGTH(0, "\xc4");
	EXPECT_LENGTH(0, "\x62\xf3");
	EXPECT_LENGTH(0, "\x62\xf3\xd5\x48\x25");
	EXPECT_LENGTH(0, "\x62\xf3\xd5\x48\x25\xc4");
	EXPECT_LENGTH(0, "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90");
}

/* Whether both are of one mind on all of this program. */
TEST(a_disassembler_says_the_same)
{
	char *command = strf("objdump -d -w --insn-width=16 -j .text /proc/%d/exe 2>/dev/null | "
			     "sed -n 's/^ *[0-9a-f]*:\\t\\([0-9a-f ]*\\)\\t.*/\\1/p' | head -60000",
			     getpid());
	FILE *listing = popen(command, "r");
	unsigned long seen = 0, differ = 0;
	char *line = NULL;
	size_t cap = 0;

	if (sizeof(void *) != 8 || system("command -v objdump >/dev/null"))
		SKIP(return, "no objdump");
	while (getline(&line, &cap, listing) > 0) {
		uint8_t code[32];
		size_t n = 0;

		memset(code, 0xcc, sizeof(code));
		for (char *at = line, *end; n < 16; at = end, n++) {
			unsigned long byte = strtoul(at, &end, 16);

			if (end == at)
				break;
			code[n] = byte;
		}
		seen++;
		differ += instruction_length(code, sizeof(code)) != n;
	}
	pclose(listing);
	free(line);
	free(command);
	EXPECT_GT(seen, 1000);
	EXPECT_EQ(0, differ);
}

#define FUNC 0xffffffff81000100ull

/* endbr64; call; push; mov; test; ret */
static const uint8_t code[] =
	"\xf3\x0f\x1e\xfa\xe8\x01\x02\x03\x04\x55\x48\x89\xe5\xf6\xc3\x01\xc3";
#define CODE_SIZE (sizeof(code) - 1)

static long read_code(void *arg, uint64_t addr, void *buf, size_t size)
{
	size_t have = *(size_t *)arg;

	if (addr != FUNC)
		return -EFAULT;
	size = size < have ? size : have;
	memcpy(buf, code, size);
	return size;
}

static struct point_check check(size_t have, uint64_t func, uint64_t size, uint64_t offset)
{
	struct code_source source = { read_code, &have };
	struct point_check result;

	point_check(&source, func, size, offset, &result);
	return result;
}

TEST(an_instruction_begins_where_the_one_before_ends)
{
	static const uint64_t good[] = { 0, 4, 9, 10, 13, 16 };

	for (uint64_t offset = 0, i = 0; offset < CODE_SIZE; offset++) {
		struct point_check c = check(CODE_SIZE, FUNC, CODE_SIZE, offset);

		if (offset == good[i]) {
			EXPECT_EQ(POINT_GOOD, c.place);
			i++;
			continue;
		}
		EXPECT_EQ(POINT_MIDDLE, c.place);
		EXPECT_EQ(good[i - 1], c.before);
		EXPECT_EQ(good[i], c.after);
	}
}

TEST(outside_the_last_instruction_is_the_nearest)
{
	struct point_check c = check(CODE_SIZE, FUNC, CODE_SIZE, CODE_SIZE);

	EXPECT_EQ(POINT_OUTSIDE, c.place);
	EXPECT_TRUE(c.have_before);
	EXPECT_EQ(16, c.before);
	c = check(CODE_SIZE, FUNC, CODE_SIZE, 100000);
	EXPECT_EQ(POINT_OUTSIDE, c.place);
	EXPECT_EQ(16, c.before);
	c = check(0, FUNC, CODE_SIZE, 100);
	EXPECT_EQ(POINT_OUTSIDE, c.place);
	EXPECT_FALSE(c.have_before);
}

TEST(code_that_cannot_be_read_leaves_it_to_the_kernel)
{
	EXPECT_EQ(POINT_UNKNOWN, check(CODE_SIZE, FUNC + 1, CODE_SIZE, 5).place);
	EXPECT_EQ(POINT_UNKNOWN, check(3, FUNC, CODE_SIZE, 5).place);
	EXPECT_EQ(POINT_UNKNOWN, check(10, FUNC, 1 << 30, 5).place);
	EXPECT_EQ(POINT_GOOD, check(0, FUNC, CODE_SIZE, 0).place);
	/* Of no known size: as far as the offset. */
	EXPECT_EQ(POINT_MIDDLE, check(CODE_SIZE, FUNC, 0, 5).place);
	EXPECT_EQ(POINT_GOOD, check(CODE_SIZE, FUNC, 0, 9).place);
}

/* What is behind a return or a jump, and what stands in the place of an instruction. */
struct bytes {
	const char *data;
	size_t size;
};

static long read_bytes(void *arg, uint64_t addr, void *buf, size_t size)
{
	const struct bytes *bytes = arg;
	size_t n = size < bytes->size ? size : bytes->size;

	memcpy(buf, bytes->data, n);
	return n;
}

#define BYTES(text) (&(struct bytes){ text, sizeof(text) - 1 })

TEST(padding_is_told_from_other_probes)
{
	/* push; ret; int3; int3; mov; jmp *rax; int3; nop; then where a probe is */
	struct code_source source = {
		read_bytes, BYTES("\x55\xc3\xcc\xcc\x48\x89\xe5\xff\xe0\xcc\x90\xcc\x89\xe5")
	};
	struct point_check c;

	point_check(&source, FUNC, 14, 5, &c);
	EXPECT_EQ(POINT_MIDDLE, c.place);
	EXPECT_EQ(4, c.before);
	EXPECT_EQ(7, c.after);
	point_check(&source, FUNC, 14, 10, &c);
	EXPECT_EQ(POINT_GOOD, c.place);
	/* Another's, at an instruction that begins there; what is behind it is anybody's guess. */
	point_check(&source, FUNC, 14, 11, &c);
	EXPECT_EQ(POINT_GOOD, c.place);
	point_check(&source, FUNC, 14, 12, &c);
	EXPECT_EQ(POINT_UNKNOWN, c.place);
}

#define DETOUR (FUNC + 0x1000)

/* The function, and what its jump leads to. */
struct detour {
	struct bytes code;
	struct bytes there;
};

static long read_detour(void *arg, uint64_t addr, void *buf, size_t size)
{
	struct detour *detour = arg;

	return read_bytes(addr == FUNC ? &detour->code : &detour->there, addr, buf, size);
}

TEST(behind_a_probe_that_became_a_jump_the_kernel_decides)
{
	/* push; jmp DETOUR, in place of a mov of 6 bytes, whose last is there still; test; je; pop; ret */
	const char *text = "\x55\xe9\xfa\x0f\x00\x00\x00\x85\xc0\x74\x01\x5d\xc3";
	struct detour detour = { { text, 13 }, { "\x6a\x18\x54\x9c", 4 } };
	struct code_source source = { read_detour, &detour };
	struct point_check c;

	point_check(&source, FUNC, 13, 1, &c);
	EXPECT_EQ(POINT_GOOD, c.place);
	point_check(&source, FUNC, 13, 7, &c);
	EXPECT_EQ(POINT_UNKNOWN, c.place);
	/* Without the segment, as on older kernels. */
	detour.there = (struct bytes){ "\x54\x9c\x0f\x01", 4 };
	point_check(&source, FUNC, 13, 7, &c);
	EXPECT_EQ(POINT_UNKNOWN, c.place);
	/* Another function, called last. */
	detour.there = (struct bytes){ "\xf3\x0f\x1e\xfa", 4 };
	point_check(&source, FUNC, 13, 7, &c);
	EXPECT_EQ(POINT_MIDDLE, c.place);
}

TEST(no_kprobe_may_be_on_a_call_with_a_prefix)
{
	/* push; call; a call with a prefix, as through a thunk; call; ret */
	struct code_source source = {
		read_bytes, BYTES("\x55\xe8\x01\x02\x03\x04\x2e\xe8\x01\x02\x03\x04\xe8\x01\x02\x03\x04\xc3")
	};
	struct point_check c;

	point_check(&source, FUNC, 18, 1, &c);
	EXPECT_EQ(POINT_GOOD, c.place);
	point_check(&source, FUNC, 18, 6, &c);
	EXPECT_EQ(POINT_BREAKS, c.place);
	point_check(&source, FUNC, 18, 7, &c);
	EXPECT_EQ(POINT_MIDDLE, c.place);
	point_check(&source, FUNC, 18, 12, &c);
	EXPECT_EQ(POINT_GOOD, c.place);
}

TEST(kcore_is_the_kernels_to_refuse)
{
	struct kcore kcore = KCORE_INIT;
	uint8_t byte;

	/* Nothing of user space is in it. */
	EXPECT_GT(0, kcore_read(&kcore, 0x1000, &byte, 1));
	kcore_close(&kcore);
	EXPECT_EQ(-1, kcore.fd);
}

TEST(a_kcore_that_is_no_elf_file_is_told_from_a_missing_address)
{
	struct kcore kcore = { open("/dev/null", O_RDONLY | O_CLOEXEC), 0 };
	uint8_t byte;

	EXPECT_EQ(-EBADMSG, kcore_read(&kcore, 0x1000, &byte, 1));
	kcore_close(&kcore);
}

#endif

TEST_HARNESS_MAIN
