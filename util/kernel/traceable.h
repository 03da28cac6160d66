/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which functions of the running kernel can be traced: those with an ftrace location, without
 * those on the kernel's kprobe blacklist.
 *
 * Answers are by the address of the function's symbol, so all aliases get the same answer.
 */
#ifndef RETSNOOP_KERNEL_TRACEABLE_H
#define RETSNOOP_KERNEL_TRACEABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/kernel/ftrace_pages.h"

struct kernel_btf;
struct symbols;
struct traceable;

/* The text of the kernel's lists. Release with traceable_text_release(). */
struct traceable_text {
	char *functions;	/* available_filter_functions; NULL: cannot be read */
	bool with_addrs;	/* it is available_filter_functions_addrs */
	char *blacklist;	/* kprobes/blacklist; NULL: debugfs is not mounted, or refused */
};

/**
 * Read the running kernel's lists from tracefs and debugfs, wherever these are mounted; does not
 * mount them. This is slow in the kernel and shares no data, so it may run in a thread.
 *
 * @return	0; -ENOENT tracefs is not mounted, or the kernel has no function tracing; -EACCES and
 *		others it cannot be read (not reported); lists that can be read are in @ret_text nevertheless
 */
int traceable_read(struct traceable_text *ret_text);
/* Read only the blacklist. */
void traceable_read_blacklist(struct traceable_text *ret_text);
void traceable_text_release(struct traceable_text *text);

/**
 * Parse the text. Without the blacklist, only functions in its sections are known to be on it.
 *
 * @symbols	used to map addresses; not kept
 * @text	modified
 * @return	0; -ENOMEM (reported)
 */
int traceable_parse(const struct symbols *symbols, struct traceable_text *text,
		    struct traceable **ret_traceable);

/**
 * The same from ftrace_pages_read().
 *
 * @addrs	taken over
 * @text	only its blacklist is used
 * @return	0; -EBADMSG most of @addrs are no beginnings of functions; -ENOMEM (reported)
 */
int traceable_from_locations(const struct symbols *symbols, addr_vec *addrs,
			     const struct traceable_text *text, struct traceable **ret_traceable);

/*
 * A guess: functions in BTF, which has nearly the functions that ftrace can trace; without BTF
 * (NULL) all functions. Of @text only the blacklist is used. 0; -ENOMEM (reported).
 */
int traceable_guess(const struct symbols *symbols, struct kernel_btf *btf,
		    const struct traceable_text *text, struct traceable **ret_traceable);

/* Whether it is a guess: what BTF has. */
bool traceable_is_of_btf(const struct traceable *traceable);

void traceable_free(struct traceable *traceable);

/* Whether the function at @addr (where its symbol starts) can be traced, blacklist aside. */
bool traceable_has(const struct traceable *traceable, uint64_t addr);

/* Whether single kprobes are forbidden at @addr. */
bool traceable_is_blacklisted(const struct traceable *traceable, uint64_t addr);

/* How many functions can be traced. */
size_t traceable_count(const struct traceable *traceable);

#endif
