/* SPDX-License-Identifier: BSD-2-Clause */
/* Recordings shown: what `retsnoop report` and `retsnoop why -i` have in common. */
#ifndef RETSNOOP_BUILTIN_REPORT_SHOW_H
#define RETSNOOP_BUILTIN_REPORT_SHOW_H

#include <stdbool.h>

#include "builtin/builtin.h"
#include "builtin/report_read.h"

/*
 * What was not given: how sessions are shown, as the first recording was made; where debug info comes
 * from, as this machine's configuration has it. 0; -EINVAL and others (reported).
 */
int report_take_settings(const struct report_set *set, struct trace_request *request);

/* Times are shown as they were there; in UTC, if time zones differ. */
void report_set_time_zone(const struct report_set *set);

/*
 * @set		just opened
 * @request	its symbols are set here
 * @return	an EXIT_x; what went wrong is reported
 */
int report_show(struct report_set *set, struct trace_request *request,
		const struct report_choice *choice, enum format format, bool color);

#endif
