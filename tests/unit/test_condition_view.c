// SPDX-License-Identifier: BSD-2-Clause
/* Conditions as text: what a value is besides a number. */
#include "unit.h"
#include "util/explain/condition.h"
#include "util/view/parts/json.h"
#include "util/view/session/condition_view.h"

/* That a number of @size bytes in memory, which was @value, is not @constant. */
static const char *unequal(struct strbuf *text, uint8_t size, uint64_t value, int64_t constant)
{
	const struct decision_condition condition = {
		.text = (char *)"buf != constant",
		.kind = OPERANDS_COMPARE,
		.condition = CONDITION_NOT_EQUAL,
		.a = { .operand = { .kind = OPERAND_MEMORY, .size = size }, .name = (char *)"buf",
		       .has_value = true, .value = value },
		.b = { .operand = { .kind = OPERAND_CONSTANT, .size = size }, .value = constant },
	};

	strbuf_reset(text);
	condition_text_add(text, &condition);
	return strbuf_str(text);
}

#define UNEQUAL(expected, ...) \
	EXPECT_STREQ("  because buf != constant\n    buf = " expected "\n", unequal(&text, __VA_ARGS__))

TEST(characters_that_are_compared_at_once_are_shown)
{
	struct strbuf text = STRBUF_INIT;

	UNEQUAL("0xa6f6f66, as text \"foo\\n\", and not \"deny\"", 4, 0x0a6f6f66, 0x796e6564);
	UNEQUAL("120, as text \"x\", and not \"deny\"", 4, 'x', 0x796e6564);
	UNEQUAL("9999", 4, 9999, 0x41555856);
	UNEQUAL("0, as text \"\", and not \"off\"", 4, 0, 0x66666f);
	UNEQUAL("0x73796177006c6c61, as text \"all\", and not \"always\"", 8, 0x73796177006c6c61,
		0x737961776c61);
	UNEQUAL("0x80626200, as text \"\", and not \"XFSB\"", 4, 0x80626200, 0x42534658);
	strbuf_release(&text);
}

TEST(numbers_of_the_host_are_written_as_text_is)
{
	struct decision_condition condition = {
		.text = (char *)"mp->m_sb.sb_magicnum != 0x58465342",
		.kind = OPERANDS_COMPARE,
		.condition = CONDITION_NOT_EQUAL,
		.a = { .operand = { .kind = OPERAND_MEMORY, .size = 4 }, .name = (char *)"mp->m_sb.sb_magicnum",
		       .is_typed = true, .is_host_number = true, .has_value = true, .value = 0x58414742 },
		.b = { .operand = { .kind = OPERAND_CONSTANT, .size = 4 }, .value = 0x58465342 },
	};
	struct strbuf text = STRBUF_INIT;

	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because mp->m_sb.sb_magicnum != 0x58465342\n"
		     "    mp->m_sb.sb_magicnum = 0x58414742, as text \"XAGB\", and not \"XFSB\"\n",
		     strbuf_str(&text));
	/* The end of a text is none of a number's. */
	strbuf_reset(&text);
	condition.a.value = 0x414742;
	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because mp->m_sb.sb_magicnum != 0x58465342\n    mp->m_sb.sb_magicnum = 0x414742\n",
		     strbuf_str(&text));
	strbuf_release(&text);
}

TEST(the_value_of_a_constant_is_shown_beside_another)
{
	struct decision_condition condition = {
		.text = (char *)"type != LAST_NORM",
		.kind = OPERANDS_COMPARE,
		.condition = CONDITION_NOT_EQUAL,
		.a = { .operand = { .kind = OPERAND_MEMORY, .size = 4 }, .name = (char *)"type", .has_value = true,
		       .value = 3 },
		.b = { .operand = { .kind = OPERAND_CONSTANT, .size = 4 }, .name = (char *)"LAST_NORM",
		       .has_value = true },
	};
	struct strbuf text = STRBUF_INIT;

	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because type != LAST_NORM\n    type = 3, LAST_NORM = 0\n", strbuf_str(&text));
	strbuf_reset(&text);
	condition.a.has_value = false;
	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because type != LAST_NORM\n", strbuf_str(&text));
	strbuf_release(&text);
}

TEST(numbers_are_no_text)
{
	struct strbuf text = STRBUF_INIT;

	/* Characters with others among them, or too few. */
	UNEQUAL("0xa6f6f66", 4, 0x0a6f6f66, 0x7f6e6564);
	UNEQUAL("0xa6f6f66", 4, 0x0a6f6f66, 0x79006564);
	UNEQUAL("0xa6f6f66", 4, 0x0a6f6f66, 0x6564);
	UNEQUAL("0xa6f6f66", 4, 0x0a6f6f66, -22);
	UNEQUAL("26217", 2, 0x6669, 0x6665);
	strbuf_release(&text);
}

TEST(types_of_files_have_names)
{
	struct decision_condition condition = {
		.text = (char *)"(inode->i_mode & 0xf000) != S_IFBLK",
		.kind = OPERANDS_COMPARE,
		.condition = CONDITION_NOT_EQUAL,
		.a = { .operand = { .kind = OPERAND_REGISTER, .size = 2 },
		       .name = (char *)"(inode->i_mode & 0xf000)", .is_masked = true,
		       .has_value = true, .value = 0x8000 },
		.b = { .operand = { .kind = OPERAND_CONSTANT, .size = 2 }, .value = 0x6000 },
	};
	struct strbuf text = STRBUF_INIT;

	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because (inode->i_mode & 0xf000) != S_IFBLK\n    (inode->i_mode & 0xf000) = S_IFREG\n",
		     strbuf_str(&text));
	strbuf_reset(&text);
	condition.text = (char *)"sk->__sk_common.skc_state != TCP_LISTEN";
	condition.a = (struct decision_operand){
		.operand = { .kind = OPERAND_MEMORY, .size = 1 }, .name = (char *)"sk->__sk_common.skc_state",
		.is_socket_state = true, .has_value = true, .value = 7,
	};
	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because sk->__sk_common.skc_state != TCP_LISTEN\n    sk->__sk_common.skc_state = TCP_CLOSE\n",
		     strbuf_str(&text));
	condition.a = (struct decision_operand){ .name = (char *)"(inode->i_mode & 0xf000)", .is_masked = true };
	EXPECT_STREQ("S_IFIFO", condition_value_name(&condition.a, 0x1000));
	EXPECT_EQ(NULL, condition_value_name(&condition.a, 0));
	EXPECT_EQ(NULL, condition_value_name(&condition.a, 0x81a4));
	EXPECT_EQ(NULL, condition_value_name(&condition.a, 1ull << 40));
	condition.a.name = (char *)"(mode & 0xf00)";
	EXPECT_EQ(NULL, condition_value_name(&condition.a, 0x8000));
	strbuf_release(&text);
}

TEST(bits_that_are_all_set_are_shown_as_they_are)
{
	struct decision_condition condition = {
		.text = (char *)"(flags & 0x600) == 0x600",
		.kind = OPERANDS_MASK,
		.condition = CONDITION_EQUAL,
		.a = { .operand = { .kind = OPERAND_REGISTER, .size = 2 }, .name = (char *)"~flags",
		       .is_negated = true, .has_value = true, .value = 0xf87f },
		.b = { .operand = { .kind = OPERAND_CONSTANT, .size = 2 }, .value = 0x600 },
	};
	struct strbuf text = STRBUF_INIT;

	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because (flags & 0x600) == 0x600\n    flags = 0x780\n", strbuf_str(&text));
	condition.a.whole = 4;
	condition.a.value = 0xfffff87f;
	strbuf_reset(&text);
	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because (flags & 0x600) == 0x600\n    flags = 0x780\n", strbuf_str(&text));
	strbuf_release(&text);
}

TEST(in_json_a_constant_has_the_size_that_is_said)
{
	const struct decision_condition condition = {
		.text = (char *)"ret == -EINVAL",
		.kind = OPERANDS_COMPARE,
		.condition = CONDITION_EQUAL,
		.a = { .operand = { .kind = OPERAND_REGISTER, .size = 4 }, .name = (char *)"ret",
		       .has_value = true, .value = 0xffffffea },
		.b = { .operand = { .kind = OPERAND_CONSTANT, .size = 4 }, .has_value = true,
		       .value = -22 },
	};
	struct strbuf text = STRBUF_INIT;
	struct json json = JSON_INIT(&text);

	json_object(&json, NULL);
	condition_json_add(&json, &condition);
	json_close(&json);
	EXPECT_STREQ("{\"condition\":{\"text\":\"ret == -EINVAL\",\"operands\":["
		     "{\"name\":\"ret\",\"named_by_source\":false,\"bytes\":4,\"value\":\"0xffffffea\"},"
		     "{\"name\":null,\"named_by_source\":false,\"bytes\":4,\"value\":\"0xffffffea\"}"
		     "]}}",
		     strbuf_str(&text));
	strbuf_release(&text);
}

TEST(what_an_operand_is_a_member_of_has_a_line_with_its_name)
{
	struct decision_condition condition = {
		.text = (char *)"!(dentry->d_flags & 0x700000) (no such file)",
		.after = (char *)"!(dentry->d_flags & 0x70000)",
		.kind = OPERANDS_MASK,
		.condition = CONDITION_EQUAL,
		.a = { .operand = { .kind = OPERAND_REGISTER, .size = 4 }, .name = (char *)"dentry->d_flags",
		       .is_named = true, .has_value = true, .value = 8,
		       .owner = { .name = (char *)"dentry", .value = 0xffff8880, .object = (char *)"no\nsuch" } },
		.b = { .operand = { .kind = OPERAND_CONSTANT, .size = 4 }, .value = 0x700000 },
	};
	struct strbuf text = STRBUF_INIT;
	struct json json = JSON_INIT(&text);

	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because !(dentry->d_flags & 0x700000) (no such file)\n"
		     "    dentry->d_flags = 0x8\n"
		     "    dentry = 0xffff8880 \"no?such\"\n"
		     "  after !(dentry->d_flags & 0x70000)\n",
		     strbuf_str(&text));
	/* The value says no more than the condition. */
	condition.kind = OPERANDS_COMPARE;
	condition.after = NULL;
	strbuf_reset(&text);
	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because !(dentry->d_flags & 0x700000) (no such file)\n"
		     "    dentry = 0xffff8880 \"no?such\"\n",
		     strbuf_str(&text));
	strbuf_reset(&text);
	json_object(&json, NULL);
	condition_json_add(&json, &condition);
	json_close(&json);
	EXPECT_NE(NULL, strstr(strbuf_str(&text), "\"value\":\"0x8\",\"member_of\":{\"name\":\"dentry\","
						  "\"value\":\"0xffff8880\",\"object\":\"no\\nsuch\"}}"));
	/* The name was not read. */
	condition.a.owner.object = NULL;
	strbuf_reset(&text);
	condition_text_add(&text, &condition);
	EXPECT_STREQ("  because !(dentry->d_flags & 0x700000) (no such file)\n", strbuf_str(&text));
	strbuf_release(&text);
}

TEST_HARNESS_MAIN
