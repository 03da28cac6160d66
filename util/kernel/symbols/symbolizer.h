/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds symbols, source lines and inlined calls for run-time addresses of a kernel: one interface
 * for the symbol table, the debug info of vmlinux and of modules, and the offset between them
 * (KASLR).
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_SYMBOLIZER_H
#define RETSNOOP_KERNEL_SYMBOLS_SYMBOLIZER_H

#include "util/kernel/debug/debuginfo.h"
#include "util/kernel/symbols/recorded_kernel.h"
#include "util/kernel/symbols/symbols.h"

/* -s: how much of debug info to use. */
enum symbolize_level {
	SYMBOLIZE_AUTO,		/* inlined calls and lines if there is debug info, silent if not */
	SYMBOLIZE_NONE,		/* -sn: symbols only */
	SYMBOLIZE_LINES,	/* -s: source lines, no inlined calls */
	SYMBOLIZE_INLINES,	/* -ss: both; missing debug info is an error */
};

struct source_variable;
struct symbolizer;
struct variable_place;

struct symbolizer_options {
	enum symbolize_level level;
	const char *vmlinux;	/* -k, or NULL to look in the standard places and by build id */
	bool live;		/* addresses are the running kernel's (else link-time of vmlinux) */
	bool debuginfod;	/* ask debuginfod servers for missing files */
	bool made_code;		/* of a live kernel: BPF programs are looked for by name, too */
	/*
	 * Addresses are of this kernel, whose modules may grow; outlives the symbolizer. NULL:
	 * none.
	 */
	const struct recorded_kernel *recorded;
	/*
	 * Share the debug info of vmlinux with this symbolizer, if it has the same build. NULL:
	 * none.
	 */
	const struct symbolizer *like;
};

struct symbolized {
	const struct symbol *symbol;		/* NULL: not in any symbol */
	uint64_t offset;			/* of the given address, from the symbol */
	const struct source_frame *frames;	/* innermost first, outermost last; valid until next call */
	int nr_frames;				/* 0: no debug info for it */
};

/**
 * @symbols	must outlive the symbolizer; a live table is read again if an address is in none
 *		of its symbols: trampolines and BPF programs are created at any time
 * @return	0; -ENOENT debug info asked for and not found, -ENOEXEC a wrong file, -ESTALE a
 *		build id that is not the running kernel's (each reported with what to do)
 */
int symbolizer_new(struct symbols *symbols, const struct symbolizer_options *options,
		   struct symbolizer **ret_symbolizer);
void symbolizer_free(struct symbolizer *symbolizer);

/*
 * Never fails: unknown facts are left empty.
 *
 * @is_return	the address is a return address: looked up at addr - 1, the printed offset stays
 *		that of addr
 */
void symbolizer_lookup(struct symbolizer *symbolizer, uint64_t addr, bool is_return,
		       struct symbolized *ret);

/*
 * The source's variable at a place, at an instruction's run-time address (debuginfo_variable_at()).
 * 0; -ENOENT none is known; -ENOMEM.
 */
int symbolizer_variable(struct symbolizer *symbolizer, uint64_t addr, const struct variable_place *place,
			struct source_variable *ret_variable);

/*
 * Whether the compiler changed how the function at a run-time address is called (debuginfo_is_changed()), as
 * far as debug info is there.
 */
bool symbolizer_is_changed(struct symbolizer *symbolizer, uint64_t addr);

/* The symbol alone; NULL: none. Results of an earlier look-up stay valid. */
const struct symbol *symbolizer_symbol(struct symbolizer *symbolizer, uint64_t addr);

/* Whether the symbols that were read have the address. The kernel is not asked, nor are they read again. */
bool symbolizer_knows(const struct symbolizer *symbolizer, uint64_t addr);

/*
 * Announce many addresses that will be looked up soon: several threads read the data for them.
 * This only saves time.
 */
void symbolizer_prefetch(struct symbolizer *symbolizer, const uint64_t *addrs, size_t nr);

/* If no debug info was found, one line for the user: what to install or pass. Else NULL. */
const char *symbolizer_hint(const struct symbolizer *symbolizer);

/* Debug info of vmlinux, for source globs; NULL: none. Borrowed. */
struct debuginfo *symbolizer_vmlinux(struct symbolizer *symbolizer);

/*
 * Debug info of a module; NULL when there is none. Borrowed. Loaded on first use.
 * Add *ret_bias to link-time text addresses of it to get run-time ones.
 */
struct debuginfo *symbolizer_module(struct symbolizer *symbolizer, const char *module,
				    uint64_t *ret_bias);

/*
 * The module was loaded or unloaded: what was known of it, and of the addresses of modules, is looked up
 * again. Earlier results stay valid.
 */
void symbolizer_forget_module(struct symbolizer *symbolizer, const char *module);

/* Run-time minus link-time address of vmlinux text (KASLR); 0 when offline. */
uint64_t symbolizer_vmlinux_bias(const struct symbolizer *symbolizer);

#endif
