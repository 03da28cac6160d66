/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Zstandard in ELF files: Debian 12's elfutils cannot read it, neither around a module nor in a
 * section. Built without libzstd, everything here fails with -ENOTSUP.
 */
#ifndef RETSNOOP_KERNEL_ELF_ELF_ZSTD_H
#define RETSNOOP_KERNEL_ELF_ELF_ZSTD_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a file begins like Zstandard data. Its position does not change. */
bool is_zstd(int fd);

/* Uncompress a file to memory. 0 and a new descriptor; -errno. */
int zstd_open(int fd, int *ret_fd);

/*
 * Copy a relocatable file to memory with its compressed sections uncompressed: the library that
 * relocates sections cannot do that. 0 and a new descriptor; -ENODATA no such section, or no such
 * file; -ENOEXEC damaged; -errno.
 */
int zstd_open_relocatable(int fd, int *ret_fd);

/* Uncompress to a buffer of exactly @size bytes. 0; -ENOEXEC. */
int zstd_uncompress(const void *from, size_t from_size, void *to, size_t size);

#endif
