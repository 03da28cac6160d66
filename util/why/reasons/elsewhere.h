/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Errors that a call only hands on: a server, a device, an earlier write-back or a hook made them. Pure code, by the
 * function that the error came out of.
 */
#ifndef RETSNOOP_WHY_REASONS_ELSEWHERE_H
#define RETSNOOP_WHY_REASONS_ELSEWHERE_H

#include <stdbool.h>

struct json;
struct strbuf;

struct elsewhere {
	const char *source;	/* "fuse-server", as in JSON */
	const char *text;	/* a sentence without a capital letter and a full stop */
};

/**
 * @function	the innermost one that returned the result
 * @is_read	it read the result from memory
 * @err		positive errno
 * @return	static; NULL: not known to come from elsewhere
 */
const struct elsewhere *elsewhere_find(const char *function, bool is_read, int err);

/* Add nothing for NULL. */
void elsewhere_text_add(struct strbuf *text, const struct elsewhere *elsewhere);
void elsewhere_json_add(struct json *json, const struct elsewhere *elsewhere);

#endif
