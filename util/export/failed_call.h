/* SPDX-License-Identifier: BSD-2-Clause */
/* A failed call in words, the same for all receivers of single calls. */
#ifndef RETSNOOP_EXPORT_FAILED_CALL_H
#define RETSNOOP_EXPORT_FAILED_CALL_H

#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/view/session/origin.h"
#include "util/view/session/stack_text.h"

struct explained;
struct view_context;

/* Reused from call to call; starts zeroed. Members that are no strbuf are borrowed. */
struct failed_call {
	const struct session *session;
	const char *entry, *producer;	/* functions */
	struct strbuf err;		/* "EINVAL" */
	struct strbuf line;		/* the call in one line */
	struct strbuf stack;		/* as `retsnoop stack` prints it */
	int64_t time_ns;		/* of its end, since the epoch */
	uint64_t duration_ns;
	struct origin origin;
	struct stack_text stack_text;
};

/* 0; -ENOMEM */
int failed_call_fill(struct failed_call *call, const struct view_context *context,
		     const struct explained *explained);
void failed_call_release(struct failed_call *call);

#endif
