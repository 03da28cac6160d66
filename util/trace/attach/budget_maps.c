// SPDX-License-Identifier: BSD-2-Clause
/* What BPF counted for --budget, and what it is told. */
#include "util/trace/attach/budget_maps.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/trace/attach/programs.h"

/* Each CPU's values, one after the other: the caller's to free. NULL with errno set. */
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
