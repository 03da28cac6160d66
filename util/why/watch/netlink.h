/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests through netlink sockets: their names, and the functions that handle them. Pure code. */
#ifndef RETSNOOP_WHY_WATCH_NETLINK_H
#define RETSNOOP_WHY_WATCH_NETLINK_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;
struct watch_event;

/*
 * The function that the kernel calls with each request of that protocol: its result is the answer,
 * for example rtnetlink_rcv_msg. NULL: not known.
 */
const char *netlink_function(const struct watch_event *event);

/*
 * Whether two requests with the same result look alike where they are taken: the same function is called with them,
 * whichever system call sent them.
 */
bool netlink_is_alike(const struct watch_event *a, const struct watch_event *b);

/*
 * Whether programs expect that a request fails: nf_tables is asked whether a chain or a set is there, and
 * NETLINK_ROUTE whether it has RTM_NEWLINK.
 */
bool netlink_expects(const struct watch_event *event);

/*
 * Who may have refused a request before its function was called, as text; NULL: nobody is known to. No
 * function returns such an error.
 */
const char *netlink_refuser(const struct watch_event *event);

/* "RTM_NEWLINK", or "NETLINK_GENERIC 25". */
void netlink_name_add(struct strbuf *text, const struct watch_event *event);

#endif
