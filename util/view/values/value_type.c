// SPDX-License-Identifier: BSD-2-Clause
/* Names of BTF's types. */
#include "util/view/values/value_type.h"

#include "util/kernel/types/btf_types.h"

static void add_type_name(struct strbuf *sb, const struct btf *btf, uint32_t id, int depth)
{
	const struct btf_type *type = id ? btf__type_by_id(btf, id) : NULL;

	if (!id) {
		strbuf_addstr(sb, "void");
		return;
	}
	if (!type || depth > BTF_MAX_NESTING) {
		strbuf_addstr(sb, "?");
		return;
	}
	switch (btf_kind(type)) {
	case BTF_KIND_PTR:
		add_type_name(sb, btf, type->type, depth + 1);
		strbuf_addstr(sb, sb->len && sb->s[sb->len - 1] == '*' ? "*" : " *");
		return;
	case BTF_KIND_CONST:
		strbuf_addstr(sb, "const ");
		break;
	case BTF_KIND_VOLATILE:
		strbuf_addstr(sb, "volatile ");
		break;
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		break;
	case BTF_KIND_ARRAY:
		add_type_name(sb, btf, btf_array(type)->type, depth + 1);
		strbuf_addf(sb, "[%u]", btf_array(type)->nelems);
		return;
	case BTF_KIND_FUNC_PROTO:
		strbuf_addstr(sb, "function");
		return;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_FWD:
		strbuf_addstr(sb, btf_is_union(type) || (btf_is_fwd(type) && btf_kflag(type)) ?
				  "union" : "struct");
		if (*btf_type_name(btf, type))
			strbuf_addf(sb, " %s", btf_type_name(btf, type));
		return;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		strbuf_addstr(sb, "enum");
		if (*btf_type_name(btf, type))
			strbuf_addf(sb, " %s", btf_type_name(btf, type));
		return;
	default:
		strbuf_addstr(sb, *btf_type_name(btf, type) ? btf_type_name(btf, type) : "?");
		return;
	}
	add_type_name(sb, btf, type->type, depth + 1);
}

void value_type_add(struct strbuf *sb, const struct btf *btf, uint32_t type)
{
	add_type_name(sb, btf, type, 0);
}
