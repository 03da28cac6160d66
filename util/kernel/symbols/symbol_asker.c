// SPDX-License-Identifier: BSD-2-Clause
/* A BPF program that prints the symbol at an address. */
#include "util/kernel/symbols/symbol_asker.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/kernel/bpf/insns.h"

/* KSYM_SYMBOL_LEN (include/linux/kallsyms.h) of 6.1 and later, rounded up. */
#define ANSWER_SIZE 1024

struct symbol_question {
	uint64_t addr;
	char answer[ANSWER_SIZE];
};

/* sprint_symbol() in kernel/kallsyms.c. */
static const char format[8] = "%pS";

/* An array with the format. Its text has to be constant: no program, nor anyone else, may write to it. */
static int make_format(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_RDONLY_PROG);
	_cleanup_(close_fd) int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "retsnoop_format",
						     sizeof(uint32_t), sizeof(format), 1, &opts);
	uint32_t first = 0;

	if (map < 0 || bpf_map_update_elem(map, &first, format, BPF_ANY) || bpf_map_freeze(map))
		return -errno;
	return take_fd(map);
}

static int load_program(int question, int fmt)
{
	const struct bpf_insn insns[] = {
		INSN_WIDE(BPF_REG_1, BPF_PSEUDO_MAP_VALUE, question),
		INSN_MOVE(BPF_REG_4, BPF_REG_1),
		INSN_ALU(BPF_ADD, BPF_REG_1, offsetof(struct symbol_question, answer)),
		INSN_SET(BPF_REG_2, ANSWER_SIZE),
		INSN_WIDE(BPF_REG_3, BPF_PSEUDO_MAP_VALUE, fmt),
		INSN_SET(BPF_REG_5, 8),
		INSN_CALL(BPF_FUNC_snprintf),
		/* Nothing is left to be received. */
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};

	return bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "retsnoop_symbol", "GPL", insns,
			     ARRAY_SIZE(insns), NULL);
}

void symbol_asker_open(struct symbol_asker *ret_asker)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	_cleanup_(close_fd) int fmt = make_format();
	_cleanup_(close_fd) int map =
		bpf_map_create(BPF_MAP_TYPE_ARRAY, "retsnoop_symbol", sizeof(uint32_t),
			       sizeof(struct symbol_question), 1, &opts);
	_cleanup_(close_fd) int program = fmt < 0 || map < 0 ? -1 : load_program(map, fmt);
	_cleanup_(close_fd) int filtered = -1, sender = -1;
	struct symbol_question *question;
	int sockets[2];

	*ret_asker = (struct symbol_asker)SYMBOL_ASKER_INIT;
	if (program < 0 ||
	    socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets))
		return;
	filtered = sockets[0];
	sender = sockets[1];
	if (setsockopt(filtered, SOL_SOCKET, SO_ATTACH_BPF, &program, sizeof(program)))
		return;
	question = mmap(NULL, sizeof(*question), PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (question == MAP_FAILED)
		return;
	ret_asker->filtered = take_fd(filtered);
	ret_asker->sender = take_fd(sender);
	ret_asker->question = question;
}

void symbol_asker_close(struct symbol_asker *asker)
{
	close_fd(&asker->filtered);
	close_fd(&asker->sender);
	if (asker->question)
		munmap(asker->question, sizeof(*asker->question));
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

const char *symbol_ask(const struct symbol_asker *asker, uint64_t addr)
{
	struct symbol_question *question = asker->question;

	if (!question)
		return NULL;
	question->addr = addr;
	question->answer[0] = '\0';
	/* The program runs in this call, or not at all; it ends the text with a NUL. */
	return write(asker->sender, "?", 1) < 0 ? NULL : question->answer;
}
