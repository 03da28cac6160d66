/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts that views of functions look up: those that are not in a plan. */
#ifndef RETSNOOP_VIEW_LISTS_FUNCS_FACTS_H
#define RETSNOOP_VIEW_LISTS_FUNCS_FACTS_H

#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/plan/plan.h"

struct kernel;
struct trace_request;

struct func_facts {
	const char *file;	/* defining file; NULL not known. Belongs to the debug info */
	uint32_t line;
	struct strbuf prototype;	/* "": not in BTF */
};

void func_facts_find(struct kernel *kernel, const struct plan_func *func,
		     struct func_facts *ret_facts);
void func_facts_release(struct func_facts *facts);

/* Which results are failures, in words: by its type, or by an --error-if of the request. */
const char *func_fails(const struct plan_func *func, const struct trace_request *request);

/* The assigned rung; if that is RUNG_AUTO, the best that the function's kind allows. */
enum rung func_rung(const struct plan_func *func, enum rung assigned);

#endif
