// SPDX-License-Identifier: BSD-2-Clause
/* System calls' parameters, from the formats of their tracepoints. */
#include "util/plan/args/syscall_formats.h"

#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/kernel/tracepoints/tracepoint.h"
#include "util/plan/args/args.h"

bool syscall_formats_find(struct syscall_formats *syscalls, const char *func,
			  struct syscall_params *ret_params)
{
	const char *name = args_syscall_name(func), *tracefs = syscalls->tracefs;
	struct syscall_params params = {};
	_cleanup_(free_p) char *event = NULL;
	struct tracepoint *tracepoint;

	if (!name || args_syscall_is_compat(func) || (!tracefs && tracefs_look(&tracefs)))
		return false;
	event = strf("sys_enter_%s", name);
	if (!event || tracepoint_read(tracefs, "syscalls", event, NULL, &tracepoint))
		return false;
	if (vec_push(&syscalls->v, tracepoint)) {
		tracepoint_free(tracepoint);
		return false;
	}
	vec_foreach(field, &tracepoint->fields) {
		/*
		 * the call's number, and copies of memory that parameters point to, in newer
		 * kernels
		 */
		if (field->dynamic || startswith(field->name, "__"))
			continue;
		if (params.nr == ARRAY_SIZE(params.params))
			return false;
		params.params[params.nr].type = field->type;
		params.params[params.nr++].name = field->name;
	}
	*ret_params = params;
	return true;
}

void syscall_formats_release(struct syscall_formats *syscalls)
{
	vec_foreach(tracepoint, &syscalls->v)
		tracepoint_free(*tracepoint);
	vec_release(&syscalls->v);
}
