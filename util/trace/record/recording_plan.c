// SPDX-License-Identifier: BSD-2-Clause
/* PLAN chunks: functions with their captured arguments, refusals, probes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/report.h"
#include "util/plan/args/args.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/trace/record/recording.h"
#include "util/trace/record/recording_format.h"
#include "util/trace/record/wire.h"

_Static_assert(RETURN_UNKNOWN == 0 && RETURN_VOID == 1 && RETURN_POINTER == 2 && RETURN_BOOL == 3 &&
		       RETURN_INT32 == 4 && RETURN_INT64 == 5 && RETURN_UNSIGNED32 == 6 &&
		       RETURN_UNSIGNED64 == 7 && RETURN_NARROW == 8 && RETURN_STRUCT == 9 &&
		       RETURN_UNSIGNED8 == 10 && RETURN_UNSIGNED16 == 11 && RETURN_INT8 == 12 &&
		       RETURN_INT16 == 13,
	       "return_kind is a file format");
_Static_assert(RUNG_FSESSION_MULTI == 0 && RUNG_KPROBE_SESSION == 1 && RUNG_KPROBE_MULTI == 2 &&
		       RUNG_FENTRY == 3 && RUNG_KPROBE == 4,
	       "rung is a file format");
_Static_assert(REFUSED_NOT_TRACEABLE == 0 && REFUSED_BLACKLISTED == 1 && REFUSED_DENIED == 2 &&
		       REFUSED_ATTACH == 3,
	       "refusal is a file format");

#define FUNC_ENTRY (1 << 0)
#define FUNC_ARGS (1 << 1)	/* its arguments are captured */

#define REFUSAL_ENTRY (1 << 0)
#define REFUSAL_EXACT (1 << 1)

/* Stands for RUNG_AUTO, no rung, even if rungs are added. */
#define NO_RUNG 0xff

static void put_func(struct strbuf *sb, const struct plan_func *func, enum rung rung, bool has_args)
{
	wire_put_u64(sb, func->addr);
	wire_put_u64(sb, func->size);
	wire_put_string(sb, func->name);
	wire_put_string(sb, func->module);
	wire_put_u8(sb, (func->entry ? FUNC_ENTRY : 0) | (has_args ? FUNC_ARGS : 0));
	wire_put_u8(sb, func->returns);
	wire_put_u8(sb, func->rule);
	wire_put_u8(sb, rung < NR_RUNGS ? rung : NO_RUNG);
}

static void put_refusal(struct strbuf *sb, const struct plan_refusal *refusal)
{
	size_t item = wire_begin_item(sb);

	wire_put_string(sb, refusal->name);
	wire_put_string(sb, refusal->module);
	wire_put_u8(sb, refusal->why);
	wire_put_u8(sb, (refusal->entry ? REFUSAL_ENTRY : 0) |
				(refusal->exact ? REFUSAL_EXACT : 0));
	wire_put_u32(sb, -refusal->err);
	wire_end_item(sb, item);
}

int recording_put_plan(struct strbuf *sb, const struct plan *plan, const struct attached *attached,
		       struct kernel_btf *btf, struct btf_subset *types)
{
	size_t nr_probes = plan->probes ? plan->probes->v.len : 0, item;
	size_t nr_funcs = plan->funcs.len - plan->nr_more;
	int err = 0;

	/* Those after them: recording_put_funcs(). */
	wire_put_u32(sb, nr_funcs);
	for (size_t i = 0; i < nr_funcs && !err; i++) {
		bool has_args = plan->args;

		item = wire_begin_item(sb);
		put_func(sb, &plan->funcs.data[i], attached->rungs[i], has_args);
		if (has_args)
			err = recording_put_args(sb, &plan->args[i], btf, types);
		wire_end_item(sb, item);
	}
	wire_put_u32(sb, plan->nr_entries);
	wire_put_u32(sb, plan->refused.len + attached->refused.len);
	vec_foreach(refusal, &plan->refused)
		put_refusal(sb, refusal);
	vec_foreach(refusal, &attached->refused)
		put_refusal(sb, refusal);
	wire_put_u32(sb, nr_probes);
	for (size_t i = 0; i < nr_probes && !err; i++) {
		item = wire_begin_item(sb);
		err = recording_put_probe(sb, &plan->probes->v.data[i], btf, types);
		wire_end_item(sb, item);
	}
	if (sb->failed)
		return report_oom();
	return err;
}

/* Shared by the functions that read a plan. */
struct plan_reader {
	size_t nr_rules;
	struct kernel_btf *btf;
	struct symbols *symbols;
	struct recording_strings *strings;
	struct plan *plan;
	bool is_plan;		/* PLAN, not FUNCS */
	struct attached attached;
	VEC(enum rung) rungs;
};

static int get_func(struct plan_reader *r, struct wire *wire, size_t id, size_t nr)
{
	struct plan_func func = {
		.addr = wire_get_u64(wire),
		.size = wire_get_u64(wire),
		.name = recording_get_name(wire, r->strings),
		.module = recording_get_name(wire, r->strings),
	};
	uint8_t flags = wire_get_u8(wire), returns = wire_get_u8(wire), rung;

	func.entry = flags & FUNC_ENTRY;
	func.returns = returns;
	func.rule = wire_get_u8(wire);
	rung = wire_get_u8(wire);
	if (wire->bad || !func.name || returns >= NR_RETURN_KINDS || func.rule > r->nr_rules)
		return -EBADMSG;
	if (vec_push(&r->plan->funcs, func) ||
	    vec_push(&r->rungs, rung < NR_RUNGS ? (enum rung)rung : RUNG_AUTO))
		return -ENOMEM;
	if (!(flags & FUNC_ARGS))
		return 0;
	/* Only in PLAN, after the types. */
	if (!r->is_plan)
		return -EBADMSG;
	if (!r->plan->args)
		r->plan->args = calloc(nr, sizeof(*r->plan->args));
	if (!r->plan->args)
		return -ENOMEM;
	return recording_get_args(wire, r->btf, r->strings, &r->plan->args[id]);
}

static int get_funcs(struct plan_reader *r, struct wire *wire)
{
	uint32_t nr = wire_get_count(wire, 32);
	int err = 0;

	if (nr > RECORDING_MAX_FUNCS)
		return -EBADMSG;
	for (uint32_t i = 0; i < nr && !err; i++) {
		struct wire item = wire_get_item(wire);

		err = get_func(r, &item, i, nr);
	}
	if (err)
		return err;
	r->plan->nr_entries = wire_get_u32(wire);
	/* Entries come first. */
	if (r->plan->nr_entries > nr)
		return -EBADMSG;
	for (uint32_t i = 0; i < nr; i++) {
		if (r->plan->funcs.data[i].entry != (i < r->plan->nr_entries))
			return -EBADMSG;
	}
	return 0;
}

void recording_put_funcs(struct strbuf *sb, const struct plan *plan, const struct attached *attached,
			 uint32_t first)
{
	wire_put_u32(sb, first);
	wire_put_u32(sb, plan->funcs.len - first);
	for (size_t i = first; i < plan->funcs.len; i++) {
		size_t item = wire_begin_item(sb);

		put_func(sb, &plan->funcs.data[i], attached->rungs[i], false);
		wire_end_item(sb, item);
	}
}

/* Room for @nr more functions, in each array that functions index. */
static int grow(struct plan_reader *r, uint32_t nr)
{
	struct plan *plan = r->plan;
	size_t all = plan->funcs.len + nr;
	struct func_args *args;

	if (vec_reserve(&plan->funcs, all) || vec_reserve(&r->rungs, all))
		return -ENOMEM;
	if (!plan->args)
		return 0;
	args = reallocarray(plan->args, all, sizeof(*args));
	if (!args)
		return -ENOMEM;
	memset(args + plan->funcs.len, 0, nr * sizeof(*args));
	plan->args = args;
	return 0;
}

int recording_get_funcs(const void *data, size_t size, size_t nr_rules,
			struct recording_strings *strings, struct plan *plan,
			struct attached *attached)
{
	struct plan_reader r = { .nr_rules = nr_rules, .strings = strings, .plan = plan };
	size_t before = plan->funcs.len;
	struct wire wire = wire_of(data, size);
	uint32_t first = wire_get_u32(&wire), nr = wire_get_count(&wire, 32);
	int err;

	/* Without those before them, they would have others' numbers. */
	if (wire.bad || first != before || nr > RECORDING_MAX_FUNCS - before)
		return -EBADMSG;
	r.rungs.data = attached->rungs;
	r.rungs.len = r.rungs.cap = before;
	err = grow(&r, nr);
	attached->rungs = r.rungs.data;
	for (uint32_t i = 0; i < nr && !err; i++) {
		struct wire item = wire_get_item(&wire);

		err = get_func(&r, &item, before + i, nr);
		if (!err && item.bad)
			err = -EBADMSG;
	}
	/* All or none, so that functions keep their numbers. */
	if (err)
		plan->funcs.len = before;
	else
		plan->nr_more += nr;
	return err;
}

static int get_refusals(struct plan_reader *r, struct wire *wire)
{
	uint32_t nr = wire_get_count(wire, 14);

	for (uint32_t i = 0; i < nr && !wire->bad; i++) {
		struct wire item = wire_get_item(wire);
		struct plan_refusal refusal = {
			.name = recording_get_name(&item, r->strings),
			.module = recording_get_name(&item, r->strings),
		};
		uint8_t why = wire_get_u8(&item), flags = wire_get_u8(&item);
		uint32_t err = wire_get_u32(&item);

		refusal.why = why;
		refusal.entry = flags & REFUSAL_ENTRY;
		refusal.exact = flags & REFUSAL_EXACT;
		refusal.err = err < 4096 ? -(int)err : 0;
		if (item.bad || !refusal.name || why > REFUSED_ATTACH)
			return -EBADMSG;
		if (why == REFUSED_ATTACH ? vec_push(&r->attached.refused, refusal) :
					    vec_push(&r->plan->refused, refusal))
			return -ENOMEM;
	}
	return wire->bad ? -EBADMSG : 0;
}

static int get_probes(struct plan_reader *r, struct wire *wire)
{
	uint32_t nr = wire_get_count(wire, 16);
	struct probes *probes;
	int err = 0;

	if (!nr || nr > RECORDING_MAX_PROBES)
		return nr || wire->bad ? -EBADMSG : 0;
	probes = calloc(1, sizeof(*probes));
	if (!probes)
		return -ENOMEM;
	r->plan->probes = probes;
	probes->btf = r->btf;
	for (uint32_t i = 0; i < nr && !err; i++) {
		struct wire item = wire_get_item(wire);
		struct probe probe;

		err = recording_get_probe(&item, r->btf, r->symbols, r->strings, &probe);
		if (!err && vec_push(&probes->v, probe)) {
			probe_release(&probe);
			err = -ENOMEM;
		}
	}
	return err;
}

int recording_get_plan(const void *data, size_t size, size_t nr_rules, struct kernel_btf *btf,
		       struct symbols *symbols, struct recording_strings *strings,
		       struct plan **ret_plan, struct attached *ret_attached)
{
	struct plan_reader r = {
		.nr_rules = nr_rules,
		.btf = btf,
		.symbols = symbols,
		.strings = strings,
		.plan = calloc(1, sizeof(*r.plan)),
		.is_plan = true,
	};
	struct wire wire = wire_of(data, size);
	int err;

	if (!r.plan)
		return -ENOMEM;
	err = get_funcs(&r, &wire);
	err = err ?: get_refusals(&r, &wire);
	err = err ?: get_probes(&r, &wire);
	r.attached.rungs = r.rungs.data;
	if (err) {
		attached_release(&r.attached);
		plan_free(r.plan);
		return err;
	}
	*ret_plan = r.plan;
	*ret_attached = r.attached;
	return 0;
}
