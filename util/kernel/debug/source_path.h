/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Paths of source files in the kernel tree: "kernel/bpf/syscall.c", wherever the kernel was
 * built.
 */
#ifndef RETSNOOP_KERNEL_DEBUG_SOURCE_PATH_H
#define RETSNOOP_KERNEL_DEBUG_SOURCE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "util/base/strbuf.h"

/* The directory of the tree that a file was built from; "" not known. */
struct source_root {
	char *path;	/* without the '/' at the end; owned; NULL: not searched yet */
};

/* Join the parts that are needed, and remove "//", "." and "..". */
void source_path_join(struct strbuf *sb, const char *comp_dir, const char *dir, const char *name);

/*
 * The part of a clean path below the directory it was compiled in, else below the root, else all of
 * it. Points into @path.
 */
const char *source_path_strip(const char *path, const char *comp_dir,
			      const struct source_root *root);

/*
 * Learn the root, the common beginning of all units' paths, from the clean path of one more unit.
 * The first call uses the path's directory.
 */
void source_root_narrow(char *root, const char *path);

/* Whether a clean path is below that directory. */
bool source_path_is_below(const char *path, const char *directory);

/*
 * The root that a unit's clean path shares with a header of include/linux/ that it uses: the length
 * of its part of @path; 0: @header is none, or is of another tree.
 */
size_t source_root_of_header(const char *path, const char *header);

/*
 * Whether a path is selected. Without a '*' the glob is a file or a directory with all below it; a
 * '/' at the end means all below; `*` does not cross a '/'.
 */
bool source_path_match(const char *glob, const char *path);

#endif
