// SPDX-License-Identifier: BSD-2-Clause
/* Counts of loaded programs, summed over CPUs. */
#include "util/trace/attach/programs.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>

#include "bpf/cost.h"
#include "bpf/gate_state.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"

int programs_stats(const struct programs *programs, struct event_stats *ret_stats)
{
	int cpus = libbpf_num_possible_cpus(), err;
	_cleanup_(free_p) struct event_stats *all = NULL;
	struct event_stats sum = {};
	uint64_t *to = (uint64_t *)&sum;
	uint32_t zero = 0;

	if (cpus < 0)
		return cpus;
	all = calloc(cpus, sizeof(*all));
	if (!all)
		return report_oom();
	err = bpf_map_lookup_elem(programs_map_fd(programs, "stats"), &zero, all);
	if (err)
		return err;
	for (int cpu = 0; cpu < cpus; cpu++) {
		const uint64_t *from = (const uint64_t *)&all[cpu];

		for (size_t i = 0; i < sizeof(sum) / sizeof(*to); i++)
			to[i] += from[i];
	}
	*ret_stats = sum;
	return 0;
}

/* Sessions that are open: of tasks, and of interrupts. Negative: an error. */
static int count_open(const struct programs *programs, uint32_t *ret_tasks, uint32_t *ret_interrupts)
{
	struct gate gates[GATES + 1];
	uint32_t zero = 0;
	int err = bpf_map_lookup_elem(programs_map_fd(programs, ".data.gates"), &zero, gates);

	if (err)
		return err;
	*ret_tasks = 0;
	for (uint32_t i = 0; i < GATES; i++)
		*ret_tasks += gates[i].open;
	*ret_interrupts = gates[GATES].open;
	return 0;
}

uint32_t programs_open_calls(const struct programs *programs)
{
	uint32_t tasks, interrupts;

	return count_open(programs, &tasks, &interrupts) ? 0 : tasks;
}

void programs_say_slots(const struct programs *programs)
{
	int slots = programs_map_fd(programs, "free_slots");
	uint32_t index, nr_free = 0, tasks, interrupts;

	if (report_verbosity() < VERBOSITY_DEBUG)
		return;
	while (!bpf_map_lookup_and_delete_elem(slots, NULL, &index))
		nr_free++;
	if (count_open(programs, &tasks, &interrupts))
		return;
	say(VERBOSITY_DEBUG, "%u of %u session slots are free, %u sessions are open", nr_free,
	    bpf_map__max_entries(bpf_object__find_map_by_name(programs->object, "free_slots")),
	    tasks + interrupts);
}

/* The values of all CPUs, one after the other; the caller frees them. NULL with errno set. */
static void *read_element(const struct programs *programs, const char *map, uint32_t index, size_t size,
			  int *ret_cpus)
{
	int cpus = libbpf_num_possible_cpus(), err;
	void *all = cpus > 0 ? calloc(cpus, size) : NULL;

	if (!all)
		return NULL;
	err = bpf_map_lookup_elem(programs_map_fd(programs, map), &index, all);
	if (err) {
		free(all);
		errno = -err;
		return NULL;
	}
	*ret_cpus = cpus;
	return all;
}

int budget_cpus_read(const struct programs *programs, struct budget_cpu *ret_sum)
{
	_cleanup_(free_p) struct budget_cpu *all = NULL;
	struct budget_cpu sum = {};
	int cpus;

	all = read_element(programs, "budget_cpus", 0, sizeof(*all), &cpus);
	if (!all)
		return -errno;
	for (int cpu = 0; cpu < cpus; cpu++) {
		sum.hits_ns += all[cpu].hits_ns;
		sum.outside_ns += all[cpu].outside_ns;
		sum.session_ns += all[cpu].session_ns;
	}
	*ret_sum = sum;
	return 0;
}

int budget_func_read(const struct programs *programs, uint32_t func, struct budget_func *ret_sum)
{
	_cleanup_(free_p) struct budget_func *all = NULL;
	struct budget_func sum = {};
	int cpus;

	all = read_element(programs, "budget_funcs", func, sizeof(*all), &cpus);
	if (!all)
		return -errno;
	for (int cpu = 0; cpu < cpus; cpu++) {
		sum.samples += all[cpu].samples;
		sum.failures += all[cpu].failures;
	}
	*ret_sum = sum;
	return 0;
}

int budget_control_write(const struct programs *programs, const struct budget_control *control)
{
	uint32_t zero = 0;

	return bpf_map_update_elem(programs_map_fd(programs, ".data.budget"), &zero, control, BPF_ANY);
}
