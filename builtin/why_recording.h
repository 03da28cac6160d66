/* SPDX-License-Identifier: BSD-2-Clause */
/* `retsnoop why -i`: explains a failure in a recording. */
#ifndef RETSNOOP_BUILTIN_WHY_RECORDING_H
#define RETSNOOP_BUILTIN_WHY_RECORDING_H

#include <stdbool.h>

#include "builtin/suite/command.h"

struct trace_request;
struct why_ask;

/**
 * @path	of the recording; "-" is standard input
 * @ask		max_runs is 0 unless given; it is refused, as is @once
 * @request	filters, vmlinux and source; modes and settings are added
 * @return	an EXIT_x
 */
int why_recording(const char *path, const struct why_ask *ask, bool once,
		  struct trace_request *request, const struct command_args *args);

#endif
