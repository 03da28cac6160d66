// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's kprobes, in memory made by hand. */
#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/kernel/code/probed_code.h"

/* The kernel's structs, with the members that matter, in other places. */
struct probe {
	uint64_t list[2], hlist[2], addr;
	uint8_t opcode;
	uint8_t insn[3];
	uint32_t flags;
};

struct optimized {
	struct probe kp;
	uint64_t list[2], slot;
	uint8_t copied[4];
};

#define BASE 0xffff888000000000ull
#define NR_HEADS 64

FIXTURE(probed)
{
	struct btf *types;
	struct {
		uint64_t heads[NR_HEADS];
		struct optimized probes[4];
		uint8_t code[32];
	} memory;
	struct probed_code probed;
};

#define ADDR(member) (BASE + ((char *)&self->memory.member - (char *)&self->memory))

static long read_memory(void *arg, uint64_t addr, void *buf, size_t size)
{
	FIXTURE_DATA(probed) *self = arg;

	if (addr < BASE || addr - BASE >= sizeof(self->memory))
		return -EFAULT;
	if (size > sizeof(self->memory) - (addr - BASE))
		size = sizeof(self->memory) - (addr - BASE);
	memcpy(buf, (char *)&self->memory + (addr - BASE), size);
	return size;
}

static int read_probes(FIXTURE_DATA(probed) *self)
{
	const struct code_source memory = { read_memory, self };

	return probed_code_read(self->types, &memory, BASE, &self->probed);
}

static struct btf *types_of_probes(bool has_jumps)
{
	struct btf *b = btf__new_empty();
	int u8 = btf__add_int(b, "unsigned char", 1, 0), u32 = btf__add_int(b, "unsigned int", 4, 0);
	int u64 = btf__add_int(b, "unsigned long", 8, 0), node, probe, insn, copied;

	node = btf__add_struct(b, "hlist_node", 16);
	btf__add_field(b, "next", u64, 0, 0);
	btf__add_field(b, "pprev", u64, 64, 0);
	probe = btf__add_struct(b, "kprobe", sizeof(struct probe));
	btf__add_field(b, "hlist", node, offsetof(struct probe, hlist) * 8, 0);
	btf__add_field(b, "addr", u64, offsetof(struct probe, addr) * 8, 0);
	btf__add_field(b, "opcode", u8, offsetof(struct probe, opcode) * 8, 0);
	btf__add_field(b, "flags", u32, offsetof(struct probe, flags) * 8, 0);
	if (!has_jumps)
		return b;
	copied = btf__add_array(b, u32, u8, 4);
	insn = btf__add_struct(b, "arch_optimized_insn", 4);
	btf__add_field(b, "copied_insn", copied, 0, 0);
	btf__add_struct(b, "optimized_kprobe", sizeof(struct optimized));
	btf__add_field(b, "kp", probe, 0, 0);
	btf__add_field(b, "optinsn", insn, offsetof(struct optimized, copied) * 8, 0);
	return b;
}

/* Put a probe at the head of a list. */
static void put(FIXTURE_DATA(probed) *self, int head, int nr, size_t offset, uint8_t opcode, uint8_t now)
{
	struct probe *probe = &self->memory.probes[nr].kp;

	probe->hlist[0] = self->memory.heads[head];
	probe->addr = ADDR(code[offset]);
	probe->opcode = opcode;
	self->memory.heads[head] = ADDR(probes[nr].kp.hlist);
	self->memory.code[offset] = now;
}

FIXTURE_SETUP(probed)
{
	memset(self, 0, sizeof(*self));
	self->types = types_of_probes(true);
	for (size_t i = 0; i < sizeof(self->memory.code); i++)
		self->memory.code[i] = i;
}

FIXTURE_TEARDOWN(probed)
{
	btf__free(self->types);
	probed_code_release(&self->probed);
}

TEST_F(probed, breakpoints_and_jumps_are_taken_out_of_the_code)
{
	uint8_t code[32];

	put(self, 3, 0, 20, 0x55, 0xcc);
	put(self, 3, 1, 4, 0x48, 0xe9);
	memcpy(self->memory.probes[1].copied, "\x89\xe5\x41\x57", 4);
	put(self, 63, 2, 30, 0x0f, 0xcc);
	ASSERT_EQ(0, read_probes(self));
	memcpy(code, self->memory.code, sizeof(code));
	probed_code_restore(&self->probed, ADDR(code[0]), code, sizeof(code));
	EXPECT_EQ(0, memcmp("\0\1\2\3\x48\x89\xe5\x41\x57\x09\x0a", code, 11));
	EXPECT_EQ(0x55, code[20]);
	EXPECT_EQ(21, code[21]);
	EXPECT_EQ(0x0f, code[30]);
	/* A jump in place of the breakpoint at 20 since then. */
	memset(self->memory.code + 20, 0xe9, 5);
	memcpy(code, self->memory.code, sizeof(code));
	probed_code_restore(&self->probed, ADDR(code[0]), code, sizeof(code));
	EXPECT_EQ(0, memcmp("\x55\x15\x16\x17\x18\x19", code + 20, 6));
	/* Parts of a jump. */
	memset(code, 0x99, sizeof(code));
	probed_code_restore(&self->probed, ADDR(code[6]), code, 2);
	EXPECT_EQ(0, memcmp("\xe5\x41\x99", code, 3));
	code[2] = 0xe9;
	probed_code_restore(&self->probed, ADDR(code[2]), code, 3);
	EXPECT_EQ(0, memcmp("\xe5\x41\x48\x99", code, 4));
}

TEST_F(probed, probes_may_be_close_to_each_other)
{
	uint8_t code[32];

	put(self, 0, 0, 12, 0x50, 0xcc);
	put(self, 0, 1, 10, 0x51, 0xcc);
	put(self, 9, 2, 13, 0x52, 0xcc);
	ASSERT_EQ(0, read_probes(self));
	memcpy(code, self->memory.code, sizeof(code));
	probed_code_restore(&self->probed, ADDR(code[0]), code, sizeof(code));
	EXPECT_EQ(0, memcmp("\x09\x51\x0b\x50\x52\x0e\x0f\x10\x11\x12", code + 9, 10));
}

TEST_F(probed, a_probe_that_is_not_in_the_code_changes_nothing)
{
	put(self, 0, 0, 5, 5, 5);
	/* On a call of ftrace, which it leaves alone. */
	put(self, 0, 1, 9, 0, 0xe8);
	self->memory.probes[1].kp.flags = 8;
	/* Of a module that is gone. */
	put(self, 0, 2, 10, 1, 10);
	self->memory.probes[2].kp.addr = 4096;
	ASSERT_EQ(0, read_probes(self));
	EXPECT_EQ(0, self->probed.v.len);
}

TEST_F(probed, what_came_to_the_address_of_a_probe_stays)
{
	uint8_t code[32];

	put(self, 0, 0, 12, 0x50, 0xcc);
	put(self, 0, 1, 20, 0x51, 0xcc);
	ASSERT_EQ(0, read_probes(self));
	/* Another module. */
	memset(self->memory.code, 0x90, 16);
	memcpy(code, self->memory.code, sizeof(code));
	probed_code_restore(&self->probed, ADDR(code[0]), code, sizeof(code));
	EXPECT_EQ(0, memcmp("\x90\x90\x90\x90", code + 12, 4));
	EXPECT_EQ(0x51, code[20]);
}

TEST_F(probed, a_kernel_may_have_no_jumps)
{
	btf__free(self->types);
	self->types = types_of_probes(false);
	/* An instruction that was a jump itself, and one that is. */
	put(self, 7, 0, 8, 0xe9, 0xcc);
	put(self, 7, 1, 16, 0xe9, 0xe9);
	ASSERT_EQ(0, read_probes(self));
	ASSERT_EQ(1, self->probed.v.len);
	EXPECT_EQ(1, self->probed.v.data[0].size);
	EXPECT_EQ(0xe9, self->probed.v.data[0].bytes[0]);
}

TEST_F(probed, damaged_lists_and_unknown_structs_give_nothing)
{
	const struct code_source memory = { read_memory, self };
	struct btf *other = btf__new_empty();

	put(self, 1, 0, 8, 1, 0xcc);
	self->memory.probes[0].kp.hlist[0] = ADDR(probes[0].kp.hlist);
	EXPECT_EQ(-EBADMSG, read_probes(self));
	EXPECT_EQ(0, self->probed.v.len);
	self->memory.probes[0].kp.hlist[0] = 16;
	EXPECT_EQ(-EFAULT, read_probes(self));
	EXPECT_EQ(-ENOENT, probed_code_read(other, &memory, BASE, &self->probed));
	EXPECT_EQ(-ENOENT, probed_code_read(NULL, &memory, BASE, &self->probed));
	EXPECT_EQ(-ENOENT, probed_code_read(self->types, &memory, 0, &self->probed));
	btf__free(other);
}

TEST_HARNESS_MAIN
