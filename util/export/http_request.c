// SPDX-License-Identifier: BSD-2-Clause
/* HTTP requests and answers. */
#include "util/export/http_request.h"

#include <string.h>
#include <strings.h>

#include "util/base/macros.h"

#define OPENMETRICS_TYPE "application/openmetrics-text"

/* The next line without its end, CR LF or LF. False: it is not complete. */
static bool next_line(const char **data, const char *end, const char **ret_line, size_t *ret_len)
{
	const char *newline = memchr(*data, '\n', end - *data);

	if (!newline)
		return false;
	*ret_line = *data;
	*ret_len = newline - *data;
	if (*ret_len && newline[-1] == '\r')
		--*ret_len;
	*data = newline + 1;
	return true;
}

static bool is_text(const char *text, size_t len, const char *wanted)
{
	return len == strlen(wanted) && !memcmp(text, wanted, len);
}

/* Check METHOD SP TARGET SP VERSION. Returns the status of the answer. */
static int request_line_status(const char *line, size_t len)
{
	const char *end = line + len;
	const char *target = memchr(line, ' ', len);
	const char *version = target ? memchr(target + 1, ' ', end - target - 1) : NULL;
	const char *query;
	size_t target_len;

	if (!version || target == line || version == target + 1)
		return 400;
	if (end - version != 9 || memcmp(version, " HTTP/", 6))
		return 400;
	if (!is_text(version, 9, " HTTP/1.1") && !is_text(version, 9, " HTTP/1.0"))
		return 505;
	if (!is_text(line, target - line, "GET"))
		return 405;
	target++;
	query = memchr(target, '?', version - target);
	target_len = (query ?: version) - target;
	return is_text(target, target_len, "/metrics") ? 200 : 404;
}

static bool accepts_openmetrics(const char *line, size_t len)
{
	static const char name[] = "accept:";

	return len > sizeof(name) - 1 && !strncasecmp(line, name, sizeof(name) - 1) &&
	       memmem(line, len, OPENMETRICS_TYPE, sizeof(OPENMETRICS_TYPE) - 1);
}

bool http_request_parse(const char *data, size_t len, struct http_request *ret_request)
{
	struct http_request request = {};
	const char *end = data + len, *line;
	size_t line_len;

	if (next_line(&data, end, &line, &line_len)) {
		request.status = request_line_status(line, line_len);
		while (next_line(&data, end, &line, &line_len)) {
			if (!line_len) {
				*ret_request = request;
				return true;
			}
			request.openmetrics |= accepts_openmetrics(line, line_len);
		}
	}
	if (len < HTTP_REQUEST_MAX)
		return false;
	*ret_request = (struct http_request){ .status = 431 };
	return true;
}

static const char *status_text(int status)
{
	switch (status) {
	case 200:
		return "OK";
	case 404:
		return "Not Found";
	case 405:
		return "Method Not Allowed";
	case 431:
		return "Request Header Fields Too Large";
	case 503:
		return "Service Unavailable";
	case 505:
		return "HTTP Version Not Supported";
	}
	return "Bad Request";
}

void http_answer_add(struct strbuf *answer, int status, const char *type, const struct strbuf *body)
{
	strbuf_addf(answer, "HTTP/1.1 %d %s\r\n", status, status_text(status));
	if (status == 405)
		strbuf_addstr(answer, "Allow: GET\r\n");
	strbuf_addf(answer, "Content-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", type,
		    body->len);
	strbuf_add(answer, strbuf_str(body), body->len);
}
