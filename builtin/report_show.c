// SPDX-License-Identifier: BSD-2-Clause
/* From a recording that is open to what is shown of it. */
#include "builtin/report_show.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "builtin/builtin.h"
#include "builtin/report_open.h"
#include "builtin/show.h"
#include "builtin/suite/pager.h"
#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/trace/ask/settings.h"
#include "util/trace/plan/plan.h"
#include "util/trace/session/session_counts.h"
#include "util/view/parts/times.h"

void report_set_time_zone(const struct recording_meta *meta)
{
	unsigned int minutes = abs(meta->utc_offset_s) / 60;
	bool east = meta->utc_offset_s >= 0;
	char zone[64];

	if (minutes >= 24 * 60)
		return;
	/* POSIX counts westwards. */
	snprintf(zone, sizeof(zone), "<%c%02u%02u>%c%02u:%02u", east ? '+' : '-', minutes / 60,
		 minutes % 60, east ? '-' : '+', minutes / 60, minutes % 60);
	setenv("TZ", zone, 1);
	tzset();
}

/* When, where and by what it was recorded. */
static void say_origin(const struct report_input *input, const struct recording_meta *meta)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "retsnoop: %s: recorded ", input->name);
	day_time_add(&line, wall_clock_at(&meta->clock, meta->start_ns));
	if (meta->host)
		strbuf_addf(&line, " on %s", meta->host);
	strbuf_addf(&line, ", Linux %s %s", meta->kernel.release ?: "?", meta->kernel.machine ?: "?");
	say(VERBOSITY_NORMAL, "%s", strbuf_str(&line));
	say(VERBOSITY_VERBOSE, "  by %s: %s", meta->tool ?: "?", meta->command_line ?: "");
}

/* What the run missed, and what this has shown of it; @stopped: no more was asked for. */
static void fill_ledger(const struct recording *recording, struct recording_state *state,
			uint64_t shown, bool stopped)
{
	const struct plan *plan = recording_plan(recording);
	struct ledger *ledger = &state->ledger;

	ledger->shown = shown;
	ledger->of = stopped ? 0 : state->sessions;
	ledger->dropped = state->dropped;
	ledger->parts_unread = state->skipped + state->unknown + (state->damage != 0);
	/* What the kernel skipped is counted when a run ends. */
	if (!state->ended && !stopped)
		ledger->kernel_counts = false;
	/* Killed within its first second. */
	if (!state->has_ledger) {
		ledger->max_depth = recording_meta(recording)->settings.max_depth;
		ledger->asked = ledger->attached = plan->funcs.len;
		ledger->refused = plan->refused.len;
	}
}

/* What shows sessions, or counts them. */
struct shower {
	struct show show;
	struct summary summary;
	const struct plan *plan;
	const struct error_rule *rules;
	uint64_t lost;
	bool gathers;
};

/* Formats that are of all sessions together, and those that have something before the first. */
static bool gathers(enum format format)
{
	return format == FORMAT_FOLDED || format == FORMAT_FOLDED_ERRNO ||
	       format == FORMAT_FOLDED_LATENCY || format == FORMAT_PPROF;
}

static bool has_beginning(enum format format)
{
	return format == FORMAT_CHROME || format == FORMAT_HTML;
}

/* The first one: until then it is seen how far reading has got. */
static int on_session(void *arg, const struct session *session)
{
	struct shower *shower = arg;

	if (!shower->gathers)
		pager_start();
	return show_session(&shower->show, session);
}

static int count_session(void *arg, const struct session *session)
{
	struct shower *shower = arg;
	bool lost;

	if (summary_add_session(&shower->summary, shower->plan, shower->rules, session, &lost))
		return report_oom();
	shower->lost += lost;
	if (session->end_ns > shower->summary.end_ns)
		shower->summary.end_ns = session->end_ns;
	return 0;
}

static int show_summary(struct shower *shower)
{
	struct view *view = shower->show.view;

	summary_sort(&shower->summary);
	pager_start();
	return shower->summary.calls ? view->summary(view, &shower->summary) : 0;
}

static int show_with(struct symbolizer *symbolizer, struct report_input *input,
		     const struct trace_request *request, const struct report_choice *choice,
		     enum format format, bool color)
{
	const struct recording_meta *meta = recording_meta(input->recording);
	struct shower shower = {
		.summary = { .start_ns = meta->start_ns, .end_ns = meta->start_ns,
			     .by = request->summary_by },
		.plan = recording_plan(input->recording),
		.rules = meta->error_rules.data,
		.gathers = gathers(format) || choice->why,
	};
	struct recording_state state;
	uint64_t shown = 0;
	int err;

	show_init(&shower.show, shower.plan, request, symbolizer,
		  recording_symbols(input->recording));
	shower.show.context.error_rules = shower.rules;
	shower.show.context.clock = &meta->clock;
	shower.show.context.cgroups = recording_cgroups(input->recording);
	shower.show.context.color = color;
	shower.show.code = recording_code(input->recording);
	shower.show.release = meta->kernel.release;
	shower.show.origin = (struct view_origin){
		.tool = meta->tool,
		.command_line = meta->command_line,
		.host = meta->host,
		.release = meta->kernel.release,
		.machine = meta->kernel.machine,
		.start_ns = wall_clock_at(&meta->clock, meta->start_ns),
		.kernel = &meta->kernel,
	};
	shower.show.context.list = choice->list;
	shower.show.context.why = choice->why;
	input->gathers = request->summary || shower.gathers;
	if (has_beginning(format))
		pager_start();
	err = show_open(&shower.show, request, format);
	if (!err)
		say_origin(input, meta);
	err = err ?: report_input_read(input, request, choice,
				       request->summary ? count_session : on_session, &shower,
				       &shown);
	if (!err && request->summary)
		err = show_summary(&shower);
	recording_state(input->recording, &state);
	fill_ledger(input->recording, &state, shown, input->stopped);
	state.ledger.summary = request->summary;
	state.ledger.stats.summary_lost = shower.lost;
	if (!err && shower.gathers && shown)
		pager_start();
	if (!err && shower.show.view->end)
		err = shower.show.view->end(shower.show.view, &state.ledger);
	show_close(&shower.show);
	summary_release(&shower.summary);
	if (err && err != -EPIPE)
		return choice->why ? command_exit_status(err) : EXIT_CANNOT;
	if (!err) {
		ledger_print(&state.ledger);
		report_input_say_missing(input);
		report_input_warn(input, &state);
	}
	return (choice->why ? choice->why->known : shown) ? EXIT_SHOWN : EXIT_NOTHING;
}

int report_show(struct report_input *input, struct trace_request *request,
		const struct report_choice *choice, enum format format, bool color)
{
	struct symbolizer *symbolizer = NULL;
	struct progress progress;
	int status = EXIT_CANNOT;

	request->symbols.vmlinux = request->vmlinux_path;
	request->symbols.live = false;
	request->symbols.recorded = &recording_meta(input->recording)->kernel;
	progress = progress_start("Reading debug info");
	if (!symbolizer_new(recording_symbols(input->recording), &request->symbols, &symbolizer)) {
		progress_end(&progress);
		status = show_with(symbolizer, input, request, choice, format, color);
	}
	progress_end(&progress);
	symbolizer_free(symbolizer);
	return status;
}

int report_take_settings(const struct recording_meta *meta, struct trace_request *request)
{
	int err = settings_load(request);

	settings_copy_recorded(request, &meta->settings);
	request->modes |= meta->shown_modes & meta->modes & ~request->modes_off;
	return err;
}
