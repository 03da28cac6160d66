/* SPDX-License-Identifier: BSD-2-Clause */
/* `retsnoop report --diff`. */
#ifndef RETSNOOP_BUILTIN_REPORT_DIFF_H
#define RETSNOOP_BUILTIN_REPORT_DIFF_H

#include "builtin/suite/command.h"

#include <stdbool.h>

struct report_choice;
struct report_set;
struct trace_request;

/* Read both sets to the end and show the differences. Returns an exit status. */
int report_diff(struct report_set *a, struct report_set *b, const struct trace_request *request,
		const struct report_choice *choice, enum format format, bool color);

#endif
