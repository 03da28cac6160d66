/* SPDX-License-Identifier: BSD-2-Clause */
/* The owner of a session: the same for every form of output. */
#ifndef RETSNOOP_VIEW_SESSION_ORIGIN_H
#define RETSNOOP_VIEW_SESSION_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "util/kernel/machine/cgroup_owner.h"

struct csv;
struct json;
struct session;
struct view_context;

struct origin {
	bool task;			/* its user is known: not for interrupts */
	uint64_t cgroup;		/* its id; 0: not known */
	const char *path;		/* of the cgroup; NULL: not known. Borrowed from the context */
	struct cgroup_owner owner;	/* by the path */
	/*
	 * It is in a container's cgroup with the mounts of the machine: a process of the engine,
	 * such as runc, that will enter or become the container.
	 */
	bool outsider;
	bool insider;		/* it is in a container's cgroup with other mounts */
};

void origin_find(const struct view_context *context, const struct session *session,
		 struct origin *ret_origin);

/* The same for a cgroup alone. @id 0: not known */
void origin_of_cgroup(const struct view_context *context, uint64_t id, struct origin *ret_origin);

/* "cgroup_id", "cgroup", "pod", "container", "unit"; null if there is none. */
void origin_json_add(struct json *json, const struct origin *origin);

/* The span that the thread worked on, written as in OpenTelemetry: in lower case. */
struct trace_text {
	char trace[33];
	char span[17];
};

/* False: not known. */
bool origin_trace(const struct session *session, struct trace_text *ret_text);

/*
 * "trace_id", "span_id": absent if there is none, null if it changed while it was read, or was
 * lost.
 */
void origin_trace_json_add(struct json *json, const struct session *session);

/* "outsider": absent if it is not known, or there is no container. */
void origin_outsider_json_add(struct json *json, const struct origin *origin);

/* Three fields: pod, container and unit. */
void origin_csv_add(struct csv *csv, const struct cgroup_owner *owner);

/* NULL: not known. */
const char *origin_host(const struct view_context *context);


#endif
