/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases: sets of functions with a name, built in and from the configuration. */
#ifndef RETSNOOP_TRACE_ASK_CASES_H
#define RETSNOOP_TRACE_ASK_CASES_H

#include <stdbool.h>
#include <stddef.h>

struct config_entry;
struct trace_request;

/*
 * Add the functions of a case to the request: of the user's configuration, of the system's, or
 * built in; the first that knows the name. 0; -EINVAL no such case (reported); -errno (reported).
 */
int case_apply(struct trace_request *request, const char *name);
bool case_exists(const char *name);

/* The name of the @i-th that is built in, NULL after the last. */
const char *case_name(size_t i);

/* Whether a line of a [case "name"] section makes sense. 0; -EINVAL (reported). */
int case_check_key(const struct config_entry *entry);

#endif
