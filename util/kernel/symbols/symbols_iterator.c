// SPDX-License-Identifier: BSD-2-Clause
/*
 * The kernel's symbols by its BPF iterator "ksym" (Linux 6.0 and later). /proc/kallsyms has the same, but
 * prints it: of a start, half of the time went into numbers that were made text and then read again.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/kernel/bpf/insns.h"
#include "util/kernel/symbols/symbols_internal.h"
#include "util/kernel/types/btf_types.h"

#define MODULE_MAX_LEN 64	/* MODULE_NAME_LEN: 64 less a pointer's size */
#define READ_SIZE (64 * 1024)	/* the kernel hands out 32 KiB at most */

/* The data that the program writes for a symbol: names with their NULs, the module's name last. */
struct iterated_symbol {
	uint64_t addr;
	char type;
	uint8_t in_module;
	uint16_t name_len;	/* with its NUL, and what is read after that */
	uint32_t len;		/* of both names */
	char names[];
};

#define NAMES ((int)offsetof(struct iterated_symbol, names))
#define IN(member) ((int16_t)offsetof(struct iterated_symbol, member))

/* The offsets of the needed members in this kernel's struct kallsym_iter. */
struct iterator_layout {
	uint32_t function;	/* the iterator: a function that never runs */
	int16_t value, type, name, module_name, show_value;
};

static int find_offset(const struct btf *types, uint32_t id, const char *name, int16_t *ret_offset)
{
	struct btf_place place;

	if (!btf_find_member(types, id, name, &place))
		return -ENOENT;
	*ret_offset = (int16_t)(place.bit_offset / 8);
	return 0;
}

static int find_layout(const struct btf *types, struct iterator_layout *ret_layout)
{
	int function = btf__find_by_name_kind(types, "bpf_iter_ksym", BTF_KIND_FUNC), id;

	if (function < 0)
		return -ENOENT;
	id = btf__find_by_name_kind(types, "kallsym_iter", BTF_KIND_STRUCT);
	if (id < 0)
		return -ENOENT;
	ret_layout->function = function;
	return find_offset(types, id, "value", &ret_layout->value) ?:
	       find_offset(types, id, "type", &ret_layout->type) ?:
	       find_offset(types, id, "name", &ret_layout->name) ?:
	       find_offset(types, id, "module_name", &ret_layout->module_name) ?:
	       find_offset(types, id, "show_value", &ret_layout->show_value);
}

enum { KSYM = BPF_REG_6, SEQ = BPF_REG_7, OUT = BPF_REG_8, LEN = BPF_REG_9 };

#define NAME_WORDS 8

/*
 * Copy the name in words, up to the one with its end; LEN becomes their length. The helper that
 * put_string() calls goes byte by byte, and took a quarter of the time that the kernel needs for all
 * symbols.
 *
 * At the end of the name it jumps (BPF_JNE), to a place that is not known yet.
 */
static void put_words(struct bpf_code *code, const struct iterator_layout *at)
{
	enum { ONES = BPF_REG_4, TOPS = BPF_REG_5 };

	bpf_code_put(code, INSN_WIDE(ONES, 0, 0x0101010101010101ull),
		     INSN_WIDE(TOPS, 0, 0x8080808080808080ull));
	for (int i = 0; i < NAME_WORDS; i++) {
		/* (word - ONES) & ~word & TOPS is not 0 if one of the bytes is. */
		bpf_code_put(code, INSN_SET(LEN, 8 * (i + 1)),
			     INSN_LOAD(BPF_DW, BPF_REG_1, KSYM, (int16_t)(at->name + 8 * i)),
			     INSN_STORE(BPF_DW, OUT, (int16_t)(NAMES + 8 * i), BPF_REG_1),
			     INSN_MOVE(BPF_REG_2, BPF_REG_1),
			     INSN_ALU_REG(BPF_SUB, BPF_REG_2, ONES),
			     INSN_ALU(BPF_XOR, BPF_REG_1, -1),
			     INSN_ALU_REG(BPF_AND, BPF_REG_1, BPF_REG_2),
			     INSN_ALU_REG(BPF_AND, BPF_REG_1, TOPS),
			     INSN_JUMP_IF(BPF_JNE, BPF_REG_1, 0, 0));
	}
}

/* Copy the name, whatever its length, which is left in LEN. The program ends @end instructions later. */
static void put_string(struct bpf_code *code, const struct iterator_layout *at, int end)
{
	bpf_code_put(code, INSN_MOVE(BPF_REG_1, OUT), INSN_ALU(BPF_ADD, BPF_REG_1, NAMES),
		     INSN_SET(BPF_REG_2, SYMBOL_NAME_ROOM), INSN_MOVE(BPF_REG_3, KSYM),
		     INSN_ALU(BPF_ADD, BPF_REG_3, at->name), INSN_CALL(BPF_FUNC_probe_read_kernel_str),
		     INSN_MOVE(LEN, BPF_REG_0), INSN_JUMP_IF(BPF_JSLT, LEN, 1, end + 1),
		     INSN_JUMP_IF(BPF_JGT, LEN, SYMBOL_NAME_ROOM, end));
}

/*
 * @map		fd of an array whose one value has room for a symbol
 * @words	whether to read names in words, which are not aligned
 * @return	fd of the program, or -errno
 */
static int load_program(const struct iterator_layout *at, int map, bool words)
{
	const struct bpf_insn begin[] = {
		/* struct bpf_iter__ksym: meta, then the symbol; none after the last one */
		INSN_LOAD(BPF_DW, KSYM, BPF_REG_1, 8),
		INSN_JUMP_IF(BPF_JNE, KSYM, 0, 2),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
		INSN_LOAD(BPF_DW, SEQ, BPF_REG_1, 0),
		INSN_LOAD(BPF_DW, SEQ, SEQ, 0),
		INSN_WIDE(OUT, BPF_PSEUDO_MAP_VALUE, map),
		/* Whether this user may see addresses is for the program to heed. */
		INSN_LOAD(BPF_W, BPF_REG_1, KSYM, at->show_value),
		INSN_JUMP_IF(BPF_JEQ, BPF_REG_1, 0, 1),
		INSN_LOAD(BPF_DW, BPF_REG_1, KSYM, at->value),
		INSN_STORE(BPF_DW, OUT, IN(addr), BPF_REG_1),
		INSN_LOAD(BPF_B, BPF_REG_1, KSYM, at->type),
		INSN_STORE(BPF_B, OUT, IN(type), BPF_REG_1),
	};
	/* Jumps lead to the last two instructions. */
	const struct bpf_insn rest[] = {
		/*  0 */ INSN_STORE(BPF_H, OUT, IN(name_len), LEN),
		/*  1 */ INSN_LOAD(BPF_B, BPF_REG_1, KSYM, at->module_name),
		/*  2 */ INSN_STORE(BPF_B, OUT, IN(in_module), BPF_REG_1),
		/*  3 */ INSN_JUMP_IF(BPF_JEQ, BPF_REG_1, 0, 10),
		/*  4 */ INSN_MOVE(BPF_REG_1, OUT),
		/*  5 */ INSN_ALU_REG(BPF_ADD, BPF_REG_1, LEN),
		/*  6 */ INSN_ALU(BPF_ADD, BPF_REG_1, NAMES),
		/*  7 */ INSN_SET(BPF_REG_2, MODULE_MAX_LEN),
		/*  8 */ INSN_MOVE(BPF_REG_3, KSYM),
		/*  9 */ INSN_ALU(BPF_ADD, BPF_REG_3, at->module_name),
		/* 10 */ INSN_CALL(BPF_FUNC_probe_read_kernel_str),
		/* 11 */ INSN_JUMP_IF(BPF_JSLT, BPF_REG_0, 2, 8),
		/* 12 */ INSN_JUMP_IF(BPF_JGT, BPF_REG_0, MODULE_MAX_LEN, 7),
		/* 13 */ INSN_ALU_REG(BPF_ADD, LEN, BPF_REG_0),
		/* 14 */ INSN_STORE(BPF_W, OUT, IN(len), LEN),
		/* 15 */ INSN_MOVE(BPF_REG_1, SEQ),
		/* 16 */ INSN_MOVE(BPF_REG_2, OUT),
		/* 17 */ INSN_MOVE(BPF_REG_3, LEN),
		/* 18 */ INSN_ALU(BPF_ADD, BPF_REG_3, NAMES),
		/* 19 */ INSN_CALL(BPF_FUNC_seq_write),
		/* 20 */ INSN_SET(BPF_REG_0, 0),
		/* 21 */ INSN_EXIT,
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_ITER,
		    .attach_btf_id = at->function);
	struct bpf_code code = {};
	int fd, name;

	bpf_code_add(&code, begin, ARRAY_SIZE(begin));
	name = code.nr;
	if (words)
		put_words(&code, at);
	put_string(&code, at, ARRAY_SIZE(rest) - 2);
	for (int i = name; i < code.nr; i++) {
		if (code.insns[i].code == (BPF_JMP | BPF_JNE | BPF_K))
			code.insns[i].off = (int16_t)(code.nr - i - 1);
	}
	bpf_code_add(&code, rest, ARRAY_SIZE(rest));
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "retsnoop_ksym", "GPL", code.insns, code.nr, &opts);
	return fd < 0 ? -errno : fd;
}

int symbols_iterators_new(const struct btf *types, int ret_iterators[2])
{
	_cleanup_(close_fd) int map = -1, program = -1, link = -1, first = -1;
	struct iterator_layout layout = {};
	int second;

	if (find_layout(types, &layout))
		return -ENOENT;
	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "retsnoop_ksym", sizeof(uint32_t),
			     NAMES + SYMBOL_NAME_ROOM + MODULE_MAX_LEN, 1, NULL);
	if (map < 0)
		return -errno;
	program = load_program(&layout, map, true);
	/* Some machines have no loads that are not aligned. */
	if (program == -EACCES)
		program = load_program(&layout, map, false);
	if (program < 0)
		return program;
	link = bpf_link_create(program, 0, BPF_TRACE_ITER, NULL);
	if (link < 0)
		return -errno;
	first = bpf_iter_create(link);
	if (first < 0)
		return -errno;
	second = bpf_iter_create(link);
	if (second < 0)
		return -errno;
	ret_iterators[0] = take_fd(first);
	ret_iterators[1] = second;
	return 0;
}

struct told {
	symbol_teller tell;
	void *arg;
	uint64_t addr;		/* of the last symbol */
	char name[SYMBOL_NAME_ROOM];
};

/* The name's end is in its last word; faster than strnlen(3). @room if there is none. */
static size_t name_length(const char *name, size_t room)
{
	size_t len = room > 8 ? room - 8 : 0;

	while (len < room && name[len])
		len++;
	return len;
}

/* Tell of the whole symbols in @text; *ret_used is how many bytes they took. 0, or as tell() returns. */
static int tell_symbols(struct told *told, const char *text, size_t len, size_t *ret_used)
{
	const char *last_name = told->name;
	size_t at = 0;
	int err = 0;

	while (!err && len - at >= (size_t)NAMES) {
		const char *names = text + at + NAMES;
		struct iterated_symbol head;
		struct told_symbol symbol;
		size_t name_len;

		memcpy(&head, text + at, NAMES);
		if (!head.name_len || head.name_len > SYMBOL_NAME_ROOM || head.len < head.name_len ||
		    head.len - head.name_len > MODULE_MAX_LEN)
			return -EBADMSG;
		if (len - at < NAMES + head.len)
			break;
		at += NAMES + head.len;
		name_len = name_length(names, head.name_len);
		if (name_len == head.name_len)
			return -EBADMSG;
		/* Some have none; s_show() in kernel/kallsyms.c leaves them out, too. */
		if (!name_len)
			continue;
		/*
		 * After the last symbol, the kernel runs the program once more for it, with another
		 * module name (at least up to 7.2).
		 */
		if (head.addr == told->addr && !strcmp(names, last_name))
			continue;
		told->addr = head.addr;
		last_name = names;
		symbol = (struct told_symbol){
			.addr = head.addr,
			.type = head.type,
			.name = names,
			.name_len = name_len,
		};
		if (head.in_module) {
			symbol.module = names + head.name_len;
			symbol.module_len = head.len - head.name_len - 1;
		}
		err = told->tell(told->arg, &symbol);
	}
	if (last_name != told->name)
		strcpy(told->name, last_name);
	*ret_used = at;
	return err;
}

int symbols_iterate(int iterator, symbol_teller tell, void *arg)
{
	_cleanup_(free_p) char *buffer = malloc(READ_SIZE);
	struct told told = { .tell = tell, .arg = arg };
	size_t have = 0, used;
	ssize_t got;
	int err;

	if (!buffer)
		return -ENOMEM;
	while ((got = read(iterator, buffer + have, READ_SIZE - have)) != 0) {
		/* EAGAIN: the kernel looked at a million without a word, and goes on. */
		if (got < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		have += got < 0 ? 0 : got;
		err = tell_symbols(&told, buffer, have, &used);
		if (err)
			return err;
		have -= used;
		memmove(buffer, buffer + used, have);
	}
	return have ? -EBADMSG : 0;
}

static int iterate(void *arg, symbol_teller tell, void *tell_arg)
{
	const int *iterator = arg;

	return *iterator < 0 ? -ENOENT : symbols_iterate(*iterator, tell, tell_arg);
}

struct symbol_source symbols_iterator_source(const int *iterator)
{
	return (struct symbol_source){ iterate, (void *)iterator };
}
