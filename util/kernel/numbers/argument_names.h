/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of numbers among the arguments of system calls. */
#ifndef RETSNOOP_KERNEL_NUMBERS_ARGUMENT_NAMES_H
#define RETSNOOP_KERNEL_NUMBERS_ARGUMENT_NAMES_H

#include <stdint.h>

#include "util/kernel/numbers/number_names.h"

/* In the first argument of bpf(2): the command, and beside it a flag that two more arguments are used, of Linux 7.2. */
#define BPF_COMMAND_MASK 0xffff
#define BPF_COMMON_ATTRS (1 << 16)

/*
 * The names for a parameter ("flags") of a system call ("openat"); NULL: none are known.
 *
 * @before	value of the parameter before it, which may say what this one means
 */
const struct number_names *number_names_find(const char *syscall, const char *parameter, uint64_t before);

#endif
