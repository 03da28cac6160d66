/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Telling the user what went wrong, on stderr, once, where the cause is known.
 *
 * A message names the thing, the cause and what to do; lower case, no full stop, one line.
 */
#ifndef RETSNOOP_BASE_REPORT_H
#define RETSNOOP_BASE_REPORT_H

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/terminal.h"

/* Set when the first word of messages has a colour: by default on a terminal. */
void report_set_color(enum color_when when);

/**
 * Report an error: "retsnoop: MESSAGE". Always shown.
 *
 * @err		negative errno, returned as it is; its text is not added
 */
int report(int err, const char *fmt, ...) _printf_(2, 3);

/* "retsnoop: warning: MESSAGE"; not shown when quiet. */
void warning(const char *fmt, ...) _printf_(1, 2);

/* A plain line on stderr, shown from @level on. */
void say(int level, const char *fmt, ...) _printf_(2, 3);

/*
 * The same for long lists, which are written many lines at a time: while thousands of functions are
 * traced, each write costs milliseconds.
 */
struct say_list {
	struct strbuf text;
};

#define SAY_LIST_INIT { STRBUF_INIT }

void say_list_add(struct say_list *list, const char *fmt, ...) _printf_(2, 3);
/* Write what is left, and release. */
void say_list_end(struct say_list *list);

/* Report that memory ran out. Returns -ENOMEM. */
int report_oom(void);

#endif
