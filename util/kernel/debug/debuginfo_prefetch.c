// SPDX-License-Identifier: BSD-2-Clause
/* Read units in several threads: units share no data. */
#include <pthread.h>
#include <unistd.h>

#include "util/kernel/debug/debuginfo_internal.h"

#define MAX_THREADS 8
/* Fewer units are not worth a thread. */
#define UNITS_PER_THREAD 16

/* An address, and the unit it needs. */
struct wish {
	struct dwarf_unit *unit;
	uint64_t addr;
};

struct prefetch {
	struct debuginfo *info;
	VEC(struct wish) wishes;	/* by unit */
	VEC(size_t) starts;		/* of each unit's wishes */
	size_t next;			/* atomic: index into starts */
};

static int compare_wishes(const void *pa, const void *pb)
{
	const struct wish *a = pa, *b = pb;

	if (a->unit->offset != b->unit->offset)
		return a->unit->offset < b->unit->offset ? -1 : 1;
	return (a->addr > b->addr) - (a->addr < b->addr);
}

static void read_wishes(struct debuginfo *info, const struct wish *wish, const struct wish *end)
{
	struct dwarf_unit *unit = wish->unit;
	struct unit_functions *functions;

	if (unit_open(&info->sections, unit))
		return;
	debuginfo_lines(info, unit);
	functions = debuginfo_functions(info, unit);
	for (; functions && wish < end; wish++) {
		struct dwarf_function *function = unit_function_at(functions, wish->addr);
		struct scope_tree *tree = function ? debuginfo_tree(info, unit, function) : NULL;

		if (tree)
			debuginfo_name_scopes(info, unit, tree,
					      scope_tree_find(tree, wish->addr));
	}
}

static void *work_on_units(void *arg)
{
	struct prefetch *prefetch = arg;

	for (;;) {
		size_t i = __atomic_fetch_add(&prefetch->next, 1, __ATOMIC_RELAXED), end;

		if (i >= prefetch->starts.len)
			return NULL;
		end = i + 1 < prefetch->starts.len ? prefetch->starts.data[i + 1] :
						     prefetch->wishes.len;
		read_wishes(prefetch->info, prefetch->wishes.data + prefetch->starts.data[i],
			    prefetch->wishes.data + end);
	}
}

static void run_threads(struct prefetch *prefetch)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[MAX_THREADS];
	int running = 0;

	if (nr > MAX_THREADS)
		nr = MAX_THREADS;
	if ((size_t)nr > prefetch->starts.len / UNITS_PER_THREAD)
		nr = prefetch->starts.len / UNITS_PER_THREAD;
	if (nr < 2)
		return;
	/* This thread works, too. */
	while (running < nr - 1 &&
	       !pthread_create(threads + running, NULL, work_on_units, prefetch))
		running++;
	work_on_units(prefetch);
	for (int i = 0; i < running; i++)
		pthread_join(threads[i], NULL);
}

void debuginfo_prefetch(struct debuginfo *info, const uint64_t *addrs, size_t nr, uint64_t bias)
{
	struct prefetch prefetch = { .info = info };
	bool failed = nr < UNITS_PER_THREAD || vec_reserve(&prefetch.wishes, nr);

	for (size_t i = 0; !failed && i < nr; i++) {
		struct wish wish = { dwarf_units_met_at(&info->units, addrs[i] - bias),
				     addrs[i] - bias };

		if (wish.unit)
			failed = vec_push(&prefetch.wishes, wish);
	}
	vec_sort(&prefetch.wishes, compare_wishes);
	for (size_t i = 0; !failed && i < prefetch.wishes.len; i++) {
		if (!i || prefetch.wishes.data[i].unit != prefetch.wishes.data[i - 1].unit)
			failed = vec_push(&prefetch.starts, i);
	}
	if (!failed)
		run_threads(&prefetch);
	vec_release(&prefetch.wishes);
	vec_release(&prefetch.starts);
}
