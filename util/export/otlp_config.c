// SPDX-License-Identifier: BSD-2-Clause
/* Reads OpenTelemetry's environment variables. */
#include "util/export/otlp_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/text/scan.h"
#include "util/export/tls.h"

#define DEFAULT_URL "http://localhost:4318"
#define DEFAULT_TIMEOUT_MS 10000
#define MAX_TIMEOUT_MS 600000

#define VARIABLE "OTEL_EXPORTER_OTLP_"
#define LOGS_VARIABLE "OTEL_EXPORTER_OTLP_LOGS_"

typedef char *(*get_fn)(const char *name);

/* NULL: not set, or empty, which means the same. */
static const char *get_value(get_fn get, const char *name)
{
	const char *value = get(name);

	return value && *value ? value : NULL;
}

/* The variable for logs, if it is set, or else the general one. */
#define get_either(get, name, ret_set) \
	get_logs_or(get, LOGS_VARIABLE name, VARIABLE name, ret_set)

/* @ret_set	the name of the one whose value is returned */
static const char *get_logs_or(get_fn get, const char *logs, const char *general,
			       const char **ret_set)
{
	const char *value = get_value(get, logs);

	*ret_set = value ? logs : general;
	return value ?: get_value(get, general);
}

static int read_url(get_fn get, struct http_url *ret_url)
{
	const char *logs = get_value(get, LOGS_VARIABLE "ENDPOINT");
	const char *text = logs ?: get_value(get, VARIABLE "ENDPOINT") ?: DEFAULT_URL;
	const char *name = logs ? LOGS_VARIABLE "ENDPOINT" : VARIABLE "ENDPOINT";
	char *path;
	int err = http_url_parse(text, ret_url);

	if (err == -EINVAL)
		return report(-EINVAL, "%s: '%s' is not a URL like " DEFAULT_URL, name, text);
	if (err)
		return report_oom();
	if (logs)
		return 0;
	if (strchr(ret_url->path, '?'))
		return report(-EINVAL, "%s: '%s' has a query; give the whole URL in " LOGS_VARIABLE
			      "ENDPOINT", name, text);
	path = strf("%s%sv1/logs", ret_url->path, endswith(ret_url->path, "/") ? "" : "/");
	if (!path)
		return report_oom();
	free(ret_url->path);
	ret_url->path = path;
	return 0;
}

/* Certificates, for https. */
static int read_tls(get_fn get, struct tls **ret_tls)
{
	const char *trusted, *certificate, *key;
	struct tls_files files = {
		.trusted = get_either(get, "CERTIFICATE", &trusted),
		.certificate = get_either(get, "CLIENT_CERTIFICATE", &certificate),
		.key = get_either(get, "CLIENT_KEY", &key),
	};

	if (!files.certificate != !files.key)
		return report(-EINVAL, "%s needs %s, too", files.key ? key : certificate,
			      files.key ? certificate : key);
	return tls_new(&files, ret_tls);
}

static int read_compression(get_fn get, bool *ret_gzip)
{
	const char *name, *text = get_either(get, "COMPRESSION", &name);

	*ret_gzip = text && !strcmp(text, "gzip");
	if (!text || *ret_gzip || !strcmp(text, "none"))
		return 0;
	return report(-EINVAL, "%s: '%s' is not gzip or none", name, text);
}

/* Decode in place: %2C becomes a comma. False: no percent-encoding. */
static bool decode_percent(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text == '%') {
			int high = scan_hex_digit(text[1]);
			int low = high < 0 ? -1 : scan_hex_digit(text[2]);

			/* A NUL would end the text. */
			if (low < 0 || !(high | low))
				return false;
			*to++ = high << 4 | low;
			text += 2;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
	return true;
}

/* KEY=VALUE,KEY=VALUE, percent-encoded. 0; what @each returned; -EINVAL, -ENOMEM (reported) */
static int each_pair(get_fn get, const char *name,
		     int (*each)(struct otlp_config *config, const char *variable, const char *key,
				 const char *value),
		     struct otlp_config *config)
{
	const char *value = get_value(get, name);
	_cleanup_(free_p) char *copy = value ? strdup(value) : NULL;
	char *save = NULL, *pair;
	int err = 0;

	if (!value)
		return 0;
	if (!copy)
		return report_oom();
	for (pair = strtok_r(copy, ",", &save); pair && !err; pair = strtok_r(NULL, ",", &save)) {
		char *equals = strchr(pair, '=');
		_cleanup_(free_p) char *key = equals ? scan_trimmed(pair, equals) : NULL;
		_cleanup_(free_p) char *text =
			equals ? scan_trimmed(equals + 1, equals + strlen(equals)) : NULL;

		if (equals && (!key || !text))
			return report_oom();
		if (!equals || !*key || !decode_percent(key) || !decode_percent(text))
			return report(-EINVAL, "%s: '%s' is not KEY=VALUE, with %%XX for other characters",
				      name, pair);
		err = each(config, name, key, text);
	}
	return err;
}

static bool has_controls(const char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return true;
	}
	return false;
}

static int add_header(struct otlp_config *config, const char *variable, const char *key,
		      const char *value)
{
	/* A value must not add lines to the request. */
	if (has_controls(key) || has_controls(value) || strpbrk(key, ": "))
		return report(-EINVAL, "%s: '%s' cannot be a header", variable, key);
	strbuf_addf(&config->headers, "%s: %s\r\n", key, value);
	return config->headers.failed ? report_oom() : 0;
}

static int add_attribute(struct otlp_config *config, const char *variable, const char *key,
			 const char *value)
{
	struct otlp_attribute attribute;

	/* An empty value replaces nothing. */
	if (!*value)
		return 0;
	attribute = (struct otlp_attribute){ strdup(key), strdup(value) };
	vec_foreach(other, &config->resource) {
		if (!strcmp(other->key, key)) {
			/* The earlier value wins: OTEL_SERVICE_NAME. */
			free(attribute.key);
			free(attribute.value);
			return 0;
		}
	}
	if (attribute.key && attribute.value && !vec_push(&config->resource, attribute))
		return 0;
	free(attribute.key);
	free(attribute.value);
	return report_oom();
}

static int read_timeout(get_fn get, uint64_t *ret_ns)
{
	const char *name, *text = get_either(get, "TIMEOUT", &name);
	unsigned long ms = DEFAULT_TIMEOUT_MS;

	if (text && (strspn(text, "0123456789") != strlen(text) || strlen(text) > 6 ||
		     !(ms = strtoul(text, NULL, 10)) || ms > MAX_TIMEOUT_MS))
		return report(-EINVAL, "%s: '%s' is not a number of milliseconds up to 600000", name, text);
	*ret_ns = ms * NSEC_PER_MSEC;
	return 0;
}

static int check_protocol(get_fn get)
{
	const char *name, *text = get_either(get, "PROTOCOL", &name);

	if (!text || !strcmp(text, "http/json"))
		return 0;
	return report(-EINVAL, "%s: export sends http/json, not %s; unset it for export, and give the "
		      "port for HTTP, 4318 as a rule", name, text);
}

int otlp_config_read(char *(*get)(const char *name), struct otlp_config *ret_config)
{
	struct otlp_config config = {};
	const char *service = get_value(get, "OTEL_SERVICE_NAME"), *headers;
	int err = check_protocol(get) ?: read_url(get, &config.url) ?:
		  read_timeout(get, &config.timeout_ns) ?: read_compression(get, &config.gzip);

	get_either(get, "HEADERS", &headers);
	err = err ?: each_pair(get, headers, add_header, &config);
	if (config.gzip)
		strbuf_addstr(&config.headers, "Content-Encoding: gzip\r\n");
	if (service)
		err = err ?: add_attribute(&config, "OTEL_SERVICE_NAME", "service.name", service);
	err = err ?: each_pair(get, "OTEL_RESOURCE_ATTRIBUTES", add_attribute, &config);
	err = err ?: add_attribute(&config, NULL, "service.name", "retsnoop");
	if (!err && config.url.tls)
		err = read_tls(get, &config.tls);
	if (err)
		otlp_config_release(&config);
	else
		*ret_config = config;
	return err;
}

void otlp_config_release(struct otlp_config *config)
{
	http_url_release(&config->url);
	tls_free(config->tls);
	strbuf_release(&config->headers);
	vec_foreach(attribute, &config->resource) {
		free(attribute->key);
		free(attribute->value);
	}
	vec_release(&config->resource);
	*config = (struct otlp_config){};
}
