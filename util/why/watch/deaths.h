/* SPDX-License-Identifier: BSD-2-Clause */
/* Which signal that ended a process is what a command failed of. Pure code. */
#ifndef RETSNOOP_WHY_WATCH_DEATHS_H
#define RETSNOOP_WHY_WATCH_DEATHS_H

#include <stdbool.h>

#include "util/why/watch/searches.h"

/*
 * Whether a process failed so: others may end it with SIGTERM and the like as they want, and a reader that has
 * enough with SIGPIPE.
 */
bool death_is_failure(const struct watch_event *death);

/* The errno of the call that such a signal comes with; 0: none. */
int death_errno(const struct watch_event *death);

/**
 * The end of a process that explains how a command ended: its own, or that of the last process whose signal the
 * command tells by its status, or in a message.
 *
 * @status	of the command, as wait(2) has it
 * @any		also of one that failed so if the command tells nothing of it
 * @return	WATCH_KILLED; NULL: there is none
 */
const struct watch_event *deaths_find(const watch_events *events, int status, bool any);

/* The last end of a process by a signal; NULL: there is none. */
const struct watch_event *deaths_last(const watch_events *events);

#endif
