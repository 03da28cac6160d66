// SPDX-License-Identifier: BSD-2-Clause
/* Layouts of structs, from BTF. */
#include "util/kernel/types/kernel_struct.h"

#include <bpf/btf.h>
#include <errno.h>

#include "util/kernel/types/btf_types.h"

int kernel_struct_find(const struct btf *types, const char *name, uint32_t max_size, uint32_t *ret_id,
		       uint32_t *ret_size)
{
	int id = btf__find_by_name_kind(types, name, BTF_KIND_STRUCT);

	if (id < 0 || btf__type_by_id(types, id)->size > max_size)
		return -ENOENT;
	*ret_id = id;
	*ret_size = btf__type_by_id(types, id)->size;
	return 0;
}

int kernel_struct_member(const struct btf *types, uint32_t id, const char *name, uint32_t size,
			 uint32_t *ret_offset)
{
	struct btf_place place = {};

	if (!btf_find_member(types, id, name, &place) || place.bits ||
	    btf__resolve_size(types, place.type) != size)
		return -ENOENT;
	*ret_offset = place.bit_offset / 8;
	return 0;
}

bool kernel_struct_has(const struct btf *types, const char *name, const char *member)
{
	int id = btf__find_by_name_kind(types, name, BTF_KIND_STRUCT);
	struct btf_place place;

	return id > 0 && btf_find_member(types, id, member, &place);
}
