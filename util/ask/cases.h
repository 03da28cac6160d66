/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases: named sets of functions, built in or from the configuration. */
#ifndef RETSNOOP_ASK_CASES_H
#define RETSNOOP_ASK_CASES_H

#include <stdbool.h>
#include <stddef.h>

struct config_entry;
struct trace_request;

/*
 * Add the functions of a case to the request. The name is looked up in the user's configuration,
 * then the system's, then among built-in cases. 0; -EINVAL no such case (reported); -errno
 * (reported).
 */
int case_apply(struct trace_request *request, const char *name);
bool case_exists(const char *name);

/* The name of the @i-th built-in case, NULL after the last. */
const char *case_name(size_t i);

/* Check a line of a [case "name"] section. 0; -EINVAL (reported). */
int case_check_key(const struct config_entry *entry);

#endif
