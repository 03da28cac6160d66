// SPDX-License-Identifier: BSD-2-Clause
/* The reader of recordings. */
#include "util/trace/record/recording_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/report.h"
#include "util/kernel/machine/cgroup_names.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/types/btf.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/trace/record/recording_code.h"
#include "util/trace/session/assembler.h"

/*
 * Inserting symbols takes time in proportion to their number. A recording of days needs a
 * fraction of this limit; a file beyond it was made to take long.
 */
#define MAX_SYMBOL_WORK (1ull << 31)

struct recording {
	struct chunk_reader chunks;
	const char *name;
	struct recording_meta meta;
	bool has_meta;
	struct recording_strings strings;
	struct kernel_btf *btf;
	size_t btf_bytes;
	uint32_t nr_btfs;
	struct plan *plan;
	struct attached attached;
	struct symbols *symbols;
	struct recorded_code code;
	struct cgroup_names cgroups;
	size_t symbol_bytes;
	uint64_t symbol_work;
	struct assembler *assembler;
	const uint8_t *events;		/* the rest of the current chunk */
	size_t events_left;
	uint64_t bad_records;
	struct recording_state state;	/* so far */
};

const struct recording_meta *recording_meta(const struct recording *r)
{
	return &r->meta;
}

const struct plan *recording_plan(const struct recording *r)
{
	return r->plan;
}

const struct attached *recording_attached(const struct recording *r)
{
	return &r->attached;
}

struct symbols *recording_symbols(struct recording *r)
{
	return r->symbols;
}

struct code_source recording_code(struct recording *r)
{
	return (struct code_source){ recorded_code_read, &r->code };
}

struct cgroup_names *recording_cgroups(struct recording *r)
{
	return &r->cgroups;
}

static int take_meta(struct recording *r, const struct chunk *chunk)
{
	int err;

	if (r->has_meta)
		return -EBADMSG;
	err = recording_get_meta(chunk->data, chunk->size, &r->meta);
	r->has_meta = !err;
	return err;
}

static int take_btf(struct recording *r, const struct chunk *chunk)
{
	/* The plan refers only to BTFs before it. */
	if (r->plan || r->nr_btfs == RECORDING_MAX_BTFS)
		return -EBADMSG;
	r->nr_btfs++;
	return recording_get_btf(chunk->data, chunk->size, &r->btf, &r->btf_bytes);
}

static int take_plan(struct recording *r, const struct chunk *chunk)
{
	struct session_rules rules;
	int err;

	if (!r->has_meta || r->plan)
		return -EBADMSG;
	err = recording_get_plan(chunk->data, chunk->size, r->meta.error_rules.len, r->btf,
				 r->symbols, &r->strings, &r->plan, &r->attached);
	if (err)
		return err;
	rules = (struct session_rules){
		.plan = r->plan,
		.attached = &r->attached,
		.nr_probes = r->plan->probes ? r->plan->probes->v.len : 0,
		.trampoline = r->meta.trampoline,
		.trampoline_end = r->meta.trampoline_end,
	};
	r->assembler = assembler_new(&rules);
	return r->assembler ? 0 : -ENOMEM;
}

static int take_symbols(struct recording *r, const struct chunk *chunk)
{
	const struct symbol *all;
	size_t nr = symbols_all(r->symbols, &all);

	r->symbol_work += nr + chunk->size / 32;
	r->symbol_bytes += chunk->size;
	if (nr > RECORDING_MAX_SYMBOLS || r->symbol_bytes > RECORDING_MAX_SYMBOL_BYTES ||
	    r->symbol_work > MAX_SYMBOL_WORK)
		return -EBADMSG;
	return recording_get_symbols(chunk->data, chunk->size, r->symbols);
}

static int take_events(struct recording *r, const struct chunk *chunk)
{
	if (!r->plan)
		return -EBADMSG;
	r->events = chunk->data;
	r->events_left = chunk->size;
	return 0;
}

/* 0; -EBADMSG it makes no sense; -ENOTSUP a necessary chunk of unknown kind; -ENOMEM. */
static int take_chunk(struct recording *r, const struct chunk *chunk)
{
	switch (chunk->kind) {
	case CHUNK_META:
		return take_meta(r, chunk);
	case CHUNK_BTF:
		return take_btf(r, chunk);
	case CHUNK_PLAN:
		return take_plan(r, chunk);
	case CHUNK_FUNCS:
		if (!r->plan)
			return -EBADMSG;
		return recording_get_funcs(chunk->data, chunk->size, r->meta.error_rules.len,
					   &r->strings, r->plan, &r->attached);
	case CHUNK_MODULES:
		return recording_get_modules(chunk->data, chunk->size, &r->meta.kernel);
	case CHUNK_SYMBOLS:
		return take_symbols(r, chunk);
	case CHUNK_CODE:
		return recording_get_code(chunk->data, chunk->size, &r->code);
	case CHUNK_CGROUPS:
		return recording_get_cgroups(chunk->data, chunk->size, &r->cgroups);
	case CHUNK_CLOCK:
		return recording_get_clock(chunk->data, chunk->size, &r->meta.clock);
	case CHUNK_EVENTS:
		return take_events(r, chunk);
	case CHUNK_LEDGER:
		r->state.has_ledger = true;
		return recording_get_ledger(chunk->data, chunk->size, &r->state.ledger,
					    &r->state.dropped);
	case CHUNK_END:
		r->state.ended = true;
		return 0;
	default:
		/* A chunk of a newer retsnoop; it is skipped unless it is necessary. */
		return chunk->flags & CHUNK_NECESSARY ? -ENOTSUP : 0;
	}
}

/*
 * Read up to the next events. 1; 0 there are none; -ENOMEM (reported). Broken chunks that later
 * ones do not need are skipped.
 */
static int find_events(struct recording *r)
{
	struct chunk chunk;
	int err;

	while (!r->events_left) {
		err = chunk_read(&r->chunks, &chunk);
		if (err <= 0)
			return err;
		err = take_chunk(r, &chunk);
		if (err == -EBADMSG || err == -E2BIG)
			r->state.skipped++;
		else if (err == -ENOTSUP)
			r->state.unknown++;
		else if (err)
			return report_oom();
	}
	return 1;
}

/* Report what is missing, if nothing can be shown. */
static int check_complete(struct recording *r)
{
	if (r->has_meta && r->plan)
		return 0;
	if (r->chunks.damage == DAMAGE_UNREADABLE)
		return report(-EIO, "cannot read %s: %s", r->name, strerror(r->chunks.err));
	if (r->state.unknown)
		return report(-ENOTSUP, "%s has parts that this retsnoop does not know; a newer one "
			      "will read it", r->name);
	if (r->chunks.damage || r->chunks.skipped || r->state.skipped)
		return report(-EBADMSG, "%s is damaged in its header: nothing can be shown", r->name);
	return report(-EBADMSG, "%s ends within its header: nothing can be shown", r->name);
}

int recording_open(FILE *file, const char *name, struct recording **ret_recording)
{
	struct recording *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return report_oom();
	r->name = name;
	r->cgroups.renewed = true;
	r->symbols = symbols_new();
	err = r->symbols ? chunk_reader_begin(&r->chunks, file, name) : report_oom();
	if (!err)
		err = find_events(r);
	if (err >= 0)
		err = check_complete(r);
	if (err) {
		recording_free(r);
		return err;
	}
	*ret_recording = r;
	return 0;
}

/* The next record of the current chunk; NULL: none, or the rest makes no sense and is skipped. */
static const void *next_record(struct recording *r, size_t *ret_size)
{
	struct event_header header;
	const uint8_t *record = r->events;
	size_t step;

	if (r->events_left >= sizeof(header)) {
		memcpy(&header, record, sizeof(header));
		step = ((size_t)header.size + 7) & ~(size_t)7;
		if (header.size >= sizeof(header) && step <= r->events_left) {
			r->events += step;
			r->events_left -= step;
			*ret_size = header.size;
			return record;
		}
	}
	r->events_left = 0;
	r->bad_records++;
	return NULL;
}

int recording_next(struct recording *r, struct session **ret_session)
{
	const void *record;
	size_t size;
	int err;

	for (;;) {
		err = find_events(r);
		if (err <= 0)
			return err;
		record = next_record(r, &size);
		if (!record)
			continue;
		err = assembler_feed(r->assembler, record, size, ret_session);
		if (err == -EBADMSG)
			r->bad_records++;
		else if (err)
			return report_oom();
		if (*ret_session) {
			r->state.sessions = (*ret_session)->number;
			return 1;
		}
	}
}

void recording_state(const struct recording *r, struct recording_state *ret_state)
{
	struct recording_state *state = ret_state;

	*state = r->state;
	state->damage = r->chunks.damage;
	state->offset = r->chunks.offset;
	state->skipped += r->chunks.skipped;
	state->ledger.bad_records = r->bad_records;
	state->ledger.orphans = assembler_orphans(r->assembler);
	state->ledger.calls_let_go = assembler_calls_let_go(r->assembler);
	state->ledger.shown = 0;
}

void recording_free(struct recording *r)
{
	if (!r)
		return;
	assembler_free(r->assembler);
	attached_release(&r->attached);
	if (r->plan)
		plan_free(r->plan);
	kernel_btf_free(r->btf);
	symbols_free(r->symbols);
	recorded_code_release(&r->code);
	cgroup_names_release(&r->cgroups);
	recording_strings_release(&r->strings);
	recording_meta_release(&r->meta);
	chunk_reader_release(&r->chunks);
	free(r);
}
