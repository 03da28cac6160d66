/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What can be added to a trace: arguments, points, branches, spans, or a summary in its place. Each is a
 * directory here and one row of functions. Loading and attaching go over the rows and name none.
 *
 * To add a capture: its rules in bpf/ with a switch in struct bpf_config; a directory with its struct
 * capture, in captures[] below; an option; what a view shows of it.
 */
#ifndef RETSNOOP_CAPTURE_CAPTURE_H
#define RETSNOOP_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

struct attachment;
struct bpf_config;
struct bpf_object;
struct plan;
struct trace_request;

/* What a capture is set up with; all borrowed. */
struct capture_setup {
	struct bpf_object *object;
	struct bpf_config *config;
	const struct plan *plan;
	const struct trace_request *request;
};

/* All functions may be NULL, but for the first. They return 0 or a negative errno. */
struct capture {
	/* Whether this run has it. */
	bool (*used)(const struct plan *plan, const struct trace_request *request);
	/* First, where it is used: what it needs that others made. Reported. */
	int (*open)(const struct capture_setup *setup);
	/*
	 * Before loading: its part of the configuration, the sizes of its maps, its programs. Always
	 * called, for what is not used may be left out.
	 */
	int (*configure)(const struct capture_setup *setup, bool used);
	/* After loading, where it is used: what its maps hold. Not reported. */
	int (*fill)(const struct capture_setup *setup);
	/* After the functions, where it is used: links of its own. Reported. */
	int (*attach)(struct attachment *attachment, const struct plan *plan);
};

extern const struct capture capture_args, capture_points, capture_branches, capture_summary,
	capture_spans;

#define NR_CAPTURES 5
extern const struct capture *const captures[NR_CAPTURES];

/* For those who set up: a map's size; its descriptor, negative when there is none. */
int capture_resize(const struct capture_setup *setup, const char *map, uint32_t entries);
int capture_map_fd(const struct capture_setup *setup, const char *map);

/* Have a program loaded, as one of that type (enum bpf_prog_type). -ENOENT: there is none. */
int capture_load_program(const struct capture_setup *setup, const char *name, int type);

#endif
