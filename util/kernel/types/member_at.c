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
	uint32_t size;
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

/*
 * Whether two members are the same but for "const": "union { const struct path f_path; struct path
 * __f_path; }".
 */
static bool is_same_member(const struct btf *btf, const struct btf_place *a,
			   const struct btf_place *b)
{
	const struct btf_type *type = btf_underneath(btf, a->type);

	return a->type != b->type && a->bit_offset == b->bit_offset && type &&
	       btf_is_composite(type) && type == btf_underneath(btf, b->type);
}

/* Exactly one member must have it. */
static int find_in_members(struct search *search, const struct btf_type *type, uint64_t offset,
			   int depth, struct strbuf *path)
{
	struct search found = {};
	struct btf_place first = {};
	size_t before = path->len;
	int nr = 0;

	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		struct btf_place place = btf_member_place(search->btf, type, i);
		const char *name = btf_name(search->btf, btf_members(type)[i].name_off);
		int64_t size = btf_size_of(search->btf, place.type);
		_cleanup_(strbuf_release) struct strbuf own = {};

		if (place.bits || size <= 0 || offset < place.bit_offset / 8 ||
		    offset - place.bit_offset / 8 >= (uint64_t)size ||
		    ++search->looks > MAX_LOOKS)
			continue;
		if (nr && is_same_member(search->btf, &first, &place))
			continue;
		if (*name)
			strbuf_addf(&own, ".%s", name);
		if (find_at(search, place.type, offset - place.bit_offset / 8, depth + 1, &own))
			continue;
		if (nr++)
			break;
		found = *search;
		first = place;
		strbuf_addstr(path, strbuf_str(&own));
	}
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
	if (size <= 0 || offset + search->size > (uint64_t)size)
		return -ENOENT;
	search->type = id;
	search->shift = offset * 8;
	return 0;
}

int btf_member_at(const struct btf *btf, uint32_t id, uint64_t offset, uint32_t size,
		  struct strbuf *path, uint32_t *ret_type, uint32_t *ret_shift)
{
	struct search search = { .btf = btf, .size = size };
	int err = find_at(&search, id, offset, 0, path);

	*ret_type = search.type;
	*ret_shift = search.shift;
	return err;
}
