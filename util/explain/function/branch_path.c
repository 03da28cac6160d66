// SPDX-License-Identifier: BSD-2-Clause
/*
 * The way a function took. Records are followed from its return backwards: each run of code begins
 * where the record before went to. What is between a call and its return, by whatever way, is not
 * the function's: the return is known by where it goes. Interrupts come back to where they cut in.
 */
#include "util/explain/function/branch_path.h"

#include <errno.h>

/* Longer ways have not been seen, and their beginning would not be read. */
#define MAX_STEPS 20000

/* Code that ran straight on. */
struct path_run {
	uint64_t start;
	uint64_t last; /* its last instruction; the run may be this alone */
	uint32_t record; /* how it ended */
	uint32_t back; /* if by a call: the record of the return */
	bool interrupted; /* before `last`, which was not run then */
	bool exception; /* by `last`, which is done */
};

struct search {
	struct code_reader *reader;
	const struct code_function *function;
	const struct branch *records;
	uint32_t first, end;
	struct path *path;
};

static bool is_usable(const struct branch *record)
{
	return !(record->marks & BRANCH_IS_BLANK);
}

static bool is_mine(const struct branch *record)
{
	return is_usable(record) && !(record->marks & BRANCH_IS_INTERRUPT);
}

static bool is_inside(const struct search *s, uint64_t addr)
{
	return function_contains(s->reader, s->function, addr);
}

/* The usable record before @i; NO_RECORD: none. */
static uint32_t record_before(const struct search *s, uint32_t i)
{
	while (i > s->first) {
		if (is_usable(&s->records[--i]))
			return i;
	}
	return NO_RECORD;
}

/* The last record by which the function is left for good. */
static uint32_t find_leave(const struct search *s)
{
	for (uint32_t i = s->end; i-- > s->first;) {
		const struct branch *record = &s->records[i];
		struct branch_insn insn;

		if (!is_mine(record) || !is_inside(s, record->from) || is_inside(s, record->to))
			continue;
		if (code_branch(s->reader, record->from, &insn))
			return i;
		if (insn.kind != BRANCH_CALL && insn.kind != BRANCH_INDIRECT_CALL &&
		    insn.kind != BRANCH_SYSTEM)
			return i;
	}
	return NO_RECORD;
}

static bool is_call_to_return_at(const struct search *s, const struct branch *record, uint64_t to)
{
	struct branch_insn insn;

	if (!is_inside(s, record->from) || to <= record->from || to - record->from > INSN_MAX_LENGTH ||
	    code_branch(s->reader, record->from, &insn))
		return false;
	return (insn.kind == BRANCH_CALL || insn.kind == BRANCH_INDIRECT_CALL) &&
	       record->from + insn.length == to;
}

/* Whether it is a return to there, and not a jump, which has nothing to do with calls. */
static bool is_return_to(const struct search *s, const struct branch *record, uint64_t to)
{
	struct branch_insn insn;

	if (record->to != to)
		return false;
	return !is_inside(s, record->from) || code_branch(s->reader, record->from, &insn) ||
	       insn.kind == BRANCH_RETURN;
}

/* The call that record @back returns from: the function may have called itself in between. */
static uint32_t find_call(const struct search *s, uint32_t back)
{
	uint64_t to = s->records[back].to;
	unsigned int inner = 0;

	for (uint32_t i = back; i-- > s->first;) {
		const struct branch *record = &s->records[i];

		if (!is_mine(record))
			continue;
		if (is_call_to_return_at(s, record, to)) {
			if (!inner--)
				return i;
		} else if (is_return_to(s, record, to)) {
			inner++;
		}
	}
	return NO_RECORD;
}

/*
 * The code between where @run began and the end of it, which the record before tells. Returns the
 * record that ends the run before, which *ret_run is made ready for, or NO_RECORD: that is all.
 */
static uint32_t find_start(const struct search *s, uint64_t body, struct path_run *run,
			   uint32_t end, struct path_run *ret_run)
{
	uint32_t prev = record_before(s, end), call;
	const struct branch *record;
	struct branch_insn insn;

	s->path->begin = PATH_OLDER;
	run->start = run->last;
	if (prev == NO_RECORD)
		return NO_RECORD;
	record = &s->records[prev];
	/* A call whose type was checked on the way in. */
	if (is_preamble_of(s->reader, s->function, record->to)) {
		run->start = s->function->addr;
		s->path->begin = PATH_WHOLE;
		return NO_RECORD;
	}
	if (!is_inside(s, record->to)) {
		s->path->begin = PATH_MISMATCH;
		return NO_RECORD;
	}
	run->start = record->to;
	if (record->marks & BRANCH_IS_INTERRUPT) {
		uint32_t cut = prev;

		/* One interrupt after the other comes back to the same place. */
		for (uint32_t i = prev; i != NO_RECORD; i = record_before(s, i)) {
			if (!(s->records[i].marks & BRANCH_IS_INTERRUPT))
				break;
			cut = i;
			if (is_inside(s, s->records[i].from))
				break;
		}
		if (!is_inside(s, s->records[cut].from))
			return NO_RECORD;
		*ret_run = (struct path_run){ .last = s->records[cut].from,
					      .record = NO_RECORD,
					      .back = NO_RECORD };
		ret_run->interrupted = record->to == ret_run->last;
		ret_run->exception = !ret_run->interrupted;
		if (ret_run->interrupted)
			return cut;
		if (code_branch(s->reader, ret_run->last, &insn) ||
		    ret_run->last + insn.length != record->to) {
			s->path->begin = PATH_EXCEPTION;
			return NO_RECORD;
		}
		return cut;
	}
	/* From elsewhere to its beginning, or a call of itself. */
	if (record->to >= s->function->addr && record->to <= body) {
		bool own = is_inside(s, record->from);

		if (!own || (!code_branch(s->reader, record->from, &insn) &&
			     (insn.kind == BRANCH_CALL || insn.kind == BRANCH_INDIRECT_CALL))) {
			s->path->begin = PATH_WHOLE;
			return NO_RECORD;
		}
	}
	*ret_run = (struct path_run){ .last = record->from, .record = prev, .back = NO_RECORD };
	if (is_inside(s, record->from)) {
		if (code_branch(s->reader, record->from, &insn) || insn.kind != BRANCH_RETURN)
			return prev;
	}
	call = find_call(s, prev);
	if (call == NO_RECORD)
		return NO_RECORD;
	*ret_run = (struct path_run){ .last = s->records[call].from, .record = call, .back = prev };
	return call;
}

static int add_step(struct path *path, const struct path_step *step)
{
	return path->steps.len < MAX_STEPS ? vec_push(&path->steps, *step) : -E2BIG;
}

/*
 * Whether a run may go on after an instruction.
 */
static bool goes_on(const struct branch_insn *insn)
{
	return insn->kind == BRANCH_NONE || insn->kind == BRANCH_CONDITIONAL;
}

/* 0; -EFAULT it cannot be read; -EINVAL it does not lead to the end; -E2BIG; -ENOMEM. */
static int add_run(const struct search *s, const struct path_run *run)
{
	struct path_step step = { .record = NO_RECORD, .back = NO_RECORD };
	int err;

	for (uint64_t at = run->start;; at = step.next) {
		if (at == run->last && run->interrupted)
			return 0;
		step.addr = at;
		err = code_branch(s->reader, at, &step.insn);
		if (err)
			return err;
		step.next = at + step.insn.length;
		if (at == run->last) {
			/* AMD names the first of a compare and a jump that it has fused. */
			if (step.insn.kind == BRANCH_NONE && run->record != NO_RECORD) {
				err = add_step(s->path, &step);
				step.addr = at = step.next;
				if (!err)
					err = code_branch(s->reader, at, &step.insn);
				if (err)
					return err;
				if (step.insn.kind != BRANCH_CONDITIONAL)
					return -EINVAL;
			}
			break;
		}
		if (at > run->last || !goes_on(&step.insn))
			return -EINVAL;
		err = add_step(s->path, &step);
		if (err)
			return err;
	}
	step.record = run->record;
	step.back = run->back;
	step.exception = run->exception;
	if (run->record != NO_RECORD)
		step.next = s->records[run->back != NO_RECORD ? run->back : run->record].to;
	return add_step(s->path, &step);
}

/* Runs, newest first, into steps. Runs older than an impossible one are dropped. */
static int add_runs(const struct search *s)
{
	struct path *path = s->path;
	int err;

	for (size_t i = path->runs.len; i-- > 0;) {
		err = add_run(s, &path->runs.data[i]);
		if (err == -ENOMEM)
			return err;
		if (err) {
			path->steps.len = 0;
			path->begin = err == -EFAULT ? PATH_UNREADABLE : PATH_MISMATCH;
		}
	}
	return path->steps.len ? 0 : -ENOENT;
}

static int find_with_all(const struct search *s)
{
	uint32_t end = find_leave(s);
	uint64_t body = function_body(s->reader, s->function);
	struct path_run run, older = {};

	if (end == NO_RECORD)
		return -ENOENT;
	run = (struct path_run){ .last = s->records[end].from, .record = end, .back = NO_RECORD };
	while (end != NO_RECORD) {
		end = find_start(s, body, &run, end, &older);
		if (vec_push(&s->path->runs, run))
			return -ENOMEM;
		run = older;
	}
	return add_runs(s);
}

/*
 * From one recorded branch to the next, or to the return, through jumps and over calls, which are
 * not recorded.
 *
 * @to	NO_RECORD: to the return
 */
static int add_stretch(const struct search *s, uint64_t from, uint32_t to)
{
	struct path_step step = { .record = NO_RECORD, .back = NO_RECORD };
	int err;

	for (uint64_t at = from;; at = step.next) {
		step.addr = at;
		err = code_branch(s->reader, at, &step.insn);
		if (err)
			return err;
		step.next = at + step.insn.length;
		if (to != NO_RECORD && at == s->records[to].from) {
			step.record = to;
			step.next = s->records[to].to;
			return add_step(s->path, &step);
		}
		switch (step.insn.kind) {
		case BRANCH_JUMP:
			step.next = step.insn.target;
			break;
		case BRANCH_RETURN:
		case BRANCH_INDIRECT_JUMP:
			return to == NO_RECORD && step.insn.kind == BRANCH_RETURN ?
				       add_step(s->path, &step) :
				       -EINVAL;
		case BRANCH_SYSTEM:
			/* It came back, or there would be no return: a warning. */
			step.exception = code_trap(s->reader, s->function, at) != TRAP_NONE;
			if (!step.exception)
				return -EINVAL;
			break;
		default:
			break;
		}
		err = add_step(s->path, &step);
		if (err)
			return err;
		step.exception = false;
		if (!is_inside(s, step.next))
			return to == NO_RECORD && step.insn.kind == BRANCH_JUMP ? 0 : -EINVAL;
	}
}

/* Only conditional branches are there. */
static int find_with_conditionals(const struct search *s)
{
	uint32_t from = NO_RECORD;
	int err;

	for (uint32_t i = s->first; i < s->end; i++) {
		const struct branch *record = &s->records[i];
		struct branch_insn insn;

		if (!is_mine(record) || !is_inside(s, record->from) || !is_inside(s, record->to) ||
		    code_branch(s->reader, record->from, &insn) || insn.kind != BRANCH_CONDITIONAL)
			continue;
		if (from == NO_RECORD) {
			struct path_step step = { .addr = record->from,
						  .next = record->to,
						  .insn = insn,
						  .record = i,
						  .back = NO_RECORD };

			err = add_step(s->path, &step);
		} else {
			err = add_stretch(s, s->records[from].to, i);
			if (err && err != -ENOMEM) {
				s->path->steps.len = 0;
				s->path->begin = PATH_MISMATCH;
				err = 0;
			}
		}
		if (err)
			return err;
		from = i;
	}
	if (from == NO_RECORD)
		return -ENOENT;
	err = add_stretch(s, s->records[from].to, NO_RECORD);
	return err && err != -ENOMEM ? -ENOENT : err;
}

int path_find(struct code_reader *reader, const struct code_function *function,
	      const struct branches *branches, uint32_t first, uint32_t end, bool all_kinds,
	      struct path *path)
{
	const struct search search = {
		.reader = reader,
		.function = function,
		.records = branches->v.data,
		.first = first,
		.end = end,
		.path = path,
	};

	path->steps.len = path->runs.len = 0;
	path->begin = PATH_OLDER;
	return all_kinds ? find_with_all(&search) : find_with_conditionals(&search);
}

uint32_t path_times_again(const struct path *path, uint32_t step)
{
	uint32_t nr = 0;

	for (uint32_t i = step + 1; i < path->steps.len; i++)
		nr += path->steps.data[i].addr == path->steps.data[step].addr;
	return nr;
}

void path_release(struct path *path)
{
	vec_release(&path->steps);
	vec_release(&path->runs);
}
