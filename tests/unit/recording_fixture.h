/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small run, made up: functions with arguments, probes, and the records of two sessions; what is
 * shown of it live, and what is written of it.
 */
#ifndef RETSNOOP_TESTS_RECORDING_FIXTURE_H
#define RETSNOOP_TESTS_RECORDING_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes_fixture.h"
#include "shown.h"
#include "util/ask/request.h"
#include "util/base/strbuf.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/record/recording_read.h"
#include "util/trace/record/recording_write.h"
#include "util/trace/session/assembler.h"
#include "util/trace/session/session.h"
#include "util/view/session/view.h"
#include "util/view/values/value_symbol.h"

enum { RECORDED_ENTRY, RECORDED_INNER, RECORDED_NR };

struct recording_fixture {
	struct probes_fixture f;
	struct plan plan;
	struct attached attached;
	struct func_args args[RECORDED_NR];
	struct symbolizer *symbolizer;
	struct recorder *recorder;
	struct strbuf file;		/* what the sink got */
	size_t room;			/* that it takes; beyond, it is full */
	VEC(struct strbuf) records;
	struct wall_clock clock;
};

static inline int fixture_sink(void *arg, const void *data, size_t size)
{
	struct recording_fixture *r = arg;

	if (r->file.len + size > r->room)
		return -ENOSPC;
	strbuf_add(&r->file, data, size);
	return 0;
}

static inline void fixture_record(struct recording_fixture *r, const void *data, size_t size,
				  const void *more, size_t more_size)
{
	struct strbuf record = STRBUF_INIT;

	strbuf_add(&record, data, size);
	strbuf_add(&record, more, more_size);
	if (vec_push(&r->records, record))
		abort();
}

/* do_open(arg) -> helper() = -EINVAL, with a task_switch and a proc_exec inside. */
static inline void fixture_add_session(struct recording_fixture *r, uint64_t id, uint64_t start)
{
	struct { struct event_call edges[10]; } body = {};
	struct event_call *edge = body.edges;
	uint64_t ips[] = { 0xffffffff81000310, 0xffffffff81000120, 0xffffffff81000205,
			   0xffffffffc0000008 };
	uint64_t value = 0xffffffff81000900;	/* do_last, as a pointer to a function */
	struct event_frame frames[] = {
		{ .func = RECORDED_ENTRY, .flags = EVENT_FRAME_FAILED, .duration_ns = 5000,
		  .result = -22ull },
		{ .func = RECORDED_INNER, .flags = EVENT_FRAME_FAILED, .duration_ns = 2000,
		  .result = -22ull },
	};
	struct event_calls calls = { .header = { EVENT_CALLS, 0, id }, .base_ns = start };
	struct event_stack stack = { .header = { EVENT_STACK, sizeof(stack) + sizeof(ips), id },
				     .frame = EVENT_STACK_RETURN, .nr_ips = 4 };
	struct event_session session = {
		.header = { EVENT_SESSION, sizeof(session) + sizeof(frames), id },
		.start_ns = start,
		.end_ns = start + 5000,
		.tid = 7,
		.pid = 6,
		.comm = "worker",
		.proc_comm = "server",
		.flags = EVENT_SESSION_FAILED,
		.nr_frames = 2,
		.parts = 1,
		.calls = 2,
	};

	*edge++ = (struct event_call){ RECORDED_ENTRY, 10 << CALL_KIND_BITS | CALL_ENTER, 16 };
	memcpy(edge++, &value, sizeof(value));
	*edge++ = (struct event_call){ 0, 10 << CALL_KIND_BITS | CALL_PROBE, 48 };
	((uint64_t *)edge)[0] = 0;
	((uint64_t *)edge)[1] = 1;
	((uint64_t *)edge)[5] = 2;
	edge += 3;
	*edge++ = (struct event_call){ RECORDED_INNER, 10 << CALL_KIND_BITS | CALL_ENTER, 0 };
	*edge++ = (struct event_call){ RECORDED_INNER, 2000 << CALL_KIND_BITS | CALL_RETURN,
				       -22ull };
	*edge++ = (struct event_call){ RECORDED_ENTRY, 10 << CALL_KIND_BITS | CALL_RETURN, -22ull };
	calls.header.size = sizeof(calls) + (edge - body.edges) * sizeof(*edge);
	fixture_record(r, &calls, sizeof(calls), &body, calls.header.size - sizeof(calls));
	fixture_record(r, &stack, sizeof(stack), ips, sizeof(ips));
	fixture_record(r, &session, sizeof(session), frames, sizeof(frames));
}

/* A pointer to a function as the only argument; its types are the fixture's BTF's. */
static inline void fixture_describe_args(struct recording_fixture *r)
{
	struct kernel_btf *btf;
	const struct btf *types;
	struct func_args *args = &r->args[RECORDED_ENTRY];
	int pointer;

	if (kernel_get_btf(r->f.kernel, &btf))
		abort();
	types = kernel_btf_types(btf, 0);
	pointer = btf__add_ptr((struct btf *)types, btf__add_func_proto((struct btf *)types, 0));
	args->items.nr = 1;
	args->items.items[0] = (struct arg_item){ .kind = ARG_VALUE, .size = 8 };
	args->items.max_bytes = 16;
	args->args = calloc(1, sizeof(*args->args));
	args->args[0] = (struct arg){ .name = "callback", .btf = types, .type = pointer };
	args->nr = 1;
}

static inline void recording_fixture_init(struct recording_fixture *r)
{
	static const struct plan_func funcs[] = {
		{ .addr = DO_OPEN, .size = 0x100, .name = "do_open", .entry = true,
		  .returns = RETURN_INT32 },
		{ .addr = 0xffffffff81000300, .size = 0x100, .name = "helper",
		  .returns = RETURN_INT32 },
	};
	const struct symbolizer_options none = { .level = SYMBOLIZE_NONE };
	const struct args_options args = ARGS_OPTIONS_DEFAULT;
	struct probe_spec_list specs = { VEC_INIT };
	struct symbols *symbols;

	*r = (struct recording_fixture){ .room = SIZE_MAX, .clock.offset_ns = 1234567 };
	probes_fixture_init(&r->f, true);
	for (size_t i = 0; i < RECORDED_NR; i++) {
		if (vec_push(&r->plan.funcs, funcs[i]))
			abort();
	}
	r->plan.nr_entries = 1;
	if (attached_init(&r->attached, &r->plan) ||
	    vec_push(&r->plan.refused, (struct plan_refusal){ "denied", NULL, REFUSED_DENIED }) ||
	    vec_push(&r->attached.refused,
		     (struct plan_refusal){ .name = "variadic", .why = REFUSED_ATTACH, .err = -524 }))
		abort();
	r->attached.rungs[RECORDED_ENTRY] = RUNG_KPROBE_SESSION;
	r->plan.args = r->args;
	fixture_describe_args(r);
	probe_spec_list_add(&specs, "rawtp:task_switch");
	probe_spec_list_add(&specs, "tp:sched:proc_exec");
	probe_spec_list_add(&specs, "kprobe:do_open_twice");
	if (probes_resolve(r->f.kernel, &specs, &r->f.sources, 0, &r->plan.probes) ||
	    probes_args(r->f.kernel, &args, r->plan.probes))
		abort();
	probe_spec_list_release(&specs);
	if (kernel_symbols(r->f.kernel, &symbols) || symbolizer_new(symbols, &none, &r->symbolizer))
		abort();
	fixture_add_session(r, 11, 1000000);
	fixture_add_session(r, 12, 2000000);
}

static inline void recording_fixture_release(struct recording_fixture *r)
{
	recorder_free(r->recorder);
	symbolizer_free(r->symbolizer);
	probes_free(r->plan.probes);
	vec_release(&r->plan.funcs);
	vec_release(&r->plan.refused);
	attached_release(&r->attached);
	free(r->args[RECORDED_ENTRY].args);
	vec_foreach(record, &r->records)
		strbuf_release(record);
	vec_release(&r->records);
	wall_clock_release(&r->clock);
	strbuf_release(&r->file);
	probes_fixture_release(&r->f);
}

/* Begins a recording into r->file, or at @path. */
static inline int fixture_begin(struct recording_fixture *r, const char *path, uint64_t max_bytes)
{
	struct recorder_options options = { .path = path, .sink = { fixture_sink, r },
					    .clock = &r->clock, .max_bytes = max_bytes };
	struct recording_meta meta = {
		.tool = strdup("retsnoop test"),
		.command_line = strdup("retsnoop record"),
		.modes = MODE_STACK | MODE_TRACE | MODE_ARGS,
		.shown_modes = MODE_STACK | MODE_TRACE | MODE_ARGS,
		.settings.max_depth = EVENT_MAX_DEPTH,
		.clock.offset_ns = r->clock.offset_ns,
	};

	return recorder_new(&options, r->f.kernel, &r->plan, &r->attached, &meta, &r->recorder);
}

static inline int fixture_write_records(struct recording_fixture *r)
{
	int err = 0;

	vec_foreach(record, &r->records)
		err = err ?: recorder_record(r->recorder, record->s, record->len);
	return err;
}

/* All of it, from the first byte to the end. */
static inline void fixture_write(struct recording_fixture *r)
{
	struct ledger ledger = { .shown = 2, .asked = 2, .attached = 2, .kernel_counts = true };

	if (fixture_begin(r, NULL, 0) || fixture_write_records(r) ||
	    recorder_end(r->recorder, &ledger))
		abort();
}

static inline struct view_context fixture_context(const struct plan *plan,
						  const struct attached *attached,
						  struct value_symbols *symbols,
						  const struct wall_clock *clock, FILE *out)
{
	static const struct trace_request settings;

	return (struct view_context){
		.out = out,
		.explain = { .plan = plan, .attached = attached, .settings = &settings,
			     .symbolizer = symbols->symbolizer },
		.modes = MODE_STACK | MODE_TRACE | MODE_ARGS,
		.args = { .mode = VALUE_COMPACT, .symbol = value_symbol, .symbol_arg = symbols },
		.clock = clock,
	};
}

static inline struct view *fixture_view(const struct view_context *context, bool json)
{
	struct view *view = json ? view_json_new(context) : view_text_new(context);

	if (!view)
		abort();
	return view;
}

/* What is shown of the records themselves. */
static inline char *fixture_live(struct recording_fixture *r, bool json)
{
	const struct session_rules rules = { .plan = &r->plan, .attached = &r->attached,
					     .nr_probes = r->plan.probes->v.len };
	struct assembler *assembler = assembler_new(&rules);
	struct session *session;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct value_symbols symbols = { .symbolizer = r->symbolizer };
	struct view_context context = fixture_context(&r->plan, &r->attached, &symbols, &r->clock, out);
	struct view *view = fixture_view(&context, json);

	vec_foreach(record, &r->records) {
		if (assembler_feed(assembler, record->s, record->len, &session))
			abort();
		if (session)
			show_session(view, &context, session);
		session_free(session);
	}
	view->free(view);
	value_symbols_release(&symbols);
	assembler_free(assembler);
	fclose(out);
	return text;
}

struct recording_shown {
	int err;			/* of opening it */
	char *text;			/* NULL: it could not be opened */
	struct recording_state state;
};

/* What is shown of a recording in memory of just that size. */
static inline struct recording_shown fixture_show(const void *data, size_t size, bool json)
{
	struct symbolizer_options options = { .level = SYMBOLIZE_NONE };
	void *copy = malloc(size ?: 1);
	FILE *file, *out;
	struct recording_shown shown = {};
	struct recording *recording;
	struct value_symbols symbols = {};
	struct view_context context;
	struct session *session;
	struct view *view;
	size_t len;

	memcpy(copy, data, size);
	file = size ? fmemopen(copy, size, "r") : fopen("/dev/null", "r");
	shown.err = recording_open(file, "x", &recording);
	if (!shown.err) {
		options.recorded = &recording_meta(recording)->kernel;
		if (symbolizer_new(recording_symbols(recording), &options,
				   &symbols.symbolizer))
			abort();
		out = open_memstream(&shown.text, &len);
		context = fixture_context(recording_plan(recording), recording_attached(recording), &symbols,
					  &recording_meta(recording)->clock, out);
		view = fixture_view(&context, json);
		while (recording_next(recording, &session) > 0) {
			show_session(view, &context, session);
			session_free(session);
		}
		recording_state(recording, &shown.state);
		view->free(view);
		fclose(out);
		value_symbols_release(&symbols);
		symbolizer_free(symbols.symbolizer);
		recording_free(recording);
	}
	fclose(file);
	free(copy);
	return shown;
}

#endif
