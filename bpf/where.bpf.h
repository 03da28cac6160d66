/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Conditions on a call's arguments (bpf/arg_items.h). */
#ifndef RETSNOOP_BPF_WHERE_BPF_H
#define RETSNOOP_BPF_WHERE_BPF_H

#include "bpf/args.bpf.h"
#include "bpf/result_rule.h"

/* Reads the number, of up to 8 bytes, at the capture's place. */
static __always_inline __s64 read_number(struct slot *slot, const struct where_test *test)
{
	__u64 size = test->item.size, number, shift;

	if (slot->capture.is_value) {
		number = slot->capture.place;
	} else {
		slot->words[0] = 0;
		size &= 15;
		barrier_var(size);
		if (size > 8 || read_memory(slot->words, size, slot->capture.place,
					    test->item.flags & ARG_USER, false) < 0)
			return 0;
		number = slot->words[0];
	}
	shift = 64 - 8 * (size & 15);
	number = (number & test->mask[0]) << (shift & 63);
	/* 5.10's verifier has no signed shift by a variable; this is the same. */
	if (test->is_signed && number >> 63)
		return (__s64)(number >> (shift & 63) | ~(~0ull >> (shift & 63)));
	return number >> (shift & 63);
}

static __always_inline int string_holds(struct slot *slot, const struct where_test *test)
{
	__u64 pointer = slot->capture.place, differ = 0;
	bool user = test->item.flags & ARG_USER;

	if (test->item.kind == ARG_STRING)
		pointer = read_pointer(&slot->capture);
#pragma unroll
	for (int i = 0; i < WHERE_WORDS + 1; i++)
		slot->words[i] = 0;
	if (!pointer ||
	    read_memory(slot->words, sizeof(slot->words), pointer, user, true) < 0)
		return 0;
#pragma unroll
	for (int i = 0; i < WHERE_WORDS; i++)
		differ |= (slot->words[i] & test->mask[i]) ^ test->text[i];
	return !differ;
}

/*
 * Not static, like capture_item().
 *
 * @which	condition * WHERE_MAX_TESTS + test
 */
__noinline int test_holds(__u32 slot_index, __u32 which)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &slot_index);
	__u32 index = which / WHERE_MAX_TESTS;
	const struct where *where = bpf_map_lookup_elem(&wheres, &index);
	const struct where_test *test;
	__u64 bias;
	__s64 number;

	if (!slot || !where)
		return 0;
	test = &where->tests[which & (WHERE_MAX_TESTS - 1)];
	go_to_item(slot, &test->item, &slot->capture);
	if (test->is_text)
		return string_holds(slot, test) == (test->op == TERM_EQ);
	number = read_number(slot, test);
	/* Terms are signed: flipping the top bit keeps the order of unsigned numbers. */
	bias = test->is_signed ? 0 : 1ull << 63;
	return term_holds(number ^ bias, test->op, test->value ^ bias);
}

/* Tests condition @index on the arguments in its slot. The outcome is left in session->scratch. */
static __noinline int where_holds(struct session_state *session, __u32 index)
{
	const struct where *where = bpf_map_lookup_elem(&wheres, &index);
	__u64 outcome = 0;

	if (!session)
		return 0;
	session->scratch = 0;
	if (!where)
		return 0;
	for (__u32 i = 0; i < WHERE_MAX_TESTS; i++) {
		if (i >= where->nr)
			break;
		if (test_holds(session->slot, index * WHERE_MAX_TESTS + i))
			session->scratch |= 1u << i;
	}
	outcome = session->scratch;
	barrier_var(outcome);
	session->scratch = where->truth[outcome >> 6 & 3] >> (outcome & 63) & 1;
	return 0;
}

/* Tests a call with its arguments in its slot. Returns 0 if the entry call fails its condition. */
static __always_inline int meets_where(struct session_state *session, __u32 func, bool entry)
{
	const struct arg_items *items = bpf_map_lookup_elem(&arg_items, &func);
	__u32 where;

	if (!items || !items->where)
		return 1;
	where = items->where - 1;
	where_holds(session, where);
	if (session->scratch)
		session->wheres_met |= 1u << (where & (WHERE_MAX - 1));
	return session->scratch || !entry;
}

#endif
