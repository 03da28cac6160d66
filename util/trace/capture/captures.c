// SPDX-License-Identifier: BSD-2-Clause
/* The list of captures, and what they share. */
#include "util/plan/capture.h"

#include <bpf/libbpf.h>
#include <errno.h>

#include "util/kernel/bpf/maps.h"

const struct capture *const captures[NR_CAPTURES] = {
	&capture_args,
	&capture_points,
	&capture_branches,
	&capture_summary,
	&capture_spans,
};

int capture_resize(const struct capture_setup *setup, const char *map, uint32_t entries)
{
	return bpf_map__set_max_entries(bpf_object__find_map_by_name(setup->object, map), entries);
}

int capture_map_fd(const struct capture_setup *setup, const char *map)
{
	return object_map_fd(setup->object, map);
}

int capture_hold_program(const struct capture_setup *setup, const char *name)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(setup->object, name);

	if (!prog)
		return -ENOENT;
	bpf_program__set_autoload(prog, true);
	return 0;
}
