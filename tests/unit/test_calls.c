// SPDX-License-Identifier: BSD-2-Clause
/* Traces decoded: whole ones, ones with parts missing, and what is none. */
#include <errno.h>

#include "unit.h"

#include "tests/unit/traced.h"

FIXTURE(calls)
{
	struct traced traced;
	struct event_session end; /* set by write_trace(), tests change it */
	struct traced_call *lines;
	uint32_t nr;
	struct strbuf text; /* the lines */
};

FIXTURE_SETUP(calls)
{
	self->text = (struct strbuf)STRBUF_INIT;
}

FIXTURE_TEARDOWN(calls)
{
	strbuf_release(&self->text);
	free(self->lines);
	traced_release(&self->traced);
}

static void write_trace(FIXTURE_DATA(calls) * self, const char *text)
{
	traced_write(&self->traced, text);
	self->end.parts = self->traced.records.len;
	self->end.calls = self->traced.calls;
}

static int decode(FIXTURE_DATA(calls) * self)
{
	struct calls_part *first = traced_list(&self->traced);
	struct session session = {};
	int err = calls_decode(first, &self->end, &session);

	self->lines = session.calls;
	self->nr = session.nr_calls;
	free(session.args);
	traced_free_list(first);
	if (!err)
		traced_show(&self->text, &self->traced.names, self->lines, self->nr);
	return err;
}

#define EXPECT_LINES(self, ...)                                          \
	do {                                                             \
		ASSERT_EQ(0, decode(self));                              \
		EXPECT_STREQ("" __VA_ARGS__, strbuf_str(&(self)->text)); \
	} while (0)

TEST_F(calls, nest_and_know_how_long_they_took)
{
	write_trace(self, "sys( map( alloc=5 free=0 )=7 done=1 )=-22");
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "        - alloc=5 10ns\n"
			   "        - free=0 10ns\n"
			   "    < map=7 50ns\n"
			   "    - done=1 10ns\n"
			   "< sys=-22 90ns\n");
}

TEST_F(calls, say_when_they_were_made)
{
	write_trace(self, "sys( ~5 alloc=5 ~3000000000 )=1");
	ASSERT_EQ(0, decode(self));
	ASSERT_EQ(3, self->nr);
	EXPECT_EQ(TRACED_START + 10, self->lines[0].time_ns);
	EXPECT_EQ(TRACED_START + 35, self->lines[1].time_ns);
	EXPECT_EQ(TRACED_START + 3000000045, self->lines[2].time_ns);
	EXPECT_EQ(3000000035, self->lines[2].duration_ns);
}

TEST_F(calls, that_take_long_fold_as_others_do)
{
	/* The clock's edge stands between the call's and the return's. */
	write_trace(self, "sys( ~600000000 )=1");
	EXPECT_EQ(3, self->traced.records.data[0].event->header.size / sizeof(struct event_call) -
			     sizeof(struct event_calls) / sizeof(struct event_call));
	EXPECT_LINES(self, "- sys=1 600000010ns\n");
}

TEST_F(calls, keep_all_bits_of_results)
{
	write_trace(self, "sys( a=-1 b=9223372036854775807 c=4294967274 )=0");
	EXPECT_LINES(self, "> sys\n"
			   "    - a=-1 10ns\n"
			   "    - b=9223372036854775807 10ns\n"
			   "    - c=4294967274 10ns\n"
			   "< sys=0 70ns\n");
}

TEST_F(calls, go_on_from_record_to_record)
{
	write_trace(self, "sys( | map( alloc( | )=5 | free( )=0 )=7 | )=1");
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "        - alloc=5 10ns\n"
			   "        - free=0 10ns\n"
			   "    < map=7 50ns\n"
			   "< sys=1 70ns\n");
}

TEST_F(calls, beyond_the_depth_limit_are_counted_below_the_innermost)
{
	write_trace(self, "sys( map( +3 )=7 alloc=1 )=1");
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "        + 3 deep\n"
			   "    < map=7 10ns\n"
			   "    - alloc=1 10ns\n"
			   "< sys=1 50ns\n");
}

TEST_F(calls, whose_returns_were_not_seen_end_where_that_was_noticed)
{
	write_trace(self, "sys( map( alloc( free( ?1 map=3 )=1");
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "        > alloc\n"
			   "            > free\n"
			   "    ? 3 unseen\n"
			   "    - map=3 10ns\n"
			   "< sys=1 60ns\n");
}

TEST_F(calls, that_found_no_room_are_counted_where_they_were)
{
	write_trace(self, "sys( map( !17@2 alloc=5 )=7 )=1");
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "        ! 17 lost\n"
			   "        - alloc=5 10ns\n"
			   /* That map() may be another one. */
			   "    < map=7\n"
			   "< sys=1 50ns\n");
}

TEST_F(calls, around_a_loss_are_the_same_where_it_leaves_no_way_around)
{
	/* From three deep to three deep with one call: the two outer ones never returned. */
	write_trace(self, "sys( map( alloc( !1@3 )=5 )=7 )=1");
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "        > alloc\n"
			   "            ! 1 lost\n"
			   "        < alloc=5\n"
			   "    < map=7 30ns\n"
			   "< sys=1 50ns\n");
}

TEST_F(calls, after_a_loss_may_be_deeper_or_less_deep)
{
	write_trace(self, "sys( !2@3 )b=2 )a=1 map( alloc( !0@1 free=0 )=1");
	EXPECT_LINES(self, "> sys\n"
			   "    ! 2 lost\n"
			   "        < b=2\n"
			   "    < a=1\n"
			   "    > map\n"
			   "        > alloc\n"
			   "    ! 0 lost\n"
			   "    - free=0 10ns\n"
			   "< sys=1 70ns\n");
}

TEST_F(calls, of_a_record_in_the_middle_are_missed_there)
{
	write_trace(self, "sys( map( | alloc=5 free=0 )=7 | done=1 )=-22");
	traced_lose(&self->traced, 1);
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "    ! 2 lost\n"
			   "    - done=1 10ns\n"
			   "< sys=-22 90ns\n");
}

TEST_F(calls, of_several_records_in_a_row_are_missed_together)
{
	write_trace(self, "sys( | a=1 | b=1 | c=1 | d=1 )=0");
	traced_lose(&self->traced, 1);
	traced_lose(&self->traced, 2);
	traced_lose(&self->traced, 3);
	EXPECT_LINES(self, "> sys\n"
			   "    ! 3 lost\n"
			   "    - d=1 10ns\n"
			   "< sys=0 90ns\n");
}

TEST_F(calls, of_the_first_record_are_missed_in_front)
{
	write_trace(self, "sys( map( | alloc=5 )=7 )=1");
	traced_lose(&self->traced, 0);
	EXPECT_LINES(self, "! 2 lost\n"
			   "        - alloc=5 10ns\n"
			   "    < map=7\n"
			   "< sys=1\n");
	EXPECT_EQ(TRACED_START + 20, self->lines[0].time_ns);
}

TEST_F(calls, of_the_last_record_are_missed_at_the_end)
{
	write_trace(self, "sys( map( | alloc=5 )=7 )=1");
	traced_lose(&self->traced, 1);
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "    ! 1 lost\n");
	EXPECT_EQ(0, self->lines[2].time_ns);
}

TEST_F(calls, of_no_record_at_all_are_missed_all_the_same)
{
	write_trace(self, "sys( map( | alloc=5 )=7 )=1");
	traced_lose(&self->traced, 0);
	traced_lose(&self->traced, 1);
	EXPECT_LINES(self, "! 3 lost\n");
}

TEST_F(calls, lost_on_both_sides_of_a_mark_without_news_are_one_loss)
{
	/* The returns that were not seen are those of calls lost before. */
	write_trace(self, "sys( map( !3@1 ?1 | alloc=5 )=1");
	traced_lose(&self->traced, 1);
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "    ! 4 lost\n");
}

TEST_F(calls, that_were_not_to_be_traced_are_not_missed)
{
	EXPECT_LINES(self, "");
	EXPECT_EQ(NULL, self->lines);
	EXPECT_EQ(0, self->nr);
}

TEST_F(calls, a_record_of_returns_is_missed_too)
{
	write_trace(self, "sys( map( alloc( | )=5 )=7 | done=1 | )=0");
	traced_lose(&self->traced, 1);
	traced_lose(&self->traced, 3);
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "        > alloc\n"
			   "    ! 0 lost\n"
			   "    - done=1 10ns\n"
			   "    ! 0 lost\n");
}

TEST_F(calls, a_record_that_was_sent_is_missed_whatever_was_in_it)
{
	write_trace(self, "sys( )=0");
	self->end.parts++;
	EXPECT_LINES(self, "- sys=0 10ns\n"
			   "! 0 lost\n");
}

TEST_F(calls, do_not_fold_over_a_loss)
{
	write_trace(self, "sys( | !0@1 )=0");
	EXPECT_LINES(self, "> sys\n"
			   "    ! 0 lost\n"
			   "< sys=0 10ns\n");
}

TEST_F(calls, count_on_beyond_32_bits)
{
	write_trace(self, "sys( | a=1 a=1 | b=1 )=0");
	for (size_t i = 0; i < 3; i++)
		self->traced.records.data[i].event->calls_before -= 2;
	self->end.calls -= 2;
	traced_lose(&self->traced, 1);
	/* The first one's count is no loss, and no number to show; from there on it counts. */
	EXPECT_LINES(self, "> sys\n"
			   "    ! 2 lost\n"
			   "    - b=1 10ns\n"
			   "< sys=0 70ns\n");
}

TEST_F(calls, the_return_of_another_call_is_none_of_this_one)
{
	write_trace(self, "sys( map( alloc=1 )free=7 )=0");
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "        - alloc=1 10ns\n"
			   "    ! 1 lost\n"
			   "    < free=7\n"
			   "< sys=0 50ns\n");
}

TEST_F(calls, that_disagree_from_record_to_record_are_lost_there)
{
	write_trace(self, "sys( map( | alloc=1 )=7 )=0");
	self->traced.records.data[1].event->depth = 3;
	self->traced.records.data[1].event->calls_before = 5;
	self->end.calls = 6;
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "        ! 3 lost\n"
			   "            - alloc=1 10ns\n"
			   "        < map=7\n"
			   "    < sys=0\n"
			   "    ! 0 lost\n");
}

TEST_F(calls, never_take_less_than_no_time)
{
	write_trace(self, "sys( map( | alloc=1 )=7 )=0");
	self->traced.records.data[1].event->base_ns = 5;
	EXPECT_LINES(self, "> sys\n"
			   "    > map\n"
			   "        - alloc=1 10ns\n"
			   "    < map=7\n"
			   "< sys=0\n");
}

TEST_F(calls, may_be_of_more_than_65536_functions)
{
	self->traced.names.base = 69995;
	write_trace(self, "a( b( c=5 d=0 )=7 e=1 )=-22");
	EXPECT_TRUE(calls_are_sound(self->traced.records.data[0].event,
				    self->traced.records.data[0].size, 70000, 0));
	EXPECT_FALSE(calls_are_sound(self->traced.records.data[0].event,
				     self->traced.records.data[0].size, 69999, 0));
	EXPECT_LINES(self, "> a\n"
			   "    > b\n"
			   "        - c=5 10ns\n"
			   "        - d=0 10ns\n"
			   "    < b=7 50ns\n"
			   "    - e=1 10ns\n"
			   "< a=-22 90ns\n");
	EXPECT_EQ(69995, self->lines[0].func);
	EXPECT_EQ(69999, self->lines[5].func);
}

TEST_F(calls, nest_to_the_limit)
{
	struct strbuf text = STRBUF_INIT;

	for (unsigned int i = 0; i < EVENT_MAX_DEPTH; i++)
		strbuf_addstr(&text, i % 100 ? "sys( " : "sys( | ");
	strbuf_addstr(&text, "+44 ");
	for (unsigned int i = 0; i < EVENT_MAX_DEPTH; i++)
		strbuf_addf(&text, ")=%u ", i);
	write_trace(self, strbuf_str(&text));
	strbuf_release(&text);
	vec_foreach(record, &self->traced.records)
		EXPECT_TRUE(calls_are_sound(record->event, record->size, 1, 0));
	ASSERT_EQ(0, decode(self));
	ASSERT_EQ(2 * EVENT_MAX_DEPTH + 1, self->nr);
	EXPECT_EQ(TRACED_DEEP, self->lines[EVENT_MAX_DEPTH].kind);
	EXPECT_EQ(44, self->lines[EVENT_MAX_DEPTH].count);
	for (unsigned int i = 0; i < EVENT_MAX_DEPTH; i++) {
		const struct traced_call *call = &self->lines[i];
		const struct traced_call *ret = &self->lines[2 * EVENT_MAX_DEPTH - i];

		EXPECT_EQ(TRACED_CALL, call->kind);
		EXPECT_EQ(TRACED_RETURN, ret->kind);
		EXPECT_EQ(i, call->depth);
		EXPECT_EQ(i, ret->depth);
		EXPECT_EQ(EVENT_MAX_DEPTH - 1 - i, ret->result);
		EXPECT_TRUE(ret->has_duration);
		EXPECT_EQ(ret->time_ns - call->time_ns, ret->duration_ns);
	}
}

struct raw_record {
	struct event_calls event;
	struct event_call edges[4];
};

static bool sound(const struct raw_record *record, size_t size)
{
	void *copy = malloc(size ?: 1);
	bool is;

	if (!copy)
		abort();
	memcpy(copy, record, size);
	is = calls_are_sound(copy, size, 10, 0);
	free(copy);
	return is;
}

TEST(records_that_make_no_sense_are_told)
{
	const struct raw_record good = {
		.event.depth = 1,
		.edges = { { 9, CALL_ENTER }, { 9, CALL_RETURN }, { 0, CALL_DEEP }, { 0, 0, 0 } },
	};
	const struct {
		uint32_t depth;
		struct event_call edge;
		bool sound;
	} cases[] = {
		{ 0, { 9, CALL_ENTER }, true },
		{ 0, { 10, CALL_ENTER }, false },
		{ 0, { ~0u, CALL_ENTER }, false },
		{ 255, { 0, CALL_ENTER }, true },
		{ 256, { 0, CALL_ENTER }, false },
		{ 257, { 0, CALL_RETURN }, false },
		{ ~0u, { 0, CALL_RETURN }, false },
		{ 256, { 9, CALL_RETURN }, true },
		{ 1, { 9, CALL_RETURN }, true },
		{ 1, { 10, CALL_RETURN }, false },
		{ 0, { 9, CALL_RETURN }, false },
		{ 0, { 0, CALL_CLOCK, ~0ull }, true },
		{ 0, { ~0u, CALL_LOST, 256 }, true },
		{ 0, { 1, CALL_LOST, 257 }, false },
		{ 0, { 1, CALL_LOST, 1ull << 32 }, false },
		{ 2, { 0, CALL_UNSEEN, 0 }, true },
		{ 2, { 0, CALL_UNSEEN, 2 }, true },
		{ 2, { 0, CALL_UNSEEN, 3 }, false },
		{ 2, { 0, CALL_UNSEEN, 1ull << 32 }, false },
		{ 0, { ~0u, CALL_DEEP, ~0ull }, true },
		{ 0, { 0, 6 }, false },
		{ 0, { 0, 7 }, false },
	};

	for (size_t size = 0; size <= sizeof(good); size++)
		EXPECT_EQ(size > 40 && (size - 40) % 16 == 0, sound(&good, size));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct raw_record record = { .event.depth = cases[i].depth };

		record.edges[0] = cases[i].edge;
		EXPECT_EQ(cases[i].sound, sound(&record, sizeof(record.event) + 16))
		{
			TH_LOG("case %zu", i);
		}
	}
}

/* xorshift: the same trees on every machine. */
static uint64_t draw(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) % below;
}

/* Anything that is sound decodes, and what comes out is a trace. */
TEST(whatever_is_sound_becomes_a_trace)
{
	uint64_t state = 0x2545f4914f6cdd1dull;
	unsigned int decoded = 0;

	for (unsigned int round = 0; round < 20000; round++) {
		struct calls_part *first = NULL, **link = &first, *part;
		struct event_session end = { .parts = draw(&state, 12), .calls = draw(&state, 3) };
		uint32_t seq = draw(&state, 3), nr_lines, edges = 0;
		struct session session = {};
		struct traced_call *lines;

		for (uint64_t nr = draw(&state, 6); nr; nr--, seq += 1 + !draw(&state, 3)) {
			struct raw_record record = {
				.event = {
					.base_ns = draw(&state, 3) ? draw(&state, 100) : ~0ull,
					.seq = seq,
					.calls_before = draw(&state, 2) ? draw(&state, 9) : ~0u,
					.depth = draw(&state, 3) ? draw(&state, 5) : 256,
				},
			};
			uint32_t n = 1 + draw(&state, ARRAY_SIZE(record.edges));

			for (uint32_t i = 0; i < n; i++)
				record.edges[i] = (struct event_call){
					draw(&state, 11),
					draw(&state, 9) | (draw(&state, 2) ? ~7u : 8),
					draw(&state, 2) ? draw(&state, 5) : draw(&state, 258),
				};
			if (!sound(&record, sizeof(record.event) + n * 16))
				continue;
			part = malloc(sizeof(*part) + n * 16);
			ASSERT_NE(NULL, part);
			part->next = NULL;
			part->nr = n;
			part->event = record.event;
			memcpy(part->edges, record.edges, n * 16);
			*link = part;
			link = &part->next;
			edges += n;
			decoded++;
		}
		ASSERT_EQ(0, calls_decode(first, &end, &session));
		lines = session.calls;
		nr_lines = session.nr_calls;
		free(session.args);
		/* One for each edge, one for each gap, one for each return that is another's. */
		ASSERT_LE(nr_lines, 2 * edges + 7);
		for (uint32_t i = 0; i < nr_lines; i++) {
			ASSERT_LE(lines[i].kind, TRACED_DEEP);
			ASSERT_LT(lines[i].func, 10);
			ASSERT_LE(lines[i].depth, EVENT_MAX_DEPTH);
			ASSERT_LE(lines[i].duration_ns, lines[i].time_ns);
			if (lines[i].kind == TRACED_LEAF)
				ASSERT_TRUE(lines[i].has_duration || !lines[i].duration_ns);
		}
		free(lines);
		traced_free_list(first);
	}
	EXPECT_GT(decoded, 10000);
}

/*
 * Random traces with records dropped. The reference is the trace itself: what happened, edge by
 * edge, each with its place, and whether it was in a record that arrived.
 */
struct happened {
	enum call_kind kind; /* CALL_ENTER, CALL_RETURN, CALL_UNSEEN, CALL_DEEP */
	uint32_t func, depth, count;
	uint64_t time_ns, result;
	size_t entry; /* of returns: where in the list */
	size_t record; /* which it is in; NOWHERE: BPF found no room for it */
};

#define NOWHERE SIZE_MAX

struct history {
	struct traced traced;
	VEC(struct happened) list;
	uint64_t state;
	size_t stack[EVENT_MAX_DEPTH];
	uint32_t limit;
	uint32_t swallowed; /* calls BPF found no room for, and did not tell yet */
	bool swallowing, any_swallowed;
};

static void record_ends(struct history *history)
{
	traced_end_record(&history->traced);
	traced_begin_record(&history->traced);
}

static void happens(struct history *history, struct happened what)
{
	struct traced *traced = &history->traced;

	traced->now_ns += draw(&history->state, 50) ? draw(&history->state, 100) :
						      draw(&history->state, 2000000000);
	what.time_ns = traced->now_ns;
	what.record = traced->records.len;
	if (history->swallowing) {
		what.record = NOWHERE;
		history->swallowed += what.kind == CALL_ENTER;
		history->any_swallowed = true;
	} else if (what.kind == CALL_DEEP) {
		traced_edge(traced, what.kind, what.count, 0);
	} else if (what.kind == CALL_UNSEEN) {
		traced_edge(traced, what.kind, 0, what.depth);
	} else {
		traced_edge(traced, what.kind, what.func, what.result);
	}
	if (what.kind == CALL_ENTER)
		traced->calls++;
	traced->depth = what.depth + (what.kind == CALL_ENTER || what.kind == CALL_DEEP);
	if (what.kind == CALL_DEEP)
		traced->depth--;
	if (vec_push(&history->list, what))
		abort();
}

/* Between two edges a record may end, or BPF begin or end not to find room. */
static void pause_here(struct history *history)
{
	struct traced *traced = &history->traced;

	if (history->swallowing && !draw(&history->state, 6)) {
		history->swallowing = false;
		if (history->any_swallowed)
			traced_edge(traced, CALL_LOST, history->swallowed, traced->depth);
		history->swallowed = 0;
		history->any_swallowed = false;
	} else if (!history->swallowing && !draw(&history->state, 60)) {
		history->swallowing = true;
	}
	if (!history->swallowing && traced->edges.len && !draw(&history->state, 5))
		record_ends(history);
}

static void live_through(struct history *history, uint32_t depth, uint32_t *budget)
{
	uint32_t func = depth ? 1 + draw(&history->state, 3) : 0;
	uint64_t result = draw(&history->state, 1000);

	history->stack[depth] = history->list.len;
	happens(history, (struct happened){ .kind = CALL_ENTER, .func = func, .depth = depth });
	pause_here(history);
	while (*budget && draw(&history->state, depth ? 3 : 30)) {
		--*budget;
		if (depth + 1 < history->limit)
			live_through(history, depth + 1, budget);
		else
			happens(history, (struct happened){ .kind = CALL_DEEP,
							    .depth = depth + 1,
							    .count = 1 + *budget % 7 });
		pause_here(history);
		/* Whatever is open inside: its returns are missed, and that is noticed here. */
		if (history->traced.depth != depth + 1) {
			happens(history, (struct happened){
						 .kind = CALL_UNSEEN,
						 .depth = depth + 1,
						 .count = history->traced.depth - depth - 1,
					 });
			pause_here(history);
		}
	}
	if (depth && !draw(&history->state, 20))
		return;
	/* The entry call's return ends the session, and what was not told is told before. */
	if (!depth && history->swallowing) {
		history->swallowing = false;
		traced_edge(&history->traced, CALL_LOST, history->swallowed, 1);
		history->any_swallowed = false;
	}
	happens(history, (struct happened){ .kind = CALL_RETURN,
					    .func = func,
					    .depth = depth,
					    .result = result,
					    .entry = history->stack[depth] });
}

static void history_release(struct history *history)
{
	traced_release(&history->traced);
	vec_release(&history->list);
}

static bool arrived(const struct history *history, const struct happened *what)
{
	return what->record != NOWHERE && history->traced.records.data[what->record].size;
}

/* Whether all from one to the other arrived. */
static bool all_arrived(const struct history *history, size_t from, size_t to)
{
	while (from < to && arrived(history, &history->list.data[from]))
		from++;
	return from == to;
}

/* The next thing that arrived, from @at on; counts the calls that did not. */
static size_t next_arrived(const struct history *history, size_t at, uint64_t *lost)
{
	while (at < history->list.len && !arrived(history, &history->list.data[at])) {
		*lost += history->list.data[at].kind == CALL_ENTER;
		at++;
	}
	return at;
}

TEST(whatever_is_lost_what_is_shown_is_true_and_the_rest_is_counted)
{
	unsigned int shown = 0, with_loss = 0, durations = 0, whole = 0;

	for (unsigned int round = 1; round <= 6000; round++) {
		struct history history = { .state = round * 0x9e3779b97f4a7c15ull };
		uint32_t budget = 1 + draw(&history.state, 60), nr, loss;
		struct event_session end = {};
		struct session session = {};
		struct traced_call *lines;
		struct calls_part *first;
		size_t at = 0;

		history.limit = 2 + draw(&history.state, 8);
		history.traced.now_ns = TRACED_START;
		traced_begin_record(&history.traced);
		live_through(&history, 0, &budget);
		traced_end_record(&history.traced);
		end.parts = history.traced.records.len;
		end.calls = history.traced.calls;
		loss = draw(&history.state, 3);
		for (size_t i = 0; i < end.parts; i++) {
			struct traced_record *record = &history.traced.records.data[i];

			ASSERT_TRUE(calls_are_sound(record->event, record->size, 4, 0));
			if (loss && !draw(&history.state, 3 * loss))
				traced_lose(&history.traced, i);
		}
		first = traced_list(&history.traced);
		ASSERT_EQ(0, calls_decode(first, &end, &session));
		lines = session.calls;
		nr = session.nr_calls;
		free(session.args);
		traced_free_list(first);

		for (uint32_t i = 0; i < nr; i++) {
			const struct traced_call *line = &lines[i];
			const struct happened *what;
			uint64_t lost = 0, counted = 0;

			/* Losses that touch are one gap, told in one line. */
			if (line->kind == TRACED_LOST) {
				counted = line->count;
				ASSERT_TRUE(i + 1 == nr || line[1].kind != TRACED_LOST);
				at = next_arrived(&history, at, &lost);
				ASSERT_EQ(lost, counted);
				with_loss++;
				continue;
			}
			ASSERT_EQ(at, next_arrived(&history, at, &lost));
			ASSERT_LT(at, history.list.len);
			what = &history.list.data[at++];
			ASSERT_EQ(what->depth, line->depth);
			ASSERT_EQ(what->func, line->func);
			shown++;
			switch (line->kind) {
			case TRACED_CALL:
				ASSERT_EQ(CALL_ENTER, what->kind);
				break;
			case TRACED_LEAF:
				ASSERT_EQ(CALL_ENTER, what->kind);
				ASSERT_LT(at, history.list.len);
				ASSERT_TRUE(arrived(&history, &history.list.data[at]));
				ASSERT_EQ(what - history.list.data, history.list.data[at].entry);
				what = &history.list.data[at++];
				ASSERT_TRUE(line->has_duration);
				/* fallthrough */
			case TRACED_RETURN:
				ASSERT_EQ(CALL_RETURN, what->kind);
				ASSERT_EQ(what->result, line->result);
				if (line->has_duration) {
					ASSERT_EQ(what->time_ns -
							  history.list.data[what->entry].time_ns,
						  line->duration_ns);
					durations++;
				} else {
					ASSERT_FALSE(all_arrived(&history, what->entry, at));
				}
				break;
			case TRACED_UNSEEN:
				ASSERT_EQ(CALL_UNSEEN, what->kind);
				ASSERT_EQ(what->count, line->count);
				break;
			case TRACED_DEEP:
				ASSERT_EQ(CALL_DEEP, what->kind);
				ASSERT_EQ(what->count, line->count);
				break;
			default:
				ASSERT_TRUE(false);
			}
			ASSERT_EQ(what->time_ns, line->time_ns);
		}
		ASSERT_EQ(history.list.len, at);
		whole += all_arrived(&history, 0, history.list.len);
		free(lines);
		history_release(&history);
	}
	EXPECT_GT(shown, 50000);
	EXPECT_GT(durations, 20000);
	EXPECT_GT(with_loss, 3000);
	EXPECT_GT(whole, 500);
}

TEST_HARNESS_MAIN
