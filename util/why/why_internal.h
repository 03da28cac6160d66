/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the parts that conduct the runs. For why*.c only. */
#ifndef RETSNOOP_WHY_WHY_INTERNAL_H
#define RETSNOOP_WHY_WHY_INTERNAL_H

#include "util/explain/decider.h"
#include "util/kernel/code/fault_table.h"
#include "util/kernel/code/patched_code.h"
#include "util/kernel/live_code.h"
#include "util/kernel/symbols/data_symbols.h"
#include "util/kernel/traceable.h"
#include "util/plan/plan.h"
#include "util/trace/attach/features.h"
#include "util/trace/attach/kept_kprobes.h"
#include "util/trace/branches/branch_trim.h"
#include "util/why/code_memory.h"
#include "util/why/pass.h"
#include "util/why/why.h"

/*
 * If at least this many calls failed alike, and all that were seen are the same, any of them is
 * accepted.
 */
#define WHY_MANY_ALIKE 16

/* The kernel's code and facts about it. */
struct why_code {
	struct live_code live;
	struct features features;	/* of the kernel that runs */
	struct kept_kprobes kprobes;	/* of the passes so far */
	struct code_memory memory;	/* of live */
	struct code_source source;	/* the memory */
	struct code_reader reader;
	struct data_symbols data;	/* variables that conditions name */
	uint64_t system_calls;	/* the kernel's table of their functions; 0: not known */
	struct fault_table faults;
	bool have_faults;
	struct patched_code patched;
	struct symbols *symbols;
	struct symbolizer *symbolizer;
	const struct traceable *traceable;	/* NULL: not known */
	struct kernel_btf *btf;	/* NULL: there is none */
	bool many;		/* thousands of functions can be attached at once */
	struct plan plan;	/* a function for each target, for the decider and views */
	struct decider *decider;
	struct branches branches;
};

/* Numbers of system calls are far below. */
#define MAX_SYSCALLS 1024

/* The function of a system call of 64-bit programs; NULL: not known. */
const struct symbol *why_code_syscall(struct why_code *code, uint32_t nr);

/* Load it. 0; -errno (reported). Release either way. */
int why_code_open(struct kernel *kernel, struct why_code *code);
/* The command may have had modules loaded, and failed in one. 0; -errno (reported). */
int why_code_learn_modules(struct kernel *kernel, struct why_code *code);
/* Whether the functions of system calls can be found. 0; -EIO, -ENOMEM (reported). */
int why_code_check_calls(struct why_code *code);
/* Its message: what is wrong with /proc/kcore, and the remedy for that user. free() it; NULL: no memory. */
char *why_code_no_kcore(int err, unsigned int uid);
void why_code_close(struct why_code *code);

/* Whether a function can be traced and probed inside. */
bool why_can_trace(const struct why_code *code, const struct symbol *symbol);
/*
 * Whether link-time optimisation put a system call's function into the one that calls those of all (x64_sys_call(), Linux
 * 6.9), which calls others, and not this one. False if it is not known.
 */
bool why_is_inlined_syscall(struct why_code *code, const struct symbol *entry);

/* Whether it may be of use to know why the function returned what it did, and can be found out. */
bool why_has_reasons(const struct why_code *code, const struct symbol *symbol);

/* Whether the function can return an error, as far as is known. */
bool why_may_return_error(const struct why_code *code, const struct symbol *symbol);

/*
 * Add a function's direct and indirect callees that can be traced, nearest first.
 *
 * @funcs	appended to, each once
 * @max		limit of all functions in it
 */
int why_add_callees(struct why_code *code, const struct symbol *from, struct pass_ask *ask,
		    size_t max);

/*
 * Add the functions whose code makes an errno, and where these cannot be traced, as in lib/, who calls them. The
 * one that refused is probably among them, even if it was called through pointers. Its failure has a stack, which
 * shows the way to it in the first run; but not the functions that end with a jump through a pointer, which are
 * added, too.
 *
 * @err		the errno, positive
 * @max		if there are more, callers are left out; if there still are, none is added
 * @return	0, also if the code cannot be read; -ENOMEM (reported)
 */
int why_add_producers(struct why_code *code, int err, struct pass_ask *ask, size_t max);

/*
 * For a function that cannot be traced: rule out blocks that call traced functions that were not
 * called. Like narrow.h, this assumes that the way is the same in each run.
 *
 * @in		the activation that the function's calls are part of
 * @return	0; -ENOMEM
 */
int why_rule_out_by_calls(struct why_code *code, struct target *target, const struct pass *pass,
			  const struct activation *in);

/*
 * For a way that its probes left ambiguous: find more of it, given the calls that were made in the
 * same pass. 0; -ENOMEM.
 */
int why_find_way_by_calls(struct why_code *code, struct target *target, const struct pass *pass,
			  const struct activation *in);

/*
 * For a large function that was traced, before it is examined: prefer blocks that its calls do not
 * rule out. 0; -ENOMEM.
 */
int why_want_by_calls(struct why_code *code, struct target *target, const struct pass *pass);

/*
 * A branch tested a call's result, which equals the final result: compilers that know a function's
 * possible results use a constant then. So that call decided.
 *
 * @ret		its activation
 * @ret_before	the deciding branch came after that test, and found no exception
 * @ret_several	so did other calls of that function; it is the last one
 * @return	the function; NULL: no such branch, or no run is left to examine it
 */
const struct symbol *why_tested(struct why *why, const struct target *target,
				const struct pass *pass, const struct activation *in,
				struct activation *ret, bool *ret_before, bool *ret_several);

/*
 * Fill in the parts common to all passes. @call NULL: not known yet. Release with
 * pass_ask_release().
 */
void why_fill_ask(const struct why *why, const struct failed_call *call, struct pass_ask *ask);

/*
 * Run a pass, with a message if it waits for the call, and keep its cost and findings for the
 * answer. Returns as pass_run().
 */
int why_run_pass(struct why *why, const struct failed_call *call, struct pass_ask *ask,
		 struct pass *pass);

/*
 * Place the probes of all undecided targets, run a pass, and learn which probes the kernel refused.
 * Returns as pass_run().
 *
 * @call	NULL: not known yet; ask->watch finds it
 */
int why_attach(struct why *why, const struct failed_call *call, struct pass_ask *ask,
	       struct pass *pass);

/* Why an answer is likely: one of several activations was examined. */
extern const char why_repeated[];

/*
 * If the call keeps BPF programs from running on its CPU for a while (bpf_disable_instrumentation() in
 * include/linux/bpf.h, Linux 5.10 to 7.2), so that another run will not show more: this as a reason. Else NULL.
 */
const char *why_kept_off(const struct why *why);

/*
 * Whether the functions that cannot be traced, between @outer and the function at @inner, surely passed up what
 * the latter returned, by the kernel's stack and their code.
 */
bool why_surely_passed(const struct why *why, const struct pass *pass, const struct target *outer, uint64_t inner,
		       uint64_t result);

/*
 * The function whose result decided, with DECISION_CALLEE. NULL: not known; if it was called
 * through a pointer, the next pass may show it (target_wants_pointer()).
 */
const struct symbol *why_callee(struct why *why, struct target *target, const struct pass *pass,
				const struct activation *in);

/*
 * The function that was called through a pointer, if the branch that decided asked whether it had failed.
 * NULL: it is not so, or not known.
 *
 * @ret_again	the next pass will show it, or trace it
 */
const struct symbol *why_tested_through(struct why *why, struct target *target, const struct pass *pass,
					const struct activation *in, bool *ret_again);

/*
 * The address of the function whose result the branch that decided compared with a constant, if it is worth a look.
 * 0: there is none, or it is not known.
 */
uint64_t why_tested_function(struct why *why, struct target *target, const struct pass *pass,
			     const struct activation *in);

/* Probes of a run that looks into it; TARGET_NO_PROBE: none. */
struct tested_probes {
	uint32_t values;	/* for those that the last function's branch compared */
	uint32_t returned;	/* where the call whose result was tested returns to */
};

/*
 * Add what the next run shows of that function, and of those that it got its result from (why_tested.c). 0; -ENOMEM
 * (reported).
 *
 * @probes	appended to
 * @ask		functions are appended
 */
int why_place_tested(struct why *why, struct probes *probes, struct pass_ask *ask, struct tested_probes *ret);

/*
 * Take what a run showed.
 *
 * @in		the activation of the function whose branch decided
 * @asked	as why_place_tested() returned it
 * @ret_again	another run may show more
 * @return	0; -ENOMEM (reported)
 */
int why_take_tested(struct why *why, const struct pass *pass, struct activation in, const struct tested_probes *asked,
		    bool *ret_again);

/*
 * The hit of a probe that @again more hits follow. NULL: there are fewer, or the kernel refused
 * the probe.
 */
const struct traced_call *why_hit_of(const struct pass *pass, const struct activation *in, uint32_t probe,
				     uint32_t again);

/* Leave out what was not found out. */
void why_end_tested(struct why *why);

/*
 * End the answer with a function that returned the result, and that no run is left to look into. @function NULL: one
 * that was called through a pointer, and may have returned it.
 */
void why_end_with_unseen(struct why *why, const char *function);

/*
 * Of the last function, nothing is known yet if its way is not: another run may have shown it. @reason: why there was
 * none.
 */
void why_end_interrupted(struct why *why, const char *reason);

/*
 * Leave out the last function if no run has traced it: whether it returned the result is its caller's
 * decision, which may be likely. Returns its name; NULL: there is none.
 */
const char *why_drop_unseen(struct why *why);

/*
 * If the caller passed the result to the function, and got it from another call, then that call
 * is the caller's decision. Returns its function; NULL: it is not so.
 */
const struct symbol *why_passed(struct why *why, const struct target *target, struct target *caller);

/* Choose the call to explain among the watched system calls. 0; -EINVAL, -ENOMEM (reported). */
int why_choose(struct why *why, const struct call_choice *choice);

/* Answer without a trace if possible. Returns whether a trace is needed. @entry: NULL: not known */
bool why_begin(struct why *why, const struct symbol *entry);

/* In one run of the command, find the failed calls and trace one function (why_once.c). */
int why_run_once(struct why *why, const struct watch_ask *watch, const struct symbol *entry,
		 const struct call_choice *choice);

/* Note that more runs than are allowed would be needed, and what one run could do. 0; -ENOMEM (reported). */
int why_note_out_of_runs(struct why *why);

/*
 * With a known branch: run the command once more for the values that it compared. Values that do
 * not agree with the branch are ignored. 0; -errno (reported).
 */
int why_read_values(struct why *why, const struct failed_call *call);

/* The outcome of a pass. */
enum why_next {
	WHY_DONE,	/* nothing more can be known */
	WHY_AGAIN,	/* another run may tell more */
	WHY_TORN,	/* the trace is incomplete; another run may be complete */
};

/* Add probes in a function for the next run. 0; -ENOMEM. */
int why_place(struct why *why, struct target *target, struct probes *probes);

/*
 * Fill in ask->probes: in every function that is not decided yet, outer functions first. 0; -ENOMEM (reported).
 */
int why_place_probes(struct why *why, struct pass_ask *ask);

/* Copy the kind of the function's result from the pass's plan, for views. */
void why_set_kind(struct why *why, uint32_t target, const struct pass *pass);

/*
 * Take the values that a target's branch compared from the probe on it. They may remove a doubt about the decision.
 *
 * @in		its activation
 */
void why_take_values(struct why *why, struct target *target, const struct pass *pass, const struct activation *in,
		     uint32_t probe);

/* Whether the function is, or was, to be examined. */
bool why_is_target(const struct why *why, const struct symbol *symbol);

/* The symbol of a target's function. */
const struct symbol *why_symbol_of(const struct why *why, const struct target *target);

/* Whether the result is known to have come through a target's function. */
bool why_is_level(const struct why *why, uint32_t target);

/* Index of a function's target, added if missing; -ENOMEM. */
int why_target(struct why *why, const struct symbol *symbol);

/*
 * The function whose result a function without a branch returns: no run is needed to know it. 0,
 * and *ret_symbol NULL: there is none; -ENOMEM (reported).
 */
int why_certain_callee(struct why *why, uint32_t index, uint64_t result,
		       const struct symbol **ret_symbol);

/* A function's decision: none, for a reason. */
void why_not_known(struct target *target, const char *reason);

/*
 * Find the way through a function by the hits of its probes, and the decision on it. target->decided stays
 * false if another run may show it. Without a command, each pass sees another call: all have to take the same
 * way. 0; -ENOMEM (reported).
 */
int why_look(struct why *why, uint32_t index, const struct pass *pass, const struct activation *in);

/*
 * Decide a function that has one way only, which no probe is needed for once it is known that it was called.
 * Returns 1; 0: it has several; -ENOMEM (reported).
 */
int why_look_one_way(struct why *why, uint32_t index, uint64_t result);

/*
 * The same before a run that examines a function with breakpoints: decide what has one way only, or rule out
 * blocks. 0; -ENOMEM (reported).
 */
int why_look_untraced(struct why *why, uint32_t index, const struct pass *pass, const struct activation *in);

/*
 * If the caller passed the result to the function, find where the caller got it from. Returns 1; 0:
 * it is not so; -ENOMEM (reported).
 */
int why_find_passed(struct why *why, const struct target *target, uint32_t caller_index, uint64_t result);

/*
 * Add targets for functions whose result is certainly returned, from the last level on: they are
 * examined in the same run. Returns the index of
 * the last one, or of the last level's; -ENOMEM (reported).
 */
int why_add_certain(struct why *why);

/*
 * Add targets for the functions of the pass's chain and stack that failed so: they likely passed
 * the result up. 0; -ENOMEM (reported).
 */
int why_add_hints(struct why *why, const struct pass *pass);

/*
 * Of a request through io_uring, with why->kept_at set: the function of its opcode, which returns its error, or keeps
 * it in the request. NULL: not known, or it cannot be traced.
 */
const struct symbol *why_request_begin(struct why *why, const struct watch_event *request);

/* Why the function that made a request fail is not looked for; NULL: it is. */
const char *why_request_unknown(const struct why *why, const struct failed_call *call);

/* The first run did not see that function fail so: begin with io_issue_sqe. 0, why->unknown set included; -ENOMEM. */
int why_request_begin_again(struct why *why, const struct failed_call *call);

/* Why there is no answer if that was not seen to fail so either. */
const char *why_request_refuser(const struct why *why);

/* Whether the function stored the error in a request. */
static inline bool why_is_kept(const struct why *why, const struct target *target)
{
	return target->stored_at && target->stored_at == why->kept_at;
}

/* The member of a request that has its error. */
extern const char why_request_member[];

/* What the function to begin with did with the error. */
enum why_kept {
	WHY_RETURNED,
	WHY_KEPT,		/* in the request, which was complete */
	WHY_KEPT_ELSEWHERE,	/* the request had it, and is completed elsewhere */
};

/* Take the mark from the entry call's result, that of why_follow() and others that compare more than its lower half. */
enum why_kept why_request_take_kept(const struct why *why, uint64_t *result);

/* The function to begin with, the first target, keeps the error in the request, or returns it. */
void why_request_set_kept(struct why *why, struct target *target, bool kept);

/* Forget all targets and levels. */
void why_release_targets(struct why *why);

/* Follow the result from the system call's function down, as the pass shows. 0; -ENOMEM. */
int why_follow(struct why *why, const struct pass *pass, enum why_next *ret_next);

#endif
