/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One kernel, with the facts that tracing needs: symbols, BTF, traceable functions, debug info.
 * Nothing above this floor reads them from /proc or /sys.
 *
 * Everything is loaded on first use and kept; errors are reported once, where the cause is known.
 */
#ifndef RETSNOOP_KERNEL_KERNEL_H
#define RETSNOOP_KERNEL_KERNEL_H

#include "util/base/cleanup.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/symbols/symbols.h"

struct btf;
struct kernel;
struct kernel_btf;
struct traceable;

/**
 * With options->live, the running kernel; otherwise the vmlinux file in options->vmlinux, which
 * does not say which functions can be traced.
 *
 * @options	copied, except the path in it, which must outlive the kernel
 */
int kernel_new(const struct symbolizer_options *options, struct kernel **ret_kernel);
void kernel_free(struct kernel *kernel);
DEFINE_CLEANUP(struct kernel *, kernel_free)

/*
 * A kernel made of existing parts (a recording's, a test's), which it takes over on success. @btf
 * and @traceable may be NULL: none. 0; -ENOMEM (reported).
 */
int kernel_from_parts(struct symbols *symbols, struct kernel_btf *btf, struct traceable *traceable,
		      struct kernel **ret_kernel);

/**
 * The running kernel's types: its own, or if it was built without, those that pahole(1) added to its debug info.
 *
 * @vmlinux	of -k; NULL: looked for in the standard places
 * @return	as kernel_btf_load_live()
 */
int kernel_btf_of_running(const char *vmlinux, struct kernel_btf **ret_btf);

/* Whether a vmlinux file is the running kernel's, by build id. */
bool kernel_image_is_running(const char *vmlinux);
bool kernel_is_live(const struct kernel *kernel);

/*
 * Start a thread that reads BTF and, where that and the kernel's memory do not tell the traceable
 * functions, their slow list. For callers that will need them; without this, they are read on first use.
 */
void kernel_prefetch(struct kernel *kernel);

/* Each returns 0 or a negative errno (reported the first time); *ret is borrowed. */
int kernel_symbols(struct kernel *kernel, struct symbols **ret);
int kernel_symbolizer(struct kernel *kernel, struct symbolizer **ret);
/* -ENOENT (silent): not known, as for a vmlinux file; any function may be traceable. */
int kernel_traceable(struct kernel *kernel, const struct traceable **ret);
/* -ENOENT: a kernel without BTF (a note says what is missing); callers continue without it. */
int kernel_get_btf(struct kernel *kernel, struct kernel_btf **ret);
/* vmlinux's types, for what is better with them; NULL: none, and no note of that. Borrowed. */
const struct btf *kernel_types(struct kernel *kernel);

/*
 * Give back the memory of facts that are needed to attach, but not to show sessions: types, traceable functions, and
 * which symbols have a name. They are read again when they are asked for; earlier pointers to them become invalid.
 * Types stay if a module's were read: plans have the index of those.
 */
void kernel_forget_facts(struct kernel *kernel);

/*
 * The module was loaded or unloaded: its types, debug info and symbols are read again when they are asked
 * for. Earlier strings and types stay valid.
 */
void kernel_forget_module(struct kernel *kernel, const char *module);

/**
 * Learn of modules that were loaded since the symbols were read, or loaded again elsewhere: symbols,
 * types, and which functions can be traced. Symbols stay valid; ask for the traceable functions again.
 *
 * @return	1 there are such modules, 0 there are none; -errno (reported)
 */
int kernel_learn_modules(struct kernel *kernel);

#endif
