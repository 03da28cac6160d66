/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's exception table: where code goes on after expected faults, such as of user memory.
 * Modules have tables of their own, which are not read.
 */
#ifndef RETSNOOP_KERNEL_CODE_FAULT_TABLE_H
#define RETSNOOP_KERNEL_CODE_FAULT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/symbols/code_source.h"

struct fault_entry {
	uint64_t insn;	/* the instruction that may fault */
	uint64_t fixup;	/* where execution goes on */
};

struct fault_table {
	VEC(struct fault_entry) v;	/* by `insn` */
};

/**
 * Read the table that lies in [start, end).
 *
 * @return	0; -ENOENT its place is not known; -EFAULT it cannot be read; -ENOMEM. Not
 *		reported.
 */
int fault_table_read(const struct code_source *source, uint64_t start, uint64_t end,
		     struct fault_table *table);
void fault_table_release(struct fault_table *table);

/* The entry of an instruction; NULL: it is not in the table. */
const struct fault_entry *fault_table_at(const struct fault_table *table, uint64_t insn);

#endif
