// SPDX-License-Identifier: BSD-2-Clause
/* Two recordings compared. */
#include "builtin/report_diff.h"

#include <errno.h>
#include <unistd.h>

#include "builtin/report_open.h"
#include "builtin/suite/pager.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/terminal.h"
#include "util/trace/plan/plan.h"
#include "util/trace/record/recording_diff.h"
#include "util/trace/session/session.h"
#include "util/view/lists/diff.h"
#include "util/view/parts/times.h"

struct side {
	struct recording_diff *diff;
	int side;
	const struct plan *plan;
	const struct error_rule *rules;
	uint64_t sessions;		/* of the recording, whatever filters say of them */
	uint64_t start_ns, end_ns;	/* of the recording, as far as sessions go */
};

static int add_session(void *arg, const struct session *session)
{
	struct side *side = arg;

	/* The beginning of the run was in another file. */
	if (!side->start_ns)
		side->start_ns = session->start_ns;
	if (session->end_ns > side->end_ns)
		side->end_ns = session->end_ns;
	if (recording_diff_add(side->diff, side->side, side->plan, side->rules, session))
		return report_oom();
	return 0;
}

static int read_side(struct report_input *input, const struct trace_request *request,
		     const struct report_choice *choice, struct side *side)
{
	const struct recording_meta *meta = recording_meta(input->recording);
	struct recording_state state;
	uint64_t shown;
	int err;

	side->plan = recording_plan(input->recording);
	side->rules = meta->error_rules.data;
	side->start_ns = meta->part ? 0 : meta->start_ns;
	err = report_input_read(input, request, choice, add_session, side, &shown);
	recording_state(input->recording, &state);
	side->sessions = state.sessions;
	report_input_warn(input, &state);
	return err;
}

/* "A: before.data, 30 of 40 sessions in 2.1s" */
static void add_side(struct strbuf *line, char letter, const struct report_input *input,
		     const struct side *side)
{
	uint64_t sessions = side->diff->sessions[side->side];

	strbuf_addf(line, "%c: %s, ", letter, input->name);
	strbuf_addf(line, "%llu ", (unsigned long long)sessions);
	if (side->sessions > sessions)
		strbuf_addf(line, "of %llu ", (unsigned long long)side->sessions);
	strbuf_addf(line, "session%s", side->sessions == 1 ? "" : "s");
	if (side->end_ns > side->start_ns) {
		strbuf_addstr(line, " in ");
		span_add(line, side->end_ns - side->start_ns);
	}
	strbuf_addch(line, '\n');
}

int report_diff(struct report_input *a, struct report_input *b,
		const struct trace_request *request, const struct report_choice *choice,
		enum format format, bool color)
{
	_cleanup_(recording_diff_release) struct recording_diff diff = {};
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;
	struct side sides[] = { { .diff = &diff, .side = 0 }, { .diff = &diff, .side = 1 } };
	const char *const paths[] = { a->name, b->name };
	int err = read_side(a, request, choice, &sides[0]);

	err = err ?: read_side(b, request, choice, &sides[1]);
	if (!err && (recording_diff_plan(&diff, 0, sides[0].plan) ||
		     recording_diff_plan(&diff, 1, sides[1].plan)))
		err = report_oom();
	if (err)
		return EXIT_CANNOT;
	recording_diff_sort(&diff);
	pager_start();
	add_side(&names, 'A', a, &sides[0]);
	add_side(&names, 'B', b, &sides[1]);
	err = format == FORMAT_JSON ? diff_print_json(&diff, paths, stdout) :
				      diff_print_text(&diff, strbuf_str(&names),
						      terminal_width(STDOUT_FILENO), color, stdout);
	if (err && err != -EPIPE)
		return EXIT_CANNOT;
	report_input_say_missing(a);
	report_input_say_missing(b);
	if (diff.others[0] || diff.others[1])
		warning("%llu of them took more different ways than are told apart",
			(unsigned long long)(diff.others[0] + diff.others[1]));
	return diff.sessions[0] || diff.sessions[1] ? EXIT_SHOWN : EXIT_NOTHING;
}
