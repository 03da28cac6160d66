// SPDX-License-Identifier: BSD-2-Clause
/* How much to say on stderr. */
#include "util/base/verbosity.h"

static int current_verbosity;

void report_set_verbosity(int verbosity)
{
	current_verbosity = verbosity;
}

int report_verbosity(void)
{
	return current_verbosity;
}
