/* SPDX-License-Identifier: BSD-2-Clause */
/* Searches a kernel's sources; for tests, too. */
#ifndef RETSNOOP_KERNEL_DEBUG_SOURCE_TEXT_INTERNAL_H
#define RETSNOOP_KERNEL_DEBUG_SOURCE_TEXT_INTERNAL_H

/*
 * The directory with the sources of exactly that version, in one of the usual places below @root.
 *
 * @release	uname -r
 * @build	uname -v, which is more exact in some cases; NULL not known
 * @return	to be freed; NULL: there is none
 */
char *source_text_find(const char *root, const char *release, const char *build);

#endif
