/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of calls as members of JSON objects. */
#ifndef RETSNOOP_VIEW_SESSION_RESULT_JSON_H
#define RETSNOOP_VIEW_SESSION_RESULT_JSON_H

#include "util/kernel/types/return_kind_name.h"
#include "util/view/parts/json.h"

/* "result" and "errno"; "shown" if the page is to have it. */
void result_json_add(struct json *json, uint64_t result, enum return_kind returns);

#endif
