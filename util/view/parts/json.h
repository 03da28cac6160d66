/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes JSON into a string buffer, with commas and escapes.
 *
 *	struct json json = JSON_INIT(&text);
 *	json_object(&json, NULL);
 *	json_string(&json, "comm", session->comm);
 *	json_close(&json);
 *
 * In arrays, and for the outermost value, the key is NULL. The output is always UTF-8: invalid
 * bytes become U+FFFD.
 */
#ifndef RETSNOOP_VIEW_PARTS_JSON_H
#define RETSNOOP_VIEW_PARTS_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"

#define JSON_MAX_DEPTH 16

struct json {
	struct strbuf *sb;
	unsigned int depth;
	bool comma;			/* this level already has a value */
	bool shown_results;		/* for the page: results of calls also as text has them */
	char closing[JSON_MAX_DEPTH];
};

#define JSON_INIT(sb) { (sb), 0, false, false, { 0 } }

void json_object(struct json *json, const char *key);
void json_array(struct json *json, const char *key);
/* Ends the innermost open object or array. */
void json_close(struct json *json);

/* NULL as text is null. */
void json_string(struct json *json, const char *key, const char *text);
/* The same; if memory ran out for @text, the JSON fails, too. */
void json_text(struct json *json, const char *key, const struct strbuf *text);
void json_uint(struct json *json, const char *key, uint64_t value);
void json_int(struct json *json, const char *key, int64_t value);
/* A number with three digits after the point: whole.thousandths. */
void json_thousandths(struct json *json, const char *key, uint64_t whole, unsigned int thousandths);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);
/* A number; null if it is not known. */
void json_known(struct json *json, const char *key, bool known, uint64_t value);
/* "EINVAL"; "NULL" for 0; the number as text if it has no name. */
void json_errno(struct json *json, const char *key, int err);

/* Add members written by another writer with no open level. */
void json_members(struct json *json, const struct strbuf *members);
/* A string with "0x" and hex digits: most readers keep only 53 bits of a number. */
void json_hex(struct json *json, const char *key, uint64_t value);
/* "addr", "symbol" (null: not known), and "offset" in the symbol. */
void json_address(struct json *json, uint64_t addr, const char *symbol, uint64_t offset);

#endif
