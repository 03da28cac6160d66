// SPDX-License-Identifier: BSD-2-Clause
/* The JSON encoding of OTLP's log records (opentelemetry-proto, ProtoJSON: 64-bit numbers are strings). */
#include "util/export/otlp_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/export/failed_call.h"
#include "util/export/http_client.h"
#include "util/export/otlp_config.h"
#include "util/export/outbox.h"
#include "util/trace/session/session.h"
#include "util/view/parts/json.h"
#include "util/view/session/view.h"

/* SeverityNumber: a failing call is no error of the kernel. */
#define SEVERITY_WARN 13

static void add_value(struct json *json, const char *key, const char *type, const char *value)
{
	json_object(json, NULL);
	json_string(json, "key", key);
	json_object(json, "value");
	json_string(json, type, value);
	json_close(json);
	json_close(json);
}

static void add_attribute(struct json *json, const char *key, const char *value)
{
	if (value && *value)
		add_value(json, key, "stringValue", value);
}

static void add_number(struct json *json, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	add_value(json, key, "intValue", text);
}

struct pair {
	const char *key, *value;
};

static bool has_value(const struct pair *pairs, size_t nr, const char *key)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(pairs[i].key, key))
			return pairs[i].value && *pairs[i].value;
	}
	return false;
}

void otlp_resource_add(struct strbuf *text, const struct otlp_config *config,
		       const struct view_origin *host, const struct failed_call *call)
{
	const struct cgroup_owner *owner = &call->origin.owner;
	const struct pair of_host[] = {
		{ "host.name", host->host },
		{ "os.type", "linux" },
		{ "os.version", host->release },
	};
	const struct pair of_call[] = {
		{ "container.id", owner->container },
		{ "k8s.pod.uid", owner->pod },
		{ "systemd.unit", owner->unit },
	};
	struct json json = JSON_INIT(text);

	/* Keys are unique. The user knows the host better than we do, but not the call. */
	json_object(&json, NULL);
	json_array(&json, "attributes");
	vec_foreach(attribute, &config->resource) {
		if (!has_value(of_call, ARRAY_SIZE(of_call), attribute->key))
			add_attribute(&json, attribute->key, attribute->value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(of_host); i++) {
		if (!vec_find(attribute, &config->resource,
			      !strcmp(attribute->key, of_host[i].key)))
			add_attribute(&json, of_host[i].key, of_host[i].value);
	}
	for (size_t i = 0; i < ARRAY_SIZE(of_call); i++)
		add_attribute(&json, of_call[i].key, of_call[i].value);
	json_close(&json);
	json_close(&json);
}

static void add_time(struct json *json, const char *key, int64_t ns)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, ns > 0 ? ns : 0);
	json_string(json, key, text);
}

void otlp_record_add(struct strbuf *text, const struct failed_call *call, int64_t observed_ns)
{
	const struct session *session = call->session;
	struct json json = JSON_INIT(text);
	struct trace_text trace;

	json_object(&json, NULL);
	add_time(&json, "timeUnixNano", call->time_ns);
	add_time(&json, "observedTimeUnixNano", observed_ns);
	json_int(&json, "severityNumber", SEVERITY_WARN);
	json_string(&json, "severityText", "WARN");
	json_object(&json, "body");
	json_text(&json, "stringValue", &call->line);
	json_close(&json);
	json_array(&json, "attributes");
	add_attribute(&json, "error.type", strbuf_str(&call->err));
	add_attribute(&json, "retsnoop.entry", call->entry);
	add_attribute(&json, "retsnoop.producer", call->producer);
	add_number(&json, "retsnoop.duration_ns", call->duration_ns);
	add_attribute(&json, "retsnoop.stack", strbuf_str(&call->stack));
	add_attribute(&json, "retsnoop.comm", session->comm);
	if (call->origin.task) {
		add_number(&json, "process.pid", session->pid);
		add_number(&json, "thread.id", session->tid);
		add_number(&json, "process.user.id", session->uid);
	}
	add_attribute(&json, "retsnoop.cgroup", call->origin.path);
	if (call->origin.outsider)
		add_attribute(&json, "retsnoop.outsider", "true");
	json_close(&json);
	if (origin_trace(session, &trace)) {
		json_string(&json, "traceId", trace.trace);
		json_string(&json, "spanId", trace.span);
	}
	json_close(&json);
}

void otlp_request_add(struct strbuf *json, const struct outbox_record *record)
{
	const char *group = NULL;

	strbuf_addstr(json, "{\"resourceLogs\":[");
	for (; record; record = record->next) {
		if (group && !strcmp(group, record->group)) {
			strbuf_addch(json, ',');
		} else {
			strbuf_addf(json, "%s{\"resource\":%s,\"scopeLogs\":[{\"scope\":{\"name\":"
				    "\"retsnoop\",\"version\":\"" RETSNOOP_VERSION "\"},"
				    "\"logRecords\":[", group ? "]}]}," : "", record->group);
			group = record->group;
		}
		strbuf_addstr(json, record->text);
	}
	strbuf_addstr(json, group ? "]}]}]}" : "]}");
}

/*
 * The number in {"partialSuccess":{"rejectedLogRecords":"3"}}, which may be a number or a string.
 * It is searched without parsing: an answer that is not JSON rejects nothing.
 */
static uint64_t rejected_records(const char *body, size_t len)
{
	static const char name[] = "\"rejectedLogRecords\"";
	const char *end = body + len, *at = memmem(body, len, name, sizeof(name) - 1);
	uint64_t rejected = 0;

	if (!at)
		return 0;
	at += sizeof(name) - 1;
	while (at < end && strchr(" \t\r\n:\"", *at) && *at)
		at++;
	for (; at < end && *at >= '0' && *at <= '9' && rejected < UINT32_MAX; at++)
		rejected = rejected * 10 + *at - '0';
	return rejected;
}

enum otlp_answer otlp_answer_parse(const char *reply, size_t len, uint64_t *ret_rejected)
{
	size_t body;
	int status;

	*ret_rejected = 0;
	if (!http_reply_parse(reply, len, &status, &body))
		return OTLP_REFUSED;
	if (status == 429 || status == 502 || status == 503 || status == 504)
		return OTLP_LATER;
	/* A page is of a proxy's login, or of another program on that port. */
	if (status / 100 != 2 || http_reply_is_page(reply, len))
		return OTLP_REFUSED;
	*ret_rejected = rejected_records(reply + body, len - body);
	return OTLP_TAKEN;
}
