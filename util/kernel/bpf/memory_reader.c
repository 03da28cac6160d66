// SPDX-License-Identifier: BSD-2-Clause
/* A program that copies kernel memory into a map, run with BPF_PROG_TEST_RUN, a page at a time. */
#include "util/kernel/bpf/memory_reader.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/kernel/bpf/insns.h"

/* Of all architectures the smallest page: what is mapped at its beginning is mapped up to its end. */
#define PAGE 4096

/* The value of the map. */
struct question {
	uint64_t addr;
	uint64_t size;
	unsigned char answer[PAGE];
};

struct memory_reader {
	int program;
	struct question *question;	/* mapped */
};

static int load_program(int map)
{
	const struct bpf_insn insns[] = {
		INSN_WIDE(BPF_REG_1, BPF_PSEUDO_MAP_VALUE, map),
		INSN_LOAD(BPF_DW, BPF_REG_3, BPF_REG_1, offsetof(struct question, addr)),
		INSN_LOAD(BPF_DW, BPF_REG_2, BPF_REG_1, offsetof(struct question, size)),
		INSN_SET(BPF_REG_0, -EINVAL),
		INSN_JUMP_IF(BPF_JGT, BPF_REG_2, PAGE, 2),
		INSN_ALU(BPF_ADD, BPF_REG_1, offsetof(struct question, answer)),
		INSN_CALL(BPF_FUNC_probe_read_kernel),
		INSN_EXIT,
	};

	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "retsnoop_memory", "GPL", insns, ARRAY_SIZE(insns), NULL);
}

struct memory_reader *memory_reader_new(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	_cleanup_(close_fd) int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "retsnoop_memory", sizeof(uint32_t),
						     sizeof(struct question), 1, &opts);
	_cleanup_(close_fd) int program = map < 0 ? -1 : load_program(map);
	struct memory_reader *reader = program < 0 ? NULL : malloc(sizeof(*reader));

	if (!reader)
		return NULL;
	reader->question = mmap(NULL, sizeof(*reader->question), PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (reader->question == MAP_FAILED) {
		free(reader);
		return NULL;
	}
	reader->program = take_fd(program);
	return reader;
}

long memory_reader_read(struct memory_reader *reader, uint64_t addr, void *buf, size_t size)
{
	size_t got = 0;

	while (got < size) {
		LIBBPF_OPTS(bpf_test_run_opts, opts);
		size_t here = PAGE - (addr + got) % PAGE, n = size - got < here ? size - got : here;
		int err;

		reader->question->addr = addr + got;
		reader->question->size = n;
		err = bpf_prog_test_run_opts(reader->program, &opts) ? -errno : (int)opts.retval;
		if (err)
			return got ? (long)got : err;
		memcpy((char *)buf + got, reader->question->answer, n);
		got += n;
	}
	return (long)got;
}

void memory_reader_free(struct memory_reader *reader)
{
	if (!reader)
		return;
	munmap(reader->question, sizeof(*reader->question));
	close_fd(&reader->program);
	free(reader);
}
