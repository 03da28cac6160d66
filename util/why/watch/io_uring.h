/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests through io_uring: io_uring_enter(2) succeeds, and the completion queue has the error. Pure code. */
#ifndef RETSNOOP_WHY_WATCH_IO_URING_H
#define RETSNOOP_WHY_WATCH_IO_URING_H

#include <stdbool.h>

struct json;
struct strbuf;
struct watch_event;

/* Whether programs expect such a failure of a request: it was canceled, or a timeout expired. */
bool io_uring_expects(const struct watch_event *event);

/*
 * The function that the kernel calls with each request, here io_issue_sqe. The request fails with an error that it
 * returns, other than that of a retry; some opcodes have it return 0, and keep the error in the request. NULL: no
 * such request.
 */
const char *io_uring_function(const struct watch_event *event);

/* "io_uring: openat (user_data 0x1)" */
void io_uring_request_add(struct strbuf *text, const struct watch_event *event);

/* "io_uring":{...} of a request; of other calls, nothing. */
void io_uring_request_json_add(struct json *json, const struct watch_event *event);

#endif
