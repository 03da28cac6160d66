/* SPDX-License-Identifier: BSD-2-Clause */
/* Which distribution this is, and how it hands out the debug info of its kernels. */
#ifndef RETSNOOP_KERNEL_DEBUG_DISTRIBUTION_H
#define RETSNOOP_KERNEL_DEBUG_DISTRIBUTION_H

#include <stdbool.h>

#include "util/base/strbuf.h"

struct distribution {
	char id[32];	/* "debian", as in os-release; "" not known */
	char like[64];	/* those it is made from, nearest first: "rhel fedora"; or "" */
	char name[96];	/* "Debian GNU/Linux 13 (trixie)"; or "" */
};

/* From /etc/os-release below @root ("" for this machine), or where else it may be. */
void distribution_read(const char *root, struct distribution *ret_os);

/*
 * Append what installs the debug info of the distribution's kernel @release: "apt install
 * linux-image-6.1.0-18-amd64-dbg". False, and nothing is appended: there is no such package, as far
 * as is known.
 */
bool distribution_debug_command(const struct distribution *os, const char *release,
				struct strbuf *sb);

/* The same as advice in a sentence, whatever the distribution: "run 'apt install ...'". */
void distribution_debug_advice(const struct distribution *os, const char *release,
			       struct strbuf *sb);

#endif
