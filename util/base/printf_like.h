/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef RETSNOOP_BASE_PRINTF_LIKE_H
#define RETSNOOP_BASE_PRINTF_LIKE_H

/* The compiler checks the arguments from @b on against the format, which is argument @a. */
#define _printf_(a, b) __attribute__((format(printf, a, b)))

#endif
