/* SPDX-License-Identifier: BSD-2-Clause */
/* How an argument of a system call is written: flags by name, modes octal, as strace does. */
#ifndef RETSNOOP_VIEW_VALUES_ARGUMENT_H
#define RETSNOOP_VIEW_VALUES_ARGUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"

/* An argument that is no string. */
struct argument {
	const char *syscall;	/* "openat" */
	const char *name;	/* of the parameter */
	const char *type;	/* the kernel's, "umode_t" */
	uint64_t value;
	uint64_t before;	/* value of the parameter before it; 0 there is none */
	uint64_t first;		/* value of the call's first parameter */
};

void argument_add(struct strbuf *text, const struct argument *argument);

/*
 * Whether the call uses its argument: the mode of open(2) only if a file may be created. If not, it uses none of
 * those after it either.
 */
bool argument_is_used(const struct argument *argument);

/*
 * Whether a call's argument is text in some uses of it, though its type does not say so: the options of mount(2). It
 * may be other data for all that.
 *
 * @index	of the argument, from 0
 * @args	all arguments of the call
 */
bool argument_may_be_text(const char *syscall, unsigned int index, const uint64_t *args);

#endif
