// SPDX-License-Identifier: BSD-2-Clause
/* Recordings: opening them, going through them, and saying what is missing. */
#include "builtin/report_open.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/trace/ask/request.h"
#include "util/trace/session/session.h"

int report_input_open(const char *path, struct report_input *input)
{
	bool standard = !strcmp(path, "-");
	_cleanup_(free_p) char *what = NULL;
	struct progress progress;
	struct stat st = {};
	int err;

	input->name = standard ? "standard input" : path;
	if (standard && isatty(STDIN_FILENO))
		return report(-EINVAL, "a recording does not come from a terminal; give a file with "
				       "-i, or a pipe");
	input->file = standard ? fdopen(dup(STDIN_FILENO), "r") : fopen(path, "re");
	if (!input->file)
		return report(-errno, "cannot read %s: %s%s", input->name, strerror(errno),
			      !strcmp(path, REPORT_DEFAULT_PATH) && errno == ENOENT ?
				      "; 'retsnoop record' makes it, -i names another" : "");
	if (!fstat(fileno(input->file), &st) && S_ISDIR(st.st_mode))
		return report(-EISDIR, "%s is a directory, not a recording", input->name);
	if (S_ISREG(st.st_mode))
		input->size = st.st_size;
	what = strf("Reading %s", input->name);
	progress = progress_start(what ?: "Reading");
	err = recording_open(input->file, input->name, &input->recording);
	progress_end(&progress);
	return err;
}

void report_input_close(struct report_input *input)
{
	recording_free(input->recording);
	if (input->file)
		fclose(input->file);
	*input = (struct report_input){};
}

/* Reading one recording. */
struct reading {
	struct report_input *input;
	const struct trace_request *request;
	const struct report_choice *choice;
	struct session_keep keep;
	report_session_fn fn;
	void *arg;
	uint64_t shown;
	struct progress progress;
	bool seen;		/* output is on the terminal, where progress is in its way */
};

/* --since and --until count from the run's beginning, which may have been in another file. */
static void find_times(struct reading *r, const struct session *first)
{
	const struct recording_meta *meta = recording_meta(r->input->recording);
	const struct moment *since = &r->choice->since, *until = &r->choice->until;
	int64_t begin = wall_clock_at(&meta->clock, meta->part ? first->start_ns : meta->start_ns);

	if (since->given)
		r->input->filter.since_ns = moment_resolve(since, begin);
	if (until->given)
		r->input->filter.until_ns = moment_resolve(until, begin) + until->precision_ns - 1;
}

/* Takes @session over. */
static int keep_session(struct reading *r, struct session *session)
{
	int err = session_keep_add(&r->keep, session);

	if (err == -E2BIG)
		return report(err, "the sessions take more than %llu MiB of memory; --max-sessions=N "
			      "keeps only the first N, --list shows one line of each",
			      SESSION_KEEP_MAX_BYTES >> 20);
	return err ? report_oom() : 0;
}

/* Takes @session over. */
static int pass_session(struct reading *r, struct session *session)
{
	int err;

	if (session_keep_needed(&r->keep))
		return keep_session(r, session);
	if (r->seen)
		progress_end(&r->progress);
	err = r->fn(r->arg, session);
	session_free(session);
	r->input->stopped = ++r->shown == r->request->max_sessions || r->choice->session;
	return err;
}

static int pass_kept(struct reading *r)
{
	int err = 0;

	progress_end(&r->progress);
	session_keep_settle(&r->keep);
	for (size_t i = 0; i < r->keep.v.len && !err; i++, r->shown++)
		err = r->fn(r->arg, r->keep.v.data[i]);
	return err;
}

static int read_sessions(struct reading *r)
{
	struct report_input *input = r->input;
	struct session *session;
	unsigned int fails;
	bool first = true;
	int err;

	while (!input->stopped && (err = recording_next(input->recording, &session)) > 0) {
		if (input->size)
			progress_update_bytes(&r->progress, ftello(input->file), input->size);
		if (first)
			find_times(r, session);
		first = false;
		err = 0;
		fails = session_fails(&input->filter, session);
		/* Only asked for when nothing passes. */
		if (fails && !r->shown && !r->keep.v.len)
			report_facts_add(&input->facts, &input->filter, session, fails);
		if (fails)
			session_free(session);
		else
			err = pass_session(r, session);
		if (err)
			return err;
	}
	return input->stopped ? 0 : err;
}

int report_input_read(struct report_input *input, const struct trace_request *request,
		      const struct report_choice *choice, report_session_fn fn, void *arg,
		      uint64_t *ret_shown)
{
	const struct recording_meta *meta = recording_meta(input->recording);
	struct reading r = {
		.input = input, .request = request, .choice = choice, .fn = fn, .arg = arg,
		.keep = { .last = choice->tail, .order = choice->order,
			  .limit = request->max_sessions, .heads = choice->list },
	};
	_cleanup_(free_p) char *what = strf("Reading %s", input->name);
	int err;

	input->filter = (struct session_filter){
		.request = request, .plan = recording_plan(input->recording),
		.rules = meta->error_rules.data, .clock = &meta->clock, .number = choice->session,
	};
	r.seen = !input->gathers && isatty(STDOUT_FILENO);
	r.progress = progress_start(what ?: "Reading");
	err = read_sessions(&r);
	if (!err && session_keep_needed(&r.keep))
		err = pass_kept(&r);
	progress_end(&r.progress);
	session_keep_release(&r.keep);
	*ret_shown = input->shown = r.shown;
	return err;
}

void report_input_say_missing(const struct report_input *input)
{
	report_facts_say(&input->facts, &input->filter, input->shown, input->name);
}

void report_input_warn(const struct report_input *input, const struct recording_state *state)
{
	struct strbuf line = STRBUF_INIT;

	switch (state->damage) {
	case DAMAGE_UNREADABLE:
		strbuf_addf(&line, "reading fails behind byte %llu",
			    (unsigned long long)state->offset);
		break;
	case DAMAGE_BROKEN:
		strbuf_addf(&line, "it is damaged behind byte %llu, and nothing is shown from there "
			    "on", (unsigned long long)state->offset);
		break;
	case DAMAGE_CUT:
		strbuf_addf(&line, "it ends in the middle of something, behind byte %llu",
			    (unsigned long long)state->offset);
		break;
	default:
		if (!state->ended && !input->stopped)
			strbuf_addstr(&line, "it has no end: its run was killed, or goes on, here "
				      "or in a newer file");
	}
	if (state->skipped)
		strbuf_addf(&line, "%s%llu damaged part%s left out", line.len ? "; " : "",
			    (unsigned long long)state->skipped, state->skipped == 1 ? " is" : "s are");
	if (state->unknown)
		strbuf_addf(&line, "%s%llu part%s left out that only a newer retsnoop knows",
			    line.len ? "; " : "", (unsigned long long)state->unknown,
			    state->unknown == 1 ? " is" : "s are");
	if (line.len)
		warning("%s: %s", input->name, strbuf_str(&line));
	strbuf_release(&line);
}
