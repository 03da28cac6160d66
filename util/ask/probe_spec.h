/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Points in the kernel as users write them: `kprobe:FUNC[+OFF]`, `kretprobe:FUNC`,
 * `tp:CATEGORY:NAME`, `rawtp:NAME`, `line:FILE:LINE`, `@file`, `@-`. Names may be globs; names of
 * functions may be followed by ` [MODULE]`.
 */
#ifndef RETSNOOP_ASK_PROBE_SPEC_H
#define RETSNOOP_ASK_PROBE_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"

enum probe_kind {
	PROBE_KPROBE,
	PROBE_KRETPROBE,
	PROBE_TP,
	PROBE_RAWTP,
	PROBE_LINE,	/* only in specs: resolved to kprobes */
};

#define NR_PROBE_KINDS 5

static inline bool probe_is_on_function(enum probe_kind kind)
{
	return kind == PROBE_KPROBE || kind == PROBE_KRETPROBE;
}

struct probe_spec {
	enum probe_kind kind;
	char *text;	/* as the user wrote it, for messages */
	char *name;	/* glob: of functions, or tracepoints; PROBE_LINE: path of a source file */
	char *category;	/* PROBE_TP: glob */
	char *module;	/* kprobes: glob; NULL anywhere */
	uint64_t offset;	/* PROBE_KPROBE */
	uint32_t line;	/* PROBE_LINE */
};

struct probe_spec_list {
	VEC(struct probe_spec) v;
	bool given;	/* something was added, even an empty file */
};

/* "kprobe"; static. */
const char *probe_kind_name(enum probe_kind kind);

/**
 * Parse one point and append it; `@file` and `@-` append one for each line, as spec_list_add().
 *
 * @return	0; -EINVAL malformed, -errno a file that cannot be read (reported with the error,
 *		its column, and the nearest valid name)
 */
int probe_spec_list_add(struct probe_spec_list *list, const char *text);
void probe_spec_list_release(struct probe_spec_list *list);

#endif
