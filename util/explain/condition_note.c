// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's meaning of bits that a condition tested. */
#include <bpf/btf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/text/capability_name.h"
#include "util/explain/condition_internal.h"
#include "util/explain/function/operand.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"

/* The capability of one bit of a kernel_cap_t, which was an array of two words up to 6.2. NULL: it is none. */
static const char *capability_of(const char *name, uint64_t mask, bool *ret_array)
{
	static const char *const sets[] = { "cap_effective", "cap_permitted", "cap_inheritable", "cap_bset",
					    "cap_ambient" };
	const char *member = strrchr(name, '>');
	int bit = __builtin_ctzll(mask | 1ull << 63);

	if (!member || !mask || mask & (mask - 1))
		return NULL;
	member++;
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		const char *part = startswith(member, sets[i]) ? member + strlen(sets[i]) : "";

		*ret_array = *part == '.' && strcmp(part, ".val");
		if (!strcmp(part, ".val") || !strcmp(part, ".cap[0]"))
			return capability_name(bit);
		if (!strcmp(part, ".cap[1]"))
			return capability_name(bit + 32);
	}
	return NULL;
}

/* "nlh->nlmsg_flags" of "(nlh->nlmsg_flags & 0x300)"; owned. NULL: without a name, or without memory. */
static char *name_without_mask(const struct decision_operand *like)
{
	const char *sign = like->is_masked && like->name && *like->name == '(' ? strstr(like->name, " & ") : NULL;

	if (sign)
		return strndup(like->name + 1, sign - like->name - 1);
	return like->name ? strdup(like->name) : NULL;
}

bool condition_add_flag(struct strbuf *text, const struct decision_operand *like, uint64_t mask)
{
	_cleanup_(free_p) char *member = name_without_mask(like);
	bool is_array = false;
	const char *name;

	if (!member)
		return false;
	name = capability_of(member, mask, &is_array);
	if (name) {
		strbuf_addf(text, is_array ? "CAP_TO_MASK(%s)" : "BIT(%s)", name);
		return true;
	}
	return (like->is_new_request && condition_add_new_request_flags(text, mask)) ||
	       condition_add_kernel_flags(text, member, mask);
}

/*
 * A value of enum dentry_flags (include/linux/dcache.h), which BTF has since the bits with the type of the directory
 * entry's file moved; before, they were macros, and the same from 5.10 on: @old. 0: not known.
 */
static uint64_t entry_flag(const struct operand_way *way, const char *name, uint64_t old)
{
	const struct btf *btf = way->btf ? kernel_btf_types(way->btf, 0) : NULL;
	const struct btf_type *flags;
	int id;

	if (!btf)
		return 0;
	id = btf__find_by_name_kind(btf, "dentry_flags", BTF_KIND_ENUM);
	if (id < 0)
		return old;
	flags = btf__type_by_id(btf, id);
	for (int i = 0; i < btf_vlen(flags); i++) {
		if (!strcmp(btf_name(btf, btf_enum(flags)[i].name_off), name))
			return (uint32_t)btf_enum(flags)[i].val;
	}
	return 0;
}

static uint64_t entry_type_mask(const struct operand_way *way)
{
	return entry_flag(way, "DCACHE_ENTRY_TYPE", 0x700000);
}

/* Whether it is "(dentry->d_flags & MASK)" with these bits. */
static bool is_entry_type(const char *name, uint64_t mask)
{
	char end[32];

	snprintf(end, sizeof(end), "->d_flags & %#" PRIx64 ")", mask);
	return endswith(name, end);
}

/* Which type: bits of d_flags were compared with @type. */
static const char *entry_type_note(const struct operand_way *way, const char *name, uint64_t type, bool is_equal)
{
	uint64_t mask = entry_type_mask(way);
	uint64_t directory = entry_flag(way, "DCACHE_DIRECTORY_TYPE", 0x200000);
	/* "Lookupless directory (presumed automount)" */
	uint64_t automount = entry_flag(way, "DCACHE_AUTODIR_TYPE", 0x300000);

	if (!mask || !type)
		return NULL;
	if (type == directory && is_entry_type(name, mask))
		return is_equal ? "a directory to look into" : "not a directory to look into";
	if (type == directory && is_entry_type(name, mask & ~(automount ^ directory)))
		return is_equal ? "a directory" : "not a directory";
	if (type == entry_flag(way, "DCACHE_SYMLINK_TYPE", 0x600000) && is_entry_type(name, mask))
		return is_equal ? "a symbolic link" : "not a symbolic link";
	return NULL;
}

const char *condition_note(const struct operand_way *way, const struct decision_condition *condition)
{
	const struct decision_operand *a = &condition->a, *b = &condition->b;
	bool is_equal = condition->condition == CONDITION_EQUAL;
	uint64_t value;

	if (!a->is_named || a->is_negated || b->name || b->operand.kind != OPERAND_CONSTANT ||
	    (!is_equal && condition->condition != CONDITION_NOT_EQUAL))
		return NULL;
	value = zero_extend(b->value, b->operand.size);
	if (condition->kind == OPERANDS_COMPARE && a->is_masked)
		return entry_type_note(way, a->name, value, is_equal);
	if (condition->kind != OPERANDS_MASK || !endswith(a->name, "->d_flags") || value != entry_type_mask(way))
		return NULL;
	/* DCACHE_MISS_TYPE is 0. */
	return is_equal ? "no such file" : "the file exists";
}
