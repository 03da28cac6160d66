/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of capabilities. */
#ifndef RETSNOOP_BASE_TEXT_CAPABILITY_NAME_H
#define RETSNOOP_BASE_TEXT_CAPABILITY_NAME_H

/* "CAP_SYS_ADMIN" for 21; NULL: no capability has that number. */
const char *capability_name(long long number);

#endif
