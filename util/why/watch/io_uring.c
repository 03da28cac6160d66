// SPDX-License-Identifier: BSD-2-Clause
/* Names of requests through io_uring. */
#include "util/why/watch/io_uring.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <stddef.h>

#include "bpf/watch/watch_event.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/view/parts/json.h"

/* enum io_uring_op of Linux 7.2: IORING_OP_NOP and so on. */
static const char *const opcodes[] = {
	"nop", "readv", "writev", "fsync", "read_fixed", "write_fixed", "poll_add", "poll_remove",
	"sync_file_range", "sendmsg", "recvmsg", "timeout", "timeout_remove", "accept", "async_cancel",
	"link_timeout", "connect", "fallocate", "openat", "close", "files_update", "statx", "read",
	"write", "fadvise", "madvise", "send", "recv", "openat2", "epoll_ctl", "splice", "provide_buffers",
	"remove_buffers", "tee", "shutdown", "renameat", "unlinkat", "mkdirat", "symlinkat", "linkat",
	"msg_ring", "fsetxattr", "setxattr", "fgetxattr", "getxattr", "socket", "uring_cmd", "send_zc",
	"sendmsg_zc", "read_multishot", "waitid", "futex_wait", "futex_wake", "futex_waitv",
	"fixed_fd_install", "ftruncate", "bind", "listen", "recv_zc", "epoll_wait", "readv_fixed",
	"writev_fixed", "pipe", "nop128", "uring_cmd128",
};

/* The kernel turns a request with an opcode that it does not know into a NOP, and refuses it. */
static bool is_of_unknown_opcode(const struct watch_event *event)
{
	return event->io_uring == WATCH_NO_OPCODE ||
	       (event->io_uring == IORING_OP_NOP + 1 && event->result == -EINVAL);
}

static const char *opcode_name(const struct watch_event *event)
{
	if (is_of_unknown_opcode(event))
		return NULL;
	return event->io_uring - 1 < ARRAY_SIZE(opcodes) ? opcodes[event->io_uring - 1] : NULL;
}

bool io_uring_expects(const struct watch_event *event)
{
	return event->io_uring && (event->result == -ECANCELED || event->result == -ETIME);
}

const char *io_uring_function(const struct watch_event *event)
{
	return event->io_uring ? "io_issue_sqe" : NULL;
}

void io_uring_request_add(struct strbuf *text, const struct watch_event *event)
{
	const char *name = opcode_name(event);

	strbuf_addstr(text, "io_uring: ");
	if (name)
		strbuf_addstr(text, name);
	else if (is_of_unknown_opcode(event))
		strbuf_addstr(text, "a request");
	else
		strbuf_addf(text, "opcode %u", event->io_uring - 1);
	strbuf_addstr(text, " (user_data 0x");
	strbuf_addhex(text, event->args[0]);
	strbuf_addch(text, ')');
}

void io_uring_request_json_add(struct json *json, const struct watch_event *event)
{
	if (!event->io_uring)
		return;
	json_object(json, "io_uring");
	json_string(json, "opcode", opcode_name(event));
	json_hex(json, "user_data", event->args[0]);
	json_close(json);
}
