/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the types of a BTF refer to each other as a compiler's do. */
#ifndef RETSNOOP_KERNEL_TYPES_BTF_CHECK_H
#define RETSNOOP_KERNEL_TYPES_BTF_CHECK_H

struct btf;

/**
 * Check what libbpf takes for granted when it prints a declaration: types and names exist, no type
 * contains itself, and what a type contains is not too much to walk through. Files that somebody
 * made must pass; the BTF of the running kernel does.
 *
 * @return	0; -EBADMSG it is damaged; -ENOMEM. Nothing is reported.
 */
int btf_check(const struct btf *btf);

#endif
