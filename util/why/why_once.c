// SPDX-License-Identifier: BSD-2-Clause
/*
 * One run does everything: it watches the results of system calls, and traces the function to
 * begin with, which is known before. The probes are in its nearest callees, as it is not known
 * yet which of them failed.
 */
#include <string.h>

#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/why/watch/netlink.h"
#include "util/why/why_internal.h"

/* The most functions that get probes: the first of the callees, which are sorted nearest first. */
#define PROBED_FUNCTIONS 16

static const char lost[] = "part of the trace was lost";

/* Add targets before it is known which of them matter. 0; -ENOMEM. */
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

int why_note_out_of_runs(struct why *why)
{
	if (why->ask->max_runs > 1) {
		why->unknown = "it takes more runs than --runs allows";
		return 0;
	}
	if (!why->ask->command)
		why->once_text = strdup("one failure shows only which call it is; without --once the "
					"next ones are traced");
	else if (why->syscall)
		why->once_text = strf("one run shows only which call failed; with --syscall %s it is "
				      "traced in that run", why->syscall);
	else
		why->once_text = strdup("one run shows only which call failed; with -e it is traced in "
					"that run");
	why->unknown = why->once_text;
	return why->once_text ? 0 : report_oom();
}

/*
 * Where another run should begin: at the innermost function that failed so, even if it is not known yet how
 * it was called; else where following the result ended. NULL: with no other function.
 */
static const struct symbol *next_entry(struct why *why, const struct pass *pass)
{
	const struct session *session = pass->session;
	const struct event_frame *innermost = &session->frames[session->nr_frames - 1];
	uint64_t addr = why->targets.data[why->levels.data[why->levels.len - 1].target]->function.addr;
	const struct symbol *symbol;

	if ((int32_t)innermost->result == (int32_t)session->frames[0].result)
		addr = pass->plan->funcs.data[innermost->func].addr;
	symbol = symbolizer_symbol(why->code->symbolizer, addr);
	if (!symbol || symbol->addr == why->targets.data[0]->function.addr ||
	    !why_can_trace(why->code, symbol))
		return NULL;
	return symbol;
}

/* Note where following the result ended, and how to go on. 0; -ENOMEM (reported). */
static int note_end(struct why *why, const struct pass *pass)
{
	const struct symbol *symbol = next_entry(why, pass);

	if (symbol)
		why->once_text = strf("one run does not tell more; with -e %s it begins there",
				      symbol->name);
	else
		why->once_text = strdup("one run does not tell more");
	why_drop_unseen(why);
	why->unknown = why->once_text;
	return why->once_text ? 0 : report_oom();
}

/*
 * Note that the run did not see the call: a netlink request fails in a call that succeeds, and BPF
 * does not run while another task was preempted in the same program. 0; -ENOMEM (reported).
 */
static int note_not_seen(struct why *why, const struct watch_event *event, const struct pass *pass)
{
	const char *function = netlink_function(event);

	why->levels.len = 0;
	if (function)
		why->once_text = strf("one run sees such a request with -e %s", function);
	else
		why->once_text = strf("one run did not see it in the function to begin with%s",
				      pass_missed_calls(pass) ?
					      "; the kernel skipped some calls, maybe this one" :
					      "");
	why->unknown = why->once_text;
	return why->once_text ? 0 : report_oom();
}

static int use_session(struct why *why, const struct watch_event *event, struct pass *pass)
{
	enum why_next next = WHY_DONE;
	int err;

	if (!pass->session)
		return note_not_seen(why, event, pass);
	why->levels.data[0].result = pass->session->frames[0].result;
	err = why_follow(why, pass, &next);
	if (err || why->unknown || next == WHY_DONE)
		return err;
	if (next == WHY_TORN) {
		why->unknown = lost;
		return 0;
	}
	return note_end(why, pass);
}

int why_run_once(struct why *why, const struct watch_ask *watch, const struct symbol *entry,
		 const struct call_choice *choice)
{
	struct pass_ask ask = {};
	struct pass pass = {};
	const struct watch_event *event;
	uint32_t found;
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
	err = err ?: why_choose(why, choice);
	if (!err && why->chosen >= 0 && why_begin(why, entry)) {
		event = &why->watched.calls.v.data[why->chosen].event;
		found = pass_find_call(&pass, event);
		why->is_one_of_many = found > 1;
		why->runs.data[0].failed_again = found;
		why->runs.data[0].alike = found;
		err = use_session(why, event, &pass);
	}
	pass_ask_release(&ask);
	pass_release(&pass);
	return err;
}
