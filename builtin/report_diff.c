// SPDX-License-Identifier: BSD-2-Clause
/* Two recordings compared. */
#include "builtin/report_diff.h"

#include <errno.h>
#include <unistd.h>

#include "builtin/report_open.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/terminal.h"
#include "util/trace/plan.h"
#include "util/trace/recording_diff.h"
#include "util/view/diff.h"

struct side {
	struct recording_diff *diff;
	int side;
	const struct plan *plan;
	const struct error_rule *rules;
};

static int add_session(void *arg, const struct session *session)
{
	struct side *side = arg;

	if (recording_diff_add(side->diff, side->side, side->plan, side->rules, session))
		return report_oom();
	return 0;
}

static int read_side(struct report_input *input, const struct trace_request *request,
		     struct recording_diff *diff, int nr)
{
	struct side side = {
		.diff = diff,
		.side = nr,
		.plan = recording_plan(input->recording),
		.rules = recording_meta(input->recording)->error_rules.data,
	};
	struct recording_state state;
	uint64_t shown;
	int err = report_input_read(input, request, add_session, &side, &shown);

	recording_state(input->recording, &state);
	report_input_warn(input, &state);
	return err;
}

int report_diff(struct report_input *a, struct report_input *b,
		const struct trace_request *request, enum format format)
{
	_cleanup_(recording_diff_release) struct recording_diff diff = {};
	const char *const names[] = { a->name, b->name };
	int err = read_side(a, request, &diff, 0);

	err = err ?: read_side(b, request, &diff, 1);
	if (err)
		return EXIT_CANNOT;
	recording_diff_sort(&diff);
	err = format == FORMAT_JSON ? diff_print_json(&diff, names, stdout) :
				      diff_print_text(&diff, terminal_width(STDOUT_FILENO), stdout);
	if (err && err != -EPIPE)
		return EXIT_CANNOT;
	say(VERBOSITY_NORMAL, "retsnoop: A is %s, %llu session%s; B is %s, %llu session%s", a->name,
	    (unsigned long long)diff.sessions[0], diff.sessions[0] == 1 ? "" : "s", b->name,
	    (unsigned long long)diff.sessions[1], diff.sessions[1] == 1 ? "" : "s");
	if (diff.others[0] || diff.others[1])
		warning("%llu of them took more different ways than are told apart",
			(unsigned long long)(diff.others[0] + diff.others[1]));
	return diff.sessions[0] || diff.sessions[1] ? EXIT_SHOWN : EXIT_NOTHING;
}
