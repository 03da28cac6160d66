// SPDX-License-Identifier: BSD-2-Clause
/* Members by offset. */
#include "util/kernel/types/member_at.h"

#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/kernel/types/btf_types.h"

/* Broken BTF could have members without end. */
#define MAX_LOOKS 10000

struct search {
	const struct btf *btf;
	const struct union_member *known; /* NULL: of no union */
	bool inside; /* that union */
	uint32_t size;
	bool of_bit; /* a bit-field is looked for, that is the bit alone: the lowest is 0 */
	uint32_t bit;
	uint32_t looks;
	uint32_t type, shift;
};

static int find_at(struct search *search, uint32_t id, uint64_t offset, int depth,
		   struct strbuf *path);

static int find_in_element(struct search *search, const struct btf_array *array, uint64_t offset,
			   int depth, struct strbuf *path)
{
	int64_t size = btf_size_of(search->btf, array->type);

	if (size <= 0 || offset / size >= array->nelems)
		return -ENOENT;
	strbuf_addf(path, "[%llu]", (unsigned long long)(offset / size));
	return find_at(search, array->type, offset % size, depth + 1, path);
}

static const char *name_of(const struct btf *btf, const struct btf_member *member)
{
	return btf_name(btf, member->name_off);
}

/*
 * Whether two members are one group of members, which has a name for when it is used as one: "union { struct { next,
 * prev; }; struct { next, prev; } list; }", as struct_group() makes them.
 */
static bool is_same_group(const struct btf *btf, const struct btf_member *first, const struct btf_member *second)
{
	const struct btf_type *a = btf_underneath(btf, first->type), *b = btf_underneath(btf, second->type);

	if (*name_of(btf, first) || !*name_of(btf, second) || !a || !b || a == b || !btf_is_struct(a) ||
	    !btf_is_struct(b) || btf_vlen(a) != btf_vlen(b) || a->size != b->size)
		return false;
	for (uint32_t i = 0; i < btf_vlen(a); i++) {
		const struct btf_member *of_a = &btf_members(a)[i], *of_b = &btf_members(b)[i];

		if (of_a->type != of_b->type || of_a->offset != of_b->offset ||
		    strcmp(name_of(btf, of_a), name_of(btf, of_b)))
			return false;
	}
	return true;
}

/*
 * Whether two members are the same but for "const", and underscores: "union { const struct path f_path;
 * struct path __f_path; }", "union { const unsigned int i_nlink; unsigned int __i_nlink; }"; or for a group's name.
 */
static bool is_same_member(const struct btf *btf, const struct btf_type *type, uint32_t first, uint32_t second)
{
	const struct btf_place a = btf_member_place(btf, type, first);
	const struct btf_place b = btf_member_place(btf, type, second);
	const struct btf_type *of = btf_underneath(btf, a.type);
	const char *one = name_of(btf, &btf_members(type)[first]), *other = name_of(btf, &btf_members(type)[second]);

	if (a.bit_offset == b.bit_offset && is_same_group(btf, &btf_members(type)[first], &btf_members(type)[second]))
		return true;
	if (a.type == b.type || a.bit_offset != b.bit_offset || !of || of != btf_underneath(btf, b.type))
		return false;
	return btf_is_composite(of) || (*one && !strcmp(one + strspn(one, "_"), other + strspn(other, "_")));
}

/*
 * Whether a number of a union is only another view of a struct beside it, of which a part was read:
 * "union { struct { u32 hash, len; }; u64 hash_len; }".
 */
static bool is_view_of_struct(struct search *search, const struct btf_type *type, uint32_t index)
{
	const struct btf_place place = btf_member_place(search->btf, type, index);
	const struct btf_type *of = btf_underneath(search->btf, place.type);
	int64_t size = btf_size_of(search->btf, place.type);

	if (!btf_is_union(type) || !of || !btf_is_int(of) || size <= search->size)
		return false;
	for (uint32_t i = 0; i < btf_vlen(type) && ++search->looks <= MAX_LOOKS; i++) {
		const struct btf_place beside = btf_member_place(search->btf, type, i);

		of = btf_underneath(search->btf, beside.type);
		if (of && btf_is_struct(of) && btf_size_of(search->btf, beside.type) == size)
			return true;
	}
	return false;
}

/*
 * Whether a union's member is used only by whoever frees the object, or has freed it: a head for RCU, or the
 * allocator's pointer, a freeptr_t of Linux 6.12 and later.
 */
static bool is_of_freed(const struct btf *btf, const struct btf_type *type, uint32_t index)
{
	const struct btf_type *of = btf__type_by_id(btf, btf_members(type)[index].type);
	const char *name = name_of(btf, &btf_members(type)[index]);

	if (!btf_is_union(type) || !of)
		return false;
	if (btf_is_typedef(of))
		return !strcmp(btf_type_name(btf, of), "freeptr_t");
	return btf_is_struct(of) && !strcmp(btf_type_name(btf, of), "callback_head") && strstr(name, "rcu");
}

/* Whether a bit-field is just what is accessed: "enum fs_context_phase phase:8", or what is tested of it. */
static bool is_all_of_field(const struct search *search, const struct btf_place *place, uint64_t offset)
{
	if (search->of_bit)
		return place->bits == 1 && place->bit_offset == offset * 8 + search->bit;
	return place->bits == search->size * 8 && place->bit_offset == offset * 8;
}

static bool has_member(struct search *search, const struct btf_type *type, int depth);

/* Whether a member has the known name, or has a member with it and no name itself. */
static bool has_name(struct search *search, const struct btf_member *member, int depth)
{
	const char *own = name_of(search->btf, member);

	return *own ? !strcmp(own, search->known->name) :
		      has_member(search, btf_underneath(search->btf, member->type), depth + 1);
}

static bool has_member(struct search *search, const struct btf_type *type, int depth)
{
	if (!type || !btf_is_composite(type) || depth > BTF_MAX_NESTING)
		return false;
	for (uint32_t i = 0; i < btf_vlen(type) && ++search->looks <= MAX_LOOKS; i++) {
		if (has_name(search, &btf_members(type)[i], depth))
			return true;
	}
	return false;
}

/* Exactly one member must have it. */
static int find_in_members(struct search *search, const struct btf_type *type, uint64_t offset,
			   int depth, struct strbuf *path)
{
	const bool inside = search->inside;
	struct search found = {};
	size_t before = path->len;
	uint32_t first = 0;
	bool use_is_known;
	int nr = 0;

	search->inside |= search->known && !strcmp(btf_type_name(search->btf, type), search->known->of);
	use_is_known = search->inside && btf_is_union(type) && has_member(search, type, 0);
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		struct btf_place place = btf_member_place(search->btf, type, i);
		const char *name = name_of(search->btf, &btf_members(type)[i]);
		int64_t size = btf_size_of(search->btf, place.type);
		_cleanup_(strbuf_release) struct strbuf own = {};

		if (place.bits ? !is_all_of_field(search, &place, offset) :
				 size <= 0 || offset < place.bit_offset / 8 ||
					 offset - place.bit_offset / 8 >= (uint64_t)size)
			continue;
		if (++search->looks > MAX_LOOKS)
			continue;
		if ((nr && is_same_member(search->btf, type, first, i)) || is_view_of_struct(search, type, i) ||
		    is_of_freed(search->btf, type, i) ||
		    (use_is_known && !has_name(search, &btf_members(type)[i], 0)))
			continue;
		if (*name)
			strbuf_addf(&own, ".%s", name);
		if (place.bits)
			search->type = search->shift = 0;
		else if (find_at(search, place.type, offset - place.bit_offset / 8, depth + 1, &own))
			continue;
		if (nr++)
			break;
		found = *search;
		first = i;
		strbuf_addstr(path, strbuf_str(&own));
	}
	search->inside = inside;
	if (nr == 1 && search->looks <= MAX_LOOKS) {
		search->type = found.type;
		search->shift = found.shift;
		return 0;
	}
	path->len = before;
	if (path->s)
		path->s[before] = '\0';
	return -ENOENT;
}

static int find_at(struct search *search, uint32_t id, uint64_t offset, int depth,
		   struct strbuf *path)
{
	const struct btf_type *type = btf_underneath(search->btf, id);
	int64_t size;

	if (!type || depth > BTF_MAX_NESTING)
		return -ENOENT;
	if (btf_is_composite(type))
		return find_in_members(search, type, offset, depth, path);
	if (btf_is_array(type))
		return find_in_element(search, btf_array(type), offset, depth, path);
	size = btf_size_of(search->btf, id);
	if (search->of_bit || size <= 0 || offset + search->size > (uint64_t)size)
		return -ENOENT;
	search->type = id;
	search->shift = offset * 8;
	return 0;
}

int btf_member_at(const struct btf *btf, uint32_t id, uint64_t offset, uint32_t size,
		  const struct union_member *known, struct strbuf *path, uint32_t *ret_type, uint32_t *ret_shift)
{
	struct search search = { .btf = btf, .known = known, .size = size };
	int err = find_at(&search, id, offset, 0, path);

	*ret_type = search.type;
	*ret_shift = search.shift;
	return err;
}

int btf_bit_field_at(const struct btf *btf, uint32_t id, uint64_t offset, uint32_t bit,
		     const struct union_member *known, struct strbuf *path)
{
	struct search search = { .btf = btf, .known = known, .size = 1, .of_bit = true, .bit = bit % 8 };

	return find_at(&search, id, offset + bit / 8, 0, path);
}
