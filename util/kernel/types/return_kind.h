/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of return kinds, and kinds that types do not tell. */
#ifndef RETSNOOP_KERNEL_TYPES_RETURN_KIND_H
#define RETSNOOP_KERNEL_TYPES_RETURN_KIND_H

#include "bpf/return_kind.h"

/* "int32", ...; and when such a result is a failure, in words: "-4095..-1", "never". Static. */
const char *return_kind_name(enum return_kind kind);
const char *return_kind_rule(enum return_kind kind);

/* Whether there is a result that conditions on numbers are for (bpf/result.h, result_number()). */
int return_kind_is_number(enum return_kind kind);

/* Of a function of the shape all BPF helpers have in BTF, `u64 name(u64, u64, u64, u64, u64)`. */
enum return_kind bpf_helper_return_kind(const char *name);

#endif
