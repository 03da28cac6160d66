// SPDX-License-Identifier: BSD-2-Clause
/* The answer: the call, the branch that decided its result, how that went up the stack, and what the runs showed. */
#include "util/why/answer.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/style.h"
#include "util/base/text/errnames.h"
#include "util/base/text/quote.h"
#include "util/view/lists/failed_list.h"
#include "util/view/parts/json.h"
#include "util/view/session/condition_view.h"
#include "util/view/session/decision_view.h"
#include "util/view/session/view.h"
#include "util/why/call_text.h"
#include "util/why/reasons/check.h"
#include "util/why/reasons/check_view.h"
#include "util/why/reasons/death.h"
#include "util/why/reasons/elsewhere.h"
#include "util/why/reasons/interruption.h"
#include "util/why/reasons/socket_error.h"
#include "util/why/watch/io_uring.h"
#include "util/why/watch/messages.h"
#include "util/why/watch/netlink.h"
#include "util/why/watch/said.h"
#include "util/why/why_internal.h"

static struct view_context context_of(const struct why *why, const struct answer_options *options)
{
	static const struct trace_request defaults;

	return (struct view_context){
		.explain = {
			.plan = &why->code->plan,
			.settings = &defaults,
			.symbolizer = why->code->symbolizer,
			.symbols = why->code->symbols,
		},
		.source = options->source,
		.color = options->color,
		.verbose = options->verbose,
		/* It has looked into all that can be looked into. */
		.no_hints = true,
	};
}

static const char *err_name(int64_t result)
{
	return errno_name(-result) ?: "an error without a name";
}

static struct target *last_target(const struct why *why)
{
	if (!why->levels.len)
		return NULL;
	return why->targets.data[why->levels.data[why->levels.len - 1].target];
}

/* Whether the code that decided is known, or that none of the call's ran. */
static bool is_decided(const struct why *why)
{
	const struct target *last = last_target(why);

	if (why->answered)
		return true;
	return !why->unknown && last && last->decided && last->decision.kind != DECISION_NONE;
}

bool answer_is_known(const struct why *why)
{
	const struct failed_calls *calls = &why->watched.calls;

	if (why->chosen < 0)
		return why->death && death_is_known(why->death);
	/* Who set the error that a socket kept is the reason, whichever way the call got it from there. */
	return is_decided(why) ||
	       failed_calls_socket(calls, &calls->v.data[why->chosen].event);
}

/* The check that refused the call; CHECK_NONE if the result's origin is not known. */
static struct check check_of(const struct why *why, const struct target *last)
{
	const char *names[CHECK_MAX_NAMES];
	const struct watch_event *event = &why->watched.calls.v.data[why->chosen].event;
	size_t nr = 0;

	if (event->by_seccomp)
		return (struct check){ .kind = CHECK_SECCOMP };
	if (!last || !is_decided(why))
		return (struct check){};
	vec_foreach(level, &why->levels) {
		if (nr < CHECK_MAX_NAMES)
			names[nr++] = why->targets.data[level->target]->function.name;
	}
	if (last->decision.kind == DECISION_CALLEE && why->last_callee && nr < CHECK_MAX_NAMES)
		names[nr++] = why->last_callee;
	return check_find(names, nr, -event->result);
}

/* NULL: the error is not known to come from elsewhere. */
static const struct elsewhere *elsewhere_of(const struct why *why, const struct target *last)
{
	const struct watch_event *event = &why->watched.calls.v.data[why->chosen].event;
	const char *function;

	if (!last || !is_decided(why))
		return NULL;
	function = last->decision.kind == DECISION_CALLEE && why->last_callee ? why->last_callee : last->function.name;
	return elsewhere_find(function, last->decision.kind == DECISION_READ, -event->result);
}

/* When the socket got the error; NULL: it was not seen, or the call failed for another reason. */
static const struct watch_event *socket_error_of(const struct why *why, const struct target *last)
{
	const struct watch_event *event = &why->watched.calls.v.data[why->chosen].event;

	if (last && is_decided(why) && socket_error_is_beside(&last->decision, &last->condition))
		return NULL;
	return failed_calls_socket(&why->watched.calls, event);
}

/* The name of the argument that led to the bad address, which is @ret_offset after it; NULL: none, or not known. */
static const char *fault_name(struct why *why, const struct watch_event *event, uint64_t *ret_addr,
			      uint64_t *ret_offset)
{
	_cleanup_(free_p) char *name = event->compat ? NULL : why_syscall_name(why, event->nr);
	_cleanup_(free_p) char *wrapper = name ? why_wrapper_of(name) : NULL;
	struct syscall_params params = {};
	int index;

	*ret_addr = event->fault;
	if (!wrapper || !syscall_formats_find(&why->syscalls, wrapper, &params))
		return NULL;
	index = check_fault(event, &params, ret_offset);
	if (index < 0)
		return NULL;
	/* Not where the kernel went in place of it */
	*ret_addr = event->args[index] + *ret_offset;
	return params.params[index].name;
}

static void add_fault(struct why *why, const struct watch_event *event, struct strbuf *text)
{
	const char *name;
	uint64_t addr, offset;

	if (!check_has_fault(event))
		return;
	name = fault_name(why, event, &addr, &offset);
	strbuf_addf(text, "  memory could not be accessed at 0x%" PRIx64, addr);
	if (!name && check_is_user_end(addr))
		strbuf_addstr(text, " or above, where programs have no memory");
	if (name)
		strbuf_addf(text, ", which is %s", name);
	if (name && offset)
		strbuf_addf(text, " + %" PRIu64, offset);
	strbuf_addch(text, '\n');
}

/* Fill in the steps: how the innermost function's result went up. */
static int fill_steps(const struct why *why, const struct why_level *levels, size_t nr, struct decision *decision)
{
	decision->steps.len = 0;
	for (size_t i = nr; i-- > 1;) {
		const struct target *outer = why->targets.data[levels[i - 1].target];
		uint64_t inner = why->targets.data[levels[i].target]->function.addr;
		const struct decision_callee *callee = outer->decision.callees.data;
		struct decision_step step = { .function = outer->function.name };

		/* What stored the result may have got it from elsewhere. */
		if (outer->decision.callees.len && (!callee->stored_param || callee->addr == inner))
			step.place = callee->call;
		if (vec_push(&decision->steps, step))
			return report_oom();
	}
	return 0;
}

static int prepare(const struct why *why, struct target *last)
{
	struct decision *decision = &last->decision;
	uint32_t index = why->levels.data[why->levels.len - 1].target;

	decision->func = index;
	decision->condition = &last->condition;
	decision->result = why->levels.data[why->levels.len - 1].result;
	decision->stored_param = last->stored_param;
	if (!last->decided)
		decision->kind = DECISION_NONE;
	if (why->unknown || (decision->kind == DECISION_NONE && !decision->reason)) {
		decision->kind = DECISION_NONE;
		decision->callees.len = 0;
		decision->reason = why->unknown ?: "nothing more was seen";
	}
	if (last->likely && decision->kind != DECISION_NONE) {
		decision->likely = true;
		decision->reason = decision->reason ?: last->likely;
	}
	return fill_steps(why, why->levels.data, why->levels.len, decision);
}

/* Of the function whose result the deciding branch tested. 0, *ret NULL: it is not known; -ENOMEM (reported). */
static int prepare_tested(const struct why *why, const struct decision **ret)
{
	const struct why_level *level = why->tested.data + why->tested.len - 1;
	struct target *target;

	*ret = NULL;
	if (!why->tested.len)
		return 0;
	target = why->targets.data[level->target];
	target->decision.func = level->target;
	target->decision.condition = &target->condition;
	target->decision.result = level->result;
	target->decision.of_function = why->targets.data[why->tested.data[0].target]->function.name;
	target->decision.of_calls = why->tested.data[0].calls;
	target->decision.of_call = why->tested.data[0].call;
	*ret = &target->decision;
	return fill_steps(why, why->tested.data, why->tested.len, &target->decision);
}

static void add_way(const struct target *target, struct strbuf *text)
{
	strbuf_addf(text, "%s: %zu blocks, %zu probed last; passed", target->function.name,
		    target->graph.blocks.len, target->probes.len);
	vec_foreach(step, &target->way.blocks)
		strbuf_addf(text, " +0x%" PRIx64,
			    target->graph.blocks.data[step->block].addr - target->function.addr);
	strbuf_addch(text, '\n');
}

static void add_evidence(const struct why *why, struct strbuf *text)
{
	strbuf_addf(text, "\nrun 1: results of system calls%s\n",
		    why->watched.lost ? ", some of which were lost" : "");
	for (size_t i = 0; i < why->runs.len; i++) {
		const struct why_run *run = &why->runs.data[i];

		strbuf_addf(text,
			    "run %zu: %u functions, %u probes (%u refused), %u hits, %u calls that "
			    "failed so, %" PRIu64 ".%03" PRIu64 " s\n",
			    i + 2 - why->watched_in_pass, run->functions, run->probes, run->refused, run->hits, run->alike,
			    run->elapsed_ns / 1000000000, run->elapsed_ns / 1000000 % 1000);
	}
	vec_foreach(level, &why->levels)
		add_way(why->targets.data[level->target], text);
	vec_foreach(level, &why->tested)
		add_way(why->targets.data[level->target], text);
}

/*
 * Add the kernel's messages in the call, one per line: in quotes and escaped, since programs may
 * have chosen their text.
 */
static void add_said(const struct why *why, const struct watch_event *call, const char *indent,
		     struct strbuf *text)
{
	const struct watch_event *said = NULL;

	while ((said = failed_calls_said(&why->watched.calls, call, said))) {
		for (const char *line = said->said, *end; line; line = *end ? end + 1 : NULL) {
			end = strchrnul(line, '\n');
			strbuf_addf(text, "%sthe kernel said (%s): ", indent, said_source(said));
			quote_add(text, line, end - line, '"');
			strbuf_addch(text, '\n');
		}
	}
}

static void add_others(struct why *why, struct strbuf *text)
{
	const struct failed_calls *calls = &why->watched.calls;

	if (!calls->v.len || (calls->v.len < 2 && why->chosen >= 0))
		return;
	if (why->chosen < 0)
		strbuf_addch(text, '\n');
	failed_list_begin(text, why->chosen >= 0);
	for (size_t i = 0; i < calls->v.len; i++) {
		const struct failed_call *call = &calls->v.data[i];

		if ((int)i == why->chosen)
			continue;
		failed_list_row(text, i + 1, call->count);
		why_call_add(why, &call->event, text);
		strbuf_addf(text, " = -%s  ", err_name(call->event.result));
		quote_name_add(text, call->event.comm);
		strbuf_addch(text, '\n');
		add_said(why, &call->event, "              ", text);
	}
}

/* Reading the condition's values needs one more run. */
static void add_values_missing(const struct why *why, const struct target *last, struct strbuf *text)
{
	const struct decision_condition *condition = &last->condition;

	if (!is_decided(why) || !condition_lacks_values(condition) ||
	    why->runs.len + !why->watched_in_pass < why->ask->max_runs)
		return;
	strbuf_addf(text, "    (values are not known: they take one more run than %s allows)\n",
		    why->ask->max_runs > 1 ? "--runs" : "--once");
}

/* The call that made the command fail, and its message, may be among them. */
static void add_lost(const struct why *why, struct strbuf *text)
{
	if (why->ask->command && why->watched.lost)
		strbuf_addf(text, "  (%" PRIu64 " results of system calls were lost: another call may be the one)\n",
			    why->watched.lost);
}

/* The system call that a process was killed for by a seccomp filter; NULL: not known. Free it. */
static char *death_syscall(struct why *why)
{
	return why->death->signal != SIGSYS || death_is_compat(why->death) ?
		       NULL :
		       why_syscall_name(why, why->death->kill.nr);
}

/* Of a process that was killed for none of its calls. */
static void add_death(struct why *why, const struct view_context *context, struct strbuf *text)
{
	_cleanup_(free_p) char *syscall = why->death ? death_syscall(why) : NULL;

	if (why->death)
		death_text_add(text, context, why->death, syscall);
}

int answer_text(struct why *why, const struct answer_options *options, struct strbuf *text)
{
	const struct view_context context = context_of(why, options);
	const struct failed_calls *calls = &why->watched.calls;
	struct target *last = last_target(why);
	const struct watch_event *event;
	const struct decision *tested;
	char signal[SIGNAL_NAME_SIZE];
	struct check check;
	uint64_t elapsed = 0;
	size_t at, nr_runs;
	int err;

	if (why->chosen < 0) {
		add_death(why, &context, text);
		add_others(why, text);
		add_lost(why, text);
		return text->failed ? report_oom() : 0;
	}
	event = &calls->v.data[why->chosen].event;
	why_call_add(why, event, text);
	strbuf_addstr(text, " = ");
	at = text->len;
	strbuf_addf(text, "-%s", err_name(event->result));
	style_since(text, at, options->color, STYLE_BAD);
	strbuf_addstr(text, "    ");
	quote_name_add(text, event->comm);
	strbuf_addf(text, " (pid %u)\n", event->pid);
	if (calls->unknown_err)
		strbuf_addf(text, "  (its message names %s, with which none of its calls failed)\n",
			    errno_name(calls->unknown_err));
	else if (calls->unnamed)
		strbuf_addstr(text, "  (its message names neither this error nor a path of the call)\n");
	else if (why->chosen_by == CHOICE_STATUS)
		strbuf_addf(text, "  (%s; this is its last failure before it exited with an error status)\n",
			    messages_exist(&calls->events, event->pid) ? "no call of it failed before its messages" :
								    "it left no message");
	if (why->death) {
		signal_name(why->death->signal, signal);
		strbuf_addf(text, "  (the process was killed by %s, which comes with this failure)\n", signal);
	}
	add_lost(why, text);
	strbuf_addstr(text, "\n");
	if (last) {
		err = prepare(why, last);
		if (err)
			return err;
		decision_text_add(text, &context, &last->decision);
		if (why->last_reason)
			strbuf_addf(text, "  (%s was not looked into: %s)\n",
				    why->last_callee ?: "the function that it called through a pointer",
				    why->last_reason);
		else
			add_values_missing(why, last, text);
		err = prepare_tested(why, &tested);
		if (err)
			return err;
		if (tested)
			decision_text_add(text, &context, tested);
	} else if (!why->answered) {
		strbuf_addf(text, "what decided that is not known: %s\n",
			    why->unknown ?: "nothing was seen");
	}
	check = check_of(why, last);
	check_text_add(text, &check, &why->refused);
	elsewhere_text_add(text, elsewhere_of(why, last));
	add_fault(why, event, text);
	interruption_text_add(text, event);
	socket_error_text_add(text, &context, event, socket_error_of(why, last));
	add_said(why, event, "  ", text);
	if (options->verbose)
		add_evidence(why, text);
	add_others(why, text);
	vec_foreach(run, &why->runs)
		elapsed += run->elapsed_ns;
	nr_runs = why->runs.len + !why->watched_in_pass;
	strbuf_addf(text, "\n%zu run%s, %" PRIu64 ".%" PRIu64 " s%s\n", nr_runs,
		    nr_runs > 1 ? "s" : "",
		    elapsed / 1000000000, elapsed / 100000000 % 10,
		    options->verbose ? "" : ". -v shows what each found.");
	return text->failed ? report_oom() : 0;
}

static void json_event(struct why *why, struct json *json, const struct watch_event *event)
{
	_cleanup_(free_p) char *name = event->compat ? NULL : why_syscall_name(why, event->nr);
	_cleanup_(strbuf_release) struct strbuf call = STRBUF_INIT, request = STRBUF_INIT;
	const struct watch_event *said = NULL;

	why_call_add(why, event, &call);
	json_string(json, "syscall", name);
	json_string(json, "call", strbuf_str(&call));
	if (event->netlink) {
		netlink_name_add(&request, event);
		json_string(json, "netlink_request", strbuf_str(&request));
	}
	if (event->so_error)
		json_bool(json, "so_error", true);
	io_uring_request_json_add(json, event);
	json_string(json, "errno", errno_name(-event->result));
	json_string(json, "comm", event->comm);
	json_uint(json, "pid", event->pid);
	json_uint(json, "tid", event->tid);
	json_array(json, "kernel_said");
	while ((said = failed_calls_said(&why->watched.calls, event, said))) {
		json_object(json, NULL);
		json_string(json, "source", said_source(said));
		json_string(json, "text", said->said);
		json_close(json);
	}
	json_close(json);
}

static void json_fault(struct why *why, struct json *json, const struct watch_event *event)
{
	const char *name;
	uint64_t addr, offset;

	if (!check_has_fault(event))
		return;
	name = fault_name(why, event, &addr, &offset);
	json_object(json, "bad_address");
	json_hex(json, "addr", addr);
	json_string(json, "argument", name);
	if (name && offset)
		json_uint(json, "offset", offset);
	json_close(json);
}

static void json_runs(struct json *json, const struct why *why)
{
	json_array(json, "runs");
	vec_foreach(run, &why->runs) {
		json_object(json, NULL);
		json_uint(json, "functions", run->functions);
		json_uint(json, "probes", run->probes);
		json_uint(json, "refused", run->refused);
		json_uint(json, "hits", run->hits);
		json_uint(json, "alike", run->alike);
		json_bool(json, "failed_again", run->failed_again);
		json_uint(json, "duration_ns", run->elapsed_ns);
		json_close(json);
	}
	json_close(json);
}

static void json_others(struct why *why, struct json *json)
{
	const struct failed_calls *calls = &why->watched.calls;

	json_array(json, "failed");
	for (size_t i = 0; i < calls->v.len; i++) {
		json_object(json, NULL);
		failed_list_json(json, i + 1, calls->v.data[i].count, (int)i == why->chosen);
		json_event(why, json, &calls->v.data[i].event);
		json_close(json);
	}
	json_close(json);
}

int answer_json(struct why *why, const struct answer_options *options, struct strbuf *text)
{
	static const char *const choices[] = {
		[CHOICE_ASKED] = "asked",
		[CHOICE_COMPLAINT] = "complaint",
		[CHOICE_STATUS] = "status",
		[CHOICE_NEXT] = "next",
		[CHOICE_SIGNAL] = "signal",
	};
	const struct view_context context = context_of(why, options);
	struct target *last = last_target(why);
	struct json json = JSON_INIT(text);
	_cleanup_(free_p) char *syscall = NULL;
	const struct watch_event *event;
	const struct decision *tested;
	struct check check;
	int err;

	json_object(&json, NULL);
	json_string(&json, "type", "why");
	event = why->chosen >= 0 ? &why->watched.calls.v.data[why->chosen].event : NULL;
	if (event) {
		json_event(why, &json, event);
		json_string(&json, "chosen_by", choices[why->chosen_by]);
		json_string(&json, "function", why->entry);
		if (why->watched.calls.unknown_err)
			json_string(&json, "complaint_errno",
				    errno_name(why->watched.calls.unknown_err));
		if (why->chosen_by == CHOICE_COMPLAINT)
			json_bool(&json, "complaint_names_call", !why->watched.calls.unnamed);
		json_bool(&json, "known", answer_is_known(why));
	}
	if (event) {
		check = check_of(why, last);
		check_json_add(&json, &check, &why->refused);
		elsewhere_json_add(&json, elsewhere_of(why, last));
		json_fault(why, &json, event);
		interruption_json_add(&json, event);
		socket_error_json_add(&json, &context, event, socket_error_of(why, last));
	}
	if (last) {
		err = prepare(why, last);
		if (err)
			return err;
		decision_json_add(&json, "decision", &context, &last->decision);
		err = prepare_tested(why, &tested);
		if (err)
			return err;
		if (tested)
			decision_json_add(&json, "tested", &context, tested);
		json_string(&json, "not_looked_into", why->last_reason);
		json_string(&json, "not_looked_into_function", why->last_reason ? why->last_callee : NULL);
	} else if (!why->answered) {
		json_string(&json, "unknown", why->unknown);
	}
	if (why->death) {
		syscall = death_syscall(why);
		death_json_add(&json, &context, why->death, syscall);
	}
	json_uint(&json, "results_lost", why->watched.lost);
	json_runs(&json, why);
	json_others(why, &json);
	json_close(&json);
	strbuf_addch(text, '\n');
	return text->failed ? report_oom() : 0;
}
