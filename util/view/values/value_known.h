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

/*
 * A socket's address, `{AF_INET 127.0.0.1:80}`. False: of another family, or too short, and nothing was appended.
 *
 * @whole	the address has no more bytes than these
 */
bool socket_address_add(struct strbuf *sb, const uint8_t *data, size_t len, bool whole);

#endif
