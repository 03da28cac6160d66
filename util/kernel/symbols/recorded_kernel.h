/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Facts that identify a kernel that is not running here, to find its debug info and to look up
 * its addresses: releases, build ids, and load addresses.
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_RECORDED_KERNEL_H
#define RETSNOOP_KERNEL_SYMBOLS_RECORDED_KERNEL_H

#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/debug/debuginfo.h"

struct symbols;

#define BOOT_ID_LEN 16

struct recorded_section {
	char *name;	/* ".text" */
	uint64_t addr;	/* where it was loaded */
};

struct recorded_module {
	char *name;
	struct build_id build_id;
	VEC(struct recorded_section) sections;	/* those with code */
};

/* Owns everything in it. Zeroed: nothing is known. */
struct recorded_kernel {
	char *release;			/* uname -r */
	char *machine;			/* uname -m */
	struct build_id build_id;
	uint8_t boot[BOOT_ID_LEN];	/* id of the boot; all 0: not known */
	char *anchor;			/* a symbol of vmlinux: "_stext"; NULL not known */
	uint64_t anchor_addr;		/* where it was loaded (KASLR) */
	VEC(struct recorded_module) modules;
	size_t module_bytes;		/* memory that a recording's modules take, for its limit */
};

/* Read the running kernel's facts. 0; -ENOMEM (reported). Release either way. */
int recorded_kernel_read(struct symbols *symbols, struct recorded_kernel *kernel);
void recorded_kernel_release(struct recorded_kernel *kernel);

/*
 * Read the running kernel's facts about a module; empty if @name is no module. 0; -ENOMEM
 * (reported).
 */
int recorded_module_read(const char *name, struct recorded_module *ret_module);
void recorded_module_release(struct recorded_module *module);

/* The last module with that name; NULL: none. */
const struct recorded_module *recorded_kernel_module(const struct recorded_kernel *kernel,
						     const char *name);

#endif
