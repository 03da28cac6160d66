/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the debug info of a kernel and of its modules where distributions and builds put it. */
#ifndef RETSNOOP_KERNEL_DEBUG_DEBUGINFO_FIND_H
#define RETSNOOP_KERNEL_DEBUG_DEBUGINFO_FIND_H

#include "util/kernel/debug/debuginfo.h"

/* The kernel whose debug info is searched. */
struct kernel_place {
	const char *sysroot;	/* before every path; "" for this machine */
	const char *release;	/* uname -r */
};

/* Whether a file fits. */
enum debuginfo_fit {
	FIT_GOOD,
	FIT_MISSING,
	FIT_OTHER_BUILD,	/* it has another build id */
	FIT_NO_DWARF,
	FIT_BROKEN,		/* not ELF, or cannot be read */
	FIT_COMPRESSED,		/* in a way that this build does not know */
};

/*
 * Open a file and compare its build id. A file fits if no build id is wanted (NULL, or len 0), or
 * the file has none. *ret_info is set for FIT_GOOD only.
 */
enum debuginfo_fit debuginfo_try(const char *path, const struct build_id *wanted,
				 const struct section_layout *layout, struct debuginfo **ret_info);

/* Warn when parts of the debug info of @path are in other files, which are not read. */
void debuginfo_warn_elsewhere(struct debuginfo *info, const char *path);

/* Warn of a file of debug info that is compressed in a way that this build does not know. */
void debuginfo_warn_compressed(const char *path);

/**
 * Look for the debug info of vmlinux in the standard places, then by build id.
 *
 * @ret_path	of the file, to be freed
 * @return	FIT_GOOD; else the result for the likeliest candidate, whose path is in *ret_path
 *		(NULL: no candidate)
 */
enum debuginfo_fit debuginfo_find_vmlinux(const struct kernel_place *place,
					  const struct build_id *wanted, char **ret_path,
					  struct debuginfo **ret_info);

/**
 * Look for the debug info of a module, by name as /proc/modules has it ('-' is '_').
 *
 * @near	another directory that may have it, such as that of a vmlinux in a build tree; or
 *		NULL
 * @ret_path	as above; NULL: not wanted
 */
enum debuginfo_fit debuginfo_find_module(const struct kernel_place *place, const char *near,
					 const char *module, const struct build_id *wanted,
					 const struct section_layout *layout, char **ret_path,
					 struct debuginfo **ret_info);

/*
 * The path where debuginfod clients keep the debug info of a build, whether it exists or not.
 * NULL: not known, or out of memory. free() it.
 */
char *debuginfo_cache_path(const struct build_id *id);

/* The build id in a file of notes, as in /sys. 0; -errno. */
int build_id_read(const char *path, struct build_id *ret_id);

#endif
