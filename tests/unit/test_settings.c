// SPDX-License-Identifier: BSD-2-Clause
/* The table of settings: its rows are complete, and recordings keep what they say. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/base/strbuf.h"
#include "util/trace/record/wire.h"
#include "util/ask/settings.h"
#include "util/trace/record/recording.h"

static bool has_number(const struct setting *setting)
{
	return setting->type != SETTING_CUSTOM && setting->type != SETTING_CONST;
}

TEST(every_row_is_complete)
{
	for_each_setting(s, settings) {
		const char *name = s->name ?: s->key ?: "-R";
		bool option = s->name || s->letter;

		EXPECT_TRUE(option || s->key) TH_LOG("%s", name);
		EXPECT_NE(0, s->group) TH_LOG("%s", name);
		EXPECT_EQ(!option, s->group == SETTINGS_KEYS) TH_LOG("%s", name);
		if (option && !(s->flags & SETTING_HIDDEN))
			EXPECT_NE(NULL, s->help) TH_LOG("%s", name);
		EXPECT_EQ(s->type == SETTING_CUSTOM, !!s->parse) TH_LOG("%s", name);
		EXPECT_EQ(!s->key, !s->key_help) TH_LOG("%s", name);
		/* What is wrong with a value can be said. */
		if (has_number(s) && (s->arg || s->key))
			EXPECT_NE(NULL, setting_values(s)) TH_LOG("%s", name);
		if (s->key)
			EXPECT_TRUE(has_number(s)) TH_LOG("%s", name);
		if (has_number(s) || s->recorded.key || s->initial)
			EXPECT_TRUE(s->size == 1 || s->size == 4 || s->size == 8) TH_LOG("%s", name);
		if (s->max)
			EXPECT_LE(s->initial, s->max) TH_LOG("%s", name);
	}
}

TEST(names_letters_and_keys_are_unique)
{
	for_each_setting(a, settings) {
		for_each_setting(b, a + 1) {
			EXPECT_FALSE(a->name && b->name && !strcmp(a->name, b->name))
				TH_LOG("--%s", a->name);
			EXPECT_FALSE(a->letter && a->letter == b->letter) TH_LOG("-%c", a->letter);
			EXPECT_FALSE(a->key && b->key && !strcmp(a->key, b->key))
				TH_LOG("%s", a->key);
		}
	}
}

static bool is_meta_key(uint16_t key)
{
	static const uint16_t keys[] = META_SETTINGS;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (keys[i] == key)
			return true;
	}
	return false;
}

TEST(recorded_settings_lie_side_by_side)
{
	for_each_setting(s, settings) {
		if (!s->recorded.key)
			continue;
		EXPECT_EQ(s, settings_recorded(s->recorded.key, s->recorded.place));
		EXPECT_TRUE(is_meta_key(s->recorded.key));
		if (s->recorded.place)
			EXPECT_NE(NULL, settings_recorded(s->recorded.key, s->recorded.place - 1));
		EXPECT_GE(s->size, s->recorded.size);
	}
}

static void put_key(struct strbuf *sb, uint16_t key, const struct strbuf *value)
{
	size_t item;

	wire_put_u16(sb, key);
	item = wire_begin_item(sb);
	strbuf_add(sb, value->s, value->len);
	wire_end_item(sb, item);
}

/* Written here once more, by hand: version 1 of the file format. */
TEST(recorded_settings_are_where_version_1_has_them)
{
	struct recording_meta meta = {
		.settings = {
			.max_depth = 17, .args_mode = ARGS_VERBOSE, .args_width = 33,
			.stacks_unfiltered = true, .stacks_dec_offs = true,
			.symbols.level = SYMBOLIZE_INLINES, .branches_full = true,
			.branches_max = 5, .branch_types = 0x100000008,
		},
	};
	struct strbuf all = STRBUF_INIT, value = STRBUF_INIT, meta_text = STRBUF_INIT;

	wire_put_u32(&value, 17);
	put_key(&all, 10, &value);
	strbuf_reset(&value);
	wire_put_u32(&value, 2);
	wire_put_u32(&value, 33);
	put_key(&all, 11, &value);
	strbuf_reset(&value);
	wire_put_u8(&value, 1);
	wire_put_u8(&value, 0);
	wire_put_u8(&value, 1);
	wire_put_u8(&value, 3);
	put_key(&all, 12, &value);
	strbuf_reset(&value);
	wire_put_u8(&value, 1);
	wire_put_u32(&value, 5);
	wire_put_u64(&value, 0x100000008);
	put_key(&all, 13, &value);
	recording_put_meta(&meta_text, &meta);
	EXPECT_NE(NULL, memmem(meta_text.s, meta_text.len, all.s, all.len));
	strbuf_release(&all);
	strbuf_release(&value);
	strbuf_release(&meta_text);
}

TEST(recorded_settings_out_of_bounds_make_a_recording_unreadable)
{
	static const struct {
		uint16_t key;
		uint32_t first, second;
	} bad[] = { { 10, 257, 0 }, { 11, 3, 0 }, { 12, 4u << 24, 0 } };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct strbuf value = STRBUF_INIT, meta_text = STRBUF_INIT;
		struct recording_meta meta;

		wire_put_u32(&value, bad[i].first);
		wire_put_u32(&value, bad[i].second);
		put_key(&meta_text, bad[i].key, &value);
		EXPECT_EQ(-EBADMSG, recording_get_meta(meta_text.s, meta_text.len, &meta));
		strbuf_release(&value);
		strbuf_release(&meta_text);
	}
}

TEST(what_is_shown_of_sessions_is_recorded)
{
	struct recording_meta meta = { .settings = { .show = SHOW_UID | SHOW_CPU,
						     .durations = DURATIONS_US } };
	struct strbuf text = STRBUF_INIT;
	struct recording_meta read;

	recording_put_meta(&text, &meta);
	ASSERT_EQ(0, recording_get_meta(text.s, text.len, &read));
	EXPECT_EQ(SHOW_UID | SHOW_CPU, read.settings.show);
	EXPECT_EQ(DURATIONS_US, read.settings.durations);
	recording_meta_release(&read);
	meta.settings.show = SHOW_ALL + 1;
	strbuf_reset(&text);
	recording_put_meta(&text, &meta);
	EXPECT_EQ(-EBADMSG, recording_get_meta(text.s, text.len, &read));
	strbuf_release(&text);
}

TEST(what_was_given_wins_over_the_recording)
{
	const struct setting *depth = settings_recorded(META_MAX_DEPTH, 0);
	const struct setting *width = settings_recorded(META_ARGS, 1);
	const struct setting *types = settings_recorded(META_BRANCHES, 2);
	struct trace_request request, recorded = { .max_depth = 3, .args_width = 7,
						   .branch_types = 8, .interval_ns = 5 };

	trace_request_init(&request);
	EXPECT_EQ(0, settings_set_key(&request, "args.fmt-max-arg-width=50"));
	/* Which branches there are was decided when they were recorded. */
	EXPECT_EQ(0, settings_parse(types, &request, NULL, true));
	EXPECT_TRUE(settings_given(&request, width));
	EXPECT_FALSE(settings_given(&request, depth));
	settings_copy_recorded(&request, &recorded);
	EXPECT_EQ(50, request.args_width);
	EXPECT_EQ(3, request.max_depth);
	EXPECT_EQ(8, request.branch_types);
	EXPECT_EQ(0, request.interval_ns);
	trace_request_release(&request);
}

TEST(a_field_is_printed_as_users_write_it)
{
	static const struct {
		uint64_t number;
		const char *text;
	} sizes[] = { { 0, "0" }, { 256, "256" }, { 3072, "3072" }, { 16384, "16K" },
		      { 16385, "16385" }, { 8 << 20, "8M" }, { 1536 << 10, "1536K" } };
	static const struct setting size = { .type = SETTING_SIZE, .size = 8 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct strbuf text = STRBUF_INIT;

		setting_print(&size, &sizes[i].number, &text);
		EXPECT_STREQ(sizes[i].text, strbuf_str(&text));
		strbuf_release(&text);
	}
}

TEST_HARNESS_MAIN
