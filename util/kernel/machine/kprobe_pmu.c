// SPDX-License-Identifier: BSD-2-Clause
/* perf's PMU for single kprobes. */
#include "util/kernel/machine/kprobe_pmu.h"

#include <errno.h>
#include <stdio.h>

#include "util/base/cleanup.h"

static int read_format(const char *path, const char *format, uint32_t *ret)
{
	_cleanup_(fclose_p) FILE *f = fopen(path, "re");

	if (!f)
		return -errno;
	return fscanf(f, format, ret) == 1 ? 0 : -EINVAL;
}

int kprobe_pmu_init(struct kprobe_pmu *pmu)
{
	return read_format("/sys/bus/event_source/devices/kprobe/type", "%u", &pmu->type) ?:
	       read_format("/sys/bus/event_source/devices/kprobe/format/retprobe",
			   "config:%u", &pmu->return_bit);
}
