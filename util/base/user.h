/* SPDX-License-Identifier: BSD-2-Clause */
/* Users by name. */
#ifndef RETSNOOP_BASE_USER_H
#define RETSNOOP_BASE_USER_H

#include <stdint.h>

/**
 * @text	a name or a number; a number need not be anybody's
 * @return	0; -ENOENT there is no such user (not reported)
 */
int user_find(const char *text, uint32_t *ret_uid);

#endif
