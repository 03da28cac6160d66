// SPDX-License-Identifier: BSD-2-Clause
/* Constants of code by the names that the source has for them. */
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/explain/function/constant_name.h"
#include "util/explain/function/function_code.h"
#include "util/kernel/symbols/data_symbols.h"

#include "tests/unit/unit.h"

#define TEXTS 0xffffffff82000000ull
#define VARIABLE 0xffffffff82a62540ull

static const char texts[] = "security.\0\0\001\0this text is longer than anybody wants to read it in a list";

static long read_texts(void *arg, uint64_t addr, void *buf, size_t size)
{
	if (addr < TEXTS || addr >= TEXTS + sizeof(texts))
		return -EFAULT;
	if (size > TEXTS + sizeof(texts) - addr)
		size = TEXTS + sizeof(texts) - addr;
	memcpy(buf, texts + (addr - TEXTS), size);
	return size;
}

FIXTURE(constant)
{
	char path[40];
	struct data_symbols data;
	struct code_source source;
	struct code_reader reader;
	struct strbuf text;
	struct btf *btf;
	const struct btf_param *params;
};

FIXTURE_SETUP(constant)
{
	static const char kallsyms[] = "ffffffff82a62540 D __start_data\n"
				       "ffffffff82a62540 T init_user_ns\n"
				       "ffffffff82a62548 D other\n"
				       "ffffffffc0a62540 b $d\t[dummy]\n"
				       "ffffffffc0a62540 b dummy_count\t[dummy]\n"
				       "short\n";
	int fd, number, text, thing;
	FILE *file;

	strcpy(self->path, "/tmp/test_constant_name.XXXXXX");
	fd = mkstemp(self->path);
	ASSERT_GE(fd, 0);
	file = fdopen(fd, "w");
	fputs(kallsyms, file);
	fclose(file);
	self->data = (struct data_symbols){ .path = self->path };
	self->source = (struct code_source){ read_texts, NULL };
	self->reader = (struct code_reader){ .source = &self->source, .data = &self->data };
	self->text = (struct strbuf)STRBUF_INIT;

	self->btf = btf__new_empty();
	number = btf__add_int(self->btf, "int", 4, BTF_INT_SIGNED);
	text = btf__add_ptr(self->btf, btf__add_int(self->btf, "char", 1, BTF_INT_SIGNED));
	thing = btf__add_ptr(self->btf, btf__add_struct(self->btf, "user_namespace", 8));
	btf__add_func_proto(self->btf, number);
	btf__add_func_param(self->btf, "cap", number);
	btf__add_func_param(self->btf, "name", text);
	btf__add_func_param(self->btf, "ns", thing);
	self->params = btf_params(btf__type_by_id(self->btf, btf__type_cnt(self->btf) - 1));
}

FIXTURE_TEARDOWN(constant)
{
	unlink(self->path);
	data_symbols_release(&self->data);
	strbuf_release(&self->text);
	btf__free(self->btf);
}

#define EXPECT_ADDED(expected, parameter, value)                                                  \
	do {                                                                                      \
		strbuf_reset(&self->text);                                                        \
		EXPECT_TRUE(constant_add(&self->reader, self->btf, &self->params[parameter],      \
					 (int64_t)(value), &self->text));                         \
		EXPECT_STREQ(expected, strbuf_str(&self->text));                                  \
	} while (0)

TEST_F(constant, parameters_say_what_they_are)
{
	EXPECT_ADDED("CAP_SYS_ADMIN", 0, 21);
	EXPECT_FALSE(constant_add(&self->reader, self->btf, &self->params[0], 9999, &self->text));
	EXPECT_ADDED("NULL", 1, 0);
	EXPECT_ADDED("\"security.\"", 1, TEXTS);
	/* Empty, not printable, too long, not there. */
	EXPECT_ADDED("...", 1, TEXTS + 9);
	EXPECT_ADDED("...", 1, TEXTS + 11);
	EXPECT_ADDED("...", 1, TEXTS + 13);
	EXPECT_ADDED("...", 1, TEXTS + 4096);
	EXPECT_ADDED("&init_user_ns", 2, VARIABLE);
	EXPECT_ADDED("...", 2, TEXTS);
}

TEST_F(constant, variables_go_by_the_address_that_they_begin_at)
{
	EXPECT_STREQ("init_user_ns", data_symbol_name(&self->data, VARIABLE));
	EXPECT_STREQ("other", data_symbol_name(&self->data, VARIABLE + 8));
	EXPECT_STREQ("dummy_count", data_symbol_name(&self->data, 0xffffffffc0a62540ull));
	EXPECT_EQ(NULL, data_symbol_name(&self->data, VARIABLE + 4));
	/* Each is looked for once. */
	unlink(self->path);
	EXPECT_STREQ("init_user_ns", data_symbol_name(&self->data, VARIABLE));
	EXPECT_EQ(NULL, data_symbol_name(&self->data, VARIABLE + 16));
}

TEST_F(constant, a_small_number_is_no_address)
{
	EXPECT_TRUE(data_symbol_is_near(VARIABLE, 0xffffffff81360df0ull));
	EXPECT_TRUE(data_symbol_is_near(0xffffffffc0a62540ull, 0xffffffff81360df0ull));
	EXPECT_FALSE(data_symbol_is_near(0xffff888003fc64d0ull, 0xffffffff81360df0ull));
	EXPECT_FALSE(data_symbol_is_near(4096, 0xffffffff81360df0ull));
	EXPECT_FALSE(data_symbol_is_near(0, 0xffffffffc0a62000ull));
}

TEST_F(constant, without_symbols_addresses_have_no_names)
{
	self->reader.data = NULL;
	EXPECT_FALSE(constant_address_add(&self->reader, VARIABLE, false, &self->text));
	EXPECT_TRUE(constant_address_add(&self->reader, TEXTS, true, &self->text));
	EXPECT_STREQ("\"security.\"", strbuf_str(&self->text));
}

TEST_HARNESS_MAIN
