// SPDX-License-Identifier: BSD-2-Clause
/* Lists failed calls, so that --call can choose one. */
#include "util/view/lists/failed_list.h"

#include <inttypes.h>

#include "util/base/strbuf.h"
#include "util/view/parts/json.h"

void failed_list_begin(struct strbuf *text, bool explained)
{
	strbuf_addf(text, "%scalls that failed (--call N):\n", explained ? "\nother " : "");
}

void failed_list_row(struct strbuf *text, size_t number, uint64_t count)
{
	strbuf_addf(text, "  %2zu  %5" PRIu64 "x  ", number, count);
}

void failed_list_json(struct json *json, size_t number, uint64_t count, bool explained)
{
	json_uint(json, "number", number);
	json_uint(json, "count", count);
	json_bool(json, "explained", explained);
}
