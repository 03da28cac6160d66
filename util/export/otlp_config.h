/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The receiver of OpenTelemetry's log records, by the variables of its specification
 * (OTEL_EXPORTER_OTLP_ENDPOINT and others). A variable for logs overrides the general one.
 */
#ifndef RETSNOOP_EXPORT_OTLP_CONFIG_H
#define RETSNOOP_EXPORT_OTLP_CONFIG_H

#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/export/http_client.h"

struct tls;

struct otlp_attribute {
	char *key, *value;	/* owned */
};

struct otlp_config {
	struct http_url url;
	struct tls *tls;		/* for https; owned */
	bool gzip;			/* requests are compressed */
	struct strbuf headers;		/* each ends with CR LF */
	uint64_t timeout_ns;		/* of a request */
	VEC(struct otlp_attribute) resource;	/* service.name and those of the environment */
};

/**
 * @get		getenv(), or a replacement
 * @return	0; -EINVAL, -ENOPKG or -ENOMEM (reported)
 */
int otlp_config_read(char *(*get)(const char *name), struct otlp_config *ret_config);
void otlp_config_release(struct otlp_config *config);

#endif
