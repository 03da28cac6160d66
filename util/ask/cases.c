// SPDX-License-Identifier: BSD-2-Clause
/* Cases: named sets of functions, built in or from the configuration. */
#include "util/ask/cases.h"

#include <errno.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/config_file.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/text/nearest.h"

int case_check_key(const struct config_entry *entry)
{
	if (!strcmp(entry->key, "entry") || !strcmp(entry->key, "allow") ||
	    !strcmp(entry->key, "deny"))
		return 0;
	return report(-EINVAL, "%s:%u: a case has entry, allow and deny, no '%s'", entry->path,
		      entry->line, entry->key);
}

/*
 * A case has only globs on names, which work without debug info. It serves many kernels, so a
 * glob that matches nothing on this kernel is no error. A case denies functions that run for
 * every packet, task switch or tracing hit and say nothing about a failing call.
 */

static const struct builtin_case {
	const char *name;
	const char *entry[2], *allow[128], *deny[64];	/* NULL-terminated */
} builtin_cases[] = {
	{
		.name = "bpf",
		.entry = { "*_sys_bpf" },
		.allow = {
			/* programs, maps, links, BTF as the system call sees them */
			"bpf_prog_*", "__bpf_prog_*", "bpf_map_*", "__bpf_map_*", "bpf_link_*",
			"*_link_attach", "*_link_create", "bpf_tracing_*", "bpf_trampoline_*",
			"__bpf_trampoline_*", "bpf_struct_ops_*", "bpf_obj_*", "bpf_fd_*",
			"bpf_get_btf_*", "bpf_get_inode", "bpf_get_file_flag",
			"bpf_get_raw_tracepoint", "bpf_iter_attach_*", "bpf_iter_prog_*",
			"bpf_iter_new_fd", "bpf_token_*", "bpf_mprog_*", "bpf_lru_init",
			"bpf_local_storage_*", "bpf_percpu_*", "bpf_stackmap_*", "bpf_audit_*",
			"bpf_check_uarg_*", "bpf_task_fd_query*", "bpf_btf_*", "btf_*",
			"cgroup_bpf_*", "__cgroup_bpf_attach", "__cgroup_bpf_detach",
			"netns_bpf_*", "perf_event_*_bpf_prog", "security_bpf*",
			/* map types */
			"map_*_elem", "map_create*", "map_check_*", "map_*_batch", "generic_map_*",
			"*_map_alloc*", "*_map_update_elem", "*_map_delete_elem",
			"*_map_get_next_key", "*_map_meta_equal", "*_array_get_ptr", "trie_*",
			/* the verifier, and the translation of programs to machine code */
			"bpf_check", "bpf_check_attach_*", "bpf_core_*", "bpf_convert_*",
			"bpf_patch_*", "bpf_remove_insns", "bpf_int_jit_compile", "bpf_jit_*",
			"bpf_verifier_log_*", "bpf_find_btf_id", "arch_prepare_bpf_*",
			"add_subprog*", "adjust_*_min_max_vals", "check_alu_op", "check_atomic*",
			"check_attach_*", "check_btf_*", "check_cfg", "check_cond_jmp_op",
			"check_ctx_access", "check_func_*", "__check_func_call", "check_helper_*",
			"check_kfunc_*", "check_ld_*", "check_map_*", "check_max_stack_depth*",
			"check_mem_*", "__check_mem_access", "check_packet_access", "check_ptr_*",
			"__check_ptr_*", "check_reference_leak", "check_reg_*",
			"check_return_code", "check_stack_access_*", "check_stack_range_*",
			"check_stack_read*", "check_stack_write*", "check_subprogs",
			"convert_ctx_accesses", "do_check*", "do_misc_fixups", "jit_subprogs",
			"mark_chain_precision", "process_dynptr_func", "process_iter_*",
			"process_kf_arg_*", "process_spin_lock", "process_timer_func",
			"push_insn", "resolve_pseudo_ldimm64", "visit_*insn", "*_func_proto",
		},
		.deny = {
			"*.cold", "*_seq_show*", "*_seq_next*", "*_seq_start", "*_seq_stop",
			"*_show_fdinfo", "*_fill_link_info", "*_link_dealloc", "*_link_release",
			"btf_*_show", "btf_show*", "btf_*_log", "btf_verifier_log*",
			"*_put", "*_inc", "*_free", "*_free_*",
			"bpf_prog_run*", "__bpf_prog_run*", "__bpf_prog_enter*", "__bpf_prog_exit*",
			"bpf_prog_test_run_*", "bpf_trampoline_enter", "bpf_trampoline_exit",
			"bpf_map_*_elem", "bpf_local_storage_lookup", "__bpf_prog_ret*",
			"bpf_jit_binary_*", "resv_map_alloc",
			/* called for every type or instruction, and never fail */
			"btf_type_by_id", "btf_type_skip_modifiers", "btf_name_by_offset",
			"btf_type_is_*", "btf_type_int_is_*", "btf_type_str", "btf_type_id_size",
			"btf_nr_types", "btf_is_*", "btf_obj_id", "btf_id_*", "btf_sec_info_cmp",
			"btf_kfunc_id_set_contains", "bpf_map_value_size", "bpf_jit_supports_*",
		},
	},
	{
		.name = "perf",
		.entry = { "*_sys_perf_event_open" },
		.allow = {
			"*perf_event_*", "perf_copy_attr", "perf_init_event", "perf_try_init_event",
			"perf_get_*", "perf_group_*", "perf_install_in_context", "perf_kprobe_*",
			"perf_uprobe_*", "perf_tp_event_init", "perf_swevent_init",
			"perf_cgroup_connect",
			"perf_lock_task_context", "perf_remove_*", "perf_check_*", "perf_allow_*",
			"perf_permit_*", "find_get_context", "find_get_pmu_context",
			"find_lively_task_by_vpid", "alloc_perf_context", "get_callchain_buffers",
			"create_local_trace_*", "*_event_init", "*_hw_config", "*_setup_*filter",
			"x86_reserve_hardware", "x86_schedule_events", "x86_add_exclusive",
			"*_pmu_event_*", "*hw_breakpoint*", "*_bp_slot",
		},
		.deny = {
			"bpf_perf_event_*", "perf_event_task*", "__perf_event_task*",
			"perf_event_comm*", "perf_event_mmap*", "perf_event_fork",
			"perf_event_exec",
			"perf_event_namespaces*", "perf_event_nmi_handler", "*perf_event_overflow",
			"*perf_event_output*", "*_output_id_sample", "perf_event_update_*",
			"perf_event_wakeup", "*perf_event_header*", "perf_event_switch*",
			"perf_event_groups_*", "perf_event_sched_in", "perf_event_ksymbol*",
			"perf_event_text_poke*", "perf_event_exit_*", "perf_event_free_task",
			"perf_event_delayed_put", "perf_event_init_task",
			"hw_breakpoint_exceptions_notify", "flush_ptrace_hw_breakpoint",
		},
	},
};

#define NR_CASES (ARRAY_SIZE(builtin_cases))

static int add_specs(struct spec_list *list, const char *const *globs)
{
	int err = 0;

	for (; *globs && !err; globs++)
		err = spec_list_add(list, *globs);
	return err;
}

/* Specs from a case may match nothing on this kernel. */
static void make_optional(struct spec_list *list, size_t first)
{
	for (size_t i = first; i < list->v.len; i++)
		list->v.data[i].optional = true;
}

struct case_lookup {
	const char *name;
	struct trace_request *request;	/* NULL: only look the case up */
	struct nearest near;
	char near_name[64];	/* a copy: a name from a file is valid only during the call */
	bool found;
};

/* One line of a [case "name"] section. */
static int on_case_key(const struct config_entry *entry, void *arg)
{
	struct case_lookup *lookup = arg;
	struct trace_request *request = lookup->request;

	if (!entry->name || strcmp(entry->section, "case"))
		return 0;
	nearest_offer(&lookup->near, entry->name);
	if (lookup->near.name == entry->name) {
		snprintf(lookup->near_name, sizeof(lookup->near_name), "%s", entry->name);
		lookup->near.name = lookup->near_name;
	}
	if (strcmp(entry->name, lookup->name))
		return 0;
	lookup->found = true;
	if (!request)
		return 0;
	if (!strcmp(entry->key, "entry"))
		return spec_list_add(&request->entry, entry->value);
	if (!strcmp(entry->key, "allow"))
		return spec_list_add(&request->allow, entry->value);
	if (!strcmp(entry->key, "deny"))
		return spec_list_add(&request->deny, entry->value);
	return case_check_key(entry);
}

/* Search the user's file, then the system's file, then the built-in cases. */
static int find_case(struct case_lookup *lookup)
{
	_cleanup_(free_p) char *user = config_user_path();
	struct trace_request *request = lookup->request;
	int err = 0;

	if (user)
		err = config_read(user, on_case_key, lookup);
	if (!err && !lookup->found)
		err = config_read(CONFIG_SYSTEM_PATH, on_case_key, lookup);
	for (size_t i = 0; i < NR_CASES && !err && !lookup->found; i++) {
		const struct builtin_case *c = &builtin_cases[i];

		nearest_offer(&lookup->near, c->name);
		lookup->found = !strcmp(c->name, lookup->name);
		if (lookup->found && request)
			err = add_specs(&request->entry, c->entry) ?:
			      add_specs(&request->allow, c->allow) ?:
			      add_specs(&request->deny, c->deny);
	}
	return err;
}

int case_apply(struct trace_request *request, const char *name)
{
	struct case_lookup lookup = {
		.name = name,
		.request = request,
		.near = nearest_start(name),
	};
	size_t entry = request->entry.v.len;
	size_t allow = request->allow.v.len;
	size_t deny = request->deny.v.len;
	int err;

	err = find_case(&lookup);
	if (err)
		return err;
	if (!lookup.found)
		return nearest_report(&lookup.near, "bpf and perf are built in, others come from "
				      "the configuration", "-c: unknown case '%s'", name);
	make_optional(&request->entry, entry);
	make_optional(&request->allow, allow);
	make_optional(&request->deny, deny);
	return 0;
}

bool case_exists(const char *name)
{
	struct case_lookup lookup = { .name = name, .near = nearest_start(name) };

	return !find_case(&lookup) && lookup.found;
}

const char *case_name(size_t i)
{
	return i < NR_CASES ? builtin_cases[i].name : NULL;
}
