// SPDX-License-Identifier: BSD-2-Clause
/* Return kinds in words, and the BPF helpers whose declared type says too little. */
#include "util/kernel/types/return_kind_name.h"

#include <stddef.h>

#include "bpf/result_rule.h"
#include "util/base/macros.h"
#include "util/base/text/glob.h"

static const struct {
	const char *name;
	const char *rule;
} kinds[] = {
	[RETURN_UNKNOWN] = { "unknown", "-4095..-1 as 32 bits" },
	[RETURN_VOID] = { "void", "never" },
	[RETURN_POINTER] = { "pointer", "NULL or an errno" },
	[RETURN_BOOL] = { "bool", "never" },
	[RETURN_INT32] = { "int32", "-4095..-1 as 32 bits" },
	[RETURN_INT64] = { "int64", "-4095..-1" },
	[RETURN_UNSIGNED32] = { "unsigned32", "never" },
	[RETURN_UNSIGNED64] = { "unsigned64", "never" },
	[RETURN_NARROW] = { "narrow", "never" },
	[RETURN_STRUCT] = { "struct", "never" },
	[RETURN_UNSIGNED8] = { "unsigned8", "never" },
	[RETURN_UNSIGNED16] = { "unsigned16", "never" },
	[RETURN_INT8] = { "int8", "never" },
	[RETURN_INT16] = { "int16", "never" },
};

const char *return_kind_name(enum return_kind kind)
{
	return kinds[kind].name;
}

const char *return_kind_rule(enum return_kind kind)
{
	return kinds[kind].rule;
}

int return_kind_is_number(enum return_kind kind)
{
	return kind != RETURN_VOID && kind != RETURN_STRUCT;
}

int return_kind_may_be_errno(enum return_kind kind)
{
	return result_can_fail(kind) || kind == RETURN_UNSIGNED64;
}

/*
 * BPF helpers are all declared `u64 name(u64, u64, u64, u64, u64)` (BPF_CALL_n), whatever they
 * return. Most return an int, 0 or a negative errno, sign-extended to 64 bits; so the rule is: a
 * function of that shape is an int64, but for those below. A number that is never in -4095..-1
 * would not need to be here; these are for hashes, cookies and random numbers that can be, and to
 * say what is true.
 */
static const struct {
	const char *glob;
	enum return_kind kind;
} helpers[] = {
	/* RET_PTR_TO_..._OR_NULL: NULL is how they fail. */
	{ "bpf_map_lookup_elem", RETURN_POINTER },
	{ "bpf_map_lookup_percpu_elem", RETURN_POINTER },
	{ "bpf_ringbuf_reserve", RETURN_POINTER },
	{ "bpf_*_storage_get*", RETURN_POINTER },
	{ "bpf_get_local_storage", RETURN_POINTER },
	{ "bpf_per_cpu_ptr", RETURN_POINTER },
	{ "bpf_this_cpu_ptr", RETURN_POINTER },
	{ "bpf_kptr_xchg", RETURN_UNSIGNED64 },	/* the old pointer: NULL is no failure */
	{ "bpf_dynptr_data", RETURN_POINTER },
	{ "bpf_*sk_lookup_tcp", RETURN_POINTER },
	{ "bpf_*sk_lookup_udp", RETURN_POINTER },
	{ "bpf_*skc_lookup_tcp", RETURN_POINTER },
	{ "bpf_skc_to_*", RETURN_POINTER },
	{ "bpf_sk_fullsock", RETURN_POINTER },
	{ "bpf_tcp_sock", RETURN_POINTER },
	{ "bpf_get_listener_sock", RETURN_POINTER },
	{ "bpf_sock_from_file", RETURN_POINTER },
	{ "bpf_get_current_task", RETURN_POINTER },
	{ "bpf_get_current_task_btf", RETURN_POINTER },
	{ "bpf_task_pt_regs", RETURN_POINTER },

	/* Plain numbers: every value is a result. */
	{ "bpf_get_current_pid_tgid", RETURN_UNSIGNED64 },
	{ "bpf_get_current_uid_gid", RETURN_UNSIGNED64 },
	{ "bpf_get_current_cgroup_id", RETURN_UNSIGNED64 },
	{ "bpf_*ancestor_cgroup_id", RETURN_UNSIGNED64 },
	{ "bpf_sk_cgroup_id", RETURN_UNSIGNED64 },
	{ "bpf_skb_cgroup_id", RETURN_UNSIGNED64 },
	{ "bpf_get_cgroup_classid*", RETURN_UNSIGNED64 },
	{ "bpf_skb_cgroup_classid", RETURN_UNSIGNED64 },
	{ "bpf_get_attach_cookie*", RETURN_UNSIGNED64 },
	{ "bpf_get_func_ip_*", RETURN_UNSIGNED64 },
	{ "bpf_get_netns_cookie*", RETURN_UNSIGNED64 },
	{ "bpf_get_socket_cookie*", RETURN_UNSIGNED64 },
	{ "bpf_get_socket_ptr_cookie", RETURN_UNSIGNED64 },
	{ "bpf_get_socket_uid", RETURN_UNSIGNED64 },
	{ "bpf_get_hash_recalc", RETURN_UNSIGNED64 },
	{ "bpf_set_hash*", RETURN_UNSIGNED64 },
	{ "bpf_get_route_realm", RETURN_UNSIGNED64 },
	{ "bpf_get_numa_node_id", RETURN_UNSIGNED64 },
	{ "bpf_get_smp_processor_id", RETURN_UNSIGNED64 },
	{ "bpf_get_raw_cpu_id", RETURN_UNSIGNED64 },
	{ "bpf_user_rnd_u32", RETURN_UNSIGNED64 },
	{ "bpf_jiffies64", RETURN_UNSIGNED64 },
	{ "bpf_ktime_get_*", RETURN_UNSIGNED64 },
	{ "bpf_ringbuf_query", RETURN_UNSIGNED64 },
	{ "bpf_perf_event_read", RETURN_INT64 },	/* a counter, or an errno as documented */
	{ "bpf_xdp_get_buff_len", RETURN_UNSIGNED64 },
	{ "get_func_arg_cnt", RETURN_UNSIGNED64 },
	{ "bpf_get_retval", RETURN_UNSIGNED64 },	/* what another program will return */
	{ "bpf_strncmp", RETURN_UNSIGNED64 },	/* negative is "less", not an error */

	/* Return nothing. */
	{ "bpf_ringbuf_submit*", RETURN_VOID },
	{ "bpf_ringbuf_discard*", RETURN_VOID },
	{ "bpf_spin_lock", RETURN_VOID },
	{ "bpf_spin_unlock", RETURN_VOID },
	{ "__bpf_call_base", RETURN_UNSIGNED64 },
};

enum return_kind bpf_helper_return_kind(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(helpers); i++) {
		if (glob_matches(helpers[i].glob, name))
			return helpers[i].kind;
	}
	return RETURN_INT64;
}
