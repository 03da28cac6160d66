/* SPDX-License-Identifier: BSD-2-Clause */
/* A call with its arguments, as text. */
#ifndef RETSNOOP_WHY_CALL_TEXT_H
#define RETSNOOP_WHY_CALL_TEXT_H

struct strbuf;
struct watch_event;
struct why;

/* `mount(dev_name="none", dir_name="/", type=NULL)`. */
void why_call_add(struct why *why, const struct watch_event *event, struct strbuf *text);

/* The wrapper function of a system call; the caller frees it. */
char *why_wrapper_of(const char *name);

#endif
