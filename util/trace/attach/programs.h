/* SPDX-License-Identifier: BSD-2-Clause */
/* The BPF object: the variant for this kernel, configured, loaded, with its maps. */
#ifndef RETSNOOP_TRACE_ATTACH_PROGRAMS_H
#define RETSNOOP_TRACE_ATTACH_PROGRAMS_H

#include <stdint.h>

#include "bpf/cost.h"
#include "bpf/event.h"
#include "util/ask/request.h"
#include "util/plan/plan.h"
#include "util/trace/attach/features.h"
#include "util/trace/attach/held_programs.h"

struct bpf_object;
struct btf;

/* Roles of programs in the rungs. */
enum program_role {
	PROGRAM_ENTRY,	/* also the only one of session rungs */
	PROGRAM_EXIT,
	NR_PROGRAM_ROLES,
};

struct programs {
	struct bpf_object *object;
	struct held_programs held;
	const struct trace_request *request;
	uint32_t rungs;		/* RUNG_BIT()s of the rungs that they were prepared for */
	/* By rung; -1 not loaded. Not for the fentry rung: each function has copies. */
	int fds[NR_RUNGS][NR_PROGRAM_ROLES];
	int fork_fd;		/* follows the workload's children; -1 */
	int exit_fd;		/* follows threads that end */
	int events_fd;		/* ring buffer */
	bool entry_stacks;	/* stacks come from entries: session_rules */
};

/* A copy of the program @name, with an index in the place of its cookie. fd or negative errno. */
int programs_copy_indexed(const struct programs *programs, const char *name, int type,
			  uint64_t index);

/* Before loading: have a program of a raw tracepoint loaded with the others. false: there is none of that name. */
bool programs_want_raw(struct bpf_object *object, const char *name);

/**
 * Create maps, and prepare programs for the plan's rungs.
 *
 * @kernel_types	of the running kernel; NULL: it has no BTF
 * @rungs	RUNG_BIT()s of the rungs that functions may be attached with
 * @follow	follow the workload's children
 * @return	0; negative errno (reported)
 */
int programs_load(const struct btf *kernel_types, const struct features *features, uint32_t rungs,
		  const struct plan *plan, const struct trace_request *request, bool follow,
		  struct programs **ret_programs);
void programs_free(struct programs *programs);

/* Load the programs of a rung, if they are not loaded yet. 0; negative errno (reported). */
int programs_load_rung(struct programs *programs, enum rung rung);

/* Tell BPF of functions that were appended to the plan, from @first on. 0; -errno (not reported). */
int programs_fill_more(const struct programs *programs, const struct features *features,
		       const struct plan *plan, uint32_t first);

/* A function's cookie for BPF (bpf/event.h). */
uint64_t programs_cookie(const struct plan *plan, uint32_t func);

/**
 * A copy of a tracing program for another target.
 *
 * @rung	RUNG_FENTRY: for one function, its @cookie patched in;
 *		RUNG_FSESSION_MULTI: for the functions of a module, @btf_id 0
 * @btf_fd	BTF of the module that has the function; 0 vmlinux
 * @return	file descriptor; negative errno (not reported)
 */
int programs_copy(const struct programs *programs, enum rung rung, enum program_role role,
		  uint64_t cookie, uint32_t btf_id, int btf_fd);

/* Switch recording on or off. */
void programs_record(const struct programs *programs, bool on);

/* Put a thread group into the filter; @verdict FILTER_ALLOW or FILTER_DENY. */
int programs_add_pid(const struct programs *programs, uint32_t pid, uint8_t verdict);

/* The array of cgroups that are traced, if the request has any; borrowed. */
int programs_cgroups_fd(const struct programs *programs);

/* Put a directory of cgroup2 into an array of cgroups, @map_fd. 0; -errno (reported). */
int programs_put_cgroup(int map_fd, uint32_t index, const char *path);

int programs_stats(const struct programs *programs, struct event_stats *ret_stats);

/* How many sessions of tasks are open: their entry calls have not returned. 0 if it cannot be read. */
uint32_t programs_open_calls(const struct programs *programs);

/*
 * Print, at -vv, the numbers of free session slots and open sessions. Takes the free slots: call it
 * at the end, when nothing is traced any more.
 */
void programs_say_slots(const struct programs *programs);

/* A map by its name in bpf/; borrowed. Negative errno: there is none. */
int programs_map_fd(const struct programs *programs, const char *name);

/* BPF's counts for --budget (bpf/budget.bpf.h), summed over CPUs. 0; -errno (not reported). */
int budget_cpus_read(const struct programs *programs, struct budget_cpu *ret_sum);

/* The same for the function with this index in the plan. */
int budget_func_read(const struct programs *programs, uint32_t func, struct budget_func *ret_sum);

/* Write @control to BPF. 0; -errno (not reported). */
int budget_control_write(const struct programs *programs, const struct budget_control *control);

#endif
