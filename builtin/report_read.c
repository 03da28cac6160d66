// SPDX-License-Identifier: BSD-2-Clause
/* Read the sessions of one recording, or of several in order of time. */
#include "builtin/report_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin/report_open.h"
#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/plan/plan.h"
#include "util/trace/record/recording_merge.h"
#include "util/trace/session/session.h"

/* The state of reading a set. */
struct reading {
	struct report_set *set;
	const struct trace_request *request;
	const struct report_choice *choice;
	const struct report_reader *reader;
	struct session_keep keep;
	struct recording_merge merge;
	int64_t since_ns, until_ns; /* 0: any time */
	struct progress progress;
	bool seen; /* output goes to the terminal: remove progress before it */
};

/* --since and --until count from the run's beginning, which may have been in another file. */
static void find_times(struct reading *r, const struct report_input *input,
		       const struct session *first)
{
	const struct recording_meta *meta = recording_meta(input->recording);
	const struct moment *since = &r->choice->since, *until = &r->choice->until;
	int64_t begin = r->set->begin_ns;

	if (!r->set->several && meta->part)
		begin = wall_clock_at(&meta->clock, first->start_ns);
	if (since->given)
		r->since_ns = moment_resolve(since, begin);
	if (until->given)
		r->until_ns = moment_end(until, begin);
}

/* Takes @session over. */
static int keep_session(struct reading *r, struct session *session)
{
	int err = session_keep_add(&r->keep, session);

	if (err == -E2BIG)
		return report(err,
			      "the sessions take more than %llu MiB of memory; --max-sessions=N "
			      "keeps only the first N, --list shows one line of each",
			      SESSION_KEEP_MAX_BYTES >> 20);
	return err ? report_oom() : 0;
}

/* Takes @session over. */
static int pass_session(struct reading *r, struct report_input *input, struct session *session)
{
	int err;

	if (session_keep_needed(&r->keep))
		return keep_session(r, session);
	if (r->seen)
		progress_end(&r->progress);
	err = r->reader->session(r->reader->arg, input, session);
	session_free(session);
	r->set->stopped = ++r->set->shown == r->request->max_sessions || r->choice->session;
	return err;
}

static int pass_kept(struct reading *r)
{
	int err = 0;

	progress_end(&r->progress);
	session_keep_settle(&r->keep);
	for (size_t i = 0; i < r->keep.v.len && !err; i++, r->set->shown++)
		err = r->reader->session(r->reader->arg,
					 &r->set->inputs[r->keep.v.data[i]->recording],
					 r->keep.v.data[i]);
	return err;
}

static int look_at_session(struct reading *r, struct report_input *input, struct session *session)
{
	struct report_set *set = r->set;
	unsigned int fails;

	if (!set->sessions++)
		find_times(r, input, session);
	if (set->several)
		session->number = set->sessions;
	input->filter.since_ns = r->since_ns;
	input->filter.until_ns = r->until_ns;
	fails = session_fails(&input->filter, session);
	if (!fails && !input->left_out)
		return pass_session(r, input, session);
	/* Needed only if no session passes. */
	if (fails && !set->shown && !r->keep.v.len)
		report_facts_add(&set->facts, &input->filter, session, fails);
	session_free(session);
	return 0;
}

/* The recording is open. */
static int begin_input(struct reading *r, struct report_input *input)
{
	const struct recording_meta *meta = recording_meta(input->recording);
	const struct report_reader *reader = r->reader;

	input->filter = (struct session_filter){
		.request = r->request,
		.plan = recording_plan(input->recording),
		.rules = meta->error_rules.data,
		.clock = &meta->clock,
		.number = r->choice->session,
	};
	if (r->set->several)
		report_facts_see_plan(r->request, input->filter.plan, r->set->has_entry,
				      r->set->has_allow);
	return reader->opened ? reader->opened(reader->arg, input) : 0;
}

/* Sessions that were kept need their recordings until they are shown. */
static void end_input(struct reading *r, struct report_input *input)
{
	if (!input->recording)
		return;
	if (r->reader->closes)
		r->reader->closes(r->reader->arg, input);
	report_input_suspend(input);
}

static int open_merged(void *arg, uint32_t i)
{
	struct reading *r = arg;
	struct report_input *input = &r->set->inputs[i];

	if (!input->recording && report_input_open(input->path, input)) {
		/* It could be opened a moment ago. */
		r->set->unreadable++;
		report_input_suspend(input);
		return 0;
	}
	return begin_input(r, input);
}

static int next_merged(void *arg, uint32_t i, struct session **ret_session, int64_t *ret_end_ns)
{
	struct reading *r = arg;
	struct report_input *input = &r->set->inputs[i];
	int err = input->recording ? recording_next(input->recording, ret_session) : 0;

	if (err <= 0)
		return err;
	(*ret_session)->recording = i;
	*ret_end_ns =
		wall_clock_at(&recording_meta(input->recording)->clock, (*ret_session)->end_ns);
	if (*ret_end_ns > input->clock.end_ns)
		input->clock.end_ns = *ret_end_ns;
	return 1;
}

static void close_merged(void *arg, uint32_t i)
{
	struct reading *r = arg;

	if (!session_keep_needed(&r->keep))
		end_input(r, &r->set->inputs[i]);
}

static const struct merge_ops merge_ops = { open_merged, next_merged, close_merged };

static int read_several(struct reading *r)
{
	struct report_set *set = r->set;
	struct session *session;
	uint32_t i;
	int err = 0;

	set->has_entry = calloc(r->request->entry.v.len + 1, sizeof(bool));
	set->has_allow = calloc(r->request->allow.v.len + 1, sizeof(bool));
	if (!set->has_entry || !set->has_allow)
		return report_oom();
	for (i = 0; i < set->nr && !err; i++) {
		if (set->inputs[i].readable)
			err = recording_merge_add(&r->merge, i, set->inputs[i].begin_ns);
	}
	if (err)
		return report_oom();
	while (!set->stopped && (err = recording_merge_next(&r->merge, &i, &session)) > 0) {
		err = look_at_session(r, &set->inputs[i], session);
		if (err)
			return err;
	}
	return set->stopped ? 0 : err;
}

static int read_one(struct reading *r)
{
	struct report_set *set = r->set;
	struct report_input *input = &set->inputs[0];
	struct session *session;
	int64_t end_ns;
	int err = begin_input(r, input);

	if (err)
		return err;
	while (!set->stopped && (err = next_merged(r, 0, &session, &end_ns)) > 0) {
		if (input->size)
			progress_update_bytes(&r->progress, ftello(input->file), input->size);
		err = look_at_session(r, input, session);
		if (err)
			return err;
	}
	return set->stopped ? 0 : err;
}

int report_set_read(struct report_set *set, const struct trace_request *request,
		    const struct report_choice *choice, const struct report_reader *reader)
{
	struct reading r = {
		.set = set,
		.request = request,
		.choice = choice,
		.reader = reader,
		.keep = { .last = choice->tail,
			  .order = choice->order,
			  .limit = request->max_sessions,
			  .heads = choice->list },
		.merge = { .ops = &merge_ops, .arg = &r },
	};
	_cleanup_(free_p) char *what = strf("Reading %s", report_set_name(set));
	int err;

	r.seen = !set->gathers && isatty(STDOUT_FILENO);
	r.progress = progress_start(what ?: "Reading");
	err = set->several ? read_several(&r) : read_one(&r);
	if (!err && session_keep_needed(&r.keep))
		err = pass_kept(&r);
	progress_end(&r.progress);
	recording_merge_release(&r.merge);
	session_keep_release(&r.keep);
	for (uint32_t i = 0; i < set->nr; i++) {
		set->inputs[i].stopped = set->stopped;
		if (set->several)
			end_input(&r, &set->inputs[i]);
	}
	return err;
}
