/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's messages in a call, as shown. Pure code. */
#ifndef RETSNOOP_WHY_SAID_H
#define RETSNOOP_WHY_SAID_H

struct watch_event;

/* "printk", "netlink", "fsopen" or "verifier"; "?" if it is none of them. */
const char *said_source(const struct watch_event *said);

/*
 * Remove the level's marks ("\0014", or "e " in the log of fsopen(2)), and cut the text at the end
 * of the line. Of the verifier's log, keep the error: a line, or two.
 */
void said_trim(struct watch_event *said);

#endif
