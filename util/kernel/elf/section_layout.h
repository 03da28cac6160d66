/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef RETSNOOP_KERNEL_ELF_SECTION_LAYOUT_H
#define RETSNOOP_KERNEL_ELF_SECTION_LAYOUT_H

#include <stdint.h>

/* The addresses of the sections of a relocatable file (a module). */
struct section_layout {
	/* 0 and the address of a section by name; -ENOENT: any unused address. */
	int (*place)(void *arg, const char *section, uint64_t *ret_addr);
	void *arg;
};

#endif
