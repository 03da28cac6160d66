/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of the contexts of sessions (enum event_context). */
#ifndef RETSNOOP_VIEW_PARTS_CONTEXT_NAME_H
#define RETSNOOP_VIEW_PARTS_CONTEXT_NAME_H

/* In JSON: "task", "softirq", "hardirq", "nmi". */
const char *context_key(unsigned int context);

/* In text: the same, but "NMI". */
const char *context_text(unsigned int context);

#endif
