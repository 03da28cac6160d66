// SPDX-License-Identifier: BSD-2-Clause
/*
 * libbpf loads all programs of an object or none, and relocates only programs that it loads. So
 * just before loading, each program is replaced by one of two instructions.
 */
#include "util/trace/attach/held_programs.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>

#include "bpf/config.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/kernel/bpf/insns.h"
#include "util/kernel/bpf/trim.h"

#define LOG_SIZE (1 << 20)

/* The owner of the programs that libbpf hands over; NULL: libbpf loads them itself. */
static struct held_programs *held_by;

/* Leave out code that this configuration switches off: the kernel would verify it at each load. */
static int trim_program(const struct held_programs *held, struct held_program *program)
{
	struct bpf_map *map = bpf_object__find_map_by_name(held->object, ".rodata.config");
	struct bpf_constants constants = {};

	if (!map)
		return 0;
	constants.fd = bpf_map__fd(map);
	constants.data = bpf_map__initial_value(map, &constants.size);
	/* A program with an instruction of a kind that is not known stays as it is. */
	if (constants.data && bpf_trim(program->insns, &program->nr, &constants,
					 program->funcs, &program->nr_funcs) == -ENOMEM)
		return -ENOMEM;
	return 0;
}

static void program_release(struct held_program *program)
{
	free(program->name);
	free(program->insns);
	free(program->funcs);
}

/*
 * The kernel needs to know the functions: those that are not static are verified once, instead of at each
 * call. 0 or -ENOMEM.
 */
static int keep_functions(struct held_program *program, const struct bpf_prog_load_opts *opts)
{
	if (opts->func_info_rec_size < sizeof(*program->funcs))
		return 0;
	program->funcs = calloc(opts->func_info_cnt + 1, sizeof(*program->funcs));
	if (!program->funcs)
		return -ENOMEM;
	for (uint32_t i = 0; i < opts->func_info_cnt; i++)
		memcpy(program->funcs + i,
		       (const char *)opts->func_info + (size_t)i * opts->func_info_rec_size,
		       sizeof(*program->funcs));
	program->nr_funcs = opts->func_info_cnt;
	return 0;
}

/* Whether the two instructions of ld_imm64 load a number of bpf/config.h. */
static bool loads_number(const struct bpf_insn insns[2], uint64_t number)
{
	return insns[0].code == (BPF_LD | BPF_IMM | BPF_DW) && !insns[0].src_reg &&
	       (uint32_t)insns[0].imm == (uint32_t)number &&
	       (uint32_t)insns[1].imm == (uint32_t)(number >> 32);
}

static void put_ids(struct bpf_insn *insns, size_t nr, const struct held_ids *ids)
{
	for (size_t i = 0; i < nr; i++) {
		struct bpf_insn *insn = &insns[i];
		bool is_helper = insn->code == (BPF_JMP | BPF_CALL) && !insn->src_reg;

		if (is_helper && insn->imm == KFUNC_IS_RETURN)
			*insn = INSN_CALL_KFUNC(ids->is_return);
		else if (is_helper && insn->imm == KFUNC_SESSION_COOKIE)
			*insn = INSN_CALL_KFUNC(ids->session_cookie);
		if (insn->code != (BPF_LD | BPF_IMM | BPF_DW) || i + 1 == nr)
			continue;
		if (loads_number(insn, PREEMPT_MARKER)) {
			insn[0].src_reg = ids->preempt_count ? BPF_PSEUDO_BTF_ID : 0;
			insn[0].imm = ids->preempt_count;
			insn[1].imm = 0;	/* in the kernel itself, no module */
		}
		i++;
	}
}

static int hold_back(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long cookie)
{
	static struct bpf_insn placeholder[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	size_t nr = bpf_program__insn_cnt(prog);
	struct held_program program = {
		.name = strdup(bpf_program__name(prog)),
		.insns = malloc(nr * sizeof(*program.insns)),
		.nr = nr,
	};
	int err;

	if (!held_by || !program.name || !program.insns || keep_functions(&program, opts) ||
	    vec_push(&held_by->v, program)) {
		program_release(&program);
		return held_by ? -ENOMEM : 0;
	}
	memcpy(program.insns, bpf_program__insns(prog), nr * sizeof(*program.insns));
	put_ids(program.insns, nr, &held_by->ids);
	err = held_by->object ? trim_program(held_by, &held_by->v.data[held_by->v.len - 1]) : 0;
	if (err)
		return err;
	/* Function and line info describe the replaced program. */
	opts->func_info_cnt = 0;
	opts->line_info_cnt = 0;
	return bpf_program__set_insns(prog, placeholder, ARRAY_SIZE(placeholder));
}

/*
 * Handlers are never removed: libbpf 1.1 frees its list with the last handler, and uses it again.
 */
static int register_handlers(void)
{
	static const char *const sections[] = { "entry+", "exit+", "session+", "probe+" };
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = hold_back);
	static size_t registered;

	for (; registered < ARRAY_SIZE(sections); registered++) {
		int handler = libbpf_register_prog_handler(sections[registered],
							   BPF_PROG_TYPE_KPROBE, 0, &opts);

		if (handler < 0)
			return handler;
	}
	return 0;
}

int held_programs_begin(struct held_programs *held)
{
	int err = register_handlers();

	if (!err)
		held_by = held;
	return err;
}

void held_programs_end(struct held_programs *held)
{
	if (held_by == held)
		held_by = NULL;
}

void held_programs_release(struct held_programs *held)
{
	vec_foreach(program, &held->v)
		program_release(program);
	vec_release(&held->v);
}

/*
 * ld_imm64 is two instructions, each with half of the immediate. A trimmed program may not have
 * the marker any more: with this configuration it does not need the cookie.
 */
static void patch_cookie(struct bpf_insn *insns, size_t cnt, uint64_t cookie)
{
	for (size_t i = 0; i + 1 < cnt; i++) {
		if (insns[i].code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		if (loads_number(&insns[i], COOKIE_MARKER)) {
			insns[i].imm = (uint32_t)cookie;
			insns[i + 1].imm = cookie >> 32;
		}
		i++;
	}
}

/* Print the kernel's log about a program that it refused. */
static void say_log(const char *name, enum bpf_prog_type type, const struct bpf_insn *insns,
		    size_t nr, const struct bpf_prog_load_opts *opts)
{
	_cleanup_(free_p) char *log = NULL;
	struct bpf_prog_load_opts with_log = *opts;
	int fd;

	if (report_verbosity() < VERBOSITY_DEBUG)
		return;
	log = calloc(1, LOG_SIZE);
	if (!log)
		return;
	with_log.log_level = 1;
	with_log.log_buf = log;
	with_log.log_size = LOG_SIZE;
	fd = bpf_prog_load(type, name, "Dual BSD/GPL", insns, nr, &with_log);
	if (fd >= 0)
		close_fd(&fd);
	progress_make_way();
	fprintf(stderr, "BPF program %s: the kernel says:\n%s", name, log);
	progress_go_on();
}

int held_programs_load(const struct held_programs *held, const char *name, enum bpf_prog_type type,
		       const uint64_t *cookie, const struct bpf_prog_load_opts *opts)
{
	_cleanup_(free_p) struct bpf_insn *insns = NULL;
	const struct held_program *program = NULL;
	struct bpf_prog_load_opts with_opts;
	int fd, err;

	vec_foreach(candidate, &held->v) {
		if (!strcmp(candidate->name, name))
			program = candidate;
	}
	if (!program)
		return -ENOENT;
	insns = malloc(program->nr * sizeof(*insns));
	if (!insns)
		return -ENOMEM;
	memcpy(insns, program->insns, program->nr * sizeof(*insns));
	if (cookie)
		patch_cookie(insns, program->nr, *cookie);
	/*
	 * libbpf's parameter is a pointer to constant options up to 1.1 (Debian 12), but not in
	 * 1.7.
	 */
	with_opts = *opts;
	if (program->nr_funcs && held->object) {
		with_opts.prog_btf_fd = bpf_object__btf_fd(held->object);
		with_opts.func_info = program->funcs;
		with_opts.func_info_cnt = program->nr_funcs;
		with_opts.func_info_rec_size = sizeof(*program->funcs);
	}
	fd = bpf_prog_load(type, name, "Dual BSD/GPL", insns, program->nr, &with_opts);
	if (fd >= 0)
		return fd;
	err = -errno;
	say_log(name, type, insns, program->nr, &with_opts);
	return err;
}
