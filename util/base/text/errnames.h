/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of errnos, those that never leave the kernel (512 to 530) included. */
#ifndef RETSNOOP_BASE_TEXT_ERRNAMES_H
#define RETSNOOP_BASE_TEXT_ERRNAMES_H

#include <stdbool.h>

#define MAX_ERRNO 4095	/* include/linux/err.h */
#define ENOTSUPP 524	/* the kernel's own; no C library knows it */

/* "EINVAL" for 22; NULL for a number without a name. Static. */
const char *errno_name(int err);

/* As strerror(), with words for errnos that only the kernel should see: system calls leak some. */
const char *errno_text(int err);

/* Whether programs expect it, whatever comes before and after: EAGAIN, ECHILD, and what signals cause. */
bool errno_is_expected(int err);

/* 22 for "EINVAL", "-EINVAL", "22" or "-22"; -EINVAL when it is none. Case does not matter. */
int errno_parse(const char *text);

#endif
