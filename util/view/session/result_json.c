// SPDX-License-Identifier: BSD-2-Clause
/* Results of calls as members of JSON objects. */
#include "util/view/session/result_json.h"

#include <inttypes.h>
#include <stdio.h>

#include "bpf/result_rule.h"
#include "util/base/cleanup.h"
#include "util/view/session/result_text.h"

/* The largest number that readers keep exactly if they treat all numbers as doubles. */
#define MAX_EXACT (1ull << 53)

static void add_number(struct json *json, const struct result_value *value)
{
	char number[24];

	if (value->magnitude > MAX_EXACT) {
		snprintf(number, sizeof(number), "%s%" PRIu64, value->negative ? "-" : "",
			 value->magnitude);
		json_string(json, "result", number);
	} else if (value->negative) {
		json_int(json, "result", (int64_t)-value->magnitude);
	} else {
		json_uint(json, "result", value->magnitude);
	}
}

static void add_value(struct json *json, uint64_t result, enum return_kind returns)
{
	struct result_value value = result_value(result, returns);

	switch (result_shown_as(result, returns)) {
	case RETURN_VOID:
	case RETURN_STRUCT:
		json_null(json, "result");
		break;
	case RETURN_BOOL:
		json_bool(json, "result", value.magnitude);
		break;
	case RETURN_POINTER:
		json_hex(json, "result", result);
		break;
	default:
		add_number(json, &value);
		break;
	}
}

static void add_errno(struct json *json, uint64_t result, enum return_kind returns)
{
	int err = result_errno(result, returns);

	if (err == RESULT_NOT_FAILED)
		json_null(json, "errno");
	else
		json_errno(json, "errno", err);
}

void result_json_add(struct json *json, uint64_t result, enum return_kind returns)
{
	add_value(json, result, returns);
	add_errno(json, result, returns);
	if (json->shown_results) {
		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

		result_add(&text, result, returns);
		json_text(json, "shown", &text);
	}
}
