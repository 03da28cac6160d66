/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Debug info from debuginfod servers, through elfutils' libdebuginfod, which is loaded when it is
 * first asked: retsnoop runs where it is not. Only for users who ask for it, since the servers
 * learn what is looked at.
 *
 * Servers are those of $DEBUGINFOD_URLS, or of /etc/debuginfod where sudo has taken that away.
 */
#ifndef RETSNOOP_KERNEL_DEBUG_DEBUGINFOD_H
#define RETSNOOP_KERNEL_DEBUG_DEBUGINFOD_H

#include "util/kernel/debug/debuginfo.h"

struct debuginfod;

/*
 * Whether there is anything to ask: the library, and servers. 0; -ENOPKG; -ENODATA. Not reported.
 */
int debuginfod_available(void);

/* Never fails but for memory (reported): what is missing is said when it is asked. NULL then. */
struct debuginfod *debuginfod_new(void);
void debuginfod_free(struct debuginfod *debuginfod);

/**
 * Fetch the debug info of a build into the user's cache, if it is not there yet. Progress goes to
 * stderr; Ctrl-C gives up, and does not end the program.
 *
 * @what	for messages: "6.1.0-18-amd64", "module ext4"
 * @ret_path	of the file, to be freed
 * @return	0; -ENOENT no server has it; -ENOPKG, -ENODATA see above; -EINTR given up, and not
 *		asked again; -errno. A warning says which; of those that come back, once
 */
int debuginfod_fetch(struct debuginfod *debuginfod, const struct build_id *id, const char *what,
		     char **ret_path);

#endif
