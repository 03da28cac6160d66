// SPDX-License-Identifier: BSD-2-Clause
/* JSON is JSON whatever goes in; the ledger in it; and numbers that are too large for its readers. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/base/strbuf.h"
#include "util/trace/session/ledger.h"
#include "util/view/parts/json.h"
#include "util/view/parts/ledger_json.h"
#include "util/view/session/result_json.h"

FIXTURE(json)
{
	struct strbuf text;
	struct json json;
	struct ledger ledger;
};

FIXTURE_SETUP(json)
{
	self->text = (struct strbuf)STRBUF_INIT;
	self->json = (struct json)JSON_INIT(&self->text);
	self->ledger = (struct ledger){
		.shown = 6, .kernel_counts = true, .asked = 45, .attached = 44,
	};
}

FIXTURE_TEARDOWN(json)
{
	strbuf_release(&self->text);
}

static const char *string(FIXTURE_DATA(json) * self, const char *text)
{
	strbuf_reset(&self->text);
	self->json = (struct json)JSON_INIT(&self->text);
	json_string(&self->json, NULL, text);
	return strbuf_str(&self->text);
}

TEST_F(json, numbers_have_their_limits)
{
	json_array(&self->json, NULL);
	json_int(&self->json, NULL, INT64_MIN);
	json_int(&self->json, NULL, -1);
	json_int(&self->json, NULL, INT64_MAX);
	json_uint(&self->json, NULL, UINT64_MAX);
	json_hex(&self->json, NULL, 0);
	json_hex(&self->json, NULL, UINT64_MAX);
	json_close(&self->json);
	EXPECT_STREQ("[-9223372036854775808,-1,9223372036854775807,18446744073709551615,"
		     "\"0x0\",\"0xffffffffffffffff\"]",
		     strbuf_str(&self->text));
}

#define BAD "\xef\xbf\xbd"	/* U+FFFD */

TEST_F(json, strings_are_escaped)
{
	EXPECT_STREQ("\"a \\\"b\\\" \\\\ /\"", string(self, "a \"b\" \\ /"));
	EXPECT_STREQ("\"\\n\\t\\u000d\\u0001\\u001b[31m\\u007f\"",
		     string(self, "\n\t\r\x01\x1b[31m\x7f"));
	EXPECT_STREQ("null", string(self, NULL));
	EXPECT_STREQ("\"\"", string(self, ""));
}

TEST_F(json, what_a_terminal_would_obey_is_escaped)
{
	/* CSI as one character, a letter mark, an override, an isolate, a tag. */
	EXPECT_STREQ("\"\\u009b31m\"", string(self, "\xc2\x9b" "31m"));
	EXPECT_STREQ("\"\\u0080\\u009f\"", string(self, "\xc2\x80\xc2\x9f"));
	EXPECT_STREQ("\"\\u061c\\u200e\\u200f\"", string(self, "\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f"));
	EXPECT_STREQ("\"\\u202e\\u2028\"", string(self, "\xe2\x80\xae\xe2\x80\xa8"));
	EXPECT_STREQ("\"\\u2066\\u2069\"", string(self, "\xe2\x81\xa6\xe2\x81\xa9"));
	EXPECT_STREQ("\"\\udb40\\udc41\"", string(self, "\xf3\xa0\x81\x81"));
}

TEST_F(json, what_is_utf8_stays)
{
	static const char *const texts[] = {
		"\xc3\xa9", "\xe2\x82\xac", "\xef\xbf\xbf", "\xf0\x9f\x90\xa7", "\xf4\x8f\xbf\xbf",
		"\xc2\xa0", "\xed\x9f\xbf", "\xee\x80\x80",
	};
	char expected[16];

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		snprintf(expected, sizeof(expected), "\"%s\"", texts[i]);
		EXPECT_STREQ(expected, string(self, texts[i]));
	}
}

TEST_F(json, what_is_not_utf8_is_replaced_byte_by_byte)
{
	static const struct {
		const char *in, *out;
	} texts[] = {
		{ "a\xff" "b", "\"a" BAD "b\"" },
		{ "\x80", "\"" BAD "\"" },
		{ "\xc0\x80", "\"" BAD BAD "\"" },		/* overlong */
		{ "\xe0\x80\x80", "\"" BAD BAD BAD "\"" },
		{ "\xed\xa0\x80", "\"" BAD BAD BAD "\"" },	/* a surrogate */
		{ "\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\"" },	/* beyond Unicode */
		{ "\xf8\x88\x80\x80\x80", "\"" BAD BAD BAD BAD BAD "\"" },
		{ "\xc3", "\"" BAD "\"" },			/* cut short */
		{ "\xe2\x82", "\"" BAD BAD "\"" },
		{ "\xe2\x82\"", "\"" BAD BAD "\\\"\"" },
		{ "\xf0\x9f\x90\n", "\"" BAD BAD BAD "\\n\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		EXPECT_STREQ(texts[i].out, string(self, texts[i].in));
}

TEST_F(json, keys_are_strings_too)
{
	json_object(&self->json, NULL);
	json_uint(&self->json, "a\"\n\xff", 1);
	json_close(&self->json);
	EXPECT_STREQ("{\"a\\\"\\n" BAD "\":1}", strbuf_str(&self->text));
}

static const char *result(FIXTURE_DATA(json) * self, uint64_t value, enum return_kind returns)
{
	strbuf_reset(&self->text);
	self->json = (struct json)JSON_INIT(&self->text);
	json_object(&self->json, NULL);
	result_json_add(&self->json, value, returns);
	json_close(&self->json);
	return strbuf_str(&self->text);
}

TEST_F(json, results_that_a_double_cannot_hold_are_strings)
{
	EXPECT_STREQ("{\"result\":9007199254740992,\"errno\":null}",
		     result(self, 1ull << 53, RETURN_UNSIGNED64));
	EXPECT_STREQ("{\"result\":\"9007199254740993\",\"errno\":null}",
		     result(self, (1ull << 53) + 1, RETURN_UNSIGNED64));
	EXPECT_STREQ("{\"result\":\"18446744073709551615\",\"errno\":null}",
		     result(self, UINT64_MAX, RETURN_UNSIGNED64));
	EXPECT_STREQ("{\"result\":-9007199254740992,\"errno\":null}",
		     result(self, -(1ull << 53), RETURN_INT64));
	EXPECT_STREQ("{\"result\":\"-9223372036854775808\",\"errno\":null}",
		     result(self, 1ull << 63, RETURN_INT64));
	EXPECT_STREQ("{\"result\":-22,\"errno\":\"EINVAL\"}",
		     result(self, -22ull, RETURN_INT64));
}

static const char *ledger(FIXTURE_DATA(json) * self)
{
	strbuf_reset(&self->text);
	ledger_json_add(&self->text, &self->ledger);
	return strbuf_str(&self->text);
}

#define EXPECT_IN_LEDGER(part)                                  \
	EXPECT_NE(NULL, strstr(ledger(self), part))             \
	{                                                       \
		TH_LOG("no %s in %s", part, ledger(self));      \
	}

TEST_F(json, the_ledger_says_what_was_done)
{
	EXPECT_IN_LEDGER("{\"type\":\"ledger\",\"sessions_shown\":6,\"missed\":\"nothing\","
			 "\"functions_asked\":45,\"functions_attached\":44,"
			 "\"functions_refused\":0,\"max_depth\":256,\"losses\":{");
	EXPECT_IN_LEDGER("\"text\":[\"6 sessions shown, nothing missed (44 of 45 functions "
			 "attached)\"]}");
	self->ledger.recorded = true;
	EXPECT_IN_LEDGER(",\"sessions_recorded\":6,");
	self->ledger.summary = true;
	EXPECT_IN_LEDGER(",\"calls_counted\":6,");
}

TEST_F(json, the_ledger_of_no_run_is_nothing)
{
	ledger_json_add(&self->text, NULL);
	EXPECT_STREQ("", strbuf_str(&self->text));
}

TEST_F(json, the_ledger_has_numbers_and_the_lines)
{
	self->ledger.stats.no_room = 5;
	EXPECT_IN_LEDGER("\"missed\":\"some\"");
	EXPECT_IN_LEDGER("\"sessions_lost_no_room\":5,");
	EXPECT_IN_LEDGER("\"calls_not_followed\":0,");
	EXPECT_IN_LEDGER("some may be missing (44 of 45 functions attached)\",\"5 sessions were "
			 "lost: the ring buffer was full; try -C bpf.ringbuf-size=N\"]}");
}

TEST_F(json, the_ledger_does_not_make_up_what_the_kernel_does_not_count)
{
	EXPECT_IN_LEDGER("\"hits_skipped_by_kernel\":0,\"hits_skipped_in_recursion\":0,");
	self->ledger.kernel_counts = false;
	EXPECT_IN_LEDGER("\"missed\":\"nothing_known\"");
	EXPECT_IN_LEDGER("\"hits_skipped_by_kernel\":null,\"hits_skipped_in_recursion\":null,");
	self->ledger.recursion_misses = 4;
	EXPECT_IN_LEDGER("\"hits_skipped_by_kernel\":null,\"hits_skipped_in_recursion\":4,");
}

static void check_name(void *arg, const char *name, uint64_t count, bool known)
{
	char (*seen)[32] = arg;
	int i = 0;

	/* Counted by hand here: an assertion is for the test's own function. */
	if (!name || strlen(name) >= sizeof(*seen) ||
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyz_")])
		name = "?";
	while (seen[i][0] && strcmp(seen[i], name))
		i++;
	strcpy(seen[seen[i][0] ? LEDGER_MAX_LOSSES : i], name);
}

TEST_F(json, every_loss_has_a_name_of_its_own)
{
	char seen[LEDGER_MAX_LOSSES + 2][32] = {};
	int nr = 0;

	ledger_each_loss(&self->ledger, check_name, seen);
	EXPECT_STREQ("", seen[LEDGER_MAX_LOSSES]);
	while (seen[nr][0])
		EXPECT_STRNE("?", seen[nr++]);
	EXPECT_GE(nr, 20);
}

TEST_HARNESS_MAIN
