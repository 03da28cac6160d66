/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Paths of source files as the kernel tree names them: "kernel/bpf/syscall.c", wherever the
 * kernel was built.
 */
#ifndef RETSNOOP_KERNEL_DEBUG_SOURCE_PATH_H
#define RETSNOOP_KERNEL_DEBUG_SOURCE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "util/base/strbuf.h"

/* The folder of the tree a file was built from; "" when it is not known. */
struct source_root {
	char *path;	/* without the '/' at the end; owned; NULL: not looked for yet */
};

/* Join what of the three is needed, and take out "//", "." and "..". */
void source_path_join(struct strbuf *sb, const char *comp_dir, const char *dir, const char *name);

/*
 * The part of a clean path below the folder it was compiled in, else below the root, else all of
 * it. Points into @path.
 */
const char *source_path_strip(const char *path, const char *comp_dir,
			      const struct source_root *root);

/*
 * Learn the root from the clean path of one more unit: what all have in common. The first call
 * takes the path's folder.
 */
void source_root_narrow(char *root, const char *path);

/*
 * The root for a single unit, not below the folder it was compiled in: what the two have in common,
 * else what is in front of a folder that kernel trees have. Length of the part of @path.
 */
size_t source_root_guess(const char *path, const char *comp_dir);

/*
 * Whether a path is selected. Without a '*' the glob is a file or a folder with all below it; a '/'
 * at the end means all below; `*` does not cross a '/'.
 */
bool source_path_match(const char *glob, const char *path);

#endif
