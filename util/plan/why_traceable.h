/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a function named by the user is traceable, and how; or why not. */
#ifndef RETSNOOP_PLAN_WHY_TRACEABLE_H
#define RETSNOOP_PLAN_WHY_TRACEABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/plan/plan.h"

struct kernel;
struct symbol;

enum why_verdict {
	WHY_TRACEABLE,
	WHY_PRESENT,		/* in this kernel, which does not list traceable functions */
	WHY_NO_METHOD,		/* traceable, but no attach method that takes it works here */
	WHY_REFUSED,		/* it exists, but may not be traced: plan->refused */
	WHY_INLINED,		/* no code of its own: see inlined */
	WHY_VARIANTS,		/* only as name.isra.0 and the like: see variants */
	WHY_NOT_LOADED,		/* in a module that is installed but not loaded */
	WHY_NO_MODULE,		/* the module asked for is not installed either */
	WHY_ELSEWHERE,		/* not in the module asked for, but see elsewhere */
	WHY_UNKNOWN,		/* not in this kernel, as far as can be told: see nearest */
};

struct why_inlined {
	char *into;	/* function with code that holds the call; owned */
	char *file;	/* of the call; owned; may be NULL */
	uint32_t line;
};

struct traceability {
	enum why_verdict verdict;
	struct plan *plan;		/* functions of exactly that name */
	VEC(const struct symbol *) variants;	/* name.SUFFIX, traceable or not; borrowed */
	VEC(const struct symbol *) elsewhere;	/* the same name, in other modules; borrowed */
	VEC(struct why_inlined) inlined;
	bool has_debuginfo;		/* so finding no inlined calls means there are none */
	bool syscall;			/* WHY_UNKNOWN: it is the name of a system call */
	bool init;			/* REFUSED_NOT_TRACEABLE: its code is gone since boot */
	char *module;			/* WHY_NOT_LOADED, WHY_NO_MODULE; owned */
	const char *name;		/* scratch of traceability_find() */
	const char *nearest[3];		/* WHY_UNKNOWN; borrowed from the kernel's symbols */
	size_t nr_nearest;
};

/**
 * Find out whether a function is traceable, and why not.
 *
 * @spec	`name` or `name [module]`, no globs
 * @ret_why	release with traceability_release(); the kernel must live as long
 * @return	0; -EINVAL not a plain name, -errno (reported)
 */
int traceability_find(struct kernel *kernel, const char *spec, struct traceability *ret_why);
/* After the plan's rungs were reduced to those that can be used. */
void traceability_check_methods(struct traceability *why);
void traceability_release(struct traceability *why);

#endif
