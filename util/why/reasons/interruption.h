/* SPDX-License-Identifier: BSD-2-Clause */
/* Signals: the one that ended a call, as text and as JSON, and names. Pure code. */
#ifndef RETSNOOP_WHY_REASONS_INTERRUPTION_H
#define RETSNOOP_WHY_REASONS_INTERRUPTION_H

#include <stdint.h>

struct json;
struct strbuf;
struct watch_event;

/* "SIGRTMIN+24" needs fewer bytes. */
#define SIGNAL_NAME_SIZE 32

/* "SIGTERM". */
void signal_name(uint32_t signal, char name[SIGNAL_NAME_SIZE]);

/* Who sent an event's signal: "process", "timer", "child" or "kernel". */
const char *signal_sender(const struct watch_event *event);

/* Add nothing if no signal ended the call. */
void interruption_text_add(struct strbuf *text, const struct watch_event *event);
void interruption_json_add(struct json *json, const struct watch_event *event);

#endif
