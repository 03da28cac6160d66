// SPDX-License-Identifier: BSD-2-Clause
/*
 * Counts in place of sessions: buckets, percentiles, emptying the maps, and what is shown. Texts
 * are tests/golden/summary/NAME; UPDATE_GOLDEN=1 in the environment writes them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "golden.h"
#include "unit.h"

#include "util/base/wall_clock.h"
#include "util/kernel/machine/cgroup_names.h"
#include "util/trace/summary/summary.h"
#include "util/plan/plan.h"
#include "util/view/lists/summary_text.h"
#include "util/view/parts/times.h"
#include "util/view/session/view.h"

#define TOP (SUMMARY_BUCKETS - 1)

static uint64_t random64(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

TEST(buckets_follow_each_other_without_gaps)
{
	EXPECT_EQ(0, summary_bucket_start(0));
	for (uint32_t i = 0; i < SUMMARY_BUCKETS; i++) {
		uint64_t start = summary_bucket_start(i), next = summary_bucket_start(i + 1);

		EXPECT_LT(start, next);
		EXPECT_EQ(i, summary_bucket(start));
		EXPECT_EQ(i, summary_bucket(next - 1));
	}
}

TEST(every_duration_is_in_the_bucket_that_says_so)
{
	uint64_t state = 88172645463325252ull;

	for (int i = 0; i < 200000; i++) {
		uint64_t ns = random64(&state) >> (i % 64);
		uint32_t bucket = summary_bucket(ns);

		ASSERT_GE(ns, summary_bucket_start(bucket));
		if (bucket < TOP)
			ASSERT_LT(ns, summary_bucket_start(bucket + 1));
	}
	EXPECT_EQ(TOP, summary_bucket(UINT64_MAX));
	EXPECT_EQ(TOP, summary_bucket(1ull << 41));
}

TEST(a_bucket_is_a_quarter_of_a_power_of_two_at_most)
{
	for (uint32_t i = 4; i < TOP; i++) {
		uint64_t start = summary_bucket_start(i);

		EXPECT_LE(summary_bucket_start(i + 1) - start, start / 4);
	}
}

static void count(struct summary_row *row, uint64_t ns)
{
	row->count++;
	row->total_ns += ns;
	if (ns > row->max_ns)
		row->max_ns = ns;
	row->buckets[summary_bucket(ns)]++;
}

static void count_times(struct summary_row *row, uint64_t ns, uint64_t times)
{
	row->count += times;
	row->total_ns += ns * times;
	if (ns > row->max_ns)
		row->max_ns = ns;
	row->buckets[summary_bucket(ns)] += times;
}

TEST(no_calls_have_no_percentiles_and_no_mean)
{
	struct summary_row row = {};

	EXPECT_EQ(0, summary_percentile(&row, 50));
	EXPECT_EQ(0, summary_percentile(&row, 100));
	EXPECT_EQ(0, summary_mean(&row));
}

TEST(a_single_call_is_every_percentile)
{
	static const uint64_t durations[] = { 0, 1, 7, 8, 1000, 123456789, 1ull << 41, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(durations); i++) {
		struct summary_row row = {};

		count(&row, durations[i]);
		EXPECT_EQ(durations[i], summary_percentile(&row, 1));
		EXPECT_EQ(durations[i], summary_percentile(&row, 50));
		EXPECT_EQ(durations[i], summary_percentile(&row, 99));
		EXPECT_EQ(durations[i], summary_mean(&row));
	}
}

TEST(percentiles_are_exact_where_a_bucket_is_a_single_value)
{
	struct summary_row row = {};

	count_times(&row, 2, 50);
	count_times(&row, 5, 45);
	count_times(&row, 7, 5);
	EXPECT_EQ(2, summary_percentile(&row, 1));
	EXPECT_EQ(2, summary_percentile(&row, 50));
	EXPECT_EQ(5, summary_percentile(&row, 51));
	EXPECT_EQ(5, summary_percentile(&row, 95));
	EXPECT_EQ(7, summary_percentile(&row, 96));
	EXPECT_EQ(7, summary_percentile(&row, 100));
}

TEST(calls_are_spread_over_their_bucket)
{
	struct summary_row row = {};

	/* [1024, 1280) */
	count_times(&row, 1024, 100);
	count(&row, 1000000);
	EXPECT_EQ(1, summary_bucket(1279) == summary_bucket(1024));
	EXPECT_LT(summary_percentile(&row, 25), summary_percentile(&row, 75));
	EXPECT_GE(summary_percentile(&row, 1), 1024);
	EXPECT_LT(summary_percentile(&row, 1), 1034);
	EXPECT_GE(summary_percentile(&row, 98), 1270);
	EXPECT_LT(summary_percentile(&row, 99), 1280);
}

TEST(percentiles_stay_below_the_longest_call_even_in_its_bucket)
{
	struct summary_row row = {};

	count_times(&row, 1 << 20, 1000);
	count(&row, (1 << 20) + 10);
	for (unsigned int percent = 1; percent <= 100; percent++) {
		EXPECT_GE(summary_percentile(&row, percent), 1 << 20);
		EXPECT_LE(summary_percentile(&row, percent), (1 << 20) + 10);
	}
	EXPECT_EQ((1 << 20) + 10, summary_percentile(&row, 100));
}

TEST(the_top_bucket_ends_with_the_longest_call)
{
	struct summary_row row = {};

	count_times(&row, UINT64_MAX, 3);
	EXPECT_EQ(UINT64_MAX, summary_percentile(&row, 100));
	EXPECT_GE(summary_percentile(&row, 50), summary_bucket_start(TOP));
	memset(&row, 0, sizeof(row));
	count_times(&row, summary_bucket_start(TOP) + 7, 100);
	EXPECT_LE(summary_percentile(&row, 99), summary_bucket_start(TOP) + 7);
	EXPECT_GE(summary_percentile(&row, 1), summary_bucket_start(TOP));
}

TEST(huge_counts_do_not_overflow)
{
	struct summary_row row = {};

	count_times(&row, 1000, 1ull << 60);
	count_times(&row, UINT64_MAX, 1ull << 59);
	EXPECT_EQ(summary_bucket(1000), summary_bucket(summary_percentile(&row, 50)));
	EXPECT_EQ(TOP, summary_bucket(summary_percentile(&row, 95)));
}

TEST(percentiles_are_in_the_bucket_of_the_true_ones_and_never_fall)
{
	uint64_t state = 0x2545f4914f6cdd1dull, durations[500];

	for (int round = 0; round < 300; round++) {
		size_t nr = 1 + random64(&state) % 500;
		unsigned int shift = random64(&state) % 60;
		struct summary_row row = {};
		uint64_t before = 0;

		for (size_t i = 0; i < nr; i++) {
			durations[i] = random64(&state) >> (shift + random64(&state) % 4);
			count(&row, durations[i]);
		}
		qsort(durations, nr, sizeof(durations[0]), compare_u64);
		for (unsigned int percent = 1; percent <= 100; percent++) {
			uint64_t is = durations[(nr * percent + 99) / 100 - 1];
			uint64_t said = summary_percentile(&row, percent);

			ASSERT_EQ(summary_bucket(is), summary_bucket(said));
			ASSERT_GE(said, before);
			ASSERT_LE(said, row.max_ns);
			before = said;
		}
	}
}

TEST(a_longest_call_that_was_forgotten_is_as_long_as_its_bucket_tells)
{
	struct summary summary = SUMMARY_INIT;
	struct summary_row row = {};

	count(&row, 5000);
	count(&row, 2000000);
	row.max_ns = 5000;
	ASSERT_EQ(0, summary_add_line(&summary, 0, 22, NULL, &row));
	EXPECT_EQ(summary_bucket_start(summary_bucket(2000000)), summary.lines.data[0].row.max_ns);
	EXPECT_LE(summary_percentile(&summary.lines.data[0].row, 99),
		  summary.lines.data[0].row.max_ns);
	summary_release(&summary);
}

/* BPF's maps, in place of libbpf's calls. */
enum { EPOCH_FD = 100, LINES_FD, PRODUCERS_FD };
#define MAX_ELEMS 64

static struct fake_map {
	size_t key_size, value_size;
	uint32_t nr;
	char keys[MAX_ELEMS][sizeof(struct summary_key)];
	char values[MAX_ELEMS][sizeof(struct summary_row)];
} fake_lines = { sizeof(struct summary_key), sizeof(struct summary_row) },
  fake_producers = { sizeof(struct producer_key), sizeof(uint64_t) };
static uint32_t fake_epoch;
static int fail_lookup, fail_delete, fail_next, fail_update;
static void (*on_flip)(void);

static struct fake_map *fake_of(int fd)
{
	if (fd != LINES_FD && fd != PRODUCERS_FD)
		abort();
	return fd == LINES_FD ? &fake_lines : &fake_producers;
}

static int index_of(const struct fake_map *map, const void *key)
{
	for (uint32_t i = 0; i < map->nr; i++) {
		if (!memcmp(map->keys[i], key, map->key_size))
			return i;
	}
	return -1;
}

int bpf_map_get_next_key(int fd, const void *key, void *next)
{
	const struct fake_map *map = fake_of(fd);
	/* As in the kernel: a key that is gone means the beginning. */
	int i = key ? index_of(map, key) + 1 : 0;

	if (fail_next)
		return fail_next;
	if (i >= (int)map->nr)
		return -ENOENT;
	memcpy(next, map->keys[i], map->key_size);
	return 0;
}

int bpf_map_lookup_elem(int fd, const void *key, void *value)
{
	const struct fake_map *map = fake_of(fd);
	int i = index_of(map, key);

	if (fail_lookup)
		return fail_lookup;
	if (i < 0)
		return -ENOENT;
	memcpy(value, map->values[i], map->value_size);
	return 0;
}

int bpf_map_delete_elem(int fd, const void *key)
{
	struct fake_map *map = fake_of(fd);
	int i = index_of(map, key);

	if (fail_delete)
		return fail_delete;
	if (i < 0)
		return -ENOENT;
	map->nr--;
	memmove(map->keys[i], map->keys[map->nr], sizeof(map->keys[0]));
	memmove(map->values[i], map->values[map->nr], sizeof(map->values[0]));
	return 0;
}

int bpf_map_update_elem(int fd, const void *key, const void *value, __u64 flags)
{
	if (fd != EPOCH_FD)
		abort();
	if (fail_update)
		return fail_update;
	memcpy(&fake_epoch, value, sizeof(fake_epoch));
	if (on_flip)
		on_flip();
	return 0;
}

static void put(struct fake_map *map, const void *key, const void *value)
{
	if (map->nr == MAX_ELEMS)
		abort();
	memcpy(map->keys[map->nr], key, map->key_size);
	memcpy(map->values[map->nr], value, map->value_size);
	map->nr++;
}

static void put_line(uint32_t epoch, uint32_t func, int32_t err, uint64_t ns, uint64_t times)
{
	struct summary_key key = { .epoch = epoch, .func = func, .err = err };
	struct summary_row row = {};

	count_times(&row, ns, times);
	put(&fake_lines, &key, &row);
}

static void put_producer(uint32_t epoch, uint32_t func, int32_t err, int32_t outcome,
			 uint64_t times)
{
	struct producer_key key = { epoch, func, err, outcome };

	put(&fake_producers, &key, &times);
}

FIXTURE(taking)
{
	struct summary_maps maps;
	struct summary summary;
	char *text;
};

FIXTURE_SETUP(taking)
{
	self->maps = (struct summary_maps){ EPOCH_FD, LINES_FD, PRODUCERS_FD, 0 };
}

FIXTURE_TEARDOWN(taking)
{
	summary_release(&self->summary);
	free(self->text);
}

TEST_F(taking, nothing_is_an_empty_summary)
{
	EXPECT_EQ(0, summary_take(&self->maps, &self->summary));
	EXPECT_EQ(0, self->summary.lines.len);
	EXPECT_EQ(0, self->summary.producers.len);
	EXPECT_EQ(0, self->summary.calls);
	EXPECT_EQ(0, self->summary.errors);
}

TEST_F(taking, puts_what_there_is_most_of_first)
{
	put_line(0, 1, SUMMARY_SUCCESS, 10, 5);
	put_line(0, 2, 22, 10, 500);
	put_line(0, 3, 22, 10, 50);
	put_producer(0, 7, 22, 22, 1);
	put_producer(0, 8, 12, 22, 9);
	ASSERT_EQ(0, summary_take(&self->maps, &self->summary));
	ASSERT_EQ(3, self->summary.lines.len);
	EXPECT_EQ(2, self->summary.lines.data[0].func);
	EXPECT_EQ(22, self->summary.lines.data[0].err);
	EXPECT_EQ(500, self->summary.lines.data[0].row.count);
	EXPECT_EQ(3, self->summary.lines.data[1].func);
	EXPECT_EQ(1, self->summary.lines.data[2].func);
	EXPECT_EQ(SUMMARY_SUCCESS, self->summary.lines.data[2].err);
	EXPECT_EQ(555, self->summary.calls);
	ASSERT_EQ(2, self->summary.producers.len);
	EXPECT_EQ(8, self->summary.producers.data[0].func);
	EXPECT_EQ(12, self->summary.producers.data[0].err);
	EXPECT_EQ(22, self->summary.producers.data[0].outcome);
	EXPECT_EQ(10, self->summary.errors);
}

TEST_F(taking, keeps_rows_of_different_producers_apart)
{
	for (uint32_t producer = 1; producer <= 3; producer++) {
		struct summary_key key = { .func = 1, .err = 22, .producer = producer };
		struct summary_row row = {};

		count_times(&row, 10, 4 - producer);
		put(&fake_lines, &key, &row);
	}
	ASSERT_EQ(0, summary_take(&self->maps, &self->summary));
	ASSERT_EQ(3, self->summary.lines.len);
	for (uint32_t i = 0; i < 3; i++)
		EXPECT_EQ(i + 1, self->summary.lines.data[i].producer);
}

TEST_F(taking, orders_equal_counts_by_time_spent_and_then_the_same_each_time)
{
	put_line(0, 5, 22, 10, 7);
	put_line(0, 4, 22, 1000, 7);
	put_line(0, 2, 12, 10, 7);
	put_line(0, 2, SUMMARY_SUCCESS, 10, 7);
	ASSERT_EQ(0, summary_take(&self->maps, &self->summary));
	EXPECT_EQ(4, self->summary.lines.data[0].func);
	EXPECT_EQ(2, self->summary.lines.data[1].func);
	EXPECT_EQ(SUMMARY_SUCCESS, self->summary.lines.data[1].err);
	EXPECT_EQ(12, self->summary.lines.data[2].err);
	EXPECT_EQ(5, self->summary.lines.data[3].func);
}

/* What goes on in the kernel while the first epoch is read. */
static void next_epoch_fills(void)
{
	on_flip = NULL;
	put_line(1, 1, 22, 10, 3);
	put_producer(1, 1, 22, 22, 3);
}

TEST_F(taking, counts_each_call_once_while_more_come_in)
{
	put_line(0, 1, 22, 10, 2);
	put_producer(0, 1, 22, 22, 2);
	on_flip = next_epoch_fills;
	ASSERT_EQ(0, summary_take(&self->maps, &self->summary));
	EXPECT_EQ(1, fake_epoch);
	EXPECT_EQ(2, self->summary.calls);
	EXPECT_EQ(2, self->summary.errors);
	EXPECT_EQ(1, fake_lines.nr);
	EXPECT_EQ(1, fake_producers.nr);

	summary_release(&self->summary);
	self->summary = (struct summary)SUMMARY_INIT;
	ASSERT_EQ(0, summary_take(&self->maps, &self->summary));
	EXPECT_EQ(0, fake_epoch);
	EXPECT_EQ(3, self->summary.calls);
	EXPECT_EQ(3, self->summary.errors);
	EXPECT_EQ(0, fake_lines.nr);
	EXPECT_EQ(0, fake_producers.nr);
}

TEST_F(taking, says_that_a_map_cannot_be_read)
{
	int *const failures[] = { &fail_next, &fail_lookup, &fail_delete, &fail_update };

	for (int i = 0; i < 4; i++) {
		int err = 0;

		summary_release(&self->summary);
		fake_lines.nr = 0;
		put_line(self->maps.epoch, 1, 22, 10, 2);
		free(self->text);
		*failures[i] = -EPERM;
		self->text = stderr_of(err = summary_take(&self->maps, &self->summary));
		*failures[i] = 0;
		EXPECT_EQ(-EPERM, err);
		EXPECT_STREQ("retsnoop: cannot read the summary from its BPF maps: Operation not "
			     "permitted\n",
			     self->text);
	}
}

TEST_F(taking, gives_up_on_a_map_that_never_ends)
{
	/* The same key again: a walk that begins anew each time. */
	put_line(0, 1, 22, 10, 2);
	fake_lines.nr = 2;
	memcpy(fake_lines.keys[1], fake_lines.keys[0], sizeof(fake_lines.keys[0]));
	free(self->text);
	self->text = stderr_of(EXPECT_EQ(-ELOOP, summary_take(&self->maps, &self->summary)));
}

#define EXPECT_SPAN(expected, ns)                        \
	do {                                             \
		struct strbuf sb = STRBUF_INIT;          \
		span_add(&sb, ns);                       \
		EXPECT_STREQ(expected, strbuf_str(&sb)); \
		strbuf_release(&sb);                     \
	} while (0)

TEST(spans_have_three_digits_and_a_unit_that_suits)
{
	EXPECT_SPAN("0ns", 0);
	EXPECT_SPAN("999ns", 999);
	EXPECT_SPAN("1.00us", 1000);
	EXPECT_SPAN("1.23us", 1234);
	EXPECT_SPAN("1.24us", 1235);
	EXPECT_SPAN("12.3us", 12349);
	EXPECT_SPAN("123us", 123499);
	EXPECT_SPAN("124us", 123500);
	EXPECT_SPAN("4.56ms", 4560000);
	EXPECT_SPAN("7.00s", 7000000000);
	EXPECT_SPAN("999s", 999000000000);
	EXPECT_SPAN("12345s", 12345000000000);
	EXPECT_SPAN("18446744074s", UINT64_MAX);
}

TEST(spans_that_round_up_change_their_unit)
{
	EXPECT_SPAN("10.0us", 9996);
	EXPECT_SPAN("9.99us", 9994);
	EXPECT_SPAN("100us", 99960);
	EXPECT_SPAN("1.00ms", 999500);
	EXPECT_SPAN("999us", 999499);
	EXPECT_SPAN("1.00s", 999999999);
	EXPECT_SPAN("1000s", 999600000000);
}

/* The plan: entries first. */
enum { X64_SYS_BPF, MKDIR, LONG_NAME, PROG_LOAD, CHECK_ATTR, ALLOC, NR_FUNCS };

static struct plan_func funcs[NR_FUNCS] = {
	[X64_SYS_BPF] = { .name = "__x64_sys_bpf", .returns = RETURN_INT64, .entry = true },
	[MKDIR] = { .name = "do_mkdirat", .returns = RETURN_INT32, .entry = true },
	[LONG_NAME] = { .name = "__netdev_upper_dev_link_and_more_things",
			.module = "bonding",
			.returns = RETURN_POINTER,
			.entry = true },
	[PROG_LOAD] = { .name = "bpf_prog_load", .returns = RETURN_INT32 },
	[CHECK_ATTR] = { .name = "bpf_check_attach_target_or_so", .returns = RETURN_INT32 },
	[ALLOC] = { .name = "array_map_alloc", .returns = RETURN_POINTER },
};
static struct plan plan = { .funcs = { funcs, NR_FUNCS, NR_FUNCS }, .nr_entries = 3 };

static const struct trace_request settings;

FIXTURE(showing)
{
	struct view_context context;
	struct summary summary;
	char *text;
};

/* 2026-01-01 20:19:36 */
static const struct wall_clock started = { .offset_ns = 1767298776000000000ll };

FIXTURE_SETUP(showing)
{
	setenv("TZ", "UTC", 1);
	tzset();
	self->context = (struct view_context){
		.explain.plan = &plan,
		.explain.settings = &settings,
		.width = 80,
		.clock = &started,
		.histograms = true,
	};
	self->summary.start_ns = 372607000;
	self->summary.end_ns = 10372682000ull;
}

FIXTURE_TEARDOWN(showing)
{
	summary_release(&self->summary);
	free(self->text);
}

static const char *shown(FIXTURE_DATA(showing) * self,
			 struct view *(*new_view)(const struct view_context *))
{
	struct view *view;
	size_t size;

	free(self->text);
	summary_sort(&self->summary);
	self->context.out = open_memstream(&self->text, &size);
	view = new_view(&self->context);
	if (!self->context.out || !view || view->summary(view, &self->summary))
		abort();
	view->free(view);
	fclose(self->context.out);
	return self->text;
}

static void add(FIXTURE_DATA(showing) * self, uint32_t func, int32_t err,
		const struct summary_row *row)
{
	if (summary_add_line(&self->summary, func, err, NULL, row))
		abort();
}

static void add_of(FIXTURE_DATA(showing) * self, struct summary_group group, uint32_t func,
		   int32_t err)
{
	struct summary_row row = {};

	count_times(&row, 1000, 1 + group.id % 7);
	if (summary_add_line(&self->summary, func, err, &group, &row))
		abort();
}

static void add_producer(FIXTURE_DATA(showing) * self, uint32_t func, int32_t err,
			 int32_t outcome, uint64_t times)
{
	if (summary_add_producer(&self->summary, func, err, outcome, times))
		abort();
}

/* Many healthy calls, few that fail, one very late. */
static void busy_system(FIXTURE_DATA(showing) * self)
{
	struct summary_row row = {};
	uint64_t state = 0x2545f4914f6cdd1dull;

	for (int i = 0; i < 100000; i++)
		count(&row, 700 + (random64(&state) & random64(&state) & 0x3fff));
	count(&row, 48123456);
	add(self, X64_SYS_BPF, SUMMARY_SUCCESS, &row);
	row = (struct summary_row){};
	for (int i = 0; i < 1234; i++)
		count(&row, 20000 + (random64(&state) & 0xffff));
	add(self, X64_SYS_BPF, 22, &row);
	row = (struct summary_row){};
	count(&row, 3456);
	add(self, MKDIR, 17, &row);
	add_producer(self, CHECK_ATTR, 22, 22, 1000);
	add_producer(self, ALLOC, 12, 22, 234);
	add_producer(self, MKDIR, 17, 17, 1);
}

TEST_F(showing, tables_and_histograms)
{
	busy_system(self);
	golden(_metadata, "summary/busy.txt", shown(self, view_summary_new));
}

TEST_F(showing, an_object_a_line)
{
	struct summary_row row = {};

	count_times(&row, 3, 2);
	count_times(&row, 1500, 7);
	count(&row, 1ull << 42);
	add(self, X64_SYS_BPF, SUMMARY_SUCCESS, &row);
	row = (struct summary_row){};
	count_times(&row, 2000, 2);
	add(self, LONG_NAME, 0, &row);
	row = (struct summary_row){};
	count(&row, 2000);
	add(self, MKDIR, 600, &row);
	add_producer(self, ALLOC, 0, 12, 2);
	add_producer(self, MKDIR, 600, SUMMARY_SUCCESS, 1);
	golden(_metadata, "summary/lines.json", shown(self, view_summary_json_new));
}

TEST_F(showing, the_time_that_an_interval_covers)
{
	struct summary_row row = {};

	self->summary.interval = true;
	count_times(&row, 1500, 7);
	add(self, MKDIR, 17, &row);
	add_producer(self, MKDIR, 17, 17, 7);
	golden(_metadata, "summary/interval.txt", shown(self, view_summary_new));
}

TEST_F(showing, that_an_interval_had_no_calls)
{
	self->summary.interval = true;
	EXPECT_STREQ("20:19:36.372607 -> 20:19:46.372682, no calls\n\n",
		     shown(self, view_summary_new));
	EXPECT_STREQ("", shown(self, view_summary_json_new));
}

TEST_F(showing, nothing_at_the_end_of_a_run_without_calls)
{
	EXPECT_STREQ("", shown(self, view_summary_new));
}

TEST_F(showing, names_and_numbers_too_wide_for_the_terminal)
{
	struct summary_row row = {};

	count_times(&row, 123456789, 1234567890123ull);
	add(self, LONG_NAME, 512, &row);
	row = (struct summary_row){};
	count_times(&row, 999999, 100);
	count(&row, 1ull << 42);
	add(self, X64_SYS_BPF, 4000, &row);
	add_producer(self, LONG_NAME, 512, 512, 1234567890123ull);
	add_producer(self, X64_SYS_BPF, 4000, 4000, 101);
	golden(_metadata, "summary/wide.txt", shown(self, view_summary_new));
	self->context.width = 40;
	golden(_metadata, "summary/narrow.txt", shown(self, view_summary_new));
	self->context.width = 0;
	golden(_metadata, "summary/unlimited.txt", shown(self, view_summary_new));
}

TEST_F(showing, failures_without_an_errno)
{
	struct summary_row row = {};

	count_times(&row, 2, 10);
	count_times(&row, 0, 3);
	add(self, LONG_NAME, 0, &row);
	add(self, MKDIR, 0, &row);
	add_producer(self, ALLOC, 0, 0, 13);
	add_producer(self, MKDIR, 0, 0, 13);
	golden(_metadata, "summary/no-errno.txt", shown(self, view_summary_new));
}

/* Names that would be formulas, other cells or other lines, and none at all. */
static void processes(FIXTURE_DATA(showing) * self, enum summary_by by)
{
	static const char *const names[] = { "=cmd|'/C calc'!A", "a,\"b\";=1", "\xff\tx\n@y", "",
					     " +1", "mount", "Pr\xc3\xbc" "fung" };

	self->summary.by = by;
	self->context.histograms = false;
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct summary_group group = { .id = *names[i] ? 100 + i : 0 };

		strncpy(group.comm, names[i], sizeof(group.comm));
		add_of(self, group, i % 3, i % 2 ? 22 : SUMMARY_SUCCESS);
	}
}

TEST_F(showing, counts_by_process)
{
	processes(self, SUMMARY_BY_PROCESS);
	golden(_metadata, "summary/by-process.txt", shown(self, view_summary_new));
	golden(_metadata, "summary/by-process.csv", shown(self, view_summary_csv_new));
	golden(_metadata, "summary/by-process.json", shown(self, view_summary_json_new));
}

TEST_F(showing, counts_by_cgroup_and_by_producer)
{
	struct cgroup_names cgroups = {};

	ASSERT_EQ(0, cgroup_names_put(&cgroups, 1234, "/user.slice/a b"));
	self->context.cgroups = &cgroups;
	self->context.histograms = false;
	self->summary.by = SUMMARY_BY_CGROUP;
	add_of(self, (struct summary_group){ .id = 1234 }, MKDIR, 17);
	add_of(self, (struct summary_group){ .id = 99 }, MKDIR, 17);
	add_of(self, (struct summary_group){}, MKDIR, 17);
	golden(_metadata, "summary/by-cgroup.txt", shown(self, view_summary_new));
	golden(_metadata, "summary/by-cgroup.csv", shown(self, view_summary_csv_new));
	golden(_metadata, "summary/by-cgroup.json", shown(self, view_summary_json_new));
	summary_release(&self->summary);
	self->summary = (struct summary){ .by = SUMMARY_BY_PRODUCER };
	add_of(self, (struct summary_group){ .id = ALLOC + 1 }, MKDIR, 12);
	add_of(self, (struct summary_group){ .id = LONG_NAME + 1 }, MKDIR, 17);
	add_of(self, (struct summary_group){}, MKDIR, SUMMARY_SUCCESS);
	golden(_metadata, "summary/by-producer.txt", shown(self, view_summary_new));
	golden(_metadata, "summary/by-producer.csv", shown(self, view_summary_csv_new));
	golden(_metadata, "summary/by-producer.json", shown(self, view_summary_json_new));
	cgroup_names_release(&cgroups);
}

TEST_F(showing, a_record_for_each_row_and_the_columns_once)
{
	char *first;

	busy_system(self);
	self->context.histograms = false;
	golden(_metadata, "summary/busy.csv", shown(self, view_summary_csv_new));
	first = strchr(self->text, '\n');
	ASSERT_NE(NULL, first);
	EXPECT_EQ(NULL, strstr(first, "count"));
}

TEST_HARNESS_MAIN
