/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's types that a BPF object reads, as a small BTF of their own. libbpf looks for each of them in
 * all of the kernel's 150,000 types, which it reads once more for that; of this BTF it reads a hundred.
 */
#ifndef RETSNOOP_KERNEL_BPF_CORE_TYPES_H
#define RETSNOOP_KERNEL_BPF_CORE_TYPES_H

struct bpf_object;
struct btf;

struct core_types {
	int fd;			/* a file in memory; -1: none */
	char path[32];		/* for libbpf's btf_custom_path, which is read when the object is loaded */
};

#define CORE_TYPES_INIT { -1, "" }

/* Before the object is opened. The path; NULL if it cannot be made, and libbpf is to look by itself. */
const char *core_types_path(struct core_types *types);

/*
 * Before the object is loaded: the types of @kernel that have names of types of the object.
 * 0, also without a path; -errno (not reported).
 */
int core_types_fill(const struct core_types *types, const struct bpf_object *object,
		    const struct btf *kernel);

/* After the object was loaded. */
void core_types_release(struct core_types *types);

#endif
