/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that the types of a BTF refer to each other like those of a compiler. */
#ifndef RETSNOOP_KERNEL_TYPES_BTF_CHECK_H
#define RETSNOOP_KERNEL_TYPES_BTF_CHECK_H

struct btf;

/**
 * Check the properties that libbpf relies on when it prints a declaration: types and names exist,
 * no type contains itself, and no type contains too many others. BTF from files must pass; the
 * running kernel's is trusted.
 *
 * @return	0; -EBADMSG it is damaged; -ENOMEM. Nothing is reported.
 */
int btf_check(const struct btf *btf);

#endif
