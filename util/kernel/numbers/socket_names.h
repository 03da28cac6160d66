/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of numbers among the arguments of the system calls of sockets. */
#ifndef RETSNOOP_KERNEL_NUMBERS_SOCKET_NAMES_H
#define RETSNOOP_KERNEL_NUMBERS_SOCKET_NAMES_H

#include <stdint.h>

#include "util/kernel/numbers/number_names.h"

/* Without options and protocols, which depend on another argument. */
extern const struct number_names socket_names[];
extern const size_t nr_socket_names;

/* Of the protocols of a family, AF_x; NULL: none are known. */
const struct number_names *socket_protocol_names(uint64_t family);

#endif
