/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A line of a kernel's log as a JSON object, with the facts about its places.
 *
 *	log_json_begin(&json, line, len, false);
 *	log_json_place(&json, &place, &found);	   for each
 *	log_json_end(&json, NULL);
 */
#ifndef RETSNOOP_VIEW_LISTS_LOG_JSON_H
#define RETSNOOP_VIEW_LISTS_LOG_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "util/kernel/symbols/log_symbols.h"
#include "util/view/parts/json.h"

/*
 * @json	fresh
 * @line	any bytes, without the newline
 * @cut		the line continues in the next object
 */
void log_json_begin(struct json *json, const char *line, size_t len, bool cut);
void log_json_place(struct json *json, const struct log_place *place,
		    const struct log_found *found);

/* With the end of the line. @code of a line that has it; or NULL */
void log_json_end(struct json *json, const struct log_code *code);

#endif
