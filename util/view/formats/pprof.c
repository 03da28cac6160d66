// SPDX-License-Identifier: BSD-2-Clause
/* Sessions as a profile for pprof. */
#include "util/view/formats/pprof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/gzip.h"
#include "util/base/report.h"
#include "util/base/strmap.h"
#include "util/base/text/quote.h"
#include "util/base/wall_clock.h"
#include "util/explain/stack_rows.h"
#include "util/kernel/symbols/recorded_kernel.h"
#include "util/kernel/symbols/symbols.h"
#include "util/plan/plan.h"
#include "util/trace/session/outcome.h"
#include "util/trace/session/session.h"
#include "util/view/lists/summary_text.h"
#include "util/view/parts/output.h"
#include "util/view/parts/protobuf.h"
#include "util/view/session/origin.h"
#include "util/view/session/view.h"

/* The limit for all samples: a crafted recording could have any number of stacks. */
#define MAX_BYTES (256u << 20)

/* Fields of profile.proto. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION,
       PROFILE_STRING, PROFILE_TIME = 9, PROFILE_DURATION, PROFILE_PERIOD_TYPE, PROFILE_PERIOD,
       PROFILE_COMMENT, PROFILE_DEFAULT_TYPE };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_FILENAME = 5, MAPPING_BUILD_ID,
       MAPPING_FUNCTIONS, MAPPING_FILENAMES, MAPPING_LINES, MAPPING_INLINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILENAME };

/* Equal messages are written once. Each has a number, found by a text that identifies it. */
struct pool {
	VEC(char *) keys;	/* owned */
	struct strmap by_key;	/* index into keys */
};

struct sample {
	char *message;		/* locations and labels, as they are written; owned */
	size_t len;
	uint64_t failures, ns;
};

struct pprof_view {
	struct view view;
	struct strbuf profile;	/* mappings, locations, functions */
	struct strbuf message, inner, key;
	struct pool strings, functions, locations, mappings, stacks;
	VEC(struct sample) samples;	/* by number in stacks */
	VEC(uint64_t) ids;		/* scratch: a stack from the outermost */
	size_t bytes;
	struct sample others;		/* samples that had no room */
	int64_t begin_ns, end_ns;	/* since the epoch */
};

/* @ret_new	it was not there. The number, from 0; negative: out of memory */
static int64_t pool_number(struct pool *pool, const char *key, bool *ret_new)
{
	uint32_t *found = strmap_get(&pool->by_key, key);
	char *copy;

	*ret_new = !found;
	if (found)
		return *found;
	copy = strdup(key);
	if (!copy || vec_push(&pool->keys, copy)) {
		free(copy);
		return -ENOMEM;
	}
	return strmap_put(&pool->by_key, copy, pool->keys.len - 1) ? (int64_t)pool->keys.len - 1 :
								     -ENOMEM;
}

static void pool_release(struct pool *pool)
{
	vec_foreach(key, &pool->keys)
		free(*key);
	vec_release(&pool->keys);
	strmap_release(&pool->by_key);
}

/*
 * An index into the string table, in which "" is the first. Readers refuse a profile with a string
 * that is not UTF-8, and a name can be any bytes.
 */
static uint64_t string_of(struct pprof_view *self, const char *text)
{
	bool is_new;
	int64_t nr;

	strbuf_clear(&self->view.scratch);
	quote_name_add(&self->view.scratch, text);
	nr = pool_number(&self->strings, strbuf_str(&self->view.scratch), &is_new);
	self->profile.failed |= nr < 0 || self->view.scratch.failed;
	return nr < 0 ? 0 : nr;
}

static uint64_t function_of(struct pprof_view *self, const char *name, const char *file)
{
	struct strbuf *message = &self->inner;
	int64_t nr;
	bool is_new;

	strbuf_clear(&self->key);
	strbuf_addf(&self->key, "%s\n%s", name, file ?: "");
	nr = pool_number(&self->functions, strbuf_str(&self->key), &is_new);
	self->profile.failed |= nr < 0 || self->key.failed;
	if (nr >= 0 && is_new) {
		strbuf_clear(message);
		protobuf_number(message, FUNCTION_ID, nr + 1);
		protobuf_number(message, FUNCTION_NAME, string_of(self, name));
		protobuf_number(message, FUNCTION_SYSTEM_NAME, string_of(self, name));
		protobuf_number(message, FUNCTION_FILENAME, string_of(self, file ?: ""));
		protobuf_message(&self->profile, PROFILE_FUNCTION, message);
	}
	return nr + 1;
}

static uint64_t address_of(const struct symbols *symbols, const char *name)
{
	const struct symbol *const *named;

	return symbols && symbols_named(symbols, name, &named) ? named[0]->addr : 0;
}

static const struct build_id *build_id_of(const struct recorded_kernel *kernel, const char *name)
{
	const struct recorded_module *module;

	if (!kernel || !*name)
		return kernel ? &kernel->build_id : NULL;
	module = recorded_kernel_module(kernel, name);
	return module ? &module->build_id : NULL;
}

/* The mapping of the kernel's own code, or of a module's, with its build id. */
static uint64_t mapping_of(struct pprof_view *self, const char *module)
{
	const struct view_origin *origin = self->view.context->origin;
	const struct build_id *id;
	struct strbuf *message = &self->inner;
	bool is_new;
	int64_t nr;

	/* Kernels are loaded at random addresses: each recording has its own mappings. */
	strbuf_clear(&self->key);
	strbuf_addf(&self->key, "%u %s", origin ? origin->number : 0, module ?: "");
	nr = pool_number(&self->mappings, strbuf_str(&self->key), &is_new);
	self->profile.failed |= nr < 0 || self->key.failed;
	if (nr < 0 || !is_new)
		return nr + 1;
	id = build_id_of(origin ? origin->kernel : NULL, module ?: "");
	strbuf_clear(&self->key);
	for (size_t i = 0; id && i < id->len; i++)
		strbuf_addf(&self->key, "%02x", id->bytes[i]);
	strbuf_clear(message);
	protobuf_number(message, MAPPING_ID, nr + 1);
	if (!module) {
		protobuf_number(message, MAPPING_START,
				address_of(self->view.context->explain.symbols, "_stext"));
		protobuf_number(message, MAPPING_LIMIT,
				address_of(self->view.context->explain.symbols, "_etext"));
	}
	protobuf_number(message, MAPPING_BUILD_ID, string_of(self, strbuf_str(&self->key)));
	strbuf_clear(&self->key);
	strbuf_addf(&self->key, module ? "[%s]" : "[kernel.kallsyms]", module);
	protobuf_number(message, MAPPING_FILENAME, string_of(self, strbuf_str(&self->key)));
	protobuf_number(message, MAPPING_FUNCTIONS, 1);
	protobuf_number(message, MAPPING_FILENAMES, 1);
	protobuf_number(message, MAPPING_LINES, 1);
	protobuf_number(message, MAPPING_INLINES, 1);
	protobuf_message(&self->profile, PROFILE_MAPPING, message);
	return nr + 1;
}

static void add_line(struct pprof_view *self, const char *name, const char *file, uint32_t line)
{
	uint64_t function = function_of(self, name, file);

	strbuf_clear(&self->inner);
	protobuf_number(&self->inner, LINE_FUNCTION, function);
	protobuf_number(&self->inner, LINE_LINE, line);
	protobuf_message(&self->message, LOCATION_LINE, &self->inner);
}

/* One row of a stack; inlined calls are lines of it, innermost first. */
static uint64_t location_of(struct pprof_view *self, const struct places *places,
			    const struct stack_row *row)
{
	const struct place *place = &row->place;
	const struct source_frame *frames = place_frames(places, place);
	char address[20];
	uint64_t mapping;
	bool is_new;
	int64_t nr;

	snprintf(address, sizeof(address), "0x%" PRIx64, place->addr);
	strbuf_clear(&self->key);
	strbuf_addf(&self->key, "%u %s %s %s",
		    self->view.context->origin ? self->view.context->origin->number : 0, address,
		    place->module ?: "", place->name ?: "");
	nr = pool_number(&self->locations, strbuf_str(&self->key), &is_new);
	self->profile.failed |= nr < 0 || self->key.failed;
	if (nr < 0 || !is_new)
		return nr + 1;
	mapping = mapping_of(self, place->module);
	strbuf_clear(&self->message);
	protobuf_number(&self->message, LOCATION_ID, nr + 1);
	protobuf_number(&self->message, LOCATION_MAPPING, mapping);
	protobuf_number(&self->message, LOCATION_ADDRESS, place->addr);
	for (uint32_t i = 0; i < place->nr_sources; i++) {
		bool outermost = i + 1 == place->nr_sources;

		add_line(self, (outermost ? place->name : NULL) ?: frames[i].function ?: "?",
			 frames[i].file, frames[i].line);
	}
	if (!place->nr_sources)
		add_line(self, place->name ?: address, NULL, 0);
	self->profile.failed |= self->message.failed;
	protobuf_message(&self->profile, PROFILE_LOCATION, &self->message);
	return nr + 1;
}

static void add_label(struct pprof_view *self, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	strbuf_clear(&self->inner);
	protobuf_number(&self->inner, LABEL_KEY, string_of(self, key));
	protobuf_number(&self->inner, LABEL_STR, string_of(self, value));
	protobuf_message(&self->message, SAMPLE_LABEL, &self->inner);
}

static void add_labels(struct pprof_view *self, const struct session *session)
{
	const struct plan *plan = self->view.context->explain.plan;
	const struct event_frame *entry = &session->frames[0];
	const struct plan_func *func = &plan->funcs.data[entry->func];
	struct origin origin;

	origin_find(self->view.context, session, &origin);
	if (session->failed) {
		strbuf_clear(&self->key);
		outcome_word_add(&self->key, func,
				 frame_errno(plan, self->view.context->error_rules, entry));
		add_label(self, "errno", strbuf_str(&self->key));
	}
	add_label(self, "entry", func->name);
	add_label(self, "comm", session->comm);
	if (self->view.context->explain.settings->show & SHOW_HOST)
		add_label(self, "host", origin_host(self->view.context));
	add_label(self, "cgroup", origin.path);
	add_label(self, "pod", origin.owner.pod);
	add_label(self, "container", origin.owner.container);
	add_label(self, "unit", origin.owner.unit);
}

/*
 * The sample's message without its values: the bytes are the text by which an equal sample is
 * found.
 */
static int add_sample(struct pprof_view *self, uint64_t failures, uint64_t ns)
{
	struct sample sample = { .len = self->message.len }, *into = &self->others;
	bool is_new;
	int64_t nr;

	strbuf_clear(&self->key);
	for (size_t i = 0; i < self->message.len; i++)
		strbuf_addf(&self->key, "%02x", (uint8_t)self->message.s[i]);
	if (self->message.failed || self->key.failed || self->profile.failed)
		return -ENOMEM;
	if (self->bytes > MAX_BYTES && !strmap_get(&self->stacks.by_key, strbuf_str(&self->key)))
		goto count;
	nr = pool_number(&self->stacks, strbuf_str(&self->key), &is_new);
	if (nr < 0)
		return nr;
	if (is_new) {
		sample.message = malloc(sample.len ?: 1);
		if (!sample.message || vec_push(&self->samples, sample)) {
			free(sample.message);
			return -ENOMEM;
		}
		memcpy(self->samples.data[nr].message, self->message.s, sample.len);
		self->bytes += 3 * sample.len;
	}
	into = &self->samples.data[nr];
count:
	into->failures += failures;
	into->ns += ns;
	return 0;
}

static int pprof_session(struct view *view, const struct explained *explained)
{
	struct pprof_view *self = (struct pprof_view *)view;
	const struct session *session = explained->session;
	int64_t began;
	int err;

	if (session->interim || !session->nr_frames)
		return 0;
	began = wall_clock_at(self->view.context->clock, session->start_ns);
	if (!self->begin_ns || began < self->begin_ns)
		self->begin_ns = began;
	if (began + (int64_t)(session->end_ns - session->start_ns) > self->end_ns)
		self->end_ns = began + (session->end_ns - session->start_ns);
	self->ids.len = 0;
	vec_foreach(row, &explained->stack.v) {
		if (row->left_out && !self->view.context->explain.settings->stacks_unfiltered)
			continue;
		if (vec_push(&self->ids, location_of(self, &explained->places, row)))
			return report_oom();
	}
	strbuf_clear(&self->message);
	strbuf_clear(&self->inner);
	for (size_t i = self->ids.len; i-- > 0;)
		protobuf_varint(&self->inner, self->ids.data[i]);
	protobuf_message(&self->message, SAMPLE_LOCATION, &self->inner);
	add_labels(self, session);
	err = add_sample(self, session->failed, session_duration_ns(session));
	return err ? report_oom() : 0;
}

static void add_type(struct pprof_view *self, uint32_t field, const char *type, const char *unit)
{
	strbuf_clear(&self->inner);
	protobuf_number(&self->inner, TYPE_TYPE, string_of(self, type));
	protobuf_number(&self->inner, TYPE_UNIT, string_of(self, unit));
	protobuf_message(&self->profile, field, &self->inner);
}

static void write_sample(struct pprof_view *self, const struct sample *sample)
{
	strbuf_clear(&self->message);
	strbuf_clear(&self->inner);
	protobuf_varint(&self->inner, sample->failures);
	protobuf_varint(&self->inner, sample->ns);
	strbuf_add(&self->message, sample->message, sample->len);
	protobuf_message(&self->message, SAMPLE_VALUE, &self->inner);
	self->profile.failed |= self->message.failed || self->inner.failed;
	protobuf_message(&self->profile, PROFILE_SAMPLE, &self->message);
}

static void add_comment(struct pprof_view *self, const char *what, const char *text)
{
	if (!text)
		return;
	strbuf_clear(&self->key);
	strbuf_addf(&self->key, "%s%s", what, text);
	protobuf_number(&self->profile, PROFILE_COMMENT, string_of(self, strbuf_str(&self->key)));
}

/* The parts of a profile besides samples. The string table comes last: all others add to it. */
static void finish_profile(struct pprof_view *self)
{
	const struct view_origin *origin = self->view.context->origin;

	vec_foreach(sample, &self->samples)
		write_sample(self, sample);
	if (self->others.failures || self->others.ns)
		write_sample(self, &self->others);
	protobuf_number(&self->profile, PROFILE_TIME, self->begin_ns);
	protobuf_number(&self->profile, PROFILE_DURATION, self->end_ns - self->begin_ns);
	add_type(self, PROFILE_PERIOD_TYPE, "failures", "count");
	protobuf_number(&self->profile, PROFILE_PERIOD, 1);
	protobuf_number(&self->profile, PROFILE_DEFAULT_TYPE, string_of(self, "failures"));
	if (origin) {
		add_comment(self, "", origin->tool);
		add_comment(self, "host ", origin->host);
		add_comment(self, "Linux ", origin->release);
		add_comment(self, "", origin->command_line);
	}
	vec_foreach(string, &self->strings.keys)
		protobuf_bytes(&self->profile, PROFILE_STRING, *string, strlen(*string));
}

static int pprof_end(struct view *view, const struct ledger *ledger)
{
	struct pprof_view *self = (struct pprof_view *)view;

	finish_profile(self);
	strbuf_clear(&self->message);
	if (self->profile.failed || gzip_add(&self->message, self->profile.s, self->profile.len))
		return report_oom();
	return output_data(self->view.context->out, &self->message);
}

static int pprof_begin(struct view *view)
{
	struct pprof_view *self = (struct pprof_view *)view;

	string_of(self, "");
	add_type(self, PROFILE_SAMPLE_TYPE, "failures", "count");
	add_type(self, PROFILE_SAMPLE_TYPE, "latency", "nanoseconds");
	/* The first mapping is the main one. */
	mapping_of(self, NULL);
	return self->profile.failed ? report_oom() : 0;
}

static void pprof_free(struct view *view)
{
	struct pprof_view *self = (struct pprof_view *)view;

	vec_foreach(sample, &self->samples)
		free(sample->message);
	vec_release(&self->samples);
	vec_release(&self->ids);
	pool_release(&self->strings);
	pool_release(&self->functions);
	pool_release(&self->locations);
	pool_release(&self->mappings);
	pool_release(&self->stacks);
	strbuf_release(&self->profile);
	strbuf_release(&self->message);
	strbuf_release(&self->inner);
	strbuf_release(&self->key);
	view_free(view);
}

struct view *view_pprof_new(const struct view_context *context)
{
	struct pprof_view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->view.begin = pprof_begin;
	self->view.session = pprof_session;
	self->view.needs = MODE_STACK;
	self->view.end = pprof_end;
	self->view.free = pprof_free;
	return &self->view;
}
