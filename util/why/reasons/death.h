/* SPDX-License-Identifier: BSD-2-Clause */
/* The signal that ended a process: who sent it, and what for, as text and as JSON. */
#ifndef RETSNOOP_WHY_REASONS_DEATH_H
#define RETSNOOP_WHY_REASONS_DEATH_H

#include <stdbool.h>

struct json;
struct strbuf;
struct view_context;
struct watch_event;

/* Whether it is known who sent it. */
bool death_is_known(const struct watch_event *death);

/* Whether the call of a SIGSYS was one of a 32-bit program, whose calls have other numbers. */
bool death_is_compat(const struct watch_event *death);

/**
 * @death	WATCH_KILLED
 * @syscall	with SIGSYS, the name of the system call; NULL: not known
 */
void death_text_add(struct strbuf *text, const struct view_context *context, const struct watch_event *death,
		    const char *syscall);
void death_json_add(struct json *json, const struct view_context *context, const struct watch_event *death,
		    const char *syscall);

#endif
