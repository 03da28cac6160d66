// SPDX-License-Identifier: BSD-2-Clause
/* Configuration keys and cases: tables, and the code that applies them to a request. */
#include "builtin/trace_config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/config.h"
#include "util/base/nearest.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/units.h"
#include "util/trace/request.h"

/* Keys. A set function returns 0 or -EINVAL without a report; `values` is what to say then. */

static int set_ringbuf_size(struct trace_request *request, const char *value)
{
	uint64_t size, power = sysconf(_SC_PAGESIZE);

	/* The kernel keeps the size in 32 bits. */
	if (parse_size(value, &size) || !size || size > 1ull << 31)
		return -EINVAL;
	while (power < size)
		power *= 2;
	if (power != size)
		warning("bpf.ringbuf-size: rounded up to %llu bytes, a power of two of pages",
			(unsigned long long)power);
	request->ringbuf_size = power;
	return 0;
}

static int set_sessions_size(struct trace_request *request, const char *value)
{
	uint64_t n;

	if (parse_size(value, &n) || !n || n > 1 << 20)
		return -EINVAL;
	request->sessions_size = n;
	return 0;
}

static int set_session_buf_size(struct trace_request *request, const char *value)
{
	uint64_t size, power = 1024;

	if (parse_size(value, &size) || size < power || size > 1 << 20)
		return -EINVAL;
	while (power < size)
		power *= 2;
	if (power != size)
		warning("bpf.session-buf-size: rounded up to %llu bytes, a power of two",
			(unsigned long long)power);
	request->session_buf_size = power;
	return 0;
}

int symbolize_level_parse(const char *text, enum symbolize_level *ret_level)
{
	static const struct {
		const char *name;
		enum symbolize_level level;
	} names[] = {
		{ "auto", SYMBOLIZE_AUTO },	  { "none", SYMBOLIZE_NONE },
		{ "n", SYMBOLIZE_NONE },	  { "lines", SYMBOLIZE_LINES },
		{ "linenum", SYMBOLIZE_LINES },	  { "inlines", SYMBOLIZE_INLINES },
		{ "s", SYMBOLIZE_INLINES },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(text, names[i].name)) {
			*ret_level = names[i].level;
			return 0;
		}
	}
	return -EINVAL;
}

static int set_symb_mode(struct trace_request *request, const char *value)
{
	return symbolize_level_parse(value, &request->symbols.level);
}

static int set_unfiltered(struct trace_request *request, const char *value)
{
	return parse_bool(value, &request->stacks_unfiltered);
}

static int set_emit_addrs(struct trace_request *request, const char *value)
{
	return parse_bool(value, &request->stacks_emit_addrs);
}

static int set_dec_offs(struct trace_request *request, const char *value)
{
	return parse_bool(value, &request->stacks_dec_offs);
}

_Static_assert(DEFAULT_RINGBUF_SIZE == 8 << 20, "the help says 8M");
_Static_assert(DEFAULT_SESSIONS_SIZE == 1024, "the help says 1024");
_Static_assert(DEFAULT_SESSION_BUF_SIZE == 16 << 10, "the help says 16K");

static const struct config_key {
	const char *name;	/* "group.key" */
	int (*set)(struct trace_request *request, const char *value);
	const char *initial;
	const char *values;
	const char *summary;
} keys[] = {
	{ "bpf.ringbuf-size", set_ringbuf_size, "8M", "a size up to 2G",
	  "buffer between the kernel and retsnoop" },
	{ "bpf.sessions-size", set_sessions_size, "1024", "a number up to 1M",
	  "calls that can be under way at once" },
	{ "bpf.session-buf-size", set_session_buf_size, "16K", "a size from 1K to 1M",
	  "trace kept with each of them, until it is known to be wanted" },
	{ "stacks.symb-mode", set_symb_mode, "auto", "auto, none, lines or inlines",
	  "use of debug info; as -s" },
	{ "stacks.unfiltered", set_unfiltered, "false", "true or false",
	  "keep the stack frames that tracing itself adds" },
	{ "stacks.emit-addrs", set_emit_addrs, "false", "true or false",
	  "print the address of each frame" },
	{ "stacks.dec-offs", set_dec_offs, "false", "true or false",
	  "print offsets in functions as decimal numbers" },
};

#define NR_KEYS (sizeof(keys) / sizeof(keys[0]))

/* @where comes first in messages: "-C", "FILE:LINE". */
static int set_key(struct trace_request *request, const char *name, const char *value,
		   const char *where)
{
	struct nearest near = nearest_start(name);

	for (size_t i = 0; i < NR_KEYS; i++) {
		nearest_offer(&near, keys[i].name);
		if (strcmp(keys[i].name, name))
			continue;
		if (!keys[i].set(request, value))
			return 0;
		return report(-EINVAL, "%s: %s: '%s' is not %s", where, name, value,
			      keys[i].values);
	}
	return nearest_report(&near, "--config-help lists them", "%s: there is no key '%s'", where,
			      name);
}

int trace_config_set(struct trace_request *request, const char *assignment)
{
	const char *equals = strchrnul(assignment, '=');
	_cleanup_(free_p) char *name = strndup(assignment, equals - assignment);

	if (!name)
		return report_oom();
	return set_key(request, name, *equals ? equals + 1 : "true", "-C");
}

void trace_config_help(FILE *out)
{
	fputs("Keys for -C KEY=VALUE and for configuration files, with their defaults:\n\n", out);
	for (size_t i = 0; i < NR_KEYS; i++)
		fprintf(out, "  %s=%s\n        %s (%s)\n", keys[i].name, keys[i].initial,
			keys[i].summary, keys[i].values);
}

/* Files. */

static int check_case_key(const struct config_entry *entry)
{
	if (!strcmp(entry->key, "entry") || !strcmp(entry->key, "allow") ||
	    !strcmp(entry->key, "deny"))
		return 0;
	return report(-EINVAL, "%s:%u: a case has entry, allow and deny, no '%s'", entry->path,
		      entry->line, entry->key);
}

static int on_key(const struct config_entry *entry, void *request)
{
	_cleanup_(free_p) char *name = strf("%s.%s", entry->section, entry->key);
	_cleanup_(free_p) char *where = strf("%s:%u", entry->path, entry->line);

	if (!name || !where)
		return report_oom();
	if (!*entry->section)
		return report(-EINVAL, "%s: '%s' is in no [section]", where, entry->key);
	if (entry->name && !strcmp(entry->section, "case"))
		return check_case_key(entry);	/* read when -c asks for it */
	if (entry->name)
		return report(-EINVAL, "%s: [%s] takes no name", where, entry->section);
	return set_key(request, name, entry->value, where);
}

int trace_config_load(void *request)
{
	_cleanup_(free_p) char *user = config_user_path();
	int err;

	/* The user's file last: it has the last word. */
	err = config_read(CONFIG_SYSTEM_PATH, on_key, request);
	return err || !user ? err : config_read(user, on_key, request);
}

/*
 * Cases: globs on names only, which work without debug info. They are for many kernels, so a glob
 * that matches nothing on this one is no mistake. Denied is what runs for every packet, switch or
 * tracing hit and tells nothing about a failing call.
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
			/* kinds of maps */
			"map_*_elem", "map_create*", "map_check_*", "map_*_batch", "generic_map_*",
			"*_map_alloc*", "*_map_update_elem", "*_map_delete_elem",
			"*_map_get_next_key", "*_map_meta_equal", "*_array_get_ptr", "trie_*",
			/* the verifier, and what makes code of programs */
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

#define NR_CASES (sizeof(builtin_cases) / sizeof(builtin_cases[0]))

static int add_specs(struct spec_list *list, const char *const *globs)
{
	int err = 0;

	for (; *globs && !err; globs++)
		err = spec_list_add(list, *globs);
	return err;
}

/* What comes from a case may match nothing on this kernel. */
static void make_optional(struct spec_list *list, size_t first)
{
	for (size_t i = first; i < list->v.len; i++)
		list->v.data[i].optional = true;
}

struct case_lookup {
	const char *name;
	struct trace_request *request;	/* NULL: only look */
	struct nearest near;
	char near_name[64];	/* keeps it: a name from a file lasts only for the call */
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
	return check_case_key(entry);
}

/* The first that knows the case: the user's file, the system's, ours. */
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

int trace_case_apply(struct trace_request *request, const char *name)
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
				      "the configuration", "-c: there is no case '%s'", name);
	make_optional(&request->entry, entry);
	make_optional(&request->allow, allow);
	make_optional(&request->deny, deny);
	return 0;
}

bool trace_case_exists(const char *name)
{
	struct case_lookup lookup = { .name = name, .near = nearest_start(name) };

	return !find_case(&lookup) && lookup.found;
}
