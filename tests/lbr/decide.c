/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which branch decided in a function of an arm64 kernel, from the way that QEMU saw it take: for
 * tests/lbr/oracle, in a machine with the plugin steps.c. Nothing of the kernel is traced meanwhile.
 *
 * lbr-decide ERRNO FUNCTION COMMAND [ARG]...
 *
 * Runs the command. Prints, for each call of the function that returned the error, in any task,
 * "FUNCTION KIND LIKELY SYMBOL+OFFSET", or "FUNCTION KIND LIKELY -" where nothing of it decided.
 *
 * Exit status: 0; 1 no call of the function returned that; 2 usage; 3 this machine cannot.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lbr/steps.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/errnames.h"
#include "util/explain/decision.h"
#include "util/explain/stack_rows.h"
#include "util/kernel/kernel.h"
#include "util/view/session/decision_view.h"
#include "util/why/why_internal.h"

/* An address in no code: who calls the function, and what indirect calls lead to. */
#define ELSEWHERE 1

struct way_log {
	struct why_code code;
	struct code_function function;
	VEC(struct step) steps;
	VEC(bool) used;		/* of each step: it is part of a call that was looked at */
	long result;		/* that is wanted */
	uint32_t found;
};

#if defined(__aarch64__)
/* The hint, with registers as the plugin takes and gives them. */
static long ask(enum steps_request request, unsigned long arg[4])
{
	register unsigned long x0 asm("x0") = request;
	register unsigned long x1 asm("x1") = arg[0];
	register unsigned long x2 asm("x2") = arg[1];
	register unsigned long x3 asm("x3") = arg[2];
	register unsigned long x4 asm("x4") = arg[3];

	asm volatile("hint #112" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3), "+r"(x4) : : "memory");
	arg[0] = x1;
	arg[1] = x2;
	arg[2] = x3;
	return x0;
}
#else
static long ask(enum steps_request request, unsigned long arg[4])
{
	return request;
}
#endif

static int run(char **command)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return report(-errno, "cannot fork");
	if (!pid) {
		execvp(command[0], command);
		_exit(127);
	}
	return waitpid(pid, &status, 0) == pid ? 0 : -errno;
}

/* Run the command, and take the log of it. */
static int take_log(struct way_log *log, const struct symbol *cold, char **command)
{
	unsigned long arg[4] = { log->function.addr, log->function.addr + log->function.size };
	long nr;

	if (cold) {
		arg[2] = cold->addr;
		arg[3] = cold->addr + cold->size;
	}
	if (ask(STEPS_START, arg) != STEPS_DONE)
		return report(-ENODEV, "nothing logs branches here: needs scripts/vm --lbr, arm64");
	if (run(command))
		return -ECHILD;
	nr = ask(STEPS_STOP, arg);
	for (long i = 0; i < nr; i++) {
		struct step step;

		arg[0] = i;
		step.stack = ask(STEPS_GET, arg);
		step.first = arg[0];
		step.last = arg[1];
		step.result = arg[2];
		if (vec_push(&log->steps, step) || vec_push(&log->used, false))
			return report_oom();
	}
	return 0;
}

static int add(struct branches *branches, uint64_t from, uint64_t to)
{
	struct branch branch = { .from = from, .to = to, .times = 1 };

	branches->nr_shown++;
	branches->nr_recorded++;
	return vec_push(&branches->v, branch) ? report_oom() : 0;
}

/* The step of the same task that comes next; the number of steps: none. */
static size_t next_step(const struct way_log *log, size_t at)
{
	size_t i = at + 1;

	while (i < log->steps.len && log->steps.data[i].stack != log->steps.data[at].stack)
		i++;
	return i;
}

enum end { GOES_ON, ENDED, LOST };

/* What the step's last instruction did, going by the step that comes next in the call. */
static enum end add_step(struct way_log *log, struct branches *branches, const struct step *step,
			 const struct step *next)
{
	struct branch_insn insn;
	uint64_t after = step->last + 4;

	if (code_branch(&log->code.reader, step->last, &insn))
		return LOST;
	switch (insn.kind) {
	case BRANCH_RETURN:
		return add(branches, step->last, ELSEWHERE) ? LOST : ENDED;
	case BRANCH_CALL:
	case BRANCH_INDIRECT_CALL:
		if (!next || next->first != after ||
		    add(branches, step->last, insn.target ?: ELSEWHERE) ||
		    add(branches, ELSEWHERE, after))
			return LOST;
		return GOES_ON;
	case BRANCH_CONDITIONAL:
		if (!next || (next->first != after && next->first != insn.target))
			return LOST;
		if (next->first == after && insn.target != after)
			return GOES_ON;
		return add(branches, step->last, next->first) ? LOST : GOES_ON;
	case BRANCH_JUMP:
		if (!next || next->first != insn.target)
			return LOST;
		return add(branches, step->last, next->first) ? LOST : GOES_ON;
	case BRANCH_INDIRECT_JUMP:
		return !next || add(branches, step->last, next->first) ? LOST : GOES_ON;
	default:
		return next && next->first == after ? GOES_ON : LOST;
	}
}

/*
 * The branches of the call that begins at a step. A step that was cut short by a fault or an interrupt goes
 * on in the middle, in the next one.
 */
static bool follow(struct way_log *log, size_t at, struct branches *branches, uint64_t *ret_result)
{
	branches->v.len = 0;
	branches->nr_shown = branches->nr_recorded = 0;
	branches->none_left = false;
	if (add(branches, ELSEWHERE, log->function.addr))
		return false;
	for (;;) {
		const struct step *step = &log->steps.data[at], *next;
		size_t next_at = next_step(log, at);

		log->used.data[at] = true;
		next = next_at < log->steps.len ? &log->steps.data[next_at] : NULL;
		switch (add_step(log, branches, step, next)) {
		case ENDED:
			*ret_result = step->result;
			return true;
		case LOST:
			if (!next || next->first <= step->first || next->first > step->last)
				return false;
			break;
		default:
			break;
		}
		at = next_at;
	}
}

static int print_decision(struct way_log *log, uint64_t result)
{
	static const struct stack_rows no_stack;
	const struct session session = { .failed = true, .nr_branches = 1, .branches_result = result };
	_cleanup_(decision_release) struct decision decision = {};
	int err = decide(log->code.decider, &session, &log->code.branches, &no_stack, &decision);

	if (err)
		return err;
	printf("%s %s %s ", log->function.name, decision_kind_word(decision.kind),
	       decision.likely ? "true" : "false");
	if (decision.kind != DECISION_NONE && decision.kind != DECISION_CALLEE && decision.from.symbol)
		printf("%s+%llu\n", decision.from.symbol,
		       (unsigned long long)decision.from.offset);
	else
		printf("-\n");
	log->found++;
	return 0;
}

static int decide_calls(struct way_log *log)
{
	uint64_t result;
	int err = 0;

	for (size_t i = 0; i < log->steps.len && !err; i++) {
		if (log->used.data[i] || log->steps.data[i].first != log->function.addr)
			continue;
		if (follow(log, i, &log->code.branches, &result) && (int32_t)result == log->result)
			err = print_decision(log, result);
	}
	return err;
}

static int find_function(struct way_log *log, const char *name, const struct symbol **ret_cold)
{
	_cleanup_(free_p) char *cold = strf("%s.cold", name);
	const struct symbol *const *named;
	struct plan_func func = { .returns = RETURN_INT32 };

	if (symbols_named(log->code.symbols, name, &named) != 1)
		return report(-ENOENT, "no function %s, or several", name);
	log->function = (struct code_function){ named[0]->addr, named[0]->size, named[0]->name };
	func.addr = named[0]->addr;
	func.size = named[0]->size;
	func.name = named[0]->name;
	func.module = named[0]->module;
	*ret_cold = cold && symbols_named(log->code.symbols, cold, &named) ? named[0] : NULL;
	return vec_push(&log->code.plan.funcs, func) ? report_oom() : 0;
}

int main(int argc, char **argv)
{
	const struct symbolizer_options options = { .level = SYMBOLIZE_NONE, .live = true };
	const struct symbol *cold = NULL;
	struct way_log log = {};
	struct kernel *kernel;
	int err;

	if (argc < 4 || errno_parse(argv[1]) <= 0) {
		fprintf(stderr, "usage: lbr-decide ERRNO FUNCTION COMMAND [ARG]...\n");
		return 2;
	}
	log.result = -errno_parse(argv[1]);
	if (kernel_new(&options, &kernel))
		return 3;
	err = why_code_open(kernel, &log.code);
	err = err ?: find_function(&log, argv[2], &cold);
	err = err ?: take_log(&log, cold, argv + 3);
	err = err ?: decide_calls(&log);
	vec_release(&log.steps);
	vec_release(&log.used);
	why_code_close(&log.code);
	kernel_free(kernel);
	return err ? 3 : !log.found;
}
