// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "unit.h"

#include "args_fixture.h"
#include "util/kernel/arch/arch.h"
#include "util/plan/args/args_select.h"

FIXTURE(select)
{
	struct args_fixture f;
	struct args_options options;
	struct args_selection selection;
	struct args_func func;
	struct func_args got;
};

FIXTURE_SETUP(select)
{
	struct args_fixture *f = &self->f;

	args_fixture_init(f);
	self->options = (struct args_options)ARGS_OPTIONS_DEFAULT;
	self->func = ARGS_FIXTURE_FUNC(f, "do_it", { "o", f->outer_ptr }, { "n", f->i32 },
				       { "s", f->small }, { "name", f->const_char_ptr },
				       { "argv", f->char_ptr_ptr });
}

FIXTURE_TEARDOWN(select)
{
	func_args_release(&self->got);
	args_selection_release(&self->selection);
	args_fixture_release(&self->f);
}

static int choose(FIXTURE_DATA(select) *self, const char *text, bool strict)
{
	int err;

	func_args_release(&self->got);
	args_selection_release(&self->selection);
	err = args_selection_parse(text, &self->selection);
	return err   ?:
		       args_select(&self->selection, strict, self->f.btf, &self->func, NULL,
				   &self->options, &arch_x86, &self->got);
}

#define SELECT(text) ASSERT_EQ(0, choose(self, text, true))

#define EXPECT_ITEM(i, is_kind, is_size, is_index, ...)                                            \
	({                                                                                         \
		const struct arg_item *item_ = &self->got.items.items[i];                          \
		uint16_t steps_[] = { __VA_ARGS__ };                                               \
		EXPECT_EQ(is_kind, item_->kind);                                                   \
		EXPECT_EQ(is_size, item_->size);                                                   \
		EXPECT_EQ(is_index, item_->index);                                                 \
		EXPECT_EQ(is_index, item_->slot);                                                  \
		EXPECT_EQ(ARRAY_SIZE(steps_), item_->nr_steps);                    \
		EXPECT_EQ(0, memcmp(steps_, item_->steps, sizeof(steps_)));                        \
	})

TEST_F(select, arguments_alone_are_captured_as_ever)
{
	SELECT("do_*: n, o ,name");
	ASSERT_EQ(3, self->got.nr);
	EXPECT_TRUE(self->got.selected);
	EXPECT_ITEM(0, ARG_VALUE, 4, 1);
	EXPECT_ITEM(1, ARG_MEMORY, 80, 0);
	EXPECT_ITEM(2, ARG_STRING, 257, 4);
	EXPECT_STREQ("o", self->got.args[1].name);
	EXPECT_EQ(8 + 80 + 256 + 8, self->got.items.max_bytes);
	EXPECT_STREQ("do_*", self->selection.funcs.v.data[0].text);
}

TEST_F(select, a_member_that_is_not_there_has_a_column_and_a_neighbour)
{
	char *text = stderr_of(EXPECT_EQ(-EINVAL, choose(self, "do_it: n, o->next->cuont", true)));

	EXPECT_STREQ("retsnoop: --args: struct outer has no member 'cuont' at column 20 of "
		     "'do_it: n, o->next->cuont'; did you mean 'count'?\n", text);
	free(text);
	text = stderr_of(EXPECT_EQ(-EINVAL, choose(self, "do_it: o->zzzzzzzz", true)));
	EXPECT_STREQ("retsnoop: --args: struct outer has no member 'zzzzzzzz' at column 11 of "
		     "'do_it: o->zzzzzzzz'; it has count, low, high, comm, next, inner, ...\n", text);
	free(text);
}

TEST_F(select, steps_follow_pointers_and_members_move_them)
{
	SELECT("do_it: o->count, o->next->next->count, o->next, o->inner.b, o->words[1]");
	EXPECT_ITEM(0, ARG_VALUE, 4, 0, 0);
	EXPECT_ITEM(1, ARG_VALUE, 4, 0, 24, 24, 0);
	EXPECT_ITEM(2, ARG_VALUE, 8, 0, 24);
	EXPECT_ITEM(3, ARG_VALUE, 4, 0, 36);
	EXPECT_ITEM(4, ARG_VALUE, 8, 0, 40);
	EXPECT_EQ(self->f.i32, self->got.args[3].type);
	EXPECT_EQ(self->f.outer_ptr, self->got.args[2].type);
	EXPECT_STREQ("o->next->next->count", self->got.args[1].name);
}

TEST_F(select, arrays_and_structs_inside_are_captured_whole)
{
	SELECT("do_it: o->comm, o->inner, o->comm[2]");
	EXPECT_ITEM(0, ARG_VALUE, 16, 0, 8);
	EXPECT_ITEM(1, ARG_VALUE, 12, 0, 32);
	EXPECT_ITEM(2, ARG_VALUE, 1, 0, 10);
	self->options.max_sized = 10;
	SELECT("do_it: o->comm");
	EXPECT_ITEM(0, ARG_VALUE, 10, 0, 8);
	EXPECT_TRUE(self->got.args[0].cut);
}

TEST_F(select, strings_are_strings_wherever_their_pointer_is)
{
	SELECT("do_it: o->name, o->user_name, argv[2], *argv");
	EXPECT_ITEM(0, ARG_STRING, 257, 0, 48);
	EXPECT_EQ(0, self->got.items.items[0].flags);
	EXPECT_ITEM(1, ARG_STRING, 257, 0, 56);
	EXPECT_EQ(ARG_USER, self->got.items.items[1].flags);
	EXPECT_ITEM(2, ARG_STRING, 257, 5, 16);
	EXPECT_ITEM(3, ARG_STRING, 257, 5, 0);
	EXPECT_EQ(ARG_AS_STRING, self->got.args[3].form);
}

TEST_F(select, stars_follow_what_they_stand_before)
{
	SELECT("do_it: *o, *o->next, **argv, *name");
	EXPECT_ITEM(0, ARG_VALUE, 80, 0, 0);
	EXPECT_ITEM(1, ARG_VALUE, 80, 0, 24, 0);
	EXPECT_ITEM(2, ARG_VALUE, 1, 5, 0, 0);
	EXPECT_ITEM(3, ARG_VALUE, 1, 4, 0);
	EXPECT_STREQ("*o->next", self->got.args[1].name);
	EXPECT_EQ(self->f.outer, self->got.args[1].type);
	EXPECT_EQ(ARG_AS_VALUE, self->got.args[1].form);
}

TEST_F(select, bitfields_are_captured_with_the_bytes_around_them)
{
	SELECT("do_it: o->high, o->low");
	EXPECT_ITEM(0, ARG_VALUE, 1, 0, 4);
	EXPECT_EQ(3, self->got.args[0].bit_offset);
	EXPECT_EQ(5, self->got.args[0].bits);
	EXPECT_EQ(0, self->got.args[1].bit_offset);
	EXPECT_EQ(3, self->got.args[1].bits);
}

TEST_F(select, members_of_a_struct_in_registers_are_in_one_of_them)
{
	SELECT("do_it: s.a, s.b, s.c");
	EXPECT_ITEM(0, ARG_VALUE, 4, 2);
	EXPECT_ITEM(1, ARG_VALUE, 8, 2);
	EXPECT_EQ(4, self->got.args[1].skip);
	EXPECT_ITEM(2, ARG_VALUE, 4, 3);
	EXPECT_EQ(0, self->got.args[2].skip);
}

TEST_F(select, user_memory_is_read_as_such_and_followed_no_further)
{
	char *text;

	SELECT("do_it: o->user->count, *o->user");
	EXPECT_ITEM(0, ARG_VALUE, 4, 0, 72, 0);
	EXPECT_EQ(ARG_USER, self->got.items.items[0].flags);
	EXPECT_ITEM(1, ARG_VALUE, 80, 0, 72, 0);
	SELECT("do_it: o->user->name");
	EXPECT_ITEM(0, ARG_VALUE, 8, 0, 72, 48);
	text = stderr_of(EXPECT_EQ(-EINVAL, choose(self, "do_it: o->user->next->count", true)));
	EXPECT_STREQ("retsnoop: --args: 'next' is in user memory, where pointers are not followed "
		     "at column 23 of 'do_it: o->user->next->count'\n", text);
	free(text);
}

TEST_F(select, a_system_calls_arguments_can_be_followed)
{
	struct syscall_params params = { 2, { { "int", "fd" }, { "struct outer *", "arg" } } };
	struct args_selection *selection = &self->selection;

	self->func = (struct args_func){ .name = "__x64_sys_do" };
	ASSERT_EQ(0, args_selection_parse("__x64_sys_do: arg->count, fd, *arg", selection));
	ASSERT_EQ(0, args_select(selection, true, self->f.btf, &self->func, &params, &self->options,
				 &arch_x86, &self->got));
	EXPECT_ITEM(0, ARG_VALUE, 4, 0, 104, 0);
	EXPECT_EQ(ARG_USER, self->got.items.items[0].flags);
	EXPECT_ITEM(1, ARG_VALUE, 4, 0, 112);
	EXPECT_EQ(0, self->got.items.items[1].flags);
	EXPECT_ITEM(2, ARG_VALUE, 80, 0, 104, 0);
}

TEST_F(select, names_of_arguments_are_offered)
{
	char *text = stderr_of(EXPECT_EQ(-EINVAL, choose(self, "do_it: nmae", true)));

	EXPECT_STREQ("retsnoop: --args: do_it() has no argument 'nmae' at column 8 of "
		     "'do_it: nmae'; did you mean 'name'?\n", text);
	free(text);
	text = stderr_of(EXPECT_EQ(-EINVAL, choose(self, "do_it: xyzzy_foo", true)));
	EXPECT_STREQ("retsnoop: --args: do_it() has no argument 'xyzzy_foo' at column 8 of "
		     "'do_it: xyzzy_foo'; it has o, n, s, name, argv\n", text);
	free(text);
}

TEST_F(select, of_many_functions_some_may_lack_an_argument)
{
	char *text = stderr_of({
		EXPECT_EQ(0, choose(self, "do_*: nosuch, n, o->nosuch", false));
		EXPECT_EQ(1, self->got.nr);
		EXPECT_EQ(-EINVAL, choose(self, "do_*: nosuch", false));
	});

	EXPECT_STREQ("", text);
	free(text);
}

#define EXPECT_REFUSED(message, selection)                                                         \
	({                                                                                         \
		char *text_ = stderr_of(EXPECT_EQ(-EINVAL, choose(self, selection, true)));        \
		EXPECT_STREQ("retsnoop: --args: " message "\n", text_);                            \
		free(text_);                                                                       \
	})

TEST_F(select, mistakes_are_pointed_at)
{
	EXPECT_REFUSED("'do_it' is not of the form 'GLOB: a, b->c, *d'", "do_it");
	EXPECT_REFUSED("the name of an argument is missing at column 7 of 'do_it:'", "do_it:");
	EXPECT_REFUSED("the name of an argument is missing at column 11 of 'do_it: n, '",
		       "do_it: n, ");
	EXPECT_REFUSED("the name of a member is missing at column 11 of 'do_it: o->'",
		       "do_it: o->");
	EXPECT_REFUSED("unexpected text at column 10 of 'do_it: n + 1'", "do_it: n + 1");
	EXPECT_REFUSED("'[' needs a number at column 16 of 'do_it: o->comm[x]'",
		       "do_it: o->comm[x]");
	EXPECT_REFUSED("']' is missing at column 17 of 'do_it: o->comm[1'", "do_it: o->comm[1");
	EXPECT_REFUSED("an index beyond 65535 at column 16 of 'do_it: o->comm[65536]'",
		       "do_it: o->comm[65536]");
	EXPECT_REFUSED("'o' is a pointer, write 'o->count' at column 10 of 'do_it: o.count'",
		       "do_it: o.count");
	EXPECT_REFUSED("'s' is no pointer, write 's.a' at column 11 of 'do_it: s->a'",
		       "do_it: s->a");
	EXPECT_REFUSED("'n' is a number and leads nowhere at column 9 of 'do_it: *n'", "do_it: *n");
	EXPECT_REFUSED("'n' is a number and has no elements at column 10 of 'do_it: n[1]'",
		       "do_it: n[1]");
	EXPECT_REFUSED("[16] is outside the array of 16 at column 16 of 'do_it: o->comm[16]'",
		       "do_it: o->comm[16]");
	EXPECT_REFUSED("'*o->hidden' is of a type without a size at column 9 of "
		       "'do_it: *o->hidden'", "do_it: *o->hidden");
	EXPECT_REFUSED("BTF does not have what is in struct hidden, where 'x' would be at column "
		       "19 of 'do_it: o->hidden->x'", "do_it: o->hidden->x");
	EXPECT_REFUSED("'low' is a bitfield, and nothing is in it at column 15 of "
		       "'do_it: o->low.x'", "do_it: o->low.x");
}

TEST_F(select, what_has_no_members_is_said_to_have_none)
{
	struct args_fixture *f = &self->f;
	int flag = btf__add_int(f->types, "_Bool", 1, BTF_INT_BOOL);

	self->func = ARGS_FIXTURE_FUNC(f, "do_it", { "cmd", f->color }, { "n", f->i32 },
				       { "flag", flag }, { "name", f->char_ptr },
				       { "p", f->void_ptr }, { "argv", f->char_ptr_ptr },
				       { "b", f->big_ptr }, { "o", f->outer_ptr },
				       { "fn", f->func_ptr });
	EXPECT_REFUSED("'cmd' is an enum and has no members at column 13 of 'do_it: cmd->x'",
		       "do_it: cmd->x");
	EXPECT_REFUSED("'cmd' is an enum and has no members at column 12 of 'do_it: cmd.x'",
		       "do_it: cmd.x");
	EXPECT_REFUSED("'cmd' is an enum and leads nowhere at column 9 of 'do_it: *cmd'",
		       "do_it: *cmd");
	EXPECT_REFUSED("'n' is a number and has no members at column 11 of 'do_it: n->x'",
		       "do_it: n->x");
	EXPECT_REFUSED("'flag' is a bool and has no members at column 13 of 'do_it: flag.x'",
		       "do_it: flag.x");
	EXPECT_REFUSED("'name' is a pointer and has no members at column 13 of 'do_it: name.x'",
		       "do_it: name.x");
	EXPECT_REFUSED("what 'name' leads to is a number and has no members at column 14 of "
		       "'do_it: name->x'", "do_it: name->x");
	EXPECT_REFUSED("what 'p' leads to is of no known type and has no members at column 11 of "
		       "'do_it: p->x'", "do_it: p->x");
	EXPECT_REFUSED("what 'argv' leads to is a pointer and has no members at column 14 of "
		       "'do_it: argv->x'", "do_it: argv->x");
	EXPECT_REFUSED("what 'fn' leads to is a function and has no members at column 12 of "
		       "'do_it: fn->x'", "do_it: fn->x");
	EXPECT_REFUSED("'v' is an array and has no members at column 13 of 'do_it: b->v.x'",
		       "do_it: b->v.x");
	EXPECT_REFUSED("'inner' is no pointer, write 'inner.a' at column 18 of "
		       "'do_it: o->inner->a'", "do_it: o->inner->a");
}

TEST_F(select, a_member_of_an_array_is_one_of_its_elements)
{
	struct args_fixture *f = &self->f;
	int structs = btf__add_array(f->types, f->i32, f->small, 4);
	int pointers = btf__add_array(f->types, f->i32, f->outer_ptr, 4);
	int table = btf__add_struct(f->types, "table", 96);

	btf__add_field(f->types, "s", structs, 0, 0);
	btf__add_field(f->types, "p", pointers, 512, 0);
	self->func = ARGS_FIXTURE_FUNC(f, "do_it", { "t", btf__add_ptr(f->types, table) });
	EXPECT_REFUSED("'s' is an array, write 's[0].a' at column 13 of 'do_it: t->s.a'",
		       "do_it: t->s.a");
	EXPECT_REFUSED("'p' is an array, write 'p[0]->count' at column 14 of 'do_it: t->p->count'",
		       "do_it: t->p->count");
}

TEST_F(select, lists_of_functions_are_no_glob)
{
	char *text = stderr_of(EXPECT_EQ(-EINVAL, choose(self, "@file: n", true)));

	EXPECT_STREQ("retsnoop: --args takes one GLOB and no list of them: '@file'\n", text);
	free(text);
}

TEST_F(select, ways_that_are_too_long_are_refused)
{
	SELECT("do_it: o->next->next->next->count");
	EXPECT_REFUSED("'next' is one pointer more than the 4 that are followed at column 35 of "
		       "'do_it: o->next->next->next->next->count'",
		       "do_it: o->next->next->next->next->count");
	EXPECT_REFUSED("'o[65535]' is too far from the beginning of its struct or array at column 8 of 'do_it: o[65535]'",
		       "do_it: o[65535]");
}

TEST_F(select, nobody_selects_more_than_there_is_room_for)
{
	char *text = stderr_of(EXPECT_EQ(
		-EINVAL, choose(self, "do_it: n,n,n,n,n,n,n,n,n,n,n,n,n", true)));

	EXPECT_STREQ("retsnoop: --args: no more than 12 of a function at column 32 of "
		     "'do_it: n,n,n,n,n,n,n,n,n,n,n,n,n'\n", text);
	free(text);
	self->options.max_total = 8;
	EXPECT_REFUSED("no room for 'o->count' in the 8 bytes of args.max-total-args-size at "
		       "column 11 of 'do_it: n, o->count'", "do_it: n, o->count");
}

TEST_F(select, any_text_is_parsed_or_refused)
{
	static const char signs[] = "do_it:->.[]*, 09anx\xc3\n";
	uint32_t seed = 5;

	for (int round = 0; round < 20000; round++) {
		char text[40] = "do_it:";
		size_t len = 6 + (seed >> 9) % 30;

		for (size_t i = 6; i < len; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = signs[(seed >> 10) % (sizeof(signs) - 1)];
		}
		text[len] = '\0';
		free(stderr_of(choose(self, text, true)));
	}
}

TEST_HARNESS_MAIN
