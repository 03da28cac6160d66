/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of errnos, including those that never leave the kernel (512 to 531). */
#ifndef RETSNOOP_BASE_TEXT_ERRNAMES_H
#define RETSNOOP_BASE_TEXT_ERRNAMES_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_ERRNO 4095	/* include/linux/err.h */
#define ENOTSUPP 524	/* the kernel's own; no C library knows it */
#define LAST_ERRNO 134	/* EFTYPE of Linux 7.2: the last that user space gets to see */

/* Whether a result is -errno. */
static inline bool is_error(int64_t value)
{
	return value < 0 && value >= -MAX_ERRNO;
}

/* "EINVAL" for 22; NULL for a number without a name. Static. */
const char *errno_name(int err);

#define ERRNO_WORD_SIZE 12

/* Its name, or the number, written to @number. */
const char *errno_word(int err, char number[ERRNO_WORD_SIZE]);

/* As strerror(), also for errnos that only the kernel should see: system calls leak some. */
const char *errno_text(int err);

/*
 * Whether programs expect this errno, whatever comes before and after: EAGAIN, ECHILD, and those
 * that signals cause.
 */
bool errno_is_expected(int err);

/* 22 for "EINVAL", "-EINVAL", "22" or "-22"; -EINVAL: no errno. Case does not matter. */
int errno_parse(const char *text);

#endif
