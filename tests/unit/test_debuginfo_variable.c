// SPDX-License-Identifier: BSD-2-Clause
/* Variables by the registers and places on the stack that they are in, of a program compiled here. */
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/directory.h"
#include "tests/unit/unit.h"
#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/operands.h"
#include "util/kernel/debug/debuginfo.h"
#include "util/kernel/debug/debuginfo_variable.h"
#include "util/kernel/dwarf/dwarf_location.h"

#ifdef __x86_64__
#define STACK_POINTER "rsp"
#else
#define STACK_POINTER "sp"
#endif

/* It prints where `pair`, `box` and `late` are at the label, from the stack pointer. */
static const char program_c[] =
	"#include <stdio.h>\n"
	"struct thing { int first; long second; };\n"
	"enum colour { RED, GREEN };\n"
	"typedef unsigned int number;\n"
	"struct small { int value; };\n"
	"volatile long sink;\n"
	"static inline __attribute__((always_inline)) int inner(number limit)\n"
	"{\n"
	"	asm volatile(\".globl inner_here\\ninner_here: nop\" :: \"r\"(limit));\n"
	"	return sink;\n"
	"}\n"
	"__attribute__((noinline, noclone)) int outer(const struct thing *thing, number count,\n"
	"	enum colour colour, int (*call)(int), struct small small)\n"
	"{\n"
	"	sink = thing->second;\n"
	"	int result = inner(count);\n"
	"	sink = result;\n"
	"	asm volatile(\"\" :: \"r\"(thing), \"r\"(count), \"r\"(colour), \"r\"(call), \"r\"(small));\n"
	"	return call(result + colour + small.value);\n"
	"}\n"
	"__attribute__((noinline, noclone)) void fill(int *pair, struct thing *box)\n"
	"{\n"
	"	pair[0] = pair[1] = box->first = sink;\n"
	"}\n"
	"__attribute__((noinline, noclone)) int stack(int n)\n"
	"{\n"
	"	int pair[2];\n"
	"	struct thing box;\n"
	"	long sp;\n"
	"	fill(pair, &box);\n"
	"	asm volatile(\".globl stack_here\\nstack_here: mov %%" STACK_POINTER ", %0\" : \"=r\"(sp)\n"
	"		: \"m\"(pair), \"m\"(box));\n"
	"	printf(\"%ld %ld\\n\", (long)&pair - sp, (long)&box - sp);\n"
	"	return pair[1] + box.first + n;\n"
	"}\n"
	"__attribute__((noinline, noclone)) int opaque(void *data)\n"
	"{\n"
	"	struct thing *typed = data;\n"
	"	asm volatile(\".globl opaque_here\\nopaque_here: nop\" :: \"r\"(typed));\n"
	"	return typed->first;\n"
	"}\n"
	"static inline __attribute__((always_inline)) int same(const struct thing *thing)\n"
	"{\n"
	"	asm volatile(\".globl same_here\\nsame_here: nop\" :: \"r\"(thing));\n"
	"	return sink;\n"
	"}\n"
	"__attribute__((noinline, noclone)) int shadowed(const struct thing *thing, const struct thing *other)\n"
	"{\n"
	"	int result = same(other);\n"
	"	asm volatile(\"\" :: \"r\"(thing), \"r\"(other));\n"
	"	return result;\n"
	"}\n"
	"static int twice(int x) { return 2 * x; }\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	struct thing thing = { argc, argc };\n"
	"	struct small small = { argc };\n"
	"	return stack(argc) + shadowed(&thing, &thing) + opaque(&thing) + outer(&thing, argc, RED, twice, small);\n"
	"}\n";

FIXTURE(variables)
{
	char root[64];
	struct debuginfo *info;
};

FIXTURE_SETUP(variables)
{
	self->info = NULL;
	strcpy(self->root, "/tmp/retsnoop-variables-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->root));
	write_text(self->root, "program.c", program_c);
	if (system("command -v cc >/dev/null 2>&1"))
		SKIP(return, "no C compiler");
}

FIXTURE_TEARDOWN(variables)
{
	debuginfo_free(self->info);
	run("/tmp", self->root[0] ? strcat(strcpy((char[80]){ 0 }, "rm -rf "), self->root) : ":");
}

static int build(const char *root, const char *compiler, const char *flags, struct debuginfo **ret)
{
	_cleanup_(free_p) char *line =
		strf("%s -O2 -fno-stack-protector -fno-pie -no-pie %s -o program program.c", compiler, flags);
	_cleanup_(free_p) char *path = strf("%s/program", root);

	return run(root, line) ? debuginfo_open(path, NULL, ret) : -ENOEXEC;
}

static uint64_t address_of(struct debuginfo *info, const char *symbol)
{
	uint64_t addr;

	return debuginfo_symbol(info, symbol, &addr) ? 0 : addr;
}

/* "thing: struct thing *", of a parameter's register; "" if there is none. */
static char *in_register(struct debuginfo *info, uint64_t addr, int parameter, uint8_t size)
{
	static const char *const kinds[] = { "?", "number", "enum", "struct", "union", "function" };
	const struct variable_place place = {
		.reg = code_dwarf_register(operands_parameter(parameter)),
		.size = size,
	};
	struct source_variable found;

	if (debuginfo_variable_at(info, addr, &place, &found))
		return strdup("");
	return strf("%s: %s %s%.*s %d", found.name, kinds[found.type.kind], found.type.name ?: "-",
		    found.type.pointers, "**", (int)found.type.size);
}

#define EXPECT_USED(expected, addr, parameter, size)                                               \
	do {                                                                                       \
		_cleanup_(free_p) char *found_ = in_register(self->info, addr, parameter, size);   \
		EXPECT_STREQ(expected, found_);                                                    \
	} while (0)
#define EXPECT_REGISTER(expected, addr, parameter) EXPECT_USED(expected, addr, parameter, 0)

/* "pair+4 of 8, by 4" at a place from the stack pointer; "" if there is none. */
static char *on_stack(struct debuginfo *info, uint64_t addr, int64_t offset, uint8_t size)
{
	const struct variable_place place = {
		.in_memory = true,
		.reg = code_dwarf_register(REG_STACK),
		.size = size,
		.offset = offset,
	};
	struct source_variable found;

	if (debuginfo_variable_at(info, addr, &place, &found))
		return strdup("");
	return strf("%s+%d of %d, by %d", found.name, (int)found.inside, (int)found.type.size,
		    (int)found.type.element);
}

#define EXPECT_STACK(expected, addr, offset, size)                                                 \
	do {                                                                                       \
		_cleanup_(free_p) char *found_ = on_stack(self->info, addr, offset, size);         \
		EXPECT_STREQ(expected, found_);                                                    \
	} while (0)

static void expect_parameters(struct __test_metadata *_metadata, FIXTURE_DATA(variables) *self)
{
	uint64_t outer = address_of(self->info, "outer");

	ASSERT_NE(0, outer);
	EXPECT_REGISTER("thing: struct thing* 8", outer, 0);
	EXPECT_REGISTER("count: number unsigned int 4", outer, 1);
	EXPECT_REGISTER("colour: enum colour 4", outer, 2);
	EXPECT_REGISTER("call: function -* 8", outer, 3);
	EXPECT_REGISTER("small: struct small 4", outer, 4);
	EXPECT_USED("count: number unsigned int 4", outer, 1, 4);
	EXPECT_USED("", outer, 1, 8);
	/* Of two names the one that has a type. */
	EXPECT_REGISTER("typed: struct thing* 8", address_of(self->info, "opaque_here"), 0);
	/* The inlined function's own name for it. */
	EXPECT_REGISTER("limit: number unsigned int 4", address_of(self->info, "inner_here"), 1);
	/* In the called function it is "thing", which is another variable here. */
	EXPECT_REGISTER("other: struct thing* 8", address_of(self->info, "same_here"), 1);
	EXPECT_REGISTER("thing: struct thing* 8", address_of(self->info, "same_here"), 0);
}

static void expect_stack(struct __test_metadata *_metadata, FIXTURE_DATA(variables) *self)
{
	_cleanup_(free_p) char *path = strf("%s/program", self->root);
	uint64_t here = address_of(self->info, "stack_here");
	FILE *output = popen(path, "r");
	long pair, box;

	ASSERT_EQ(2, fscanf(output, "%ld %ld", &pair, &box));
	pclose(output);
	EXPECT_STACK("pair+0 of 8, by 4", here, pair, 4);
	EXPECT_STACK("pair+4 of 8, by 4", here, pair + 4, 4);
	EXPECT_STACK("box+8 of 16, by 0", here, box + 8, 8);
	/* Beyond the end. */
	EXPECT_STACK("", here, pair + 4, 8);
}

TEST_F(variables, gcc_says_what_registers_and_places_hold)
{
	ASSERT_EQ(0, build(self->root, "cc", "-g -fno-asynchronous-unwind-tables", &self->info));
	expect_parameters(_metadata, self);
	expect_stack(_metadata, self);
}

TEST_F(variables, dwarf_4_says_the_same)
{
	ASSERT_EQ(0, build(self->root, "cc", "-gdwarf-4 -fno-asynchronous-unwind-tables", &self->info));
	expect_parameters(_metadata, self);
	expect_stack(_metadata, self);
}

TEST_F(variables, compressed_sections_say_the_same)
{
	ASSERT_EQ(0, build(self->root, "cc", "-g -gz -fno-asynchronous-unwind-tables", &self->info));
	expect_parameters(_metadata, self);
	expect_stack(_metadata, self);
}

TEST_F(variables, lists_by_index_say_the_same)
{
	if (system("command -v clang >/dev/null 2>&1"))
		SKIP(return, "no clang");
	ASSERT_EQ(0, build(self->root, "clang", "-gdwarf-5 -fno-asynchronous-unwind-tables", &self->info));
	expect_parameters(_metadata, self);
	expect_stack(_metadata, self);
}

TEST_F(variables, a_frame_pointer_is_a_frame_base)
{
	if (system("command -v clang >/dev/null 2>&1"))
		SKIP(return, "no clang");
	ASSERT_EQ(0, build(self->root, "clang", "-g -fno-omit-frame-pointer", &self->info));
	expect_parameters(_metadata, self);
}

TEST_F(variables, without_frames_only_registers_are_known)
{
	ASSERT_EQ(0, build(self->root, "cc", "-g", &self->info));
	ASSERT_EQ(1, run(self->root, "objcopy -R .debug_frame program"));
	debuginfo_free(self->info);
	self->info = NULL;
	_cleanup_(free_p) char *path = strf("%s/program", self->root);
	ASSERT_EQ(0, debuginfo_open(path, NULL, &self->info));
	expect_parameters(_metadata, self);
	EXPECT_STACK("", address_of(self->info, "stack_here"), 0, 4);
}

TEST_F(variables, nothing_is_known_elsewhere)
{
	ASSERT_EQ(0, build(self->root, "cc", "-g", &self->info));
	EXPECT_REGISTER("", 0, 0);
	EXPECT_REGISTER("", UINT64_MAX, 0);
	EXPECT_REGISTER("", address_of(self->info, "outer"), 5);
}

/* "MEMORY 7+24" for an expression's bytes. */
static char *evaluated(const char *bytes, size_t size)
{
	static const char *const kinds[] = {
		[LOCATION_UNKNOWN] = "unknown", [LOCATION_REGISTER] = "register", [LOCATION_SUM] = "sum",
		[LOCATION_MEMORY] = "memory", [LOCATION_FRAME] = "frame",
	};
	const uint8_t *code = (const uint8_t *)bytes;
	const struct attr_value value = { .form = DW_FORM_exprloc, .block = { code, code + size, false } };
	const struct dwarf_sections sections = {};
	const struct dwarf_unit unit = { .version = 5, .address_size = 8 };
	struct location location;

	if (location_at(&sections, &unit, &value, 0, &location))
		return strdup("damaged");
	return strf("%s %u%+d", kinds[location.kind], location.reg, (int)location.offset);
}

#define EXPECT_LOCATION(expected, bytes)                                                           \
	do {                                                                                       \
		_cleanup_(free_p) char *found_ = evaluated(bytes, sizeof(bytes) - 1);              \
		EXPECT_STREQ(expected, found_);                                                    \
	} while (0)

TEST(only_expressions_of_one_place_are_known)
{
	EXPECT_LOCATION("register 3+0", "\x53");
	EXPECT_LOCATION("memory 7+24", "\x77\x18");
	EXPECT_LOCATION("memory 7-8", "\x77\x78");
	EXPECT_LOCATION("frame 0-24", "\x91\x68");
	/* DW_OP_stack_value: it is nowhere. */
	EXPECT_LOCATION("sum 3+24", "\x73\x18\x9f");
	EXPECT_LOCATION("register 3+0", "\x73\x00\x9f");
	/* DW_OP_deref: its address is there; DW_OP_piece: a part of it. */
	EXPECT_LOCATION("unknown 0+0", "\x77\x18\x06");
	EXPECT_LOCATION("unknown 0+0", "\x77\x18\x06\x9f");
	EXPECT_LOCATION("unknown 0+0", "\x53\x93\x04");
	EXPECT_LOCATION("unknown 0+0", "\x91\x68\x06");
	/* Cut short, a constant, nothing. */
	EXPECT_LOCATION("unknown 0+0", "\x77\x98");
	EXPECT_LOCATION("unknown 0+0", "\x35\x9f");
	EXPECT_LOCATION("unknown 0+0", "");
}

TEST_HARNESS_MAIN
