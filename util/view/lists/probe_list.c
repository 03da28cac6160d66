// SPDX-License-Identifier: BSD-2-Clause
/* Lists of probes and of possible points. */
#include "util/view/lists/probe_list.h"

#include <inttypes.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/style.h"
#include "util/kernel/types/btf.h"
#include "util/plan/points/probes.h"
#include "util/view/parts/json.h"
#include "util/view/parts/output.h"

/* Longer points push their comments to the right. */
#define MAX_COLUMN 56

static bool is_line(const struct probe *probe)
{
	return startswith(probe->text, "line:");
}

/* The source line that a probe was resolved from, as the user wrote it. */
static void line_add(struct strbuf *sb, const struct probe *probe)
{
	if (is_line(probe))
		strbuf_addf(sb, "%.*s", (int)strcspn(probe->text, " "), probe->text);
}

/* The probe as -J accepts it; a source line as the probe that it was resolved to. */
static void point_add(struct strbuf *sb, const struct probe *probe)
{
	if (!probe_is_on_function(probe->kind)) {
		strbuf_addstr(sb, probe->text);
		return;
	}
	strbuf_addf(sb, "%s:%s", probe_kind_name(probe->kind), probe->name);
	if (probe->offset)
		strbuf_addf(sb, "+0x%" PRIx64, probe->offset);
	if (probe->module)
		strbuf_addf(sb, " [%s]", probe->module);
}

/* "char *name": no blank after the star. */
static void declaration_add(struct strbuf *sb, const char *type, int len, const char *name)
{
	while (len && type[len - 1] == ' ')
		len--;
	strbuf_addf(sb, "%.*s%s%s", len, type, len && type[len - 1] == '*' ? "" : " ", name);
}

static void fields_add(struct strbuf *sb, const struct tracepoint *tracepoint)
{
	const char *separator = "";

	vec_foreach(field, &tracepoint->fields) {
		const char *bracket = field->dynamic ? NULL : strchr(field->type, '[');

		strbuf_addstr(sb, separator);
		/* In C, the brackets of an array follow the name. */
		if (bracket)
			declaration_add(sb, field->type, bracket - field->type, field->name);
		else
			declaration_add(sb, field->type, strlen(field->type), field->name);
		strbuf_addstr(sb, bracket ?: "");
		separator = ", ";
	}
}

/* For a probe at a function's beginning or end: what is passed there. */
static void prototype_add(struct strbuf *sb, const struct probes *probes, const struct probe *probe)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	uint32_t id;
	int module;

	if (!probes->btf || probe->offset ||
	    kernel_btf_find_func(probes->btf, probe->name, probe->module, &id, &module))
		return;
	kernel_btf_prototype(probes->btf, module, id, NULL, &text);
	if (text.len)
		strbuf_addf(sb, " %s", strbuf_str(&text));
}

static void details_add(struct strbuf *sb, const struct probes *probes, const struct probe *probe)
{
	switch (probe->kind) {
	case PROBE_TP:
		fields_add(sb, probe->tracepoint);
		break;
	case PROBE_RAWTP:
		if (probe->raw.proto)
			raw_tracepoint_args_add(probes->btf, &probe->raw, sb);
		break;
	default:
		strbuf_addf(sb, "0x%" PRIx64, probe->addr);
		prototype_add(sb, probes, probe);
		if (is_line(probe))
			strbuf_addch(sb, ' ');
		line_add(sb, probe);
	}
}

int probe_list_text(FILE *out, bool color, const struct probes *probes)
{
	_cleanup_(strbuf_release) struct strbuf point = STRBUF_INIT, details = STRBUF_INIT;
	size_t column = 0;

	vec_foreach(probe, &probes->v) {
		strbuf_reset(&point);
		point_add(&point, probe);
		if (point.len > column && point.len <= MAX_COLUMN)
			column = point.len;
	}
	vec_foreach(probe, &probes->v) {
		strbuf_reset(&point);
		strbuf_reset(&details);
		point_add(&point, probe);
		details_add(&details, probes, probe);
		style_print(out, color, STYLE_NAME, "%s", strbuf_str(&point));
		if (details.len) {
			fprintf(out, "%*s  ", point.len < column ? (int)(column - point.len) : 0, "");
			style_print(out, color, STYLE_ASIDE, "# %s", strbuf_str(&details));
		}
		fputc('\n', out);
	}
	return output_end(out);
}

static void field_json(struct json *json, const struct tracepoint_field *field)
{
	json_object(json, NULL);
	json_string(json, "name", field->name);
	json_string(json, "type", field->type);
	json_uint(json, "offset", field->offset);
	json_uint(json, "size", field->size);
	json_bool(json, "signed", field->is_signed);
	json_close(json);
}

static void probe_json(struct json *json, const struct probes *probes, const struct probe *probe)
{
	_cleanup_(strbuf_release) struct strbuf point = STRBUF_INIT, details = STRBUF_INIT;

	point_add(&point, probe);
	json_object(json, NULL);
	json_string(json, "type", "point");
	json_string(json, "point", strbuf_str(&point));
	json_string(json, "kind", probe_kind_name(probe->kind));
	json_string(json, "name", probe->name);
	if (probe->kind == PROBE_TP) {
		json_string(json, "category", probe->category);
		json_uint(json, "id", probe->tracepoint->id);
		json_array(json, "fields");
		vec_foreach(field, &probe->tracepoint->fields)
			field_json(json, field);
		json_close(json);
	} else if (probe->kind == PROBE_RAWTP) {
		details_add(&details, probes, probe);
		json_string(json, "module", probe->module);
		json_string(json, "arguments", probe->raw.proto ? strbuf_str(&details) : NULL);
	} else {
		json_string(json, "module", probe->module);
		line_add(&details, probe);
		json_string(json, "line", details.len ? strbuf_str(&details) : NULL);
		strbuf_reset(&details);
		json_hex(json, "addr", probe->addr);
		json_uint(json, "offset", probe->offset);
		prototype_add(&details, probes, probe);
		json_string(json, "prototype", details.len ? strbuf_str(&details) + 1 : NULL);
	}
	json_close(json);
}

int probe_list_json(FILE *out, const struct probes *probes)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	vec_foreach(probe, &probes->v) {
		struct json json = JSON_INIT(&text);

		strbuf_reset(&text);
		probe_json(&json, probes, probe);
		strbuf_addch(&text, '\n');
		if (text.failed)
			return report_oom();
		fwrite(text.s, 1, text.len, out);
	}
	return output_end(out);
}

int probe_why_text(FILE *out, const char *point, size_t usable, const struct strbuf *why)
{
	const char *end = why->len && why->s[why->len - 1] == '?' ? "" : ".";

	if (!usable)
		fprintf(out, "%s cannot be used: %s%s\n", point, strbuf_str(why), end);
	else
		fprintf(out, "%s can be used: %zu place%s.\n", point, usable,
			usable == 1 ? "" : "s");
	if (usable && why->len)
		fprintf(out, "  But not everywhere: %s%s\n", strbuf_str(why), end);
	return output_end(out);
}

int probe_why_json(FILE *out, const char *point, size_t usable, const struct strbuf *why)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct json json = JSON_INIT(&text);

	json_object(&json, NULL);
	json_string(&json, "type", "point_why");
	json_string(&json, "point", point);
	json_uint(&json, "places", usable);
	json_string(&json, "why", why->len ? strbuf_str(why) : NULL);
	json_close(&json);
	strbuf_addch(&text, '\n');
	return output_data(out, &text);
}
