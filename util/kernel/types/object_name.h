/* SPDX-License-Identifier: BSD-2-Clause */
/* Locations of names in objects of the kernel: directory entries, files, network devices, keys. */
#ifndef RETSNOOP_KERNEL_TYPES_OBJECT_NAME_H
#define RETSNOOP_KERNEL_TYPES_OBJECT_NAME_H

#include <stdbool.h>
#include <stdint.h>

struct btf;

#define OBJECT_NAME_STEPS 4

/*
 * The path from a pointer to the object to its name: at each offset but the last there is a
 * pointer to follow; the string is at the last. 0 steps: no name.
 */
struct object_name {
	uint8_t nr_steps;
	int16_t steps[OBJECT_NAME_STEPS];
};

/* @id	a type, not a pointer to it */
struct object_name object_name_find(const struct btf *btf, uint32_t id);

#endif
