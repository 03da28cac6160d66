/* SPDX-License-Identifier: BSD-2-Clause */
/* What the views of functions look up: the parts of a function that a plan does not hold. */
#ifndef RETSNOOP_VIEW_LISTS_FUNCS_FACTS_H
#define RETSNOOP_VIEW_LISTS_FUNCS_FACTS_H

#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/trace/plan/plan.h"

struct kernel;
struct trace_request;

struct func_facts {
	const char *file;	/* where it is defined; NULL not known. Belongs to the debug info */
	uint32_t line;
	struct strbuf prototype;	/* "" when BTF does not know it */
};

void func_facts_find(struct kernel *kernel, const struct plan_func *func,
		     struct func_facts *ret_facts);
void func_facts_release(struct func_facts *facts);

/* When it has failed, in words: by its type, or as an --error-if of the request says. */
const char *func_fails(const struct plan_func *func, const struct trace_request *request);

/* The rung it goes on; before rungs are assigned, the best that its kind allows. */
enum rung func_rung(const struct plan_func *func);

#endif
