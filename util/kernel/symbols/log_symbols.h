/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds source lines and inlined calls for places in a kernel's log. A place is an offset in a
 * function, so addresses, KASLR and the running kernel do not matter.
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_LOG_SYMBOLS_H
#define RETSNOOP_KERNEL_SYMBOLS_LOG_SYMBOLS_H

#include "util/kernel/symbols/log_line.h"

struct log_symbols;

struct log_symbols_options {
	const char *vmlinux;	/* -k; NULL: by the log's release, else the running kernel's */
	bool lines_only;	/* no inlined calls */
	bool debuginfod;	/* ask servers for missing files that have a build id */
};

/**
 * @ret_symbols	release with log_symbols_free()
 * @return	0; -ENOENT, -ENOEXEC the vmlinux given cannot be used (reported)
 */
int log_symbols_new(const struct log_symbols_options *options, struct log_symbols **ret_symbols);
void log_symbols_free(struct log_symbols *symbols);

/*
 * From now on, the log is of this kernel. Its debug info is searched, unless a vmlinux was given;
 * if it is not found, this is reported once (a warning with what to do).
 */
void log_symbols_set_release(struct log_symbols *symbols, const char *release);

struct log_found {
	const struct source_frame *frames;	/* innermost first; valid until the next call */
	int nr_frames;	/* 0: not known */
	unsigned int others;	/* other functions with this name and size */
};

/* Find a place's lines. Never fails: unknown facts are left empty. */
void log_symbols_lookup(struct log_symbols *symbols, const struct log_place *place,
			struct log_found *ret_found);

/* Whether debug info was needed, but none was found at all. */
bool log_symbols_lacked(const struct log_symbols *symbols);

#endif
