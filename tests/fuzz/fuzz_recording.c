// SPDX-License-Identifier: BSD-2-Clause
/*
 * Recordings that somebody made, shown in every form. An input is a file as it is, or, since no
 * chunk that was made at random has the right sums, the contents of chunks:
 *
 *	a byte of FLAG_x, then for each chunk: its kind in a byte, its size in 4, its contents
 *
 * The flags of a file are the last byte of its header, where a reader looks at nothing.
 */
#include <bpf/libbpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/ask/settings.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/explain/decider.h"
#include "util/explain/decision.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/record/recording_diff.h"
#include "util/trace/record/recording_file.h"
#include "util/trace/record/recording_read.h"
#include "util/trace/record/wire.h"
#include "util/trace/session/session_filter.h"
#include "util/trace/summary/summary_session.h"
#include "util/view/formats/folded.h"
#include "util/view/formats/pprof.h"
#include "util/view/lists/diff.h"
#include "util/view/session/view.h"
#include "util/view/values/value_symbol.h"

#define FLAG_FORM 7 /* which of make_view(), or a comparison */
#define FLAG_VERBOSE 8
#define FLAG_ARGS 48 /* enum value_mode, times 16 */
#define FLAG_FILTER 64
#define FLAG_OTHERWISE 128 /* what can be shown in another way, is */

#define FORM_SUMMARY 6
#define FORM_DIFF 7

#define MAX_SESSIONS 200
#define WIDTH 80

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static int append(void *arg, const void *data, size_t size)
{
	strbuf_add(arg, data, size);
	return 0;
}

static void make_file(struct strbuf *file, struct wire *wire)
{
	const struct recording_sink sink = { append, file };
	struct chunk_writer writer;

	chunk_writer_begin(&writer, &sink);
	while (wire_left(wire)) {
		uint8_t kind = wire_get_u8(wire);
		size_t size = wire_get_u32(wire);
		const void *data;

		if (size > wire_left(wire))
			size = wire_left(wire);
		data = wire_take(wire, size);
		chunk_write(&writer, kind & 0x7f, kind & 0x80 ? CHUNK_NECESSARY : 0, data, size);
	}
	chunk_writer_release(&writer);
}

static struct view *make_view(const struct view_context *context, uint8_t flags)
{
	bool otherwise = flags & FLAG_OTHERWISE;

	switch (flags & FLAG_FORM) {
	case 1:
		return view_json_new(context);
	case 2:
		return view_folded_new(context, otherwise ? FOLDED_ERRNO : FOLDED_COUNT);
	case 3:
		return view_folded_new(context, FOLDED_LATENCY);
	case 4:
		return otherwise ? view_pprof_new(context) : view_chrome_new(context);
	case 5:
		return view_html_new(context);
	case FORM_SUMMARY:
		return otherwise ? view_summary_json_new(context) : view_summary_new(context);
	default:
		return view_text_new(context);
	}
}

/* What is made of sessions. */
struct shower {
	const struct view_context *context;
	struct view *view;
	struct summary summary;
	struct recording_diff diff;
	struct explainer explainer;
	uint8_t flags;
	int nr;
};

static void show_session(struct shower *shower, const struct session *session)
{
	const struct view_context *context = shower->context;
	bool lost;

	switch (shower->flags & FLAG_FORM) {
	case FORM_SUMMARY:
		summary_add_session(&shower->summary, context->explain.plan, context->error_rules,
				    session, &lost);
		break;
	case FORM_DIFF:
		/* Some of both sides, and of one of them. */
		recording_diff_add(&shower->diff, shower->nr % 3 == 1, context->explain.plan,
				   context->error_rules, session);
		break;
	default:
		view_session(shower->view, &shower->explainer, session);
	}
}

static void show_end(struct shower *shower, const struct ledger *ledger)
{
	struct view *view = shower->view;

	if ((shower->flags & FLAG_FORM) == FORM_SUMMARY) {
		summary_sort(&shower->summary);
		view->summary(view, &shower->summary);
	}
	if ((shower->flags & FLAG_FORM) == FORM_DIFF) {
		static const char *const names[] = { "a", "b" };

		recording_diff_plan(&shower->diff, 0, shower->context->explain.plan);
		recording_diff_sort(&shower->diff);
		if (shower->flags & FLAG_OTHERWISE)
			diff_print_json(&shower->diff, names, NULL, shower->context->out);
		else
			diff_print_text(&shower->diff, "A: x\n", WIDTH, shower->flags & FLAG_VERBOSE,
					shower->context->out);
	} else if (view->end) {
		view->end(view, ledger);
	}
	summary_release(&shower->summary);
	recording_diff_release(&shower->diff);
}

static void show_sessions(struct recording *recording, const struct view_context *context,
			  const struct session_filter *filter, uint8_t flags)
{
	struct shower shower = { .context = context,
				 .explainer.context = &context->explain,
				 .view = make_view(context, flags),
				 .flags = flags };
	struct recording_state state;
	struct session *session;

	if (shower.view->begin)
		shower.view->begin(shower.view);
	while (shower.nr++ < MAX_SESSIONS && recording_next(recording, &session) > 0) {
		if (!session_fails(filter, session))
			show_session(&shower, session);
		session_free(session);
	}
	recording_state(recording, &state);
	show_end(&shower, &state.ledger);
	shower.view->free(shower.view);
	explainer_release(&shower.explainer);
}

static void show(struct recording *recording, uint8_t flags)
{
	const struct recording_meta *meta = recording_meta(recording);
	const struct code_source code = recording_code(recording);
	const struct symbolizer_options options = { .level = SYMBOLIZE_NONE,
						    .recorded = &meta->kernel };
	bool otherwise = flags & FLAG_OTHERWISE;
	struct value_symbols symbols = {};
	struct decider *decider = NULL;
	struct trace_request request, shown = meta->settings;
	struct session_filter filter = { &request, recording_plan(recording),
					 meta->error_rules.data };
	struct view_context context = {
		.explain = {
			.plan = recording_plan(recording),
			.attached = recording_attached(recording),
			.symbols = recording_symbols(recording),
			.settings = &shown,
			.branch_types = meta->settings.branch_types,
		},
		.error_rules = meta->error_rules.data,
		.modes = meta->shown_modes,
		.clock = &meta->clock,
		.verbose = flags & FLAG_VERBOSE,
		.color = otherwise,
		.width = otherwise ? WIDTH : 0,
		.args = { .mode = (flags & FLAG_ARGS) / 16 % 3,
			  .max_width = meta->settings.args_width,
			  .symbol = value_symbol,
			  .symbol_arg = &symbols },
	};

	shown.stacks_unfiltered = shown.stacks_emit_addrs = shown.stacks_dec_offs = otherwise;
	trace_request_init(&request);
	request.success = SUCCESS_YES;
	request.interim = true;
	request.fn_longer_ns = flags & FLAG_FILTER ? 10 : 0;
	errno_set_add(&request.deny_errnos, "EPERM");
	if (symbolizer_new(recording_symbols(recording), &options, &symbols.symbolizer) ||
	    decider_new(symbols.symbolizer, context.explain.plan, &code, meta->settings.branch_types,
			&decider))
		abort();
	context.explain.symbolizer = symbols.symbolizer;
	context.explain.code = &code;
	context.explain.decider = decider;
	context.out = fopen("/dev/null", "w");
	show_sessions(recording, &context, &filter, flags);
	fclose(context.out);
	decider_free(decider);
	value_symbols_release(&symbols);
	symbolizer_free(symbols.symbolizer);
	trace_request_release(&request);
}

static int be_silent(enum libbpf_print_level level, const char *fmt, va_list args)
{
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	struct wire wire = wire_of(input, size);
	struct strbuf made = STRBUF_INIT;
	struct recording *recording;
	uint8_t flags = 0;
	static bool begun;
	FILE *file;

	if (!begun) {
		libbpf_set_print(be_silent);
		/* What is wrong is said with every input. */
		if (!freopen("/dev/null", "w", stdout))
			abort();
		report_set_verbosity(VERBOSITY_QUIET);
		begun = true;
	}
	if (recording_is_one(input, size)) {
		if (size >= sizeof(struct recording_header))
			flags = input[sizeof(struct recording_header) - 1];
		strbuf_add(&made, input, size);
	} else {
		flags = wire_get_u8(&wire);
		make_file(&made, &wire);
	}
	file = fmemopen(made.s, made.len, "r");
	if (file && !recording_open(file, "input", &recording)) {
		show(recording, flags);
		recording_free(recording);
	}
	if (file)
		fclose(file);
	strbuf_release(&made);
	return 0;
}
