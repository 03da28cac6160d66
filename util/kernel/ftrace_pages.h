/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's own list of places that ftrace can trace, read from its memory.
 *
 * tracefs lists the same places, by name. For that file the kernel looks up each name, and walks
 * the list from its beginning for each page that is read. That takes longer than the rest of a
 * run's start.
 */
#ifndef RETSNOOP_KERNEL_FTRACE_PAGES_H
#define RETSNOOP_KERNEL_FTRACE_PAGES_H

#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/symbols/code_source.h"

struct btf;

typedef VEC(uint64_t) addr_vec;

/**
 * Read the addresses of all ftrace locations, in no order. If the list changes meanwhile (a
 * module is loaded), some addresses may be wrong: the caller maps them to symbols.
 *
 * @types	the kernel's BTF
 * @list	address of the kernel's pointer to the list (struct ftrace_page)
 * @ret_addrs	release with vec_release()
 * @return	0; -ENOENT @types lacks the list's structs; -EBADMSG there is no such list at
 *		@list; -EPERM, -EFAULT and others memory cannot be read; -ENOMEM. Nothing is
 *		reported.
 */
int ftrace_pages_read(const struct btf *types, const struct code_source *memory, uint64_t list,
		      addr_vec *ret_addrs);

#endif
