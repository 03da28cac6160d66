/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of the requests of ioctl(2). */
#ifndef RETSNOOP_KERNEL_NUMBERS_IOCTL_NAMES_H
#define RETSNOOP_KERNEL_NUMBERS_IOCTL_NAMES_H

#include "util/kernel/numbers/number_names.h"

extern const struct number_names ioctl_names;

#endif
