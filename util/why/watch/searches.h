/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that a program did not find, and that it need not find: such failures explain nothing. Pure code. */
#ifndef RETSNOOP_WHY_WATCH_SEARCHES_H
#define RETSNOOP_WHY_WATCH_SEARCHES_H

#include <stdbool.h>

#include "bpf/watch/watch_event.h"
#include "util/base/strmap.h"
#include "util/base/vec.h"

typedef VEC(struct watch_event) watch_events;

/* Names that a process did not find, and whether it looked in several directories. */
struct searches {
	struct strmap by_name;		/* "PID NR NAME" to the first event, | SEVERAL */
	VEC(char *) names;		/* its keys */
	char *const *command;		/* its words, up to NULL; borrowed; NULL: there is none */
};

/*
 * The text that an argument points to, which may be cut, or the path in a UNIX socket's address; NULL: there is none.
 */
const char *watch_string(const struct watch_event *event, uint32_t argument);

/* The first argument of a call that is a path; NULL: no path was read. */
const char *watch_path(const struct watch_event *event);

/* Whether a call did not find a path. */
bool searches_may_be(const struct watch_event *event);

/* Whether the command line has the path: "cp /missing/x /tmp/x" does not search for x. */
bool searches_is_in_command(char *const *command, const char *path);

/* Whether a library looked for this file by itself, and does not need it. */
bool searches_is_library(char *const *command, const struct watch_event *event);

/* Whether a library was missing that a text names, as the dynamic linker does, without its directory. */
bool searches_is_named_library(const struct watch_event *event, const char *text);

/* Fill in all but the command. 0; -ENOMEM. Release with searches_release() either way. */
int searches_find(struct searches *searches, const watch_events *events);
void searches_release(struct searches *searches);

/*
 * Whether the process looked for the same name in another directory, before or after, or this is
 * a directory of libraries.
 */
bool searches_have(const struct searches *searches, const struct watch_event *event);

#endif
