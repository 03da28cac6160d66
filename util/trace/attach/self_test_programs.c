// SPDX-License-Identifier: BSD-2-Clause
/*
 * Assembles one program for all methods from instructions. A compiled object would need libbpf to
 * read the kernel's BTF for kfuncs, which takes longer than the rest of the self-test.
 */
#include "util/trace/attach/self_test_programs.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdlib.h>

#include "util/kernel/arch/arch.h"
#include "util/trace/attach/links.h"

#define MAX_INSNS 96

struct code {
	struct bpf_insn insns[MAX_INSNS];
	int nr;
};

static void put_insn(struct code *code, struct bpf_insn insn)
{
	if (code->nr == MAX_INSNS)
		abort();
	code->insns[code->nr++] = insn;
}

static void put_move(struct code *code, int to, int from)
{
	put_insn(code, (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = to,
					  .src_reg = from });
}

static void put_set(struct code *code, int to, int32_t value)
{
	put_insn(code, (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = to,
					  .imm = value });
}

/* @op	BPF_ADD and the like */
static void calculate(struct code *code, int op, int to, int32_t value)
{
	put_insn(code,
		 (struct bpf_insn){ .code = BPF_ALU64 | op | BPF_K, .dst_reg = to, .imm = value });
}

static void set_wide(struct code *code, int to, int kind, uint64_t value)
{
	put_insn(code, (struct bpf_insn){ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = to,
					  .src_reg = kind, .imm = (uint32_t)value });
	put_insn(code, (struct bpf_insn){ .imm = value >> 32 });
}

static void put_load(struct code *code, int to, int base, int offset)
{
	put_insn(code, (struct bpf_insn){ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = to,
					  .src_reg = base, .off = offset });
}

static void put_store(struct code *code, int base, int offset, int from)
{
	put_insn(code, (struct bpf_insn){ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = base,
					  .src_reg = from, .off = offset });
}

static void store_value(struct code *code, int base, int offset, int32_t value)
{
	put_insn(code, (struct bpf_insn){ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = base,
					  .off = offset, .imm = value });
}

static void put_call(struct code *code, int helper)
{
	put_insn(code, (struct bpf_insn){ .code = BPF_JMP | BPF_CALL, .imm = helper });
}

static void call_kfunc(struct code *code, uint32_t id)
{
	put_insn(code, (struct bpf_insn){ .code = BPF_JMP | BPF_CALL, .src_reg = 2, .imm = id });
}

#define IN_HITS(member) offsetof(struct proof_hits, member)
#define IN_HIT(member) offsetof(struct proof_hit, member)

/* Registers that calls preserve. */
enum {
	CONTEXT = BPF_REG_6,
	HIT = BPF_REG_7,
	OFFSET = BPF_REG_8,
	OUTER_SP = BPF_REG_9,
};

/* Copies the word at the address in register @from to offset @to of the hit. */
static void add_word(struct code *code, size_t to, int from)
{
	put_move(code, BPF_REG_3, from);
	put_move(code, BPF_REG_1, HIT);
	calculate(code, BPF_ADD, BPF_REG_1, to);
	put_set(code, BPF_REG_2, sizeof(uint64_t));
	put_call(code, BPF_FUNC_probe_read_kernel);
}

/* Puts a word of struct pt_regs, the context, into the hit. BPF_REG_1 keeps it. */
static void add_register(struct code *code, size_t to, uint8_t reg)
{
	put_load(code, BPF_REG_1, CONTEXT, reg * sizeof(uint64_t));
	put_store(code, HIT, to, BPF_REG_1);
}

static void add_registers(struct code *code)
{
	add_register(code, IN_HIT(sp), arch_native->sp);
	add_word(code, IN_HIT(word), BPF_REG_1);
	if (arch_native->frame)
		add_register(code, IN_HIT(frame), arch_native->frame);
	if (arch_native->link)
		add_register(code, IN_HIT(link), arch_native->link);
	add_register(code, IN_HIT(ip), arch_native->ip);
	add_register(code, IN_HIT(result), arch_native->result);
}

/*
 * Gets the result as bpf/retsnoop.bpf.c does. Both functions take one argument, which comes first.
 */
static void add_trampoline(struct code *code, const struct self_test_program *program)
{
	put_store(code, HIT, IN_HIT(sp), CONTEXT);
	if (program->rung == RUNG_FENTRY && !program->at_return)
		return;
	if (!program->func_ret) {
		put_move(code, BPF_REG_1, CONTEXT);
		calculate(code, BPF_ADD, BPF_REG_1, sizeof(uint64_t));
		add_word(code, IN_HIT(result), BPF_REG_1);
		return;
	}
	put_move(code, BPF_REG_1, CONTEXT);
	put_move(code, BPF_REG_2, HIT);
	calculate(code, BPF_ADD, BPF_REG_2, IN_HIT(result));
	put_call(code, BPF_FUNC_get_func_ret);
}

static void add_identity(struct code *code, const struct self_test_program *program)
{
	if (program->rung == RUNG_FENTRY) {
		store_value(code, HIT, IN_HIT(func), program->func);
	} else if (program->rung != RUNG_KPROBE || program->attach_cookies) {
		put_move(code, BPF_REG_1, CONTEXT);
		put_call(code, BPF_FUNC_get_attach_cookie);
		put_store(code, HIT, IN_HIT(func), BPF_REG_0);
	}
	if (!rung_is_session(program->rung)) {
		store_value(code, HIT, IN_HIT(at_return), program->at_return);
		return;
	}
	put_move(code, BPF_REG_1, CONTEXT);
	call_kfunc(code, program->is_return_id);
	calculate(code, BPF_AND, BPF_REG_0, 1);
	put_store(code, HIT, IN_HIT(at_return), BPF_REG_0);
}

/* Reads the session cookie, then sets it; only the entry's value matters. */
static void add_session_cookie(struct code *code, const struct self_test_program *program)
{
	put_move(code, BPF_REG_1, CONTEXT);
	call_kfunc(code, program->session_cookie_id);
	put_load(code, BPF_REG_1, BPF_REG_0, 0);
	put_store(code, HIT, IN_HIT(kept), BPF_REG_1);
	set_wide(code, BPF_REG_1, 0, PROOF_KEPT);
	put_load(code, BPF_REG_2, HIT, IN_HIT(func));
	put_insn(code, (struct bpf_insn){ .code = BPF_ALU64 | BPF_ADD | BPF_X, .dst_reg = BPF_REG_1,
					  .src_reg = BPF_REG_2 });
	put_store(code, BPF_REG_0, 0, BPF_REG_1);
}

/*
 * Points HIT at the next free hit. Returns the number of jumps, in @jumps, to be patched to lead to
 * the end: other threads and further hits.
 */
static int find_hit(struct code *code, const struct self_test_program *program, int jumps[])
{
	int nr = 0;

	/* In a container the process knows only the ids of its own namespace. */
	set_wide(code, BPF_REG_1, 0, program->ns_dev);
	set_wide(code, BPF_REG_2, 0, program->ns_ino);
	put_move(code, BPF_REG_3, BPF_REG_10);
	calculate(code, BPF_ADD, BPF_REG_3, -8);
	put_set(code, BPF_REG_4, sizeof(struct bpf_pidns_info));
	put_call(code, BPF_FUNC_get_ns_current_pid_tgid);
	put_load(code, BPF_REG_0, BPF_REG_10, -8);
	set_wide(code, BPF_REG_1, 0, program->pid_tgid);
	jumps[nr++] = code->nr;
	put_insn(code, (struct bpf_insn){ .code = BPF_JMP | BPF_JNE | BPF_X, .dst_reg = BPF_REG_0,
					  .src_reg = BPF_REG_1 });
	store_value(code, BPF_REG_10, -8, 0);
	set_wide(code, BPF_REG_1, BPF_PSEUDO_MAP_FD, program->hits_fd);
	put_move(code, BPF_REG_2, BPF_REG_10);
	calculate(code, BPF_ADD, BPF_REG_2, -8);
	put_call(code, BPF_FUNC_map_lookup_elem);
	jumps[nr++] = code->nr;
	put_insn(code,
		 (struct bpf_insn){ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = BPF_REG_0 });
	put_move(code, HIT, BPF_REG_0);
	put_load(code, OFFSET, HIT, IN_HITS(nr));
	jumps[nr++] = code->nr;
	put_insn(code, (struct bpf_insn){ .code = BPF_JMP | BPF_JGE | BPF_K, .dst_reg = OFFSET,
					  .imm = PROOF_HITS });
	put_move(code, BPF_REG_1, OFFSET);
	calculate(code, BPF_ADD, BPF_REG_1, 1);
	put_store(code, HIT, IN_HITS(nr), BPF_REG_1);
	put_load(code, OUTER_SP, HIT, IN_HITS(hits) + IN_HIT(sp));
	calculate(code, BPF_MUL, OFFSET, sizeof(struct proof_hit));
	put_insn(code, (struct bpf_insn){ .code = BPF_ALU64 | BPF_ADD | BPF_X, .dst_reg = HIT,
					  .src_reg = OFFSET });
	calculate(code, BPF_ADD, HIT, IN_HITS(hits));
	return nr;
}

static void write_program(struct code *code, const struct self_test_program *program)
{
	int jumps[3], nr_jumps;

	put_move(code, CONTEXT, BPF_REG_1);
	nr_jumps = find_hit(code, program, jumps);
	put_store(code, HIT, IN_HIT(context), CONTEXT);
	if (rung_is_trampoline(program->rung))
		add_trampoline(code, program);
	else
		add_registers(code);
	add_word(code, IN_HIT(outer_word), OUTER_SP);
	add_identity(code, program);
	if (program->rung == RUNG_FSESSION_MULTI)
		add_session_cookie(code, program);
	put_call(code, BPF_FUNC_get_current_task);
	put_store(code, HIT, IN_HIT(task), BPF_REG_0);
	put_move(code, BPF_REG_1, CONTEXT);
	put_move(code, BPF_REG_2, HIT);
	calculate(code, BPF_ADD, BPF_REG_2, IN_HIT(ips));
	put_set(code, BPF_REG_3, PROOF_IPS * sizeof(uint64_t));
	put_set(code, BPF_REG_4, 0);
	put_call(code, BPF_FUNC_get_stack);
	put_store(code, HIT, IN_HIT(stack_bytes), BPF_REG_0);
	for (int i = 0; i < nr_jumps; i++)
		code->insns[jumps[i]].off = code->nr - jumps[i] - 1;
	put_set(code, BPF_REG_0, 0);
	put_insn(code, (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT });
}

int self_test_program_load(const struct self_test_program *program)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .attach_btf_id = program->btf_id);
	enum bpf_prog_type type = BPF_PROG_TYPE_KPROBE;
	struct code code = {};
	int fd;

	switch (program->rung) {
	case RUNG_FSESSION_MULTI:
		type = BPF_PROG_TYPE_TRACING;
		opts.expected_attach_type = ATTACH_TRACE_FSESSION_MULTI;
		break;
	case RUNG_KPROBE_SESSION:
		opts.expected_attach_type = ATTACH_TRACE_KPROBE_SESSION;
		break;
	case RUNG_KPROBE_MULTI:
		opts.expected_attach_type = ATTACH_TRACE_KPROBE_MULTI;
		break;
	case RUNG_FENTRY:
		type = BPF_PROG_TYPE_TRACING;
		opts.expected_attach_type = program->at_return ? BPF_TRACE_FEXIT :
								 BPF_TRACE_FENTRY;
		break;
	default:
		break;
	}
	write_program(&code, program);
	fd = bpf_prog_load(type, "retsnoop_test", "GPL", code.insns, code.nr, &opts);
	return fd < 0 ? -errno : fd;
}

int self_test_hits_new(void)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "retsnoop_test", sizeof(uint32_t),
				sizeof(struct proof_hits), 1, NULL);

	return fd < 0 ? -errno : fd;
}
