// SPDX-License-Identifier: BSD-2-Clause
/* From facts about a kernel's preempt count to the bits that tell contexts apart. */
#include "util/trace/attach/contexts.h"

#include <bpf/btf.h>
#include <string.h>
#include <sys/utsname.h>

#include "util/base/report.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/types/btf_types.h"

/* include/linux/preempt.h */
#define SOFTIRQ_OFFSET 0x00000100	/* bits 8 to 15, always */
#define HARDIRQ_OFFSET_5_10 0x00010000
#define HARDIRQ_OFFSET_7_3 0x01000000	/* bits 16 to 23 count how often interrupts were disabled */

/*
 * Each layout is recognised by facts of its own, so an unknown layout is not mistaken for the
 * older one.
 */
uint32_t contexts_hardirq(const struct context_facts *facts)
{
	bool old_variable = facts->bytes == 4, no_variables = facts->typed && !facts->bytes;

	if (!facts->found)
		return 0;
	if (facts->seen_hardirq)
		return facts->seen_hardirq;
	if (facts->counts_disabling)
		return old_variable ? 0 : HARDIRQ_OFFSET_7_3;
	return old_variable || no_variables ? HARDIRQ_OFFSET_5_10 : 0;
}

void contexts_choose(const struct context_facts *facts, struct contexts *ret)
{
	uint32_t hardirq = contexts_hardirq(facts);

	ret->bits = (struct config_contexts){};
	ret->told = !facts->found ? CONTEXTS_UNKNOWN_PLACE : CONTEXTS_UNKNOWN_LAYOUT;
	if (!hardirq)
		return;
	/*
	 * Four bits count hardirqs; the bits above them count NMIs. The count's top bit may have
	 * another meaning.
	 */
	ret->bits.softirq = SOFTIRQ_OFFSET;
	ret->bits.hardirqs = hardirq * 0xf;
	ret->bits.nmis = hardirq * 0x70;
	ret->bits.any = ret->bits.softirq | ret->bits.hardirqs | ret->bits.nmis;
	ret->bits.breakpoint = hardirq * 0x11;
	/*
	 * On PREEMPT_RT, softirqs are counted in a member of the task, which can be found only
	 * with types.
	 */
	ret->told = facts->realtime && !facts->typed ? CONTEXTS_NO_SOFTIRQS : CONTEXTS_TOLD;
}

const char *contexts_problem(enum contexts_told told)
{
	static const char *const problems[] = {
		[CONTEXTS_NO_SOFTIRQS] =
			"softirqs are not told from tasks: this PREEMPT_RT kernel has no BTF",
		[CONTEXTS_UNKNOWN_LAYOUT] =
			"interrupts are not told from tasks: the preempt count has an unknown layout",
		[CONTEXTS_UNKNOWN_PLACE] =
			"interrupts are not told from tasks: the preempt count was not found",
	};

	return problems[told];
}

const char *contexts_effect(enum contexts_told told)
{
	if (told == CONTEXTS_TOLD)
		return NULL;
	return told == CONTEXTS_NO_SOFTIRQS ?
		       "calls in softirqs are shown as calls of the task that runs them" :
		       "calls in interrupts are shown as calls of the task that they interrupted";
}

void contexts_warn(const struct contexts *contexts)
{
	if (contexts->told != CONTEXTS_TOLD)
		warning("%s; %s", contexts_problem(contexts->told),
			contexts_effect(contexts->told));
}

/* @member	the variable's member that is the count; NULL: the variable is the count */
static bool read_variable(const struct btf *btf, const char *name, const char *member,
			  struct preempt_count *count, uint32_t *ret_bytes)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_VAR);
	struct btf_place place = {};

	if (id < 0)
		return false;
	place.type = btf__type_by_id(btf, id)->type;
	if (member && !btf_find_member(btf, place.type, member, &place))
		return false;
	count->var = id;
	count->offset = place.bit_offset / 8;
	*ret_bytes = btf_size_of(btf, place.type);
	return true;
}

/* In task_struct's thread_info. */
static bool find_in_task(const struct btf *btf, struct preempt_count *count)
{
	struct btf_place info = {}, preempt = {}, place = {};
	int id = btf__find_by_name_kind(btf, "task_struct", BTF_KIND_STRUCT);

	if (id < 0 || !btf_find_member(btf, id, "thread_info", &info))
		return false;
	/* On arm64 the count is in a nested struct, on riscv it is not. */
	if (btf_find_member(btf, info.type, "preempt", &preempt)) {
		if (!btf_find_member(btf, preempt.type, "count", &place))
			return false;
	} else if (!btf_find_member(btf, info.type, "preempt_count", &place)) {
		return false;
	}
	count->in_task = true;
	count->addr = (info.bit_offset + preempt.bit_offset + place.bit_offset) / 8;
	return true;
}

/* Search in the same places as BPF (bpf/arch). */
static bool find_variable(const struct btf *btf, struct preempt_count *count, uint32_t *ret_bytes)
{
	return read_variable(btf, "__preempt_count", NULL, count, ret_bytes) ||
	       read_variable(btf, "pcpu_hot", "preempt_count", count, ret_bytes);
}

static bool is_realtime(void)
{
	struct utsname names;

	return !uname(&names) && strstr(names.version, "PREEMPT_RT");
}

static void read_facts(const struct btf *btf, bool has_ids, const struct symbols *symbols,
		       struct preempt_count *count, struct context_facts *facts)
{
	const struct symbol *const *named;
	uint64_t per_cpu_offsets = 0, addr = 0;

	*count = (struct preempt_count){};
	*facts = (struct context_facts){ .typed = btf, .realtime = is_realtime() };
	if (btf) {
		if (arch_native->preempt_count_in_task)
			find_in_task(btf, count);
		else
			find_variable(btf, count, &facts->bytes);
		facts->counts_disabling = btf__find_by_name_kind(btf, "local_interrupt_disable_state",
								 BTF_KIND_VAR) > 0;
	}
	if (symbols)
		symbols_per_cpu(symbols, &per_cpu_offsets, &addr);
	/* The verifier looks a variable's address up by its name: without CONFIG_KALLSYMS_ALL it finds none. */
	if (!has_ids || (symbols && !addr))
		count->var = count->offset = 0;
	if (!count->var && addr && !arch_native->preempt_count_in_task) {
		count->per_cpu_offsets = per_cpu_offsets;
		count->addr = addr;
	}
	if (symbols && !btf)
		facts->counts_disabling = symbols_named(symbols, "_local_interrupt_enable", &named);
	facts->found = count->var || count->per_cpu_offsets || count->in_task;
}

/* Try the possible places: only at the right one does a timer interrupt add a hardirq. */
static void try_places(struct preempt_count *count, struct context_facts *facts)
{
	for (size_t i = 0; i < ARRAY_SIZE(arch_native->preempt_count_places); i++) {
		struct preempt_count place = {
			.in_task = true,
			.addr = arch_native->preempt_count_places[i],
		};
		int64_t seen = place.addr ? contexts_try(&place) : 0;

		if (seen > 0) {
			*count = place;
			facts->found = true;
			facts->seen_hardirq = seen;
			return;
		}
	}
}

void contexts_find(const struct btf *btf, bool has_ids, const struct symbols *symbols, struct contexts *ret)
{
	struct context_facts facts;
	int64_t seen;

	read_facts(btf, has_ids, symbols, &ret->count, &facts);
	if (!facts.found)
		try_places(&ret->count, &facts);
	if (facts.found && !contexts_hardirq(&facts)) {
		seen = contexts_try(&ret->count);
		facts.seen_hardirq = seen > 0 ? seen : 0;
	}
	contexts_choose(&facts, ret);
	if (!arch_native->breakpoint_is_nmi)
		ret->bits.breakpoint = 0;
}
