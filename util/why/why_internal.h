/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of conducting share. For why*.c only. */
#ifndef RETSNOOP_WHY_INTERNAL_H
#define RETSNOOP_WHY_INTERNAL_H

#include "util/capture/branches/branch_trim.h"
#include "util/kernel/code/fault_table.h"
#include "util/kernel/traceable.h"
#include "util/trace/explain/decider.h"
#include "util/trace/plan/plan.h"
#include "util/why/code_memory.h"
#include "util/why/pass.h"
#include "util/why/why.h"

/* Of so many calls that failed alike, any will do if all that are seen are the same. */
#define WHY_MANY_ALIKE 16

/* The kernel's code and what is known of it. */
struct why_code {
	struct kcore kcore;
	struct code_memory memory;	/* of kcore */
	struct code_source source;	/* the memory */
	struct code_reader reader;
	uint64_t system_calls;	/* the kernel's table of their functions; 0: not known */
	struct fault_table faults;
	bool have_faults;
	struct symbols *symbols;
	struct symbolizer *symbolizer;
	const struct traceable *traceable;	/* NULL: not known */
	struct kernel_btf *btf;	/* NULL: there is none */
	bool many;		/* thousands of functions can be attached at once */
	struct plan plan;	/* a function for each target, as deciding and views need it */
	struct decider *decider;
	struct branches branches;
};

/* Load what is needed. 0; -errno (reported). Release either way. */
int why_code_open(struct kernel *kernel, struct why_code *code);
void why_code_close(struct why_code *code);

/* Whether a function can be traced, and probes be put inside. */
bool why_can_trace(const struct why_code *code, const struct symbol *symbol);

/*
 * Functions that a function calls, those that they call, and so on, nearest first, as far as they
 * can be traced.
 *
 * @funcs	appended to, each once
 * @max		how many there may be in all
 */
int why_add_callees(struct why_code *code, const struct symbol *from, struct pass_ask *ask,
		    size_t max);

/*
 * Of a function that cannot be traced: rule out blocks that call what was traced and not called. As
 * narrow.h, this takes for granted that the way is the same in each run.
 *
 * @in		the activation that the function's calls are part of
 * @return	0; -ENOMEM
 */
int why_rule_out_by_calls(struct why_code *code, struct target *target, const struct pass *pass,
			  const struct activation *in);

/*
 * A branch that asked for what a call returned, which was the very result: compilers that know what
 * a function can return have it as a constant. So that call decided.
 *
 * @ret		its activation
 * @return	the function; NULL: it is not so, or no run is left to look into it
 */
const struct symbol *why_tested(struct why *why, const struct target *target,
				const struct pass *pass, const struct activation *in,
				struct activation *ret);

/* What every pass asks for. @call: NULL: not known before. Release with pass_ask_release(). */
void why_fill_ask(const struct why *why, const struct failed_call *call, struct pass_ask *ask);

/*
 * Run a pass, said before where it waits for the call, and keep what it cost and found for the
 * answer. As pass_run().
 */
int why_run_pass(struct why *why, const struct failed_call *call, struct pass_ask *ask,
		 struct pass *pass);

/*
 * Place the probes of all targets that are not decided yet, run a pass, and learn which probes the
 * kernel refused. As pass_run().
 *
 * @call	NULL: not known before; what ask->watch sees tells
 */
int why_attach(struct why *why, const struct failed_call *call, struct pass_ask *ask,
	       struct pass *pass);

/* The call to explain, of what was seen of system calls. 0; -EINVAL, -ENOMEM (reported). */
int why_choose(struct why *why, const struct call_choice *choice);

/* What is known of the chosen call without a trace. Whether it takes one. @entry: NULL: not known */
bool why_begin(struct why *why, const struct symbol *entry);

/* All in one run of the command: which calls failed, and a trace of one function (why_once.c). */
int why_run_once(struct why *why, const struct watch_ask *watch, const struct symbol *entry,
		 const struct call_choice *choice);

/*
 * After the branch is known: run the command once more for what it compared. Values that do not
 * agree with the branch are not taken. 0; -errno (reported).
 */
int why_read_values(struct why *why, const struct failed_call *call);

/* What a pass showed. */
enum why_next {
	WHY_DONE,	/* nothing more can be known */
	WHY_AGAIN,	/* another run may tell more */
	WHY_TORN,	/* something is missing in the trace, that another run may have */
};

/* Index of a function's target, which is added; -ENOMEM. */
int why_target(struct why *why, const struct symbol *symbol);

/*
 * Follow the result of the call from the system call's function down, as far as the pass tells.
 * 0 or -ENOMEM.
 */
int why_follow(struct why *why, const struct pass *pass, enum why_next *ret_next);

#endif
