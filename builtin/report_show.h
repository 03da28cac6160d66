/* SPDX-License-Identifier: BSD-2-Clause */
/* Recordings shown: what `retsnoop report` and `retsnoop why -i` have in common. */
#ifndef RETSNOOP_BUILTIN_REPORT_SHOW_H
#define RETSNOOP_BUILTIN_REPORT_SHOW_H

#include <stdbool.h>

#include "builtin/builtin.h"
#include "builtin/report_open.h"

/*
 * What was not given: how sessions are shown, as the recording was made; where debug info comes
 * from, as this machine's configuration has it. 0; -EINVAL and others (reported).
 */
int report_take_settings(const struct recording_meta *meta, struct trace_request *request);

/* Times are shown as they were there. */
void report_set_time_zone(const struct recording_meta *meta);

/*
 * @request	its symbols are set here
 * @return	an EXIT_x; what went wrong is reported
 */
int report_show(struct report_input *input, struct trace_request *request,
		const struct report_choice *choice, enum format format, bool color);

#endif
