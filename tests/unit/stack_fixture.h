/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions by name, 0x100 bytes each, and stacks of them, for tests of what stacks tell. */
#ifndef RETSNOOP_TESTS_STACK_FIXTURE_H
#define RETSNOOP_TESTS_STACK_FIXTURE_H

#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/watch/watch_event.h"
#include "util/ask/request.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/view/session/view.h"

#define STACK_BASE 0xffffffff81000000

struct stack_fixture {
	struct symbols *symbols;
	struct symbolizer *symbolizer;
	struct trace_request settings;
	struct view_context context;
};

static inline void stack_fixture_set_up(struct stack_fixture *fixture, const char *const *names, int nr)
{
	const struct symbolizer_options options = { .level = SYMBOLIZE_NONE };

	fixture->symbols = symbols_new();
	for (int i = 0; i < nr; i++) {
		const struct symbol symbol = { .addr = STACK_BASE + i * 0x100, .size = 0x100, .name = names[i],
					       .type = 'T' };

		if (symbols_add(fixture->symbols, &symbol, 1))
			abort();
	}
	if (symbolizer_new(fixture->symbols, &options, &fixture->symbolizer))
		abort();
	fixture->context.explain.symbolizer = fixture->symbolizer;
	fixture->context.explain.settings = &fixture->settings;
}

static inline void stack_fixture_release(struct stack_fixture *fixture)
{
	symbolizer_free(fixture->symbolizer);
	symbols_free(fixture->symbols);
}

/* The stack, innermost first; -1 ends. */
static inline void stack_fill(__u64 stack[WATCH_FRAMES], const int *funcs)
{
	memset(stack, 0, WATCH_FRAMES * sizeof(*stack));
	for (int i = 0; funcs[i] >= 0; i++)
		stack[i] = STACK_BASE + funcs[i] * 0x100 + 0x10;
}

#endif
