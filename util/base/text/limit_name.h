/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of limits of resources. */
#ifndef RETSNOOP_BASE_TEXT_LIMIT_NAME_H
#define RETSNOOP_BASE_TEXT_LIMIT_NAME_H

/* "RLIMIT_NOFILE" for 7; NULL: no limit has that number. */
const char *limit_name(unsigned long number);

#endif
