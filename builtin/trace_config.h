/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Configuration keys and cases (ready sets of functions) of the tracing commands, from -C, from
 * -c and from the configuration files.
 */
#ifndef RETSNOOP_BUILTIN_TRACE_CONFIG_H
#define RETSNOOP_BUILTIN_TRACE_CONFIG_H

#include <stdbool.h>
#include <stdio.h>

#include "util/kernel/symbols/symbolizer.h"

struct config_entry;
struct trace_request;

/* The keys in the configuration files; @request is a struct trace_request. 0; -errno (reported). */
int trace_config_load(void *request);

/* "bpf.ringbuf-size=16M", of -C; "=VALUE" may be missing for a switch. 0; -EINVAL (reported). */
int trace_config_set(struct trace_request *request, const char *assignment);

void trace_config_help(FILE *out);

/*
 * Add the functions of a case to the request: of the user's configuration, of the system's, or
 * built in; the first that knows the name. 0; -EINVAL no such case (reported); -errno (reported).
 */
int trace_case_apply(struct trace_request *request, const char *name);
bool trace_case_exists(const char *name);
/* Whether a line of a [case "name"] section makes sense. 0; -EINVAL (reported). */
int trace_case_check_key(const struct config_entry *entry);

/* "none" or "n", "lines", "inlines" or "s", "auto". 0; -EINVAL (not reported). */
int symbolize_level_parse(const char *text, enum symbolize_level *ret_level);

#endif
