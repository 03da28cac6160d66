/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of return kinds, and kinds that types do not show. */
#ifndef RETSNOOP_KERNEL_TYPES_RETURN_KIND_NAME_H
#define RETSNOOP_KERNEL_TYPES_RETURN_KIND_NAME_H

#include "bpf/return_kind.h"

/* "int32", ...; and the results that are failures, in words: "-4095..-1", "never". Static. */
const char *return_kind_name(enum return_kind kind);
const char *return_kind_rule(enum return_kind kind);

/* Whether the result is a number that conditions can compare (bpf/result_rule.h, result_number()). */
int return_kind_is_number(enum return_kind kind);

/* Whether a result of the kind may be an errno: of those that fail, and errors returned as an unsigned long. */
int return_kind_may_be_errno(enum return_kind kind);

/* The kind of a BPF helper, which has the type `u64 name(u64, u64, u64, u64, u64)` in BTF. */
enum return_kind bpf_helper_return_kind(const char *name);

#endif
