/* SPDX-License-Identifier: BSD-2-Clause */
/* Data captured at a probe, as text. */
#ifndef RETSNOOP_VIEW_SESSION_PROBE_TEXT_H
#define RETSNOOP_VIEW_SESSION_PROBE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

struct args_capture;
struct probes;
struct value_format;

/*
 * Called for each item to show, in order. Both strings are valid only during the call.
 *
 * @name	"regs", "old_pid"; NULL: @value needs no name
 */
typedef void (*probe_item_fn)(void *arg, const char *name, const char *value);

/**
 * Walk the items of a probe: for kprobes the registers; for kretprobes the result and the
 * registers; for tracepoints the line made by their print fmt (with @verbose each field); for raw
 * tracepoints the arguments.
 *
 * @id		index of the probe
 * @capture	as received; may be cut anywhere, and is not trusted
 * @format	of arguments
 * @verbose	all registers, not just those that are not 0
 */
void probe_items(const struct probes *probes, uint32_t id, const struct args_capture *capture,
		 const struct value_format *format, bool verbose, probe_item_fn fn, void *arg);

/* All items on one line: "regs={.r14=2,.ip=0xffffffff81000104}", "comm=sh pid=1". */
void probe_text_add(struct strbuf *sb, const struct probes *probes, uint32_t id,
		    const struct args_capture *capture, const struct value_format *format);

#endif
