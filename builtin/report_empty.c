// SPDX-License-Identifier: BSD-2-Clause
/* Why filters leave nothing of a recording to show. */
#include "builtin/report_empty.h"

#include <string.h>

#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/errnames.h"
#include "util/base/text/nearest.h"
#include "util/base/text/quote.h"
#include "util/base/wall_clock.h"
#include "util/plan/plan.h"
#include "util/trace/session/outcome.h"
#include "util/view/parts/times.h"

static void add_process(struct report_facts *facts, const struct session *session)
{
	for (unsigned int i = 0; i < facts->nr_processes; i++) {
		const struct recorded_process *process = &facts->processes[i];

		if (process->pid == session->pid && !strcmp(process->comm, session->comm))
			return;
	}
	if (facts->nr_processes > FACTS_MAX)
		return;
	facts->processes[facts->nr_processes].pid = session->pid;
	strcpy(facts->processes[facts->nr_processes++].comm, session->comm);
}

static void add_errno(struct report_facts *facts, int err)
{
	for (unsigned int i = 0; i < facts->nr_errnos; i++) {
		if (facts->errnos[i] == err)
			return;
	}
	if (facts->nr_errnos <= FACTS_MAX)
		facts->errnos[facts->nr_errnos++] = err;
}

void report_facts_add(struct report_facts *facts, const struct session_filter *filter,
		      const struct session *session, unsigned int fails)
{
	uint64_t took = session_duration_ns(session);
	int64_t began = wall_clock_at(filter->clock, session->start_ns);

	facts->failed_by_all = facts->sessions++ ? facts->failed_by_all & fails : fails;
	facts->has_users |= session->has_origin;
	if (session->context == CONTEXT_TASK)
		add_process(facts, session);
	for (uint32_t i = 0; session->failed && i < session->nr_frames; i++) {
		const struct event_frame *frame = &session->frames[i];

		if (frame->flags & EVENT_FRAME_FAILED && !(frame->flags & EVENT_FRAME_UNFINISHED))
			add_errno(facts, frame_errno(filter->plan, filter->rules, frame));
	}
	if (!session->interim && took > facts->longest_ns)
		facts->longest_ns = took;
	if (!facts->first_ns || began < facts->first_ns)
		facts->first_ns = began;
	if (!facts->last_ns || began > facts->last_ns)
		facts->last_ns = began;
}

/* Whether the recording has a function that -e (or -a) may mean. */
static bool is_traced(const struct plan *plan, const struct spec *spec, bool entry)
{
	for (uint32_t i = 0; i < plan->funcs.len; i++) {
		if (entry && !plan->funcs.data[i].entry)
			continue;
		if (spec_matches_name(spec, plan->funcs.data[i].name, plan->funcs.data[i].module))
			return true;
	}
	return false;
}

/* "-e 'x': data has no such entry function; did you mean 'y'?" */
static void say_untraced(const struct session_filter *filter, const struct spec_list *list,
			 const bool *has, const char *option, const char *name)
{
	const struct plan *plan = filter->plan;
	bool entry = list == &filter->request->entry;
	uint32_t nr = has ? 0 : entry ? plan->nr_entries : plan->funcs.len;

	vec_foreach(spec, &list->v) {
		_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;
		struct nearest near = nearest_start(spec->name);

		if (has ? has[spec - list->v.data] : is_traced(plan, spec, entry))
			continue;
		if (spec->kind == SPEC_SYSCALL)
			strbuf_addf(&line, "  --syscall '%s': %s", spec->name, name);
		else
			strbuf_addf(&line, "  %s '%s': %s", option, spec->text, name);
		strbuf_addf(&line, " has no such %s", entry ? "entry function" : "function");
		for (uint32_t i = 0; i < nr; i++)
			nearest_offer(&near, plan->funcs.data[i].name);
		if (near.name)
			strbuf_addf(&line, "; did you mean '%s'?", near.name);
		for (uint32_t i = 0; !near.name && i < nr && i <= FACTS_MAX; i++)
			strbuf_addf(&line, "%s%s", i ? ", " : "; it has ",
				    i < FACTS_MAX ? plan->funcs.data[i].name : "others");
		say(VERBOSITY_NORMAL, "%s", strbuf_str(&line));
	}
}

static void add_processes(struct strbuf *line, const struct report_facts *facts)
{
	for (unsigned int i = 0; i < facts->nr_processes; i++) {
		strbuf_addstr(line, i ? ", " : "; it has ");
		if (i == FACTS_MAX) {
			strbuf_addstr(line, "others");
			break;
		}
		quote_name_add(line, facts->processes[i].comm);
		strbuf_addf(line, "/%u", facts->processes[i].pid);
	}
}

static void add_errnos(struct strbuf *line, const struct report_facts *facts)
{
	char number[ERRNO_WORD_SIZE];

	for (unsigned int i = 0; i < facts->nr_errnos; i++) {
		int err = facts->errnos[i];

		strbuf_addstr(line, i ? ", " : "; it has ");
		if (i == FACTS_MAX)
			strbuf_addstr(line, "others");
		else if (err <= 0)
			strbuf_addstr(line, err ? "successes" : "NULL");
		else
			strbuf_addstr(line, errno_word(err, number));
	}
}

static void add_time(struct strbuf *line, const char *which, int64_t wall_ns)
{
	strbuf_addf(line, "; the %s one began at ", which);
	timestamp_add(line, wall_ns);
}

/* The options that may have left out every session. */
static void add_denials(struct strbuf *line, const struct trace_request *request)
{
	const char *const options[] = {
		request->deny_pids.len ? "-P" : NULL, request->deny_comms.len ? "-N" : NULL,
		request->deny.v.len ? "-d" : NULL, request->deny_errnos.used ? "-X" : NULL,
	};
	int nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		if (options[i])
			strbuf_addf(line, "%s%s", nr++ ? " or " : "", options[i]);
	}
	strbuf_addstr(line, " leaves out every session");
}

/* "-n: FILE has no session of threads of these names", and the names that it has. */
static void add_reason(struct strbuf *line, const struct report_facts *facts,
		       const struct session_filter *filter, enum session_criterion criterion,
		       const char *name)
{
	switch (criterion) {
	case FILTER_NUMBER:
		strbuf_addf(line, "--session=%llu: %s has %llu session%s",
			    (unsigned long long)filter->number, name,
			    (unsigned long long)facts->sessions, facts->sessions == 1 ? "" : "s");
		break;
	case FILTER_SINCE:
		strbuf_addf(line, "--since: %s has no session from then on", name);
		add_time(line, "last", facts->last_ns);
		break;
	case FILTER_UNTIL:
		strbuf_addf(line, "--until: %s has no session up to then", name);
		add_time(line, "first", facts->first_ns);
		break;
	case FILTER_PID:
		strbuf_addf(line, "-p: %s has no session of these processes", name);
		add_processes(line, facts);
		break;
	case FILTER_COMM:
		strbuf_addf(line, "-n: %s has no session of threads of these names", name);
		add_processes(line, facts);
		break;
	case FILTER_UID:
		strbuf_addf(line, "--uid: %s has no session of these users", name);
		if (!facts->has_users)
			strbuf_addstr(line, "; it was recorded without the users of processes");
		break;
	case FILTER_DENIED:
		add_denials(line, filter->request);
		break;
	case FILTER_ENTRY:
		strbuf_addf(line, "-e: %s has no session of these functions", name);
		break;
	case FILTER_CALLS:
		strbuf_addf(line, "-a: %s has no session inside which these functions were called",
			    name);
		break;
	case FILTER_SUCCESS:
		strbuf_addf(line, "%s has no session that failed; -S shows the others", name);
		break;
	case FILTER_INTERIM:
		strbuf_addf(line, "--no-interim-stacks: %s has only errors that were handled", name);
		break;
	case FILTER_LONGER:
		strbuf_addf(line, "-L: %s has no call that took so long; the longest took ", name);
		duration_add(line, facts->longest_ns, DURATIONS_AUTO);
		break;
	case FILTER_FN_LONGER:
		strbuf_addf(line, "--fn-longer: %s has no call inside which one took so long", name);
		break;
	case FILTER_RESULT:
		strbuf_addf(line, "--return: %s has no call with such a result", name);
		break;
	case FILTER_ERRORS:
		strbuf_addf(line, "-x: %s has no such error", name);
		add_errnos(line, facts);
		break;
	}
}

static void say_reasons(const struct report_facts *facts, const struct session_filter *filter,
			const char *name, bool said_entry, bool said_calls)
{
	unsigned int reasons = facts->failed_by_all;

	if (!reasons)
		say(VERBOSITY_NORMAL, "  no session meets all of these filters; some meet each of them");
	if (said_entry)
		reasons &= ~FILTER_ENTRY;
	if (said_calls)
		reasons &= ~FILTER_CALLS;
	for (; reasons; reasons &= reasons - 1) {
		_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

		strbuf_addstr(&line, "  ");
		add_reason(&line, facts, filter, reasons & -reasons, name);
		say(VERBOSITY_NORMAL, "%s", strbuf_str(&line));
	}
}

static bool all_untraced(const struct plan *plan, const struct spec_list *list, const bool *has,
			 bool entry)
{
	return list->v.len &&
	       !vec_find(spec, &list->v,
			 has ? has[spec - list->v.data] : is_traced(plan, spec, entry));
}

static void see_list(const struct spec_list *list, const struct plan *plan, bool entry,
		     bool *ret_has)
{
	vec_foreach(spec, &list->v)
		ret_has[spec - list->v.data] |= is_traced(plan, spec, entry);
}

void report_facts_see_plan(const struct trace_request *request, const struct plan *plan,
			   bool *ret_entry, bool *ret_allow)
{
	see_list(&request->entry, plan, true, ret_entry);
	see_list(&request->allow, plan, false, ret_allow);
}

void report_facts_say(const struct report_facts *facts, const struct session_filter *filter,
		      const bool *has_entry, const bool *has_allow, bool shown, const char *name)
{
	const struct trace_request *request = filter->request;

	say_untraced(filter, &request->entry, has_entry, "-e", name);
	say_untraced(filter, &request->allow, has_allow, "-a", name);
	if (shown)
		return;
	if (!facts->sessions && facts->incomplete)
		say(VERBOSITY_NORMAL, "  no session of %s could be read", name);
	else if (!facts->sessions)
		say(VERBOSITY_NORMAL, "  %s has no sessions", name);
	else
		say_reasons(facts, filter, name,
			    all_untraced(filter->plan, &request->entry, has_entry, true),
			    all_untraced(filter->plan, &request->allow, has_allow, false));
}
