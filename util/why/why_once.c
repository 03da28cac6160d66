// SPDX-License-Identifier: BSD-2-Clause
/*
 * One run for all: the results of system calls, and a trace of the function to begin with, which is
 * known before. The probes are in the functions next to it, as nobody knows yet which of them failed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/trace/ask/request.h"
#include "util/why/watch/netlink.h"
#include "util/why/why_internal.h"

/* Functions that get probes: the first on the list of those that are called, which is nearest first. */
#define PROBED_FUNCTIONS 16

static const char lost[] = "part of the trace was lost";

/* Targets before it is known which of them matter. 0; -ENOMEM. */
static int add_targets(struct why *why, const struct symbol *entry, struct pass_ask *ask)
{
	int err = why_target(why, entry);

	if (err < 0)
		return err;
	err = vec_push(&why->levels, (struct why_level){ err, 0 }) ? report_oom() : 0;
	err = err ?: why_add_callees(why->code, entry, ask, PROBED_FUNCTIONS);
	for (size_t i = 0; err >= 0 && i < ask->funcs.len; i++)
		err = why_target(why, ask->funcs.data[i]);
	return err < 0 ? err : 0;
}

/*
 * Whether a session is part of a call: the same thread, meanwhile, with the same result. Without a
 * time that is known, there is no telling.
 */
static bool belongs(const struct session *session, const struct watch_event *event)
{
	return event->called_ns && session->tid == event->tid &&
	       session->start_ns >= event->called_ns && session->end_ns <= event->time_ns &&
	       (int32_t)session->frames[0].result == (int32_t)event->result;
}

/* Of the sessions those of the call. */
static void find_session(struct why *why, struct pass *pass, const struct watch_event *event)
{
	uint32_t found = 0;

	vec_foreach(session, &pass->alike) {
		if (!belongs(session, event))
			continue;
		pass->session = session;
		found++;
	}
	why->is_one_of_many = found > 1;
	why->runs.data[0].failed_again = found;
	why->runs.data[0].alike = found;
}

/* Where following the result ended, and how to go on. 0; -ENOMEM (reported). */
static int note_end(struct why *why)
{
	const struct target *last = why->targets.data[why->levels.data[why->levels.len - 1].target];
	const struct symbol *symbol = symbolizer_symbol(why->code->symbolizer, last->function.addr);

	if (why->levels.len > 1 && symbol && why_can_trace(why->code, symbol))
		why->once_text = strf("one run does not tell more; with -e %s it begins there",
				      symbol->name);
	else
		why->once_text = strdup("one run does not tell more");
	why->unknown = why->once_text;
	return why->once_text ? 0 : report_oom();
}

/* A request through netlink fails in a call that succeeds. 0; -ENOMEM (reported). */
static int note_not_seen(struct why *why, const struct watch_event *event)
{
	const char *function = netlink_function(event);

	why->levels.len = 0;
	why->once_text = function ? strf("one run sees such a request with -e %s", function) :
				    strdup("one run did not see it in the function to begin with");
	why->unknown = why->once_text;
	return why->once_text ? 0 : report_oom();
}

static int use_session(struct why *why, const struct watch_event *event, struct pass *pass)
{
	enum why_next next = WHY_DONE;
	int err;

	if (!pass->session)
		return note_not_seen(why, event);
	why->levels.data[0].result = pass->session->frames[0].result;
	err = why_follow(why, pass, &next);
	if (err || why->unknown || next == WHY_DONE)
		return err;
	if (next == WHY_TORN) {
		why->unknown = lost;
		return 0;
	}
	return note_end(why);
}

int why_run_once(struct why *why, const struct watch_ask *watch, const struct symbol *entry,
		 const struct call_choice *choice)
{
	struct pass_ask ask = {};
	struct pass pass = {};
	const struct watch_event *event;
	int err = add_targets(why, entry, &ask);

	vec_release(&ask.funcs);
	if (err)
		return err;
	why_fill_ask(why, NULL, &ask);
	ask.watch = watch;
	ask.watched = &why->watched;
	ask.err = choice->err;
	why->watched_in_pass = true;
	err = why_attach(why, NULL, &ask, &pass);
	why->interrupted = pass.interrupted;
	if (!err && !why->interrupted)
		err = why_choose(why, choice);
	if (!err && !why->interrupted && why->chosen >= 0 && why_begin(why, entry)) {
		event = &why->watched.calls.v.data[why->chosen].event;
		find_session(why, &pass, event);
		err = use_session(why, event, &pass);
	}
	pass_ask_release(&ask);
	pass_release(&pass);
	return err;
}
