/* SPDX-License-Identifier: BSD-2-Clause */
/* Why an attach method is missing. Runs, --dry-run, funcs and doctor give the same answer. */
#ifndef RETSNOOP_TRACE_ATTACH_RUNG_MISSING_H
#define RETSNOOP_TRACE_ATTACH_RUNG_MISSING_H

#include "util/base/strbuf.h"
#include "util/trace/attach/features.h"

/**
 * Append why a rung that is not among features->rungs is missing: "from Linux 6.10 on", "this kernel
 * was built without CONFIG_KPROBES".
 *
 * @version	KERNEL_VERSION_OF() the kernel; 0: not known
 */
void rung_missing_add(struct strbuf *sb, const struct features *features, enum rung rung,
		      unsigned int version);

#endif
