/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of numbers among the arguments of system calls. */
#ifndef RETSNOOP_KERNEL_NUMBERS_ARGUMENT_NAMES_H
#define RETSNOOP_KERNEL_NUMBERS_ARGUMENT_NAMES_H

#include <stdint.h>

#include "util/kernel/numbers/number_names.h"

struct arch;

/*
 * The names for a parameter ("flags") of a system call ("openat"); NULL: none are known.
 *
 * @arch	of the kernel whose call it is
 * @before	value of the parameter before it, which may say what this one means
 * @first	value of the call's first parameter, which may say it, too
 */
const struct number_names *number_names_find(const struct arch *arch, const char *syscall, const char *parameter,
					     uint64_t before, uint64_t first);

#endif
