/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of a kernel's source files, if its tree is on this machine. */
#ifndef RETSNOOP_KERNEL_DEBUG_SOURCE_TEXT_H
#define RETSNOOP_KERNEL_DEBUG_SOURCE_TEXT_H

#include <stdint.h>

struct source_text;

/**
 * @dir		a kernel tree; NULL: search the places where distributions unpack the running
 *		kernel's tree (/usr/src/linux-source-X.Y and the like)
 * @release	of the kernel, to look for; NULL when @dir is given
 * @return	0; -ENOENT there is none (reported when @dir was given); -ENOMEM (reported)
 */
int source_text_open(const char *dir, const char *release, struct source_text **ret_source);
void source_text_close(struct source_text *source);

/*
 * A line without its end, tabs kept, control characters replaced; NULL: no such file or line. Files
 * are read on first use and kept. @path as DWARF names it: nothing outside the tree is opened.
 */
const char *source_text_line(struct source_text *source, const char *path, uint32_t line);

#endif
