/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Some types of a kernel's BTF and its modules', with all that showing values of them takes, as a
 * BTF of their own: members in full, what is behind pointers by its name only.
 */
#ifndef RETSNOOP_KERNEL_TYPES_BTF_SUBSET_H
#define RETSNOOP_KERNEL_TYPES_BTF_SUBSET_H

#include <stdint.h>

struct btf;
struct btf_subset;

struct btf_subset *btf_subset_new(void);	/* NULL: out of memory */
void btf_subset_free(struct btf_subset *subset);

/**
 * Have a type in it, with its members.
 *
 * @from	must outlive the subset
 * @id		a type of @from; FUNC_PROTOs come with their parameters
 * @ret_id	what it is called in the subset; 0 for 0, and for what @from does not have
 * @return	0; -ENOMEM
 */
int btf_subset_add(struct btf_subset *subset, const struct btf *from, uint32_t id,
		   uint32_t *ret_id);

/* All that was added. Borrowed. */
const struct btf *btf_subset_btf(const struct btf_subset *subset);

#endif
