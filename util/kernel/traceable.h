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

struct kernel_btf;
struct symbols;
struct traceable;

/* How good the answers are. */
enum traceable_source {
	TRACEABLE_LIST,	/* available_filter_functions */
	TRACEABLE_BTF,	/* it cannot be read: functions that BTF knows, nearly the same set */
	TRACEABLE_ALL,	/* neither is there: any function */
};

/**
 * Read what the running kernel says, from wherever tracefs and debugfs are mounted; nothing is
 * mounted. Without debugfs the blacklist is known by its sections only.
 *
 * @symbols	those addresses are mapped to; not kept
 * @return	0; -ENOENT tracefs is not mounted, -EACCES and others it cannot be read (not
 *		reported); -ENOMEM (reported)
 */
int traceable_load(const struct symbols *symbols, struct traceable **ret_traceable);

/*
 * The next best: functions that BTF knows, which is made from those that ftrace can see, or
 * nearly so; without BTF (NULL) all. 0; -ENOMEM (reported).
 */
int traceable_guess(const struct symbols *symbols, struct kernel_btf *btf,
		    struct traceable **ret_traceable);

/**
 * From texts in the kernel's formats, as they are in files.
 *
 * @functions		available_filter_functions, or available_filter_functions_addrs; not kept
 * @with_addrs		which of them
 * @blacklist		kprobes/blacklist; "" for none
 */
int traceable_parse(const struct symbols *symbols, const char *functions, bool with_addrs,
		    const char *blacklist, struct traceable **ret_traceable);

void traceable_free(struct traceable *traceable);

enum traceable_source traceable_source(const struct traceable *traceable);

/* Whether the function at @addr (where its symbol starts) can be traced, blacklist aside. */
bool traceable_has(const struct traceable *traceable, uint64_t addr);

/* Whether single kprobes are forbidden there. */
bool traceable_is_blacklisted(const struct traceable *traceable, uint64_t addr);

/* How many functions can be traced. */
size_t traceable_count(const struct traceable *traceable);

#endif
