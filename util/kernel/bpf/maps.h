/* SPDX-License-Identifier: BSD-2-Clause */
/* Maps of a BPF object. */
#ifndef RETSNOOP_KERNEL_BPF_MAPS_H
#define RETSNOOP_KERNEL_BPF_MAPS_H

#include <bpf/libbpf.h>
#include <errno.h>

/*
 * The descriptor of a map that was created, borrowed from the object; negative: there is none. From libbpf 1.4
 * on, libbpf's own functions return the descriptor of something else for a map that was left out.
 */
static inline int object_map_fd(const struct bpf_object *object, const char *name)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(object, name);

	return map && bpf_map__autocreate(map) ? bpf_map__fd(map) : -ENOENT;
}

#endif
