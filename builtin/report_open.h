/* SPDX-License-Identifier: BSD-2-Clause */
/* One recording being read: its file, and warnings about missing parts of it. */
#ifndef RETSNOOP_BUILTIN_REPORT_OPEN_H
#define RETSNOOP_BUILTIN_REPORT_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "util/trace/record/recording_read.h"
#include "util/trace/session/session_filter.h"
#include "util/view/lists/clock_check.h"

#define REPORT_DEFAULT_PATH "retsnoop.data"

/* A recording that is being read. Zeroed: none. */
struct report_input {
	const char *path;	/* borrowed */
	const char *name;	/* borrowed; for messages */
	FILE *file;		/* NULL: closed */
	uint64_t size;		/* of the file; 0 not known */
	bool is_file;		/* it can be closed and read again; a pipe cannot */
	struct recording *recording;	/* NULL: closed */
	struct session_filter filter;	/* while it is open */
	/* Kept while it is closed. */
	struct recording_state state;
	char *host;		/* owned; NULL: not known */
	int64_t begin_ns;	/* of its run, since the epoch */
	struct clock_facts clock;
	uint8_t run[RECORDING_RUN_ID];
	uint32_t part;
	struct trace_request settings;	/* those that are recorded; owns nothing */
	uint32_t nr_funcs, nr_refused;
	bool readable;		/* it could be opened */
	bool left_out;		/* it has no part that is shown */
	bool stopped;		/* reading ended early: no more sessions were asked for */
};

/* @path: "-" is standard input. 0; -errno (reported). Close it either way. */
int report_input_open(const char *path, struct report_input *input);

/* Close the file and free the recording, after updating the members that are kept. */
void report_input_suspend(struct report_input *input);
void report_input_close(struct report_input *input);

/* The state now, or when it was closed. */
void report_input_state(const struct report_input *input, struct recording_state *ret_state);

/* One line on stderr if parts of the recording could not be read. @goes_on: in another file that is read */
void report_input_warn(const struct report_input *input, bool goes_on);

#endif
