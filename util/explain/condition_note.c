// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's meaning of bits that a condition tested. */
#include <bpf/btf.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/explain/condition_internal.h"
#include "util/explain/function/operand.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"

/* Bits of fop_flags that had the same meaning in each Linux that has them, from 6.10 on (include/linux/fs.h). */
static const char *flag_of_operations(uint64_t mask)
{
	switch (mask) {
	case 0x4:
		return "FOP_MMAP_SYNC";
	case 0x10:
		return "FOP_HUGE_PAGES";
	case 0x20:
		return "FOP_UNSIGNED_OFFSET";
	case 0x80:
		return "FOP_DONTCACHE";
	default:
		return NULL;
	}
}

const char *condition_flag(const struct decision_operand *like, uint64_t mask)
{
	if (like->name && endswith(like->name, "->fop_flags"))
		return flag_of_operations(mask);
	/* Other flags of include/uapi/linux/netlink.h share their bits; NLM_F_ATOMIC is 0x400, too, but never tested. */
	if (!like->name || (!endswith(like->name, "->nlmsg_flags") && !endswith(like->name, "->fc_nlflags")))
		return NULL;
	return mask == 0x400 ? "NLM_F_CREATE" : mask == 0x800 ? "NLM_F_APPEND" : NULL;
}

/*
 * The bits of dentry->d_flags with the type of the directory entry's file (include/linux/dcache.h): an enum that BTF
 * has since they moved; before, they were macros, and the same from 5.10 on. 0: not known.
 */
static uint64_t entry_type_mask(const struct operand_way *way)
{
	const struct btf *btf = way->btf ? kernel_btf_types(way->btf, 0) : NULL;
	const struct btf_type *flags;
	int id;

	if (!btf)
		return 0;
	id = btf__find_by_name_kind(btf, "dentry_flags", BTF_KIND_ENUM);
	if (id < 0)
		return 0x700000;
	flags = btf__type_by_id(btf, id);
	for (int i = 0; i < btf_vlen(flags); i++) {
		if (!strcmp(btf_name(btf, btf_enum(flags)[i].name_off), "DCACHE_ENTRY_TYPE"))
			return (uint32_t)btf_enum(flags)[i].val;
	}
	return 0;
}

const char *condition_note(const struct operand_way *way, const struct decision_condition *condition)
{
	const struct decision_operand *a = &condition->a, *b = &condition->b;
	bool is_equal = condition->condition == CONDITION_EQUAL;

	if (condition->kind != OPERANDS_MASK || !a->is_named || a->is_negated || b->name ||
	    b->operand.kind != OPERAND_CONSTANT || (!is_equal && condition->condition != CONDITION_NOT_EQUAL) ||
	    !endswith(a->name, "->d_flags") ||
	    zero_extend(b->value, b->operand.size) != entry_type_mask(way))
		return NULL;
	/* DCACHE_MISS_TYPE is 0. */
	return is_equal ? "no such file" : "the file exists";
}
