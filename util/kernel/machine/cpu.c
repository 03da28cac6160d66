// SPDX-License-Identifier: BSD-2-Clause
/* Facts about the CPU, from sysfs and from itself. */
#include "util/kernel/machine/cpu.h"

#include <stdio.h>
#include <unistd.h>

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
	return find_first(device, devices, NR_DEVICES, !access(*device, F_OK));
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
