// SPDX-License-Identifier: BSD-2-Clause
/* What was recorded, as a JSON object. */
#include "util/view/parts/recording_json.h"

#include "util/base/cleanup.h"
#include "util/trace/record/recording_write.h"
#include "util/view/parts/json.h"
#include "util/view/parts/output.h"

int recording_json_print(const char *path, const struct recorder_stats *stats, uint64_t records,
			 FILE *out)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct json json = JSON_INIT(&text);

	json_object(&json, NULL);
	json_string(&json, "type", "recording");
	json_string(&json, "file", path);
	json_uint(&json, "files", stats->files);
	json_uint(&json, "bytes", stats->bytes);
	json_uint(&json, "sessions", stats->sessions);
	json_uint(&json, "sessions_dropped", stats->dropped);
	json_uint(&json, "records", records);
	json_close(&json);
	strbuf_addch(&text, '\n');
	return output_data(out, &text);
}
