/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which functions of the running kernel can be traced: those with an ftrace location, without
 * those on the kernel's kprobe blacklist.
 *
 * Answers go by the address of the function's symbol, so that every alias gets the same one.
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

/* How good the answers are. */
enum traceable_source {
	TRACEABLE_LIST,	/* ftrace's list, from the kernel's memory or available_filter_functions */
	TRACEABLE_BTF,	/* neither can be read: functions that BTF knows, nearly the same set */
	TRACEABLE_ALL,	/* nor is there BTF: any function */
};

/* The kernel's lists as they are in its files. Release with traceable_text_release(). */
struct traceable_text {
	char *functions;	/* available_filter_functions; NULL: cannot be read */
	bool with_addrs;	/* it is available_filter_functions_addrs */
	char *blacklist;	/* kprobes/blacklist; NULL: debugfs is not mounted, or not for us */
};

/**
 * Read what the running kernel says, from wherever tracefs and debugfs are mounted; nothing is
 * mounted. Takes its time in the kernel and touches nothing else, so that it may have a thread.
 *
 * @return	0; -ENOENT tracefs is not mounted, -EACCES and others it cannot be read (not
 *		reported); what can be read is in @ret_text all the same
 */
int traceable_read(struct traceable_text *ret_text);
/* The blacklist alone. */
void traceable_read_blacklist(struct traceable_text *ret_text);
void traceable_text_release(struct traceable_text *text);

/**
 * Understand it. Without its blacklist, that is known by its sections only.
 *
 * @symbols	those that addresses are mapped to; not kept
 * @text	changed in the course
 * @return	0; -ENOMEM (reported)
 */
int traceable_parse(const struct symbols *symbols, struct traceable_text *text,
		    struct traceable **ret_traceable);

/**
 * The same from ftrace_pages_read().
 *
 * @addrs	taken over
 * @text	of which the blacklist
 * @return	0; -EBADMSG most of @addrs are not where functions begin; -ENOMEM (reported)
 */
int traceable_from_locations(const struct symbols *symbols, addr_vec *addrs,
			     const struct traceable_text *text, struct traceable **ret_traceable);

/*
 * The next best: functions that BTF knows, which is made from those that ftrace can see, or
 * nearly so; without BTF (NULL) all. Of @text the blacklist. 0; -ENOMEM (reported).
 */
int traceable_guess(const struct symbols *symbols, struct kernel_btf *btf,
		    const struct traceable_text *text, struct traceable **ret_traceable);

void traceable_free(struct traceable *traceable);

enum traceable_source traceable_source(const struct traceable *traceable);

/* Whether the function at @addr (where its symbol starts) can be traced, blacklist aside. */
bool traceable_has(const struct traceable *traceable, uint64_t addr);

/* Whether single kprobes are forbidden there. */
bool traceable_is_blacklisted(const struct traceable *traceable, uint64_t addr);

/* How many functions can be traced. */
size_t traceable_count(const struct traceable *traceable);

#endif
