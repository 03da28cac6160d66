// SPDX-License-Identifier: BSD-2-Clause
/*
 * Puts sessions together from records. Stacks, traces and branches wait, by session id, for the
 * record that closes their session. If that record was lost (the ring buffer was full), they wait
 * longest, and are dropped when memory runs short.
 */
#include "util/trace/session/assembler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/plan/plan.h"
#include "util/trace/session/assembler_internal.h"
#include "util/trace/session/calls.h"
#include "util/trace/session/session.h"

/* Far more sessions than can be open at once: with more, closing records were lost. */
#define MAX_PENDING 8192
#define MAX_PENDING_BYTES (64u << 20)

/* One session's trace must not push out all other sessions. Two million edges. */
#define MAX_TRACE_BYTES (MAX_PENDING_BYTES / 2)

#define NR_BUCKETS 1024

struct branches_record {
	struct event_branches event;
	struct event_branch entries[];
};

/* Records received so far for an incomplete session. */
struct pending {
	struct pending *next_in_bucket;
	struct pending *older, *newer; /* ordered by their last record */
	uint64_t session;
	struct stack_record *first, *last;
	struct calls_part *parts, *last_part; /* in the order of arrival */
	size_t trace_bytes;
	uint64_t calls_let_go;
	bool unsorted; /* parts did not arrive by rising seq */
	uint32_t *live; /* functions of calls that had not returned, outermost first */
	uint32_t nr_live;
	struct branches_record *branches; /* the last that arrived; may be NULL */
	struct trace_ids trace; /* the last that arrived; 0 none */
};

struct assembler {
	struct session_rules rules;
	struct pending *buckets[NR_BUCKETS];
	struct pending *oldest, *newest;
	size_t nr_pending, bytes;
	uint64_t sessions;	/* handed out */
	uint64_t orphans;
	uint64_t calls_let_go;
};

struct assembler *assembler_new(const struct session_rules *rules)
{
	struct assembler *assembler = calloc(1, sizeof(*assembler));

	if (assembler)
		assembler->rules = *rules;
	return assembler;
}

static size_t stack_bytes(const struct stack_record *stack)
{
	return sizeof(*stack) + stack->nr_ips * sizeof(stack->ips[0]);
}

static void free_stacks(struct assembler *assembler, struct pending *pending)
{
	struct stack_record *stack, *next;

	for (stack = pending->first; stack; stack = next) {
		next = stack->next;
		assembler->bytes -= stack_bytes(stack);
		free(stack);
	}
	pending->first = pending->last = NULL;
}

static size_t part_bytes(uint32_t nr)
{
	return sizeof(struct calls_part) + nr * sizeof(struct event_call);
}

static void free_trace(struct assembler *assembler, struct pending *pending)
{
	struct calls_part *part, *next;

	for (part = pending->parts; part; part = next) {
		next = part->next;
		free(part);
	}
	assembler->bytes -= pending->trace_bytes;
	pending->trace_bytes = 0;
	pending->parts = pending->last_part = NULL;
}

static size_t branches_bytes(const struct branches_record *record)
{
	return sizeof(*record) + record->event.nr * sizeof(record->entries[0]);
}

static void free_branches(struct assembler *assembler, struct pending *pending)
{
	if (pending->branches)
		assembler->bytes -= branches_bytes(pending->branches);
	free(pending->branches);
	pending->branches = NULL;
}

static struct pending **bucket_of(struct assembler *assembler, uint64_t session)
{
	return &assembler->buckets[(session * 0x9e3779b97f4a7c15ull) >> 54 & (NR_BUCKETS - 1)];
}

static struct pending *find_pending(struct assembler *assembler, uint64_t session)
{
	struct pending *pending = *bucket_of(assembler, session);

	while (pending && pending->session != session)
		pending = pending->next_in_bucket;
	return pending;
}

static void unlink_by_age(struct assembler *assembler, struct pending *pending)
{
	*(pending->older ? &pending->older->newer : &assembler->oldest) = pending->newer;
	*(pending->newer ? &pending->newer->older : &assembler->newest) = pending->older;
}

static void link_as_newest(struct assembler *assembler, struct pending *pending)
{
	pending->older = assembler->newest;
	pending->newer = NULL;
	*(assembler->newest ? &assembler->newest->newer : &assembler->oldest) = pending;
	assembler->newest = pending;
}

static void drop_pending(struct assembler *assembler, struct pending *pending)
{
	struct pending **link = bucket_of(assembler, pending->session);

	while (*link != pending)
		link = &(*link)->next_in_bucket;
	*link = pending->next_in_bucket;
	unlink_by_age(assembler, pending);
	assembler->nr_pending--;
	free_stacks(assembler, pending);
	free_trace(assembler, pending);
	free_branches(assembler, pending);
	free(pending->live);
	free(pending);
}

/* A record of the session arrived: find its struct pending, or make it. NULL: out of memory. */
static struct pending *touch_pending(struct assembler *assembler, uint64_t session)
{
	struct pending *pending = find_pending(assembler, session);
	struct pending **bucket;

	if (pending) {
		unlink_by_age(assembler, pending);
		link_as_newest(assembler, pending);
		return pending;
	}
	pending = calloc(1, sizeof(*pending));
	if (!pending)
		return NULL;
	bucket = bucket_of(assembler, session);
	pending->session = session;
	pending->next_in_bucket = *bucket;
	*bucket = pending;
	link_as_newest(assembler, pending);
	assembler->nr_pending++;
	return pending;
}

/* Drop the oldest sessions; the newest, whose record just arrived, stays. */
static void keep_bounds(struct assembler *assembler)
{
	while (assembler->oldest != assembler->newest &&
	       (assembler->nr_pending > MAX_PENDING || assembler->bytes > MAX_PENDING_BYTES)) {
		drop_pending(assembler, assembler->oldest);
		assembler->orphans++;
	}
}

void assembler_free(struct assembler *assembler)
{
	if (!assembler)
		return;
	while (assembler->oldest)
		drop_pending(assembler, assembler->oldest);
	free(assembler);
}

uint64_t assembler_orphans(const struct assembler *assembler)
{
	return assembler->orphans;
}

uint64_t assembler_calls_let_go(const struct assembler *assembler)
{
	return assembler->calls_let_go;
}

static int feed_stack(struct assembler *assembler, const void *data, size_t size)
{
	struct event_stack event;
	struct pending *pending;
	struct stack_record *stack;

	if (size < sizeof(event))
		return -EBADMSG;
	memcpy(&event, data, sizeof(event));
	/* No addresses: the kernel could not take the stack. */
	if (event.nr_ips > EVENT_MAX_IPS || size != sizeof(event) + event.nr_ips * sizeof(uint64_t))
		return -EBADMSG;
	if (event.frame >= EVENT_MAX_DEPTH && event.frame != EVENT_STACK_RETURN)
		return -EBADMSG;
	if (!event.nr_ips)
		return 0;

	stack = malloc(sizeof(*stack) + event.nr_ips * sizeof(stack->ips[0]));
	if (!stack)
		return -ENOMEM;
	stack->next = NULL;
	stack->frame = event.frame;
	stack->nr_ips = event.nr_ips;
	memcpy(stack->ips, (const char *)data + sizeof(event), event.nr_ips * sizeof(uint64_t));

	pending = touch_pending(assembler, event.header.session);
	if (!pending) {
		free(stack);
		return -ENOMEM;
	}
	/*
	 * A session's stacks come with rising frame numbers. If a number does not rise, the
	 * (interim) record that closes the stacks before it was lost.
	 */
	if (pending->last && stack->frame <= pending->last->frame)
		free_stacks(assembler, pending);
	*(pending->last ? &pending->last->next : &pending->first) = stack;
	pending->last = stack;
	assembler->bytes += stack_bytes(stack);
	keep_bounds(assembler);
	return 0;
}

static int feed_live(struct assembler *assembler, const void *data, size_t size)
{
	const char *frames = (const char *)data + sizeof(struct event_live);
	struct event_live_frame frame;
	struct pending *pending;
	struct event_live event;
	uint32_t *live;

	if (size < sizeof(event))
		return -EBADMSG;
	memcpy(&event, data, sizeof(event));
	if (!event.nr_frames || event.nr_frames > EVENT_MAX_DEPTH ||
	    size != sizeof(event) + event.nr_frames * sizeof(frame))
		return -EBADMSG;
	live = calloc(event.nr_frames, sizeof(*live));
	pending = touch_pending(assembler, event.header.session);
	if (!live || !pending) {
		free(live);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < event.nr_frames; i++) {
		memcpy(&frame, frames + i * sizeof(frame), sizeof(frame));
		live[i] = COOKIE_FUNC(frame.cookie);
	}
	/* EVENT_LIVE comes first: earlier stacks belong to a lost record. */
	free_stacks(assembler, pending);
	free_branches(assembler, pending);
	free(pending->live);
	pending->live = live;
	pending->nr_live = event.nr_frames;
	keep_bounds(assembler);
	return 0;
}

/* A second record replaces the first: the interim record that closes the first was lost. */
static int feed_branches(struct assembler *assembler, const void *data, size_t size)
{
	struct branches_record *record;
	struct event_branches event;
	struct pending *pending;

	if (size < sizeof(event))
		return -EBADMSG;
	memcpy(&event, data, sizeof(event));
	if (event.nr > EVENT_MAX_BRANCHES || event.err > 0 || (event.err && event.nr) ||
	    event.func >= assembler->rules.plan->funcs.len ||
	    size != sizeof(event) + event.nr * sizeof(record->entries[0]))
		return -EBADMSG;
	record = malloc(size);
	if (!record)
		return -ENOMEM;
	memcpy(record, data, size);
	pending = touch_pending(assembler, event.header.session);
	if (!pending) {
		free(record);
		return -ENOMEM;
	}
	free_branches(assembler, pending);
	pending->branches = record;
	assembler->bytes += branches_bytes(record);
	keep_bounds(assembler);
	return 0;
}

static int feed_trace_context(struct assembler *assembler, const void *data, size_t size)
{
	struct event_trace_context event;
	struct pending *pending;

	if (size != sizeof(event))
		return -EBADMSG;
	memcpy(&event, data, sizeof(event));
	if ((!event.ids.trace[0] && !event.ids.trace[1]) || !event.ids.span)
		return -EBADMSG;
	pending = touch_pending(assembler, event.header.session);
	if (!pending)
		return -ENOMEM;
	pending->trace = event.ids;
	keep_bounds(assembler);
	return 0;
}

/* A part that is dropped leaves a gap; the parts around it tell how many calls are missing. */
static int feed_calls(struct assembler *assembler, const void *data, size_t size)
{
	struct calls_part *part;
	struct pending *pending;
	uint32_t nr;

	if (!calls_are_sound(data, size, assembler->rules.plan->funcs.len,
			     assembler->rules.nr_probes))
		return -EBADMSG;
	nr = (size - sizeof(struct event_calls)) / sizeof(struct event_call);
	part = malloc(part_bytes(nr));
	if (!part)
		return -ENOMEM;
	part->next = NULL;
	part->nr = nr;
	memcpy(&part->event, data, sizeof(part->event));
	memcpy(part->edges, (const char *)data + sizeof(part->event),
	       nr * sizeof(part->edges[0]));

	pending = touch_pending(assembler, part->event.header.session);
	if (!pending) {
		free(part);
		return -ENOMEM;
	}
	if (pending->trace_bytes + part_bytes(nr) > MAX_TRACE_BYTES) {
		for (uint32_t i = 0; i < nr; i += 1 + edge_data(&part->edges[i]))
			pending->calls_let_go += CALL_KIND(part->edges[i].what) == CALL_ENTER;
		free(part);
		return 0;
	}
	if (pending->last_part && part->event.seq <= pending->last_part->event.seq)
		pending->unsorted = true;
	*(pending->last_part ? &pending->last_part->next : &pending->parts) = part;
	pending->last_part = part;
	pending->trace_bytes += part_bytes(nr);
	assembler->bytes += part_bytes(nr);
	keep_bounds(assembler);
	return 0;
}

/* The session did not pass BPF's filters: nothing will close it. */
static int feed_drop(struct assembler *assembler, const void *data, size_t size)
{
	struct event_header header;
	struct pending *pending;

	if (size != sizeof(header))
		return -EBADMSG;
	memcpy(&header, data, sizeof(header));
	pending = find_pending(assembler, header.session);
	if (pending)
		drop_pending(assembler, pending);
	return 0;
}

static int by_seq(const void *a, const void *b)
{
	const struct calls_part *left = *(struct calls_part *const *)a;
	const struct calls_part *right = *(struct calls_part *const *)b;

	return (left->event.seq > right->event.seq) - (left->event.seq < right->event.seq);
}

/* Sort parts by rising seq. If a part arrived more than once, keep one of them. */
static int sort_trace(struct assembler *assembler, struct pending *pending)
{
	VEC(struct calls_part *) parts = VEC_INIT;
	struct calls_part **link = &pending->parts;

	if (!pending->unsorted)
		return 0;
	for (struct calls_part *part = pending->parts; part; part = part->next) {
		if (vec_push(&parts, part)) {
			vec_release(&parts);
			return -ENOMEM;
		}
	}
	vec_sort(&parts, by_seq);
	pending->last_part = NULL;
	vec_foreach(part, &parts) {
		if (pending->last_part && pending->last_part->event.seq == (*part)->event.seq) {
			pending->trace_bytes -= part_bytes((*part)->nr);
			assembler->bytes -= part_bytes((*part)->nr);
			free(*part);
			continue;
		}
		*link = pending->last_part = *part;
		link = &(*part)->next;
	}
	*link = NULL;
	pending->unsorted = false;
	vec_release(&parts);
	return 0;
}

static int take_branches(const struct branches_record *record, struct session *session)
{
	size_t bytes = record->event.nr * sizeof(record->entries[0]);

	session->branches_func = record->event.func;
	session->branches_result = record->event.result;
	session->branches_err = record->event.err;
	if (!bytes)
		return 0;
	session->branches = malloc(bytes);
	if (!session->branches)
		return -ENOMEM;
	memcpy(session->branches, record->entries, bytes);
	session->nr_branches = record->event.nr;
	return 0;
}

/*
 * Make the session of a checked record and of the records that waited for it. An interim record
 * does not take the trace: the call goes on, and so does its trace.
 */
static int complete_session(struct assembler *assembler, const struct event_session *event,
			    const void *frames, struct session **ret_session)
{
	struct pending *pending = find_pending(assembler, event->header.session);
	struct session *session = calloc(1, sizeof(*session));
	size_t bytes = event->nr_frames * sizeof(struct event_frame);
	int err = -ENOMEM;

	if (!session)
		goto out;
	session->frames = malloc(bytes);
	if (!session->frames)
		goto out;
	memcpy(session->frames, frames, bytes);
	session->nr_frames = event->nr_frames;
	/* In recordings of older versions durations are negative where a clock stepped back. */
	for (uint32_t i = 0; i < session->nr_frames; i++) {
		if ((int64_t)session->frames[i].duration_ns < 0)
			session->frames[i].duration_ns = 0;
	}
	session->start_ns = event->start_ns;
	session->end_ns = event->start_ns + event_elapsed(event->start_ns, event->end_ns);
	session->tid = event->tid;
	session->pid = event->pid;
	memcpy(session->comm, event->comm, EVENT_COMM_LEN);
	memcpy(session->proc_comm, event->proc_comm, EVENT_COMM_LEN);
	session->context = event->context;
	session->has_origin = event->header.size >=
			      sizeof(*event) + event->nr_frames * sizeof(struct event_frame);
	session->cpu = event->cpu;
	session->uid = event->uid;
	session->cgroup = event->cgroup;
	session->host_mounts = event->flags & EVENT_SESSION_HOST_MOUNTS;
	session->own_mounts = event->flags & EVENT_SESSION_OWN_MOUNTS;
	session->failed = event->flags & EVENT_SESSION_FAILED;
	session->interim = event->flags & EVENT_SESSION_INTERIM;
	session->truncated = event->truncated;
	session->no_trace = event->flags & EVENT_SESSION_NO_CONTEXT;
	if (pending && !session->no_trace)
		session->trace = pending->trace;
	err = !pending ? 0 :
			 assembler_take_stacks(&assembler->rules, pending->first,
					       event->flags & EVENT_SESSION_OWN_STACKS, session);
	session->no_stack = !session->nr_ips;
	/* With EVENT_SESSION_NO_BRANCHES, branches belong to an earlier, lost record. */
	if (!err && pending && pending->branches && !(event->flags & EVENT_SESSION_NO_BRANCHES))
		err = take_branches(pending->branches, session);
	/* In a recording, rules.branches is not set: only the flag tells. */
	session->no_branches = (assembler->rules.branches ||
				event->flags & EVENT_SESSION_NO_BRANCHES) &&
			       !session->branches && !session->branches_err;
	if (!err && !session->interim && pending) {
		assembler->calls_let_go += pending->calls_let_go;
		err = sort_trace(assembler, pending);
	}
	if (!err && !session->interim)
		err = calls_decode(pending ? pending->parts : NULL, event, session);
out:
	/* Even after an error: no other record will take the stacks and branches. */
	if (pending && (event->flags & EVENT_SESSION_INTERIM) &&
	    (pending->parts || pending->calls_let_go)) {
		free_stacks(assembler, pending);
		free_branches(assembler, pending);
		free(pending->live);
		pending->live = NULL;
		pending->nr_live = 0;
	} else if (pending) {
		drop_pending(assembler, pending);
	}
	if (err) {
		session_free(session);
		return err;
	}
	session->number = ++assembler->sessions;
	*ret_session = session;
	return 0;
}

static int feed_session(struct assembler *assembler, const void *data, size_t size,
			struct session **ret_session)
{
	struct event_frame frames[EVENT_MAX_DEPTH];
	const struct pending *pending;
	struct event_session event = {};
	size_t head;

	if (size < EVENT_SESSION_SHORT)
		return -EBADMSG;
	memcpy(&event, data, EVENT_SESSION_SHORT);
	head = size - event.nr_frames * sizeof(frames[0]);
	if (head == sizeof(event))
		memcpy(&event, data, sizeof(event));
	if (!event.nr_frames || event.nr_frames > EVENT_MAX_DEPTH ||
	    event.unfinished > event.nr_frames || event.context > CONTEXT_NMI ||
	    (head != sizeof(event) && head != EVENT_SESSION_SHORT))
		return -EBADMSG;
	memcpy(frames, (const char *)data + head, event.nr_frames * sizeof(frames[0]));

	pending = event.unfinished ? find_pending(assembler, event.header.session) : NULL;
	if (event.unfinished && (!pending || pending->nr_live < event.unfinished))
		return -EBADMSG;
	for (uint32_t i = 0; i < event.unfinished; i++)
		frames[i] = (struct event_frame){ .func = pending->live[i],
						  .flags = EVENT_FRAME_UNFINISHED };
	for (uint32_t i = 0; i < event.nr_frames; i++) {
		if (event.stitched && i >= event.stitched)
			frames[i].flags |= EVENT_FRAME_STITCHED;
		if (frames[i].func >= assembler->rules.plan->funcs.len)
			return -EBADMSG;
	}
	return complete_session(assembler, &event, frames, ret_session);
}

int assembler_feed(struct assembler *assembler, const void *data, size_t size,
		   struct session **ret_session)
{
	struct event_header header;

	*ret_session = NULL;
	if (size < sizeof(header))
		return -EBADMSG;
	memcpy(&header, data, sizeof(header));
	/* The ring buffer may return a few bytes more than BPF wrote, never fewer. */
	if (header.size > size)
		return -EBADMSG;
	switch (header.kind) {
	case EVENT_SESSION:
		return feed_session(assembler, data, header.size, ret_session);
	case EVENT_STACK:
		return feed_stack(assembler, data, header.size);
	case EVENT_LIVE:
		return feed_live(assembler, data, header.size);
	case EVENT_CALLS:
		return feed_calls(assembler, data, header.size);
	case EVENT_BRANCHES:
		return feed_branches(assembler, data, header.size);
	case EVENT_TRACE_CONTEXT:
		return feed_trace_context(assembler, data, header.size);
	case EVENT_DROP:
		return feed_drop(assembler, data, header.size);
	default:
		return -EBADMSG;
	}
}
