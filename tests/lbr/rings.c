/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch records with the running kernel's code: see rings.h. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lbr/rings.h"
#include "util/base/report.h"
#include "util/kernel/symbols/symbols.h"

#define MAX_INSN 15
#define MAX_RUN 4096	/* without a single taken branch: none is that long */
#define SHORT_BRANCH 16 /* bytes: a retpoline's call over its trap */

struct rings {
	struct symbols *symbols;
	bool refreshed;	/* with the names of what BPF has made; takes a second under emulation */
	int kcore;
	Elf64_Phdr *segments;
	size_t nr_segments;
};

int rings_open(struct rings **ret_rings)
{
	struct rings *rings = calloc(1, sizeof(*rings));
	Elf64_Ehdr header;
	size_t size;
	int err;

	if (!rings)
		return report(-ENOMEM, "out of memory");
	rings->kcore = open("/proc/kcore", O_RDONLY | O_CLOEXEC);
	if (rings->kcore < 0) {
		err = report(-errno, "cannot read /proc/kcore");
		goto failed;
	}
	err = -EIO;
	if (pread(rings->kcore, &header, sizeof(header), 0) != sizeof(header))
		goto failed;
	rings->nr_segments = header.e_phnum;
	size = rings->nr_segments * sizeof(*rings->segments);
	rings->segments = malloc(size);
	if (!rings->segments ||
	    pread(rings->kcore, rings->segments, size, header.e_phoff) != (ssize_t)size)
		goto failed;
	err = symbols_load_kallsyms(NULL, true, &rings->symbols);
	if (err)
		goto failed;
	*ret_rings = rings;
	return 0;

failed:
	rings_close(rings);
	return err;
}

void rings_close(struct rings *rings)
{
	if (rings->kcore >= 0)
		close(rings->kcore);
	free(rings->segments);
	symbols_free(rings->symbols);
	free(rings);
}

static bool is_kernel(uint64_t addr)
{
	return (int64_t)addr < 0;
}

static bool read_code(const struct rings *rings, uint64_t addr, uint8_t *code, size_t size)
{
	size_t i;

	for (i = 0; i < rings->nr_segments; i++) {
		const Elf64_Phdr *segment = &rings->segments[i];
		uint64_t offset = addr - segment->p_vaddr;

		if (segment->p_type == PT_LOAD && offset < segment->p_memsz &&
		    size <= segment->p_memsz - offset)
			return pread(rings->kcore, code, size, segment->p_offset + offset) ==
			       (ssize_t)size;
	}
	return false;
}

static void print_code(const struct rings *rings, uint64_t addr, size_t size)
{
	uint8_t code[MAX_RUN + MAX_INSN];
	size_t i;

	if (!is_kernel(addr)) {
		printf("user\n");
	} else if (size > sizeof(code) || !read_code(rings, addr, code, size)) {
		printf("-\n");
	} else {
		for (i = 0; i < size; i++)
			printf("%s%#x", i ? "," : "", code[i]);
		printf("\n");
	}
}

static void print_place(const struct rings *rings, uint64_t addr)
{
	const struct symbol *symbol = symbols_at(rings->symbols, addr);

	printf(" %" PRIx64 " ", addr);
	if (symbol)
		printf("%s+%" PRIx64, symbol->name, addr - symbol->addr);
	else
		printf("?");
}

/* Whether the instruction that ends at @addr may be a call. */
static bool is_behind_call(const struct rings *rings, uint64_t addr)
{
	uint8_t code[7];
	size_t length;

	if (!read_code(rings, addr - sizeof(code), code, sizeof(code)))
		return false;
	if (code[sizeof(code) - 5] == 0xe8)
		return true;
	for (length = 2; length <= sizeof(code); length++) {
		const uint8_t *insn = code + sizeof(code) - length;

		if (insn[0] == 0xff && (insn[1] >> 3 & 7) == 2)
			return true;
	}
	return false;
}

static bool is_short(const struct event_branch *branch)
{
	return branch->to - branch->from < SHORT_BRANCH;
}

static const char *why_returned(const struct rings *rings, const struct event_branch *branches,
				size_t nr, size_t i)
{
	const struct symbol *symbol = symbols_at(rings->symbols, branches[i].to);

	if (is_behind_call(rings, branches[i].to))
		return "call";
	if (symbol && symbol->addr == branches[i].to)
		return "begin";
	/* call over the trap; jump to the return thunk, where there is one; this return */
	if (i + 2 >= nr || is_short(&branches[i + 1]) || is_short(&branches[i + 2]))
		return "jump";
	return "no";
}

void rings_print(struct rings *rings, const char *name, const char *types,
		 const struct event_branch *branches, size_t nr)
{
	bool unfiltered = !strcmp(types, "any");
	size_t i;

	for (i = 0; i < nr && !rings->refreshed; i++)
		if (is_kernel(branches[i].to) && !symbols_at(rings->symbols, branches[i].to))
			rings->refreshed = !symbols_refresh(rings->symbols);
	printf("ring %s %s\n", name, types);
	for (i = 0; i < nr; i++) {
		const struct event_branch *branch = &branches[i];
		uint64_t begin;

		if (!branch->from || !branch->to) {
			printf("blank %zu\n", i);
			continue;
		}
		printf("branch %zu", i);
		print_place(rings, branch->from);
		print_place(rings, branch->to);
		printf(" %llx %s ", branch->to - branch->from,
		       why_returned(rings, branches, nr, i));
		print_code(rings, branch->from, MAX_INSN);
		if (!unfiltered || i + 1 == nr)
			continue;
		begin = branches[i + 1].to;
		if (!is_kernel(begin) || !is_kernel(branch->from))
			continue;
		printf("run %zu %llx ", i, branch->from - begin);
		print_code(rings, begin, branch->from - begin + MAX_INSN);
	}
}
