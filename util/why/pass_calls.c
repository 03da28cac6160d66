// SPDX-License-Identifier: BSD-2-Clause
/* Reading the trace that a pass kept. Pure code. */
#include "util/why/pass.h"

#include "bpf/watch/watch_event.h"
#include "util/base/report.h"
#include "util/kernel/types/return_kind_name.h"
#include "util/plan/plan.h"

static bool same_frames(const struct session *a, const struct session *b)
{
	if (a->nr_frames != b->nr_frames)
		return false;
	for (uint32_t i = 0; i < a->nr_frames; i++) {
		if (a->frames[i].func != b->frames[i].func ||
		    (uint32_t)a->frames[i].result != (uint32_t)b->frames[i].result)
			return false;
	}
	return true;
}

/* The next hit of any probe; NULL: no more. */
static const struct traced_call *next_of_all(const struct session *session, uint32_t *at)
{
	while (*at < session->nr_calls) {
		const struct traced_call *call = &session->calls[(*at)++];

		if (call->kind == TRACED_PROBE)
			return call;
	}
	return NULL;
}

static bool same_probes(const struct session *a, const struct session *b)
{
	const struct traced_call *in_a, *in_b;
	uint32_t at_a = 0, at_b = 0;

	do {
		in_a = next_of_all(a, &at_a);
		in_b = next_of_all(b, &at_b);
		if (!in_a != !in_b || (in_a && in_a->func != in_b->func))
			return false;
	} while (in_a);
	return true;
}

bool pass_is_uniform(const struct pass *pass)
{
	return pass->alike.len && !vec_find(session, &pass->alike,
					    !same_frames(session, pass->alike.data) ||
						    !same_probes(session, pass->alike.data));
}

bool pass_is_of_one_thread(const struct pass *pass)
{
	return pass->alike.len &&
	       !vec_find(session, &pass->alike, session->tid != pass->alike.data->tid);
}

uint32_t pass_func(const struct pass *pass, uint64_t addr)
{
	for (uint32_t i = 0; i < pass->plan->funcs.len; i++) {
		if (pass->plan->funcs.data[i].addr == addr)
			return i;
	}
	return UINT32_MAX;
}

/* The end of the activation that begins with a call; 0: its return is missing. */
static uint32_t find_return(const struct session *session, uint32_t first, uint32_t last)
{
	const struct traced_call *call = &session->calls[first];

	if (call->kind == TRACED_LEAF)
		return first;
	for (uint32_t i = first + 1; i <= last; i++) {
		if (session->calls[i].kind == TRACED_RETURN &&
		    session->calls[i].depth == call->depth)
			return session->calls[i].func == call->func ? i : 0;
	}
	return 0;
}

/* @result	as 32 bits; NULL: any */
static uint32_t find(const struct pass *pass, struct activation in, bool called, uint64_t func,
		     const uint32_t *result, struct activation *ret)
{
	const struct session *session = pass->session;
	uint32_t id = pass_func(pass, func), nr = 0, last;

	for (uint32_t i = in.first; i <= in.last && i < session->nr_calls; i++) {
		const struct traced_call *call = &session->calls[i];

		if ((call->kind != TRACED_CALL && call->kind != TRACED_LEAF) || call->func != id ||
		    (called && call->depth != session->calls[in.first].depth + 1))
			continue;
		last = find_return(session, i, in.last);
		if ((!last && call->kind != TRACED_LEAF) ||
		    (result && (uint32_t)session->calls[last].result != *result))
			continue;
		*ret = (struct activation){ i, last, session->calls[last].result };
		nr++;
	}
	return nr;
}

uint32_t pass_find(const struct pass *pass, const struct activation *in, uint64_t func,
		   uint32_t result, struct activation *ret)
{
	return find(pass, *in, false, func, &result, ret);
}

uint32_t pass_find_calls(const struct pass *pass, const struct activation *in, uint64_t func,
			 struct activation *ret)
{
	return find(pass, *in, true, func, NULL, ret);
}

uint32_t pass_find_returned(const struct pass *pass, const struct activation *in, uint64_t func, uint32_t hit,
			    struct activation *ret)
{
	const struct activation until = { in->first, hit, in->result };
	struct activation found;
	uint32_t nr = find(pass, until, true, func, NULL, &found);

	for (uint32_t i = found.last + 1; nr && i < hit; i++) {
		if (pass->session->calls[i].kind != TRACED_PROBE)
			return 0;
	}
	if (nr)
		*ret = found;
	return nr;
}

uint32_t pass_find_called(const struct pass *pass, const struct activation *in, uint64_t func,
			  uint32_t result, struct activation *ret)
{
	/* Where none is found, nothing was written. */
	return find(pass, *in, true, func, &result, ret) ?:
	       find(pass, *in, false, func, &result, ret);
}

const struct traced_call *pass_next_probe(const struct pass *pass, const struct activation *in,
					  struct probe_walk *walk)
{
	const struct session *session = pass->session;

	while (in->first + ++walk->at < in->last) {
		const struct traced_call *call = &session->calls[in->first + walk->at];

		if (call->kind == TRACED_PROBE) {
			if (!walk->nested)
				return call;
		} else if (call->func == session->calls[in->first].func) {
			walk->nested += call->kind == TRACED_CALL;
			walk->nested -= call->kind == TRACED_RETURN && walk->nested;
		}
	}
	return NULL;
}

/*
 * Whether a function's results may be errors. One without a result leaves the register as it was,
 * which may look like an error; and -1 of an id that is not mapped is no -EPERM.
 */
bool pass_may_fail(const struct pass *pass, uint32_t func)
{
	return return_kind_may_be_errno(pass->plan->funcs.data[func].returns);
}

bool pass_find_outermost(const struct pass *pass, const struct activation *in, uint32_t *ret_func,
			 struct activation *ret)
{
	const struct session *session = pass->session;
	uint32_t nr = 0, last;

	for (uint32_t i = in->first + 1; i < in->last; i++) {
		const struct traced_call *call = &session->calls[i];

		if (call->kind != TRACED_CALL && call->kind != TRACED_LEAF)
			continue;
		last = find_return(session, i, in->last);
		/* One without a result may have stored it. */
		if ((!last && call->kind != TRACED_LEAF) ||
		    pass->plan->funcs.data[call->func].returns == RETURN_VOID)
			continue;
		/*
		 * Results of its callees ended here, as that of security_capable() does in
		 * capable().
		 */
		if ((uint32_t)session->calls[last].result != (uint32_t)in->result ||
		    !pass_may_fail(pass, call->func)) {
			i = last;
			continue;
		}
		*ret = (struct activation){ i, last, session->calls[last].result };
		*ret_func = call->func;
		nr++;
		/* Calls inside it do not count as others. */
		i = last;
	}
	return nr == 1;
}

uint32_t pass_find_same(const struct pass *pass, const struct activation *in, uint32_t *ret_funcs,
			uint32_t max)
{
	const struct session *session = pass->session;
	uint32_t nr = 0, known;

	for (uint32_t i = in->last; nr < max && i-- > in->first + 1;) {
		const struct traced_call *call = &session->calls[i];

		if ((call->kind != TRACED_RETURN && call->kind != TRACED_LEAF) ||
		    (uint32_t)call->result != (uint32_t)in->result || !pass_may_fail(pass, call->func))
			continue;
		for (known = 0; known < nr && ret_funcs[known] != call->func;)
			known++;
		if (known == nr)
			ret_funcs[nr++] = call->func;
	}
	return nr;
}

bool pass_is_torn(const struct pass *pass, const struct activation *in)
{
	const struct session *session = pass->session;
	uint32_t depth = session->calls[in->first].depth + 1;

	for (uint32_t i = in->first; i <= in->last; i++) {
		const struct traced_call *call = &session->calls[i];

		switch (call->kind) {
		case TRACED_LOST:
			/* The lost calls were made at this depth or deeper. */
			say(VERBOSITY_VERBOSE, "part of the trace was lost");
			return true;
		case TRACED_UNSEEN:
		case TRACED_DEEP:
			if (call->depth > depth)
				break;
			say(VERBOSITY_VERBOSE, "%u calls at depth %u of the trace have no return",
			    call->count, call->depth);
			return true;
		default:
			break;
		}
	}
	return false;
}

bool pass_missed_calls(const struct pass *pass)
{
	return pass->ledger.missed_by_kernel || pass->ledger.recursion_misses;
}

/*
 * Overlapping times are enough: the kernel's clock for BPF may go back by some microseconds, so
 * that a function may seem to begin before its system call.
 */
uint32_t pass_find_call(struct pass *pass, const struct watch_event *event)
{
	uint32_t found = 0;

	vec_foreach(session, &pass->alike) {
		if (session->tid != event->tid || session->end_ns < event->called_ns ||
		    session->start_ns > event->time_ns ||
		    (int32_t)session->frames[0].result != (int32_t)event->result)
			continue;
		pass->session = session;
		found++;
	}
	return found;
}
