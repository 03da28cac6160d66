/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Debug info from debuginfod servers, through elfutils' libdebuginfod, which is loaded on first
 * use: retsnoop runs without it. Only for users who ask for it, since the servers learn which
 * builds are examined.
 *
 * The servers are those of $DEBUGINFOD_URLS, or those of /etc/debuginfod if sudo has removed the
 * variable.
 */
#ifndef RETSNOOP_KERNEL_DEBUG_DEBUGINFOD_H
#define RETSNOOP_KERNEL_DEBUG_DEBUGINFOD_H

#include "util/kernel/debug/debuginfo.h"

struct debuginfod;

/* Whether it can be used. 0; -ENOPKG no library; -ENODATA no servers. Not reported. */
int debuginfod_available(void);

/* NULL: out of memory (reported). A missing library or server is reported by the first fetch. */
struct debuginfod *debuginfod_new(void);
void debuginfod_free(struct debuginfod *debuginfod);

/**
 * Fetch the debug info of a build into the user's cache, if it is not there yet. Progress goes to
 * stderr; Ctrl-C cancels, and does not end the program.
 *
 * @what	for messages: "6.1.0-18-amd64", "module ext4"
 * @ret_path	of the file, to be freed
 * @return	0; -ENOENT no server has it; -ENOPKG, -ENODATA see above; -EINTR cancelled, and
 *		not asked again; -errno. A warning reports it; a repeated cause is reported once
 */
int debuginfod_fetch(struct debuginfod *debuginfod, const struct build_id *id, const char *what,
		     char **ret_path);

#endif
