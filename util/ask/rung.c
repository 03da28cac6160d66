// SPDX-License-Identifier: BSD-2-Clause
/* Names of rungs. */
#include "util/ask/rung.h"

#include <errno.h>
#include <string.h>

static const char *const names[] = {
	[RUNG_FSESSION_MULTI] = "fsession-multi",
	[RUNG_KPROBE_SESSION] = "kprobe-session",
	[RUNG_KPROBE_MULTI] = "kprobe-multi",
	[RUNG_FENTRY] = "fentry",
	[RUNG_KPROBE] = "kprobe",
	[RUNG_AUTO] = "auto",
};

const char *rung_name(enum rung rung)
{
	return names[rung];
}

int rung_parse(const char *name)
{
	for (int i = 0; i <= RUNG_AUTO; i++) {
		if (!strcmp(name, names[i]))
			return i;
	}
	return -EINVAL;
}
