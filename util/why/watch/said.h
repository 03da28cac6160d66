/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kernel said in a call, as it is shown. Pure code. */
#ifndef RETSNOOP_WHY_SAID_H
#define RETSNOOP_WHY_SAID_H

struct watch_event;

/* "printk", "netlink", "fsopen" or "verifier"; "?" if it is none of them. */
const char *said_source(const struct watch_event *said);

/*
 * The text without the kernel's marks of its level ("\0014", or "e " in the log of fsopen(2)), and cut
 * at its end of line. Of the verifier's log, what it complains of: a line, or two.
 */
void said_trim(struct watch_event *said);

#endif
