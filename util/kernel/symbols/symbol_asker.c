// SPDX-License-Identifier: BSD-2-Clause
/* A BPF program that prints the symbol at an address. */
#include "util/kernel/symbols/symbol_asker.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/kernel/bpf/insns.h"

/* KSYM_SYMBOL_LEN (include/linux/kallsyms.h) of 6.1 and later, rounded up. */
#define ANSWER_SIZE 1024

/* sprint_symbol() in kernel/kallsyms.c. */
static const char format[8] = "%pS";

/* An array with the format. Its text has to be constant: no program, nor anyone else, may write to it. */
static int make_format(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_RDONLY_PROG);
	_cleanup_(close_fd) int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "retsnoop_format", sizeof(uint32_t),
						     sizeof(format), 1, &opts);
	uint32_t first = 0;

	if (map < 0 || bpf_map_update_elem(map, &first, format, BPF_ANY) || bpf_map_freeze(map))
		return -errno;
	return take_fd(map);
}

void symbol_asker_open(struct symbol_asker *ret_asker)
{
	/* Programs for BPF_PROG_TEST_RUN alone. */
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_flags = BPF_F_SLEEPABLE);
	_cleanup_(close_fd) int fmt = make_format();
	_cleanup_(close_fd) int answer = bpf_map_create(BPF_MAP_TYPE_ARRAY, "retsnoop_symbol",
							sizeof(uint32_t), ANSWER_SIZE, 1, NULL);
	struct bpf_insn insns[] = {
		/* The address is the context. */
		INSN_LOAD(BPF_DW, BPF_REG_1, BPF_REG_1, 0),
		INSN_STORE(BPF_DW, BPF_REG_10, -8, BPF_REG_1),
		INSN_WIDE(BPF_REG_1, BPF_PSEUDO_MAP_VALUE, answer),
		INSN_SET(BPF_REG_2, ANSWER_SIZE),
		INSN_WIDE(BPF_REG_3, BPF_PSEUDO_MAP_VALUE, fmt),
		INSN_MOVE(BPF_REG_4, BPF_REG_10),
		INSN_ALU(BPF_ADD, BPF_REG_4, -8),
		INSN_SET(BPF_REG_5, 8),
		INSN_CALL(BPF_FUNC_snprintf),
		INSN_EXIT,
	};

	*ret_asker = (struct symbol_asker){ -1, -1 };
	if (fmt < 0 || answer < 0)
		return;
	ret_asker->program = bpf_prog_load(BPF_PROG_TYPE_SYSCALL, "retsnoop_symbol", "GPL", insns,
					   ARRAY_SIZE(insns), &opts);
	if (ret_asker->program < 0)
		ret_asker->program = -1;
	else
		ret_asker->answer = take_fd(answer);
}

void symbol_asker_close(struct symbol_asker *asker)
{
	close_fd(&asker->program);
	close_fd(&asker->answer);
}

int symbol_answer_parse(const char *text, struct symbol_answer *ret_answer)
{
	const char *plus = strchr(text, '+'), *module;
	char *end;

	if (!plus || plus == text)
		return -EBADMSG;
	*ret_answer = (struct symbol_answer){ .name_len = plus - text };
	ret_answer->offset = strtoull(plus + 1, &end, 16);
	if (end == plus + 1 || *end != '/')
		return -EBADMSG;
	ret_answer->size = strtoull(end + 1, &end, 16);
	module = end;
	if (!strncmp(module, " [", 2) && module[2])
		ret_answer->module = module + 2;
	else if (*module)
		return -EBADMSG;
	return ret_answer->offset < ret_answer->size ? 0 : -EBADMSG;
}

int symbol_ask(const struct symbol_asker *asker, uint64_t addr, char *text, size_t size)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &addr, .ctx_size_in = sizeof(addr));
	char answer[ANSWER_SIZE];
	uint32_t first = 0;

	if (asker->program < 0)
		return -ENOENT;
	if (bpf_prog_test_run_opts(asker->program, &opts) ||
	    bpf_map_lookup_elem(asker->answer, &first, answer))
		return -errno;
	answer[sizeof(answer) - 1] = '\0';
	if (strlen(answer) >= size)
		return -E2BIG;
	memcpy(text, answer, strlen(answer) + 1);
	return 0;
}
