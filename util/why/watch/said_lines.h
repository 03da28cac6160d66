/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of the kernel's log that it wrote in several parts (KERN_CONT). Whether a part belonged to the line before,
 * or began one of its own, only the log itself tells: the parts are joined if it has a line of just that text.
 */
#ifndef RETSNOOP_WHY_WATCH_SAID_LINES_H
#define RETSNOOP_WHY_WATCH_SAID_LINES_H

#include <stdbool.h>

struct failed_calls;

/*
 * Join messages of one call: the first part gets the whole text, the others become empty.
 *
 * @is_line	whether the kernel's log has a line of just this text
 */
void said_join(struct failed_calls *calls, bool (*is_line)(const char *text));

/* The same, as /dev/kmsg has it; false if that cannot be read. */
bool said_is_line(const char *text);

/* Whether a record of /dev/kmsg, which ends with NUL, is a line of just this text. */
bool said_record_is(const char *record, const char *text);

#endif
