// SPDX-License-Identifier: BSD-2-Clause
/* Names of contexts. */
#include "util/view/parts/context_name.h"

#include "bpf/event.h"

static const char *const names[] = {
	[CONTEXT_TASK] = "task",
	[CONTEXT_SOFTIRQ] = "softirq",
	[CONTEXT_HARDIRQ] = "hardirq",
	[CONTEXT_NMI] = "nmi",
};

const char *context_key(unsigned int context)
{
	return names[context];
}

const char *context_text(unsigned int context)
{
	return context == CONTEXT_NMI ? "NMI" : names[context];
}
