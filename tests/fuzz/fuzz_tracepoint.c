// SPDX-License-Identifier: BSD-2-Clause
/*
 * Records of tracepoints as text. An input's first byte picks a format that kernels have, whose
 * print fmt is followed, and the rest is a record; or the rest is a format that is not trusted, a
 * NUL, and a record.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tracepoint_formats.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/kernel/tracepoints/tracepoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);
const char *__lsan_default_suppressions(void);

/* It does not free all of a format that it gives up on. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

static const char *const known[] = {
	format_exec, format_switch, format_arrays, format_ratio, format_opaque, format_syscall,
	format_masks,
};
#define NR_KNOWN ARRAY_SIZE(known)

static void show(const struct tracepoint *tracepoint, const uint8_t *record, size_t size)
{
	/* Of just that size, for the sanitizer to see what is read beyond. */
	uint8_t *copy = memcpy(malloc(size + !size), record, size);
	struct strbuf text = STRBUF_INIT;

	tracepoint_add(tracepoint, copy, size, &text);
	vec_foreach(field, &tracepoint->fields)
		tracepoint_field_add(tracepoint, field, copy, size, &text);
	strbuf_release(&text);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	struct tracepoint *tracepoint = NULL;
	const uint8_t *end = input + size;
	bool trusted;

	if (!size || size > TRACEPOINT_MAX_RECORD)
		return 0;
	trusted = *input < NR_KNOWN;
	if (trusted) {
		if (tracepoint_parse("category", known[*input], strlen(known[*input]), true,
				     &tracepoint))
			abort();
		show(tracepoint, input + 1, size - 1);
	} else {
		end = memchr(input, '\0', size) ?: end;
		if (!tracepoint_parse("category", (const char *)input + 1, end - input - 1, false,
				      &tracepoint) && end < input + size)
			show(tracepoint, end + 1, input + size - end - 1);
	}
	tracepoint_free(tracepoint);
	return 0;
}
