/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of options of sockets. */
#ifndef RETSNOOP_KERNEL_NUMBERS_SOCKET_OPTION_NAMES_H
#define RETSNOOP_KERNEL_NUMBERS_SOCKET_OPTION_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct number_names;

/* Those of a level (SOL_SOCKET, IPPROTO_TCP); NULL: none are known. */
const struct number_names *socket_option_names(uint64_t level, bool is_read);

#endif
