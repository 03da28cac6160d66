/* SPDX-License-Identifier: BSD-2-Clause */
/* How much to say on stderr; set once by the command line. */
#ifndef RETSNOOP_BASE_VERBOSITY_H
#define RETSNOOP_BASE_VERBOSITY_H

enum verbosity {
	VERBOSITY_QUIET = -1,	/* errors only */
	VERBOSITY_NORMAL = 0,
	VERBOSITY_VERBOSE = 1,	/* -v */
	VERBOSITY_DEBUG = 2,	/* -vv */
	VERBOSITY_TRACE = 3,	/* -vvv, libbpf's own log included */
};

void report_set_verbosity(int verbosity);
int report_verbosity(void);

#endif
