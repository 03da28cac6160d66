// SPDX-License-Identifier: BSD-2-Clause
/*
 * Matches the chain of traced calls with the kernel stack.
 *
 * Not every call of the chain is on the stack: the deepest one has just returned, a tail call
 * takes its caller's place, a stitched call was earlier. And some code on the stack is there only
 * for tracing: trampolines and BPF programs.
 */
#include "util/explain/stack_rows.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/code/machine_code.h"
#include "util/plan/attached.h"
#include "util/trace/attach/tracing_code.h"
#include "util/trace/branches/branch_places.h"

void stack_rows_release(struct stack_rows *rows)
{
	vec_release(&rows->v);
	vec_release(&rows->matches);
}

static bool row_is_in(const struct stack_row *row, const struct plan_func *func)
{
	if (!row->place.name)
		return false;
	return row->place.addr - row->place.offset == func->addr || is_cold_part_of(row->place.name, func->name);
}

/*
 * A return address is looked up by the address before it. An address that a return probe put
 * there has no call before it: it is the start of the probe's trampoline.
 */
static bool is_return_trampoline(struct symbolizer *symbolizer, uint64_t ip,
				 struct symbolized *found)
{
	struct symbolized exact = {};

	if (found->symbol && found->offset < found->symbol->size)
		return false;
	symbolizer_lookup(symbolizer, ip, false, &exact);
	if (!exact.symbol || exact.offset || !is_tracing_name(exact.symbol->name))
		return false;
	*found = exact;
	return true;
}

/*
 * Add a row for the start of a traced function, which stands in a joined stack for a function
 * that left it (session.h).
 */
static int add_gone_row(struct stack_rows *rows, const struct plan_func *func)
{
	struct stack_row row = {
		.on_stack = true,
		.gone = true,
		.place = { .addr = func->addr, .name = func->name, .module = func->module },
	};

	return vec_push(&rows->v, row);
}

static int add_row(struct stack_rows *rows, struct places *places, uint64_t ip, bool is_return,
		   bool joined)
{
	struct stack_row row = { .on_stack = true, .is_return = is_return };
	const struct plan_func *func;
	struct symbolized found = {};

	func = joined ? plan_func_at(places->index, places->plan, ip, NULL) : NULL;
	if (func && func->addr == ip)
		return add_gone_row(rows, func);
	row.place = place_find(places, ip, is_return, &found);
	if (is_return && is_return_trampoline(places->symbolizer, ip, &found)) {
		row.is_return = false;
		row.place = place_find(places, ip, false, &found);
	}
	return place_keep_sources(places, &found, &row.place) ?: vec_push(&rows->v, row);
}

/* A function that the user traces is never left out. */
static bool is_tracing(const struct places *places, const struct stack_row *row)
{
	if (!row->place.name ||
	    plan_func_at(places->index, places->plan, row->place.addr - row->is_return, NULL))
		return false;
	return is_tracing_code(row->place.name, row->place.module);
}

/* Whether row @i and the next row that is kept, after the trampoline, are of the same function. */
static bool goes_on(const struct stack_rows *rows, size_t i)
{
	const struct stack_row *row = rows->v.data, *call = &row[i];

	for (i++; i < rows->v.len; i++) {
		if (!row[i].left_out && row[i].place.name)
			return row[i].place.addr - row[i].place.offset ==
			       call->place.addr - call->place.offset;
	}
	return false;
}

/*
 * Marks rows that tracing put on the stack.
 *
 * A function with a trampoline has two rows, with the trampoline between them: where it called
 * the trampoline, and where it is now. If only the first is there, the function has returned, or
 * ended in a tail call, and this was its place. (Functions jump to 7.2's trampolines.)
 *
 * BPF programs are ordinary callers, except our program that took the stack. It is on the stack
 * only if a trampoline called it; a return probe's program sees the stack of the returning
 * function.
 */
static void mark_tracing(struct stack_rows *rows, const struct places *places,
			 const struct session *session)
{
	const struct event_frame *deepest = &session->frames[session->nr_frames - 1];
	enum rung rung = places->attached->rungs[deepest->func];
	struct stack_row *row = rows->v.data;
	size_t nr = rows->v.len, end = nr;
	bool traced;

	for (size_t i = 0; i < nr; i++)
		row[i].left_out = is_tracing(places, &row[i]);
	for (size_t i = 0; i + 1 < nr; i++) {
		if (!row[i].place.name || row[i].left_out || !row[i].is_return ||
		    row[i].place.offset > ENTRY_CALL_MAX ||
		    (row[i + 1].place.name && !row[i + 1].left_out))
			continue;
		traced = plan_func_at(places->index, places->plan, row[i].place.addr - 1, NULL);
		if (!goes_on(rows, i)) {
			if (!traced)
				continue;
			row[i].gone = true;
		}
		row[i].left_out = row[i + 1].left_out = true;
	}
	if (rung != RUNG_FSESSION_MULTI && rung != RUNG_FENTRY)
		return;
	while (end && !row[end - 1].left_out &&
	       (!row[end - 1].place.name || is_bpf_program(row[end - 1].place.name, row[end - 1].place.module)))
		end--;
	if (!end || !row[end - 1].left_out)
		return;
	for (; end < nr; end++)
		row[end].left_out = true;
}

/* More fits are better; of equally many, fits with the call on the stack are better. */
static uint32_t rate_fit(const struct plan *plan, const struct stack_row *row,
			 const struct event_frame *frame)
{
	if ((row->left_out && !row->gone) || !row_is_in(row, &plan->funcs.data[frame->func]))
		return 0;
	return row->gone ? 1024 : 1025;
}

/*
 * Find the best match of chain and stack, the outermost of equal ones. Without recursion there is
 * only one.
 */
static int match_frames(struct stack_rows *rows, const struct plan *plan,
			const struct session *session)
{
	size_t nr_rows = rows->v.len, nr_frames = session->nr_frames, width = nr_rows + 1;
	struct stack_row *row = rows->v.data;
	uint32_t *best, fits;

	if (vec_reserve(&rows->matches, (nr_frames + 1) * width))
		return -ENOMEM;
	best = rows->matches.data;
	memset(best, 0, (nr_frames + 1) * width * sizeof(*best));

	/* The best rating from frame f and row r on. */
#define BEST(f, r) best[(f)*width + (r)]
	for (size_t f = nr_frames; f--;) {
		for (size_t r = nr_rows; r--;) {
			fits = rate_fit(plan, &row[r], &session->frames[f]);
			BEST(f, r) = BEST(f + 1, r);
			if (BEST(f, r + 1) > BEST(f, r))
				BEST(f, r) = BEST(f, r + 1);
			if (fits && BEST(f + 1, r + 1) + fits > BEST(f, r))
				BEST(f, r) = BEST(f + 1, r + 1) + fits;
		}
	}
	for (size_t f = 0, r = 0; f < nr_frames && r < nr_rows;) {
		fits = rate_fit(plan, &row[r], &session->frames[f]);
		if (fits && BEST(f, r) == BEST(f + 1, r + 1) + fits)
			row[r++].frame = &session->frames[f++];
		else if (BEST(f, r) == BEST(f, r + 1))
			r++;
		else
			f++;
	}
#undef BEST
	return 0;
}

/* Append rows for the frames from *f up to @end, which are not on the stack. */
static int add_frames(struct stack_rows *rows, const struct plan *plan,
		      const struct session *session, size_t *f, size_t end)
{
	for (; *f < end; (*f)++) {
		const struct event_frame *frame = &session->frames[*f];
		const struct plan_func *func = &plan->funcs.data[frame->func];
		struct stack_row row = {
			.frame = frame,
			.place = { .name = func->name, .module = func->module },
		};

		if (vec_push(&rows->v, row))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Whether @wrapper is a system call's outer function and @body its inner one, which the wrapper
 * may call as a tail call: __x64_sys_bpf and __do_sys_bpf (include/linux/syscalls.h,
 * arch/x86/include/asm/syscall_wrapper.h).
 */
static bool is_syscall_pair(const char *wrapper, const char *body)
{
	const char *outer = strstr(wrapper, "_sys_");

	if (!outer || !startswith(wrapper, "__") || !body)
		return false;
	return (startswith(body, "__do_sys_") || startswith(body, "__se_sys_")) &&
	       !strcmp(outer + 5, body + 9) && strcmp(wrapper, body);
}

/*
 * Whether @row is what a system call's wrapper called: it stands where the dispatcher called the wrapper, which
 * left by a tail call (__x64_sys_read() to ksys_read()). A recording may come from any architecture.
 */
static bool stands_for_wrapper(const char *wrapper, const struct stack_row *caller, const struct stack_row *row)
{
	const char *outer = strstr(wrapper, "_sys_");

	return outer && startswith(wrapper, "__") && outer != wrapper + 1 && !startswith(wrapper, "__do_sys_") &&
	       !startswith(wrapper, "__se_sys_") && caller->place.name && row->place.name &&
	       arch_calls_syscalls(caller->place.name) && !arch_calls_syscalls(row->place.name);
}

/*
 * Insert the frames that are not on the stack: each just above the next frame that is on the
 * stack, a system call's wrapper above its body or what it called, and the last frames at the stack's end, before
 * rows that tracing added there.
 */
static int add_missing(struct stack_rows *rows, const struct plan *plan,
		       const struct session *session)
{
	size_t nr = rows->v.len, end = nr, f = 0;
	struct stack_row row;
	int err = 0;

	while (end && rows->v.data[end - 1].left_out && !rows->v.data[end - 1].frame)
		end--;
	for (size_t r = 0; r <= nr && !err; r++) {
		if (r == end)
			err = add_frames(rows, plan, session, &f, session->nr_frames);
		if (r == nr || err)
			break;
		row = rows->v.data[r];
		if (!row.frame && f < session->nr_frames) {
			const char *name = plan->funcs.data[session->frames[f].func].name;

			if (is_syscall_pair(name, row.place.name) ||
			    (r && !row.left_out && stands_for_wrapper(name, &rows->v.data[r - 1], &row)))
				err = add_frames(rows, plan, session, &f, f + 1);
		}
		if (row.frame) {
			err = add_frames(rows, plan, session, &f,
					 row.frame - session->frames + row.gone);
			f += !row.gone;
		}
		/* The call's row replaces it. */
		if (row.gone && row.frame)
			continue;
		/* Without a call, the row is useless, unless tracing put it there. */
		if (row.gone && !row.left_out)
			continue;
		if (!err && vec_push(&rows->v, row))
			err = -ENOMEM;
	}
	if (err)
		return err;
	/* The complete rows come after the rows of the stack alone: remove these. */
	rows->v.len -= nr;
	memmove(rows->v.data, rows->v.data + nr, rows->v.len * sizeof(row));
	return 0;
}

int stack_rows_fill(struct stack_rows *rows, struct places *places, const struct session *session)
{
	/*
	 * A stack taken at a return does not have the function itself, which has returned by
	 * then. So leave it out of a stack taken at its entry, too.
	 */
	uint32_t first = session->at_entry ? 1 : 0;
	int err = 0;

	rows->v.len = 0;
	rows->places = places;
	for (uint32_t i = session->nr_ips; !err && i-- > first;)
		err = add_row(rows, places, session->ips[i], true, session->at_entry);
	if (err)
		return err;
	mark_tracing(rows, places, session);
	err = match_frames(rows, places->plan, session);
	return err ?: add_missing(rows, places->plan, session);
}
