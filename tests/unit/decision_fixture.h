/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernel functions made up for tests of decisions: real code, assembled with the test, with symbols
 * and source lines of its own, and rings of branches to go with it.
 *
 *	asm(KERNEL
 *	    FUNC(check)
 *	    LINE(10) "test %edi, %edi\n"
 *	    LABEL(check_je) "je k_check_bad\n"
 *	    ...
 *	    END(check)
 *	    USER);
 *
 * Labels, and functions, are k_NAME in code, and AT(NAME) in C. Its addresses are where it is in
 * the test; it is never run.
 */
#ifndef RETSNOOP_TESTS_DECISION_FIXTURE_H
#define RETSNOOP_TESTS_DECISION_FIXTURE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/base/macros.h"
#include "util/explain/decision.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/debug/debuginfo_variable.h"
#include "util/kernel/symbols/code_source.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/plan/plan.h"

#define KERNEL ".pushsection .text\n.p2align 4\n"
#define USER ".popsection\n"

#define FUNC(name)                                                                        \
	"\n.pushsection test_symbols,\"aw\"\n.quad k_" #name ", k_end_" #name ", 9001f\n" \
	".section .rodata\n9001: .asciz \"" #name "\"\n.popsection\n" LABEL(name)
#define END(name) ".globl k_end_" #name "\n.hidden k_end_" #name "\nk_end_" #name ":\n.p2align 4, 0xcc\n"
#define LABEL(name) ".globl k_" #name "\n.hidden k_" #name "\nk_" #name ":\n"

/* What follows is of line @n; @n may be "line, column". */
#define LINE(n...) LINE_IN(0, n, 0)
/* The same, in a call inlined there: of include/linux/inlined.h, line @inner. */
#define INLINED(n, inner) LINE_IN(inner, n, 0)
/* The same, of a function that is in no header. */
#define INLINED_OWN(n, inner) LINE_IN(0x8000 + inner, n, 0)
#define LINE_IN(inner, line, column, rest...)                                            \
	"\n.pushsection test_lines,\"aw\"\n.quad 9002f, " #line ", " #column ", " #inner \
	"\n.popsection\n9002:\n"

/* The same, and a statement begins there. */
#define STATEMENT(line, column) LINE_IN(0, line, 0x8000 + column, 0)

/* As compilers begin functions that can be traced. */
#define ENTRY "endbr64\n.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
/* The same while somebody traces the function: a call of code that has no symbol. */
#define TRACED_ENTRY "endbr64\n.byte 0xe8, 0x44, 0x33, 0x22, 0x11\n"
/* The same on kernels that jump to a trampoline which calls the function. */
#define JUMPING_ENTRY "endbr64\n.byte 0xe9, 0x44, 0x33, 0x22, 0x11\n"

#define AT(label)                                 \
	({                                        \
		extern const uint8_t k_##label[]; \
		(uint64_t) k_##label;             \
	})

struct test_symbol {
	uint64_t start, end;
	const char *name;
};

struct test_line {
	uint64_t addr, line, column, inner;
};

/* Weak: a test whose code is for another CPU has none. */
extern const struct test_symbol __start_test_symbols[] __attribute__((weak)),
	__stop_test_symbols[] __attribute__((weak));
extern const struct test_line __start_test_lines[] __attribute__((weak)),
	__stop_test_lines[] __attribute__((weak));

/* A variable of debug info; in the registers of instruction_effect.h. */
struct test_variable {
	bool in_memory;
	uint8_t reg;
	int64_t offset;
	struct source_variable found;	/* `inside` is added to by the place */
	uint64_t only_at;		/* an address; 0: it is there everywhere */
};

struct symbolizer {
	bool no_lines;
	struct test_variable variables[4];
	uint64_t asked_at;	/* the last address at which a variable was found */
	struct symbol symbols[128];
	struct source_frame frames[2];
	uint64_t changed;	/* the function whose parameters the compiler changed */
};

static const struct test_symbol *test_symbol_at(uint64_t addr)
{
	for (const struct test_symbol *s = __start_test_symbols; s < __stop_test_symbols; s++) {
		if (addr >= s->start && addr < s->end)
			return s;
	}
	return NULL;
}

/* Code that is made at run time, without a symbol: where tracing lives. */
#define TRAMPOLINE 0xffffffffc0200000ull
#define CALLER 0xffffffff81000100ull
#define INTERRUPT 0xffffffff82000000ull

/* In place of the real one. */
void symbolizer_lookup(struct symbolizer *symbolizer, uint64_t addr, bool is_return,
		       struct symbolized *ret)
{
	const struct test_symbol *found = test_symbol_at(addr - is_return);
	const struct test_line *line = NULL;
	struct symbol *symbol;

	*ret = (struct symbolized){};
	if (!found)
		return;
	symbol = &symbolizer->symbols[found - __start_test_symbols];
	*symbol =
		(struct symbol){ found->start, found->end - found->start, found->name, NULL, 't' };
	ret->symbol = symbol;
	ret->offset = addr - found->start;
	for (const struct test_line *l = __start_test_lines; l < __stop_test_lines; l++) {
		if (l->addr >= found->start && l->addr <= addr - is_return &&
		    (!line || l->addr >= line->addr))
			line = l;
	}
	if (!line || symbolizer->no_lines)
		return;
	ret->frames = symbolizer->frames + 1;
	ret->nr_frames = 1;
	symbolizer->frames[1] = (struct source_frame){ found->name, "kernel/test.c", line->line,
						       line->column & 0x7fff, false,
						       line->column >> 15 };
	if (line->inner) {
		symbolizer->frames[0] = (struct source_frame){
			"inlined", line->inner >> 15 ? "kernel/test.c" : "include/linux/inlined.h",
			line->inner & 0x7fff, 1, true };
		ret->frames = symbolizer->frames;
		ret->nr_frames = 2;
	}
}

bool symbolizer_is_changed(struct symbolizer *symbolizer, uint64_t addr)
{
	return symbolizer->changed == addr;
}

int symbolizer_variable(struct symbolizer *symbolizer, uint64_t addr, const struct variable_place *place,
			struct source_variable *ret_variable)
{
	for (size_t i = 0; i < ARRAY_SIZE(symbolizer->variables); i++) {
		const struct test_variable *known = &symbolizer->variables[i];
		uint64_t inside = place->offset - known->offset;

		if (!known->found.name || known->in_memory != place->in_memory ||
		    (known->only_at && known->only_at != addr) ||
		    (!place->in_memory && place->size > known->found.type.size) ||
		    code_dwarf_register(known->reg) != place->reg || inside >= known->found.type.size)
			continue;
		*ret_variable = known->found;
		ret_variable->inside = inside;
		symbolizer->asked_at = addr;
		return 0;
	}
	return -ENOENT;
}

static inline long read_test_code(void *arg, uint64_t addr, void *buf, size_t size)
{
	const bool *readable = arg;

	if (!*readable || !test_symbol_at(addr))
		return -EFAULT;
	memcpy(buf, (const void *)addr, size);
	return size;
}

#endif
