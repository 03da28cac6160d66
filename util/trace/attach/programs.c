// SPDX-License-Identifier: BSD-2-Clause
/* Loading the BPF object through libbpf. */
#include "util/trace/attach/programs.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/arg_items.h"
#include "bpf/config.h"
#include "bpf/cost.h"
#include "bpf/retsnoop_nobtf.skel.h"
#include "bpf/retsnoop_session_ctx.skel.h"
#include "bpf/retsnoop_session_void.skel.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/text/errnames.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/bpf/core_types.h"
#include "util/kernel/bpf/maps.h"
#include "util/kernel/machine/libbpf_log.h"
#include "util/kernel/machine/pid_namespace.h"
#include "util/plan/capture.h"
#include "util/trace/attach/links.h"

DEFINE_CLEANUP(struct programs *, programs_free)

/* Section names do not give the types of programs; this table does. */
static const struct program {
	const char *name;
	enum rung rung;
	enum program_role role;
	enum bpf_prog_type type;
	int attach_type;
} all_programs[] = {
	{ "session_tracing", RUNG_FSESSION_MULTI, PROGRAM_ENTRY, BPF_PROG_TYPE_TRACING,
	  ATTACH_TRACE_FSESSION_MULTI },
	{ "session_kprobe", RUNG_KPROBE_SESSION, PROGRAM_ENTRY, BPF_PROG_TYPE_KPROBE,
	  ATTACH_TRACE_KPROBE_SESSION },
	{ "entry_kprobe_multi", RUNG_KPROBE_MULTI, PROGRAM_ENTRY, BPF_PROG_TYPE_KPROBE,
	  ATTACH_TRACE_KPROBE_MULTI },
	{ "exit_kprobe_multi", RUNG_KPROBE_MULTI, PROGRAM_EXIT, BPF_PROG_TYPE_KPROBE,
	  ATTACH_TRACE_KPROBE_MULTI },
	{ "entry_tracing", RUNG_FENTRY, PROGRAM_ENTRY, BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY },
	{ "exit_tracing", RUNG_FENTRY, PROGRAM_EXIT, BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT },
	{ "entry_kprobe", RUNG_KPROBE, PROGRAM_ENTRY, BPF_PROG_TYPE_KPROBE, 0 },
	{ "exit_kprobe", RUNG_KPROBE, PROGRAM_EXIT, BPF_PROG_TYPE_KPROBE, 0 },
};

#define NR_PROGRAMS (ARRAY_SIZE(all_programs))

static struct bpf_object *open_variant(const struct features *features, const char *types_path)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "retsnoop", .btf_custom_path = types_path);
	const void *bytes;
	size_t size;

	if (!features->btf)
		bytes = retsnoop_nobtf__elf_bytes(&size);
	else if (features->session_ctx)
		bytes = retsnoop_session_ctx__elf_bytes(&size);
	else
		bytes = retsnoop_session_void__elf_bytes(&size);
	return bpf_object__open_mem(bytes, size, &opts);
}

uint64_t programs_cookie(const struct plan *plan, uint32_t func)
{
	const struct plan_func *f = &plan->funcs.data[func];

	return func | (f->entry ? COOKIE_ENTRY : 0) |
	       (uint64_t)f->returns << COOKIE_RETURNS_SHIFT |
	       (uint64_t)f->arg_slots << COOKIE_ARG_SLOTS_SHIFT |
	       (uint64_t)f->rule << COOKIE_RULE_SHIFT;
}

bool programs_want_raw(struct bpf_object *object, const char *name)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(object, name);

	if (!prog)
		return false;
	bpf_program__set_autoload(prog, true);
	bpf_program__set_type(prog, BPF_PROG_TYPE_RAW_TRACEPOINT);
	return true;
}

static void select_programs(struct programs *programs, uint32_t rungs, bool follow)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, programs->object)
		bpf_program__set_autoload(prog, false);
	for (size_t i = 0; i < NR_PROGRAMS; i++) {
		const struct program *p = &all_programs[i];

		prog = bpf_object__find_program_by_name(programs->object, p->name);
		if (!prog || !(rungs & RUNG_BIT(p->rung)))
			continue;
		bpf_program__set_autoload(prog, true);
	}
	programs_want_raw(programs->object, "process_exit");
	if (follow)
		programs_want_raw(programs->object, "process_fork");
}

static int resize_map(struct bpf_object *object, const char *name, uint32_t entries)
{
	return bpf_map__set_max_entries(bpf_object__find_map_by_name(object, name), entries);
}

/* The number of a trace's edges that are kept with a session. */
static uint32_t trace_edges(const struct trace_request *request)
{
	return request->session_buf_size / sizeof(struct event_call);
}

/* The trace is at the end of a slot. The bytes after its edges are only for the verifier. */
static int resize_slots(struct bpf_object *object, const struct trace_request *request, bool trace)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, "slots");
	uint32_t size = bpf_map__value_size(map);

	if (trace)
		size += trace_edges(request) * sizeof(struct event_call) + ARGS_MAX_BYTES;
	return bpf_map__set_value_size(map, size) ?:
	       bpf_map__set_max_entries(map, request->sessions_size);
}

static struct config_exit_sp exit_sp(const struct features *features, enum rung rung)
{
	const struct proof *proof = &features->proofs[rung];

	return (struct config_exit_sp){ proof->sp_by_context, proof->sp_delta, proof->sp_by_frame };
}

/* With an unknown hook every live frame would look lost. */
static bool knows_return_hooks(const struct features *features, uint32_t rungs)
{
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		if (rungs & RUNG_BIT(rung) && features->proofs[rung].unknown_hook)
			return false;
	}
	return true;
}

static bool takes_traces(const struct plan *plan, const struct trace_request *request)
{
	return !request->summary &&
	       (request->modes & MODE_TRACE || trace_request_has_args(request) || plan->probes);
}

static void fill_config(struct programs *programs, const struct features *features,
			const struct pid_namespace *namespace, uint32_t rungs, const struct plan *plan,
			const struct trace_request *request, bool follow, struct bpf_config *config)
{
	const struct preempt_count *count = &features->contexts.count;
	bool stacks = request->modes & MODE_STACK && !request->summary, callers_by_link = false;

	for (int rung = 0; rung < NR_RUNGS; rung++) {
		const struct proof *proof = &features->proofs[rung];

		if (!stacks || !(rungs & RUNG_BIT(rung)))
			continue;
		programs->entry_stacks |= proof->stacks_at_entry;
		callers_by_link |= proof->callers_by_link;
	}

	*config = (struct bpf_config){
		.attach_cookies = features->attach_cookies,
		.func_ret = features->func_ret,
		.entry_stacks = programs->entry_stacks,
		.callers_by_link = callers_by_link,
		.entries_break = features->entries_break,
		.kprobe_ip_offset = arch_native->kprobe_ip_offset,
		.successes = trace_request_shows_successes(request),
		.filter_pids = follow || request->allow_pids.len || request->deny_pids.len,
		.only_listed_pids = follow || request->allow_pids.len,
		.own_pid = request->leave_out_self ? getpid() : 0,
		.kept_at = request->kept_at,
		.filter_comms = request->allow_comms.len || request->deny_comms.len,
		.only_listed_comms = request->allow_comms.len,
		.allow_errnos_used = request->allow_errnos.used,
		.deny_errnos_used = request->deny_errnos.used,
		.filter_uids = request->uids.len,
		.nr_cgroups = request->cgroup_patterns.len ? CONFIG_CGROUPS : request->cgroups.len,
		.cgroup_ids = features->cgroup_ids,
		.filter_result = request->result.text != NULL,
		.result = request->result.terms,
		.nr_rules = request->error_rules.len,
		.stacks = stacks,
		.trace = takes_traces(plan, request),
		/* Before about 5.12, a program can interrupt itself. */
		.nmi = features->attach_cookies,
		.contexts = features->contexts.bits,
		.per_cpu_offsets = count->per_cpu_offsets,
		.preempt_variable = count->var != 0,
		.preempt_count = count->var ? count->offset : count->addr,
		.kprobe_exit = exit_sp(features, RUNG_KPROBE),
		.multi_exit = exit_sp(features, RUNG_KPROBE_MULTI),
		.session_exit = exit_sp(features, RUNG_KPROBE_SESSION),
		.trace_size = trace_edges(request),
		.pid_namespace = !namespace->initial,
		.pid_namespace_dev = namespace->dev,
		.pid_namespace_ino = namespace->ino,
		.budget = request->budget_ppm > 0,
	};

	settings_configure(request, config);
	for (size_t i = 0; i < request->error_rules.len; i++)
		config->error_rules[i] = request->error_rules.data[i].expr.terms;
	if (knows_return_hooks(features, rungs)) {
		memcpy(config->return_hooks, features->return_hooks, sizeof(config->return_hooks));
		config->late_hooks = config->return_hooks[0] && !features->rethook &&
				     rungs & (RUNG_BIT(RUNG_KPROBE_SESSION) | RUNG_BIT(RUNG_KPROBE_MULTI));
	}
	memcpy(config->allow_errnos, request->allow_errnos.bits, sizeof(config->allow_errnos));
	memcpy(config->deny_errnos, request->deny_errnos.bits, sizeof(config->deny_errnos));
}

static int configure(struct programs *programs, const struct features *features,
		     const struct pid_namespace *namespace, uint32_t rungs,
		     const struct plan *plan, const struct trace_request *request, bool follow)
{
	struct capture_setup setup = {
		.object = programs->object, .plan = plan, .request = request };
	bool kprobes = rungs & RUNG_BIT(RUNG_KPROBE);
	struct bpf_config *config;
	struct bpf_map *map;
	size_t size;
	int err;

	map = bpf_object__find_map_by_name(programs->object, ".rodata.config");
	config = (struct bpf_config *)bpf_map__initial_value(map, &size);
	if (!config || size < sizeof(*config))
		return -EINVAL;
	fill_config(programs, features, namespace, rungs, plan, request, follow, config);

	err = resize_map(programs->object, "events", request->ringbuf_size);
	err = err ?: resize_map(programs->object, "sessions", request->sessions_size);
	err = err ?: resize_slots(programs->object, request, config->trace);
	err = err ?: resize_map(programs->object, "free_slots", request->sessions_size);
	if (programs->entry_stacks)
		err = err ?: resize_map(programs->object, "entry_stacks", request->sessions_size);
	setup.config = config;
	for (size_t i = 0; i < NR_CAPTURES; i++)
		err = err ?: captures[i]->configure(&setup, captures[i]->used(plan, request));
	err = err ?: resize_map(programs->object, "uids", request->uids.len + 1);
	if (request->budget_ppm) {
		err = err ?: resize_map(programs->object, "budget_funcs",
					plan->funcs.len + PLAN_SPARE);
		err = err ?: resize_map(programs->object, "budget_marks", BUDGET_MARKS);
	}
	if (kprobes && !features->attach_cookies)
		err = err ?: resize_map(programs->object, "cookies", plan->funcs.len + PLAN_SPARE);
	err = err ?: resize_map(programs->object, "pids",
			    (follow ? 16384 : 0) + request->allow_pids.len +
				    request->deny_pids.len + 1);
	err = err ?: resize_map(programs->object, "comms",
			    request->allow_comms.len + request->deny_comms.len + 1);
	return err;
}

int programs_map_fd(const struct programs *programs, const char *name)
{
	return object_map_fd(programs->object, name);
}

int programs_add_pid(const struct programs *programs, uint32_t pid, uint8_t verdict)
{
	return bpf_map_update_elem(programs_map_fd(programs, "pids"), &pid, &verdict, BPF_ANY);
}

int programs_cgroups_fd(const struct programs *programs)
{
	return programs_map_fd(programs, "cgroups");
}

static int add_comm(const struct programs *programs, const char *name, uint8_t verdict)
{
	char comm[EVENT_COMM_LEN] = {};

	/* Cut the name as the kernel does (strscpy to TASK_COMM_LEN). */
	snprintf(comm, sizeof(comm), "%s", name);
	return bpf_map_update_elem(programs_map_fd(programs, "comms"), comm, &verdict, BPF_ANY);
}

int programs_put_cgroup(int map_fd, uint32_t index, const char *path)
{
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return report(-errno, "--cgroup: cannot open %s: %s", path, strerror(errno));
	err = bpf_map_update_elem(map_fd, &index, &fd, BPF_ANY);
	return err ? report(err, "--cgroup: the kernel does not take %s: %s", path, strerror(-err)) :
		     0;
}

/* For kernels without attach cookies: what single kprobes would have as their cookie. */
static int fill_cookies(const struct programs *programs, const struct features *features,
			uint32_t rungs, const struct plan *plan, uint32_t first)
{
	int fd = programs_map_fd(programs, "cookies"), err = 0;

	if (features->attach_cookies || !(rungs & RUNG_BIT(RUNG_KPROBE)))
		return 0;
	for (uint32_t i = first; i < plan->funcs.len && !err; i++) {
		uint64_t cookie = programs_cookie(plan, i);

		err = bpf_map_update_elem(fd, &plan->funcs.data[i].addr, &cookie, BPF_ANY);
	}
	return err;
}

static int fill_maps(struct programs *programs, const struct features *features, uint32_t rungs,
		     const struct plan *plan, const struct trace_request *request)
{
	const struct capture_setup setup = {
		.object = programs->object, .plan = plan, .request = request };
	int fd = programs_map_fd(programs, "free_slots"), err = 0;

	for (uint32_t i = request->sessions_size; i-- > 0 && !err;)
		err = bpf_map_update_elem(fd, NULL, &i, BPF_ANY);
	vec_foreach(pid, &request->allow_pids)
		err = err ?: programs_add_pid(programs, *pid, FILTER_ALLOW);
	vec_foreach(pid, &request->deny_pids)
		err = err ?: programs_add_pid(programs, *pid, FILTER_DENY);
	vec_foreach(comm, &request->allow_comms)
		err = err ?: add_comm(programs, *comm, FILTER_ALLOW);
	vec_foreach(comm, &request->deny_comms)
		err = err ?: add_comm(programs, *comm, FILTER_DENY);
	vec_foreach(uid, &request->uids) {
		uint8_t wanted = FILTER_ALLOW;

		err = err ?: bpf_map_update_elem(programs_map_fd(programs, "uids"), uid, &wanted, BPF_ANY);
	}
	for (size_t i = 0; i < request->cgroups.len; i++)
		err = err ?: programs_put_cgroup(programs_map_fd(programs, "cgroups"), i,
						 request->cgroups.data[i]);
	for (size_t i = 0; i < NR_CAPTURES; i++) {
		if (captures[i]->fill && captures[i]->used(plan, request))
			err = err ?: captures[i]->fill(&setup);
	}
	return err ?: fill_cookies(programs, features, rungs, plan, 0);
}

int programs_fill_more(const struct programs *programs, const struct features *features,
		       const struct plan *plan, uint32_t first)
{
	const struct capture_setup setup = {
		.object = programs->object, .plan = plan, .request = programs->request, .first = first };
	int err = plan->args ? capture_args.fill(&setup) : 0;

	return err ?: fill_cookies(programs, features, programs->rungs, plan, first);
}

static int program_fd(struct bpf_object *object, const char *name)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(object, name);

	return prog && bpf_program__autoload(prog) ? bpf_program__fd(prog) : -1;
}

/* Print a program's size, which explains long loading times. */
static void say_size(const char *name, int fd)
{
	struct bpf_prog_info info = {};
	uint32_t len = sizeof(info);

	if (fd < 0 || report_verbosity() < VERBOSITY_DEBUG || bpf_obj_get_info_by_fd(fd, &info, &len))
		return;
	say(VERBOSITY_DEBUG, "BPF program %s: %u bytes, %u instructions verified", name,
	    info.xlated_prog_len, info.verified_insns);
}

static int report_load(int err, const struct trace_request *request)
{
	if (err == -EPERM)
		return report(err,
			      "the kernel refuses to load the BPF programs: %s; 'retsnoop "
			      "doctor' may know why, -vv shows what it says",
			      strerror(-err));
	if (err == -ENOMEM)
		return report(err, "no memory for BPF maps of %u sessions and a ring buffer of %llu "
				   "bytes; lower -C bpf.sessions-size, bpf.session-buf-size or "
				   "bpf.ringbuf-size",
			      request->sessions_size, (unsigned long long)request->ringbuf_size);
	return report(err, "cannot load the BPF programs: %s; 'retsnoop doctor' may know why, "
			   "-vv shows what the kernel says",
		      errno_text(-err));
}

static int open_captures(struct programs *programs, const struct plan *plan,
			 const struct trace_request *request)
{
	const struct capture_setup setup = {
		.object = programs->object, .plan = plan, .request = request };
	int err = 0;

	for (size_t i = 0; i < NR_CAPTURES; i++) {
		if (captures[i]->open && captures[i]->used(plan, request))
			err = err ?: captures[i]->open(&setup);
	}
	return err;
}

/* Open and configure the object, and have libbpf make maps and programs. 0; -errno (reported). */
static int load_object(struct programs *programs, const struct btf *kernel_types,
		       const struct features *features, uint32_t rungs,
		       const struct pid_namespace *namespace, const struct plan *plan,
		       const struct trace_request *request, bool follow)
{
	_cleanup_(core_types_release) struct core_types types = CORE_TYPES_INIT;
	int err;

	programs->held.ids = (struct held_ids){ .preempt_count = features->contexts.count.var,
						.is_return = features->session_is_return,
						.session_cookie = features->session_cookie };
	err = held_programs_begin(&programs->held);
	if (err)
		return report(err, "cannot open the BPF object: %s", strerror(-err));
	programs->object = programs->held.object =
		open_variant(features, kernel_types ? core_types_path(&types) : NULL);
	if (!programs->object) {
		err = report(-errno, "cannot open the BPF object: %s", strerror(errno));
	} else {
		select_programs(programs, rungs, follow);
		programs_want_raw(programs->object, "mounts_learn");
		if (!namespace->initial)
			programs_want_raw(programs->object, "namespace_learn");
		err = open_captures(programs, plan, request);
		if (!err) {
			err = configure(programs, features, namespace, rungs, plan, request, follow);
			err = err ?: core_types_fill(&types, programs->object, kernel_types);
			err = err ?: bpf_object__load(programs->object);
			err = err ? report_load(err, request) : 0;
		}
	}
	held_programs_end(&programs->held);
	return err;
}

int programs_load(const struct btf *kernel_types, const struct features *features, uint32_t rungs,
		  const struct plan *plan, const struct trace_request *request, bool follow,
		  struct programs **ret_programs)
{
	_cleanup_(programs_free_p) struct programs *programs = calloc(1, sizeof(*programs));
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	struct pid_namespace namespace;
	int err, learn_fd;

	if (!programs)
		return report_oom();
	memset(programs->fds, 0xff, sizeof(programs->fds));
	programs->request = request;
	programs->rungs = rungs;
	err = pid_namespace_read(&namespace);
	if (err)
		return err;
	libbpf_log_init();
	err = load_object(programs, kernel_types, features, rungs, &namespace, plan, request, follow);
	if (err)
		return err;
	programs->fork_fd = program_fd(programs->object, "process_fork");
	programs->exit_fd = program_fd(programs->object, "process_exit");
	programs->events_fd = programs_map_fd(programs, "events");
	/* If this fails, tasks in containers are not told apart from the host's. */
	learn_fd = program_fd(programs->object, "mounts_learn");
	if (learn_fd >= 0)
		bpf_prog_test_run_opts(learn_fd, &opts);
	/* The variant without BTF has no such program: there the kernel checks the namespace. */
	learn_fd = program_fd(programs->object, "namespace_learn");
	if (learn_fd >= 0) {
		err = pid_namespace_learn(learn_fd);
		if (err)
			return err;
	}
	err = fill_maps(programs, features, rungs, plan, request);
	if (err)
		return report(err, "cannot fill the BPF maps: %s", strerror(-err));
	*ret_programs = take_ptr(programs);
	return 0;
}

void programs_free(struct programs *programs)
{
	if (!programs)
		return;
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		for (int role = 0; role < NR_PROGRAM_ROLES; role++)
			close_fd(&programs->fds[rung][role]);
	}
	held_programs_release(&programs->held);
	bpf_object__close(programs->object);
	free(programs);
}

static const struct program *find_program(enum rung rung, enum program_role role)
{
	return find_first(program, all_programs, NR_PROGRAMS,
			  program->rung == rung && program->role == role);
}

int programs_load_rung(struct programs *programs, enum rung rung)
{
	for (size_t i = 0; i < NR_PROGRAMS; i++) {
		const struct program *p = &all_programs[i];
		int *fd = &programs->fds[rung][p->role];
		LIBBPF_OPTS(bpf_prog_load_opts, opts,
			    .expected_attach_type = (enum bpf_attach_type)p->attach_type);

		/* On RUNG_FENTRY, each function has programs of its own. */
		if (p->rung != rung || rung == RUNG_FENTRY || *fd >= 0)
			continue;
		*fd = held_programs_load(&programs->held, p->name, p->type, NULL, &opts);
		if (*fd < 0)
			return report_load(*fd, programs->request);
		say_size(p->name, *fd);
	}
	return 0;
}

int programs_copy(const struct programs *programs, enum rung rung, enum program_role role,
		  uint64_t cookie, uint32_t btf_id, int btf_fd)
{
	const struct program *p = find_program(rung, role);
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .attach_btf_id = btf_id,
		    .attach_btf_obj_fd = btf_fd,
		    .expected_attach_type = (enum bpf_attach_type)p->attach_type);

	return held_programs_load(&programs->held, p->name, p->type,
				  rung == RUNG_FENTRY ? &cookie : NULL, &opts);
}

int programs_copy_indexed(const struct programs *programs, const char *name, int type,
			  uint64_t index)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts);

	return held_programs_load(&programs->held, name, (enum bpf_prog_type)type, &index, &opts);
}

void programs_record(const struct programs *programs, bool on)
{
	uint32_t zero = 0, value = on;

	bpf_map_update_elem(programs_map_fd(programs, ".data.recording"), &zero, &value, BPF_ANY);
}
