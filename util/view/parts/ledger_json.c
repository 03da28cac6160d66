// SPDX-License-Identifier: BSD-2-Clause
/* What a run may have missed, as a JSON object. */
#include "util/view/parts/ledger_json.h"

#include "util/base/cleanup.h"
#include "util/trace/session/ledger.h"
#include "util/view/parts/json.h"
#include "util/view/parts/output.h"

static void add_number(void *arg, const char *name, uint64_t count, bool known)
{
	json_known(arg, name, known, count);
}

static void add_line(void *arg, const struct strbuf *line)
{
	json_text(arg, NULL, line);
}

void ledger_json_add(struct strbuf *text, const struct ledger *ledger)
{
	static const char *const missed[] = {
		[LEDGER_MISSED_NOTHING] = "nothing",
		[LEDGER_MISSED_NOTHING_KNOWN] = "nothing_known",
		[LEDGER_MISSED_SOME] = "some",
	};
	struct json json = JSON_INIT(text);

	if (!ledger)
		return;
	json_object(&json, NULL);
	json_string(&json, "type", "ledger");
	json_uint(&json,
		  ledger->summary  ? "calls_counted" :
		  ledger->recorded ? "sessions_recorded" :
				     "sessions_shown",
		  ledger->shown);
	if (ledger->of > ledger->shown)
		json_uint(&json, "sessions_in_recording", ledger->of);
	json_string(&json, "missed", missed[ledger_missed(ledger)]);
	ledger_each_limit(ledger, add_number, &json);
	json_object(&json, "losses");
	ledger_each_loss(ledger, add_number, &json);
	json_close(&json);
	if (ledger->open)
		json_uint(&json, "calls_open", ledger->open);
	json_uint(&json, "ring_records", ledger->stats.ring_records);
	json_uint(&json, "ring_bytes", ledger->stats.ring_bytes);
	if (ledger->args_bytes)
		json_uint(&json, "args_bytes", ledger->args_bytes);
	if (ledger->budget_ppm) {
		json_uint(&json, "budget_ppm", ledger->budget_ppm);
		json_uint(&json, "tracing_ns", ledger->tracing_ns);
		json_uint(&json, "cpus_ns", ledger->cpus_ns);
	}
	json_array(&json, "text");
	ledger_each_line(ledger, add_line, &json);
	json_close(&json);
	json_close(&json);
}

int ledger_json_print(const struct ledger *ledger, FILE *out)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!ledger)
		return 0;
	ledger_json_add(&text, ledger);
	strbuf_addch(&text, '\n');
	return output_data(out, &text);
}
