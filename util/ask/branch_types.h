/* SPDX-License-Identifier: BSD-2-Clause */
/* The types of branches that the CPU keeps: --lbr=SPEC. */
#ifndef RETSNOOP_ASK_BRANCH_TYPES_H
#define RETSNOOP_ASK_BRANCH_TYPES_H

#include <stdint.h>

#include "util/base/strbuf.h"

/*
 * Add one SPEC to a mask of PERF_SAMPLE_BRANCH_x: any_return, any, any_call, cond, call,
 * ind_call, ind_jump, call_stack, abort_tx, in_tx, no_tx, several separated by commas, or a raw
 * value.
 *
 * @return	0; -EINVAL (reported, with the nearest name)
 */
int branch_types_parse(const char *spec, uint64_t *types);

/* The default: any_return. */
#define DEFAULT_BRANCH_TYPES PERF_SAMPLE_BRANCH_ANY_RETURN

/*
 * Complete a mask. in_tx and no_tx are conditions, not types of branches: alone they would select
 * none (arch/x86/events/utils.c, branch_type(), 6.1).
 */
uint64_t branch_types_settle(uint64_t types);

/* Append the names of a mask's bits, separated by commas. */
void branch_types_add(struct strbuf *text, uint64_t types);

/* The name of the @nr-th type, NULL after the last. Static. */
const char *branch_types_name(size_t nr);

#endif
