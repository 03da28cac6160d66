// SPDX-License-Identifier: BSD-2-Clause
/* Walks the kernel's hash table of kprobes. */
#include "util/kernel/code/probed_code.h"

#include <errno.h>
#include <string.h>

#include "util/base/search.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/types/kernel_struct.h"

/* KPROBE_TABLE_SIZE */
#define NR_HEADS 64
/* More than any machine has: a damaged list must end. */
#define MAX_PROBES (1 << 16)
/* Far larger than struct optimized_kprobe. */
#define MAX_STRUCT 512

/* Probes may come and go while their lists are read. */
#define TRIES 3

#define POINTER_SIZE 8
/* struct hlist_node */
#define NODE_SIZE 16

/* KPROBE_FLAG_FTRACE */
#define FLAG_FTRACE 8

struct layout {
	uint32_t size, node, addr, opcode, opcode_size, flags;
	uint32_t replaced; /* bytes of code that a probe may replace */
	uint32_t optimized_size; /* 0: this kernel does not replace breakpoints by jumps */
	uint32_t behind; /* bytes that a jump replaced after the first one */
};

static int read_layout(const struct btf *types, struct layout *ret)
{
	uint32_t probe, optimized, insn, size, kp, insn_size, at, copied;
	int err;

	*ret = (struct layout){ .opcode_size = 1 };
	err = kernel_struct_find(types, "kprobe", MAX_STRUCT, &probe, &ret->size);
	err = err ?: kernel_struct_member(types, probe, "hlist", NODE_SIZE, &ret->node);
	err = err ?: kernel_struct_member(types, probe, "addr", POINTER_SIZE, &ret->addr);
	err = err ?: kernel_struct_member(types, probe, "flags", 4, &ret->flags);
	if (!err && kernel_struct_member(types, probe, "opcode", 1, &ret->opcode)) {
		ret->opcode_size = 4;
		err = kernel_struct_member(types, probe, "opcode", 4, &ret->opcode);
	}
	ret->replaced = ret->opcode_size;
	if (err || ret->opcode_size != 1 ||
	    kernel_struct_find(types, "optimized_kprobe", MAX_STRUCT, &optimized, &size) ||
	    kernel_struct_member(types, optimized, "kp", ret->size, &kp) || kp ||
	    kernel_struct_find(types, "arch_optimized_insn", MAX_STRUCT, &insn, &insn_size) ||
	    kernel_struct_member(types, optimized, "optinsn", insn_size, &at) ||
	    kernel_struct_member(types, insn, "copied_insn", MAX_REPLACED - 1, &copied))
		return err;
	ret->replaced = MAX_REPLACED;
	ret->optimized_size = size;
	ret->behind = at + copied;
	return 0;
}

/* What the probe at @probe, which has the struct @raw, replaced. 0; -errno. */
static int add_probe(const struct code_source *memory, const struct layout *layout, uint64_t probe,
		     const uint8_t *raw, struct probed_code *probed)
{
	const uint8_t *opcode = raw + layout->opcode;
	struct replaced_code replaced = {};
	uint8_t optimized[MAX_STRUCT];
	uint32_t flags;
	long have;

	memcpy(&flags, raw + layout->flags, sizeof(flags));
	memcpy(&replaced.addr, raw + layout->addr, sizeof(replaced.addr));
	if (flags & FLAG_FTRACE)
		return 0;
	/* What is behind a breakpoint is kept, too: the kernel may put a jump there before the code is read. */
	have = memory->read(memory->arg, replaced.addr, replaced.bytes, layout->replaced);
	/* The code of a module that was unloaded is gone. */
	if (have < (long)layout->opcode_size || !memcmp(replaced.bytes, opcode, layout->opcode_size))
		return 0;
	if (layout->optimized_size && arch_kprobe_insn(replaced.bytes, layout->opcode_size) == KPROBE_JUMP) {
		int err = code_source_read(memory, probe, optimized, layout->optimized_size);

		if (err)
			return err;
		memcpy(replaced.bytes + 1, optimized + layout->behind, MAX_REPLACED - 1);
		have = MAX_REPLACED;
	}
	memcpy(replaced.bytes, opcode, layout->opcode_size);
	replaced.size = have;
	return vec_push(&probed->v, replaced) ? -ENOMEM : 0;
}

static int read_chain(const struct code_source *memory, const struct layout *layout, uint64_t head,
		      struct probed_code *probed, uint32_t *left)
{
	uint8_t raw[MAX_STRUCT];
	uint64_t node;
	int err = code_source_read(memory, head, &node, sizeof(node));

	while (!err && node) {
		uint64_t probe = node - layout->node;

		if (!(*left)--)
			return -EBADMSG;
		err = code_source_read(memory, probe, raw, layout->size);
		err = err ?: add_probe(memory, layout, probe, raw, probed);
		memcpy(&node, raw + layout->node, sizeof(node));
	}
	return err;
}

static int read_table(const struct code_source *memory, const struct layout *layout, uint64_t table,
		      struct probed_code *probed)
{
	uint32_t left = MAX_PROBES;
	int err = 0;

	for (uint32_t i = 0; i < NR_HEADS && !err; i++)
		err = read_chain(memory, layout, table + i * POINTER_SIZE, probed, &left);
	if (err)
		probed_code_release(probed);
	else
		vec_sort(&probed->v, compare_u64);
	return err;
}

int probed_code_read(const struct btf *types, const struct code_source *memory, uint64_t table,
		     struct probed_code *ret_probed)
{
	struct layout layout;
	int err;

	*ret_probed = (struct probed_code){};
	err = types && table ? read_layout(types, &layout) : -ENOENT;
	if (err)
		return err;
	ret_probed->opcode_size = layout.opcode_size;
	for (int i = 0; i < TRIES; i++) {
		err = read_table(memory, &layout, table, ret_probed);
		if (!err || err == -ENOMEM)
			break;
	}
	return err;
}

void probed_code_release(struct probed_code *probed)
{
	vec_release(&probed->v);
}

void probed_code_restore(const struct probed_code *probed, uint64_t addr, void *code, size_t size)
{
	size_t nr = probed->v.len;
	size_t at = bisect(i, nr, probed->v.data[i].addr + MAX_REPLACED <= addr);

	for (; at < nr && probed->v.data[at].addr < addr + size; at++) {
		const struct replaced_code *replaced = &probed->v.data[at];
		uint64_t begin = replaced->addr - addr;

		if (begin < size && size - begin >= probed->opcode_size &&
		    arch_kprobe_insn((uint8_t *)code + begin, probed->opcode_size) == KPROBE_NONE)
			continue;
		/* Bytes behind one probe may be another's, which comes next. */
		for (uint8_t i = 0; i < replaced->size; i++) {
			uint64_t offset = replaced->addr + i - addr;

			/* Of a jump that begins before @addr, or goes on behind the end, a part. */
			if (offset < size)
				((uint8_t *)code)[offset] = replaced->bytes[i];
		}
	}
}
