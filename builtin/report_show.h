/* SPDX-License-Identifier: BSD-2-Clause */
/* Showing recordings, for `retsnoop report` and `retsnoop why -i`. */
#ifndef RETSNOOP_BUILTIN_REPORT_SHOW_H
#define RETSNOOP_BUILTIN_REPORT_SHOW_H

#include <stdbool.h>

#include "builtin/report_read.h"
#include "builtin/suite/command.h"

/* Show times in the time zone of the recordings, or in UTC if their zones differ. */
void report_set_time_zone(const struct report_set *set);

/*
 * Show the sessions of all recordings.
 *
 * @set		just opened
 * @request	its symbol options are completed
 * @return	an EXIT_x; errors are reported
 */
int report_show(struct report_set *set, struct trace_request *request,
		const struct report_choice *choice, enum format format, bool color);

#endif
