/* SPDX-License-Identifier: BSD-2-Clause */
/* What was captured at a probe, as text. */
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
 * Called for each thing there is to show, in order. Both strings are gone when it returns.
 *
 * @name	"regs", "old_pid"; NULL: @value is a text that speaks for itself
 */
typedef void (*probe_item_fn)(void *arg, const char *name, const char *value);

/**
 * Walk what a probe has to show: of kprobes the registers, of kretprobes the result and the
 * registers, of tracepoints the line that their print fmt makes (with @verbose its fields, one
 * each), of raw tracepoints the arguments.
 *
 * @id		index of the probe
 * @capture	as it came; may be cut anywhere, and is not trusted
 * @format	of arguments
 * @verbose	all registers, not just those that are not 0
 */
void probe_items(const struct probes *probes, uint32_t id, const struct args_capture *capture,
		 const struct value_format *format, bool verbose, probe_item_fn fn, void *arg);

/* All of it in a line: "regs={.r14=2,.ip=0xffffffff81000104}", "comm=sh pid=1". */
void probe_text_add(struct strbuf *sb, const struct probes *probes, uint32_t id,
		    const struct args_capture *capture, const struct value_format *format);

#endif
