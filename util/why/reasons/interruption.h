/* SPDX-License-Identifier: BSD-2-Clause */
/* The signal that ended a call, as text and as JSON. Pure code. */
#ifndef RETSNOOP_WHY_INTERRUPTION_H
#define RETSNOOP_WHY_INTERRUPTION_H

struct json;
struct strbuf;
struct watch_event;

/* Add nothing if no signal ended the call. */
void interruption_text_add(struct strbuf *text, const struct watch_event *event);
void interruption_json_add(struct json *json, const struct watch_event *event);

#endif
