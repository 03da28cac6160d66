/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Captures: data added to a trace, such as arguments, points, branches and spans, or a summary in
 * its place. Each has one row of functions (util/trace/capture). Planning, loading and attaching call
 * all rows, and name none.
 *
 * What only one capture does has no function here, and run.c calls it by name: branches are
 * recorded before attach methods are chosen (branch_run.h), a summary is due at times, in place of
 * sessions (summary_run.h), and spans need to follow processes (context_watch.h). Arguments, points
 * and branches of a session are parts of its records: the assembler and the decoder read them as
 * they read stacks and traces (util/trace/session).
 *
 * To add a capture: its rules in bpf/ with a switch in struct bpf_config; a directory in
 * util/trace; its struct capture, in util/trace/capture, with its row in captures[] (and
 * NR_CAPTURES); an option; its output in a view. A record of its own needs a kind in bpf/event.h, a
 * feed_NAME() in util/trace/session/assembler.c, and members of struct session, which the views
 * read. Collecting and recording pass on records of any kind; only if it has addresses,
 * symbol_needs_record() must find them.
 */
#ifndef RETSNOOP_PLAN_CAPTURE_H
#define RETSNOOP_PLAN_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

struct attached;
struct attachment;
struct bpf_config;
struct bpf_object;
struct kernel;
struct plan;
struct trace_request;

/* The parts that captures are set up with; all borrowed. */
struct capture_setup {
	struct bpf_object *object;
	struct bpf_config *config;
	const struct plan *plan;
	const struct trace_request *request;
	uint32_t first;		/* fill(): functions before this one are there already */
};

/* All functions may be NULL, but for used(). They return 0 or a negative errno. */
struct capture {
	/*
	 * Its part of a plan, as far as the request asks for it, and releasing that part. Called
	 * when the plan has its functions. Reported.
	 */
	int (*plan)(struct kernel *kernel, const struct trace_request *request, struct plan *plan);
	void (*unplan)(struct plan *plan);
	/* Whether this run uses the capture. */
	bool (*used)(const struct plan *plan, const struct trace_request *request);
	/* First, if it is used: get what it needs from others. Reported. */
	int (*open)(const struct capture_setup *setup);
	/*
	 * Before loading: its part of the configuration, the sizes of its maps, its programs.
	 * Always called: an unused capture can leave out its maps and programs.
	 */
	int (*configure)(const struct capture_setup *setup, bool used);
	/* After loading, if it is used: fill its maps. Not reported. */
	int (*fill)(const struct capture_setup *setup);
	/* After functions are attached, if it is used: attach its own links. Reported. */
	int (*attach)(struct attachment *attachment, const struct plan *plan,
		      struct attached *attached);
};

/* In util/trace/capture/capture_NAME.c. */
extern const struct capture capture_args, capture_points, capture_branches, capture_summary,
	capture_spans;

/* The table is in util/trace/capture/captures.c, with the functions below. */
#define NR_CAPTURES 5
extern const struct capture *const captures[NR_CAPTURES];

/* For captures: set a map's size; get its descriptor, negative if there is no such map. */
int capture_resize(const struct capture_setup *setup, const char *map, uint32_t entries);
int capture_map_fd(const struct capture_setup *setup, const char *map);

/*
 * Have a program held back, to be copied with its type (attachment_copy_program()): libbpf from 1.2 on would forget,
 * with the type that it has now, the handler of its section, which holds it back. -ENOENT: no such program.
 */
int capture_hold_program(const struct capture_setup *setup, const char *name);

#endif
