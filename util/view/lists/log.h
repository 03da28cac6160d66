/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines added to a kernel's log: after a line that names a place, its source line, and one line
 * for each call inlined there, outermost first.
 *
 *	[    5.236064]  do_syscall_64+0x5d/0x90
 *			  (arch/x86/entry/common.c:80:7)
 *			  . do_syscall_x64 (arch/x86/entry/common.c:50:14)
 */
#ifndef RETSNOOP_VIEW_LISTS_LOG_H
#define RETSNOOP_VIEW_LISTS_LOG_H

#include <stdbool.h>

#include "util/base/strbuf.h"
#include "util/kernel/symbols/log_symbols.h"

/* @several	the line names several places, so each is named again */
void log_view_place(struct strbuf *text, bool color, const struct log_place *place,
		    const struct log_found *found, bool several);

/*
 * Append the bytes of the instruction that a "Code:" line marks; nothing if they are no
 * instruction.
 */
void log_view_code(struct strbuf *text, bool color, size_t column, const struct log_code *code);

#endif
