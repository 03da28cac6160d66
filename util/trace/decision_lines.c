// SPDX-License-Identifier: BSD-2-Clause
/*
 * What decisions look like in source code.
 *
 * Compilers merge code that is the same: several `return -EINVAL;` become one, which has the line of
 * any of them. Code that only one branch leads to is that branch's own, and its line can be taken at
 * its word. Where more lead, the line is shown only if it is behind all of them, and lines are called
 * passed over only if they have code, and it did not run.
 */
#include "util/trace/decision_lines.h"

#include <errno.h>
#include <string.h>

#include "util/kernel/symbolizer.h"

/* Lines are looked up for each instruction. */
#define MAX_INSTRUCTIONS 8192

static bool is_header(const char *file)
{
	size_t len = file ? strlen(file) : 0;

	return len > 2 && !strcmp(file + len - 2, ".h");
}

/* The innermost frame that is not a header's. */
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

/* How many calls outward from the symbol's own frame @function is, at that address; -1: not there. */
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
	const struct decision_place *from; /* the others are lines of the same function's */
	int level;
};

/* The line in the branch's own function that an address belongs to; 0: none. */
static uint32_t line_at(const struct lines *lines, uint64_t addr)
{
	const struct source_frame *frame;
	struct symbolized found = {};

	symbolizer_lookup(lines->reader->symbolizer, addr, false, &found);
	if (found.nr_frames <= lines->level)
		return 0;
	frame = &found.frames[found.nr_frames - 1 - lines->level];
	if (!same_text(frame->function, lines->from->function) ||
	    !same_text(frame->file, lines->from->file))
		return 0;
	return frame->line;
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
		return callee_kind(reader, insn->target) == CALLEE_NO_RETURN;
	default:
		return false;
	}
}

/* What leads to an address within a function. */
struct ways_there {
	uint32_t nr;
	bool unknown; /* there may be more */
	bool from_behind; /* one of them is of a later line than where it leads to */
};

static void count_way(const struct lines *lines, uint64_t addr, uint32_t line,
		      struct ways_there *ways)
{
	uint32_t from = line_at(lines, addr);

	ways->nr++;
	if (!from || from > line)
		ways->from_behind = true;
}

static struct ways_there find_ways(const struct lines *lines, const struct function *function,
				   uint64_t to, uint32_t line)
{
	uint64_t end = function->addr + function->size, at = function->addr;
	struct ways_there ways = {};
	struct branch_insn insn;

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
		if (at + insn.length == to && !ends_run(lines->reader, &insn))
			count_way(lines, at, line, &ways);
	}
	/* Parts elsewhere jump back, and it may be one itself. */
	if (to - function->addr >= function->size)
		ways.unknown = true;
	return ways;
}

/* Sets bits for lines from @first on. */
struct line_set {
	uint32_t first, nr;
	uint8_t *has_code;
	uint8_t *ran;
};

static bool path_ran(const struct lines *lines, const struct path *path, uint32_t first,
		     uint32_t last, struct line_set *set)
{
	bool any = false;

	for (uint32_t i = 0; i < path->steps.len; i++) {
		uint32_t line = line_at(lines, path->steps.data[i].addr);

		if (line < first || line > last)
			continue;
		any = true;
		if (set)
			set->ran[line - first] = 1;
	}
	return any;
}

/* The first lines that have code, one after the other, and did not run. */
static int find_skipped(const struct lines *lines, const struct function *function,
			const struct path *path, uint32_t first, uint32_t last,
			struct decision *decision)
{
	uint64_t end = function->addr + function->size;
	struct line_set set = { .first = first, .nr = last - first + 1 };
	struct branch_insn insn;

	set.has_code = calloc(2, set.nr);
	if (!set.has_code)
		return -ENOMEM;
	set.ran = set.has_code + set.nr;
	for (uint64_t at = function->addr; at < end; at += insn.length) {
		uint32_t line = line_at(lines, at);

		if (line >= first && line <= last)
			set.has_code[line - first] = 1;
		if (code_branch(lines->reader, at, &insn))
			break;
	}
	path_ran(lines, path, first, last, &set);
	for (uint32_t i = 0; i < set.nr; i++) {
		if (set.has_code[i] && !set.ran[i]) {
			if (!decision->skipped_first)
				decision->skipped_first = first + i;
			decision->skipped_last = first + i;
		} else if (decision->skipped_first) {
			break;
		}
	}
	free(set.has_code);
	return 0;
}

int decision_lines_fill(struct code_reader *reader, const struct function *function,
			const struct path *path, uint64_t to, struct decision *decision)
{
	struct decision_place *from = &decision->from;
	struct lines lines = { .reader = reader, .from = from };
	struct symbolized found = {};
	struct ways_there ways;
	uint32_t line, first, last;

	place_fill(reader, to, false, &decision->to);
	symbolizer_lookup(reader->symbolizer, from->addr, false, &found);
	lines.level = level_of(&found, from);
	if (decision->kind != DECISION_TAKEN || !from->file || !from->line || lines.level < 0 ||
	    function->size > 4 * MAX_INSTRUCTIONS)
		return 0;
	line = line_at(&lines, to);
	if (!line)
		return 0;
	ways = find_ways(&lines, function, to, line);
	decision->to_shared = ways.nr != 1 || ways.unknown;
	if (decision->to_shared && (ways.from_behind || ways.unknown)) {
		decision->to.line = 0;
		return 0;
	}
	if (line <= from->line + 1)
		return 0;
	first = from->line + 1;
	last = line - 1;
	/* What ran before the oldest record is not known; in a loop that may have been these lines. */
	if (path->begin != PATH_WHOLE)
		return 0;
	if (decision->to_shared)
		return find_skipped(&lines, function, path, first, last, decision);
	if (!path_ran(&lines, path, first, last, NULL)) {
		decision->skipped_first = first;
		decision->skipped_last = last;
	}
	return 0;
}
