/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests through netlink sockets: what they are called, and which function takes them. Pure code. */
#ifndef RETSNOOP_WHY_WATCH_NETLINK_H
#define RETSNOOP_WHY_WATCH_NETLINK_H

#include <stdint.h>

struct strbuf;
struct watch_event;

/*
 * The function that the kernel calls with each request of that protocol, whose result is the answer:
 * rtnetlink_rcv_msg. NULL: it is not known.
 */
const char *netlink_function(const struct watch_event *event);

/* "RTM_NEWLINK", or "NETLINK_GENERIC 25". */
void netlink_name_add(struct strbuf *text, const struct watch_event *event);

#endif
