/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions that the kernel replaces while it runs: jump labels and static calls. It refuses kprobes
 * there (check_kprobe_address_safe() of kernel/kprobes.c, 5.10 to 7.2). Modules have lists of their own,
 * which are not read.
 */
#ifndef RETSNOOP_KERNEL_CODE_PATCHED_CODE_H
#define RETSNOOP_KERNEL_CODE_PATCHED_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/symbols/code_source.h"

struct kernel_tables;

struct patched_code {
	VEC(uint64_t) v;	/* addresses of instructions, sorted */
	bool known;		/* else the lists could not be read */
};

/* Read the kernel's lists. 0, also if they cannot be read; -ENOMEM (not reported). */
int patched_code_read(const struct code_source *source, const struct kernel_tables *tables,
		      struct patched_code *patched);
void patched_code_release(struct patched_code *patched);

bool patched_code_has(const struct patched_code *patched, uint64_t addr);

#endif
