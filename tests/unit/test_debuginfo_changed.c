// SPDX-License-Identifier: BSD-2-Clause
/* Functions whose parameters or result the compiler changed, of a program compiled here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/directory.h"
#include "tests/unit/unit.h"
#include "util/ask/request.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/debug/debuginfo.h"
#include "util/kernel/kernel.h"
#include "util/plan/args/args.h"
#include "util/plan/plan.h"

/* `both` has an abstract instance, which is where the mark is; `unmarked` has no prototype, so none. */
static const char program_c[] =
	"volatile int sink;\n"
	"static inline int both(int n) { sink = n; return sink; }\n"
	"__attribute__((noinline, noclone)) int outer(int n) { return both(n) + 1; }\n"
	"__attribute__((noinline, noclone)) int unmarked() { return sink; }\n"
	"int (*volatile call)(int) = both;\n"
	"int main(int argc, char **argv) { return outer(argc) + unmarked() + call(argc); }\n";

/* In place of DW_AT_prototyped, DW_AT_calling_convention: DW_CC_nocall, as clang 16 and later write it. */
static const char mark[] =
	"sed -i ':a;N;$!ba;s/\\.uleb128 0x27\\n\\t\\.uleb128 0x19/.uleb128 0x36\\n\\t.uleb128 0x21\\n\\t.sleb128 3/g' "
	"program.s";

FIXTURE(changed)
{
	char root[64];
	struct debuginfo *info;
};

FIXTURE_SETUP(changed)
{
	self->info = NULL;
	strcpy(self->root, "/tmp/retsnoop-changed-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->root));
	write_text(self->root, "program.c", program_c);
	if (system("command -v gcc >/dev/null 2>&1"))
		SKIP(return, "no gcc");
	ASSERT_EQ(1, run(self->root, "gcc -O2 -gdwarf-5 -fno-pie -std=gnu11 -S program.c"));
}

FIXTURE_TEARDOWN(changed)
{
	debuginfo_free(self->info);
	run("/tmp", self->root[0] ? strcat(strcpy((char[80]){ 0 }, "rm -rf "), self->root) : ":");
}

static int assemble(const char *root, struct debuginfo **ret)
{
	_cleanup_(free_p) char *path = strf("%s/program", root);

	return run(root, "gcc -no-pie -o program program.s") ? debuginfo_open(path, NULL, ret) : -1;
}

static bool is_changed(struct debuginfo *info, const char *name)
{
	uint64_t addr;

	return !debuginfo_symbol(info, name, &addr) && debuginfo_is_changed(info, addr);
}

TEST_F(changed, a_function_is_changed_if_it_or_its_origin_says_so)
{
	ASSERT_EQ(1, run(self->root, mark));
	ASSERT_EQ(0, assemble(self->root, &self->info));
	EXPECT_TRUE(is_changed(self->info, "outer"));
	EXPECT_TRUE(is_changed(self->info, "both"));
	EXPECT_FALSE(is_changed(self->info, "unmarked"));
}

TEST_F(changed, others_are_not)
{
	ASSERT_EQ(0, assemble(self->root, &self->info));
	EXPECT_FALSE(is_changed(self->info, "outer"));
	EXPECT_FALSE(is_changed(self->info, "both"));
	EXPECT_FALSE(debuginfo_is_changed(self->info, 1));
}

/* The name of outer()'s first argument as it is captured, with the file as a kernel; NULL: an error. */
static char *first_argument(const char *root)
{
	_cleanup_(free_p) char *path = strf("%s/program", root);
	const struct symbolizer_options options = { .vmlinux = path };
	_cleanup_(kernel_free_p) struct kernel *kernel = NULL;
	const struct plan *plan = NULL;
	struct trace_request request;
	char *name = NULL;

	trace_request_init(&request);
	request.modes = MODE_ARGS;
	spec_list_add(&request.entry, "outer");
	if (!kernel_new(&options, &kernel) && !plan_build(kernel, &request, PLAN_QUIET, NULL, &plan))
		name = strdup(plan->args[0].args[0].name);
	plan_free((struct plan *)plan);
	trace_request_release(&request);
	return name;
}

static bool add_types(const char *root)
{
	return run(root, "gcc -O2 -gbtf -std=gnu11 -c program.c -o types.o && "
			 "objcopy -O binary -j .BTF --set-section-flags .BTF=alloc types.o types && "
			 "objcopy --add-section .BTF=types program");
}

TEST_F(changed, arguments_are_registers_then)
{
	_cleanup_(free_p) char *before = NULL, *changed = NULL;

	ASSERT_EQ(0, assemble(self->root, &self->info));
	if (!add_types(self->root))
		SKIP(return, "gcc writes no BTF");
	before = first_argument(self->root);
	EXPECT_STREQ("n", before);
	debuginfo_free(self->info);
	ASSERT_EQ(1, run(self->root, mark));
	ASSERT_EQ(0, assemble(self->root, &self->info));
	ASSERT_EQ(1, add_types(self->root));
	changed = first_argument(self->root);
	EXPECT_STREQ(arch_arg_register(arch_native, 0), changed);
}

TEST_HARNESS_MAIN
