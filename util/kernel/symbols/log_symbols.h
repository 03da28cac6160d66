/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places in a kernel's log to source lines and inlined calls. Addresses do not matter: a place is
 * an offset in a function, and so neither KASLR nor the running kernel does.
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_LOG_SYMBOLS_H
#define RETSNOOP_KERNEL_SYMBOLS_LOG_SYMBOLS_H

#include "util/kernel/symbols/log_line.h"

struct log_symbols;

struct log_symbols_options {
	const char *vmlinux;	/* -k; NULL: by the release in the log, else the running kernel's */
	bool lines_only;	/* no inlined calls */
	bool debuginfod;	/* ask servers for what is not here, if it has a build id */
};

/**
 * @ret_symbols	release with log_symbols_free()
 * @return	0; -ENOENT, -ENOEXEC the vmlinux given cannot be used (reported)
 */
int log_symbols_new(const struct log_symbols_options *options, struct log_symbols **ret_symbols);
void log_symbols_free(struct log_symbols *symbols);

/*
 * The log is of this kernel from here on. Its debug info is looked for, unless a vmlinux was given;
 * that it is not found is said once (a warning with what to do).
 */
void log_symbols_set_release(struct log_symbols *symbols, const char *release);

struct log_found {
	const struct source_frame *frames;	/* innermost first; valid until the next call */
	int nr_frames;	/* 0: nothing is known of it */
	unsigned int others;	/* functions of that name and size that it may be as well */
};

/* What is at a place. Never fails: what is not known is left empty. */
void log_symbols_lookup(struct log_symbols *symbols, const struct log_place *place,
			struct log_found *ret_found);

/* Whether debug info was wanted and there was none at all. */
bool log_symbols_lacked(const struct log_symbols *symbols);

#endif
