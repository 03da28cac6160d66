// SPDX-License-Identifier: BSD-2-Clause
/*
 * What comes over HTTP: an input is a request to the server of metrics, and the same bytes an answer
 * of a receiver of log records, an URL and a label's value.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/export/http_client.h"
#include "util/export/http_request.h"
#include "util/export/http_server.h"
#include "util/export/otlp_json.h"
#include "util/export/series.h"

/* As it comes in pieces: once whole, it stays what it is. */
static void request(const char *data, size_t len)
{
	struct http_request whole = {}, part = {};
	size_t max = len < HTTP_REQUEST_MAX ? len : HTTP_REQUEST_MAX;
	bool answered = http_request_parse(data, max, &whole);

	for (size_t i = 0; i < max; i += 1 + max / 16) {
		if (http_request_parse(data, i, &part) && (!answered || part.status != whole.status))
			abort();
	}
	if (answered && whole.status != 200 && whole.status != 400 && whole.status != 404 &&
	    whole.status != 405 && whole.status != 431 && whole.status != 505)
		abort();
	if (max == HTTP_REQUEST_MAX && !answered)
		abort();
}

static void label(const char *text)
{
	struct strbuf labels = STRBUF_INIT;

	label_add(&labels, "x", text);
	for (size_t i = 3; i + 1 < labels.len; i++) {
		if (labels.s[i] == '\n' || labels.s[i] == '"')
			abort();
		i += labels.s[i] == '\\';
	}
	strbuf_release(&labels);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	const char *data = (const char *)input;
	struct wire wire = wire_of(input, size);
	char *text = fuzz_text(&wire, '\0');
	struct http_address address;
	struct http_url url;
	uint64_t rejected;

	fuzz_quiet();
	request(data, size);
	http_reply_is_whole(data, size);
	if (http_reply_retry_after(data, size, 784111777) > HTTP_RETRY_MAX)
		abort();
	if (otlp_answer_parse(data, size, &rejected) != OTLP_TAKEN && rejected)
		abort();
	if (!http_url_parse(text, &url))
		http_url_release(&url);
	http_address_parse(text, &address);
	label(text);
	free(text);
	return 0;
}
