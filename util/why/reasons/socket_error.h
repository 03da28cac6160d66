/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who set the error that a socket kept until the failed call got it: when, in which context, and for what, as
 * text and as JSON.
 */
#ifndef RETSNOOP_WHY_REASONS_SOCKET_ERROR_H
#define RETSNOOP_WHY_REASONS_SOCKET_ERROR_H

#include <stdbool.h>

struct decision;
struct decision_condition;
struct json;
struct strbuf;
struct view_context;
struct watch_event;

/*
 * Whether the code failed for another reason, though the socket had got the same error: send(2) of a packet socket tests
 * that its device is up, and bind(2) had set ENETDOWN before.
 */
bool socket_error_is_beside(const struct decision *decision, const struct decision_condition *condition);

/**
 * Add nothing if it is not known.
 *
 * @call	the failed call
 * @report	of the same call, WATCH_SOCKET; NULL: none
 */
void socket_error_text_add(struct strbuf *text, const struct view_context *context,
			   const struct watch_event *call, const struct watch_event *report);
void socket_error_json_add(struct json *json, const struct view_context *context,
			   const struct watch_event *call, const struct watch_event *report);

#endif
