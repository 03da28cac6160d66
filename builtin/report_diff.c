// SPDX-License-Identifier: BSD-2-Clause
/* Compare two recordings, or two sets of recordings. */
#include "builtin/report_diff.h"

#include <errno.h>
#include <unistd.h>

#include "builtin/report_read.h"
#include "builtin/suite/pager.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/terminal.h"
#include "util/plan/plan.h"
#include "util/trace/record/recording_diff.h"
#include "util/trace/session/session.h"
#include "util/view/lists/diff.h"
#include "util/view/parts/times.h"

struct side {
	struct recording_diff *diff;
	int side;
	struct report_set *set;
	int64_t start_ns, end_ns; /* since the epoch, by the sessions; 0: not known */
};

/* A report_reader's. */
static int on_opened(void *arg, struct report_input *input)
{
	struct side *side = arg;

	return recording_diff_plan(side->diff, side->side, recording_plan(input->recording)) ?
		       report_oom() :
		       0;
}

static int add_session(void *arg, struct report_input *input, const struct session *session)
{
	const struct recording_meta *meta = recording_meta(input->recording);
	const struct plan *plan = recording_plan(input->recording);
	int64_t end_ns = wall_clock_at(&meta->clock, session->end_ns);
	struct side *side = arg;

	/* The beginning of the run was in another file. */
	if (!side->start_ns)
		side->start_ns = wall_clock_at(&meta->clock, session->start_ns);
	if (end_ns > side->end_ns)
		side->end_ns = end_ns;
	/* Functions of modules that were loaded while it was recorded are known only now. */
	if (plan->funcs.len > input->nr_funcs && recording_diff_plan(side->diff, side->side, plan))
		return report_oom();
	input->nr_funcs = plan->funcs.len;
	if (recording_diff_add(side->diff, side->side, plan, meta->error_rules.data, session))
		return report_oom();
	return 0;
}

static int read_side(struct side *side, const struct trace_request *request,
		     const struct report_choice *choice)
{
	const struct report_reader reader = { .opened = on_opened,
					      .session = add_session,
					      .arg = side };

	side->set->gathers = true;
	if (side->set->several || !side->set->inputs[0].part)
		side->start_ns = side->set->begin_ns;
	return report_set_read(side->set, request, choice, &reader);
}

/* "A: before.data, 30 of 40 sessions in 2.1s" */
static void add_side(struct strbuf *line, char letter, const struct side *side)
{
	uint64_t sessions = side->diff->sessions[side->side];
	uint32_t others = side->set->nr_read - 1;

	strbuf_addf(line, "%c: %s", letter, side->set->inputs[side->set->first].name);
	if (others)
		strbuf_addf(line, " and %u other%s", others, others == 1 ? "" : "s");
	strbuf_addf(line, ", %llu ", (unsigned long long)sessions);
	if (side->set->sessions > sessions)
		strbuf_addf(line, "of %llu ", (unsigned long long)side->set->sessions);
	strbuf_addf(line, "session%s", side->set->sessions == 1 ? "" : "s");
	if (side->end_ns > side->start_ns) {
		strbuf_addstr(line, " in ");
		span_add(line, side->end_ns - side->start_ns);
	}
	strbuf_addch(line, '\n');
}

int report_diff(struct report_set *a, struct report_set *b, const struct trace_request *request,
		const struct report_choice *choice, enum format format, bool color)
{
	_cleanup_(recording_diff_release) struct recording_diff diff = {};
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;
	struct side sides[] = { { .diff = &diff, .side = 0, .set = a },
				{ .diff = &diff, .side = 1, .set = b } };
	const char *const paths[] = { a->inputs[a->first].name, b->inputs[b->first].name };
	const unsigned int numbers[] = { a->nr_read, b->nr_read };
	int err = read_side(&sides[0], request, choice);

	err = err ?: read_side(&sides[1], request, choice);
	if (!err && recording_diff_sort(&diff))
		err = report_oom();
	if (err)
		return EXIT_CANNOT;
	pager_start();
	add_side(&names, 'A', &sides[0]);
	add_side(&names, 'B', &sides[1]);
	err = names.failed ? report_oom() :
	      format == FORMAT_JSON ? diff_print_json(&diff, paths, numbers, stdout) :
				      diff_print_text(&diff, strbuf_str(&names),
						      terminal_width(STDOUT_FILENO), color, stdout);
	if (err && err != -EPIPE)
		return EXIT_CANNOT;
	report_set_warn(a);
	report_set_warn(b);
	report_set_say_missing(a, request);
	report_set_say_missing(b, request);
	if (diff.others[0] || diff.others[1])
		warning("%llu sessions have paths or functions that are not compared: there are too many",
			(unsigned long long)(diff.others[0] + diff.others[1]));
	if (report_set_failed(a) || report_set_failed(b))
		return EXIT_CANNOT;
	return diff.sessions[0] || diff.sessions[1] ? EXIT_SHOWN : EXIT_NOTHING;
}
