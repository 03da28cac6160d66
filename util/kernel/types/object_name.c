// SPDX-License-Identifier: BSD-2-Clause
/* Names of objects, by the members that have them. */
#include "util/kernel/types/object_name.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/types/btf_types.h"

/*
 * Members one inside the other; "->" leads on through a pointer, DENTRY_AROUND from the member of a
 * directory entry to the entry. As of Linux 5.10 to 7.3.
 */
#define DENTRY_AROUND "<"
static const struct {
	const char *type;
	const char *members[6];
} with_name[] = {
	{ "inode", { "i_dentry", "first", "->", DENTRY_AROUND, "d_name", "name" } },
	{ "dentry", { "d_name", "name" } },
	{ "path", { "dentry", "->", "d_name", "name" } },
	{ "file", { "f_path", "dentry", "->", "d_name", "name" } },
	{ "mount", { "mnt_mountpoint", "->", "d_name", "name" } },
	{ "super_block", { "s_id" } },
	{ "file_system_type", { "name" } },
	{ "kernfs_node", { "name" } },
	{ "filename", { "name" } },
	{ "task_struct", { "comm" } },
	{ "module", { "name" } },
	{ "net_device", { "name" } },
	{ "proto", { "name" } },
	{ "tcp_congestion_ops", { "name" } },
	{ "key_type", { "name" } },
	{ "bpf_map", { "name" } },
	{ "kobject", { "name" } },
	{ "device", { "kobj", "name" } },
	{ "device_driver", { "name" } },
	{ "gendisk", { "disk_name" } },
	{ "pmu", { "name" } },
};

static bool add_step(struct object_name *name, int64_t offset)
{
	if (name->nr_steps == OBJECT_NAME_STEPS || offset != (int16_t)offset)
		return false;
	name->steps[name->nr_steps++] = offset;
	return true;
}

/* Of the list that an inode's entries are in: by 7.2 it is in a union with a name. */
static bool find_alias(const struct btf *btf, uint32_t dentry, int64_t *ret_offset)
{
	struct btf_place place;

	*ret_offset = 0;
	if (btf_find_member(btf, dentry, "d_u", &place)) {
		*ret_offset = place.bit_offset / 8;
		dentry = place.type;
	}
	if (!btf_find_member(btf, dentry, "d_alias", &place) || place.bits)
		return false;
	*ret_offset += place.bit_offset / 8;
	return true;
}

static bool follow_path(const struct btf *btf, uint32_t id, const char *const *members, size_t nr,
			struct object_name *name)
{
	const struct btf_type *type;
	struct btf_place place;
	int64_t offset = 0, alias;

	for (size_t i = 0; i < nr && members[i]; i++) {
		if (!strcmp(members[i], DENTRY_AROUND)) {
			int32_t dentry = btf__find_by_name_kind(btf, "dentry", BTF_KIND_STRUCT);

			if (dentry < 0 || !find_alias(btf, dentry, &alias))
				return false;
			offset -= alias;
			id = dentry;
			continue;
		}
		if (strcmp(members[i], "->")) {
			if (!btf_find_member(btf, id, members[i], &place) || place.bits)
				return false;
			offset += place.bit_offset / 8;
			id = place.type;
			continue;
		}
		if (!add_step(name, offset))
			return false;
		offset = 0;
		id = btf_pointee(btf, id);
	}
	type = btf_underneath(btf, id);
	if (!type || !add_step(name, offset))
		return false;
	if (btf_is_array(type))
		return btf_is_char(btf, btf_array(type)->type);
	/* To the string. */
	id = btf_pointee(btf, id);
	return (btf_is_char(btf, id) || btf_is_unsigned_char(btf, id)) && add_step(name, 0);
}

struct object_name object_name_find(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_underneath_id(btf, id, &id);
	struct object_name name = {};

	if (!type || !btf_is_struct(type))
		return name;
	for (size_t i = 0; i < ARRAY_SIZE(with_name); i++) {
		if (strcmp(btf_type_name(btf, type), with_name[i].type))
			continue;
		if (!follow_path(btf, id, with_name[i].members,
				 ARRAY_SIZE(with_name[i].members), &name))
			name.nr_steps = 0;
		break;
	}
	return name;
}
