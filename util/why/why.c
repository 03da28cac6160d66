// SPDX-License-Identifier: BSD-2-Clause
/* Conducts runs until it is known why a call failed. */
#include "util/why/why.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "util/ask/request.h"
#include "util/ask/spec.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/errnames.h"
#include "util/base/text/glob.h"
#include "util/base/text/quote.h"
#include "util/kernel/kernel.h"
#include "util/kernel/machine/cgroup_watch.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/plan/args/args.h"
#include "util/plan/match/similar_names.h"
#include "util/plan/points/probes.h"
#include "util/why/watch/deaths.h"
#include "util/why/watch/io_uring.h"
#include "util/why/watch/netlink.h"
#include "util/why/why_internal.h"

static const char interrupted[] = "interrupted before the call failed so again";
static const char ended[] = "interrupted before all runs were made";
static const char gone[] = "the process exited before the call failed so again";
static const char less_often[] =
	"the call failed less often than before, so that it is not known which of them it is";
static const char more_often[] =
	"the call failed more often than before, so that it is not known which of them it is";

/* Functions attached to find out which of them fail: with one link, and one by one. */
#define MANY_FUNCTIONS 600
#define FEW_FUNCTIONS 24
/* Those attached in the first run since their code makes the errno: with a command, and while it is waited for. */
#define MANY_PRODUCERS 8000
#define MANY_PRODUCERS_WAITING 600
/* Runs that are repeated because the call, or a part of its trace, was missing. */
#define MAX_MISSED 3

char *why_syscall_name(struct why *why, uint32_t nr)
{
	const struct symbol *symbol = why_code_syscall(why->code, nr);
	const char *name = symbol ? args_syscall_name(symbol->name) : NULL;

	return name ? strdup(name) : NULL;
}

/* The number of a system call by its name; false: there is none. */
static bool find_syscall(struct why *why, const char *wanted, uint32_t *ret_nr)
{
	for (uint32_t nr = 0; nr < MAX_SYSCALLS && !is_glob(wanted); nr++) {
		const struct symbol *symbol = why_code_syscall(why->code, nr);
		const char *name = symbol ? syscall_of_entry(symbol->name) : NULL;

		if (name && syscall_matches(name, wanted)) {
			*ret_nr = nr;
			return true;
		}
	}
	return false;
}

static int report_no_syscall(struct why *why)
{
	struct nearest near = nearest_start(why->ask->syscall);
	const struct symbol *all;
	size_t nr = symbols_all(why->code->symbols, &all);

	/* Each kernel has one of them. */
	if (!why_code_syscall(why->code, SYS_read))
		return report(-EIO, "--syscall %s: the kernel's table of system calls cannot be read; "
				    "is there /proc/kcore?", why->ask->syscall);
	offer_syscalls(all, nr, &near);
	return nearest_report(&near, "'retsnoop funcs " SPEC_SYSCALL_PREFIX "*' lists them",
			      "--syscall %s: this kernel has no such system call",
			      why->ask->syscall);
}

static int report_no_function(const struct why *why)
{
	const char *entry = why->ask->entry, *like;
	const struct symbol *all;
	size_t nr = symbols_all(why->code->symbols, &all);

	if (names_syscall(all, nr, entry))
		return report(-EINVAL, "-e %s: this kernel has no such function; try --syscall %s",
			      entry, entry);
	if (nearest_names(all, nr, entry, &like, 1))
		return report(-EINVAL, "-e %s: this kernel has no such function; did you mean '%s'?",
			      entry, like);
	return report(-EINVAL, "-e %s: this kernel has no such function", entry);
}

/* Refuse names that no run can find. *ret_nr: number of --syscall. 0; -EINVAL, -EIO (reported). */
static int check_ask(struct why *why, uint32_t *ret_nr)
{
	const struct why_ask *ask = why->ask;
	const struct symbol *const *entries;
	size_t named;

	if (!ask->entry && why_code_check_calls(why->code))
		return -EIO;
	if (ask->syscall && !find_syscall(why, ask->syscall, ret_nr))
		return report_no_syscall(why);
	named = ask->entry ? symbols_named(why->code->symbols, ask->entry, &entries) : 1;
	if (!named)
		return report_no_function(why);
	return named == 1 ? 0 :
			    report(-EINVAL, "-e %s: this kernel has several functions of that name",
				   ask->entry);
}

static void say_start(const struct why_ask *ask)
{
	if (!ask->command)
		say(VERBOSITY_NORMAL, "Waiting for a call to fail; Ctrl-C ends.");
	else if (ask->max_runs > 1)
		say(VERBOSITY_NORMAL, "Running '%s' up to %u times (--runs, --once).",
		    ask->command[0], ask->max_runs);
}

/* Whether the chosen call is no more than the last one that failed. */
static bool is_last_only(const struct why *why)
{
	return why->chosen < 0 || why->chosen_by == CHOICE_STATUS ||
	       (why->chosen_by == CHOICE_COMPLAINT && why->watched.calls.unnamed);
}

/* Without a command: whether the end of a process is what was waited for, or of the last one that was selected. */
static bool has_awaited_death(const struct watched *watched)
{
	const watch_events *events = &watched->calls.events;

	if (!watched->found)
		return watched->gone;
	return events->data[events->len - 1].kind == WATCH_KILLED;
}

/* If a signal ended the process, that is the reason, or it goes with a call that failed. */
static void choose_death(struct why *why)
{
	const struct watched *watched = &why->watched;
	const watch_events *events = &watched->calls.events;

	if (!why->ask->command)
		why->death = has_awaited_death(watched) ? deaths_last(events) : NULL;
	else if (is_last_only(why))
		why->death = deaths_find(events, watched->wait_status, why->chosen < 0);
	if (!why->death)
		return;
	why->chosen = failed_calls_killed_for(&why->watched.calls, why->death);
	if (why->chosen >= 0)
		why->chosen_by = CHOICE_SIGNAL;
}

int why_choose(struct why *why, const struct call_choice *choice)
{
	struct failed_calls *calls = &why->watched.calls;
	/* A command that was interrupted had no end of its own. */
	bool is_cut_short = why->ask->command && why->watched.interrupted;

	calls->command = why->ask->command;
	if (failed_calls_group(calls, &call_numbers))
		return -ENOMEM;
	if (why->ask->command && choice->number > calls->v.len)
		return report(-EINVAL, "--call %u: only %zu kind%s of calls failed", choice->number,
			      calls->v.len, calls->v.len == 1 ? "" : "s");
	/* Without a command and a wanted call: the failed calls are only listed. */
	if (why->ask->command || why->watched.found)
		why->chosen = failed_calls_choose(calls, choice, &why->chosen_by);
	if (is_cut_short && why->chosen_by == CHOICE_STATUS)
		why->chosen = -1;
	else if (!is_cut_short && !choice->number && !choice->nr && !choice->err)
		choose_death(why);
	return 0;
}

static const struct symbol *entry_symbol(struct why *why, const struct watch_event *event)
{
	const char *name = why->ask->entry ?: netlink_function(event) ?: io_uring_function(event);
	const struct symbol *function = why->ask->entry ? NULL : why_request_begin(why, event);
	const struct symbol *const *named;

	if (function)
		return function;
	if (!name)
		return event->compat || event->netlink ? NULL : why_code_syscall(why->code, event->nr);
	return symbols_named(why->code->symbols, name, &named) ? named[0] : NULL;
}

static int add_func(struct pass_ask *ask, const struct symbol *symbol)
{
	vec_foreach(func, &ask->funcs) {
		if ((*func)->addr == symbol->addr)
			return 0;
	}
	return vec_push(&ask->funcs, symbol) ? report_oom() : 0;
}

const struct symbol *why_symbol_of(const struct why *why, const struct target *target)
{
	return symbolizer_symbol(why->code->symbolizer, target->function.addr);
}

/*
 * Add functions to trace: the examined functions, callees of the innermost one, and in the first run, which shows
 * where to look, those whose code makes the errno.
 */
static int add_functions(struct why *why, const struct target *innermost, struct pass_ask *ask)
{
	size_t max;
	int err = 0, number;

	for (size_t i = 1; !err && i < why->targets.len; i++) {
		if (!why->targets.data[i]->unusable && !why->targets.data[i]->by_breakpoints)
			err = add_func(ask, why_symbol_of(why, why->targets.data[i]));
	}
	if (err)
		return err;
	max = ask->funcs.len + (why->code->many ? MANY_FUNCTIONS : FEW_FUNCTIONS);
	err = why_add_callees(why->code, why_symbol_of(why, innermost), ask, max);
	number = ask->result < 0 ? -ask->result : ask->err;
	if (err || !number || !why->code->many || why->runs.len > why->runs_before)
		return err;
	max = ask->workload ? MANY_PRODUCERS : MANY_PRODUCERS_WAITING;
	return why_add_producers(why->code, number, ask, max);
}

static int learn(struct why *why, const struct pass *pass)
{
	if (!pass->plan->probes)
		return 0;
	vec_foreach(target, &why->targets) {
		if ((*target)->placed && target_learn(*target, &pass->attached))
			return report_oom();
	}
	return 0;
}

/* Repeat a run in which something was missing, but only a few times. */
static enum why_next try_again(struct why *why, const char *what)
{
	if (why->nr_missed++ < MAX_MISSED)
		return WHY_AGAIN;
	why->unknown = what;
	return WHY_DONE;
}

/*
 * Whether a netlink request was probably refused before its function, or one through io_uring was, or has its error
 * elsewhere. Then no function returned the error.
 */
static bool is_refused_earlier(struct why *why, const struct failed_call *call, const struct pass *pass)
{
	const char *refuser = call->event.io_uring ? why_request_refuser(why) : netlink_refuser(&call->event);

	if (!refuser || pass->session || why->runs.len > why->runs_before + 1)
		return false;
	why->levels.len = 0;
	why->unknown = refuser;
	return true;
}

/* Why the call was not seen again. */
static const char *why_not_again(struct why *why)
{
	const struct symbol *const *named;

	if (why->entry && symbols_named(why->code->symbols, why->entry, &named) &&
	    why_is_inlined_syscall(why->code, named[0]))
		return "the compiler has its function inlined where the kernel calls those of system calls";
	return "the call did not fail so again";
}

/* Use the findings of a pass that ended without an error. */
static int use_pass(struct why *why, const struct failed_call *call, const struct pass *pass,
		    enum why_next *ret_next)
{
	int err;

	if (!pass->session && !why->ask->command) {
		why->unknown = pass->interrupted ? interrupted : gone;
		*ret_next = WHY_DONE;
		return 0;
	}
	if (why->kept_at && !pass->session && why->runs.len == 1) {
		err = why_request_begin_again(why, call);
		*ret_next = why->unknown ? WHY_DONE : WHY_AGAIN;
		return err;
	}
	*ret_next = WHY_DONE;
	if (is_refused_earlier(why, call, pass))
		return 0;
	if (why->ask->command && pass->alike.len != call->count) {
		/* Of many equal calls, or repeated ones, any can be examined; of requests, others may fail there. */
		why->is_one_of_many = (call->count >= WHY_MANY_ALIKE ||
				       (call->repeats && pass_is_of_one_thread(pass))) &&
				      !call->event.io_uring && pass_is_uniform(pass);
		if (!why->is_one_of_many && pass->alike.len < call->count &&
		    pass_missed_calls(pass)) {
			*ret_next = try_again(why, pass->session ? less_often : why_not_again(why));
			return 0;
		}
		if (!why->is_one_of_many) {
			why->unknown = !pass->session ? why_not_again(why) :
				       pass->alike.len < call->count ? less_often : more_often;
			return 0;
		}
	}
	if (!pass->session) {
		why->unknown = why_not_again(why);
		return 0;
	}
	err = why_follow(why, pass, ret_next);
	if (*ret_next == WHY_TORN) {
		*ret_next = try_again(why, "part of the trace was lost");
		return err;
	}
	why->nr_missed = 0;
	return err || *ret_next == WHY_DONE ? err : why_add_hints(why, pass);
}

void why_fill_ask(const struct why *why, const struct failed_call *call, struct pass_ask *ask)
{
	const struct target *entry = why->targets.data[0];

	*ask = (struct pass_ask){
		.workload = why->ask->command,
		.filters = why->ask->filters,
		.cgroups = why->cgroups,
		.user = why->ask->user,
		.stdout_fd = why->ask->stdout_fd,
		.entry = entry->function.name,
		.module = entry->module,
		.nth = why->ask->command && call ? call->nth : 1,
		/* A worker thread may have done a request. */
		.comm = call && !call->event.io_uring ? call->event.comm : NULL,
		.result = call ? call->event.result : 0,
		.kept_at = why->kept_at,
		.features = &why->code->features,
		/*
		 * Where kprobes are not known, they would be taken for code. Without a command, the next failure may
		 * be long in coming, and hits cost time meanwhile.
		 */
		.kept = why->ask->command && why->code->live.is_known ? &why->code->kprobes : NULL,
	};
}

static int note_run(struct why *why, const struct pass *pass)
{
	struct why_run run = {
		.functions = pass->plan ? pass->plan->funcs.len : 0,
		.elapsed_ns = pass->elapsed_ns,
		.failed_again = pass->session,
		.alike = pass->alike.len,
	};

	if (pass->plan && pass->plan->probes) {
		run.probes = pass->plan->probes->v.len;
		run.refused = pass->attached.probes_refused.len;
	}
	return vec_push(&why->runs, run) ? report_oom() : 0;
}

/* Without a command: report which call is awaited. */
static void say_waiting(const struct why *why, const struct failed_call *call)
{
	_cleanup_(strbuf_release) struct strbuf comm = STRBUF_INIT;

	if (why->ask->command)
		return;
	quote_name_add(&comm, call->event.comm);
	say(VERBOSITY_NORMAL, "Waiting for %s to fail with %s in '%s' again (%zu of at most %u).",
	    why->syscall ?: why->entry, errno_name(-call->event.result) ?: "this errno",
	    strbuf_str(&comm), why->runs.len + 2, why->ask->max_runs);
}

int why_run_pass(struct why *why, const struct failed_call *call, struct pass_ask *ask,
		 struct pass *pass)
{
	int err;

	say_waiting(why, call);
	err = pass_run(why->kernel, ask, pass);
	live_code_kprobes_changed(&why->code->live);
	return err ?: note_run(why, pass);
}

int why_attach(struct why *why, const struct failed_call *call, struct pass_ask *ask,
	       struct pass *pass)
{
	int innermost, err;

	code_reader_forget(&why->code->reader);
	innermost = why_add_certain(why);
	if (innermost < 0)
		return innermost;
	err = why_place_probes(why, ask);
	err = err ?: add_functions(why, why->targets.data[innermost], ask);
	err = err ?: why_run_pass(why, call, ask, pass);
	err = err ?: learn(why, pass);
	why->interrupted = pass->interrupted;
	return err;
}

/* One pass. *ret_next: whether another one may help. */
static int run_pass(struct why *why, const struct failed_call *call, enum why_next *ret_next)
{
	struct pass_ask ask;
	_cleanup_(pass_release) struct pass pass = {};
	int err;

	why_fill_ask(why, call, &ask);
	err = why_attach(why, call, &ask, &pass);
	if (!err && pass.interrupted && why->ask->command)
		why->unknown = ended;
	else if (!err)
		err = use_pass(why, call, &pass, ret_next);
	pass_ask_release(&ask);
	return err;
}

bool why_begin(struct why *why, const struct symbol *entry)
{
	const struct failed_call *call = &why->watched.calls.v.data[why->chosen];

	if (!why->ask->entry)
		why->syscall = call->event.compat ? NULL : why_syscall_name(why, call->event.nr);
	why->answered = call->event.by_seccomp || call->event.signal ||
			(call->event.so_error && failed_calls_socket(&why->watched.calls, &call->event));
	if (why->answered || call->event.so_error) {
		why->entry = entry ? entry->name : NULL;
		why->unknown = why->answered ? NULL : "who set the socket's error was not seen";
		return false;
	}
	if (call->event.io_uring) {
		why->unknown = why_request_unknown(why, call);
		/* They may end in another order than they began. */
		why->is_one_of_many = call->count > 1;
	}
	if (why->unknown)
		return false;
	if (!entry) {
		why->unknown = call->event.netlink ? netlink_refuser(&call->event) ?:
							     "the function that takes such requests is not known" :
			       call->event.compat  ? "it is a call of a 32-bit program" :
						     "the system call's function is not known";
		return false;
	}
	why->entry = entry->name;
	if (!why_can_trace(why->code, entry))
		why->unknown = "the system call's function cannot be traced";
	return !why->unknown;
}

static int explain(struct why *why)
{
	const struct failed_call *call = &why->watched.calls.v.data[why->chosen];
	const struct symbol *entry = entry_symbol(why, &call->event);
	enum why_next next = WHY_AGAIN;
	const char *unseen;
	int err;

	if (!why_begin(why, entry))
		return 0;
	if (why->interrupted) {
		why->unknown = why->ask->command ? ended : interrupted;
		return 0;
	}
	err = why_target(why, entry);
	if (err < 0)
		return err;
	if (why->kept_at)
		why_request_set_kept(why, why->targets.data[err], true);
	err = vec_push(&why->levels, (struct why_level){ err, call->event.result });
	while (!err && next == WHY_AGAIN && why->runs.len + 1 < why->ask->max_runs &&
	       !why->interrupted)
		err = run_pass(why, call, &next);
	unseen = why_drop_unseen(why);
	if (!err && next == WHY_AGAIN && !why->interrupted && unseen)
		why_end_with_unseen(why, unseen);
	else if (!err && next == WHY_AGAIN && !why->interrupted)
		err = why_note_out_of_runs(why);
	else if (!err && next == WHY_AGAIN && !unseen)
		why_end_interrupted(why, ended);
	if (err || why->unknown || why->interrupted || why->runs.len + 1 >= why->ask->max_runs)
		return err;
	return why_read_values(why, call);
}

/* The function to begin with, if it is known before the only run; else NULL. */
static const struct symbol *once_symbol(struct why *why, const uint32_t *nr)
{
	const struct why_ask *ask = why->ask;
	const struct symbol *const *named, *entry = NULL;

	if (!ask->command || ask->max_runs > 1 || ask->filters->cgroup_patterns.len)
		return NULL;
	if (ask->entry)
		entry = symbols_named(why->code->symbols, ask->entry, &named) ? named[0] : NULL;
	else if (nr)
		entry = why_code_syscall(why->code, *nr);
	return entry && why_can_trace(why->code, entry) ? entry : NULL;
}

int why_run(struct kernel *kernel, const struct why_ask *ask, struct why *why)
{
	struct call_choice choice = { .number = ask->call, .err = ask->err, .next = !ask->command };
	struct watch_ask watch = {
		.command = ask->command,
		.user = ask->user,
		.stdout_fd = ask->stdout_fd,
		.filters = ask->filters,
		.wanted = &choice,
		.nrs = &call_numbers,
	};
	const struct symbol *entry;
	uint32_t nr = 0;
	int err;

	*why = (struct why){ .ask = ask, .kernel = kernel, .chosen = -1 };
	why->code = calloc(1, sizeof(*why->code));
	if (!why->code)
		return report_oom();
	err = why_code_open(kernel, why->code);
	err = err ?: check_ask(why, &nr);
	choice.nr = ask->syscall ? &nr : NULL;
	if (!err)
		say_start(ask);
	if (!err && ask->filters->cgroup_patterns.len)
		watch.cgroups = why->cgroups = cgroup_watch_new();
	entry = err ? NULL : once_symbol(why, choice.nr);
	if (entry)
		return why_run_once(why, &watch, entry, &choice);
	err = err ?: watch_run(kernel, &watch, &why->watched);
	why->interrupted = why->watched.interrupted && ask->max_runs > 1;
	if (err)
		return err;
	err = why_choose(why, &choice);
	if (err || why->chosen < 0)
		return err;
	return why_code_learn_modules(kernel, why->code) ?: explain(why);
}

void why_release_targets(struct why *why)
{
	vec_foreach(target, &why->targets) {
		target_release(*target);
		free(*target);
	}
	why->targets.len = why->levels.len = 0;
	if (why->code)
		why->code->plan.funcs.len = 0;
}

void why_end(struct why *why)
{
	why_release_targets(why);
	vec_release(&why->targets);
	vec_release(&why->levels);
	vec_release(&why->tested);
	vec_release(&why->runs);
	syscall_formats_release(&why->syscalls);
	watched_release(&why->watched);
	cgroup_watch_free(why->cgroups);
	if (why->code)
		why_code_close(why->code);
	free(why->code);
	free(why->refused.name);
	free(why->syscall);
	free(why->once_text);
}
