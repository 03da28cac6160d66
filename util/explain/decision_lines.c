// SPDX-License-Identifier: BSD-2-Clause
/*
 * The source lines of a decision.
 *
 * Compilers merge equal code: several `return -EINVAL;` become one, which has the line of any of
 * them. That is certain if a branch to it is further down in the source. Constants, and jumps
 * between statements, may have no code at all. So lines count as skipped only if they have work
 * to do, and none of it ran.
 */
#include "util/explain/decision_lines.h"

#include <errno.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/symbols/symbolizer.h"

/* Limits the time: lines are looked up for each instruction. */
#define MAX_INSTRUCTIONS 8192

static bool is_header(const char *file)
{
	return file && endswith(file, ".h");
}

/* The innermost frame whose source is no header. */
static int own_frame(const struct symbolized *found)
{
	for (int i = 0; i < found->nr_frames; i++) {
		if (!is_header(found->frames[i].file))
			return i;
	}
	return 0;
}

void place_fill(const struct code_reader *reader, uint64_t addr, bool is_return,
		struct decision_place *ret_place)
{
	struct decision_place place = { .addr = addr };
	const struct source_frame *frame;
	struct symbolized found = {};
	int own;

	symbolizer_lookup(reader->symbolizer, addr, is_return, &found);
	if (found.symbol) {
		place.symbol = found.symbol->name;
		place.offset = found.offset;
	}
	if (found.nr_frames) {
		own = own_frame(&found);
		frame = &found.frames[own];
		place.function = frame->function;
		place.file = frame->file;
		place.line = frame->line;
		place.column = frame->column;
		place.inlined = own + 1 < found.nr_frames;
		if (own) {
			place.header_function = found.frames[0].function;
			place.header_file = found.frames[0].file;
			place.header_line = found.frames[0].line;
		}
	}
	*ret_place = place;
}

/*
 * The number of inlined calls between the symbol's own frame and @function at that address; -1:
 * not there.
 */
static int level_of(const struct symbolized *found, const struct decision_place *place)
{
	for (int i = 0; i < found->nr_frames; i++) {
		const struct source_frame *frame = &found->frames[i];

		if (frame->function == place->function && frame->line == place->line &&
		    frame->file == place->file)
			return found->nr_frames - 1 - i;
	}
	return -1;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

struct lines {
	struct code_reader *reader;
	const struct decision_place *from; /* all other lines are of the same function */
	int level;
};

/* The place in the branch's own function that an address belongs to; line 0: none. */
static struct source_frame frame_at(const struct lines *lines, uint64_t addr)
{
	const struct source_frame *frame;
	struct symbolized found = {};

	symbolizer_lookup(lines->reader->symbolizer, addr, false, &found);
	if (found.nr_frames <= lines->level)
		return (struct source_frame){};
	frame = &found.frames[found.nr_frames - 1 - lines->level];
	if (!same_text(frame->function, lines->from->function) ||
	    !same_text(frame->file, lines->from->file))
		return (struct source_frame){};
	return *frame;
}

static uint32_t line_at(const struct lines *lines, uint64_t addr)
{
	return frame_at(lines, addr).line;
}

static bool ends_run(struct code_reader *reader, const struct branch_insn *insn)
{
	switch (insn->kind) {
	case BRANCH_JUMP:
	case BRANCH_RETURN:
	case BRANCH_INDIRECT_JUMP:
	case BRANCH_SYSTEM:
		return true;
	case BRANCH_CALL:
		return callee_at(reader, insn->target).kind == CALLEE_NO_RETURN;
	default:
		return false;
	}
}

/* The ways that lead to an address within a function. */
struct ways_there {
	uint32_t nr;
	bool unknown; /* there may be more ways */
	bool from_behind; /* one comes from a later line than its target's */
};

static void count_way(const struct lines *lines, uint64_t addr, uint32_t line,
		      struct ways_there *ways)
{
	uint32_t from = line_at(lines, addr);

	ways->nr++;
	if (!from || from > line)
		ways->from_behind = true;
}

static struct ways_there find_ways(const struct lines *lines, const struct code_function *function,
				   uint64_t to, uint32_t line)
{
	uint64_t end = function->addr + function->size, at = function->addr;
	struct ways_there ways = {};
	struct branch_insn insn;
	enum trap trap;

	for (; at < end; at += insn.length) {
		if (code_branch(lines->reader, at, &insn)) {
			ways.unknown = true;
			return ways;
		}
		if ((insn.kind == BRANCH_CONDITIONAL || insn.kind == BRANCH_JUMP) &&
		    insn.target == to)
			count_way(lines, at, line, &ways);
		else if (insn.kind == BRANCH_INDIRECT_JUMP)
			ways.unknown = true;
		if (at + insn.length != to)
			continue;
		trap = insn.kind == BRANCH_SYSTEM ? code_trap(lines->reader, function, at) :
						    TRAP_NONE;
		if (trap == TRAP_UNCLEAR)
			ways.unknown = true;
		else if (trap == TRAP_GOES_ON || !ends_run(lines->reader, &insn))
			count_way(lines, at, line, &ways);
	}
	/* The address is in a part elsewhere, and parts elsewhere jump back and forth. */
	if (to - function->addr >= function->size)
		ways.unknown = true;
	return ways;
}

/* Marks lines from a first one on. */
struct line_set {
	uint8_t *has_work;
	uint8_t *ran;
};

/*
 * Whether an instruction does a statement's own work. Loads of constants and jumps between
 * statements do not count: compilers move them, and leave them out.
 */
static bool is_work(struct code_reader *reader, uint64_t addr, const struct branch_insn *insn,
		    reg_set tested)
{
	const struct insn_effect *effect;

	switch (insn->kind) {
	case BRANCH_CALL:
	case BRANCH_INDIRECT_CALL:
		return true;
	case BRANCH_NONE:
		break;
	default:
		return false;
	}
	effect = code_effect(reader, addr);
	if (!effect)
		return false;
	if (effect->kind == EFFECT_LOAD || effect->kind == EFFECT_STORE ||
	    effect->kind == EFFECT_STORE_CONSTANT)
		return !effect->on_stack;
	if (effect->kind == EFFECT_CONSTANT)
		return false;
	/* A second comparison of the same values may have been decided with the branch. */
	return effect->sets_flags && !(effect->tests & tested);
}

/* The registers that the branch compares. */
static reg_set tested_by(struct code_reader *reader, const struct path *path, uint64_t branch)
{
	const struct insn_effect *effect;
	uint32_t i = path->steps.len;

	while (i > 0 && path->steps.data[i - 1].addr != branch)
		i--;
	while (i-- > 0) {
		effect = code_effect(reader, path->steps.data[i].addr);
		if (effect && effect->sets_flags)
			return effect->tests;
	}
	return 0;
}

/* At least a tab, four spaces, an operand of one letter and a space come before an operator. */
#define MIN_OPERATOR_COLUMN 8
/* The number of instructions of a condition that are examined. */
#define MAX_CONDITION 128

/*
 * The first line that certainly does not have the compared operands. In a condition over several
 * lines, each branch has the line of an operator, which is at a line's end: its operands are on
 * the next line.
 *
 * @begins	the branch's place is no operator at a line's end: code follows on the line, or it
 *		is where only statements begin
 */
static uint32_t first_behind(const struct decision_place *from, const struct decision_place *tested,
			     bool begins)
{
	if (same_text(tested->function, from->function) && tested->line > from->line)
		return tested->line + 1;
	return from->line + (begins ? 1 : 2);
}

/* Whether code follows on the branch's line, to the right of it. */
static bool goes_on_behind(const struct lines *lines, const struct code_function *function)
{
	const struct decision_place *from = lines->from;
	struct branch_insn insn;

	for (uint64_t at = function->addr; at - function->addr < function->size;
	     at += insn.length) {
		struct source_frame frame = frame_at(lines, at);

		if (frame.line == from->line && frame.column > from->column)
			return true;
		if (code_branch(lines->reader, at, &insn))
			break;
	}
	return false;
}

/* Whether a statement of the branch's own function begins at an address. */
static bool statement_begins(const struct lines *lines, uint64_t addr)
{
	struct symbolized found = {};

	symbolizer_lookup(lines->reader->symbolizer, addr, false, &found);
	return found.nr_frames == lines->level + 1 && found.frames[0].statement;
}

/*
 * Whether the branch's condition continues on later lines: with another branch to the same
 * target.
 */
static bool goes_on_below(const struct lines *lines, const struct code_function *function,
			  const struct branch_insn *branch)
{
	uint64_t at = lines->from->addr + branch->length;
	struct branch_insn insn;

	for (int i = 0; i < MAX_CONDITION && at - function->addr < function->size; i++) {
		if (statement_begins(lines, at) || code_branch(lines->reader, at, &insn))
			return false;
		if (insn.kind == BRANCH_CONDITIONAL && insn.target == branch->target &&
		    line_at(lines, at) > lines->from->line)
			return true;
		if (ends_run(lines->reader, &insn))
			return false;
		at += insn.length;
	}
	return false;
}

/*
 * The line of the operands that the branch compares. GCC gives the branch the place of the
 * operator before them. In kernel code, that operator is at a line's end if the condition
 * continues on later lines and no code follows on the line.
 */
static uint32_t condition_line(const struct lines *lines, const struct code_function *function,
			       const struct decision_place *tested)
{
	const struct decision_place *from = lines->from;
	struct branch_insn branch;

	if (from->column < MIN_OPERATOR_COLUMN || from->header_function ||
	    statement_begins(lines, from->addr) ||
	    code_branch(lines->reader, from->addr, &branch) || goes_on_behind(lines, function))
		return from->line;
	if (tested->line == from->line + 1 && !tested->header_function &&
	    same_text(tested->function, from->function) && same_text(tested->file, from->file))
		return from->line + 1;
	return goes_on_below(lines, function, &branch) ? from->line + 1 : from->line;
}

/*
 * Find the first consecutive lines, between the branch's line and its target's, that have work to
 * do and did not run.
 */
static int find_skipped(const struct lines *lines, const struct code_function *function,
			const struct path *path, uint32_t first, uint32_t last,
			struct decision *decision)
{
	uint64_t end = function->addr + function->size;
	reg_set tested = tested_by(lines->reader, path, lines->from->addr);
	struct line_set set = {};
	const struct decision_place *from = lines->from;
	bool first_there = true, alone = true;
	struct branch_insn insn;
	uint32_t line;

	set.has_work = calloc(2, last - first + 1);
	if (!set.has_work)
		return -ENOMEM;
	set.ran = set.has_work + (last - first + 1);
	for (uint64_t at = function->addr; at < end; at += insn.length) {
		struct source_frame frame = frame_at(lines, at);

		if (code_branch(lines->reader, at, &insn))
			break;
		if (frame.line == from->line && frame.column != from->column) {
			alone = false;
			first_there &= frame.column > from->column;
		}
		if (frame.line >= first && frame.line <= last &&
		    is_work(lines->reader, at, &insn, tested))
			set.has_work[frame.line - first] = 1;
	}
	for (uint32_t i = 0; i < path->steps.len; i++) {
		line = line_at(lines, path->steps.data[i].addr);
		if (line >= first && line <= last)
			set.ran[line - first] = 1;
	}
	line = first_behind(from, &decision->tested,
			    first_there && (!alone || from->column < MIN_OPERATOR_COLUMN));
	for (; line <= last; line++) {
		if (set.has_work[line - first] && !set.ran[line - first]) {
			if (!decision->skipped_first)
				decision->skipped_first = line;
			decision->skipped_last = line;
		} else if (decision->skipped_first) {
			break;
		}
	}
	free(set.has_work);
	return 0;
}

/* Fill in where a taken branch led to, and the lines that it skipped. */
static int fill_taken(const struct lines *lines, const struct code_function *function,
		      const struct path *path, uint64_t to, struct decision *decision)
{
	const struct decision_place *from = lines->from;
	struct ways_there ways;
	uint32_t line, first, last;

	line = line_at(lines, to);
	if (!line)
		return 0;
	/* The target may be in a call inlined there. */
	decision->to.function = from->function;
	decision->to.file = from->file;
	decision->to.line = line;
	decision->to.column = 0;
	ways = find_ways(lines, function, to, line);
	decision->to_shared = ways.nr != 1 || ways.unknown;
	decision->to_merged = decision->to_shared && (ways.from_behind || ways.unknown);
	if (line <= from->line + 1)
		return 0;
	first = from->line + 1;
	last = line - 1;
	/*
	 * Code that ran before the oldest record is not known; in a loop, these lines may have
	 * run.
	 */
	if (path->begin != PATH_WHOLE)
		return 0;
	return find_skipped(lines, function, path, first, last, decision);
}

int decision_lines_fill(struct code_reader *reader, const struct code_function *function,
			const struct path *path, uint64_t to, struct decision *decision)
{
	struct decision_place from = decision->from;
	struct lines lines = { .reader = reader, .from = &from };
	struct symbolized found = {};
	uint32_t line;
	int err = 0;

	place_fill(reader, to, false, &decision->to);
	symbolizer_lookup(reader->symbolizer, from.addr, false, &found);
	lines.level = level_of(&found, &from);
	if (!from.file || !from.line || lines.level < 0 || function->size > 4 * MAX_INSTRUCTIONS)
		return 0;
	if (decision->kind == DECISION_TAKEN)
		err = fill_taken(&lines, function, path, to, decision);
	line = condition_line(&lines, function, &decision->tested);
	if (line != from.line) {
		decision->from.line = line;
		decision->from.column = 0;
	}
	return err;
}
