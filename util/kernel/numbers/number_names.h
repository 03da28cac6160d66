/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers that have names. */
#ifndef RETSNOOP_KERNEL_NUMBERS_NUMBER_NAMES_H
#define RETSNOOP_KERNEL_NUMBERS_NUMBER_NAMES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The name of @value in the bits of @mask. Several bits may be one number, as in PROT_NONE or
 * O_RDWR.
 */
struct number_name {
	const char *name;
	uint64_t value, mask;
};

struct number_names {
	const char *syscalls;	/* with a space before and after each */
	const char *parameter;	/* as the kernel names it */
	const struct number_name *names;
	size_t nr;
	enum {
		NAMED_BITS,
		NAMED_BITS_AND_SIGNAL,	/* in the lowest byte */
		NAMED_BITS_AND_MODE,	/* permissions in the lowest nine bits */
		NAMED_WHOLE,		/* one name for all of the number, or none */
		NAMED_IOCTL,		/* the same; its parts are shown if it has none */
		NAMED_LIMIT,		/* limit_name() has them */
		NAMED_IO_PRIORITY,	/* a class and a number in it */
		NAMED_QUOTA,		/* a command, and the type of quota in the lowest byte */
	} kind;
	const struct number_names *more;	/* of the kind NAMED_WHOLE; NULL: there are no others */
};

#define FLAG(name) { #name, name, name }
/* One number in some bits, or all of it. */
#define NUMBER(name, mask) { #name, name, mask }
#define WHOLE(name) { #name, (uint32_t)(name), UINT32_MAX }
/* Those that the headers of Debian 12 lack, or do not call so. */
#define FLAG_AS(name, bits) { #name, bits, bits }
#define WHOLE_AS(name, number) { #name, number, UINT32_MAX }
/* A table and its length, as struct number_names has them. */
#define NAMES(table) table, ARRAY_SIZE(table)

#endif
