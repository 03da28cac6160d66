// SPDX-License-Identifier: BSD-2-Clause
/* What kernels say of their preempt counts, and what follows. */
#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/symbols_internal.h"
#include "util/trace/attach/contexts.h"

#define EXPECT_BITS(softirq_, hardirqs_, nmis_, breakpoint_)                                       \
	do {                                                                                       \
		EXPECT_EQ(softirq_, contexts.bits.softirq);                                        \
		EXPECT_EQ(hardirqs_, contexts.bits.hardirqs);                                      \
		EXPECT_EQ(nmis_, contexts.bits.nmis);                                              \
		EXPECT_EQ(breakpoint_, contexts.bits.breakpoint);                                  \
	} while (0)
#define EXPECT_OLD_LAYOUT() EXPECT_BITS(0x100, 0xf0000, 0x700000, 0x110000)
#define EXPECT_LAYOUT_OF_7_3() EXPECT_BITS(0x100, 0xf000000, 0x70000000, 0x11000000)

static struct contexts choose(struct context_facts facts)
{
	struct contexts contexts;

	contexts_choose(&facts, &contexts);
	return contexts;
}

TEST(layouts_are_chosen_by_what_kernels_say)
{
	struct contexts contexts;

	/* 6.1 to 7.2. */
	contexts = choose((struct context_facts){ .found = true, .typed = true, .bytes = 4 });
	EXPECT_EQ(CONTEXTS_TOLD, contexts.told);
	EXPECT_OLD_LAYOUT();
	/* 5.10: its types have no variables. */
	contexts = choose((struct context_facts){ .found = true, .typed = true });
	EXPECT_EQ(CONTEXTS_TOLD, contexts.told);
	EXPECT_OLD_LAYOUT();
	/* 7.3. */
	contexts = choose((struct context_facts){ .found = true, .typed = true, .bytes = 8,
						  .counts_disabling = true });
	EXPECT_EQ(CONTEXTS_TOLD, contexts.told);
	EXPECT_LAYOUT_OF_7_3();
	/* The same without types. */
	contexts = choose((struct context_facts){ .found = true, .counts_disabling = true });
	EXPECT_EQ(CONTEXTS_TOLD, contexts.told);
	EXPECT_LAYOUT_OF_7_3();
}

TEST(a_layout_that_is_not_known_is_not_guessed_but_what_was_seen_counts)
{
	struct context_facts unknown[] = {
		{ .found = true },
		{ .found = true, .typed = true, .bytes = 8 },
		{ .found = true, .typed = true, .bytes = 4, .counts_disabling = true },
	};
	struct contexts contexts;

	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++) {
		EXPECT_EQ(0, contexts_hardirq(&unknown[i]));
		contexts = choose(unknown[i]);
		EXPECT_EQ(CONTEXTS_UNKNOWN_LAYOUT, contexts.told);
		EXPECT_BITS(0, 0, 0, 0);
		unknown[i].seen_hardirq = 0x10000;
		contexts = choose(unknown[i]);
		EXPECT_EQ(CONTEXTS_TOLD, contexts.told);
		EXPECT_OLD_LAYOUT();
		unknown[i].seen_hardirq = 0x1000000;
		contexts = choose(unknown[i]);
		EXPECT_LAYOUT_OF_7_3();
		unknown[i].seen_hardirq = 0x100000;
		contexts = choose(unknown[i]);
		EXPECT_BITS(0x100, 0xf00000, 0x7000000, 0x1100000);
	}
}

TEST(a_count_that_is_not_found_tells_nothing)
{
	struct contexts contexts = choose(
		(struct context_facts){ .typed = true, .bytes = 4, .seen_hardirq = 0x10000 });

	EXPECT_EQ(CONTEXTS_UNKNOWN_PLACE, contexts.told);
	EXPECT_BITS(0, 0, 0, 0);
	EXPECT_STREQ("interrupts are not told from tasks: the preempt count was not found",
		     contexts_problem(contexts.told));
	EXPECT_STREQ("calls in interrupts are shown as calls of the task that they interrupted",
		     contexts_effect(contexts.told));
}

TEST(softirqs_of_preempt_rt_take_types)
{
	struct contexts contexts;

	contexts = choose((struct context_facts){ .found = true, .typed = true, .bytes = 4,
						  .realtime = true });
	EXPECT_EQ(CONTEXTS_TOLD, contexts.told);
	EXPECT_OLD_LAYOUT();
	EXPECT_EQ(NULL, contexts_problem(contexts.told));
	EXPECT_EQ(NULL, contexts_effect(contexts.told));
	contexts = choose((struct context_facts){ .found = true, .seen_hardirq = 0x10000,
						  .realtime = true });
	EXPECT_EQ(CONTEXTS_NO_SOFTIRQS, contexts.told);
	EXPECT_OLD_LAYOUT();
	EXPECT_STREQ("calls in softirqs are shown as calls of the task that runs them",
		     contexts_effect(contexts.told));
}

/* Types with variables as a kernel has them; the caller frees. */
static struct btf *types_with(const char *variable, int bytes, const char *member)
{
	struct btf *btf = btf__new_empty();
	int other = btf__add_int(btf, "long int", 8, BTF_INT_SIGNED);
	int type = btf__add_int(btf, "count", bytes, BTF_INT_SIGNED), inner, both;

	if (member) {
		/* In an anonymous struct of a union, as in 6.12. */
		inner = btf__add_struct(btf, NULL, 16);
		btf__add_field(btf, "current_task", other, 0, 0);
		btf__add_field(btf, member, type, 64, 0);
		both = btf__add_union(btf, NULL, 64);
		btf__add_field(btf, NULL, inner, 0, 0);
		type = btf__add_struct(btf, variable, 64);
		btf__add_field(btf, NULL, both, 0, 0);
	}
	btf__add_var(btf, variable, BTF_VAR_GLOBAL_ALLOCATED, type);
	return btf;
}

TEST(types_say_where_the_count_is)
{
	struct contexts contexts;
	struct btf *btf;

	if (arch_native->preempt_count_in_task)
		SKIP(return, "no per-CPU variable on this CPU");
	btf = types_with("__preempt_count", 4, NULL);
	contexts_find(btf, true, NULL, &contexts);
	EXPECT_EQ(CONTEXTS_TOLD, contexts.told);
	EXPECT_OLD_LAYOUT();
	EXPECT_EQ(btf__find_by_name_kind(btf, "__preempt_count", BTF_KIND_VAR),
		  contexts.count.var);
	EXPECT_EQ(0, contexts.count.offset);
	btf__free(btf);

	btf = types_with("pcpu_hot", 4, "preempt_count");
	contexts_find(btf, true, NULL, &contexts);
	EXPECT_EQ(CONTEXTS_TOLD, contexts.told);
	EXPECT_OLD_LAYOUT();
	EXPECT_EQ(btf__find_by_name_kind(btf, "pcpu_hot", BTF_KIND_VAR), contexts.count.var);
	EXPECT_EQ(8, contexts.count.offset);
	EXPECT_EQ(0, contexts.count.per_cpu_offsets);
	btf__free(btf);

	btf = types_with("__preempt_count", 8, NULL);
	btf__add_var(btf, "local_interrupt_disable_state", BTF_VAR_GLOBAL_ALLOCATED, 1);
	contexts_find(btf, true, NULL, &contexts);
	EXPECT_EQ(CONTEXTS_TOLD, contexts.told);
	EXPECT_LAYOUT_OF_7_3();
	btf__free(btf);

	/* Neither types nor symbols do. */
	btf = types_with("something_else", 4, "other");
	contexts_find(btf, true, NULL, &contexts);
	EXPECT_EQ(CONTEXTS_UNKNOWN_PLACE, contexts.told);
	btf__free(btf);
}

static struct symbols *symbols_of(const char *lines)
{
	char path[] = "/tmp/retsnoop-kallsyms-XXXXXX";
	int fd = mkstemp(path);
	struct symbols *symbols = NULL;

	if (fd < 0 || write(fd, lines, strlen(lines)) != (ssize_t)strlen(lines) ||
	    symbols_load_kallsyms_from(path, "/nonexistent", &symbols))
		abort();
	close(fd);
	unlink(path);
	return symbols;
}

TEST(a_variable_that_the_kernel_cannot_name_is_not_used)
{
	const struct {
		const char *lines;
		bool has_ids, is_var, is_address;
	} kernels[] = {
		{ "ffffffff81000000 T _stext\n0000000000021380 A __preempt_count\n"
		  "ffffffff82000100 R __per_cpu_offset\n", true, true, false },
		/* Only debug info has the types. */
		{ "ffffffff81000000 T _stext\n0000000000021380 A __preempt_count\n"
		  "ffffffff82000100 R __per_cpu_offset\n", false, false, true },
		/* No CONFIG_KALLSYMS_ALL. */
		{ "ffffffff81000000 T _stext\n", true, false, false },
	};

	if (arch_native->preempt_count_in_task)
		SKIP(return, "no per-CPU variable on this CPU");
	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		struct symbols *symbols = symbols_of(kernels[i].lines);
		struct btf *btf = types_with("__preempt_count", 4, NULL);
		struct contexts contexts;

		contexts_find(btf, kernels[i].has_ids, symbols, &contexts);
		EXPECT_EQ(kernels[i].is_var, contexts.count.var != 0);
		EXPECT_EQ(kernels[i].is_address, contexts.count.addr == 0x21380);
		EXPECT_EQ(kernels[i].is_var || kernels[i].is_address ? CONTEXTS_TOLD : CONTEXTS_UNKNOWN_PLACE,
			  contexts.told);
		btf__free(btf);
		symbols_free(symbols);
	}
}

TEST(types_of_a_task_say_where_the_count_is)
{
	struct btf *btf = btf__new_empty();
	int count = btf__add_int(btf, "int", 4, BTF_INT_SIGNED), preempt, info;
	struct contexts contexts;

	preempt = btf__add_struct(btf, NULL, 8);
	btf__add_field(btf, "count", count, 0, 0);
	info = btf__add_struct(btf, "thread_info", 24);
	btf__add_field(btf, "preempt", preempt, 64, 0);
	btf__add_struct(btf, "task_struct", 64);
	btf__add_field(btf, "thread_info", info, 0, 0);
	contexts_find(btf, true, NULL, &contexts);
	EXPECT_EQ(arch_native->preempt_count_in_task, contexts.count.in_task);
	btf__free(btf);
}

TEST_HARNESS_MAIN
