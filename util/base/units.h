/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers, sizes, durations and switches as users write them. Each returns 0, or -EINVAL with
 * nothing reported and *ret untouched: the caller knows the option's name.
 */
#ifndef RETSNOOP_BASE_UNITS_H
#define RETSNOOP_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* A decimal number from @min to @max, no sign, nothing after it. */
int parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *ret);

/* Bytes: "65536", "64K", "8M", "8MiB", "1G"; powers of 1024. */
int parse_size(const char *text, uint64_t *ret_bytes);

/* Time: "10ns", "1.5us", "20ms", "3s", "2m"; a number alone has the unit @unit_ns. */
int parse_duration(const char *text, uint64_t unit_ns, uint64_t *ret_ns);

/* "true", "yes", "y", "on", "1" and their opposites, in upper or lower case. */
int parse_bool(const char *text, bool *ret);

#define NSEC_PER_USEC 1000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_SEC 1000000000ull

#endif
