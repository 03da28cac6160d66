/* SPDX-License-Identifier: BSD-2-Clause */
/* What refused a call, as text and as JSON. */
#ifndef RETSNOOP_WHY_REASONS_CHECK_VIEW_H
#define RETSNOOP_WHY_REASONS_CHECK_VIEW_H

#include <stddef.h>
#include <stdint.h>

struct check;
struct json;
struct refused_object;
struct strbuf;

/* A line for the check; nothing for CHECK_NONE. */
void check_text_add(struct strbuf *text, const struct check *check, const struct refused_object *refused);
void check_json_add(struct json *json, const struct check *check, const struct refused_object *refused);

/*
 * A string in quotes.
 *
 * @size	of the buffer that it was read into; one that fills it may be longer
 * @count	that it has no more bytes than; UINT64_MAX: it ends with a NUL
 */
void watched_string_add(struct strbuf *text, const char *string, size_t size, uint64_t count);

#endif
