/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way that an unmodified arm64 kernel takes through one function under QEMU: a TCG plugin that logs
 * each block of instructions that is executed there, while a program in the guest asks for it
 * (tests/lbr/steps.h).
 *
 *	-plugin steps.so
 *
 * QEMU 11.1 or later, unpatched; one CPU (-smp 1).
 */
#include "registers.h"
#include "steps.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv);

#define INSN_SIZE 4
#define MAX_STEPS 1000000
/* Stacks of tasks are aligned to twice their size (CONFIG_VMAP_STACK). */
#define STACK_SIZE 32768
#define ADDRESS_BITS 48

/* ret, retaa, retab */
#define IS_RETURN(word) ((word) == 0xd65f03c0 || ((word) & ~0x400u) == 0xd65f0bff)

static struct {
	uint64_t begin, end;
} ranges[STEPS_MAX_RANGES];

static struct step *steps;
static size_t nr_steps;
static struct qemu_plugin_scoreboard *scoreboard;	/* of uint64_t: whether blocks are wanted */
static qemu_plugin_u64 wanted;
static struct qemu_plugin_register *x[5], *sp;

static bool in_ranges(uint64_t addr)
{
	for (size_t i = 0; i < STEPS_MAX_RANGES; i++) {
		if (addr - ranges[i].begin < ranges[i].end - ranges[i].begin)
			return true;
	}
	return false;
}

/* In one word: the first address of a block, and how many instructions it has. */
static void *block_pack(uint64_t first, size_t nr)
{
	return (void *)(uintptr_t)((first & ((1ull << ADDRESS_BITS) - 1)) |
				   (uint64_t)nr << ADDRESS_BITS);
}

static void on_block(unsigned int cpu, void *data)
{
	uint64_t word = (uintptr_t)data;
	uint64_t first = (int64_t)(word << (64 - ADDRESS_BITS)) >> (64 - ADDRESS_BITS);

	if (!in_ranges(first) || nr_steps == MAX_STEPS)
		return;
	steps[nr_steps++] = (struct step){
		.stack = read_register(sp) / STACK_SIZE,
		.first = first,
		.last = first + ((word >> ADDRESS_BITS) - 1) * INSN_SIZE,
	};
}

/* @data	address of the return, which comes next */
static void on_function_end(unsigned int cpu, void *data)
{
	if (nr_steps && steps[nr_steps - 1].last == (uintptr_t)data)
		steps[nr_steps - 1].result = read_register(x[0]);
}

static void want(unsigned int cpu, bool on)
{
	*(uint64_t *)qemu_plugin_scoreboard_find(scoreboard, cpu) = on;
}

static void on_hint(unsigned int cpu, void *data)
{
	uint64_t at;

	switch (read_register(x[0])) {
	case STEPS_START:
		for (size_t i = 0; i < STEPS_MAX_RANGES; i++) {
			ranges[i].begin = read_register(x[1 + 2 * i]);
			ranges[i].end = read_register(x[2 + 2 * i]);
		}
		nr_steps = 0;
		want(cpu, true);
		write_register(x[0], STEPS_DONE);
		break;
	case STEPS_STOP:
		want(cpu, false);
		write_register(x[0], nr_steps);
		break;
	case STEPS_GET:
		at = read_register(x[1]);
		if (at >= nr_steps)
			break;
		write_register(x[0], steps[at].stack);
		write_register(x[1], steps[at].first);
		write_register(x[2], steps[at].last);
		write_register(x[3], steps[at].result);
		break;
	}
}

static void on_translation(struct qemu_plugin_tb *tb, void *data)
{
	size_t nr = qemu_plugin_tb_n_insns(tb);
	uint64_t first = qemu_plugin_tb_vaddr(tb);
	bool kernel = (int64_t)first < 0;

	if (kernel)
		qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, on_block, QEMU_PLUGIN_CB_R_REGS,
							  QEMU_PLUGIN_COND_NE, wanted, 0,
							  block_pack(first, nr));
	for (size_t i = 0; i < nr; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint32_t word = 0;

		qemu_plugin_insn_data(insn, &word, sizeof(word));
		if (!kernel && word == STEPS_HINT)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_hint,
							       QEMU_PLUGIN_CB_RW_REGS, NULL);
		else if (kernel && IS_RETURN(word))
			qemu_plugin_register_vcpu_insn_exec_cond_cb(
				insn, on_function_end, QEMU_PLUGIN_CB_R_REGS,
				QEMU_PLUGIN_COND_NE, wanted, 0,
				(void *)(uintptr_t)qemu_plugin_insn_vaddr(insn));
	}
}

static void on_new_vcpu(unsigned int cpu, void *data)
{
	const struct wanted_register registers[] = {
		{ "x0", &x[0] }, { "x1", &x[1] }, { "x2", &x[2] },
		{ "x3", &x[3] }, { "x4", &x[4] }, { "sp", &sp },
	};

	find_registers("steps", registers, sizeof(registers) / sizeof(registers[0]));
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	if (strcmp(info->target_name, "aarch64") || !info->system_emulation ||
	    info->system.smp_vcpus != 1 || argc) {
		fprintf(stderr, "steps: for qemu-system-aarch64 -smp 1 only, without options\n");
		return -1;
	}
	steps = calloc(MAX_STEPS, sizeof(*steps));
	if (!steps)
		return -1;
	scoreboard = qemu_plugin_scoreboard_new(sizeof(uint64_t));
	wanted = (qemu_plugin_u64){ scoreboard, 0 };
	qemu_plugin_register_vcpu_init_cb(id, on_new_vcpu, NULL);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation, NULL);
	return 0;
}
