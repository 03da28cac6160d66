// SPDX-License-Identifier: BSD-2-Clause
/* Numbers, strings and items as bytes, and what is made of bytes that are none. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/trace/record/recording_code.h"
#include "util/trace/record/wire.h"

TEST(what_was_written_is_read)
{
	struct strbuf sb = STRBUF_INIT;
	struct wire wire, item;
	size_t size, at;

	wire_put_u8(&sb, 200);
	wire_put_u16(&sb, 60000);
	at = wire_begin_item(&sb);
	wire_put_u32(&sb, 4000000000u);
	wire_put_string(&sb, "text");
	wire_put_u64(&sb, 1ull << 63);
	wire_end_item(&sb, at);
	wire_put_string(&sb, NULL);

	wire = wire_of(sb.s, sb.len);
	EXPECT_EQ(200, wire_get_u8(&wire));
	EXPECT_EQ(60000, wire_get_u16(&wire));
	item = wire_get_item(&wire);
	EXPECT_EQ(4000000000u, wire_get_u32(&item));
	EXPECT_EQ(0, memcmp("text", wire_get_bytes(&item, &size), 4));
	EXPECT_EQ(4, size);
	/* What a newer writer has put behind is stepped over. */
	EXPECT_EQ(8, wire_left(&item));
	wire_get_bytes(&wire, &size);
	EXPECT_EQ(0, size);
	EXPECT_EQ(0, wire_left(&wire));
	EXPECT_FALSE(wire.bad);
	strbuf_release(&sb);
}

TEST(nothing_is_read_beyond_the_end)
{
	static const uint8_t bytes[] = { 4, 0, 0, 0, 1, 2, 3 };

	for (size_t size = 0; size <= sizeof(bytes); size++) {
		uint8_t *copy = malloc(size ?: 1);
		struct wire wire, item;
		size_t len = 77;

		memcpy(copy, bytes, size);
		wire = wire_of(copy, size);
		EXPECT_NE(NULL, wire_get_bytes(&wire, &len));
		EXPECT_EQ(0, len);
		EXPECT_TRUE(wire.bad);
		/* And so it stays. */
		EXPECT_EQ(0, wire_get_u8(&wire));
		wire = wire_of(copy, size);
		item = wire_get_item(&wire);
		EXPECT_TRUE(item.bad);
		EXPECT_TRUE(wire.bad);
		EXPECT_EQ(0, wire_get_u64(&item));
		free(copy);
	}
}

TEST(counts_are_of_what_can_be_there)
{
	uint32_t count = 3;
	uint8_t bytes[4 + 24] = {};
	struct wire wire;

	memcpy(bytes, &count, sizeof(count));
	wire = wire_of(bytes, sizeof(bytes));
	EXPECT_EQ(3, wire_get_count(&wire, 8));
	wire = wire_of(bytes, sizeof(bytes) - 1);
	EXPECT_EQ(0, wire_get_count(&wire, 8));
	EXPECT_TRUE(wire.bad);
}

TEST(code_is_found_where_it_was)
{
	struct recorded_code code = {};
	struct strbuf sb = STRBUF_INIT;
	uint8_t buf[8] = {};

	recording_put_code(&sb, 0x2000, "abcd", 4);
	recording_put_code(&sb, 0x1000, "efghij", 6);
	ASSERT_EQ(0, recording_get_code(sb.s, sb.len, &code));
	EXPECT_EQ(6, recorded_code_read(&code, 0x1000, buf, 8));
	EXPECT_EQ(0, memcmp("efghij", buf, 6));
	EXPECT_EQ(2, recorded_code_read(&code, 0x2002, buf, 8));
	EXPECT_EQ(0, memcmp("cd", buf, 2));
	EXPECT_EQ(1, recorded_code_read(&code, 0x2000, buf, 1));
	EXPECT_GT(0, recorded_code_read(&code, 0x1006, buf, 1));
	EXPECT_GT(0, recorded_code_read(&code, 0xfff, buf, 1));
	EXPECT_GT(0, recorded_code_read(&code, UINT64_MAX, buf, 1));
	for (size_t size = 1; size < sb.len; size++) {
		struct recorded_code cut = {};

		/* The first item is whole at 20 bytes. */
		EXPECT_EQ(size != 20, !!recording_get_code(sb.s, size, &cut));
		recorded_code_release(&cut);
	}
	recorded_code_release(&code);
	strbuf_release(&sb);
}

TEST(code_that_comes_again_takes_the_place_of_the_older_one)
{
	struct recorded_code code = {};
	struct strbuf sb = STRBUF_INIT;
	uint8_t buf[8] = {};

	recording_put_code(&sb, 0x1000, "abcd", 4);
	recording_put_code(&sb, 0x2000, "efgh", 4);
	recording_put_code(&sb, 0x1000, "ijk", 3);
	for (int i = 0; i < 3; i++)
		ASSERT_EQ(0, recording_get_code(sb.s, sb.len, &code));
	EXPECT_EQ(2, code.parts.len);
	EXPECT_EQ(7, code.bytes);
	EXPECT_EQ(3, recorded_code_read(&code, 0x1000, buf, 8));
	EXPECT_EQ(0, memcmp("ijk", buf, 3));
	recorded_code_release(&code);
	strbuf_release(&sb);
}

TEST(code_is_found_in_whatever_order_it_came)
{
	struct recorded_code code = {};
	uint8_t got;

	for (uint32_t i = 0; i < 101; i++) {
		struct strbuf sb = STRBUF_INIT;
		uint8_t n = i * 37 % 101;

		recording_put_code(&sb, 0x1000 + n, &n, 1);
		ASSERT_EQ(0, recording_get_code(sb.s, sb.len, &code));
		strbuf_release(&sb);
	}
	for (uint32_t n = 0; n < 101; n++) {
		ASSERT_EQ(1, recorded_code_read(&code, 0x1000 + n, &got, 1));
		EXPECT_EQ(n, got);
	}
	EXPECT_GT(0, recorded_code_read(&code, 0x1000 + 101, &got, 1));
	recorded_code_release(&code);
}

TEST_HARNESS_MAIN
