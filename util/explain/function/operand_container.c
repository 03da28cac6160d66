// SPDX-License-Identifier: BSD-2-Clause
/* Follows container_of(): from a member to the struct that it is in. */
#include <bpf/btf.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/search.h"
#include "util/base/strbuf.h"
#include "util/explain/function/operand_internal.h"
#include "util/kernel/types/btf_types.h"

/* What a pointer points to is always the member of a struct. */
struct known_container {
	const char *of, *head; /* of a list: the path to its first entry, from a struct */
	const char *in, *member;
};

/* Heads of lists, and the member by which the entries are in them. */
static const struct known_container lists[] = {
	{ "dentry", ".d_children.first", "dentry", "d_sib" },
	{ "dentry", ".d_subdirs.next", "dentry", "d_child" },
	{ "cgroup_subsys_state", ".children.next", "cgroup_subsys_state", "sibling" },
};

const struct known_container *list_entries_at(const struct btf *btf, uint32_t id, const char *path)
{
	const struct btf_type *type = btf_underneath(btf, id);

	return type ? array_find(known, lists,
				 !strcmp(known->head, path) &&
					 !strcmp(known->of, btf_type_name(btf, type))) :
		      NULL;
}

/* Structs that are always a member of another one. */
static const struct known_container embedded[] = {
	{ "vfsmount", NULL, "mount", "mnt" },
};

/* A member in a struct. */
struct embedding {
	uint32_t in; /* the struct; 0: none */
	const char *member;
	int64_t at; /* bytes */
};

/* By a table; `in` stays 0 if this kernel has it otherwise. */
static struct embedding find_embedding(const struct btf *btf, uint32_t pointee, const struct known_container *row)
{
	int32_t in = btf__find_by_name_kind(btf, row->in, BTF_KIND_STRUCT);
	struct btf_place place;

	if (in <= 0 || !btf_find_member(btf, in, row->member, &place) || place.bit_offset % 8 || place.bits ||
	    btf_underneath(btf, place.type) != btf_underneath(btf, pointee))
		return (struct embedding){};
	return (struct embedding){ in, row->member, place.bit_offset / 8 };
}

static const struct known_container *embedding_of(const struct btf *btf, uint32_t pointee)
{
	const struct btf_type *type = btf_underneath(btf, pointee);

	return type && btf_is_struct(type) ?
		       array_find(known, embedded, !strcmp(known->of, btf_type_name(btf, type))) :
		       NULL;
}

/*
 * A file system's functions have to do with its own inodes alone, which are in a struct that is called like them:
 * shmem_setattr() reads info->seals of a struct shmem_inode_info at an offset from its struct inode.
 */
static struct embedding inode_of_function(const struct btf *btf, uint32_t pointee, const char *function)
{
	const struct btf_type *type = btf_underneath(btf, pointee);
	const char *end = function ? strchr(function, '_') : NULL;
	_cleanup_(strbuf_release) struct strbuf name = {};
	struct known_container row = { .member = "vfs_inode" };

	if (!end || end == function || !type || !btf_is_struct(type) || strcmp(btf_type_name(btf, type), "inode"))
		return (struct embedding){};
	strbuf_add(&name, function, end - function);
	strbuf_addstr(&name, "_inode_info");
	row.in = strbuf_str(&name);
	return find_embedding(btf, pointee, &row);
}

void follow_container(struct expression *to, int64_t offset, uint8_t size, const char *function)
{
	uint32_t pointee = to->type ? btf_pointee(to->btf, to->type) : 0;
	int64_t within = pointee ? btf_size_of(to->btf, pointee) : -1;
	const struct known_container *row = to->entries;
	struct embedding found = {};
	struct strbuf text = {};
	uint32_t type;

	if (within < 0 || to->stride || (size && offset >= 0 && offset + size <= within) || (!size && !offset))
		return;
	if (!row && pointee)
		row = embedding_of(to->btf, pointee);
	if (row)
		found = find_embedding(to->btf, pointee, row);
	else
		found = inode_of_function(to->btf, pointee, function);
	type = found.in ? btf_pointer_to(to->btf, found.in) : 0;
	if (!type || offset + found.at < 0 || (!size && offset + found.at) ||
	    offset + found.at + size > btf_size_of(to->btf, found.in))
		return;
	strbuf_addf(&text, "container_of(%s, struct %s, %s)", to->text.s,
		    btf_type_name(to->btf, btf__type_by_id(to->btf, found.in)), found.member);
	strbuf_release(&to->text);
	to->text = text;
	to->type = type;
	to->offset += found.at;
	to->entries = NULL;
	to->owner = (struct expression_owner){};
	to->called = to->called_at = 0;
	to->is_by_pointer = to->is_variable = to->is_global = false;
}
