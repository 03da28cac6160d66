// SPDX-License-Identifier: BSD-2-Clause
/* Follows container_of(): from a member to the struct that it is in. */
#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/explain/function/operand_internal.h"
#include "util/kernel/types/btf_types.h"

/* Heads of lists, and the member by which the entries are in them. */
struct list_entries {
	const char *of, *head; /* the path to the first entry, from a struct */
	const char *in, *member;
};

static const struct list_entries lists[] = {
	{ "dentry", ".d_children.first", "dentry", "d_sib" },
	{ "dentry", ".d_subdirs.next", "dentry", "d_child" },
	{ "cgroup_subsys_state", ".children.next", "cgroup_subsys_state", "sibling" },
};

const struct list_entries *list_entries_at(const struct btf *btf, uint32_t id, const char *path)
{
	const struct btf_type *type = btf_underneath(btf, id);

	for (size_t i = 0; type && i < ARRAY_SIZE(lists); i++) {
		if (!strcmp(lists[i].head, path) && !strcmp(lists[i].of, btf_type_name(btf, type)))
			return &lists[i];
	}
	return NULL;
}

/* A member in a struct. */
struct embedding {
	uint32_t in; /* the struct; 0: none */
	const char *member;
	int64_t at; /* bytes */
};

/* By the table; `in` stays 0 if this kernel has it otherwise. */
static struct embedding entry_of(const struct btf *btf, uint32_t pointee, const struct list_entries *entries)
{
	int32_t in = btf__find_by_name_kind(btf, entries->in, BTF_KIND_STRUCT);
	struct btf_place place;

	if (in <= 0 || !btf_find_member(btf, in, entries->member, &place) || place.bit_offset % 8 ||
	    btf_underneath(btf, place.type) != btf_underneath(btf, pointee))
		return (struct embedding){};
	return (struct embedding){ in, entries->member, place.bit_offset / 8 };
}

/* The type of a member, or of the elements if it is an array. */
static const struct btf_type *element_type(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_underneath(btf, id);

	for (int i = 0; type && btf_is_array(type) && i < BTF_MAX_NESTING; i++)
		type = btf_underneath(btf, btf_array(type)->type);
	return type;
}

/*
 * Of a struct that only one member of all structs has as its type, and that has a name alone: all of them are
 * there, but for variables.
 */
static struct embedding only_embedding(const struct btf *btf, uint32_t pointee)
{
	const struct btf_type *target = btf_underneath(btf, pointee);
	const char *name = target && btf_is_struct(target) ? btf_type_name(btf, target) : "";
	struct embedding found = {};
	uint32_t types = btf__type_cnt(btf);

	for (uint32_t id = 1; *name && id < types; id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (!btf_is_composite(type))
			continue;
		if (type != target && btf_is_struct(type) && !strcmp(btf_type_name(btf, type), name))
			return (struct embedding){};
		for (uint32_t i = 0; i < btf_vlen(type); i++) {
			const struct btf_member *member = &btf_members(type)[i];
			struct btf_place place;

			if (element_type(btf, member->type) != target)
				continue;
			place = btf_member_place(btf, type, i);
			if (found.in || !btf_is_struct(type) || !*btf_type_name(btf, type) ||
			    !*btf_name(btf, member->name_off) || place.bit_offset % 8 ||
			    btf_underneath(btf, member->type) != target)
				return (struct embedding){};
			found = (struct embedding){ id, btf_name(btf, member->name_off), place.bit_offset / 8 };
		}
	}
	return found;
}

void follow_container(struct expression *to, int64_t offset, uint8_t size)
{
	uint32_t pointee = to->type ? btf_pointee(to->btf, to->type) : 0;
	int64_t within = pointee ? btf_size_of(to->btf, pointee) : -1;
	struct embedding found = {};
	struct strbuf text = {};
	uint32_t type;

	if (within < 0 || to->stride || (size && offset >= 0 && offset + size <= within) || (!size && !offset))
		return;
	if (to->entries)
		found = entry_of(to->btf, pointee, to->entries);
	/* Behind it there may be another one of the same. */
	else if (to->offset < 0 || offset < 0)
		found = only_embedding(to->btf, pointee);
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
	to->called = to->called_at = 0;
	to->is_by_pointer = to->is_variable = false;
}
