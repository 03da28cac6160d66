// SPDX-License-Identifier: BSD-2-Clause
/* Recordings: what is read is what was written, and as much of it as there is. */
#include <errno.h>
#include <time.h>
#include <zlib.h>

#include "unit.h"

#include "recording_fixture.h"
#include "util/kernel/machine/cgroup_names.h"
#include "util/trace/record/wire.h"

FIXTURE(recording)
{
	struct recording_fixture r;
	char *live;
};

FIXTURE_SETUP(recording)
{
	setenv("TZ", "UTC", 1);
	tzset();
	recording_fixture_init(&self->r);
	self->live = fixture_live(&self->r, false);
}

FIXTURE_TEARDOWN(recording)
{
	recording_fixture_release(&self->r);
	free(self->live);
}

/* The text as it is without the last session. */
static size_t first_session(const char *live)
{
	return strstr(live, "\n\n\n") + 3 - live;
}

TEST_F(recording, is_shown_as_the_run_was)
{
	struct recording_shown shown;
	char *live;

	EXPECT_NE(NULL, strstr(self->live, "callback=do_last"));
	EXPECT_NE(NULL, strstr(self->live, "ext4_init") ?: strstr(self->live, "do_open+"));
	EXPECT_NE(NULL, strstr(self->live, "rawtp:task_switch"));
	EXPECT_NE(NULL, strstr(self->live, "[-EINVAL]"));
	fixture_write(&self->r);
	for (int json = 0; json < 2; json++) {
		live = fixture_live(&self->r, json);
		shown = fixture_show(self->r.file.s, self->r.file.len, json);
		ASSERT_EQ(0, shown.err);
		EXPECT_STREQ(live, shown.text);
		EXPECT_TRUE(shown.state.ended);
		EXPECT_EQ(DAMAGE_NONE, shown.state.damage);
		EXPECT_EQ(0, shown.state.skipped);
		EXPECT_TRUE(shown.state.has_ledger);
		EXPECT_EQ(2, shown.state.ledger.attached);
		free(shown.text);
		free(live);
	}
}

TEST_F(recording, has_the_time_of_day_that_a_session_had_when_it_ran)
{
	const int64_t hour = 3600ll * 1000000000, offset = self->r.clock.offset_ns;
	struct ledger ledger = { .shown = 2 };
	struct recording_shown shown;
	size_t first = self->r.records.len / 2;
	char *live;

	ASSERT_EQ(0, fixture_begin(&self->r, NULL, 0));
	for (size_t i = 0; i < self->r.records.len; i++) {
		const struct strbuf *record = &self->r.records.data[i];

		/* Both sessions are in one chunk: the clock is set while events gather. */
		if (i == first) {
			ASSERT_EQ(0, wall_clock_change(&self->r.clock, 1500000, offset + hour));
		}
		ASSERT_EQ(0, recorder_record(self->r.recorder, record->s, record->len));
	}
	ASSERT_EQ(0, recorder_flush(self->r.recorder, &ledger));
	ASSERT_EQ(0, wall_clock_change(&self->r.clock, 9000000, offset - hour));
	ASSERT_EQ(0, recorder_end(self->r.recorder, &ledger));
	live = fixture_live(&self->r, true);
	shown = fixture_show(self->r.file.s, self->r.file.len, true);
	ASSERT_EQ(0, shown.err);
	EXPECT_STREQ(live, shown.text);
	EXPECT_EQ(0, shown.state.skipped);
	EXPECT_NE(NULL, strstr(shown.text, "\"start\":\"1970-01-01T00:00:00.00"));
	EXPECT_NE(NULL, strstr(shown.text, "\"start\":\"1970-01-01T01:00:00.00"));
	free(shown.text);
	free(live);
}

TEST_F(recording, believes_only_a_clock_that_makes_sense)
{
	const struct wall_change changes[] = { { 5, -1 }, { 7, 1 } };
	struct wall_clock clock = {};
	struct strbuf sb = STRBUF_INIT;

	recording_put_clock(&sb, changes, 2);
	EXPECT_EQ(0, recording_get_clock(sb.s, sb.len, &clock));
	ASSERT_EQ(2, clock.changes.len);
	EXPECT_EQ(-1, clock.changes.data[0].offset_ns);
	EXPECT_EQ(7, clock.changes.data[1].from_ns);
	/* Back in time, and cut. */
	EXPECT_EQ(-EBADMSG, recording_get_clock(sb.s, sb.len, &clock));
	wall_clock_release(&clock);
	for (size_t size = 0; size < sb.len; size++) {
		EXPECT_EQ(-EBADMSG, recording_get_clock(sb.s, size, &clock));
		wall_clock_release(&clock);
	}
	strbuf_release(&sb);
}

TEST_F(recording, can_be_read_before_its_end_was_written)
{
	struct ledger ledger = { .shown = 2 };
	struct recording_shown shown;

	ASSERT_EQ(0, fixture_begin(&self->r, NULL, 0));
	ASSERT_EQ(0, fixture_write_records(&self->r));
	ASSERT_EQ(0, recorder_flush(self->r.recorder, &ledger));
	shown = fixture_show(self->r.file.s, self->r.file.len, false);
	ASSERT_EQ(0, shown.err);
	EXPECT_STREQ(self->live, shown.text);
	EXPECT_FALSE(shown.state.ended);
	EXPECT_EQ(DAMAGE_NONE, shown.state.damage);
	free(shown.text);
}

/* What is said thousands of times is looked at elsewhere. Each test is a process. */
static void hush(void)
{
	if (!freopen("/dev/null", "w", stderr))
		abort();
}

/* Each session in a chunk of its own. */
static void write_in_two(struct recording_fixture *r)
{
	struct ledger ledger = {};

	if (fixture_begin(r, NULL, 0))
		abort();
	for (size_t i = 0; i < r->records.len; i++) {
		struct strbuf *record = &r->records.data[i];

		if (recorder_record(r->recorder, record->s, record->len))
			abort();
		if (i == r->records.len / 2 - 1 && recorder_flush(r->recorder, &ledger))
			abort();
	}
	if (recorder_end(r->recorder, &ledger))
		abort();
}

TEST_F(recording, cut_anywhere_shows_the_whole_sessions_before)
{
	size_t first = first_session(self->live), all = strlen(self->live), size;
	size_t seen_none = 0, seen_one = 0, seen_all = 0, len;
	struct recording_shown shown;

	write_in_two(&self->r);
	hush();
	for (size = 0; size <= self->r.file.len; size++) {
		shown = fixture_show(self->r.file.s, size, false);
		if (shown.err) {
			EXPECT_EQ(-EBADMSG, shown.err);
			seen_none++;
			ASSERT_EQ(0, seen_one + seen_all);
			continue;
		}
		len = strlen(shown.text);
		ASSERT_TRUE(len == 0 || len == first || len == all)
		{
			TH_LOG("%zu bytes of %zu: %s", size, self->r.file.len, shown.text);
		}
		ASSERT_EQ(0, strncmp(self->live, shown.text, len));
		seen_none += !len;
		seen_one += len == first;
		seen_all += len == all;
		EXPECT_EQ(size == self->r.file.len, shown.state.ended);
		free(shown.text);
	}
	EXPECT_LT(100, seen_none);
	EXPECT_LT(100, seen_one);
	EXPECT_LT(30, seen_all);
}

TEST_F(recording, with_a_bit_flipped_never_shows_what_was_not_there)
{
	size_t first = first_session(self->live), all = strlen(self->live), len;
	struct recording_shown shown;
	size_t noticed = 0, lost = 0;

	write_in_two(&self->r);
	hush();
	for (size_t bit = 0; bit < self->r.file.len * 8; bit += 3) {
		self->r.file.s[bit / 8] ^= 1 << bit % 8;
		shown = fixture_show(self->r.file.s, self->r.file.len, false);
		self->r.file.s[bit / 8] ^= 1 << bit % 8;
		if (shown.err) {
			lost++;
			continue;
		}
		len = strlen(shown.text);
		/* The spare bytes of the header mean nothing; names may be missing. */
		noticed += shown.state.damage || shown.state.skipped;
		if (!shown.state.damage && !shown.state.skipped) {
			EXPECT_LT(bit / 8, sizeof(struct recording_header));
		}
		if (!shown.state.skipped) {
			EXPECT_TRUE(len == 0 || len == first || len == all);
		}
		free(shown.text);
	}
	EXPECT_LT(100, lost);
	EXPECT_LT(100, noticed);
}

/* The first chunk of that kind: where it is, and its header. */
static size_t chunk_at(struct recording_fixture *r, int kind, struct recording_chunk_header *header)
{
	size_t at = sizeof(struct recording_header);

	while (at < r->file.len) {
		memcpy(header, r->file.s + at, sizeof(*header));
		if (header->kind == kind)
			return at;
		at += sizeof(*header) + header->stored_size;
	}
	abort();
}

/* With another header in its place. */
static struct recording_shown show_changed(struct recording_fixture *r, size_t at,
					   struct recording_chunk_header header)
{
	struct recording_chunk_header old;
	struct recording_shown shown;

	header.header_crc =
		crc32(0, (void *)&header, offsetof(struct recording_chunk_header, header_crc));
	memcpy(&old, r->file.s + at, sizeof(old));
	memcpy(r->file.s + at, &header, sizeof(header));
	shown = fixture_show(r->file.s, r->file.len, false);
	memcpy(r->file.s + at, &old, sizeof(old));
	return shown;
}

static struct recording_shown show_renamed(struct recording_fixture *r, int kind, uint16_t new_kind,
					   uint16_t flags)
{
	struct recording_chunk_header header;
	size_t at = chunk_at(r, kind, &header);

	header.kind = new_kind;
	header.flags = (header.flags & CHUNK_ZLIB) | flags;
	return show_changed(r, at, header);
}

TEST_F(recording, skips_chunks_of_kinds_that_it_does_not_know)
{
	struct recording_shown shown;

	fixture_write(&self->r);
	shown = show_renamed(&self->r, CHUNK_LEDGER, 777, 0);
	ASSERT_EQ(0, shown.err);
	EXPECT_STREQ(self->live, shown.text);
	EXPECT_EQ(0, shown.state.skipped);
	free(shown.text);
	EXPECT_EQ(0, shown.state.unknown);
	shown = show_renamed(&self->r, CHUNK_LEDGER, 777, CHUNK_NECESSARY);
	ASSERT_EQ(0, shown.err);
	EXPECT_EQ(0, shown.state.skipped);
	EXPECT_EQ(1, shown.state.unknown);
	free(shown.text);
}

TEST_F(recording, that_only_a_newer_one_can_read_is_refused_in_one_line)
{
	struct recording_shown shown;
	char *said;

	fixture_write(&self->r);
	said = stderr_of(shown = show_renamed(&self->r, CHUNK_PLAN, 777, CHUNK_NECESSARY));
	EXPECT_EQ(-ENOTSUP, shown.err);
	EXPECT_STREQ("retsnoop: x has parts that this retsnoop does not know; a newer one will read "
		     "it\n", said);
	free(said);
}

TEST_F(recording, without_its_plan_is_refused_in_one_line)
{
	struct recording_shown shown;
	char *said;

	fixture_write(&self->r);
	said = stderr_of(shown = show_renamed(&self->r, CHUNK_PLAN, 777, 0));
	EXPECT_EQ(-EBADMSG, shown.err);
	EXPECT_NE(NULL, strstr(said, "damaged in its header")) { TH_LOG("%s", said); }
	free(said);
}

TEST_F(recording, of_a_newer_version_or_another_machine_is_refused)
{
	struct recording_header *header;
	struct recording_shown shown;
	char *said;

	fixture_write(&self->r);
	header = (void *)self->r.file.s;
	header->version = 2;
	said = stderr_of(shown = fixture_show(self->r.file.s, self->r.file.len, false));
	EXPECT_EQ(-ENOTSUP, shown.err);
	EXPECT_STREQ("retsnoop: x has version 2 of the format, and this retsnoop knows version 1; a "
		     "newer retsnoop will read it\n", said);
	free(said);
	header->version = RECORDING_VERSION;
	header->order = __builtin_bswap32(header->order);
	said = stderr_of(shown = fixture_show(self->r.file.s, self->r.file.len, false));
	EXPECT_EQ(-ENOTSUP, shown.err);
	free(said);
}

TEST_F(recording, says_in_one_line_why_there_is_nothing)
{
	char *said;

	fixture_write(&self->r);
	said = stderr_of(fixture_show(self->r.file.s, 12, false));
	EXPECT_STREQ("retsnoop: x ends in its first line: nothing was recorded\n", said);
	free(said);
	said = stderr_of(fixture_show(self->r.file.s, 64, false));
	EXPECT_STREQ("retsnoop: x is damaged in its header: nothing can be shown\n", said);
	free(said);
	said = stderr_of(fixture_show(self->r.file.s, 32, false));
	EXPECT_STREQ("retsnoop: x ends within its header: nothing can be shown\n", said);
	free(said);
}

TEST_F(recording, is_told_from_other_files)
{
	struct recording_shown shown;
	char *said = stderr_of(shown = fixture_show("#!/bin/sh\n", 10, false));

	EXPECT_EQ(-EBADMSG, shown.err);
	EXPECT_STREQ("retsnoop: x is not a recording; 'retsnoop record' makes one\n", said);
	free(said);
	said = stderr_of(shown = fixture_show("", 0, false));
	EXPECT_STREQ("retsnoop: x is empty\n", said);
	free(said);
}

TEST_F(recording, does_not_believe_sizes)
{
	struct recording_chunk_header header;
	uint32_t stored, size;
	size_t at;

	fixture_write(&self->r);
	at = chunk_at(&self->r, CHUNK_EVENTS, &header);
	stored = header.stored_size;
	size = header.size;
	const struct { uint32_t stored, size; uint16_t flags; } lies[] = {
		{ stored, UINT32_MAX, CHUNK_ZLIB },
		{ stored, RECORDING_MAX_CHUNK, CHUNK_ZLIB },	/* more than can come out of it */
		{ stored, size + 1, CHUNK_ZLIB },
		{ stored, size - 1, CHUNK_ZLIB },
		{ stored, 0, CHUNK_ZLIB },
		{ stored, size, 0 },
		{ UINT32_MAX, size, CHUNK_ZLIB },
		{ UINT32_MAX, UINT32_MAX, 0 },
		{ RECORDING_MAX_CHUNK, RECORDING_MAX_CHUNK, 0 },
		{ stored - 1, size, CHUNK_ZLIB },
		{ 0, size, CHUNK_ZLIB },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		struct recording_shown shown;

		header.stored_size = lies[i].stored;
		header.size = lies[i].size;
		header.flags = lies[i].flags;
		shown = show_changed(&self->r, at, header);
		ASSERT_EQ(0, shown.err);
		EXPECT_STREQ("", shown.text) { TH_LOG("lie %zu", i); }
		EXPECT_TRUE(shown.state.damage || shown.state.skipped) { TH_LOG("lie %zu", i); }
		free(shown.text);
	}
}

TEST(names_in_a_recording_take_bounded_memory)
{
	struct recording_strings strings = {};
	struct strbuf sb = STRBUF_INIT;
	char name[60001];
	int read = 0;

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	wire_put_string(&sb, name);
	for (; read < 2000; read++) {
		struct wire wire = wire_of(sb.s, sb.len);

		if (!recording_get_name(&wire, &strings)) {
			EXPECT_TRUE(wire.bad);
			break;
		}
	}
	EXPECT_EQ(RECORDING_MAX_NAME_BYTES / sizeof(name), read);
	recording_strings_release(&strings);
	strbuf_release(&sb);
}

/* MODULES with one, of 100 sections with long names. */
static void put_large_module(struct strbuf *sb, char *name)
{
	struct recorded_module module = { .name = name };
	char section[60001];

	memset(section, 'a', sizeof(section) - 1);
	section[sizeof(section) - 1] = '\0';
	for (int i = 0; i < 100; i++) {
		struct recorded_section one = { .name = section, .addr = i };

		if (vec_push(&module.sections, one))
			abort();
	}
	strbuf_reset(sb);
	recording_put_module(sb, &module);
	vec_release(&module.sections);
}

TEST(modules_in_a_recording_take_bounded_memory)
{
	struct recorded_kernel kernel = {};
	struct strbuf sb = STRBUF_INIT;
	char name[] = "a";
	int err = 0, read = 0;

	put_large_module(&sb, name);
	/* The same one again takes none. */
	for (int i = 0; i < 20; i++)
		ASSERT_EQ(0, recording_get_modules(sb.s, sb.len, &kernel));
	for (; !err && read < 26; read++) {
		name[0] = 'b' + read;
		put_large_module(&sb, name);
		err = recording_get_modules(sb.s, sb.len, &kernel);
	}
	EXPECT_EQ(-EBADMSG, err);
	EXPECT_GE(RECORDING_MAX_NAME_BYTES, kernel.module_bytes);
	EXPECT_EQ(11, read);
	recorded_kernel_release(&kernel);
	strbuf_release(&sb);
}

TEST(modules_without_sections_take_bounded_memory_too)
{
	char name[60001];
	struct recorded_module module = { .name = name };
	struct recorded_kernel kernel = {};
	struct strbuf sb = STRBUF_INIT;
	int err = 0, read = 0;

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (; !err && read < 2000; read++) {
		memcpy(name, &(char[2]){ 'a' + read % 26, 'a' + read / 26 % 26 }, 2);
		name[2] = 'a' + read / 676;
		strbuf_reset(&sb);
		recording_put_module(&sb, &module);
		err = recording_get_modules(sb.s, sb.len, &kernel);
	}
	EXPECT_EQ(-EBADMSG, err);
	EXPECT_GE(RECORDING_MAX_NAME_BYTES, kernel.module_bytes);
	recorded_kernel_release(&kernel);
	strbuf_release(&sb);
}

TEST_F(recording, says_when_there_is_no_room)
{
	size_t before;

	ASSERT_EQ(0, fixture_begin(&self->r, NULL, 0));
	before = self->r.file.len;
	self->r.room = before + 10;
	ASSERT_EQ(0, fixture_write_records(&self->r));
	EXPECT_EQ(-ENOSPC, recorder_flush(self->r.recorder, &(struct ledger){}));
	EXPECT_EQ(before, self->r.file.len);
}

/* All that BPF counts: what is missing here would be told live, and of the recording not. */
TEST_F(recording, has_every_count_of_what_was_missed)
{
	const size_t nr = offsetof(struct event_stats, spare) / sizeof(uint64_t);
	struct ledger ledger = {}, got;
	uint64_t counts[sizeof(struct event_stats) / sizeof(uint64_t)] = {}, dropped;
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < nr; i++)
		counts[i] = 1000 + i;
	memcpy(&ledger.stats, counts, sizeof(counts));
	recording_put_ledger(&sb, &ledger, 0);
	ASSERT_EQ(0, recording_get_ledger(sb.s, sb.len, &got, &dropped));
	memcpy(counts, &got.stats, sizeof(counts));
	for (size_t i = 0; i < nr; i++)
		EXPECT_EQ(1000 + i, counts[i]);
	strbuf_release(&sb);
}

TEST_F(recording, tells_what_was_cleared_for_newer_sessions)
{
	struct strbuf sb = STRBUF_INIT;
	struct ledger ledger = { .missed_by_kernel = 3, .kernel_counts = true, .refused = 9,
				 .preempted = true, .returns_limited = true }, got;
	uint64_t dropped = 0;

	recording_put_ledger(&sb, &ledger, 77);
	ASSERT_EQ(0, recording_get_ledger(sb.s, sb.len, &got, &dropped));
	EXPECT_EQ(77, dropped);
	EXPECT_EQ(3, got.missed_by_kernel);
	EXPECT_TRUE(got.kernel_counts);
	EXPECT_TRUE(got.preempted);
	EXPECT_TRUE(got.returns_limited);
	EXPECT_EQ(9, got.refused);
	EXPECT_EQ(-EBADMSG, recording_get_ledger(sb.s, sb.len - 1, &got, &dropped));
	strbuf_release(&sb);
}

TEST_F(recording, keeps_how_functions_were_attached_and_what_was_refused)
{
	const struct attached *attached;
	struct recording *recording;
	const struct plan *plan;
	FILE *file;

	fixture_write(&self->r);
	file = fmemopen(self->r.file.s, self->r.file.len, "r");
	ASSERT_EQ(0, recording_open(file, "x", &recording));
	plan = recording_plan(recording);
	attached = recording_attached(recording);
	EXPECT_EQ(RUNG_KPROBE_SESSION, attached->rungs[RECORDED_ENTRY]);
	EXPECT_EQ(RUNG_AUTO, attached->rungs[RECORDED_INNER]);
	ASSERT_EQ(1, plan->refused.len);
	EXPECT_STREQ("denied", plan->refused.data[0].name);
	ASSERT_EQ(1, attached->refused.len);
	EXPECT_STREQ("variadic", attached->refused.data[0].name);
	EXPECT_EQ(-524, attached->refused.data[0].err);
	recording_free(recording);
}

TEST_F(recording, gets_functions_of_modules_that_were_loaded_meanwhile)
{
	static const struct plan_func more = { .addr = 0xffffffffc0001000, .size = 0x40, .name = "late",
					       .module = "mod", .entry = true,
					       .returns = RETURN_POINTER };
	struct ledger ledger = { .shown = 2 };
	struct recording *recording;
	const struct plan *plan;
	struct session *session;
	FILE *file;

	for (int rotated = 0; rotated < 2; rotated++) {
		/* In a file that begins later, they come after those planned as well. */
		if (!rotated) {
			ASSERT_EQ(0, fixture_begin(&self->r, NULL, 0));
			ASSERT_EQ(0, fixture_write_records(&self->r));
			ASSERT_EQ(0, vec_push(&self->r.plan.funcs, more));
			self->r.plan.nr_more = 1;
			self->r.attached.rungs[2] = RUNG_KPROBE;
			ASSERT_EQ(0, recorder_modules_changed(self->r.recorder, 2));
		} else {
			recorder_free(self->r.recorder);
			strbuf_reset(&self->r.file);
			ASSERT_EQ(0, fixture_begin(&self->r, NULL, 0));
		}
		ASSERT_EQ(0, fixture_write_records(&self->r));
		ASSERT_EQ(0, recorder_end(self->r.recorder, &ledger));
		file = fmemopen(self->r.file.s, self->r.file.len, "r");
		ASSERT_EQ(0, recording_open(file, "test", &recording));
		plan = recording_plan(recording);
		EXPECT_EQ(rotated ? 3 : 2, plan->funcs.len);
		while (recording_next(recording, &session) > 0)
			session_free(session);
		ASSERT_EQ(3, plan->funcs.len);
		EXPECT_EQ(1, plan->nr_entries);
		EXPECT_EQ(1, plan->nr_more);
		EXPECT_STREQ("late", plan->funcs.data[2].name);
		EXPECT_STREQ("mod", plan->funcs.data[2].module);
		EXPECT_TRUE(plan->funcs.data[2].entry);
		EXPECT_EQ(0, plan->args[2].nr);
		EXPECT_EQ(RUNG_KPROBE, recording_attached(recording)->rungs[2]);
		recording_free(recording);
		fclose(file);
	}
}

static void add_func(struct plan *plan, struct attached *attached, const char *name)
{
	if (vec_push(&plan->funcs, (struct plan_func){ .name = name }))
		abort();
	attached->rungs[plan->funcs.len - 1] = RUNG_KPROBE;
}

TEST(functions_of_a_damaged_chunk_lend_no_numbers_to_later_ones)
{
	enum rung rungs[3];
	struct attached attached = { .rungs = rungs }, got_attached = {};
	struct recording_strings strings = { VEC_INIT };
	struct plan plan = {}, got = {};
	struct strbuf sb = STRBUF_INIT;

	add_func(&plan, &attached, "lost");
	add_func(&plan, &attached, "a");
	add_func(&plan, &attached, "b");
	recording_put_funcs(&sb, &plan, &attached, 1);
	EXPECT_EQ(-EBADMSG, recording_get_funcs(sb.s, sb.len, 0, &strings, &got, &got_attached));
	EXPECT_EQ(0, got.funcs.len);
	strbuf_reset(&sb);
	recording_put_funcs(&sb, &plan, &attached, 0);
	EXPECT_EQ(0, recording_get_funcs(sb.s, sb.len, 0, &strings, &got, &got_attached));
	ASSERT_EQ(3, got.funcs.len);
	EXPECT_STREQ("b", got.funcs.data[2].name);
	attached_release(&got_attached);
	vec_release(&got.funcs);
	vec_release(&plan.funcs);
	recording_strings_release(&strings);
	strbuf_release(&sb);
}

static void put_module(struct strbuf *sb, const char *name, uint64_t addr)
{
	struct recorded_module module = { .name = (char *)name };

	if (vec_push(&module.sections, (struct recorded_section){ (char *)".text", addr }))
		abort();
	recording_put_module(sb, &module);
	vec_release(&module.sections);
}

TEST(modules_that_come_again_are_kept_once)
{
	struct recorded_kernel kernel = {};
	struct strbuf sb = STRBUF_INIT;

	put_module(&sb, "ext4", 0x1000);
	put_module(&sb, "xfs", 0x2000);
	for (int i = 0; i < 3; i++)
		ASSERT_EQ(0, recording_get_modules(sb.s, sb.len, &kernel));
	EXPECT_EQ(2, kernel.modules.len);
	strbuf_reset(&sb);
	put_module(&sb, "ext4", 0x3000);
	ASSERT_EQ(0, recording_get_modules(sb.s, sb.len, &kernel));
	EXPECT_EQ(3, kernel.modules.len);
	EXPECT_EQ(0x3000, recorded_kernel_module(&kernel, "ext4")->sections.data[0].addr);
	recorded_kernel_release(&kernel);
	strbuf_release(&sb);
}

TEST_F(recording, keeps_what_views_have_to_know)
{
	struct strbuf sb = STRBUF_INIT;
	struct recording_meta meta = {
		.tool = (char *)"tool",
		.command_line = (char *)"line\x1b[31m",
		.kernel = { .release = (char *)"../6.1", .machine = (char *)"x86_64",
			    .anchor = (char *)"_stext", .anchor_addr = 0xffffffff81000000,
			    .build_id = { { 1, 2, 3 }, 3 } },
		.clock.offset_ns = -5,
		.utc_offset_s = -3600,
		.modes = MODE_TRACE,
		.shown_modes = MODE_TRACE | MODE_STACK,
		.settings.max_depth = 17,
		.settings.args_mode = ARGS_VERBOSE,
		.settings.args_width = 33,
		.settings.stacks_dec_offs = true,
		.successes = true,
		.interim = true,
		.trampoline = 5,
		.trampoline_end = 6,
	}, got;
	struct error_rule rule = {
		.expr = { (char *)"ret == 0", { .nr = 1, .terms = { { 7, TERM_LE, 0 } } } },
	};

	ASSERT_EQ(0, vec_push(&meta.error_rules, rule));
	recording_put_meta(&sb, &meta);
	vec_release(&meta.error_rules);
	ASSERT_EQ(0, recording_get_meta(sb.s, sb.len, &got));
	/* For terminals, and for paths. */
	EXPECT_STREQ("line?[31m", got.command_line);
	EXPECT_STREQ("?.?6.1", got.kernel.release);
	EXPECT_EQ(3, got.kernel.build_id.len);
	EXPECT_EQ(-5, got.clock.offset_ns);
	EXPECT_EQ(-3600, got.utc_offset_s);
	EXPECT_EQ(MODE_TRACE | MODE_STACK, got.shown_modes);
	EXPECT_EQ(17, got.settings.max_depth);
	EXPECT_EQ(ARGS_VERBOSE, got.settings.args_mode);
	EXPECT_EQ(33, got.settings.args_width);
	EXPECT_TRUE(got.settings.stacks_dec_offs);
	EXPECT_FALSE(got.settings.stacks_unfiltered);
	EXPECT_TRUE(got.successes);
	EXPECT_TRUE(got.interim);
	EXPECT_EQ(6, got.trampoline_end);
	ASSERT_EQ(1, got.error_rules.len);
	EXPECT_EQ(7, got.error_rules.data[0].expr.terms.terms[0].value);
	EXPECT_EQ(TERM_LE, got.error_rules.data[0].expr.terms.terms[0].op);
	recording_meta_release(&got);
	/* It is all there or it is not. */
	for (size_t size = 0; size < sb.len; size++) {
		int err = recording_get_meta(sb.s, size, &got);

		if (!err)
			recording_meta_release(&got);
		else
			EXPECT_EQ(-EBADMSG, err);
	}
	strbuf_release(&sb);
}

TEST(cgroups_of_a_recording_have_the_paths_they_had)
{
	struct cgroup_names names = {}, read = {};
	struct strbuf sb = STRBUF_INIT;
	char path[32];

	for (uint64_t id = 500; id; id--) {
		snprintf(path, sizeof(path), "/slice.%d", (int)id);
		ASSERT_EQ(0, cgroup_names_put(&names, id * 7, path));
	}
	recording_put_cgroups(&sb, &names);
	EXPECT_EQ(0, recording_get_cgroups(sb.s, sb.len, &read));
	EXPECT_EQ(500, read.v.len);
	EXPECT_STREQ("/slice.1", cgroup_names_get(&read, 7));
	EXPECT_STREQ("/slice.500", cgroup_names_get(&read, 3500));
	EXPECT_EQ(NULL, cgroup_names_get(&read, 8));
	EXPECT_EQ(500, read.v.len);
	EXPECT_EQ(-EBADMSG, recording_get_cgroups(sb.s, sb.len - 1, &read));
	/* Each is written once to a file. */
	strbuf_reset(&sb);
	recording_put_cgroups(&sb, &names);
	EXPECT_EQ(0, sb.len);
	strbuf_release(&sb);
	cgroup_names_release(&names);
	cgroup_names_release(&read);
}

TEST_HARNESS_MAIN
