/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of commands and options that say what a system call shall do. */
#ifndef RETSNOOP_KERNEL_NUMBERS_COMMAND_NAMES_H
#define RETSNOOP_KERNEL_NUMBERS_COMMAND_NAMES_H

#include <stdint.h>

#include "util/kernel/numbers/number_names.h"

/*
 * In the first argument of bpf(2): the command, and beside it a flag that two more arguments are used, of Linux 7.2.
 * Its headers have it as an enumerator, so a macro of that name would break them.
 */
#define BPF_COMMAND_MASK 0xffff
#define BPF_COMMAND_HAS_ATTRS (1 << 16)

extern const struct number_names command_names[];
extern const size_t nr_command_names;

/* The names for the third argument of fcntl(2), but for F_SETFL; NULL: none are known, or it is a number. */
const struct number_names *fcntl_argument_names(uint64_t command);

#endif
