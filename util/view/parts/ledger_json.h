/* SPDX-License-Identifier: BSD-2-Clause */
/* The loss report as a JSON object: for JSON views, and for the page. */
#ifndef RETSNOOP_VIEW_PARTS_LEDGER_JSON_H
#define RETSNOOP_VIEW_PARTS_LEDGER_JSON_H

#include <stdio.h>

#include "util/base/strbuf.h"

struct ledger;

/*
 * Append {"type":"ledger",...}, without the end of the line. @ledger NULL: no run, and nothing is
 * appended.
 *
 *	{"type":"ledger","sessions_shown":6,"missed":"some","functions_asked":45,
 *	 "functions_attached":45,"functions_refused":0,...
 *	 "losses":{"calls_not_followed":0,"sessions_lost_no_room":5,...},
 *	 "ring_records":12,"ring_bytes":3456,
 *	 "text":["6 sessions shown, some may be missing (45 functions attached)",
 *	         "5 sessions were lost: the ring buffer was full; try -C bpf.ringbuf-size=N"]}
 */
void ledger_json_add(struct strbuf *text, const struct ledger *ledger);

/* The same as a line of its own. 0; -EPIPE, -EIO, -ENOMEM (but for -EPIPE, reported). */
int ledger_json_print(const struct ledger *ledger, FILE *out);

#endif
