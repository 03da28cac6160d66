/* SPDX-License-Identifier: BSD-2-Clause */
/* The distribution of this machine, and its packages with kernels' debug info. */
#ifndef RETSNOOP_KERNEL_DEBUG_DISTRIBUTION_H
#define RETSNOOP_KERNEL_DEBUG_DISTRIBUTION_H

#include <stdbool.h>

#include "util/base/strbuf.h"

struct distribution {
	char id[32];	/* "debian", from os-release; "" not known */
	char like[64];	/* distributions it is based on, nearest first: "rhel fedora"; or "" */
	char name[96];	/* "Debian GNU/Linux 13 (trixie)"; or "" */
};

/* Read /etc/os-release below @root ("" for this machine), or another place of that file. */
void distribution_read(const char *root, struct distribution *ret_os);

/*
 * Append the command that installs the debug info of the distribution's kernel @release: "apt
 * install linux-image-6.1.0-18-amd64-dbg". False: no such package is known, and nothing is
 * appended.
 */
bool distribution_debug_command(const struct distribution *os, const char *release,
				struct strbuf *sb);

/* The same as advice in a sentence, whatever the distribution: "run 'apt install ...'". */
void distribution_debug_advice(const struct distribution *os, const char *release,
			       struct strbuf *sb);

#endif
