// SPDX-License-Identifier: BSD-2-Clause
/* The differences between two recordings, as text and JSON. */
#include "util/view/lists/diff.h"

#include <inttypes.h>
#include <string.h>

#include "util/base/text/errnames.h"
#include "util/trace/record/recording_diff.h"
#include "util/view/parts/json.h"
#include "util/view/parts/output.h"
#include "util/view/parts/table.h"
#include "util/view/parts/times.h"

#define DEFAULT_WIDTH 120

/* "-EINVAL"; "error": a NULL, or what --error-if calls one. */
static void add_error(struct strbuf *sb, int err)
{
	char number[ERRNO_WORD_SIZE];

	if (err == SUMMARY_SUCCESS)
		strbuf_addstr(sb, "ok");
	else if (!err)
		strbuf_addstr(sb, "error");
	else
		strbuf_addf(sb, "-%s", errno_word(err, number));
}

/* Calls @each for every function of a path, the entry function first. */
static void each_func(const struct diff_path *path,
		      void (*each)(void *arg, const char *name, size_t len), void *arg)
{
	const char *name = path->key + 1;

	for (uint32_t i = 0; i < path->nr_funcs; i++) {
		size_t len = strcspn(name, "\n");

		each(arg, name, len);
		name += len + 1;
	}
}

static void add_func(void *arg, const char *name, size_t len)
{
	struct strbuf *sb = arg;

	if (sb->len)
		strbuf_addstr(sb, " > ");
	strbuf_add(sb, name, len);
}

static void add_number(struct table *table, struct strbuf *cell, uint64_t number)
{
	strbuf_clear(cell);
	strbuf_addf(cell, "%" PRIu64, number);
	table_add(table, STYLE_NONE, strbuf_str(cell));
}

/* The style of a change: more errors or more time is worse. */
static enum style change_style(uint64_t a, uint64_t b)
{
	return b > a ? STYLE_BAD : b < a ? STYLE_GOOD : STYLE_ASIDE;
}

/* A count; "-" if the recording could not have it. */
static void add_count(struct table *table, struct strbuf *cell, uint64_t count, bool untraced)
{
	if (untraced)
		table_add(table, STYLE_NONE, "-");
	else
		add_number(table, cell, count);
}

/* "new", "gone", "x2.5", "-40%", "=". */
static void add_change(struct table *table, struct strbuf *cell, uint64_t a, uint64_t b)
{
	unsigned __int128 times = a ? (unsigned __int128)b * 10 / a : 0;

	strbuf_clear(cell);
	if (!a && b)
		strbuf_addstr(cell, "new");
	else if (a && !b)
		strbuf_addstr(cell, "gone");
	else if (times >= 1000 && times < UINT64_MAX)
		strbuf_addf(cell, "x%" PRIu64, (uint64_t)times / 10);
	else if (times >= 20 && times < UINT64_MAX)
		strbuf_addf(cell, "x%" PRIu64 ".%u", (uint64_t)times / 10, (unsigned int)(times % 10));
	else if (b > a)
		strbuf_addf(cell, "+%" PRIu64 "%%", (uint64_t)((unsigned __int128)(b - a) * 100 / a));
	else if (b < a)
		strbuf_addf(cell, "-%" PRIu64 "%%", (uint64_t)((unsigned __int128)(a - b) * 100 / a));
	else
		strbuf_addch(cell, '=');
	table_add(table, change_style(a, b), strbuf_str(cell));
}

static void add_paths(const struct recording_diff *diff, unsigned int width, bool color,
		      struct strbuf *text)
{
	static const struct table_column columns[] = {
		{ "WAYS OF ERRORS", false }, { "ERROR", false }, { "A", true },
		{ "B", true },		     { "CHANGE", true },
	};
	struct table table = TABLE_INIT(columns, color);
	struct strbuf cell = STRBUF_INIT;

	vec_foreach(path, &diff->paths) {
		strbuf_clear(&cell);
		each_func(path, add_func, &cell);
		table_add(&table, STYLE_NAME, strbuf_str(&cell));
		strbuf_clear(&cell);
		add_error(&cell, path->err);
		if (path->outcome != path->err) {
			strbuf_addstr(&cell, ", in the end ");
			add_error(&cell, path->outcome);
		}
		table_add(&table, path->err == SUMMARY_SUCCESS ? STYLE_GOOD : STYLE_BAD,
			  strbuf_str(&cell));
		add_count(&table, &cell, path->count[0], path->untraced[0]);
		add_count(&table, &cell, path->count[1], path->untraced[1]);
		if (path->untraced[0] || path->untraced[1])
			table_add(&table, STYLE_NONE, "-");
		else
			add_change(&table, &cell, path->count[0], path->count[1]);
	}
	table_print(&table, width, text);
	text->failed |= table.failed || cell.failed;
	table_release(&table);
	strbuf_release(&cell);
}

static bool is_compared(const struct diff_func *func)
{
	return func->row[0].count >= DIFF_MIN_CALLS && func->row[1].count >= DIFF_MIN_CALLS;
}

static void add_span(struct table *table, struct strbuf *cell, const struct diff_func *func,
		     int side, unsigned int percent)
{
	strbuf_clear(cell);
	span_add(cell, summary_percentile(&func->row[side], percent));
	table_add(table, STYLE_NONE, is_compared(func) ? strbuf_str(cell) : "-");
}

static void add_funcs(const struct recording_diff *diff, unsigned int width, bool color,
		      struct strbuf *text)
{
	static const struct table_column columns[] = {
		{ "CALLS OF", false }, { "A", true },	  { "B", true },  { "P50 A", true },
		{ "P50 B", true },     { "CHANGE", true }, { "P99 A", true }, { "P99 B", true },
		{ "CHANGE", true },
	};
	struct table table = TABLE_INIT(columns, color);
	struct strbuf cell = STRBUF_INIT;

	vec_foreach(func, &diff->funcs) {
		table_add(&table, STYLE_NAME, func->name + 1);
		add_count(&table, &cell, func->row[0].count, func->untraced[0]);
		add_count(&table, &cell, func->row[1].count, func->untraced[1]);
		for (unsigned int percent = 50; percent <= 99; percent += 49) {
			add_span(&table, &cell, func, 0, percent);
			add_span(&table, &cell, func, 1, percent);
			if (is_compared(func))
				add_change(&table, &cell, summary_percentile(&func->row[0], percent),
					   summary_percentile(&func->row[1], percent));
			else
				table_add(&table, STYLE_NONE, "-");
		}
	}
	table_print(&table, width, text);
	text->failed |= table.failed || cell.failed;
	table_release(&table);
	strbuf_release(&cell);
}

int diff_print_text(const struct recording_diff *diff, const char *names, unsigned int width,
		    bool color, FILE *out)
{
	struct strbuf text = STRBUF_INIT;
	int err;

	width = width ?: DEFAULT_WIDTH;
	if (*names)
		strbuf_addf(&text, "%s\n", names);
	if (diff->paths.len) {
		add_paths(diff, width, color, &text);
		strbuf_addch(&text, '\n');
	}
	add_funcs(diff, width, color, &text);
	err = output_text(out, &text);
	strbuf_release(&text);
	return err;
}

struct json_funcs {
	struct json *json;
	struct strbuf name;
};

static void add_json_func(void *arg, const char *name, size_t len)
{
	struct json_funcs *funcs = arg;

	strbuf_clear(&funcs->name);
	strbuf_add(&funcs->name, name, len);
	json_string(funcs->json, NULL, strbuf_str(&funcs->name));
}

/* As sessions have it; null for a failure without one. */
static void add_json_errno(struct json *json, const char *key, int err)
{
	if (err <= 0)
		json_null(json, key);
	else
		json_errno(json, key, err);
}

static void add_json_path(struct strbuf *text, const struct diff_path *path)
{
	struct json json = JSON_INIT(text);
	struct json_funcs funcs = { &json, STRBUF_INIT };

	json_object(&json, NULL);
	json_string(&json, "type", "diff_path");
	json_array(&json, "functions");
	each_func(path, add_json_func, &funcs);
	json_close(&json);
	json_bool(&json, "failed", path->err != SUMMARY_SUCCESS);
	add_json_errno(&json, "errno", path->err);
	json_bool(&json, "outcome_failed", path->outcome != SUMMARY_SUCCESS);
	add_json_errno(&json, "outcome_errno", path->outcome);
	json_known(&json, "count_a", !path->untraced[0], path->count[0]);
	json_known(&json, "count_b", !path->untraced[1], path->count[1]);
	json_close(&json);
	strbuf_addch(text, '\n');
	text->failed |= funcs.name.failed;
	strbuf_release(&funcs.name);
}

static void add_json_percentile(struct json *json, const char *key, const struct diff_func *func,
				int side, unsigned int percent)
{
	if (is_compared(func))
		json_uint(json, key, summary_percentile(&func->row[side], percent));
	else
		json_null(json, key);
}

static void add_json_latency(struct strbuf *text, const struct diff_func *func)
{
	struct json json = JSON_INIT(text);

	json_object(&json, NULL);
	json_string(&json, "type", "diff_calls");
	json_string(&json, "function", func->name + 1);
	json_known(&json, "count_a", !func->untraced[0], func->row[0].count);
	json_known(&json, "count_b", !func->untraced[1], func->row[1].count);
	add_json_percentile(&json, "p50_a_ns", func, 0, 50);
	add_json_percentile(&json, "p50_b_ns", func, 1, 50);
	add_json_percentile(&json, "p99_a_ns", func, 0, 99);
	add_json_percentile(&json, "p99_b_ns", func, 1, 99);
	json_close(&json);
	strbuf_addch(text, '\n');
}

static void add_json_sides(struct strbuf *text, const struct recording_diff *diff,
			   const char *const names[2], const unsigned int numbers[2])
{
	static const char *const sides[] = { "a", "b" };
	struct json json = JSON_INIT(text);

	json_object(&json, NULL);
	json_string(&json, "type", "diff");
	for (int i = 0; i < 2; i++) {
		json_object(&json, sides[i]);
		json_string(&json, "recording", names[i]);
		if (numbers && numbers[i] > 1)
			json_uint(&json, "recordings", numbers[i]);
		json_uint(&json, "sessions", diff->sessions[i]);
		json_uint(&json, "sessions_not_told_apart", diff->others[i]);
		json_close(&json);
	}
	json_close(&json);
	strbuf_addch(text, '\n');
}

int diff_print_json(const struct recording_diff *diff, const char *const names[2],
		    const unsigned int numbers[2], FILE *out)
{
	struct strbuf text = STRBUF_INIT;
	int err;

	vec_foreach(path, &diff->paths)
		add_json_path(&text, path);
	vec_foreach(func, &diff->funcs)
		add_json_latency(&text, func);
	add_json_sides(&text, diff, names, numbers);
	err = output_data(out, &text);
	strbuf_release(&text);
	return err;
}
