// SPDX-License-Identifier: BSD-2-Clause
/* Facts about the CPU, from sysfs and from itself. */
#include "util/kernel/machine/cpu.h"

#include <stdio.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "util/base/cleanup.h"
#include "util/base/macros.h"

/* Where CPUs have cores of two kinds, each kind is a device; both keep as many branches. */
static const char *const devices[] = {
	"/sys/bus/event_source/devices/cpu",
	"/sys/bus/event_source/devices/cpu_core",
	"/sys/bus/event_source/devices/armv8_pmuv3_0",
};

#define NR_DEVICES (ARRAY_SIZE(devices))

bool cpu_has_counters(void)
{
	for (size_t i = 0; i < NR_DEVICES; i++) {
		if (!access(devices[i], F_OK))
			return true;
	}
	return false;
}

unsigned int cpu_branch_records(void)
{
	unsigned int records = 0;
	char path[80];

	for (size_t i = 0; i < NR_DEVICES && !records; i++) {
		_cleanup_(fclose_p) FILE *file = NULL;

		snprintf(path, sizeof(path), "%s/caps/branches", devices[i]);
		file = fopen(path, "re");
		if (!file || fscanf(file, "%u", &records) != 1)
			records = 0;
	}
	return records;
}

bool cpu_is_virtual(void)
{
#ifdef __x86_64__
	unsigned int a, b, c = 0, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c & 1u << 31;
#else
	return false;
#endif
}
