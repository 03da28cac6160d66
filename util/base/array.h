/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef RETSNOOP_BASE_ARRAY_H
#define RETSNOOP_BASE_ARRAY_H

/* Elements of an array, which is no pointer. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
