/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of failed calls of retsnoop why, whether a command made them or a recording has them. */
#ifndef RETSNOOP_VIEW_LISTS_FAILED_LIST_H
#define RETSNOOP_VIEW_LISTS_FAILED_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json;
struct strbuf;

/* The title. @explained: another call was explained above it. */
void failed_list_begin(struct strbuf *text, bool explained);
/* The beginning of a row; the call follows. @number: for --call, from 1. */
void failed_list_row(struct strbuf *text, size_t number, uint64_t count);
/* The first members of the row's JSON object. */
void failed_list_json(struct json *json, size_t number, uint64_t count, bool explained);

#endif
