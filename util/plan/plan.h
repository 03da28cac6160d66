/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions to trace, resolved against one kernel.
 *
 * A plan is built by one call and is constant from then on, but for functions that plan_more.h appends. It
 * outlives the attachment made from it (attached.h says what became of it). Strings in it belong to the kernel
 * it was resolved against and live as long.
 */
#ifndef RETSNOOP_PLAN_PLAN_H
#define RETSNOOP_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/arg_items.h"
#include "util/ask/rung.h"
#include "util/base/cleanup.h"
#include "util/base/vec.h"
#include "util/kernel/types/return_kind_name.h"
#include "util/plan/args/syscall_formats.h"

struct func_args;
struct kernel;
struct probes;
struct trace_request;

/* Rungs that could take a function, judged by its kind; bit 1 << RUNG_x. */
#define RUNG_BIT(rung) (1u << (rung))
/* Those of rung_is_trampoline(). */
#define RUNG_TRAMPOLINES (RUNG_BIT(RUNG_FSESSION_MULTI) | RUNG_BIT(RUNG_FENTRY))

/* Functions of modules loaded while a plan is traced that can be appended to it (plan_more.h). */
#define PLAN_SPARE 1024

struct plan_func {
	uint64_t addr;		/* run-time address of the function's symbol */
	uint64_t size;		/* bytes, 0 unknown */
	const char *name;	/* the alias that the user's glob matched */
	const char *module;	/* NULL for vmlinux */
	bool entry;		/* opens sessions */
	enum return_kind returns;
	uint8_t rule;		/* --error-if: index + 1 into request->error_rules; 0 none */
	uint32_t btf_id;	/* of the FUNC in its BTF; 0 none */
	int btf_module;		/* index of the module BTF (kernel_btf_module()); 0 vmlinux */
	uint8_t arg_slots;	/* 8-byte slots its arguments take in a trampoline's context */
	bool struct_args;	/* has structs passed by value, which trampolines take since 6.1 */
	bool calls_itself;	/* as far as it is known (plan_recursion.c) */
	uint32_t rungs;		/* RUNG_BIT()s that its kind allows */
	const char *no_trampoline;	/* why trampolines' rungs are not among them; static */
};

/* Why a requested function is not in the plan. */
enum refusal {
	REFUSED_NOT_TRACEABLE,	/* not in available_filter_functions: notrace, inlined, __init */
	REFUSED_BLACKLISTED,	/* kernel's kprobe blacklist */
	REFUSED_DENIED,		/* our own deny list: tracing it would trace the tracer */
	REFUSED_ATTACH,		/* the kernel refused at attach time */
};

struct plan_refusal {
	const char *name;
	const char *module;
	enum refusal why;
	bool entry;	/* it was requested as an entry function */
	bool exact;	/* asked for by its full name */
	bool guessed;	/* REFUSED_NOT_TRACEABLE: there was no list of functions (not recorded) */
	int err;		/* REFUSED_ATTACH: negative errno */
};

/* A spec that selected nothing. */
struct plan_unmatched {
	const char *text;	/* of the request */
	const char *option;	/* "-e", "-a", "-d"; "GLOB" for an argument */
	const char *nearest;	/* an existing name, or NULL */
};

/* The effect of an --error-if. */
struct plan_rule {
	uint32_t selected;	/* functions of the plan that its glob selects */
	uint32_t numbers;	/* of these, functions whose result can be compared */
	uint32_t ruled;		/* of these, functions without a later rule */
};

/*
 * All requested functions that were found, traceable or refused. Warnings are already printed:
 * about specs that select nothing, and about refused functions named in full.
 */
struct plan {
	VEC(struct plan_func) funcs;		/* index is the function's id; entries first, then appended ones */
	VEC(struct plan_refusal) refused;
	VEC(struct plan_unmatched) unmatched;
	VEC(struct plan_rule) rules;		/* one for each of request->error_rules */
	uint32_t nr_entries;			/* without appended ones */
	uint32_t nr_more;			/* functions at the end that were appended */
	bool unsigned_errors;			/* made with PLAN_UNSIGNED_ERRORS, as more of it is to be */

	/* Below are the parts of captures (struct capture). */
	/* What to capture of each function's arguments, by id; NULL: nothing. Owned. */
	struct func_args *args;
	struct syscall_formats syscalls;	/* that args are named after */
	VEC(struct where) wheres;	/* conditions on arguments; of args[].where */
	uint16_t wheres_inside;		/* bit per condition that a call inside must meet */

	struct probes *probes;		/* -J: points in between, resolved; NULL none; owned */
};

enum plan_flags {
	PLAN_NO_ENTRIES = 1 << 0,	/* functions are enough, none need be an entry */
	PLAN_NO_TYPES = 1 << 1,		/* no types and no rules: names and addresses only */
	PLAN_QUIET = 1 << 2,		/* no warnings, and no check that filters let something pass */
	/* An unsigned long may be an error, as do_mmap()'s: take it for a signed one. */
	PLAN_UNSIGNED_ERRORS = 1 << 3,
};

/**
 * Make the whole plan of what the user asked for: functions, arguments to capture, points.
 *
 * Every spec that selects nothing, and every function that cannot be traced, is kept in the plan
 * with its reason; neither is an error by itself.
 *
 * @kernel	where names are looked up; must outlive the plan
 * @request	validated request; must outlive the plan
 * @probes	resolved points, taken over either way; NULL: those of the request
 * @ret_plan	set on success only; release with plan_free()
 * @return	0; -ENOENT no entry function is left; -EINVAL the request does not fit the functions;
 *		other negative errno (all reported)
 */
int plan_build(struct kernel *kernel, const struct trace_request *request, unsigned int flags,
	       struct probes *probes, const struct plan **ret_plan);

/* Warn of its points that are passed before the session begins, or after its end. */
void plan_warn_of_probes(const struct plan *plan);

/* Only the functions, for other purposes. With PLAN_NO_ENTRIES an empty plan is no error. */
int plan_select(struct kernel *kernel, const struct trace_request *request, unsigned int flags,
		struct plan **ret_plan);

/* Why a function is refused, for messages: "it is on the kernel's kprobe blacklist". Static. */
const char *refusal_text(const struct plan_refusal *refusal);
void plan_free(const struct plan *plan);
DEFINE_CLEANUP(struct plan *, plan_free)

#endif
