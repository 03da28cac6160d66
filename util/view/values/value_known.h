/* SPDX-License-Identifier: BSD-2-Clause */
/* Structs that are not shown member by member: socket addresses, file names. */
#ifndef RETSNOOP_VIEW_VALUES_VALUE_KNOWN_H
#define RETSNOOP_VIEW_VALUES_VALUE_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

struct btf;

/* False: another struct, or too little data, and nothing was appended. */
bool value_known_add(struct strbuf *sb, const struct btf *btf, uint32_t type, const uint8_t *data,
		     size_t len);

#endif
