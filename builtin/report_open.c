// SPDX-License-Identifier: BSD-2-Clause
/* Open a recording, and report which parts of it are missing. */
#include "builtin/report_open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"

static int open_file(struct report_input *input)
{
	bool standard = !strcmp(input->path, "-");
	struct stat st = {};

	if (standard && isatty(STDIN_FILENO))
		return report(-EINVAL, "a recording does not come from a terminal; give a file with "
				       "-i, or a pipe");
	input->file = standard ? fdopen(dup(STDIN_FILENO), "r") : fopen(input->path, "re");
	if (!input->file)
		return report(-errno, "cannot read %s: %s%s", input->name, strerror(errno),
			      !strcmp(input->path, REPORT_DEFAULT_PATH) && errno == ENOENT ?
				      "; 'retsnoop record' makes it, -i names another" : "");
	if (!fstat(fileno(input->file), &st) && S_ISDIR(st.st_mode))
		return report(-EISDIR, "%s is a directory, not a recording", input->name);
	input->is_file = S_ISREG(st.st_mode) && !standard;
	if (S_ISREG(st.st_mode)) {
		input->size = st.st_size;
		input->clock.written_ns = st.st_mtim.tv_sec * (int64_t)NSEC_PER_SEC +
					  st.st_mtim.tv_nsec;
	}
	return 0;
}

static int keep_facts(struct report_input *input)
{
	const struct recording_meta *meta = recording_meta(input->recording);
	struct clock_facts *clock = &input->clock;

	input->begin_ns = wall_clock_at(&meta->clock, meta->start_ns);
	if (meta->host && !input->host) {
		input->host = strdup(meta->host);
		if (!input->host)
			return report_oom();
	}
	input->readable = true;
	memcpy(input->run, meta->run, sizeof(input->run));
	input->part = meta->part;
	input->settings = meta->settings;
	input->nr_funcs = recording_plan(input->recording)->funcs.len;
	input->nr_refused = recording_plan(input->recording)->refused.len +
			    recording_attached(input->recording)->refused.len;
	clock->name = input->name;
	clock->host = input->host;
	clock->sync = meta->clock_sync;
	clock->error_us = meta->clock_error_us;
	clock->begin_ns = input->begin_ns;
	memcpy(clock->boot, meta->kernel.boot, sizeof(clock->boot));
	clock_facts_add_steps(clock, &meta->clock);
	return 0;
}

int report_input_open(const char *path, struct report_input *input)
{
	_cleanup_(free_p) char *what = NULL;
	struct progress progress;
	int err;

	input->path = path;
	input->name = strcmp(path, "-") ? path : "standard input";
	err = open_file(input);
	if (err)
		return err;
	what = strf("Reading %s", input->name);
	progress = progress_start(what ?: "Reading");
	err = recording_open(input->file, input->name, &input->recording);
	progress_end(&progress);
	return err ?: keep_facts(input);
}

void report_input_suspend(struct report_input *input)
{
	if (input->recording) {
		recording_state(input->recording, &input->state);
		clock_facts_add_steps(&input->clock, &recording_meta(input->recording)->clock);
	}
	recording_free(input->recording);
	input->recording = NULL;
	if (input->file)
		fclose(input->file);
	input->file = NULL;
	input->filter = (struct session_filter){};
}

void report_input_close(struct report_input *input)
{
	report_input_suspend(input);
	free(input->host);
	*input = (struct report_input){};
}

void report_input_state(const struct report_input *input, struct recording_state *ret_state)
{
	if (input->recording)
		recording_state(input->recording, ret_state);
	else
		*ret_state = input->state;
}

void report_input_warn(const struct report_input *input, bool goes_on)
{
	_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;
	struct recording_state now;
	const struct recording_state *state = &now;

	report_input_state(input, &now);
	switch (state->damage) {
	case DAMAGE_UNREADABLE:
		strbuf_addf(&line, "cannot be read after byte %llu",
			    (unsigned long long)state->offset);
		break;
	case DAMAGE_BROKEN:
		strbuf_addf(&line, "damaged after byte %llu; nothing after it is shown",
			    (unsigned long long)state->offset);
		break;
	case DAMAGE_CUT:
		strbuf_addf(&line, "truncated after byte %llu",
			    (unsigned long long)state->offset);
		break;
	default:
		if (!state->ended && !input->stopped && !goes_on)
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
}
