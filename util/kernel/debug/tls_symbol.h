/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where threads have a thread-local variable that an ELF file exports.
 *
 * An image is a file, or a file as it is in the memory of a process. Both belong to others, who may
 * change them at any time: so they are read in small pieces, and never mapped. Nothing in them is
 * trusted; what is read is bounded.
 */
#ifndef RETSNOOP_KERNEL_DEBUG_TLS_SYMBOL_H
#define RETSNOOP_KERNEL_DEBUG_TLS_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct arch_tls;

struct tls_image {
	int fd;			/* the file, or /proc/PID/mem; borrowed */
	bool in_memory;
	uint64_t base;		/* in memory: the address of the ELF header */
};

struct tls_place {
	/* Static: at an offset from the thread pointer. Else in the thread's block of a module. */
	bool dynamic;
	uint64_t module;	/* the dynamic linker's number of it, from 1 on */
	int64_t offset;
};

/**
 * Find a variable of the size of a pointer. Only memory shows where a library's variables are.
 *
 * @tls		how this CPU architecture has thread-local variables
 * @return	0; -ENOENT: no ELF file of this architecture, or no such variable; -EAGAIN: the dynamic
 *		linker is not done with the library; -ENOTSUP: the place cannot be found. Nothing is
 *		reported.
 */
int tls_symbol_find(const struct tls_image *image, const char *name, const struct arch_tls *tls,
		    struct tls_place *ret_place);

#endif
