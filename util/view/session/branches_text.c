// SPDX-License-Identifier: BSD-2-Clause
/* The CPU's branches before a session's result, as text. */
#include "util/view/session/branches_text.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/style.h"
#include "util/base/text/errnames.h"
#include "util/plan/attached.h"
#include "util/view/session/code_place.h"
#include "util/view/session/view.h"

/* "[#31] " */
#define NR_WIDTH 6
#define ARROW "  ->  "

/* Widths of a session's columns. */
struct widths {
	size_t from_symbol;
	size_t from_source;
	size_t to_symbol;
};

/* The sources of a session's cells. */
struct cells {
	struct strbuf *cell;
	const struct view_context *context;
	const struct explained *explained;
};

/* The symbol of one side; on further lines, a call inlined there. "" if there is none. */
static const char *symbol_cell(const struct cells *cells, const struct place *side, uint32_t line)
{
	const struct source_frame *source = place_source(&cells->explained->places, side, line);

	strbuf_clear(cells->cell);
	if (!line)
		code_symbol_add(cells->cell, cells->context, side);
	else if (source)
		code_inlined_add(cells->cell, cells->context, source);
	return strbuf_str(cells->cell);
}

static const char *source_cell(const struct cells *cells, const struct place *side, uint32_t line)
{
	strbuf_clear(cells->cell);
	code_source_add(cells->cell, place_source(&cells->explained->places, side, line));
	return strbuf_str(cells->cell);
}

static uint32_t lines_of(const struct branch_row *row)
{
	uint32_t lines = row->from.nr_sources > row->to.nr_sources ? row->from.nr_sources :
								     row->to.nr_sources;

	return lines ?: 1;
}

static struct widths measure_columns(const struct cells *cells)
{
	struct widths widths = {};

	vec_foreach(row, &cells->explained->branches.v) {
		for (uint32_t i = 0; i < lines_of(row); i++) {
			widen_column(&widths.from_symbol, symbol_cell(cells, &row->from, i));
			widen_column(&widths.from_source, source_cell(cells, &row->from, i));
			widen_column(&widths.to_symbol, symbol_cell(cells, &row->to, i));
		}
	}
	return widths;
}

/* Inlined calls are listed below the function that contains them. */
static enum style symbol_style(uint32_t line)
{
	return line ? STYLE_ASIDE : STYLE_NAME;
}

/* Returns the columns taken. */
static size_t add_cell(struct strbuf *text, const struct view_context *context, enum style style,
		       const char *cell)
{
	style_add(text, context->color, style, cell);
	return strlen(cell);
}

/* Notes on a record, in parentheses. */
static void add_remark(struct strbuf *text, bool *any, const char *remark)
{
	strbuf_addstr(text, *any ? ", " : "  (");
	strbuf_addstr(text, remark);
	*any = true;
}

static void add_remarks(struct strbuf *text, const struct cells *cells,
			const struct branch *branch)
{
	const struct view_context *context = cells->context;
	static const struct {
		uint32_t mark;
		const char *text;
	} marks[] = {
		{ BRANCH_IS_INTERRUPT, "interrupt" },
		{ BRANCH_IS_TRACING, "tracing" },
		{ BRANCH_IS_DUPLICATE, "duplicate" },
		{ BRANCH_IS_BLANK, "blank" },
	};
	unsigned int cycles = BRANCH_CYCLES(branch->flags);
	size_t start = text->len;
	char counted[32];
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		if (branch->marks & marks[i].mark)
			add_remark(text, &any, marks[i].text);
	}
	if (branch->times > 1 && !context->explain.settings->branches_full) {
		snprintf(counted, sizeof(counted), "%u times", branch->times);
		add_remark(text, &any, counted);
	}
	if (context->verbose && branch->flags & BRANCH_MISPREDICTED)
		add_remark(text, &any, "mispredicted");
	if (context->verbose && branch->flags & BRANCH_IN_TX)
		add_remark(text, &any, "in transaction");
	if (context->verbose && branch->flags & BRANCH_ABORT)
		add_remark(text, &any, "abort");
	if (context->verbose && cycles) {
		snprintf(counted, sizeof(counted), "%u cycle%s", cycles, cycles == 1 ? "" : "s");
		add_remark(text, &any, counted);
	}
	if (any)
		strbuf_addch(text, ')');
	style_since(text, start, context->color, STYLE_ASIDE);
}

/* The cells of one side, without blanks after the last text. Returns the columns taken. */
static size_t add_side(const struct cells *cells, struct strbuf *text, const struct place *side,
		       uint32_t line, size_t symbol_width)
{
	size_t columns = add_cell(text, cells->context, symbol_style(line),
				  symbol_cell(cells, side, line));
	const char *source = source_cell(cells, side, line);

	if (!*source)
		return columns;
	strbuf_pad(text, (int)symbol_width - (int)columns + 2, ' ');
	return symbol_width + 2 + add_cell(text, cells->context, STYLE_PLACE, source);
}

static void add_line(const struct cells *cells, struct strbuf *text, const struct branch_row *row,
		     uint32_t line, const struct widths *widths)
{
	size_t end = widths->from_symbol + (widths->from_source ? 2 + widths->from_source : 0);
	bool has_to = !line || line < row->to.nr_sources;
	size_t start = text->len, columns;

	if (line)
		strbuf_pad(text, NR_WIDTH, ' ');
	else if (row->branch->nr == BRANCH_NO_NR)
		strbuf_addstr(text, "[ ~ ] ");
	else
		strbuf_addf(text, "[#%02u] ", row->branch->nr);
	style_since(text, start, cells->context->color, STYLE_ASIDE);
	columns = add_side(cells, text, &row->from, line, widths->from_symbol);
	if (has_to) {
		strbuf_pad(text, (int)end - (int)columns, ' ');
		if (line)
			strbuf_pad(text, strlen(ARROW), ' ');
		else
			strbuf_addstr(text, ARROW);
		add_side(cells, text, &row->to, line, widths->to_symbol);
	}
	if (!line)
		add_remarks(text, cells, row->branch);
	strbuf_addch(text, '\n');
}

/*
 * Suggest options that keep more of the function's branches in the records, and fewer of tracing.
 */
static void add_hint(struct strbuf *text, const struct explain_context *context,
		     const struct plan_func *func)
{
	if (func && !rung_is_trampoline(context->attached->rungs[func - context->plan->funcs.data]))
		strbuf_addstr(text, "; --attach=fentry takes fewer");
	else if (context->branch_types & PERF_SAMPLE_BRANCH_ANY)
		strbuf_addstr(text, "; --lbr=any_return reaches back further");
	else if (context->branch_types)
		strbuf_addstr(text, "; --lbr=any keeps all kinds");
}

static void add_none(struct strbuf *text, const struct explain_context *context,
		     const struct session *session, const struct branches *branches)
{
	const struct plan_func *func = branches_func(context->plan, session);

	if (!branches->nr_recorded) {
		strbuf_addstr(text, "no branches: the CPU recorded none of the kinds asked for");
		return;
	}
	strbuf_addf(text, "no branch of %s is left: ", func ? func->name : "the function");
	strbuf_addstr(text, vec_find(branch, &branches->v, branch->marks & BRANCH_IS_INTERRUPT) ?
				    "tracing and interrupts took " :
				    "tracing took ");
	if (branches->nr_recorded == 1)
		strbuf_addstr(text, "the only record");
	else
		strbuf_addf(text, "all %u records", branches->nr_recorded);
	add_hint(text, context, func);
}

static void add_error(struct strbuf *text, int err)
{
	const char *name = errno_name(-err);

	strbuf_addstr(text, "branches not captured: ");
	if (err == -ENOENT || err == -EOPNOTSUPP)
		strbuf_addstr(text, "this CPU keeps no records of them");
	else if (name)
		strbuf_addf(text, "the kernel says %s", name);
	else
		strbuf_addf(text, "the kernel says %d", err);
}

void branches_missing_add(struct strbuf *text, const struct explained *explained)
{
	const struct session *session = explained->session;

	if (session->branches_err)
		add_error(text, session->branches_err);
	else if (!session->branches && session->no_branches)
		strbuf_addstr(text, "branches not captured");
	else if (session->branches && explained->branches.branches.none_left)
		add_none(text, explained->context, session, &explained->branches.branches);
}

int branches_text_add(struct branches_text *self, struct strbuf *text,
		      const struct view_context *context, const struct explained *explained)
{
	const struct cells cells = { &self->cell, context, explained };
	const struct session *session = explained->session;
	size_t start = text->len;
	struct widths widths;

	strbuf_clear(&self->cell);
	branches_missing_add(&self->cell, explained);
	if (self->cell.len)
		strbuf_addf(text, "    (%s)\n", strbuf_str(&self->cell));
	style_since(text, start, context->color, STYLE_DOUBT);
	if (!session->branches && !session->branches_err)
		return 0;
	widths = measure_columns(&cells);
	vec_foreach(row, &explained->branches.v) {
		for (uint32_t i = 0; i < lines_of(row); i++)
			add_line(&cells, text, row, i, &widths);
	}
	return self->cell.failed ? -ENOMEM : 0;
}

void branches_text_release(struct branches_text *self)
{
	strbuf_release(&self->cell);
}
