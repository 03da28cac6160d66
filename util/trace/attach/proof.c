// SPDX-License-Identifier: BSD-2-Clause
/* From hits to a verdict. */
#include "util/trace/attach/proof.h"

#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"

/* The hits of a complete round, in order. */
enum { OUTER_ENTRY, INNER_ENTRY, INNER_RETURN, OUTER_RETURN, NR_HITS };

static const enum proof_func func_of[NR_HITS] = {
	[OUTER_ENTRY] = PROOF_OUTER,
	[INNER_ENTRY] = PROOF_INNER,
	[INNER_RETURN] = PROOF_INNER,
	[OUTER_RETURN] = PROOF_OUTER,
};

/* Ways to compute the entry's stack pointer at a return, best first. */
static const struct way {
	bool by_context, by_frame;
	uint32_t delta;
} ways[] = {
	/*
	 * arm64 and riscv64, where fprobe writes no stack pointer at returns. It comes first: if stacks begin at the
	 * same place in each system call, the unwritten one has the right value in every round.
	 */
	{ .by_frame = true },
	{ .delta = 8 }, /* x86 up to 6.13, and 6.18.13 on: the return instruction popped 8 bytes */
	{ .delta = 0 }, /* trampolines; architectures with the return address in a register */
	{ .by_context = true, .delta = 8 }, /* 6.14 to 6.17 */
	{ .by_context = true, .delta = 0 }, /* 6.18 to 6.18.12 */
};

#define NR_WAYS (ARRAY_SIZE(ways))

/* A call's stack pointer at its entry, computed in this way. */
static uint64_t call_sp(const struct proof_hit *hit, const struct way *way)
{
	return way->by_frame ? hit->frame : hit->sp;
}

static uint64_t entry_sp(const struct proof_rules *rules, const struct proof_hit *hit,
			 const struct way *way)
{
	if (way->by_frame)
		return hit->frame;
	return (way->by_context ? hit->context + arch_registers_size(rules->arch) : hit->sp) -
	       way->delta;
}

/* Findings that hold in every round so far. */
struct findings {
	uint32_t ways; /* bit per way that gives the right stack pointer */
	bool stacks_at_return, stacks_at_entry, callers_by_link;
	bool unknown_hook;
};

static bool is_in_caller(const struct proof_rules *rules, uint64_t return_address)
{
	return find_first(caller, rules->callers, rules->nr_callers,
			  return_address > caller->start && return_address <= caller->end);
}

static bool is_return_hook(const struct proof_rules *rules, uint64_t address)
{
	for (int i = 0; i < CONFIG_RETURN_HOOKS; i++) {
		if (address && address == rules->return_hooks[i])
			return true;
	}
	return false;
}

static uint32_t nr_ips(const struct proof_hit *hit)
{
	uint64_t nr = hit->stack_bytes > 0 ? (uint64_t)hit->stack_bytes / sizeof(hit->ips[0]) : 0;

	return nr < PROOF_IPS ? nr : PROOF_IPS;
}

static bool has_caller(const struct proof_rules *rules, const struct proof_hit *hit)
{
	for (uint32_t i = 0; i < nr_ips(hit); i++) {
		if (is_in_caller(rules, hit->ips[i]))
			return true;
	}
	return false;
}

static bool end_alike(const struct proof_hit *a, const struct proof_hit *b)
{
	uint32_t nr_a = nr_ips(a), nr_b = nr_ips(b);

	return nr_a && nr_b && a->ips[nr_a - 1] == b->ips[nr_b - 1];
}

/* Describes a round with missing hits. */
static const char *what_is_missing(const struct proof_hits *seen)
{
	uint32_t entries = 0;

	for (uint64_t i = 0; i < seen->nr; i++)
		entries += !seen->hits[i].at_return;
	if (!seen->nr)
		return "it sees no calls";
	return entries == NR_PROOF_FUNCS ? "it misses returns" : "it misses calls";
}

static const char *check_order(const struct proof_rules *rules, const struct proof_hits *seen)
{
	if (seen->nr > NR_HITS)
		return "it reports one call several times";
	for (int i = 0; i < NR_HITS; i++) {
		const struct proof_hit *hit = &seen->hits[i];
		enum proof_func func = func_of[i];
		bool at_return = i >= INNER_RETURN;

		if (hit->at_return != at_return)
			return "it reports calls and returns in the wrong order";
		if (!rules->by_address && hit->func != func)
			return "it reports the wrong function";
		if (rules->by_address && !at_return &&
		    hit->ip - rules->ip_offset != rules->addrs[func])
			return "it reports the wrong function";
		if (rules->keeps && at_return && hit->kept != PROOF_KEPT + func)
			return "it does not show which call a return belongs to";
	}
	return NULL;
}

static bool way_exists(const struct proof_rules *rules, const struct way *way)
{
	if (way->by_context)
		return rules->by_context && rules->arch->registers_on_stack;
	return !way->by_frame || (rules->by_context && rules->arch->frame);
}

static const char *check_stack_pointers(const struct proof_rules *rules,
					const struct proof_hit *hits, struct findings *found)
{
	if (hits[INNER_ENTRY].sp >= hits[OUTER_ENTRY].sp)
		return "its stack pointers at entries are wrong";
	if (!rules->trampoline && rules->arch->return_address_size &&
	    !is_in_caller(rules, hits[INNER_ENTRY].word) &&
	    !is_return_hook(rules, hits[INNER_ENTRY].word))
		return "its stack pointers at entries are wrong";
	for (size_t i = 0; i < NR_WAYS; i++) {
		uint64_t inner = call_sp(&hits[INNER_ENTRY], &ways[i]);
		uint64_t outer = call_sp(&hits[OUTER_ENTRY], &ways[i]);
		bool fits = entry_sp(rules, &hits[INNER_RETURN], &ways[i]) == inner &&
			    entry_sp(rules, &hits[OUTER_RETURN], &ways[i]) == outer &&
			    inner < outer;

		if (!fits || !way_exists(rules, &ways[i]))
			found->ways &= ~(1u << i);
	}
	return found->ways ? NULL : "it does not show which call a return belongs to";
}

static const char *check_stacks(const struct proof_rules *rules, const struct proof_hit *hits,
				struct findings *found)
{
	found->stacks_at_entry &= nr_ips(&hits[OUTER_ENTRY]) &&
				  has_caller(rules, &hits[INNER_ENTRY]);
	found->callers_by_link &= nr_ips(&hits[OUTER_ENTRY]) && nr_ips(&hits[INNER_ENTRY]) &&
				  rules->arch->link && !rules->trampoline &&
				  is_in_caller(rules, hits[INNER_ENTRY].link);
	found->stacks_at_return &= has_caller(rules, &hits[INNER_RETURN]) &&
				   end_alike(&hits[INNER_RETURN], &hits[OUTER_ENTRY]) &&
				   end_alike(&hits[OUTER_RETURN], &hits[OUTER_ENTRY]);
	return found->stacks_at_entry || found->stacks_at_return || found->callers_by_link ?
		       NULL :
		       "its kernel stacks lack the caller";
}

static const char *check_round(const struct proof_rules *rules, const struct proof_round *round,
			       struct findings *found)
{
	const struct proof_hit *hits = round->seen.hits;
	const char *wrong = check_order(rules, &round->seen);

	if (wrong)
		return wrong;
	if (hits[INNER_RETURN].result != round->results[PROOF_INNER] ||
	    hits[OUTER_RETURN].result != round->results[PROOF_OUTER])
		return "it reports wrong results";
	if (!rules->trampoline && rules->return_hooks[0])
		found->unknown_hook |= !is_return_hook(rules, hits[INNER_ENTRY].outer_word);
	wrong = check_stack_pointers(rules, hits, found);
	return wrong ?: check_stacks(rules, hits, found);
}

void proof_expect(const struct arch *arch, bool trampoline, struct proof *ret_proof)
{
	*ret_proof = (struct proof){ .sp_delta = trampoline ? 0 : arch->return_address_size };
}

void proof_judge(const struct proof_rules *rules, const struct proof_round *rounds, size_t nr,
		 struct proof *ret_proof)
{
	struct findings found = {
		.ways = (1u << NR_WAYS) - 1,
		.stacks_at_return = true,
		.stacks_at_entry = true,
		.callers_by_link = true,
	};
	const char *missing = NULL, *wrong = NULL;
	size_t whole = 0, way = 0;

	for (size_t i = 0; i < nr && !wrong; i++) {
		if (rounds[i].seen.nr < NR_HITS) {
			missing = what_is_missing(&rounds[i].seen);
			continue;
		}
		whole++;
		wrong = check_round(rules, &rounds[i], &found);
	}
	if (!whole)
		wrong = missing;
	if (wrong) {
		*ret_proof = (struct proof){ .verdict = PROOF_WRONG, .why = wrong };
		return;
	}
	while (!(found.ways & 1u << way))
		way++;
	*ret_proof = (struct proof){
		.verdict = PROOF_WORKS,
		.sp_by_context = ways[way].by_context,
		.sp_by_frame = ways[way].by_frame,
		.sp_delta = ways[way].delta,
		.stacks_at_entry = !found.stacks_at_return,
		.callers_by_link = !found.stacks_at_return && !found.stacks_at_entry,
		.unknown_hook = found.unknown_hook,
	};
}

void proof_add_adaptations(struct strbuf *sb, const struct proof *proof)
{
	const char *const done[] = {
		proof->sp_by_context || proof->sp_by_frame ?
			"works around a wrong stack pointer at returns" :
			NULL,
		proof->callers_by_link ? "takes stacks at entries, and callers from a register" :
		proof->stacks_at_entry ? "takes stacks at entries" :
					 NULL,
		proof->unknown_hook ? "notices lost returns late" : NULL,
	};
	bool first = true;

	for (size_t i = 0; i < ARRAY_SIZE(done); i++) {
		if (!done[i])
			continue;
		strbuf_addf(sb, "%s%s", first ? "" : ", ", done[i]);
		first = false;
	}
}
