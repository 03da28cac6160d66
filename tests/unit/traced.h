/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traces as text. What happened is written down so, and becomes the records that BPF would send:
 *
 *	"sys( map( alloc=5 )=7 | leaf=0 )=-22"
 *
 * A name with `(` is a call that has calls inside, until the `)` with its result; without, it
 * returns at once. Each call and each return takes 10 ns. Between them:
 *
 *	|	here one record ends and the next begins
 *	!3@2	3 calls found no room, and there are 2 open ones now
 *	?1	returns were not seen, and there is 1 open call now
 *	+5	5 calls were too deep
 *	~99	99 ns go by
 *	)map=7	the return of that function, whatever is open
 *
 * What is shown of it, a line each:
 *
 *	"> sys\n"
 *	"    > map\n"
 *	"        - alloc=5 10ns\n"
 *	"    < map=7 30ns\n"
 *	"    ! 3 lost\n"
 *	"    ? 2 unseen\n"
 *	"    + 5 deep\n"
 *	"< sys=-22 80ns\n"
 */
#ifndef RETSNOOP_TESTS_UNIT_TRACED_H
#define RETSNOOP_TESTS_UNIT_TRACED_H

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/trace/session/calls.h"

#define TRACED_MAX_NAMES 16
#define TRACED_START 1000000
#define TRACED_STEP 10

/* Names in the order they first come up; ids count from `base`. */
struct traced_names {
	char names[TRACED_MAX_NAMES][16];
	uint32_t nr, base;
};

/* An EVENT_CALLS record in memory of just its size; size 0: it was lost. */
struct traced_record {
	struct event_calls *event;
	size_t size;
};

struct traced {
	struct traced_names names;
	uint64_t session;
	VEC(struct traced_record) records;
	VEC(struct event_call) edges; /* of the record being written */
	struct event_calls head; /* its beginning */
	uint32_t calls, depth, seq;
	uint64_t now_ns, last_ns;
	uint32_t open[EVENT_MAX_DEPTH];
};

static inline uint32_t traced_name(struct traced_names *names, const char *name, size_t len)
{
	uint32_t i = 0;

	while (i < names->nr &&
	       (strlen(names->names[i]) != len || memcmp(names->names[i], name, len)))
		i++;
	if (i == names->nr) {
		if (!len || len >= sizeof(names->names[0]) || names->nr == TRACED_MAX_NAMES)
			abort();
		memcpy(names->names[names->nr++], name, len);
	}
	return names->base + i;
}

static inline void traced_release(struct traced *traced)
{
	vec_foreach(record, &traced->records)
		free(record->event);
	vec_release(&traced->records);
	vec_release(&traced->edges);
}

static inline void traced_begin_record(struct traced *traced)
{
	traced->last_ns = traced->now_ns;
	traced->head = (struct event_calls){
		.header = { .kind = EVENT_CALLS, .session = traced->session },
		.base_ns = traced->now_ns,
		.seq = traced->seq++,
		.calls_before = traced->calls,
		.depth = traced->depth,
	};
}

static inline void traced_end_record(struct traced *traced)
{
	size_t bytes = traced->edges.len * sizeof(struct event_call);
	struct traced_record record = { .size = sizeof(traced->head) + bytes };

	record.event = malloc(record.size);
	if (!record.event)
		abort();
	traced->head.header.size = record.size;
	memcpy(record.event, &traced->head, sizeof(traced->head));
	if (bytes)
		memcpy(record.event + 1, traced->edges.data, bytes);
	if (vec_push(&traced->records, record))
		abort();
	traced->edges.len = 0;
}

static inline void traced_edge(struct traced *traced, enum call_kind kind, uint32_t func,
			       uint64_t value)
{
	uint64_t delta = traced->now_ns - traced->last_ns;

	if (delta > CALL_MAX_DELTA) {
		if (vec_push(&traced->edges, (struct event_call){ 0, CALL_CLOCK, traced->now_ns }))
			abort();
		delta = 0;
	}
	if (vec_push(&traced->edges,
		     (struct event_call){ func, delta << CALL_KIND_BITS | kind, value }))
		abort();
	traced->last_ns = traced->now_ns;
}

static inline void traced_enter(struct traced *traced, uint32_t func)
{
	traced->now_ns += TRACED_STEP;
	traced_edge(traced, CALL_ENTER, func, 0);
	traced->open[traced->depth++ & (EVENT_MAX_DEPTH - 1)] = func;
	traced->calls++;
}

static inline void traced_return(struct traced *traced, uint32_t func, uint64_t value)
{
	traced->now_ns += TRACED_STEP;
	traced_edge(traced, CALL_RETURN, func, value);
	traced->depth--;
}

static inline int64_t traced_number(const char **text)
{
	char *end;
	int64_t number = strtoll(*text, &end, 10);

	if (end == *text)
		abort();
	*text = end;
	return number;
}

/* Aborts on what it does not understand: that is the test's mistake. */
static inline void traced_write(struct traced *traced, const char *text)
{
	traced->now_ns = TRACED_START;
	traced_begin_record(traced);
	while (*text) {
		char what = *text++;
		const char *name = text - 1;
		uint32_t func, count;

		switch (what) {
		case ' ':
			break;
		case '|':
			traced_end_record(traced);
			traced_begin_record(traced);
			break;
		case '!':
			count = traced_number(&text);
			if (*text++ != '@')
				abort();
			traced->depth = traced_number(&text);
			traced->calls += count;
			traced_edge(traced, CALL_LOST, count, traced->depth);
			break;
		case '?':
			traced->depth = traced_number(&text);
			traced_edge(traced, CALL_UNSEEN, 0, traced->depth);
			break;
		case '+':
			traced_edge(traced, CALL_DEEP, traced_number(&text), 0);
			break;
		case '~':
			traced->now_ns += traced_number(&text);
			break;
		case ')':
			name = text;
			while (isalnum(*text))
				text++;
			if (text > name)
				func = traced_name(&traced->names, name, text - name);
			else
				func = traced->open[(traced->depth - 1) & (EVENT_MAX_DEPTH - 1)];
			if (*text++ != '=')
				abort();
			traced_return(traced, func, traced_number(&text));
			break;
		default:
			while (isalnum(*text))
				text++;
			func = traced_name(&traced->names, name, text - name);
			traced_enter(traced, func);
			if (*text == '=') {
				text++;
				traced_return(traced, func, traced_number(&text));
			} else if (*text++ != '(') {
				abort();
			}
		}
	}
	traced_end_record(traced);
}

static inline void traced_lose(struct traced *traced, size_t index)
{
	traced->records.data[index].size = 0;
}

/* The records that are left, as a list; free it with traced_free_list(). */
static inline struct calls_part *traced_list(const struct traced *traced)
{
	struct calls_part *first = NULL, **link = &first;

	vec_foreach(record, &traced->records) {
		struct calls_part *part;
		size_t bytes = record->size - sizeof(*record->event);

		if (!record->size)
			continue;
		part = malloc(sizeof(*part) + bytes);
		if (!part)
			abort();
		part->event = *record->event;
		part->nr = bytes / sizeof(struct event_call);
		if (bytes)
			memcpy(part->edges, record->event + 1, bytes);
		part->next = NULL;
		*link = part;
		link = &part->next;
	}
	return first;
}

static inline void traced_free_list(struct calls_part *first)
{
	while (first) {
		struct calls_part *next = first->next;

		free(first);
		first = next;
	}
}

static inline void traced_show(struct strbuf *sb, const struct traced_names *names,
			       const struct traced_call *lines, uint32_t nr)
{
	for (const struct traced_call *line = lines; line < lines + nr; line++) {
		strbuf_pad(sb, 4 * (int)line->depth, ' ');
		switch (line->kind) {
		case TRACED_LOST:
			strbuf_addf(sb, "! %u lost\n", line->count);
			continue;
		case TRACED_UNSEEN:
			strbuf_addf(sb, "? %u unseen\n", line->count);
			continue;
		case TRACED_DEEP:
			strbuf_addf(sb, "+ %u deep\n", line->count);
			continue;
		default:
			break;
		}
		strbuf_addf(sb, "%c %s",
			    line->kind == TRACED_CALL	? '>' :
			    line->kind == TRACED_RETURN ? '<' :
							  '-',
			    names->names[line->func - names->base]);
		if (line->kind != TRACED_CALL)
			strbuf_addf(sb, "=%" PRId64, (int64_t)line->result);
		if (line->has_duration)
			strbuf_addf(sb, " %" PRIu64 "ns", line->duration_ns);
		strbuf_addch(sb, '\n');
	}
}

#endif
