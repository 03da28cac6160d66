/* SPDX-License-Identifier: BSD-2-Clause */
/* Stacks as BPF sent them. For assembler.c and assembler_stacks.c only. */
#ifndef RETSNOOP_TRACE_SESSION_ASSEMBLER_INTERNAL_H
#define RETSNOOP_TRACE_SESSION_ASSEMBLER_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "util/trace/session/assembler.h"

/* The contents of one EVENT_STACK record. */
struct stack_record {
	struct stack_record *next; /* of the same session, in the order of arrival */
	uint32_t frame;
	uint32_t nr_ips;
	uint64_t ips[];
};

/**
 * Fill in a session's stack: ips, nr_ips, at_entry. Without any records of stacks it has none.
 *
 * @first	the session's records, in the order of arrival; NULL: none. The caller still owns
 *		them
 * @own_stacks	EVENT_SESSION_OWN_STACKS
 * @session	has its frames, whose functions are in the plan
 * @return	0; -ENOMEM
 */
int assembler_take_stacks(const struct session_rules *rules, const struct stack_record *first,
			  bool own_stacks, struct session *session);

#endif
