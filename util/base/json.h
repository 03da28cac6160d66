/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing JSON into a string buffer. Commas come by themselves: begin an object, add members, end
 * it.
 */
#ifndef RETSNOOP_BASE_JSON_H
#define RETSNOOP_BASE_JSON_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"

/*
 * @key is NULL for elements of an array and for the outermost value. Bytes that are not UTF-8
 * become U+FFFD.
 */
void json_begin_object(struct strbuf *sb, const char *key);
void json_end_object(struct strbuf *sb);
void json_begin_array(struct strbuf *sb, const char *key);
void json_end_array(struct strbuf *sb);

void json_add_string(struct strbuf *sb, const char *key, const char *value);	/* NULL: null */
void json_add_int(struct strbuf *sb, const char *key, int64_t value);
void json_add_uint(struct strbuf *sb, const char *key, uint64_t value);
void json_add_bool(struct strbuf *sb, const char *key, bool value);
/* An address, as a string of hex digits with 0x: JSON's numbers end at 2^53. */
void json_add_address(struct strbuf *sb, const char *key, uint64_t value);

#endif
