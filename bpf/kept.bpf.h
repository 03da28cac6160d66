/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Errors that entry functions keep in an object, instead of returning them: those of requests through io_uring
 * (config.kept_at). Such a function gets the object as its first parameter.
 */
#ifndef RETSNOOP_BPF_KEPT_BPF_H
#define RETSNOOP_BPF_KEPT_BPF_H

#include "bpf/maps.bpf.h"

/* What io_uring's functions return when the request is complete, or is completed elsewhere, maybe by now. */
#define KEPT_COMPLETE 0
#define KEPT_SKIP_COMPLETE (-529)

static __always_inline __s32 kept_read(const struct slot *slot)
{
	__s32 result = 0;

	bpf_probe_read_kernel(&result, sizeof(result), (void *)(slot->kept_object + config.kept_at));
	return result;
}

/* The entry call begins; slot->args has its arguments. */
static __always_inline void kept_begin(struct slot *slot)
{
	slot->kept_object = slot->args[0];
	slot->kept_before = kept_read(slot);
}

/*
 * The entry call's result: the error that it kept, with a mark, or else what it returned. An object that is not
 * complete may have an error of its former use.
 */
static __always_inline __u64 kept_or(const struct slot *slot, __u64 returned)
{
	__u64 mark = (__s32)returned == KEPT_COMPLETE ? KEPT_MARK : KEPT_ELSEWHERE_MARK;
	__s32 kept;

	if ((__s32)returned != KEPT_COMPLETE && (__s32)returned != KEPT_SKIP_COMPLETE)
		return returned;
	kept = kept_read(slot);
	if (mark == KEPT_ELSEWHERE_MARK && kept == slot->kept_before)
		return 0;
	return kept < 0 && kept >= -RESULT_MAX_ERRNO ? mark << 32 | (__u32)kept : 0;
}

#endif
