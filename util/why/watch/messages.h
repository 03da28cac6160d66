/* SPDX-License-Identifier: BSD-2-Clause */
/* What processes wrote to their standard error, among other events. Pure code. */
#ifndef RETSNOOP_WHY_WATCH_MESSAGES_H
#define RETSNOOP_WHY_WATCH_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/why/watch/searches.h"

#define MESSAGE_SIZE 1024

/* What the process of a write wrote from there on, up to the line's end, which may be in a later write. */
void messages_line(const watch_events *events, const struct watch_event *from, char text[MESSAGE_SIZE]);

/* Whether a process wrote a message. */
bool messages_exist(const watch_events *events, uint32_t pid);

/* The last message of a process that is marked as fatal, or as an error; NULL: none is. */
const struct watch_event *messages_last_fatal(const watch_events *events, uint32_t pid);

/* The first message after one marked as an error that is marked as fatal; NULL: none, or it was another mark. */
const struct watch_event *messages_fatal_after(const watch_events *events, const struct watch_event *error);

#endif
