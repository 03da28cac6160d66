/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Maps with a key and a value of fixed types. Include bpf/bpf_helpers.h before. */
#ifndef RETSNOOP_BPF_DEFINE_MAP_BPF_H
#define RETSNOOP_BPF_DEFINE_MAP_BPF_H

/* MAP(stats, PERCPU_ARRAY, 1, __u32, struct event_stats); the entries may be changed before loading. */
#define MAP(name, map_type, entries, key_type, value_type)                                         \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_##map_type);                                             \
		__uint(max_entries, entries);                                                      \
		__type(key, key_type);                                                             \
		__type(value, value_type);                                                         \
	} name SEC(".maps")

#endif
