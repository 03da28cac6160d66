/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file or directory whose mode or ACL refused a call: its name, mode and owner, by probes at the
 * beginning of the function that checked.
 */
#ifndef RETSNOOP_WHY_REASONS_REFUSED_H
#define RETSNOOP_WHY_REASONS_REFUSED_H

#include <stdbool.h>
#include <stdint.h>

struct code_reader;
struct kernel_btf;
struct probes;
struct target;

struct refused_object {
	char *name;		/* the last part of its path; NULL: not known. Owned */
	bool has_mode, has_owner;
	uint16_t mode;		/* type and permissions: i_mode */
	uint32_t uid, gid;	/* in the initial user namespace */
};

/* A probe keeps 8 bytes of memory: one has the mode, the other the owner. */
#define REFUSED_PROBES 2

/**
 * Add REFUSED_PROBES probes at the beginning of a function that checks.
 *
 * @btf		NULL: there is none
 * @return	0; -ENOENT it cannot be placed; -ENOMEM
 */
int refused_place(const struct target *target, struct code_reader *reader, struct kernel_btf *btf,
		  struct probes *probes);

/* Fill in the facts from one probe's data; unknown facts stay unset. 0; -ENOMEM. */
int refused_take(uint32_t probe, const uint8_t *data, uint32_t size,
		 struct refused_object *object);

#endif
