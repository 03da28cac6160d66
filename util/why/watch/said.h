/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's messages in a call, as shown. Pure code. */
#ifndef RETSNOOP_WHY_WATCH_SAID_H
#define RETSNOOP_WHY_WATCH_SAID_H

#include <stdbool.h>

struct watch_event;

/* "printk", "netlink", "fsopen" or "verifier"; "?" if it is none of them. */
const char *said_source(const struct watch_event *said);

/*
 * Fill said->said with what is shown of the message `text`, which ends with NUL, is changed, and is
 * elsewhere. The level's marks are left out ("\0014", or "e " in the log of fsopen(2)), and the end of
 * the line. Of the verifier's log, the error is kept: a line, or two, and the reason that Linux 7.3
 * gives.
 */
void said_fill(struct watch_event *said, char *text);

/* Of a filled in message of printk(): it did not end its line. */
bool said_goes_on(const struct watch_event *said);

#endif
