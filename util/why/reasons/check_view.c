// SPDX-License-Identifier: BSD-2-Clause
/* What refused a call, as text and as JSON. */
#include "util/why/reasons/check_view.h"

#include <stdio.h>
#include <string.h>

#include "util/base/strbuf.h"
#include "util/base/utf8.h"
#include "util/plan/points/probes.h"
#include "util/view/parts/json.h"
#include "util/view/values/value_text.h"
#include "util/why/reasons/check.h"
#include "util/why/reasons/refused.h"

void watched_string_add(struct strbuf *text, const char *string, size_t size, uint64_t count)
{
	size_t len = strnlen(string, count < size ? count : size);
	/* Only the part before a NUL was read, though more is passed. */
	bool cut = count == UINT64_MAX ? len >= size - 1 : len < count;

	if (cut && len >= size - 1)
		len = utf8_whole(string, len);
	value_string_add(text, string, len, cut);
}

/* Add `: "closed", drwx------, owner 0:0`, without unknown facts. */
static void add_refused(const struct refused_object *refused, struct strbuf *text)
{
	const char *before = ": ";
	char mode[MODE_TEXT];

	if (refused->name) {
		strbuf_addstr(text, before);
		watched_string_add(text, refused->name, PROBE_NAME_BYTES, UINT64_MAX);
		before = ", ";
	}
	if (refused->has_mode) {
		check_mode_text(refused->mode, mode);
		strbuf_addf(text, "%s%s", before, mode);
		before = ", ";
	}
	if (refused->has_owner)
		strbuf_addf(text, "%sowner %u:%u", before, refused->uid, refused->gid);
}

void check_text_add(struct strbuf *text, const struct check *check, const struct refused_object *refused)
{
	switch (check->kind) {
	case CHECK_SECCOMP:
		strbuf_addstr(text, "seccomp refused it: no kernel function of the call ran\n");
		break;
	case CHECK_LSM:
		strbuf_addf(text, "  refused by %s, hook %s\n",
			    check->module ?: "a security module", check->hook);
		break;
	case CHECK_PERMISSIONS:
		strbuf_addf(text, "  refused by the mode or the ACL of %s",
			    check->object ?: "a file or directory");
		add_refused(refused, text);
		strbuf_addch(text, '\n');
		break;
	case CHECK_NONE:
		break;
	}
}

void check_json_add(struct json *json, const struct check *check, const struct refused_object *refused)
{
	char mode[8];

	if (check->kind == CHECK_NONE)
		return;
	json_object(json, "refused_by");
	json_string(json, "check", check_kind_name(check->kind));
	if (check->kind == CHECK_LSM) {
		json_string(json, "module", check->module);
		json_string(json, "hook", check->hook);
	}
	if (check->kind == CHECK_PERMISSIONS) {
		json_string(json, "of", check->object);
		json_string(json, "name", refused->name);
		if (refused->has_mode) {
			snprintf(mode, sizeof(mode), "%04o", refused->mode & 07777);
			json_string(json, "mode", mode);
		}
		if (refused->has_owner) {
			json_uint(json, "uid", refused->uid);
			json_uint(json, "gid", refused->gid);
		}
	}
	json_close(json);
}
