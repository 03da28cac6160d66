/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Filters: before a session opens, and when it has ended.
 */
#ifndef RETSNOOP_BPF_FILTER_BPF_H
#define RETSNOOP_BPF_FILTER_BPF_H

#include "bpf/maps.bpf.h"
#include "bpf/process.bpf.h"
#include "bpf/result_rule.h"

/*
 * Empty slots are for cgroups created later. A loop, because 64 unrolled calls are too much code.
 */
static __always_inline bool in_cgroups(void)
{
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < CONFIG_CGROUPS; i++) {
		if (i >= config.nr_cgroups)
			break;
		if (bpf_current_task_under_cgroup(&cgroups, i) == 1)
			return true;
	}
	return false;
}

/* A task that descends from the workload, but that `pids` does not have. */
static __always_inline bool is_child(void)
{
#ifdef NO_KERNEL_BTF
	__u64 task = bpf_get_current_task();

	return bpf_map_lookup_elem(&children, &task);
#else
	return false;
#endif
}

/* Process filters. An interrupt belongs to no process, so any such filter drops its calls. */
static __always_inline bool context_wanted(__u32 context)
{
	struct comm comm = {};
	__u8 *verdict;
	__u32 id;

	if (config.own_pid && context == CONTEXT_TASK && current_ids() >> 32 == config.own_pid)
		return false;
	if (!config.filter_pids && !config.filter_comms && !config.filter_uids &&
	    !config.nr_cgroups)
		return true;
	if (context != CONTEXT_TASK)
		return false;
	if (config.filter_pids) {
		id = current_ids() >> 32;
		verdict = bpf_map_lookup_elem(&pids, &id);
		if (verdict ? *verdict == FILTER_DENY : config.only_listed_pids && !is_child())
			return false;
	}
	if (config.filter_uids) {
		id = bpf_get_current_uid_gid();
		if (!bpf_map_lookup_elem(&uids, &id))
			return false;
	}
	if (config.filter_comms) {
		bpf_get_current_comm(&comm, sizeof(comm));
		verdict = bpf_map_lookup_elem(&comms, &comm);
		if (verdict ? *verdict == FILTER_DENY : config.only_listed_comms)
			return false;
	}
	return !config.nr_cgroups || in_cgroups();
}

/*
 * Errno lists apply to a whole chain: one allowed result lets it pass, one denied result drops it.
 */
static __always_inline bool errnos_pass(const struct chain_state *chain)
{
	if (config.deny_errnos_used && (chain->flags & CHAIN_DENIED))
		return false;
	return !config.allow_errnos_used || (chain->flags & CHAIN_ALLOWED);
}

/* Conditions that apply to every session. @result, @cookie: of the entry call */
static __always_inline bool conditions_hold(const struct session_state *session, __u64 cookie,
					    __u64 result, __u64 duration_ns)
{
	__u32 returns = COOKIE_RETURNS(cookie);

	if (config.longer_ns && duration_ns < config.longer_ns)
		return false;
	if (config.fn_longer_ns && !(session->flags & SESSION_FN_LONGER))
		return false;
	if (config.wheres && (session->wheres_met & config.wheres_inside) != config.wheres_inside)
		return false;
	if (config.filter_result &&
	    (returns == RETURN_VOID || returns == RETURN_STRUCT ||
	     !terms_hold(&config.result, result, returns)))
		return false;
	return true;
}

/* Whether to show a session that ended. */
static __always_inline bool session_passes(const struct session_state *session,
					   const struct chain_state *chain, __u64 cookie,
					   __u64 result, __u64 duration_ns)
{
	if (!conditions_hold(session, cookie, result, duration_ns))
		return false;
	if (!(chain->flags & CHAIN_VALID))
		return false;
	if (!(chain->flags & CHAIN_FAILED))
		return config.successes;
	return errnos_pass(chain);
}

static __always_inline bool errno_in(const volatile __u64 *bits, __u32 err)
{
	return bits[err / 64 & (CONFIG_ERRNO_WORDS - 1)] >> (err & 63) & 1;
}

static __noinline int find_errno_by_rule(struct session_state *session, __u64 cookie, __u64 result)
{
	__u32 rule = COOKIE_RULE(cookie);

	if (session)
		session->scratch = result_errno_by(&config.error_rules[(rule - 1) & (CONFIG_RULES - 1)],
						   result, COOKIE_RETURNS(cookie));
	return 0;
}

/*
 * The errno that a call's result stands for, 0 for a failure without one, or RESULT_NOT_FAILED. It
 * is left in session->scratch: outside memory the verifier would follow each path through a rule.
 */
static __always_inline void find_errno(struct session_state *session, __u64 cookie, __u64 result)
{
	if (config.nr_rules && COOKIE_RULE(cookie))
		find_errno_by_rule(session, cookie, result);
	else
		session->scratch = result_errno(result, COOKIE_RETURNS(cookie));
}

static __always_inline bool can_fail(__u64 cookie)
{
	return (config.nr_rules && COOKIE_RULE(cookie)) || result_can_fail(COOKIE_RETURNS(cookie));
}

#endif
