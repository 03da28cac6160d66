// SPDX-License-Identifier: BSD-2-Clause
/* Finds out that an error was made elsewhere. */
#include "util/why/reasons/elsewhere.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/view/parts/json.h"

#define FUSE_SERVER "the server of this FUSE file system, a program, "
#define WRITE_BACK                                                                                   \
	{ "write-back", "data could not be written back, in this call or before: the kernel keeps that error for " \
			"the next call that asks, such as fsync(2)" }
/* As file systems with checksums do. */
#define IO { "io", "an I/O request ended so: a device, a layer above it or a check of the data set this error" }
/* fib_props of the route's type, in net/ipv4/fib_semantics.c. */
#define ROUTE(type) { "route", "the route that was found is of type " type " ('ip route show table all' lists it)" }

static const struct source {
	const char *function;
	bool is_read;	/* only if the function read the result from memory */
	int err;	/* only for this errno; 0: for any that no row above has */
	struct elsewhere elsewhere;
} sources[] = {
	/* The kernel sets these itself if the server exits, or if its answer is malformed. */
	{ "fuse_get_req", false, ENOTCONN,
	  { "fuse-server", FUSE_SERVER "has exited, or the connection to it was aborted" } },
	{ "__fuse_simple_request", true, ENOTCONN, { "fuse-server", FUSE_SERVER "answered so, or exited" } },
	{ "__fuse_simple_request", true, ECONNABORTED, { "fuse-server", FUSE_SERVER "answered so, or exited" } },
	{ "__fuse_simple_request", true, EIO,
	  { "fuse-server", FUSE_SERVER "answered so, or its answer could not be read" } },
	{ "__fuse_simple_request", true, EINTR, {} },
	{ "__fuse_simple_request", true, 0, { "fuse-server", FUSE_SERVER "answered so" } },
	{ "blk_status_to_errno", false, 0, IO },
	{ "filemap_read_folio", false, EIO, IO },
	{ "nf_hook_slow", false, EPERM,
	  { "netfilter", "a netfilter hook dropped the packet, such as a rule of nftables or iptables, or connection "
			 "tracking whose table is full" } },
	{ "fib_table_lookup", true, EACCES, ROUTE("prohibit") },
	{ "fib_table_lookup", true, EHOSTUNREACH, ROUTE("unreachable") },
	{ "fib_table_lookup", true, EINVAL, ROUTE("blackhole") },
	{ "errseq_check", false, 0, WRITE_BACK },
	{ "errseq_check_and_advance", false, 0, WRITE_BACK },
	{ "file_check_and_advance_wb_err", false, 0, WRITE_BACK },
	{ "filemap_check_errors", false, 0, WRITE_BACK },
};

/* Whether it is that function, or a part or clone of it. FUSE reads the answer in a function of each kernel's own. */
static bool is_function(const char *function, const char *name)
{
	size_t len = strlen(name);

	if (!strcmp(function, "fuse_simple_request") || !strcmp(function, "fuse_chan_send"))
		return !strcmp(name, "__fuse_simple_request");
	return startswith(function, name) && (!function[len] || function[len] == '.');
}

const struct elsewhere *elsewhere_find(const char *function, bool is_read, int err)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		const struct source *source = &sources[i];

		if (is_function(function, source->function) && (!source->is_read || is_read) &&
		    (!source->err || source->err == err))
			return source->elsewhere.source ? &source->elsewhere : NULL;
	}
	return NULL;
}

void elsewhere_text_add(struct strbuf *text, const struct elsewhere *elsewhere)
{
	if (elsewhere)
		strbuf_addf(text, "  the error came from elsewhere: %s\n", elsewhere->text);
}

void elsewhere_json_add(struct json *json, const struct elsewhere *elsewhere)
{
	if (elsewhere)
		json_string(json, "from_elsewhere", elsewhere->source);
}
