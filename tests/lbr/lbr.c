/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Last Branch Records for kernels that run under QEMU: a TCG plugin that gives an unmodified guest
 * an Intel architectural PMU whose ring holds the branches that the guest really took.
 *
 *	-plugin lbr.so[,depth=32][,fmt=5][,debug=on]
 *
 * QEMU 11.1 or later, unpatched; -accel tcg,thread=multi. What the guest asks of the PMU is
 * answered here, not by QEMU: CPUID leaf 0xa, the PDCM bit of leaf 1, the PMU's MSRs, rdpmc. Its
 * counters are storage that never counts, and nothing interrupts; the ring fills while
 * IA32_DEBUGCTL.LBR is set. Cycles and mispredictions are constants.
 *
 * depth and fmt (the LBR format of IA32_PERF_CAPABILITIES) have to be those of the CPU model:
 * Skylake 32 and 5; Haswell, Broadwell 16 and 4; Nehalem to Ivy Bridge 16 and 3.
 *
 * Only what runs in the kernel's half of the address space is intercepted: user space sees QEMU's
 * own CPUID.
 *
 * Figures of Intel's Software Developer's Manual, volume 3 ("Last branch, interrupt, and exception
 * recording", "Architectural performance monitoring") and volume 4 (the MSRs).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registers.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv);

#define MAX_VCPUS 64
#define MAX_DEPTH 32
#define NR_COUNTERS 4
#define NR_FIXED 3
#define COUNTER_BITS 48

#define MSR_PMC0		0x0c1	/* writes are of 32 bits, with their sign */
#define MSR_EVTSEL0		0x186
#define MSR_OFFCORE_RSP_0	0x1a6
#define MSR_LBR_SELECT		0x1c8
#define MSR_LBR_TOS		0x1c9
#define MSR_DEBUGCTL		0x1d9
#define MSR_FIXED_CTR0		0x309
#define MSR_PERF_CAPABILITIES	0x345
#define MSR_FIXED_CTR_CTRL	0x38d
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_GLOBAL_STATUS_RESET	0x390
#define MSR_GLOBAL_STATUS_SET	0x391
#define MSR_PEBS_LD_LAT		0x3f6
#define MSR_PEBS_FRONTEND	0x3f7
#define MSR_FULL_WIDTH_PMC0	0x4c1
#define MSR_LBR_FROM_0		0x680
#define MSR_LBR_TO_0		0x6c0
#define MSR_LBR_INFO_0		0xdc0

#define DEBUGCTL_LBR		(1u << 0)
#define CAP_FULL_WIDTH_WRITE	(1u << 13)
#define CPUID_1_ECX_PDCM	(1u << 15)
#define LBR_INFO_ONE_CYCLE	1u	/* predicted, not in a transaction */

/* Kinds of branches. Each is the bit of LBR_SELECT that keeps it out of the ring. */
enum branch_kind {
	BRANCH_NONE = 0,
	BRANCH_CONDITIONAL = 2,
	BRANCH_CALL,
	BRANCH_INDIRECT_CALL,
	BRANCH_RETURN,
	BRANCH_INDIRECT_JUMP,
	BRANCH_JUMP,
	BRANCH_FAR,	/* system calls and returns from them, interrupts, exceptions */
};

#define SELECT_NO_KERNEL	(1u << 0)
#define SELECT_NO_USER		(1u << 1)
#define SELECT_CALL_STACK	(1u << 9)

/*
 * What generated code reads and writes itself, without a call into this file. A block calls
 * on_block() when its word of the two is not 0.
 */
struct fast {
	uint64_t want_kernel;	/* WANT_x, for blocks of ring 0 */
	uint64_t want_user;	/* the same, for those of ring 3 */
	uint64_t pending;	/* the branch instruction begun last, by pending_pack(); 0: none */
};

#define WANT_BRANCHES		1u
#define WANT_CPUID_AMENDED	2u

struct vcpu {
	uint64_t debugctl;
	uint64_t select;
	uint64_t top;		/* index of the newest record */
	uint64_t from[MAX_DEPTH];
	uint64_t to[MAX_DEPTH];
	uint64_t info[MAX_DEPTH];
	uint64_t counter[NR_COUNTERS];
	uint64_t event[NR_COUNTERS];
	uint64_t fixed[NR_FIXED];
	uint64_t fixed_ctrl;
	uint64_t global_ctrl;
	uint64_t global_status;
	uint64_t offcore[2];
	uint64_t pebs_ld_lat;
	uint64_t pebs_frontend;

	int64_t delta;		/* from where the running block was translated to where it is */
	uint64_t recorded;
};

static struct vcpu vcpus[MAX_VCPUS];
static struct qemu_plugin_scoreboard *scoreboard;	/* of struct fast */
static qemu_plugin_u64 want_kernel, want_user, pending;
static struct qemu_plugin_register *rax, *rbx, *rcx, *rdx, *rip, *cs;
static unsigned int depth = 32;
static unsigned int format = 5;
static uint64_t from_flags;	/* bits of a record's "from" that are flags, by format */
static bool debug;

static bool is_kernel(uint64_t addr)
{
	return (int64_t)addr < 0;
}

static struct fast *fast_of(unsigned int cpu)
{
	return qemu_plugin_scoreboard_find(scoreboard, cpu);
}

/* ---- the branch that has begun ---- */

/* In one word, as generated code can store no more: bit 63, kind, length, 48 bits of address. */
static uint64_t pending_pack(uint64_t addr, size_t length, enum branch_kind kind)
{
	return 1ull << 63 | (uint64_t)kind << 52 | (uint64_t)length << 48 |
	       (addr & ((1ull << 48) - 1));
}

static uint64_t pending_addr(uint64_t word)
{
	return (int64_t)(word << 16) >> 16;
}

static size_t pending_length(uint64_t word)
{
	return word >> 48 & 15;
}

static enum branch_kind pending_kind(uint64_t word)
{
	return word >> 52 & 15;
}

/* ---- the ring ---- */

static void record(struct vcpu *v, uint64_t from, uint64_t to, enum branch_kind kind)
{
	if (v->select & (1u << kind) ||
	    v->select & (is_kernel(to) ? SELECT_NO_KERNEL : SELECT_NO_USER))
		return;
	if (v->select & SELECT_CALL_STACK && kind == BRANCH_RETURN) {
		v->from[v->top] = v->to[v->top] = v->info[v->top] = 0;
		v->top = (v->top - 1) & (depth - 1);
		return;
	}
	v->top = (v->top + 1) & (depth - 1);
	v->from[v->top] = from & ~from_flags;
	v->to[v->top] = to;
	v->info[v->top] = LBR_INFO_ONE_CYCLE;
	v->recorded++;
}

/* The branch that had begun went to @to, or, if it is a conditional one, fell through. */
static void finish_branch(struct vcpu *v, struct fast *fast, uint64_t to)
{
	uint64_t word = fast->pending, from;
	enum branch_kind kind = pending_kind(word);

	if (!word)
		return;
	fast->pending = 0;
	from = pending_addr(word) + v->delta;
	if (kind == BRANCH_CONDITIONAL && to == from + pending_length(word))
		return;
	/*
	 * When ring 3 is not recorded its blocks make no calls: delta is not theirs. But syscall
	 * leaves the address of the next instruction in rcx.
	 */
	if (v->select & SELECT_NO_USER && kind == BRANCH_FAR && !is_kernel(from) && is_kernel(to))
		from = read_register(rcx) - pending_length(word);
	record(v, from, to, kind);
}

static void amend_cpuid(struct fast *fast)
{
	fast->want_kernel &= ~(uint64_t)WANT_CPUID_AMENDED;
	write_register(rcx, read_register(rcx) | CPUID_1_ECX_PDCM);
}

/* A block begins. @data: the address for which it was translated. */
static void on_block(unsigned int cpu, void *data)
{
	uint64_t translated = (uintptr_t)data, addr = translated;
	struct fast *fast = fast_of(cpu);
	struct vcpu *v = &vcpus[cpu];

	if (fast->want_kernel & WANT_CPUID_AMENDED)
		amend_cpuid(fast);
	if (!(fast->want_kernel & WANT_BRANCHES))
		return;
	/*
	 * QEMU shares a block between all addresses at which its physical page is mapped: those of
	 * shared libraries, and of the kernel early in its boot.
	 */
	if (!is_kernel(translated))
		addr = read_register(rip);
	finish_branch(v, fast, addr);
	v->delta = addr - translated;
}

/* An interrupt or an exception. */
static void on_discontinuity(unsigned int cpu, enum qemu_plugin_discon_type type, uint64_t from,
			     uint64_t to, void *data)
{
	struct fast *fast = fast_of(cpu);
	struct vcpu *v = &vcpus[cpu];

	if (!(fast->want_kernel & WANT_BRANCHES))
		return;
	/* A branch that faults, say by its page fault on the stack, was not taken. */
	if (type == QEMU_PLUGIN_DISCON_EXCEPTION && fast->pending &&
	    pending_addr(fast->pending) + v->delta == from)
		fast->pending = 0;
	finish_branch(v, fast, from);
	record(v, from, to, BRANCH_FAR);
}

/* ---- MSRs ---- */

/* slot_of(MSR_x0, ...): the element if @msr is one of those from the first on. */
static uint64_t *slot_of(uint32_t first, uint64_t *array, uint32_t nr, uint32_t msr)
{
	return msr - first < nr ? &array[msr - first] : NULL;
}

/* Where an MSR is kept that is mere storage as long as it is read; NULL: not one of ours. */
static uint64_t *msr_slot(struct vcpu *v, uint32_t msr)
{
	uint64_t *slot;

	switch (msr) {
	case MSR_LBR_SELECT:
		return &v->select;
	case MSR_LBR_TOS:
		return &v->top;
	case MSR_DEBUGCTL:
		return &v->debugctl;
	case MSR_FIXED_CTR_CTRL:
		return &v->fixed_ctrl;
	case MSR_GLOBAL_STATUS:
		return &v->global_status;
	case MSR_GLOBAL_CTRL:
		return &v->global_ctrl;
	case MSR_PEBS_LD_LAT:
		return &v->pebs_ld_lat;
	case MSR_PEBS_FRONTEND:
		return &v->pebs_frontend;
	}
	slot = slot_of(MSR_PMC0, v->counter, NR_COUNTERS, msr);
	slot = slot ?: slot_of(MSR_FULL_WIDTH_PMC0, v->counter, NR_COUNTERS, msr);
	slot = slot ?: slot_of(MSR_EVTSEL0, v->event, NR_COUNTERS, msr);
	slot = slot ?: slot_of(MSR_FIXED_CTR0, v->fixed, NR_FIXED, msr);
	slot = slot ?: slot_of(MSR_OFFCORE_RSP_0, v->offcore, 2, msr);
	slot = slot ?: slot_of(MSR_LBR_FROM_0, v->from, depth, msr);
	slot = slot ?: slot_of(MSR_LBR_TO_0, v->to, depth, msr);
	return slot ?: slot_of(MSR_LBR_INFO_0, v->info, depth, msr);
}

static bool msr_read(struct vcpu *v, uint32_t msr, uint64_t *ret_value)
{
	uint64_t *slot = msr_slot(v, msr);

	if (msr == MSR_PERF_CAPABILITIES)
		*ret_value = format | CAP_FULL_WIDTH_WRITE;
	else if (msr == MSR_GLOBAL_STATUS_RESET || msr == MSR_GLOBAL_STATUS_SET)
		*ret_value = 0;
	else if (slot)
		*ret_value = *slot;
	else
		return false;
	return true;
}

/* DEBUGCTL or LBR_SELECT has changed: make blocks call, or not. */
static void update_wants(struct vcpu *v, struct fast *fast)
{
	bool on = v->debugctl & DEBUGCTL_LBR;

	if (on && !(fast->want_kernel & WANT_BRANCHES))
		fast->pending = 0;	/* a branch from before */
	fast->want_kernel &= ~(uint64_t)WANT_BRANCHES;
	if (on)
		fast->want_kernel |= WANT_BRANCHES;
	fast->want_user = on && !(v->select & SELECT_NO_USER) ? WANT_BRANCHES : 0;
}

static bool msr_write(struct vcpu *v, struct fast *fast, uint32_t msr, uint64_t value)
{
	const uint64_t counter_mask = (1ull << COUNTER_BITS) - 1;
	uint64_t *slot = msr_slot(v, msr);

	switch (msr) {
	case MSR_PERF_CAPABILITIES:
	case MSR_GLOBAL_STATUS:
		return true;	/* read-only */
	case MSR_GLOBAL_STATUS_RESET:
		v->global_status &= ~value;
		return true;
	case MSR_GLOBAL_STATUS_SET:
		v->global_status |= value;
		return true;
	}
	if (!slot)
		return false;
	if (msr - MSR_PMC0 < NR_COUNTERS)
		value = (int64_t)(int32_t)value & counter_mask;
	else if (msr - MSR_FULL_WIDTH_PMC0 < NR_COUNTERS || msr - MSR_FIXED_CTR0 < NR_FIXED)
		value &= counter_mask;
	else if (msr == MSR_LBR_TOS)
		value &= depth - 1;
	*slot = value;
	if (msr == MSR_DEBUGCTL || msr == MSR_LBR_SELECT)
		update_wants(v, fast);
	return true;
}

/*
 * ---- instructions that are answered here ----
 *
 * Called before the instruction; @next is the address behind it. Going there skips QEMU's own
 * answer; returning leaves it to QEMU, as with every MSR that is not one of ours.
 */

static void go_to(void *next)
{
	qemu_plugin_set_pc((uintptr_t)next);
}

static void give_edx_eax(uint64_t value)
{
	write_register(rax, (uint32_t)value);
	write_register(rdx, value >> 32);
}

static void on_rdmsr(unsigned int cpu, void *next)
{
	uint32_t msr = read_register(rcx);
	uint64_t value;

	if (!msr_read(&vcpus[cpu], msr, &value))
		return;
	if (debug)
		fprintf(stderr, "lbr: cpu%u rdmsr %#" PRIx32 " = %#" PRIx64 "\n", cpu, msr, value);
	give_edx_eax(value);
	go_to(next);
}

static void on_wrmsr(unsigned int cpu, void *next)
{
	uint32_t msr = read_register(rcx);
	uint64_t value = read_register(rdx) << 32 | (uint32_t)read_register(rax);

	if (!msr_write(&vcpus[cpu], fast_of(cpu), msr, value))
		return;
	if (debug)
		fprintf(stderr, "lbr: cpu%u wrmsr %#" PRIx32 " = %#" PRIx64 "\n", cpu, msr, value);
	go_to(next);
}

static void on_rdpmc(unsigned int cpu, void *next)
{
	uint32_t index = read_register(rcx);
	struct vcpu *v = &vcpus[cpu];

	give_edx_eax(index & 1u << 30 ? v->fixed[(index & 3) % NR_FIXED] :
					v->counter[index % NR_COUNTERS]);
	go_to(next);
}

static void on_cpuid(unsigned int cpu, void *next)
{
	uint32_t leaf = read_register(rax);

	/* Leaf 1 is QEMU's answer, amended once it is there. */
	if (leaf == 1)
		fast_of(cpu)->want_kernel |= WANT_CPUID_AMENDED;
	if (leaf != 0xa)
		return;
	/* version 4; 7 events, all of them there (ebx) */
	write_register(rax, 4 | NR_COUNTERS << 8 | COUNTER_BITS << 16 | 7 << 24);
	write_register(rbx, 0);
	write_register(rcx, 0);
	write_register(rdx, NR_FIXED | COUNTER_BITS << 5);
	go_to(next);
}

/* At the instruction behind a cpuid in the same block; if there is none, the next block does it. */
static void after_cpuid(unsigned int cpu, void *data)
{
	struct fast *fast = fast_of(cpu);

	if (fast->want_kernel & WANT_CPUID_AMENDED)
		amend_cpuid(fast);
}

/* ---- translation ---- */

/* Skip an instruction's prefixes, of 64-bit mode. @code ends with a byte that is none. */
static const uint8_t *opcode_of(const uint8_t *code)
{
	static const char legacy[] = "\x66\x67\xf0\xf2\xf3\x26\x2e\x36\x3e\x64\x65";

	while (*code && (strchr(legacy, *code) || (*code & 0xf0) == 0x40))
		code++;
	return code;
}

static enum branch_kind classify(const uint8_t *opcode)
{
	switch (opcode[0]) {
	case 0x70 ... 0x7f:	/* jcc */
	case 0xe0 ... 0xe3:	/* loop, jrcxz */
		return BRANCH_CONDITIONAL;
	case 0xeb:
	case 0xe9:
		return BRANCH_JUMP;
	case 0xe8:
		return BRANCH_CALL;
	case 0xc2:
	case 0xc3:
		return BRANCH_RETURN;
	case 0xca:
	case 0xcb:	/* retf */
	case 0xcf:	/* iret */
		return BRANCH_FAR;
	case 0xff:
		switch (opcode[1] >> 3 & 7) {
		case 2:
			return BRANCH_INDIRECT_CALL;
		case 4:
			return BRANCH_INDIRECT_JUMP;
		case 3:
		case 5:
			return BRANCH_FAR;
		}
		return BRANCH_NONE;
	case 0x0f:
		switch (opcode[1]) {
		case 0x80 ... 0x8f:	/* jcc */
			return BRANCH_CONDITIONAL;
		case 0x05:	/* syscall */
		case 0x07:	/* sysret */
		case 0x34:	/* sysenter */
		case 0x35:	/* sysexit */
			return BRANCH_FAR;
		}
	}
	return BRANCH_NONE;
}

static void on_translation(struct qemu_plugin_tb *tb, void *data)
{
	size_t nr = qemu_plugin_tb_n_insns(tb);
	uint64_t begin = qemu_plugin_tb_vaddr(tb);
	/* A block is of one privilege level: that of the CPU which translates it. */
	bool user = !is_kernel(begin) && (read_register(cs) & 3) == 3;
	bool behind_cpuid = false;
	size_t i;

	qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, on_block, QEMU_PLUGIN_CB_RW_REGS,
						  QEMU_PLUGIN_COND_NE,
						  user ? want_user : want_kernel, 0,
						  (void *)(uintptr_t)begin);
	for (i = 0; i < nr; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t addr = qemu_plugin_insn_vaddr(insn);
		size_t length = qemu_plugin_insn_size(insn);
		qemu_plugin_vcpu_udata_cb_t handler = NULL;
		uint8_t code[18] = {};
		const uint8_t *opcode;
		enum branch_kind kind;

		if (behind_cpuid)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, after_cpuid,
							       QEMU_PLUGIN_CB_RW_REGS, NULL);
		behind_cpuid = false;

		qemu_plugin_insn_data(insn, code, 15);
		opcode = opcode_of(code);
		/* What can branch ends a block. */
		kind = i == nr - 1 ? classify(opcode) : BRANCH_NONE;
		if (kind)
			qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
				insn, QEMU_PLUGIN_INLINE_STORE_U64, pending,
				pending_pack(addr, length, kind));
		if (opcode[0] != 0x0f || !is_kernel(addr))
			continue;
		switch (opcode[1]) {
		case 0x30:
			handler = on_wrmsr;
			break;
		case 0x32:
			handler = on_rdmsr;
			break;
		case 0x33:
			handler = on_rdpmc;
			break;
		case 0xa2:
			handler = on_cpuid;
			behind_cpuid = true;
			break;
		}
		if (handler)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, handler,
							       QEMU_PLUGIN_CB_RW_REGS_PC,
							       (void *)(uintptr_t)(addr + length));
	}
}

/* ---- loading ---- */

static void on_new_vcpu(unsigned int cpu, void *data)
{
	const struct wanted_register wanted[] = {
		{ "rax", &rax }, { "rbx", &rbx }, { "rcx", &rcx },
		{ "rdx", &rdx }, { "rip", &rip }, { "cs", &cs },
	};

	if (cpu >= MAX_VCPUS) {
		fprintf(stderr, "lbr: more than %d CPUs\n", MAX_VCPUS);
		exit(1);
	}
	find_registers("lbr", wanted, sizeof(wanted) / sizeof(wanted[0]));
}

static void on_exit_of_qemu(void *data)
{
	unsigned int i;

	for (i = 0; debug && i < MAX_VCPUS; i++)
		if (vcpus[i].recorded)
			fprintf(stderr, "lbr: cpu%u recorded %" PRIu64 " branches\n", i,
				vcpus[i].recorded);
}

/* The number behind "NAME=", if that is what @arg is and the number one up to @max. */
static bool number_option(const char *arg, const char *name, unsigned int max, unsigned int *value)
{
	size_t length = strlen(name);
	unsigned long number;
	char *end;

	if (strncmp(arg, name, length) || arg[length] != '=')
		return false;
	number = strtoul(arg + length + 1, &end, 10);
	if (end == arg + length + 1 || *end || number > max)
		return false;
	*value = number;
	return true;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	int i;

	if (strcmp(info->target_name, "x86_64") || !info->system_emulation) {
		fprintf(stderr, "lbr: for qemu-system-x86_64 only\n");
		return -1;
	}
	for (i = 0; i < argc; i++) {
		if (number_option(argv[i], "depth", MAX_DEPTH, &depth) ||
		    number_option(argv[i], "fmt", 5, &format))
			continue;
		if (strcmp(argv[i], "debug=on")) {
			fprintf(stderr,
				"lbr: there is no option %s; there are depth=N, up to %d, "
				"fmt=3, 4 or 5, debug=on\n",
				argv[i], MAX_DEPTH);
			return -1;
		}
		debug = true;
	}
	if (!depth || depth & (depth - 1)) {
		fprintf(stderr, "lbr: depth has to be a power of two\n");
		return -1;
	}
	switch (format) {
	case 3:		/* mispredicted */
		from_flags = 1ull << 63;
		break;
	case 4:		/* mispredicted, in a transaction, aborted one */
		from_flags = 7ull << 61;
		break;
	case 5:		/* all that is in LBR_INFO */
		break;
	default:
		fprintf(stderr, "lbr: fmt has to be 3, 4 or 5\n");
		return -1;
	}

	scoreboard = qemu_plugin_scoreboard_new(sizeof(struct fast));
	want_kernel = (qemu_plugin_u64){ scoreboard, offsetof(struct fast, want_kernel) };
	want_user = (qemu_plugin_u64){ scoreboard, offsetof(struct fast, want_user) };
	pending = (qemu_plugin_u64){ scoreboard, offsetof(struct fast, pending) };
	qemu_plugin_register_vcpu_init_cb(id, on_new_vcpu, NULL);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation, NULL);
	qemu_plugin_register_vcpu_discon_cb(
		id, QEMU_PLUGIN_DISCON_INTERRUPT | QEMU_PLUGIN_DISCON_EXCEPTION, on_discontinuity,
		NULL);
	qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
	return 0;
}
