// SPDX-License-Identifier: BSD-2-Clause
/*
 * Finds a kernel's features: by loading programs of two instructions, or by reading its BTF and
 * symbols.
 */
#include "util/trace/attach/features.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/text/errnames.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/kernel.h"
#include "util/kernel/bpf/insns.h"
#include "util/kernel/machine/kprobe_pmu.h"
#include "util/kernel/machine/machine.h"
#include "util/kernel/machine/privileges.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/kernel_struct.h"
#include "util/trace/attach/links.h"
#include "util/plan/switched_off.h"

DEFINE_CLEANUP(struct symbols *, symbols_free)

static const struct bpf_insn return_zero[] = {
	INSN_SET(BPF_REG_0, 0),
	INSN_EXIT,
};

static const struct bpf_insn get_attach_cookie[] = {
	INSN_CALL(BPF_FUNC_get_attach_cookie),
	INSN_SET(BPF_REG_0, 0),
	INSN_EXIT,
};

static const struct bpf_insn get_current_cgroup_id[] = {
	INSN_CALL(BPF_FUNC_get_current_cgroup_id),
	INSN_SET(BPF_REG_0, 0),
	INSN_EXIT,
};

static const struct bpf_insn get_branch_snapshot[] = {
	INSN_MOVE(BPF_REG_1, BPF_REG_10),
	INSN_ALU(BPF_ADD, BPF_REG_1, -24),
	INSN_SET(BPF_REG_2, 24),
	INSN_SET(BPF_REG_3, 0),
	INSN_CALL(BPF_FUNC_get_branch_snapshot),
	INSN_SET(BPF_REG_0, 0),
	INSN_EXIT,
};

static const struct bpf_insn get_smp_processor_id[] = {
	INSN_CALL(BPF_FUNC_get_smp_processor_id),
	INSN_SET(BPF_REG_0, 0),
	INSN_EXIT,
};

#define try_load(type, insns, attach)                                                              \
	try_load_(type, insns, ARRAY_SIZE(insns), attach)

static int try_load_(enum bpf_prog_type type, const struct bpf_insn *insns, size_t cnt, int attach)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = (enum bpf_attach_type)attach);
	int fd = bpf_prog_load(type, "retsnoop_try", "GPL", insns, cnt, &opts);

	return fd < 0 ? -errno : fd;
}

/*
 * Pass a list at an address that cannot be read: a kernel that knows the link type fails when it
 * copies the list (EFAULT), other kernels refuse earlier. Nothing is attached.
 *
 * @fd	a program for that link; negative: none
 */
static bool knows_kprobe_multi(int fd, int attach_type)
{
	const uint64_t *nowhere = (const uint64_t *)8;

	return fd >= 0 &&
	       link_kprobe_multi(fd, attach_type, false, nowhere, nowhere, 1) == -EFAULT;
}

static bool knows_tracing_multi(int fd)
{
	return fd >= 0 && link_tracing_multi(fd, (const uint32_t *)8, NULL, 1) == -EFAULT;
}

/* Load a program of a session rung that calls bpf_session_is_return(). fd or -errno. */
static int try_load_session(enum bpf_prog_type type, int attach, uint32_t is_return_id)
{
	const struct bpf_insn insns[] = {
		INSN_CALL_KFUNC(is_return_id),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};

	return try_load(type, insns, attach);
}

/* @enumeration	its id; negative: there is none */
static bool has_enumerator(const struct btf *btf, int enumeration, const char *name)
{
	const struct btf_type *type = enumeration < 0 ? NULL : btf__type_by_id(btf, enumeration);

	for (int i = 0; type && i < btf_vlen(type); i++) {
		if (!strcmp(btf__name_by_offset(btf, btf_enum(type)[i].name_off), name))
			return true;
	}
	return false;
}

/* Find the functions that programs of session rungs call. */
static void find_session_kfuncs(struct kernel_btf *btf, struct features *features)
{
	const struct btf *types = kernel_btf_types(btf, 0);
	const struct btf_type *type;

	features->session_is_return = kernel_btf_func_id(btf, "bpf_session_is_return");
	features->session_cookie = kernel_btf_func_id(btf, "bpf_session_cookie");
	if (!features->session_is_return || !features->session_cookie) {
		features->session_is_return = 0;
		return;
	}
	type = btf__type_by_id(types, features->session_is_return);
	features->session_ctx = btf_vlen(btf__type_by_id(types, type->type)) == 1;
}

/* The trampolines of kretprobes (before and after 5.15), of rethooks and of the graph tracer. */
static void find_return_hooks(struct symbols *symbols, uint64_t hooks[CONFIG_RETURN_HOOKS])
{
	static const char *const names[] = { "kretprobe_trampoline", "__kretprobe_trampoline",
					     "arch_rethook_trampoline", "return_to_handler" };
	const struct symbol *const *named;
	int nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names) && nr < CONFIG_RETURN_HOOKS; i++) {
		if (symbols_named(symbols, names[i], &named))
			hooks[nr++] = named[0]->addr;
	}
}

static bool unwinds_returns(struct symbols *symbols)
{
	const struct symbol *const *named;

	return symbols_named(symbols, "kretprobe_find_ret_addr", &named) ||
	       symbols_named(symbols, "rethook_find_ret_addr", &named);
}

static int report_refused(int err)
{
	if (geteuid())
		return report(-EPERM, "tracing needs root, or CAP_BPF and CAP_PERFMON; try sudo");
	return report(-EPERM,
		      "this kernel refuses to load BPF tracing programs even for root (%s): lockdown, "
		      "a security module or a container; try it on the host itself",
		      strerror(-err));
}

/*
 * arm64 loads programs for trampolines since 6.0, but attaches them only since 6.4, when its
 * ftrace learnt to call trampolines directly. That change added the member.
 */
static bool attaches_trampolines(const struct btf *types)
{
	return !arch_native->trampolines_may_not_attach || kernel_struct_has(types, "ftrace_ops", "direct_call");
}

static void read_btf(const struct btf *types, struct features *features)
{
	/* The kernel's BTF lists all of its helpers. */
	int helpers = btf__find_by_name_kind(types, "bpf_func_id", BTF_KIND_ENUM);

	features->btf = features->btf_ids = true;
	features->rungs[RUNG_FENTRY] = has_enumerator(types, helpers, "BPF_FUNC_ringbuf_output") &&
				       attaches_trampolines(types);
	features->func_ret = has_enumerator(types, helpers, "BPF_FUNC_get_func_ret");
	features->rethook = kernel_struct_has(types, "fprobe", "rethook");
}

static bool is_interpreted(int prog_fd)
{
	struct bpf_prog_info info = {};
	uint32_t size = sizeof(info);

	return !bpf_obj_get_info_by_fd(prog_fd, &info, &size) && !info.jited_prog_len;
}

/*
 * From 6.10 on, the verifier leaves calls of some helpers to the JIT compilers of arm64 and
 * riscv64, which have their own code for them. It does so even while the JIT compiler is off:
 * then the interpreter uses the helper's number as an address. Later kernels refuse such
 * programs. 0; -ENOEXEC
 *
 * @prog_fd	any program
 */
static int try_interpreter(int prog_fd)
{
	struct bpf_insn insns[ARRAY_SIZE(get_smp_processor_id)] = {};
	struct bpf_prog_info info = { .xlated_prog_insns = (uintptr_t)insns,
				      .xlated_prog_len = sizeof(insns) };
	uint32_t size = sizeof(info);
	_cleanup_(close_fd) int fd = -1;

	if (!is_interpreted(prog_fd))
		return 0;
	fd = try_load(BPF_PROG_TYPE_KPROBE, get_smp_processor_id, 0);
	if (fd < 0)
		return -ENOEXEC;
	if (bpf_obj_get_info_by_fd(fd, &info, &size) || insns[0].code != (BPF_JMP | BPF_CALL))
		return 0;
	/* If the kernel hides addresses, calls show none. */
	if (!insns[0].imm)
		return arch_native->jit_has_helpers ? -ENOEXEC : 0;
	return insns[0].imm == BPF_FUNC_get_smp_processor_id ? -ENOEXEC : 0;
}

/* Features that do not depend on BTF. Returns as features_try(). */
static int try_plain(struct features *features)
{
	_cleanup_(close_fd) int fd = try_load(BPF_PROG_TYPE_KPROBE, return_zero, 0);
	_cleanup_(close_fd) int cookie_fd = -1, snapshot_fd = -1, multi_fd = -1, cgroup_fd = -1;
	int err;

	if (fd < 0)
		return fd;
	err = try_interpreter(fd);
	if (err)
		return err;
	features->version = kernel_version_running();
	features->preemptible = kernel_is_preemptible("");
	features->rungs[RUNG_KPROBE] = true;
	cookie_fd = try_load(BPF_PROG_TYPE_KPROBE, get_attach_cookie, 0);
	features->attach_cookies = cookie_fd >= 0;
	cgroup_fd = try_load(BPF_PROG_TYPE_KPROBE, get_current_cgroup_id, 0);
	features->cgroup_ids = cgroup_fd >= 0;
	snapshot_fd = try_load(BPF_PROG_TYPE_KPROBE, get_branch_snapshot, 0);
	features->branch_snapshot = snapshot_fd >= 0;
	multi_fd = try_load(BPF_PROG_TYPE_KPROBE, return_zero, ATTACH_TRACE_KPROBE_MULTI);
	features->rungs[RUNG_KPROBE_MULTI] = knows_kprobe_multi(multi_fd, ATTACH_TRACE_KPROBE_MULTI);
	return 0;
}

static void try_typed(struct kernel_btf *btf, struct features *features)
{
	_cleanup_(close_fd) int kprobe_fd = -1, tracing_fd = -1;
	uint32_t id;

	read_btf(kernel_btf_types(btf, 0), features);
	if (!kernel_btf_is_live(btf)) {
		features->btf_ids = features->rungs[RUNG_FENTRY] = false;
		return;
	}
	find_session_kfuncs(btf, features);
	id = features->session_is_return;
	if (!id)
		return;
	kprobe_fd = try_load_session(BPF_PROG_TYPE_KPROBE, ATTACH_TRACE_KPROBE_SESSION, id);
	features->session_needs_jit = kprobe_fd == -ENOTSUPP;
	features->rungs[RUNG_KPROBE_SESSION] =
		knows_kprobe_multi(kprobe_fd, ATTACH_TRACE_KPROBE_SESSION);
	if (!features->session_ctx)
		return;
	tracing_fd = try_load_session(BPF_PROG_TYPE_TRACING, ATTACH_TRACE_FSESSION_MULTI, id);
	features->rungs[RUNG_FSESSION_MULTI] = knows_tracing_multi(tracing_fd);
}

static int try_fentry(struct kernel_btf *btf)
{
	/* Functions of which every kernel has at least one. */
	static const char *const names[] = { "vfs_read", "do_nanosleep", "bpf_fentry_test1" };
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	_cleanup_(close_fd) int fd = -1;

	for (size_t i = 0; !opts.attach_btf_id && i < ARRAY_SIZE(names); i++)
		opts.attach_btf_id = kernel_btf_func_id(btf, names[i]);
	if (!opts.attach_btf_id)
		return 0;
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "retsnoop_try", "GPL", return_zero,
			   ARRAY_SIZE(return_zero), &opts);
	return fd < 0 ? -errno : 0;
}

int features_try_perf(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
	};
	_cleanup_(close_fd) int fd =
		syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : 0;
}

static void take_rung(struct features *features, enum rung rung, const char *fmt, ...)
	_printf_(3, 4);

static void take_rung(struct features *features, enum rung rung, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(features->lacks[rung], sizeof(features->lacks[rung]), fmt, args);
	va_end(args);
	features->rungs[rung] = false;
}

/*
 * All rungs hook the calls that ftrace puts into functions; on arm64, kprobes do not, nor on a kernel that has no
 * ftrace. While ftrace is off, most kernels
 * attach anyway, but the programs never run; and 6.1 stops ftrace for good when such a trampoline
 * is detached.
 */
static void check_ftrace(struct features *features)
{
	struct switches switches;

	switches_read("", &switches);
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		if (!features->rungs[rung])
			continue;
		if (switches.ftrace.err == -ENOENT && rung != RUNG_KPROBE)
			take_rung(features, rung, "this kernel was built without CONFIG_FUNCTION_TRACER");
		else if (setting_is_off(&switches.ftrace) && rung_needs_ftrace(rung))
			take_rung(features, rung, "ftrace is switched off; try sysctl -w "
				  "kernel.ftrace_enabled=1");
	}
}

/* Remove rungs that the kernel has, but that cannot be used. */
static void check_usable(struct kernel_btf *btf, struct features *features)
{
	struct kernel_setting paranoid = perf_paranoid_read("");
	int perf = features_try_perf(), fentry = 0;
	struct kprobe_pmu pmu;
	uint64_t caps;

	if (features->rungs[RUNG_FENTRY])
		fentry = try_fentry(btf);
	if (fentry)
		take_rung(features, RUNG_FENTRY, "the kernel refuses programs for it: %s",
			  errno_text(-fentry));
	if ((perf == -EACCES || perf == -EPERM) && !paranoid.err && paranoid.value > 2)
		take_rung(features, RUNG_KPROBE, "kernel.perf_event_paranoid=%ld forbids perf "
			  "events; %stry sysctl -w kernel.perf_event_paranoid=2", paranoid.value,
			  privileges_read(&caps) || caps >> CAP_SYS_ADMIN & 1 ? "" :
			  geteuid() ? "run as root or with CAP_SYS_ADMIN, or " :
				      "run with CAP_SYS_ADMIN, or ");
	else if (perf)
		take_rung(features, RUNG_KPROBE, "perf events cannot be used: %s",
			  errno_text(-perf));
	else if (kprobe_pmu_init(&pmu))
		take_rung(features, RUNG_KPROBE, access("/sys/bus/event_source", F_OK) ?
			  "/sys is not mounted" : "this kernel was built without CONFIG_KPROBES");
	check_ftrace(features);
}

int features_try(struct kernel_btf *btf, struct features *ret_features)
{
	struct features features = {};
	int err = try_plain(&features);

	if (err)
		return err;
	if (btf)
		try_typed(btf, &features);
	check_usable(btf, &features);
	*ret_features = features;
	return 0;
}

int features_probe(struct kernel *kernel, struct features *ret_features)
{
	struct features features = {};
	const struct symbol *const *named;
	struct kernel_btf *btf = NULL;
	struct symbols *symbols;
	int err;

	err = try_plain(&features);
	if (err == -EPERM || err == -EACCES)
		return report_refused(err);
	if (err == -ENOEXEC)
		return report(-EOPNOTSUPP,
			      "this kernel runs tracing programs only with BPF's JIT compiler, which is "
			      "off; try sysctl -w net.core.bpf_jit_enable=1");
	if (err)
		return report(err, "this kernel has no BPF tracing programs (%s): CONFIG_BPF_EVENTS",
			      strerror(-err));
	err = kernel_symbols(kernel, &symbols);
	if (err)
		return err;
	if (!kernel_get_btf(kernel, &btf))
		try_typed(btf, &features);
	check_usable(btf, &features);
	for (int rung = 0; rung < NR_RUNGS; rung++)
		proof_expect(arch_native, rung_is_trampoline(rung), &features.proofs[rung]);
	/* Before 5.15, stacks taken in return probes are cut. */
	features.proofs[RUNG_KPROBE].stacks_at_entry = !unwinds_returns(symbols);
	features.entries_break = arch_native->breakpoint_is_nmi &&
				 !symbols_named(symbols, "kprobe_ftrace_handler", &named);
	/* BPF searches the stack for these hooks. */
	if (arch_native->return_address_size)
		find_return_hooks(symbols, features.return_hooks);
	contexts_find(btf ? kernel_btf_types(btf, 0) : NULL, features.btf_ids, symbols, &features.contexts);
	*ret_features = features;
	return 0;
}

/*
 * @has_fprobe: CONFIG_FPROBE is on. Multi links need it, but BTF has their types even without it.
 */
static void read_rungs(struct kernel_btf *btf, bool has_fprobe, struct features *features)
{
	const struct btf *types = btf ? kernel_btf_types(btf, 0) : NULL;

	features->rungs[RUNG_KPROBE] = true;
	features->rungs[RUNG_KPROBE_MULTI] = has_fprobe;
	if (!types)
		return;
	read_btf(types, features);
	find_session_kfuncs(btf, features);
	features->rungs[RUNG_KPROBE_SESSION] = features->session_is_return && has_fprobe;
	features->rungs[RUNG_FSESSION_MULTI] =
		features->session_ctx && arch_native->has_multi_trampolines &&
		has_enumerator(types, btf__find_by_name_kind(types, "bpf_attach_type", BTF_KIND_ENUM),
			       "BPF_TRACE_FSESSION_MULTI");
}

int features_read(struct kernel *kernel, struct features *ret_features)
{
	struct features features = {};
	struct kernel_btf *btf = NULL;
	const struct symbol *const *named;
	struct symbols *symbols;
	int err;

	err = kernel_symbols(kernel, &symbols);
	if (err)
		return err;
	kernel_get_btf(kernel, &btf);
	read_rungs(btf, symbols_named(symbols, "register_fprobe_ips", &named), &features);
	*ret_features = features;
	return 0;
}

void features_of_btf(struct kernel_btf *btf, struct features *ret_features)
{
	struct features features = {};
	uint32_t id;
	int module;

	read_rungs(btf, kernel_btf_find_func(btf, "register_fprobe_ips", NULL, &id, &module) >= 0,
		   &features);
	*ret_features = features;
}

int features_try_ring_buffer(void)
{
	_cleanup_(close_fd) int fd =
		bpf_map_create(BPF_MAP_TYPE_RINGBUF, "retsnoop_try", 0, 0, getpagesize(), NULL);

	return fd < 0 ? -errno : 0;
}

int features_try_btf_ids(void)
{
	uint32_t id = 0;

	return bpf_btf_get_next_id(id, &id) && errno != ENOENT ? -errno : 0;
}

void features_try_contexts(struct kernel_btf *btf, struct contexts *ret_contexts)
{
	const struct btf *types = btf ? kernel_btf_types(btf, 0) : NULL;
	_cleanup_(symbols_free_p) struct symbols *symbols = NULL;
	bool has_ids = btf && kernel_btf_is_live(btf);

	if (!kernel_addresses_hidden())
		symbols_load_kallsyms(types, false, &symbols);
	contexts_find(types, has_ids, symbols, ret_contexts);
}
