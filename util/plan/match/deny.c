// SPDX-License-Identifier: BSD-2-Clause
/*
 * The built-in deny list.
 *
 * The list is kept short: functions that bpf(2) calls on behalf of users (map_update_elem,
 * array_map_alloc, bpf_map_update_value, ...) stay traceable.
 */
#include "util/plan/match/deny.h"

#include <stddef.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/glob.h"

static const char between[] = "it is where interrupts begin and end, in no context of their own";
static const char starting[] = "it runs whenever a BPF program starts or ends";
static const char probing[] = "it runs between a probe and its BPF program";
static const char helper[] = "it is a BPF helper that tracing uses";
static const char mapping[] = "it is how BPF programs reach their maps";
static const char sending[] = "it is how tracing sends its results";
static const char unwinding[] = "it runs when tracing captures a stack";
static const char patching[] = "it rewrites the kernel's code when functions are attached";
static const char reading[] = "it runs when tracing reads kernel memory";

static const struct {
	const char *glob;
	const char *why;
} denied[] = {
	/* They are entered in one context and left in another: a session cannot have such calls. */
	{ "irq_enter*", between },
	{ "irq_exit*", between },
	{ "__irq_exit_rcu", between },
	{ "handle_softirqs*", between },
	{ "*__do_softirq", between },
	{ "do_softirq_own_stack", between },	/* arm64 and riscv have it and ____do_softirq */
	{ "__local_bh_disable_ip", between },	/* PREEMPT_RT's ksoftirqd begins with it */
	{ "__local_bh_enable", between },

	/* Entry and exit of the trampoline and the dispatcher (kernel/bpf/trampoline.c). */
	{ "__bpf_prog_enter*", starting },
	{ "__bpf_prog_exit*", starting },
	{ "__bpf_tramp_enter", starting },
	{ "__bpf_tramp_exit", starting },
	{ "bpf_prog_start_time", starting },
	{ "update_prog_stats", starting },
	{ "__update_prog_stats", starting },
	{ "bpf_prog_inc_misses_counter*", starting },
	/* Called by these; the kernel refuses trampolines on most of them as well. */
	{ "migrate_disable", starting },
	{ "migrate_enable", starting },
	{ "__migrate_disable", starting },
	{ "__migrate_enable", starting },
	{ "___migrate_enable", starting },	/* 7.2 */
	{ "rcu_read_lock*", starting },
	{ "rcu_read_unlock*", starting },
	{ "__rcu_read_*", starting },
	{ "rcu_is_watching", starting },
	{ "rcu_lockdep_current_cpu_online", starting },
	{ "preempt_count_add", starting },
	{ "preempt_count_sub", starting },

	/* kprobes, fprobes and perf events on the way to a program. Most are notrace anyway. */
	{ "trace_call_bpf", probing },
	{ "bpf_trace_run*", probing },		/* raw tracepoints, for injected probes */
	{ "__bpf_trace_*", probing },
	{ "kprobe_multi_*", probing },
	{ "kprobe_perf_func", probing },
	{ "kretprobe_perf_func", probing },
	{ "kretprobe_*", probing },
	{ "kprobe_ftrace_handler", probing },
	{ "fprobe_*", probing },
	{ "__fprobe_*", probing },
	{ "rethook_*", probing },
	{ "arch_rethook_*", probing },
	{ "ftrace_ops_*", probing },
	{ "ftrace_graph_*", probing },
	{ "function_graph_*", probing },
	{ "perf_trace_*", probing },

	/* Helpers that our programs call (kernel/bpf/helpers.c, kernel/trace/bpf_trace.c). */
	{ "bpf_get_current_*", helper },
	{ "from_kuid", helper },	/* of bpf_get_current_uid_gid(), at the end of each session */
	{ "from_kgid", helper },
	{ "bpf_get_smp_processor_id", helper },
	{ "bpf_current_task_under_cgroup", helper },
	{ "bpf_get_func_ip*", helper },
	{ "bpf_get_attach_cookie*", helper },
	{ "bpf_get_branch_snapshot", helper },
	{ "*_pmu_snapshot_*branch_stack", helper },
	{ "bpf_session_*", helper },
	{ "get_func_arg", helper },
	{ "get_func_arg_cnt", helper },
	{ "get_func_ret", helper },
	{ "bpf_ktime_get_*", helper },
	{ "ktime_get_mono_fast_ns", helper },
	{ "ktime_get_boot_fast_ns", helper },
	{ "delta_to_ns_safe*", helper },	/* of the former, inlined before 6.12 */
	{ "bpf_spin_lock", helper },
	{ "bpf_spin_unlock", helper },
	{ "bpf_loop", helper },
	{ "bpf_this_cpu_ptr", helper },
	{ "bpf_per_cpu_ptr", helper },

	/* Map operations for programs; those for bpf(2) have other names. */
	{ "bpf_map_lookup_elem", mapping },
	{ "bpf_map_lookup_percpu_elem", mapping },
	{ "bpf_map_update_elem", mapping },
	{ "bpf_map_delete_elem", mapping },
	{ "bpf_map_push_elem", mapping },
	{ "bpf_map_pop_elem", mapping },
	{ "bpf_map_peek_elem", mapping },
	{ "__htab_map_lookup_elem", mapping },
	{ "htab_map_lookup_elem", mapping },
	{ "htab_map_update_elem", mapping },
	{ "htab_map_delete_elem", mapping },
	{ "htab_map_hash", mapping },
	{ "lookup_elem_raw", mapping },
	{ "lookup_nulls_elem_raw", mapping },
	{ "alloc_htab_elem", mapping },
	{ "free_htab_elem", mapping },
	{ "htab_lock_bucket", mapping },
	{ "check_and_free_fields", mapping },
	{ "check_and_cancel_fields", mapping },
	{ "bpf_obj_free_fields", mapping },	/* of each element that is deleted */
	{ "bpf_obj_cancel_fields", mapping },
	{ "bpf_map_free_internal_structs", mapping },	/* 7.2 */
	{ "copy_map_value_locked", mapping },
	{ "htab_percpu_map_lookup_elem", mapping },
	{ "htab_percpu_map_lookup_percpu_elem", mapping },
	{ "htab_percpu_map_update_elem", mapping },
	{ "array_map_lookup_elem", mapping },
	{ "array_map_update_elem", mapping },
	{ "percpu_array_map_lookup_elem", mapping },
	{ "percpu_array_map_lookup_percpu_elem", mapping },
	{ "queue_stack_map_push_elem", mapping },
	{ "queue_map_pop_elem", mapping },
	{ "queue_map_peek_elem", mapping },
	{ "stack_map_pop_elem", mapping },
	{ "stack_map_peek_elem", mapping },
	{ "__queue_map_get", mapping },
	{ "__stack_map_get", mapping },
	/* Elements of maps that are not preallocated. */
	{ "__pcpu_freelist_*", mapping },
	{ "___pcpu_freelist_*", mapping },
	{ "pcpu_freelist_push", mapping },
	{ "pcpu_freelist_pop", mapping },
	{ "bpf_mem_cache_alloc", mapping },
	{ "bpf_mem_cache_free", mapping },
	{ "bpf_mem_alloc", mapping },
	{ "bpf_mem_free", mapping },
	{ "resilient_queued_spin_lock_slowpath", mapping },

	/* Not bpf_ringbuf_*: bpf(2) allocates ring buffers, which may fail for users. */
	{ "bpf_ringbuf_reserve*", sending },
	{ "__bpf_ringbuf_reserve", sending },
	{ "bpf_ringbuf_submit*", sending },
	{ "bpf_ringbuf_discard*", sending },
	{ "bpf_ringbuf_output", sending },
	{ "bpf_ringbuf_query", sending },
	{ "bpf_ringbuf_commit", sending },
	{ "bpf_ringbuf_notify", sending },
	{ "bpf_perf_event_output*", sending },
	{ "irq_work_queue", sending },
	{ "__irq_work_queue_local", sending },

	{ "bpf_get_stack*", unwinding },
	{ "__bpf_get_stack*", unwinding },
	{ "bpf_get_task_stack*", unwinding },
	{ "get_perf_callchain", unwinding },
	{ "get_callchain_entry", unwinding },
	{ "put_callchain_entry", unwinding },
	{ "perf_callchain_kernel", unwinding },
	{ "perf_callchain_user", unwinding },
	{ "callchain_store", unwinding },
	{ "callchain_finalize", unwinding },
	{ "__unwind_start", unwinding },
	{ "unwind_next_frame", unwinding },
	{ "unwind_get_return_address*", unwinding },
	{ "get_stack_info", unwinding },
	{ "get_stack_info_noinstr", unwinding },
	{ "stack_access_ok", unwinding },
	{ "orc_find*", unwinding },
	{ "orc_module_find", unwinding },
	{ "__module_address", unwinding },
	{ "bpf_has_frame_pointer", unwinding },
	{ "deref_stack_reg", unwinding },
	{ "__orc_find*", unwinding },
	{ "kernel_text_address", unwinding },
	{ "__kernel_text_address", unwinding },
	{ "is_bpf_text_address", unwinding },
	{ "bpf_ksym_find", unwinding },
	{ "is_ftrace_trampoline", unwinding },
	{ "ftrace_graph_ret_addr", unwinding },

	/* Not ftrace_*: its functions that patch code are notrace. */
	{ "text_poke*", patching },
	{ "__text_poke", patching },
	{ "smp_text_poke_*", patching },
	{ "do_sync_core", patching },
	{ "bpf_arch_text_poke", patching },
	{ "__bpf_arch_text_poke", patching },

	{ "bpf_probe_read_*", reading },
	{ "copy_from_kernel_nofault*", reading },
	{ "strncpy_from_kernel_nofault", reading },
	{ "copy_from_user_nofault", reading },
	{ "strncpy_from_user_nofault", reading },
};

const char *deny_reason(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(denied); i++) {
		if (denied[i].glob[0] != '*' && denied[i].glob[0] != name[0])
			continue;
		if (glob_matches(denied[i].glob, name))
			return denied[i].why;
	}
	return NULL;
}
