// SPDX-License-Identifier: BSD-2-Clause
/* Recordings: opening them, going through them, and saying what is missing. */
#include "builtin/report_open.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin/report_options.h"
#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/trace/ask/request.h"
#include "util/trace/record/recording_path.h"
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
		return report(-EISDIR, "%s is a folder, not a recording", input->name);
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

int report_redirect(const char *path)
{
	_cleanup_(close_fd) int fd = output_path_create(path);

	if (fd < 0)
		return fd;
	if (dup2(fd, STDOUT_FILENO) < 0)
		return report(-errno, "cannot write %s: %s", path, strerror(errno));
	return 0;
}

int report_input_read(struct report_input *input, const struct trace_request *request,
		      report_session_fn fn, void *arg, uint64_t *ret_shown)
{
	const struct session_filter filter = {
		.request = request,
		.plan = recording_plan(input->recording),
		.rules = recording_meta(input->recording)->error_rules.data,
	};
	_cleanup_(free_p) char *what = strf("Reading %s", input->name);
	struct progress progress = progress_start(what ?: "Reading");
	bool seen = !input->gathers && isatty(STDOUT_FILENO);
	struct session *session;
	int err;

	*ret_shown = 0;
	while ((err = recording_next(input->recording, &session)) > 0) {
		bool passes = session_passes(&filter, session);

		if (input->size)
			progress_update_bytes(&progress, ftello(input->file), input->size);
		if (passes && seen)
			progress_end(&progress);
		err = passes ? fn(arg, session) : 0;
		session_free(session);
		*ret_shown += passes;
		input->stopped = passes && *ret_shown == request->max_sessions;
		if (err || input->stopped)
			break;
	}
	progress_end(&progress);
	return err;
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
