// SPDX-License-Identifier: BSD-2-Clause
/* Types for CO-RE. */
#include "util/kernel/bpf/core_types.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "util/base/cleanup.h"
#include "util/base/strmap.h"
#include "util/base/write_all.h"
#include "util/kernel/types/btf_subset.h"
#include "util/kernel/types/btf_types.h"

DEFINE_CLEANUP(struct btf_subset *, btf_subset_free)

const char *core_types_path(struct core_types *types)
{
	struct rlimit limit;

	/* A limit on the size of files is one for those in memory, too. */
	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur != RLIM_INFINITY)
		return NULL;
	types->fd = memfd_create("types", MFD_CLOEXEC);
	if (types->fd < 0)
		return NULL;
	snprintf(types->path, sizeof(types->path), "/proc/self/fd/%d", types->fd);
	return types->path;
}

void core_types_release(struct core_types *types)
{
	close_fd(&types->fd);
}

/* Whether CO-RE may begin at a type of this kind: a member, or a value of an enumeration. */
static bool is_root(const struct btf_type *type)
{
	return btf_is_composite(type) || btf_is_any_enum(type) || btf_is_typedef(type);
}

static int find_names(const struct btf *of, struct strmap *names)
{
	for (uint32_t id = 1; id < btf__type_cnt(of); id++) {
		const struct btf_type *type = btf__type_by_id(of, id);
		const char *name = btf_type_name(of, type);

		if (is_root(type) && *name && !strmap_put(names, name, 0))
			return -ENOMEM;
	}
	return 0;
}

static int add_types(struct btf_subset *subset, const struct btf *kernel,
		     const struct strmap *names)
{
	uint32_t nr = btf__type_cnt(kernel), added;
	int err = 0;

	for (uint32_t id = 1; id < nr && !err; id++) {
		const struct btf_type *type = btf__type_by_id(kernel, id);

		if (is_root(type) && strmap_get(names, btf_type_name(kernel, type)))
			err = btf_subset_add(subset, kernel, id, &added);
	}
	return err;
}

int core_types_fill(const struct core_types *types, const struct bpf_object *object,
		    const struct btf *kernel)
{
	_cleanup_(btf_subset_free_p) struct btf_subset *subset = btf_subset_new();
	_cleanup_(strmap_release) struct strmap names = STRMAP_INIT;
	const struct btf *own = bpf_object__btf(object);
	const void *data;
	uint32_t size;
	int err;

	if (types->fd < 0 || !own)
		return 0;
	err = subset ? find_names(own, &names) : -ENOMEM;
	err = err ?: add_types(subset, kernel, &names);
	if (err)
		return err;
	data = btf__raw_data(btf_subset_btf(subset), &size);
	return data ? write_all(types->fd, data, size) : -ENOMEM;
}
