// SPDX-License-Identifier: BSD-2-Clause
/* Show open recordings. */
#include "builtin/report_show.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "builtin/show.h"
#include "builtin/suite/command.h"
#include "builtin/suite/pager.h"
#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/plan/plan.h"
#include "util/trace/record/recording_counts.h"
#include "util/trace/summary/summary_session.h"
#include "util/view/parts/times.h"

#define MAX_HOSTS 3 /* files named in a message */

/* With several recordings, times are converted to times of day before they are shown. */
static const struct wall_clock epoch;

void report_set_time_zone(const struct report_set *set)
{
	unsigned int minutes = abs(set->utc_offset_s) / 60;
	bool east = set->utc_offset_s >= 0;
	char zone[64];

	if (minutes >= 24 * 60)
		return;
	/* POSIX counts westwards. */
	snprintf(zone, sizeof(zone), "<%c%02u%02u>%c%02u:%02u", east ? '+' : '-', minutes / 60,
		 minutes % 60, east ? '-' : '+', minutes / 60, minutes % 60);
	setenv("TZ", zone, 1);
	tzset();
}

/* Shows the sessions of an open recording. */
struct shown_recording {
	struct symbolizer *symbolizer; /* NULL: it is closed */
	struct show_source source;
	struct recording_part part; /* of what is counted */
};

/* The state of showing or counting sessions. */
struct shower {
	struct show show;
	struct report_set *set;
	struct trace_request *request;
	enum format format;
	struct shown_recording *recordings; /* one for each input */
	struct recording_counts counts; /* of several recordings, or by host */
	struct summary summary; /* of one */
	struct show_source all; /* what is the same for all recordings */
	char *hosts;
	uint64_t lost;
	bool merges, gathers;
};

/* Time, host and command of the recording. */
static void say_origin(const struct report_input *input)
{
	const struct recording_meta *meta = recording_meta(input->recording);
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "retsnoop: %s: recorded ", input->name);
	day_time_add(&line, input->begin_ns);
	if (meta->host)
		strbuf_addf(&line, " on %s", meta->host);
	strbuf_addf(&line, ", Linux %s %s", meta->kernel.release ?: "?",
		    meta->kernel.machine ?: "?");
	say(VERBOSITY_NORMAL, "%s", strbuf_str(&line));
	say(VERBOSITY_VERBOSE, "  by %s: %s", meta->tool ?: "?", meta->command_line ?: "");
}

static void say_origins(const struct shower *shower)
{
	const struct report_set *set = shower->set;
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "retsnoop: %u recording%s", set->nr_read, set->nr_read == 1 ? "" : "s");
	if (shower->hosts)
		strbuf_addf(&line, " of %u host%s (%s)", set->nr_hosts, set->nr_hosts == 1 ? "" : "s", shower->hosts);
	if (shower->hosts && set->nr_nameless)
		strbuf_addf(&line, " and %u without a host's name", set->nr_nameless);
	strbuf_addstr(&line, ", the first begun ");
	day_time_add(&line, set->begin_ns);
	say(VERBOSITY_NORMAL, "%s", strbuf_str(&line));
}

/*
 * Formats that print all sessions together at the end, and formats that print something before the
 * first session.
 */
static bool prints_at_end(enum format format)
{
	return format == FORMAT_FOLDED || format == FORMAT_FOLDED_ERRNO ||
	       format == FORMAT_FOLDED_LATENCY || format == FORMAT_PPROF;
}

static bool has_beginning(enum format format)
{
	return format == FORMAT_CHROME || format == FORMAT_HTML;
}

static struct shown_recording *shown_of(struct shower *shower, const struct report_input *input)
{
	return &shower->recordings[input - shower->set->inputs];
}

/* Debug info of one build is read once. */
static int open_symbols(struct shower *shower, const struct report_input *input,
			struct symbolizer **ret_symbolizer)
{
	struct symbolizer_options *options = &shower->request->symbols;
	struct progress progress = progress_start("Reading debug info");
	int err;

	options->vmlinux = shower->request->vmlinux_path;
	options->live = false;
	options->recorded = &recording_meta(input->recording)->kernel;
	options->like = NULL;
	for (uint32_t i = 0; i < shower->set->nr && !options->like; i++) {
		const struct report_input *other = &shower->set->inputs[i];

		if (shower->recordings[i].symbolizer &&
		    build_id_equal(&recording_meta(other->recording)->kernel.build_id,
				   &options->recorded->build_id))
			options->like = shower->recordings[i].symbolizer;
	}
	err = symbolizer_new(recording_symbols(input->recording), options, ret_symbolizer);
	progress_end(&progress);
	return err;
}

static void fill_source(const struct shower *shower, const struct report_input *input,
			struct shown_recording *shown)
{
	const struct recording_meta *meta = recording_meta(input->recording);

	shown->source = (struct show_source){
		.plan = recording_plan(input->recording),
		.attached = recording_attached(input->recording),
		.symbolizer = shown->symbolizer,
		.symbols = recording_symbols(input->recording),
		.error_rules = meta->error_rules.data,
		.clock = &meta->clock,
		.cgroups = recording_cgroups(input->recording),
		.code = recording_code(input->recording),
		.release = meta->kernel.release,
		.modes = shower->set->several ? meta->modes : ~0u,
		.branch_types = input->settings.branch_types,
		.origin = {
			.tool = meta->tool,
			.command_line = meta->command_line,
			.host = meta->host,
			.number = shower->set->several ? input - shower->set->inputs + 1 : 0,
			.release = meta->kernel.release,
			.machine = meta->kernel.machine,
			.start_ns = input->begin_ns,
			.kernel = &meta->kernel,
		},
	};
}

/* Of several recordings together. */
static struct view_origin origin_of_all(const struct shower *shower)
{
	return (struct view_origin){
		.tool = "retsnoop " RETSNOOP_VERSION,
		.host = shower->hosts,
		.start_ns = shower->set->begin_ns,
	};
}

/* The beginning of a view describes all recordings. */
static int begin_view(struct shower *shower, struct show_source *first)
{
	int err;

	if (shower->merges) {
		shower->all.origin = origin_of_all(shower);
		shower->show.context.origin = &shower->all.origin;
	}
	/* Of any recording: others may have what the first lacks. */
	shower->show.context.modes = shower->show.modes;
	err = show_begin(&shower->show, shower->request, shower->format);
	show_turn_to(&shower->show, first);
	return err;
}

/* A report_reader's. The view begins with the first recording. */
static int on_opened(void *arg, struct report_input *input)
{
	struct shower *shower = arg;
	struct shown_recording *shown = shown_of(shower, input);
	int err = open_symbols(shower, input, &shown->symbolizer);

	if (err)
		return err;
	fill_source(shower, input, shown);
	err = show_source_open(&shower->show, &shown->source, shower->request);
	if (!err && shower->merges)
		err = recording_counts_join(&shower->counts, shown->source.plan, input->host,
					    &shown->part) ?
			      report_oom() :
			      0;
	if (err)
		return err;
	show_turn_to(&shower->show, &shown->source);
	if (!shower->show.view) {
		err = begin_view(shower, &shown->source);
		if (!err && shower->set->several)
			say_origins(shower);
		else if (!err)
			say_origin(input);
	}
	if (shower->set->several && report_verbosity() >= VERBOSITY_VERBOSE)
		say_origin(input);
	input->left_out = !shower->show.context.modes && shower->show.modes && !shower->request->summary;
	if (input->left_out)
		warning("%s has no part that is shown: its sessions are left out", input->name);
	return err;
}

static void close_shown(struct shown_recording *shown)
{
	show_source_close(&shown->source);
	symbolizer_free(shown->symbolizer);
	vec_release(&shown->part.funcs);
	*shown = (struct shown_recording){};
}

/* A report_reader's. */
static void on_closes(void *arg, struct report_input *input)
{
	struct shower *shower = arg;

	close_shown(shown_of(shower, input));
}

/* The first session: until then, show the progress of reading. */
static int on_session(void *arg, struct report_input *input, const struct session *session)
{
	struct shower *shower = arg;

	if (!shower->gathers)
		pager_start();
	show_turn_to(&shower->show, &shown_of(shower, input)->source);
	return show_session(&shower->show, session);
}

static int count_session(void *arg, struct report_input *input, const struct session *session)
{
	struct shower *shower = arg;
	const struct show_source *source = &shown_of(shower, input)->source;
	bool lost;

	if (shower->merges)
		return recording_counts_add(&shower->counts, &shown_of(shower, input)->part,
					    source->plan, source->error_rules, source->cgroups,
					    session,
					    wall_clock_at(source->clock, session->end_ns)) ?
			       report_oom() :
			       0;
	if (summary_add_session(&shower->summary, source->plan, source->error_rules, session,
				&lost))
		return report_oom();
	shower->lost += lost;
	if (session->end_ns > shower->summary.end_ns)
		shower->summary.end_ns = session->end_ns;
	return 0;
}

static int show_summary(struct shower *shower)
{
	struct summary *summary = shower->merges ? &shower->counts.summary : &shower->summary;
	struct view *view = shower->show.view;

	summary_sort(summary);
	pager_start();
	return summary->calls ? view->summary(view, summary) : 0;
}

/* The end of the view belongs to no single recording. */
static void turn_to_all(struct shower *shower)
{
	shower->all = (struct show_source){
		.plan = &shower->counts.plan,
		.clock = &epoch,
		.cgroups = &shower->counts.cgroups,
		.modes = ~0u,
		.origin = origin_of_all(shower),
	};
	show_turn_to(&shower->show, &shower->all);
}

static int show_sessions(struct shower *shower, const struct report_choice *choice,
			 struct ledger *ledger)
{
	const struct trace_request *request = shower->request;
	const struct report_reader reader = {
		.opened = on_opened,
		.closes = on_closes,
		.arg = shower,
		.session = request->summary ? count_session : on_session,
	};
	struct view *view;
	int err = run_output_open(&shower->show.output);

	if (has_beginning(shower->format))
		pager_start();
	err = err ?: report_set_read(shower->set, request, choice, &reader);
	if (!err && shower->merges)
		turn_to_all(shower);
	if (!err && request->summary)
		err = show_summary(shower);
	report_set_ledger(shower->set, ledger);
	ledger->summary = request->summary;
	ledger->stats.summary_lost = shower->merges ? shower->counts.lost : shower->lost;
	if (!err && shower->gathers && shower->set->shown)
		pager_start();
	view = shower->show.view;
	if (!err && view && view->end)
		err = view->end(view, ledger);
	return err;
}

static void shower_init(struct shower *shower, const struct report_choice *choice, bool color)
{
	struct trace_request *request = shower->request;
	struct report_set *set = shower->set;
	const struct report_input *first = &set->inputs[0];

	shower->merges = set->several || request->summary_by == SUMMARY_BY_HOST;
	shower->gathers = prints_at_end(shower->format) || choice->why;
	set->gathers = request->summary || shower->gathers;
	/* What leaves them out does not count them as shown either. */
	if (set->gathers || shower->format == FORMAT_CHROME ||
	    (!choice->list && !(request->modes & (MODE_STACK | MODE_BRANCHES))))
		request->interim = false;
	if (set->several)
		request->show |= SHOW_HOST;
	if (shower->merges)
		shower->counts.summary = (struct summary){ .start_ns = set->begin_ns,
							   .end_ns = set->begin_ns,
							   .by = request->summary_by };
	else
		shower->summary.start_ns = shower->summary.end_ns =
			recording_meta(first->recording)->start_ns;
	shower->summary.by = request->summary_by;
	shower->hosts = report_set_hosts(set);
	show_init(&shower->show, NULL, NULL, request, NULL, NULL);
	shower->show.context.color = color;
	shower->show.context.list = choice->list;
	shower->show.context.why = choice->why;
	shower->show.context.several = set->several;
}

static void shower_release(struct shower *shower)
{
	show_close(&shower->show);
	for (uint32_t i = 0; i < shower->set->nr; i++)
		close_shown(&shower->recordings[i]);
	free(shower->recordings);
	recording_counts_release(&shower->counts);
	summary_release(&shower->summary);
	free(shower->hosts);
}

int report_show(struct report_set *set, struct trace_request *request,
		const struct report_choice *choice, enum format format, bool color)
{
	struct shower shower = { .set = set,
				 .request = request,
				 .format = format,
				 .recordings = calloc(set->nr, sizeof(*shower.recordings)) };
	struct ledger ledger;
	int err;

	if (!shower.recordings)
		return command_exit_status(report_oom());
	shower_init(&shower, choice, color);
	err = show_sessions(&shower, choice, &ledger);
	shower_release(&shower);
	if (err && err != -EPIPE)
		return choice->why ? command_exit_status(err) : EXIT_CANNOT;
	if (!err) {
		ledger_print(&ledger);
		report_set_say_missing(set, request);
		report_set_warn(set);
	}
	if (report_set_failed(set))
		return EXIT_CANNOT;
	/* -EPIPE: a view with a beginning had something to show, too. */
	return (choice->why ? choice->why->known : err || set->shown) ? EXIT_SHOWN : EXIT_NOTHING;
}
