// SPDX-License-Identifier: BSD-2-Clause
/* Chooses the failed call to explain. */
#include "util/why/watch/failed_calls.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/errnames.h"
#include "util/why/watch/complaint.h"
#include "util/why/watch/deaths.h"
#include "util/why/watch/io_uring.h"
#include "util/why/watch/looks.h"
#include "util/why/watch/messages.h"
#include "util/why/watch/netlink.h"
#include "util/why/watch/searches.h"

/* Add a signal to the call that the same task has just returned from. */
static void add_signal(struct failed_calls *calls, const struct watch_event *signal)
{
	for (size_t i = calls->events.len; i-- > 0;) {
		struct watch_event *event = &calls->events.data[i];

		/* Requests through io_uring end when they like, and no signal ends them. */
		if (event->kind != WATCH_FAILED || event->tid != signal->tid || event->io_uring)
			continue;
		if (event->result == -EINTR && event->called_ns == signal->called_ns) {
			event->signal = signal->signal;
			event->signal_code = signal->signal_code;
			event->signal_pid = signal->signal_pid;
			event->restartable = signal->restartable;
		}
		return;
	}
}

int failed_calls_add(struct failed_calls *calls, const struct watch_event *event)
{
	if (event->kind == WATCH_SIGNAL) {
		add_signal(calls, event);
		return 0;
	}
	return vec_push(&calls->events, *event);
}

void failed_calls_release(struct failed_calls *calls)
{
	vec_release(&calls->v);
	vec_release(&calls->events);
	vec_release(&calls->expected);
}

static bool is_alike(const struct watch_event *a, const struct watch_event *b)
{
	if (a->netlink && b->netlink ? !netlink_is_alike(a, b) : a->netlink != b->netlink || a->nr != b->nr)
		return false;
	return a->compat == b->compat && a->result == b->result && a->signal == b->signal &&
	       a->so_error == b->so_error && a->io_uring == b->io_uring &&
	       !strncmp(a->comm, b->comm, sizeof(a->comm));
}

/* Whether a call was made again with the same arguments; what pointers point to may be another. */
static bool is_repeated(const struct watch_event *a, const struct watch_event *b)
{
	if (a->pid != b->pid || a->have != b->have || memcmp(a->args, b->args, sizeof(a->args)))
		return false;
	for (uint32_t i = 0; i < WATCH_ARGS; i++) {
		if (a->have >> i & 1 && strncmp(a->strings[i], b->strings[i], WATCH_STRING))
			return false;
	}
	return true;
}

int failed_calls_group(struct failed_calls *calls, const struct call_numbers *nrs)
{
	_cleanup_(searches_release) struct searches searches = { .command = calls->command };
	_cleanup_(written_release) written_texts texts = {};

	if (searches_find(&searches, &calls->events) || written_collect(&texts, &calls->events))
		return report_oom();
	calls->v.len = calls->expected.len = 0;
	vec_foreach(event, &calls->events) {
		struct failed_call *group = NULL;
		enum expected expected = expected_of(event, nrs, &searches, &texts);

		if (vec_push(&calls->expected, expected))
			return report_oom();
		if (event->kind != WATCH_FAILED)
			continue;
		vec_foreach(call, &calls->v) {
			if (is_alike(&call->event, event))
				group = call;
		}
		if (!group) {
			if (vec_push(&calls->v, (struct failed_call){ .event = *event }))
				return report_oom();
			group = &calls->v.data[calls->v.len - 1];
			group->noise = group->repeats = true;
			group->exec = event->nr == nrs->execve && !event->compat;
			group->program = group->exec && searches_may_be(event);
		}
		group->count++;
		group->repeats &= is_repeated(&group->event, event);
		if (expected != EXPECTED_NOISE && expected != EXPECTED_CLOSING) {
			group->noise = false;
			group->event = *event;
			group->nth = group->count;
		} else if (group->noise) {
			group->event = *event;
			group->nth = group->count;
		}
	}
	return 0;
}

static int group_of(const struct failed_calls *calls, const struct watch_event *event)
{
	for (size_t i = 0; i < calls->v.len; i++) {
		if (is_alike(&calls->v.data[i].event, event))
			return i;
	}
	return -ENOENT;
}

/* Choose an event as the one that its group shows. */
static int choose_event(struct failed_calls *calls, const struct watch_event *event)
{
	int index = group_of(calls, event);
	uint32_t nth = 0;

	vec_foreach(e, &calls->events) {
		if (e->kind == WATCH_FAILED && is_alike(e, event))
			nth++;
		if (e == event)
			break;
	}
	calls->v.data[index].event = *event;
	calls->v.data[index].nth = nth;
	return index;
}

static const struct call_choice any_call;

static bool is_wanted(const struct watch_event *event, const struct call_choice *choice)
{
	if (event->kind != WATCH_FAILED)
		return false;
	if (choice->nr && (event->compat || event->nr != *choice->nr))
		return false;
	return !choice->err || event->result == -choice->err;
}

/* How likely a program gives up because of a failure; the likeliest is the lowest. */
enum weight {
	WEIGHT_FAILURE,
	WEIGHT_INTERRUPTED,	/* by a signal that the program has a handler for */
	WEIGHT_PROGRAM,		/* searched for in several directories, and not found in the last */
	WEIGHT_LOOK,		/* a file that the process did not find, and said nothing */
	WEIGHT_ATTEMPT,		/* what programs do without */
	WEIGHT_NOISE,
};

static enum expected expected_at(const struct failed_calls *calls, const struct watch_event *event)
{
	size_t index = event - calls->events.data;

	return index < calls->expected.len ? calls->expected.data[index] : EXPECTED_NOT;
}

static bool is_look(const struct failed_calls *calls, const struct watch_event *event)
{
	enum expected expected = expected_at(calls, event);

	return expected == EXPECTED_LOOK || expected == EXPECTED_UNNAMED_LOOK || expected == EXPECTED_POINTED_LOOK;
}

static bool is_unnamed_look(const struct failed_calls *calls, const struct watch_event *event)
{
	return expected_at(calls, event) == EXPECTED_UNNAMED_LOOK;
}

/* @end	the complaint, or the exit; NULL: none */
static enum weight weight_of(const struct failed_calls *calls, const struct watch_event *event,
			     const struct watch_event *end)
{
	enum expected expected = expected_at(calls, event);
	int group = group_of(calls, event);

	/* With another name, the process has become another program since: by another execve(2). */
	if (group >= 0 && calls->v.data[group].exec && end && strncmp(event->comm, end->comm, sizeof(event->comm)))
		return WEIGHT_NOISE;
	if (group < 0 || expected == EXPECTED_NOT || expected == EXPECTED_POINTED_LOOK)
		return WEIGHT_FAILURE;
	if (expected == EXPECTED_LOOK)
		return WEIGHT_LOOK;
	if (expected == EXPECTED_ATTEMPT)
		return WEIGHT_ATTEMPT;
	if (event->signal)
		return WEIGHT_INTERRUPTED;
	return calls->v.data[group].program && end ? WEIGHT_PROGRAM : WEIGHT_NOISE;
}

/*
 * Whether a call was given two strings or more. What other arguments point to, and what is left in their registers, may
 * have been taken for strings, too: a look for a file has one.
 */
static bool has_strings(const struct failed_calls *calls, const struct watch_event *event)
{
	return event->have & (event->have - 1) && expected_at(calls, event) != EXPECTED_POINTED_LOOK;
}

/*
 * Whether a program only looks for the reason of a failure: at a path that was given to that call. The
 * same path may also have been looked at twice, before it was needed.
 */
static bool is_about(const struct failed_calls *calls, const struct watch_event *event,
		     const struct watch_event *failure)
{
	const char *path = watch_path(event);

	if (!path || event->result != -ENOENT || event->pid != failure->pid ||
	    (failure->result == -ENOENT && (!has_strings(calls, failure) || has_strings(calls, event))))
		return false;
	for (int i = 0; i < WATCH_ARGS; i++) {
		if (failure->have >> i & 1 && !strcmp(failure->strings[i], path))
			return true;
	}
	return false;
}

/*
 * The last of the likeliest failures before an event, of one process or of all. Noise counts only
 * if it was asked for.
 */
static const struct watch_event *last_before(const struct failed_calls *calls,
					     const struct watch_event *end, uint32_t pid,
					     const struct call_choice *choice)
{
	const struct watch_event *last = NULL;
	enum weight least = WEIGHT_NOISE;

	vec_foreach(event, &calls->events) {
		enum weight weight;

		if (event == end)
			break;
		if (!is_wanted(event, choice) || (pid && event->pid != pid))
			continue;
		weight = weight_of(calls, event, end);
		if (weight == WEIGHT_FAILURE && least == weight && last && is_about(calls, event, last))
			continue;
		if (weight <= least) {
			last = event;
			least = weight;
		}
	}
	return least == WEIGHT_NOISE && !choice->nr && !choice->err ? NULL : last;
}

/* Whether the event is the first of the N-th kind of failures. */
static bool begins_kind(struct failed_calls *calls, const struct watch_event *event, uint32_t number)
{
	if (vec_find(call, &calls->v, is_alike(&call->event, event)))
		return false;
	if (vec_push(&calls->v, (struct failed_call){ .event = *event }))
		return false;
	return calls->v.len == number;
}

bool failed_calls_is_wanted(struct failed_calls *calls, const struct watch_event *event,
			    const struct call_choice *choice, const struct call_numbers *nrs)
{
	if (event->kind == WATCH_KILLED)
		return !choice->number && !choice->nr && !choice->err && death_is_failure(event);
	if (event->kind != WATCH_FAILED)
		return false;
	if (choice->number)
		return begins_kind(calls, event, choice->number);
	if (choice->nr || choice->err)
		return is_wanted(event, choice);
	return !expected_always(event, nrs, calls->command) && !expected_is_search(event, nrs) &&
	       !expected_is_attempt(event, nrs);
}

/* Shorter texts of the kernel may be in a complaint by chance. */
#define MIN_QUOTE 8

/* Whether programs expect a failure, but may complain about it by its name. */
static bool is_worth_naming(const struct failed_calls *calls, const struct watch_event *event)
{
	return expected_at(calls, event) == EXPECTED_CLOSING || errno_is_expected(-event->result) ||
	       event->result == -ENOTTY || event->result == -ESPIPE || event->result == -ENXIO ||
	       io_uring_expects(event) || netlink_expects(event);
}

/* Whether another call with the same error is more likely to be meant. */
static bool is_second_choice(const struct failed_calls *calls, const struct watch_event *event)
{
	return is_unnamed_look(calls, event) || expected_at(calls, event) == EXPECTED_CLOSING;
}

/*
 * A bare name may be any word of a complaint, unless it is a word of the command line, too; and programs look for files
 * with such names.
 */
static bool names_path_of(const struct failed_calls *calls, const char *complaint, const struct watch_event *event)
{
	/* Of a look for a file, what is left in the registers of further arguments may have been taken for strings. */
	uint32_t nr = is_look(calls, event) ? 2 : WATCH_ARGS;

	for (uint32_t i = 0; i < nr; i++) {
		const char *path = watch_string(event, i);

		if (path && complaint_has_path(complaint, path) &&
		    (strchr(path, '/') ||
		     (!searches_may_be(event) && looks_is_word_of(calls->command, path))))
			return true;
	}
	return false;
}

/* Whether a complaint of the same process may be about a failure. */
static bool may_be_named(const struct failed_calls *calls, const struct watch_event *event,
			 const struct watch_event *end, const char *text)
{
	return event->pid == end->pid && (is_worth_naming(calls, event) || is_unnamed_look(calls, event) ||
					  searches_is_named_library(event, text) ||
					  weight_of(calls, event, end) != WEIGHT_NOISE);
}

/*
 * The last failure before a complaint with the errno that it names; NULL: it names none of them. What
 * programs expect may be what this one does not, but for the C library's searches. The longest text
 * counts: "No such device" is in "No such device or address".
 *
 * @by_path	of any process, if a path of it is named, too: the runtime of a container tells what the container's
 *		first process failed with
 */
static const struct watch_event *named_before(const struct failed_calls *calls, const struct watch_event *end,
					      const char *text, bool by_path)
{
	const struct watch_event *named = NULL;
	size_t longest = 1, len;

	/* Some programs write thousands of lines. */
	if (!vec_find(call, &calls->v, complaint_names(text, -call->event.result)))
		return NULL;
	vec_foreach(event, &calls->events) {
		if (event == end)
			break;
		if (event->kind != WATCH_FAILED ||
		    !(by_path ? names_path_of(calls, text, event) : may_be_named(calls, event, end, text)))
			continue;
		len = complaint_names(text, -event->result);
		if (len < longest || (len == longest && named && is_second_choice(calls, event) &&
				      !is_second_choice(calls, named)))
			continue;
		named = event;
		longest = len;
	}
	return named;
}

/* The last failure before a complaint of which a path is in it, and nothing else is named. */
static const struct watch_event *on_path_before(const struct failed_calls *calls,
						const struct watch_event *end, const char *text)
{
	const struct watch_event *last = NULL;

	vec_foreach(event, &calls->events) {
		if (event == end)
			break;
		if (event->kind == WATCH_FAILED && event->pid == end->pid && names_path_of(calls, text, event) &&
		    (searches_may_be(event) || weight_of(calls, event, end) == WEIGHT_FAILURE))
			last = event;
	}
	return last;
}

/* The last failure before a complaint that repeats what the kernel said of the call. */
static const struct watch_event *quoted_before(const struct failed_calls *calls,
					       const struct watch_event *end, const char *text)
{
	const struct watch_event *quoted = NULL, *said;

	vec_foreach(event, &calls->events) {
		if (event == end)
			break;
		if (event->kind != WATCH_FAILED || event->pid != end->pid)
			continue;
		for (said = NULL; (said = failed_calls_said(calls, event, said));) {
			if (strlen(said->said) >= MIN_QUOTE && strstr(text, said->said))
				quoted = event;
		}
	}
	return quoted;
}

/*
 * The last ioctl(2) before a complaint that the file does not have, and that is none of terminals: libraries make
 * EOPNOTSUPP of its ENOTTY, as that of chattr(1) does.
 */
static const struct watch_event *unsupported_before(const struct failed_calls *calls,
						    const struct watch_event *end)
{
	const struct watch_event *last = NULL;

	vec_foreach(event, &calls->events) {
		if (event == end)
			break;
		if (event->kind == WATCH_FAILED && event->pid == end->pid && event->result == -ENOTTY &&
		    _IOC_TYPE(event->args[1]) != _IOC_TYPE(TCGETS))
			last = event;
	}
	return last;
}

static bool has_failed_with(const struct failed_calls *calls, uint32_t pid, int err)
{
	return vec_find(event, &calls->events,
			event->kind == WATCH_FAILED && event->pid == pid && event->result == -err);
}

/* A service that remarked on a failure and went on has ended for what it says later. */
static bool is_remark(const struct watch_event *event, const struct watch_event *fatal)
{
	return fatal && event < fatal && complaint_mark_of(event->said) == COMPLAINT_REMARK;
}

/*
 * The failure that a process complains about: the one that it names in a complaint by its errno, by what the
 * kernel said of it, or else by its path, or else the last one before the first, which is *ret_unnamed.
 * *ret_unknown is an errno that a complaint names, but with which nothing failed; 0: none.
 */
static const struct watch_event *complained_about(const struct failed_calls *calls,
						  const struct watch_event *first,
						  const struct watch_event *before_first,
						  const struct watch_event *fatal, int *ret_unknown,
						  bool *ret_unnamed)
{
	const struct watch_event *named = NULL, *on_path = NULL, *told;
	char text[MESSAGE_SIZE];
	bool whole = true;
	int unknown = 0;

	vec_foreach(event, &calls->events) {
		if (event < first || event->kind != WATCH_WROTE || event->pid != first->pid || is_remark(event, fatal))
			continue;
		messages_line(&calls->events, event, text);
		named = named_before(calls, event, text, false) ?: quoted_before(calls, event, text);
		told = named && names_path_of(calls, text, named) ? NULL : named_before(calls, event, text, true);
		if (told && (!named || told->result == named->result))
			named = told;
		if (named)
			break;
		if (before_first && names_path_of(calls, text, before_first))
			on_path = on_path ?: before_first;
		on_path = on_path ?: on_path_before(calls, event, text);
		/* Looking for any takes longer: not in each part of a line. */
		if (whole && !unknown)
			unknown = complaint_errno(text);
		whole = strchr(event->said, '\n');
	}
	*ret_unknown = named || has_failed_with(calls, first->pid, unknown) ? 0 : unknown;
	*ret_unnamed = !named && !on_path;
	if (*ret_unknown == EOPNOTSUPP)
		named = unsupported_before(calls, first);
	return named ?: on_path ?: before_first;
}

/*
 * The same, but a fatal message that names another error goes before what was marked as an error only. Often it names
 * none, and sums up: "error: can't bind socket: Address already in use", "fatal error: could not open ports".
 */
static const struct watch_event *complained_most(const struct failed_calls *calls, const struct watch_event *first,
						 const struct watch_event *before_first,
						 const struct watch_event *last, int *ret_unknown, bool *ret_unnamed)
{
	const struct watch_event *fatal = messages_fatal_after(&calls->events, first), *found, *worst;
	int unknown;
	bool unnamed;

	found = complained_about(calls, first, before_first, last, ret_unknown, ret_unnamed);
	if (!fatal)
		return found;
	worst = complained_about(calls, fatal, last_before(calls, fatal, fatal->pid, &any_call), last, &unknown,
				 &unnamed);
	if (!worst || unnamed || (found && found->result == worst->result))
		return found;
	*ret_unknown = unknown;
	*ret_unnamed = unnamed;
	return worst;
}

int failed_calls_killed_for(struct failed_calls *calls, const struct watch_event *death)
{
	int err = death_errno(death);

	for (size_t i = calls->events.len; err && i-- > 0;) {
		const struct watch_event *event = &calls->events.data[i];

		if (event->kind == WATCH_FAILED && event->pid == death->pid && event->result == -err)
			return choose_event(calls, event);
	}
	return -ENOENT;
}

int failed_calls_choose(struct failed_calls *calls, const struct call_choice *choice,
			enum chosen_by *ret_chosen_by)
{
	const struct watch_event *chosen = NULL, *blamed = NULL, *fatal = NULL, *found;
	uint32_t complained = 0, asked = 0, marked = 0;
	bool unnamed = false;
	int unknown = 0;

	*ret_chosen_by = CHOICE_ASKED;
	calls->unknown_err = 0;
	calls->unnamed = false;
	if (choice->number)
		return choice->number <= calls->v.len ? (int)choice->number - 1 : -ENOENT;
	if (choice->nr || choice->err) {
		found = last_before(calls, NULL, 0, choice);
		return found ? choose_event(calls, found) : -ENOENT;
	}
	if (choice->next) {
		found = last_before(calls, NULL, 0, &any_call);
		*ret_chosen_by = CHOICE_NEXT;
		return found ? choose_event(calls, found) : -ENOENT;
	}
	/* Take the last process that complained, and its first complaint. */
	vec_foreach(event, &calls->events) {
		if (event->kind != WATCH_WROTE || event->pid == complained)
			continue;
		if (event->pid != marked)
			fatal = messages_last_fatal(&calls->events, event->pid);
		marked = event->pid;
		if (is_remark(event, fatal))
			continue;
		found = last_before(calls, event, event->pid, &any_call);
		/* Its later complaints are looked at with the first. */
		if (event->pid != asked)
			found = complained_most(calls, event, found, fatal, &unknown, &unnamed);
		asked = event->pid;
		if (!found)
			continue;
		complained = event->pid;
		chosen = found;
		calls->unknown_err = unknown;
		calls->unnamed = unnamed;
		*ret_chosen_by = CHOICE_COMPLAINT;
	}
	if (chosen)
		return choose_event(calls, chosen);
	/* A process that complains, and of which nothing failed, does so for one that has exited before: a shell. */
	vec_foreach(event, &calls->events) {
		if (event->kind == WATCH_WROTE)
			blamed = chosen;
		if (event->kind != WATCH_EXITED)
			continue;
		found = last_before(calls, event, event->pid, &any_call);
		/* What a program did without while it cleaned up is not what its message was about. */
		if (!found || (weight_of(calls, found, event) == WEIGHT_ATTEMPT &&
			       messages_exist(&calls->events, event->pid)))
			continue;
		chosen = found;
		*ret_chosen_by = CHOICE_STATUS;
	}
	chosen = blamed ?: chosen;
	return chosen ? choose_event(calls, chosen) : -ENOENT;
}
