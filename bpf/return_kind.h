/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The kind of result a function returns: enough to tell success from failure. It is decided once
 * from BTF, passed to BPF with the function, and applied in BPF and when results are printed
 * (bpf/result_rule.h). The numbers are part of the wire format.
 */
#ifndef RETSNOOP_BPF_RETURN_KIND_H
#define RETSNOOP_BPF_RETURN_KIND_H

enum return_kind {
	RETURN_UNKNOWN = 0,	/* no BTF: as a 4-byte signed value */
	RETURN_VOID = 1,	/* never fails */
	RETURN_POINTER = 2,	/* failed when NULL or IS_ERR */
	RETURN_BOOL = 3,	/* never fails */
	RETURN_INT32 = 4,	/* 4-byte signed, enum: failed when in -4095..-1 as 32 bits */
	RETURN_INT64 = 5,	/* 8-byte signed: failed when in -4095..-1 */
	RETURN_UNSIGNED32 = 6,	/* never fails */
	RETURN_UNSIGNED64 = 7,	/* never fails */
	RETURN_NARROW = 8,	/* 1 or 2 bytes, the sign is not known: never fails */
	RETURN_STRUCT = 9,	/* a struct or union by value: never fails */
	/* These never fail; compilers leave anything in the register's other bits. */
	RETURN_UNSIGNED8 = 10,
	RETURN_UNSIGNED16 = 11,
	RETURN_INT8 = 12,
	RETURN_INT16 = 13,
};

#define NR_RETURN_KINDS 14

#endif
