/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Some types of a kernel and its modules, with everything needed to show their values, as a BTF
 * of their own: members are complete, targets of pointers have only a name.
 */
#ifndef RETSNOOP_KERNEL_TYPES_BTF_SUBSET_H
#define RETSNOOP_KERNEL_TYPES_BTF_SUBSET_H

#include <stdint.h>

struct btf;
struct btf_subset;

struct btf_subset *btf_subset_new(void);	/* NULL: out of memory */
void btf_subset_free(struct btf_subset *subset);

/**
 * Add a type with its members.
 *
 * @from	must outlive the subset
 * @id		a type of @from; FUNC_PROTOs come with their parameters
 * @ret_id	its id in the subset; 0 for 0, and for ids that @from does not have
 * @return	0; -ENOMEM
 */
int btf_subset_add(struct btf_subset *subset, const struct btf *from, uint32_t id,
		   uint32_t *ret_id);

/* The BTF with all added types. Borrowed. */
const struct btf *btf_subset_btf(const struct btf_subset *subset);

#endif
