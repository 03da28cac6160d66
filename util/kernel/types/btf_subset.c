// SPDX-License-Identifier: BSD-2-Clause
/* Copying types. */
#include "util/kernel/types/btf_subset.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/base/vec.h"
#include "util/kernel/types/btf_types.h"

/* A type to copy, in one of two forms. Its id in the subset is its index + 1. */
struct wanted {
	const struct btf *from;
	uint32_t id;
	bool named;	/* a pointer points to it: only its name */
};

struct btf_subset {
	struct btf *btf;
	VEC(struct wanted) list;
	size_t nr_copied;	/* of the list */
	uint32_t *slots;	/* by hash: index + 1; 0 free */
	size_t nr_slots;	/* a power of two */
	bool failed;		/* out of memory on the way */
};

struct btf_subset *btf_subset_new(void)
{
	struct btf_subset *subset = calloc(1, sizeof(*subset));

	if (!subset)
		return NULL;
	subset->btf = btf__new_empty();
	if (!subset->btf) {
		free(subset);
		return NULL;
	}
	return subset;
}

void btf_subset_free(struct btf_subset *subset)
{
	if (!subset)
		return;
	btf__free(subset->btf);
	vec_release(&subset->list);
	free(subset->slots);
	free(subset);
}

const struct btf *btf_subset_btf(const struct btf_subset *subset)
{
	return subset->btf;
}

static size_t hash_of(const struct wanted *wanted)
{
	uint64_t hash = (uintptr_t)wanted->from ^ ((uint64_t)wanted->id << 1 | wanted->named);

	return hash * 0x9e3779b97f4a7c15ull >> 32;
}

static bool same_wanted(const struct wanted *a, const struct wanted *b)
{
	return a->from == b->from && a->id == b->id && a->named == b->named;
}

/* Where it is, or would be. */
static uint32_t *slot_of(const struct btf_subset *subset, const struct wanted *wanted)
{
	size_t mask = subset->nr_slots - 1, at = hash_of(wanted) & mask;

	while (subset->slots[at] && !same_wanted(&subset->list.data[subset->slots[at] - 1], wanted))
		at = (at + 1) & mask;
	return &subset->slots[at];
}

static int grow_slots(struct btf_subset *subset)
{
	size_t nr = subset->nr_slots ? 2 * subset->nr_slots : 256;
	uint32_t *slots;

	if (2 * (subset->list.len + 1) <= subset->nr_slots)
		return 0;
	slots = calloc(nr, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(subset->slots);
	subset->slots = slots;
	subset->nr_slots = nr;
	for (size_t i = 0; i < subset->list.len; i++)
		*slot_of(subset, &subset->list.data[i]) = i + 1;
	return 0;
}

/* The type's id in the subset; the type is copied later. */
static uint32_t want_type(struct btf_subset *subset, const struct btf *from, uint32_t id,
			  bool named)
{
	const struct btf *base = btf__base_btf(from);
	struct wanted wanted = { from, id, named };
	uint32_t *slot;

	if (!id || !btf__type_by_id(from, id))
		return 0;
	/* Types of vmlinux are the same seen from any module. */
	if (base && id < btf__type_cnt(base))
		wanted.from = base;
	if (grow_slots(subset))
		goto oom;
	slot = slot_of(subset, &wanted);
	if (*slot)
		return *slot;
	if (vec_push(&subset->list, wanted))
		goto oom;
	return *slot = subset->list.len;
oom:
	subset->failed = true;
	return 0;
}

/* Copy a type; its references still have the ids of the source. NULL: out of memory. */
static struct btf_type *copy_type(struct btf_subset *subset, const struct wanted *wanted,
				  const struct btf_type *type)
{
	int id = btf__add_type(subset->btf, wanted->from, type);

	return id > 0 ? (struct btf_type *)btf__type_by_id(subset->btf, id) : NULL;
}

/* Copy only the name of a type. */
static bool copy_name(struct btf_subset *subset, const struct wanted *wanted,
		      const struct btf_type *type)
{
	const char *name = btf_type_name(wanted->from, type);
	bool is_union = btf_is_union(type);

	if (btf_is_any_enum(type))
		return btf__add_enum(subset->btf, name, type->size) > 0;
	if (*name)
		return btf__add_fwd(subset->btf, name, is_union ? BTF_FWD_UNION : BTF_FWD_STRUCT) >
		       0;
	return (is_union ? btf__add_union(subset->btf, name, 0) :
			   btf__add_struct(subset->btf, name, 0)) > 0;
}

/* The copy moves when something else is added: types are wanted first, put in last. */
static bool copy_composite(struct btf_subset *subset, const struct wanted *wanted,
			   const struct btf_type *type)
{
	struct btf_type *copied = copy_type(subset, wanted, type);

	for (int i = 0; copied && i < btf_vlen(type); i++)
		btf_members(copied)[i].type =
			want_type(subset, wanted->from, btf_members(type)[i].type, false);
	return copied;
}

static bool copy_proto(struct btf_subset *subset, const struct wanted *wanted,
		       const struct btf_type *type)
{
	struct btf_type *copied;

	/* After a pointer, only the kind matters: a function. */
	if (wanted->named)
		return btf__add_func_proto(subset->btf, 0) > 0;
	copied = copy_type(subset, wanted, type);
	if (!copied)
		return false;
	copied->type = want_type(subset, wanted->from, type->type, false);
	for (int i = 0; i < btf_vlen(type); i++)
		btf_params(copied)[i].type =
			want_type(subset, wanted->from, btf_params(type)[i].type, false);
	return true;
}

static bool copy_array(struct btf_subset *subset, const struct wanted *wanted,
		       const struct btf_type *type)
{
	struct btf_type *copied = copy_type(subset, wanted, type);

	if (!copied)
		return false;
	btf_array(copied)->type =
		want_type(subset, wanted->from, btf_array(type)->type, wanted->named);
	btf_array(copied)->index_type =
		want_type(subset, wanted->from, btf_array(type)->index_type, true);
	return true;
}

static bool copy_wanted(struct btf_subset *subset, const struct wanted *wanted)
{
	const struct btf_type *type = btf__type_by_id(wanted->from, wanted->id);
	struct btf_type *copied;

	switch (btf_kind(type)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return wanted->named ? copy_name(subset, wanted, type) :
				       copy_composite(subset, wanted, type);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return wanted->named ? copy_name(subset, wanted, type) :
				       copy_type(subset, wanted, type) != NULL;
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_FWD:
		return copy_type(subset, wanted, type);
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		copied = copy_type(subset, wanted, type);
		if (!copied)
			return false;
		copied->type = want_type(subset, wanted->from, type->type,
					 wanted->named || btf_is_ptr(type));
		return true;
	case BTF_KIND_ARRAY:
		return copy_array(subset, wanted, type);
	case BTF_KIND_FUNC_PROTO:
		return copy_proto(subset, wanted, type);
	default:
		/* No type of a value. */
		return btf__add_func_proto(subset->btf, 0) > 0;
	}
}

int btf_subset_add(struct btf_subset *subset, const struct btf *from, uint32_t id,
		   uint32_t *ret_id)
{
	uint32_t added = want_type(subset, from, id, false);

	/* Each may want others. */
	while (!subset->failed && subset->nr_copied < subset->list.len) {
		struct wanted wanted = subset->list.data[subset->nr_copied++];

		subset->failed = !copy_wanted(subset, &wanted);
	}
	if (subset->failed)
		return -ENOMEM;
	*ret_id = added;
	return 0;
}
