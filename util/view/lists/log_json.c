// SPDX-License-Identifier: BSD-2-Clause
/* Lines of a kernel's log as JSON. */
#include "util/view/lists/log_json.h"

#include "util/base/cleanup.h"
#include "util/kernel/code/instruction.h"
#include "util/view/session/code_place.h"

void log_json_begin(struct json *json, const char *line, size_t len, bool cut)
{
	_cleanup_(strbuf_release) struct strbuf copy = STRBUF_INIT;

	strbuf_add(&copy, line, len);
	/* A NUL becomes U+FFFD, like invalid UTF-8. */
	for (size_t i = 0; i < copy.len; i++)
		copy.s[i] = copy.s[i] ?: '\xff';
	json_object(json, NULL);
	json_string(json, "type", "log_line");
	json_text(json, "text", &copy);
	if (cut)
		json_bool(json, "cut", true);
	json_array(json, "places");
	json->sb->failed |= copy.failed;
}

void log_json_place(struct json *json, const struct log_place *place,
		    const struct log_found *found)
{
	json_object(json, NULL);
	json_string(json, "symbol", place->name);
	json_uint(json, "offset", place->offset);
	json_string(json, "module", place->module[0] ? place->module : NULL);
	code_frames_json_add(json, found->frames, found->nr_frames);
	if (found->others)
		json_uint(json, "others", found->others);
	json_close(json);
}

void log_json_end(struct json *json, const struct log_code *code)
{
	size_t len = code ? instruction_length(code->bytes + code->at, code->len - code->at) : 0;
	_cleanup_(strbuf_release) struct strbuf bytes = STRBUF_INIT;

	json_close(json);
	for (size_t i = 0; i < len; i++)
		strbuf_addf(&bytes, "%s%02x", i ? " " : "", code->bytes[code->at + i]);
	if (len)
		json_text(json, "instruction", &bytes);
	json_close(json);
	strbuf_addch(json->sb, '\n');
	json->sb->failed |= bytes.failed;
}
