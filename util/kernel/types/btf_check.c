// SPDX-License-Identifier: BSD-2-Clause
/* Checking BTF that came out of a file. */
#include "util/kernel/types/btf_check.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "util/base/cleanup.h"

/* Types nested in each other; kernels have up to 32. */
#define MAX_NESTING 512
/* Limit of the types visited from one type; kernels have up to 5,402. */
#define MAX_WEIGHT (1u << 20)

/*
 * A type is walked through in two ways. By value, members of a struct are walked through, and what
 * pointers lead to is not. By declaration, as behind a pointer, it ends at a name.
 */
enum way { BY_VALUE, BY_DECLARATION, NR_WAYS };

/* The state of a walk through a type. */
struct walk {
	uint32_t weight;	/* types, those met again counted again; 0: not known yet */
	uint16_t depth;
	bool underway;
};

struct checker {
	const struct btf *btf;
	uint32_t nr;		/* ids are below that */
	struct walk *walks;	/* by NR_WAYS * id + way */
	int depth;
};

static bool add_walk(struct checker *checker, uint32_t id, enum way way, struct walk *whole);

static bool has_name(const struct btf *btf, const struct btf_type *type)
{
	const char *name = btf__name_by_offset(btf, type->name_off);

	return name && *name;
}

static bool add_parts(struct checker *checker, const struct btf_type *type, enum way way,
		      struct walk *whole)
{
	const struct btf_member *members;
	const struct btf_param *params;

	switch (btf_kind(type)) {
	case BTF_KIND_PTR:
		return add_walk(checker, type->type, BY_DECLARATION, whole);
	case BTF_KIND_TYPEDEF:
		return way == BY_DECLARATION || add_walk(checker, type->type, way, whole);
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return add_walk(checker, type->type, way, whole);
	case BTF_KIND_ARRAY:
		return add_walk(checker, btf_array(type)->type, way, whole);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		if (way == BY_DECLARATION && has_name(checker->btf, type))
			return true;
		members = btf_members(type);
		for (int i = 0; i < btf_vlen(type); i++) {
			if (!add_walk(checker, members[i].type, way, whole))
				return false;
		}
		return true;
	case BTF_KIND_FUNC:
		return add_walk(checker, type->type, BY_DECLARATION, whole);
	case BTF_KIND_FUNC_PROTO:
		params = btf_params(type);
		for (int i = 0; i < btf_vlen(type); i++) {
			if (!add_walk(checker, params[i].type, BY_DECLARATION, whole))
				return false;
		}
		return add_walk(checker, type->type, BY_DECLARATION, whole);
	default:
		return true;
	}
}

/* Recursion is bounded by MAX_NESTING; each type is walked through once in each way. */
static bool add_walk(struct checker *checker, uint32_t id, enum way way, struct walk *whole)
{
	struct walk *walk = &checker->walks[NR_WAYS * (size_t)id + way];
	struct walk own = { .weight = 1 };
	bool fine;

	if (!id)
		return true;
	if (walk->underway)
		return false;
	if (!walk->weight) {
		if (checker->depth == MAX_NESTING)
			return false;
		checker->depth++;
		walk->underway = true;
		fine = add_parts(checker, btf__type_by_id(checker->btf, id), way, &own);
		walk->underway = false;
		checker->depth--;
		if (!fine)
			return false;
		*walk = own;
	}
	whole->weight += walk->weight;
	if (whole->depth <= walk->depth)
		whole->depth = walk->depth + 1;
	return whole->weight <= MAX_WEIGHT && whole->depth <= MAX_NESTING;
}

static bool is_name(const struct checker *checker, uint32_t offset)
{
	return btf__name_by_offset(checker->btf, offset);
}

/* Whether all references of a type exist. */
static bool has_all(const struct checker *checker, const struct btf_type *type)
{
	const struct btf_var_secinfo *vars;
	const struct btf_member *members;
	const struct btf_enum64 *enums64;
	const struct btf_param *params;
	const struct btf_enum *enums;
	int nr = btf_vlen(type);

	if (!is_name(checker, type->name_off))
		return false;
	switch (btf_kind(type)) {
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
	case BTF_KIND_DECL_TAG:
	case BTF_KIND_FUNC:
	case BTF_KIND_VAR:
		return type->type < checker->nr;
	case BTF_KIND_ARRAY:
		return btf_array(type)->type < checker->nr &&
		       btf_array(type)->index_type < checker->nr;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		members = btf_members(type);
		for (int i = 0; i < nr; i++) {
			if (members[i].type >= checker->nr ||
			    !is_name(checker, members[i].name_off))
				return false;
		}
		return true;
	case BTF_KIND_ENUM:
		enums = btf_enum(type);
		for (int i = 0; i < nr; i++) {
			if (!is_name(checker, enums[i].name_off))
				return false;
		}
		return true;
	case BTF_KIND_ENUM64:
		enums64 = btf_enum64(type);
		for (int i = 0; i < nr; i++) {
			if (!is_name(checker, enums64[i].name_off))
				return false;
		}
		return true;
	case BTF_KIND_FUNC_PROTO:
		params = btf_params(type);
		for (int i = 0; i < nr; i++) {
			if (params[i].type >= checker->nr || !is_name(checker, params[i].name_off))
				return false;
		}
		return type->type < checker->nr;
	case BTF_KIND_DATASEC:
		vars = btf_var_secinfos(type);
		for (int i = 0; i < nr; i++) {
			if (vars[i].type >= checker->nr)
				return false;
		}
		return true;
	default:
		return true;
	}
}

int btf_check(const struct btf *btf)
{
	struct checker checker = { .btf = btf, .nr = btf__type_cnt(btf) };
	_cleanup_(free_p) struct walk *walks = calloc(NR_WAYS * (size_t)checker.nr, sizeof(*walks));
	uint32_t id;

	if (!walks)
		return -ENOMEM;
	checker.walks = walks;
	for (id = 1; id < checker.nr; id++) {
		if (!has_all(&checker, btf__type_by_id(btf, id)))
			return -EBADMSG;
	}
	for (id = 1; id < checker.nr; id++) {
		for (enum way way = BY_VALUE; way < NR_WAYS; way++) {
			struct walk whole = {};

			if (!add_walk(&checker, id, way, &whole))
				return -EBADMSG;
		}
	}
	return 0;
}
