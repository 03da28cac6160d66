// SPDX-License-Identifier: BSD-2-Clause
/*
 * Assembles one program for all methods from instructions. A compiled object would need libbpf to
 * read the kernel's BTF for kfuncs, which takes longer than the rest of the self-test.
 */
#include "util/trace/attach/self_test_programs.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stddef.h>

#include "util/kernel/arch/arch.h"
#include "util/kernel/bpf/insns.h"
#include "util/trace/attach/links.h"

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
static void add_word(struct bpf_code *code, size_t to, int from)
{
	bpf_code_put(code, INSN_MOVE(BPF_REG_3, from), INSN_MOVE(BPF_REG_1, HIT),
		     INSN_ALU(BPF_ADD, BPF_REG_1, to), INSN_SET(BPF_REG_2, sizeof(uint64_t)),
		     INSN_CALL(BPF_FUNC_probe_read_kernel));
}

/* Puts a word of struct pt_regs, the context, into the hit. BPF_REG_1 keeps it. */
static void add_register(struct bpf_code *code, size_t to, uint8_t reg)
{
	bpf_code_put(code, INSN_LOAD(BPF_DW, BPF_REG_1, CONTEXT, reg * sizeof(uint64_t)),
		     INSN_STORE(BPF_DW, HIT, to, BPF_REG_1));
}

static void add_registers(struct bpf_code *code)
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
 * Gets the result as bpf/retsnoop.bpf.c does. Both functions have one argument, which comes
 * first.
 */
static void add_trampoline(struct bpf_code *code, const struct self_test_program *program)
{
	bpf_code_put(code, INSN_STORE(BPF_DW, HIT, IN_HIT(sp), CONTEXT));
	if (program->rung == RUNG_FENTRY && !program->at_return)
		return;
	if (!program->func_ret) {
		bpf_code_put(code, INSN_MOVE(BPF_REG_1, CONTEXT),
			     INSN_ALU(BPF_ADD, BPF_REG_1, sizeof(uint64_t)));
		add_word(code, IN_HIT(result), BPF_REG_1);
		return;
	}
	bpf_code_put(code, INSN_MOVE(BPF_REG_1, CONTEXT), INSN_MOVE(BPF_REG_2, HIT),
		     INSN_ALU(BPF_ADD, BPF_REG_2, IN_HIT(result)),
		     INSN_CALL(BPF_FUNC_get_func_ret));
}

static void add_identity(struct bpf_code *code, const struct self_test_program *program)
{
	if (program->rung == RUNG_FENTRY) {
		bpf_code_put(code, INSN_STORE_NUMBER(BPF_DW, HIT, IN_HIT(func), program->func));
	} else if (program->rung != RUNG_KPROBE || program->attach_cookies) {
		bpf_code_put(code, INSN_MOVE(BPF_REG_1, CONTEXT),
			     INSN_CALL(BPF_FUNC_get_attach_cookie),
			     INSN_STORE(BPF_DW, HIT, IN_HIT(func), BPF_REG_0));
	}
	if (!rung_is_session(program->rung)) {
		bpf_code_put(code, INSN_STORE_NUMBER(BPF_DW, HIT, IN_HIT(at_return), program->at_return));
		return;
	}
	bpf_code_put(code, INSN_MOVE(BPF_REG_1, CONTEXT), INSN_CALL_KFUNC(program->is_return_id),
		     INSN_ALU(BPF_AND, BPF_REG_0, 1),
		     INSN_STORE(BPF_DW, HIT, IN_HIT(at_return), BPF_REG_0));
}

/* Reads the session cookie, then sets it; only the entry's value matters. */
static void add_session_cookie(struct bpf_code *code, const struct self_test_program *program)
{
	bpf_code_put(code, INSN_MOVE(BPF_REG_1, CONTEXT),
		     INSN_CALL_KFUNC(program->session_cookie_id),
		     INSN_LOAD(BPF_DW, BPF_REG_1, BPF_REG_0, 0),
		     INSN_STORE(BPF_DW, HIT, IN_HIT(kept), BPF_REG_1),
		     INSN_WIDE(BPF_REG_1, 0, PROOF_KEPT),
		     INSN_LOAD(BPF_DW, BPF_REG_2, HIT, IN_HIT(func)),
		     INSN_ALU_REG(BPF_ADD, BPF_REG_1, BPF_REG_2),
		     INSN_STORE(BPF_DW, BPF_REG_0, 0, BPF_REG_1));
}

/*
 * Points HIT at the next free hit. Other threads and hits without room jump to the end: these
 * jumps are put in @jumps, to be patched by the caller. Returns their number.
 */
static int find_hit(struct bpf_code *code, const struct self_test_program *program, int jumps[])
{
	int nr = 0;

	/* In a container the process knows only the ids of its own namespace. */
	bpf_code_put(code, INSN_WIDE(BPF_REG_1, 0, program->ns_dev),
		     INSN_WIDE(BPF_REG_2, 0, program->ns_ino), INSN_MOVE(BPF_REG_3, BPF_REG_10),
		     INSN_ALU(BPF_ADD, BPF_REG_3, -8),
		     INSN_SET(BPF_REG_4, sizeof(struct bpf_pidns_info)),
		     INSN_CALL(BPF_FUNC_get_ns_current_pid_tgid),
		     INSN_LOAD(BPF_DW, BPF_REG_0, BPF_REG_10, -8),
		     INSN_WIDE(BPF_REG_1, 0, program->pid_tgid));
	jumps[nr++] = code->nr;
	bpf_code_put(code, INSN_JUMP_IF_REG(BPF_JNE, BPF_REG_0, BPF_REG_1, 0),
		     INSN_STORE_NUMBER(BPF_DW, BPF_REG_10, -8, 0),
		     INSN_WIDE(BPF_REG_1, BPF_PSEUDO_MAP_FD, program->hits_fd),
		     INSN_MOVE(BPF_REG_2, BPF_REG_10), INSN_ALU(BPF_ADD, BPF_REG_2, -8),
		     INSN_CALL(BPF_FUNC_map_lookup_elem));
	jumps[nr++] = code->nr;
	bpf_code_put(code, INSN_JUMP_IF(BPF_JEQ, BPF_REG_0, 0, 0), INSN_MOVE(HIT, BPF_REG_0),
		     INSN_LOAD(BPF_DW, OFFSET, HIT, IN_HITS(nr)));
	jumps[nr++] = code->nr;
	bpf_code_put(code, INSN_JUMP_IF(BPF_JGE, OFFSET, PROOF_HITS, 0),
		     INSN_MOVE(BPF_REG_1, OFFSET), INSN_ALU(BPF_ADD, BPF_REG_1, 1),
		     INSN_STORE(BPF_DW, HIT, IN_HITS(nr), BPF_REG_1),
		     INSN_LOAD(BPF_DW, OUTER_SP, HIT, IN_HITS(hits) + IN_HIT(sp)),
		     INSN_ALU(BPF_MUL, OFFSET, sizeof(struct proof_hit)),
		     INSN_ALU_REG(BPF_ADD, HIT, OFFSET), INSN_ALU(BPF_ADD, HIT, IN_HITS(hits)));
	return nr;
}

static void write_program(struct bpf_code *code, const struct self_test_program *program)
{
	int jumps[3], nr_jumps;

	bpf_code_put(code, INSN_MOVE(CONTEXT, BPF_REG_1));
	nr_jumps = find_hit(code, program, jumps);
	bpf_code_put(code, INSN_STORE(BPF_DW, HIT, IN_HIT(context), CONTEXT));
	if (rung_is_trampoline(program->rung))
		add_trampoline(code, program);
	else
		add_registers(code);
	add_word(code, IN_HIT(outer_word), OUTER_SP);
	add_identity(code, program);
	if (rung_is_session(program->rung))
		add_session_cookie(code, program);
	bpf_code_put(code, INSN_CALL(BPF_FUNC_get_current_task),
		     INSN_STORE(BPF_DW, HIT, IN_HIT(task), BPF_REG_0),
		     INSN_MOVE(BPF_REG_1, CONTEXT), INSN_MOVE(BPF_REG_2, HIT),
		     INSN_ALU(BPF_ADD, BPF_REG_2, IN_HIT(ips)),
		     INSN_SET(BPF_REG_3, PROOF_IPS * sizeof(uint64_t)), INSN_SET(BPF_REG_4, 0),
		     INSN_CALL(BPF_FUNC_get_stack),
		     INSN_STORE(BPF_DW, HIT, IN_HIT(stack_bytes), BPF_REG_0));
	for (int i = 0; i < nr_jumps; i++)
		code->insns[jumps[i]].off = code->nr - jumps[i] - 1;
	bpf_code_put(code, INSN_SET(BPF_REG_0, 0), INSN_EXIT);
}

int self_test_program_load(const struct self_test_program *program)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .attach_btf_id = program->btf_id);
	enum bpf_prog_type type = BPF_PROG_TYPE_KPROBE;
	struct bpf_code code = {};
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
