// SPDX-License-Identifier: BSD-2-Clause
/* Errors that were made elsewhere. */
#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/why/reasons/elsewhere.h"

#include "tests/unit/unit.h"

static const char *source_of(const char *function, bool is_read, int err)
{
	const struct elsewhere *elsewhere = elsewhere_find(function, is_read, err);

	return elsewhere ? elsewhere->source : NULL;
}

TEST(what_a_fuse_server_answered_is_said)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	EXPECT_STREQ("fuse-server", source_of("__fuse_simple_request", true, EPERM));
	EXPECT_STREQ("fuse-server", source_of("fuse_simple_request", true, EPERM));
	EXPECT_STREQ("fuse-server", source_of("fuse_chan_send", true, EPERM));
	EXPECT_STREQ("fuse-server", source_of("fuse_get_req", false, ENOTCONN));
	/* A signal, and what the kernel itself decided. */
	EXPECT_EQ(NULL, source_of("__fuse_simple_request", true, EINTR));
	EXPECT_EQ(NULL, source_of("__fuse_simple_request", false, ENOMEM));
	EXPECT_EQ(NULL, source_of("fuse_get_req", false, EINTR));
	elsewhere_text_add(&text, elsewhere_find("__fuse_simple_request", true, EPERM));
	elsewhere_text_add(&text, NULL);
	EXPECT_STREQ("  the error came from elsewhere: the server of this FUSE file system, a program, answered so\n",
		     strbuf_str(&text));
}

/* The kernel sets these, too: the server exits, or its answer is malformed. */
TEST(a_fuse_server_is_not_surely_who_answered)
{
	EXPECT_TRUE(strstr(elsewhere_find("fuse_simple_request", true, ECONNABORTED)->text, "or exited"));
	EXPECT_TRUE(strstr(elsewhere_find("fuse_simple_request", true, ENOTCONN)->text, "or exited"));
	EXPECT_TRUE(strstr(elsewhere_find("fuse_simple_request", true, EIO)->text, "could not be read"));
}

TEST(an_error_of_io_of_writing_back_or_of_netfilter_is_said)
{
	EXPECT_STREQ("io", source_of("blk_status_to_errno", true, EIO));
	EXPECT_STREQ("io", source_of("filemap_read_folio", false, EIO));
	EXPECT_STREQ("write-back", source_of("errseq_check_and_advance", false, ENOSPC));
	EXPECT_STREQ("write-back", source_of("filemap_check_errors.part.0", false, EIO));
	EXPECT_STREQ("netfilter", source_of("nf_hook_slow", false, EPERM));
	EXPECT_EQ(NULL, source_of("nf_hook_slow", false, ESRCH));
	EXPECT_EQ(NULL, source_of("filemap_read_folio", false, EINTR));
	EXPECT_EQ(NULL, source_of("blk_status_to_errno_not", false, EIO));
}

TEST(the_type_of_a_route_is_named)
{
	EXPECT_TRUE(strstr(elsewhere_find("fib_table_lookup", true, EHOSTUNREACH)->text, "of type unreachable"));
	EXPECT_TRUE(strstr(elsewhere_find("fib_table_lookup", true, EACCES)->text, "of type prohibit"));
	EXPECT_STREQ("route", source_of("fib_table_lookup", true, EINVAL));
	EXPECT_EQ(NULL, source_of("fib_table_lookup", false, EAGAIN));
	EXPECT_EQ(NULL, source_of("fib_table_lookup", true, ENETUNREACH));
}

TEST_HARNESS_MAIN
