// SPDX-License-Identifier: BSD-2-Clause
/* Finds offsets in the kernel's types, and the places of its messages, by version and features. */
#include "util/why/watch/watch_config.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/kernel.h"
#include "util/kernel/machine/pid_namespace.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"
#include "util/trace/attach/links.h"

/* The kernel's structs. Finding one goes through all types, so the last one is kept. */
struct layouts {
	const struct btf *btf;	/* NULL: not known */
	const char *name;
	int id;
};

/* The offset of a member, for example of "mode" in the member "seccomp"; 0: not known. */
static uint32_t member_at(struct layouts *of, const char *type, const char *member, const char *inner)
{
	struct btf_place place = {}, inside = {};

	if (!of->name || strcmp(of->name, type)) {
		of->id = of->btf ? btf__find_by_name_kind(of->btf, type, BTF_KIND_STRUCT) : -1;
		of->name = type;
	}
	if (of->id < 0 || !btf_find_member(of->btf, of->id, member, &place))
		return 0;
	if (inner && !btf_find_member(of->btf, place.type, inner, &inside))
		return 0;
	return (place.bit_offset + inside.bit_offset) / 8;
}

/* Whether the kernel has a tracepoint that BPF can be attached to. */
static bool has_tracepoint(const struct btf *btf, const char *name)
{
	_cleanup_(free_p) char *type = strf("btf_trace_%s", name);

	return btf && type && btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) > 0;
}

static bool since(const struct utsname *names, unsigned int major, unsigned int minor)
{
	unsigned int have_major = 0, have_minor = 0;

	sscanf(names->release, "%u.%u", &have_major, &have_minor);
	return have_major > major || (have_major == major && have_minor >= minor);
}

/* Whether messages of the command go there because retsnoop's do. */
static bool is_silenced(void)
{
	struct stat st;

	return !fstat(STDERR_FILENO, &st) && st.st_rdev == makedev(1, 3);
}

static void fill_file_offsets(struct layouts *of, struct watch_files *at)
{
	*at = (struct watch_files){
		.files = member_at(of, "task_struct", "files", NULL),
		.fdt = member_at(of, "files_struct", "fdt", NULL),
		.max_fds = member_at(of, "fdtable", "max_fds", NULL),
		.fds = member_at(of, "fdtable", "fd", NULL),
		.private_data = member_at(of, "file", "private_data", NULL),
		.inode = member_at(of, "file", "f_inode", NULL),
		.rdev = member_at(of, "inode", "i_rdev", NULL),
	};
	if (!at->fdt || !at->fds || !at->private_data)
		at->files = 0;
	if (!at->inode || is_silenced())
		at->rdev = 0;
}

static void fill_socket_offsets(struct layouts *of, struct watch_sockets *at)
{
	*at = (struct watch_sockets){
		.file = member_at(of, "socket", "file", NULL),
		.sk_socket = member_at(of, "sock", "sk_socket", NULL),
		.sk_err = member_at(of, "sock", "sk_err", NULL),
		.family = member_at(of, "sock_common", "skc_family", NULL),
		.own_port = member_at(of, "sock_common", "skc_num", NULL),
		.peer_port = member_at(of, "sock_common", "skc_dport", NULL),
		.own = member_at(of, "sock_common", "skc_rcv_saddr", NULL),
		.peer = member_at(of, "sock_common", "skc_daddr", NULL),
		.own6 = member_at(of, "sock_common", "skc_v6_rcv_saddr", NULL),
		.peer6 = member_at(of, "sock_common", "skc_v6_daddr", NULL),
	};
	if (!at->sk_socket || !at->sk_err)
		at->file = 0;
}

/* Which arguments the tracepoint io_uring_complete has, by their types: BTF has no names of them. */
static enum watch_completions completions_of(const struct btf *btf)
{
	int id = btf ? btf__find_by_name_kind(btf, "btf_trace_io_uring_complete", BTF_KIND_TYPEDEF) : -1;
	const struct btf_type *proto = id > 0 ? btf_underneath(btf, btf_pointee(btf, id)) : NULL;
	const struct btf_type *types[4] = {}, *entry;

	if (!proto || !btf_is_func_proto(proto))
		return WATCH_COMPLETIONS_NONE;
	/* The first parameter is not the tracepoint's. */
	for (uint32_t i = 0; i < ARRAY_SIZE(types) && i + 1 < btf_vlen(proto); i++)
		types[i] = btf_underneath(btf, btf_params(proto)[i + 1].type);
	if (!types[1] || !types[2])
		return WATCH_COMPLETIONS_NONE;
	if (btf_is_int(types[1]) && btf_is_int(types[2]))
		return WATCH_COMPLETIONS_OF_ANY;
	if (!btf_is_ptr(types[1]))
		return WATCH_COMPLETIONS_NONE;
	if (btf_is_int(types[2]) && types[3] && btf_is_int(types[3]))
		return WATCH_COMPLETIONS;
	entry = btf_is_ptr(types[2]) ? btf_underneath(btf, types[2]->type) : NULL;
	return entry && !strcmp(btf_type_name(btf, entry), "io_uring_cqe") ? WATCH_COMPLETION_ENTRIES :
									     WATCH_COMPLETIONS_NONE;
}

static void fill_io_uring(struct layouts *of, struct watch_io_uring *io_uring)
{
	*io_uring = (struct watch_io_uring){
		.completions = completions_of(of->btf),
		.enter_nr = SYS_io_uring_enter,
		.opcode = member_at(of, "io_kiocb", "opcode", NULL),
		.task = member_at(of, "io_kiocb", "task", NULL),
		.group_leader = member_at(of, "task_struct", "group_leader", NULL),
		.comm = member_at(of, "task_struct", "comm", NULL),
		.stack = member_at(of, "task_struct", "stack", NULL),
	};
	/* Since 6.13. */
	if (!io_uring->task) {
		io_uring->task = member_at(of, "io_kiocb", "tctx", NULL);
		io_uring->tctx_task = member_at(of, "io_uring_task", "task", NULL);
		if (!io_uring->tctx_task)
			io_uring->task = 0;
	}
	if (!io_uring->opcode || !io_uring->task || !io_uring->group_leader || !io_uring->comm || !io_uring->stack)
		io_uring->completions = WATCH_COMPLETIONS_NONE;
}

int watch_config_fill(struct kernel *kernel, const struct trace_request *filters, pid_t root,
		      struct watch_config *config)
{
	struct kernel_btf *types;
	const struct btf *btf = kernel_get_btf(kernel, &types) ? NULL : kernel_btf_types(types, 0);
	struct layouts of = { .btf = btf };
	struct pid_namespace ns;
	struct symbols *symbols;
	struct utsname names;
	int err = pid_namespace_read(&ns);

	err = err ?: kernel_symbols(kernel, &symbols);
	if (err)
		return err;
	if (!btf)
		warning("without BTF failures of requests through netlink and io_uring are not seen, nor deaths by "
			"signals, nor who set a socket's error");
	uname(&names);
	*config = (struct watch_config){
		.root = root,
		.own_pid = getpid(),
		.filter_pids = filters->allow_pids.len,
		.filter_comms = filters->allow_comms.len,
		.nr_cgroups = filters->cgroup_patterns.len ? WATCH_CGROUPS : filters->cgroups.len,
		.namespace_dev = ns.dev,
		.namespace_ino = ns.initial ? 0 : ns.ino,
		.nr_at = arch_native->syscall_nr_at,
		.mode_at = arch_native->mode_at,
		.mode_mask = arch_native->mode_mask,
		.compat_mode = arch_native->compat_mode,
		.write_nr = SYS_write,
		.writev_nr = SYS_writev,
		.dup_nr = SYS_dup,
#ifdef SYS_dup2
		.dup2_nr = SYS_dup2,
#else
		.dup2_nr = SYS_dup3,
#endif
		.dup3_nr = SYS_dup3,
		.close_nr = SYS_close,
		.exit_nr = SYS_exit,
		.exit_group_nr = SYS_exit_group,
		.bpf_nr = SYS_bpf,
		.getsockopt_nr = SYS_getsockopt,
		.connect_nr = SYS_connect,
		.bind_nr = SYS_bind,
		.sendto_nr = SYS_sendto,
		.seccomp_mode_at = member_at(&of, "task_struct", "seccomp", "mode"),
		.ptrace_at = member_at(&of, "task_struct", "ptrace", NULL),
		.softirq_count_at = member_at(&of, "task_struct", "softirq_disable_cnt", NULL),
		.tgid_at = member_at(&of, "task_struct", "tgid", NULL),
		.exit_code_at = member_at(&of, "task_struct", "exit_code", NULL),
		.log_buffer_at = member_at(&of, "fc_log", "buffer", NULL),
		.log_head_at = member_at(&of, "fc_log", "head", NULL),
		.socket_at = member_at(&of, "sk_buff", "sk", NULL),
		.protocol_at = member_at(&of, "sock", "sk_protocol", NULL),
		.handler_flags_at = member_at(&of, "sigaction", "sa_flags", NULL),
		/* Since 5.13 there is a tracepoint. */
		.say_acks = !since(&names, 5, 13),
		.count_faults = !has_tracepoint(btf, "page_fault_kernel"),
		.printk_text = symbols_tables(symbols)->printk_text,
	};
	fill_file_offsets(&of, &config->files);
	fill_socket_offsets(&of, &config->sockets);
	fill_io_uring(&of, &config->io_uring);
	for (size_t i = 0; i < WATCH_ARGS; i++)
		config->args_at[i] = i ? arch_native->syscall.at[i] : arch_native->syscall_first_at;
	return 0;
}

void watch_config_choose(struct watch *skel, const struct watch_config *config)
{
	bool in_task, stored, logs = config->log_buffer_at && config->log_head_at;
	bool kills = config->tgid_at && config->exit_code_at;
	bool sockets = config->files.files && config->sockets.file;
	uint32_t completions = config->tgid_at ? config->io_uring.completions : WATCH_COMPLETIONS_NONE;
	struct utsname names;
	bool reports;

	uname(&names);
	reports = since(&names, 5, 14);
	/*
	 * Since 5.19, the tracepoint fires in the task that prints; before, in the task that
	 * writes to consoles.
	 */
	in_task = since(&names, 5, 19);
	stored = !in_task && config->printk_text;
	/*
	 * On PREEMPT_RT, softirqs run on the stacks of tasks: only a member of the task tells
	 * their messages apart.
	 */
	if (strstr(names.version, "PREEMPT_RT")) {
		in_task = in_task && config->softirq_count_at;
		stored = false;
	}
	const struct {
		struct bpf_program *program;
		bool wanted;
	} programs[] = {
		{ skel->progs.on_fault, !config->count_faults },
		{ skel->progs.on_fault_counted, config->count_faults },
		{ skel->progs.on_signal, config->handler_flags_at },
		{ skel->progs.on_signal_sent, kills },
		{ skel->progs.on_exit, kills },
		{ skel->progs.on_printk, in_task },
		{ skel->progs.on_printk_stored, stored },
		{ skel->progs.on_extack, !config->say_acks },
		{ skel->progs.on_ack, true },
		{ skel->progs.on_socket_error, sockets && reports },
		{ skel->progs.on_socket_error_reported, sockets && !reports },
		{ skel->progs.on_completion_of_any, completions == WATCH_COMPLETIONS_OF_ANY },
		{ skel->progs.on_completion, completions == WATCH_COMPLETIONS },
		{ skel->progs.on_completion_entry, completions == WATCH_COMPLETION_ENTRIES },
		{ skel->progs.on_skipped_enter, true },
		{ skel->progs.on_skipped_return, true },
		{ skel->progs.on_log, logs },
		{ skel->progs.on_logged, logs },
	};

	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		bpf_program__set_autoload(programs[i].program, programs[i].wanted);
		bpf_program__set_autoattach(programs[i].program, false);
	}
}

/* Attach a program if possible: without it, less is known of the kernel's messages and actions. */
static void attach_one(const struct bpf_program *program, struct bpf_link **ret_link)
{
	if (!bpf_program__autoload(program))
		return;
	*ret_link = bpf_program__attach(program);
	if (!*ret_link)
		say(VERBOSITY_VERBOSE, "cannot attach %s: %s", bpf_program__name(program),
		    strerror(errno));
}

static void attach_counted_faults(const struct bpf_program *program, struct watch_links *links)
{
	int cpus = libbpf_num_possible_cpus();

	if (!bpf_program__autoload(program))
		return;
	for (int cpu = 0; cpu < cpus; cpu++) {
		int fd = link_kernel_faults(bpf_program__fd(program), cpu);

		if (fd >= 0 && vec_push(&links->fds, fd))
			close(fd);
		if (fd < 0 && fd != -ENODEV)
			say(VERBOSITY_VERBOSE, "cannot attach %s on CPU %d: %s",
			    bpf_program__name(program), cpu, strerror(-fd));
	}
}

void watch_links_release(struct watch_links *links)
{
	vec_foreach(fd, &links->fds)
		close(*fd);
	vec_release(&links->fds);
}

void watch_config_attach(struct watch *skel, struct watch_links *links)
{
	attach_counted_faults(skel->progs.on_fault_counted, links);
	attach_one(skel->progs.on_fault, &skel->links.on_fault);
	attach_one(skel->progs.on_signal, &skel->links.on_signal);
	attach_one(skel->progs.on_signal_sent, &skel->links.on_signal_sent);
	attach_one(skel->progs.on_exit, &skel->links.on_exit);
	attach_one(skel->progs.on_printk, &skel->links.on_printk);
	attach_one(skel->progs.on_printk_stored, &skel->links.on_printk_stored);
	attach_one(skel->progs.on_extack, &skel->links.on_extack);
	attach_one(skel->progs.on_ack, &skel->links.on_ack);
	attach_one(skel->progs.on_socket_error, &skel->links.on_socket_error);
	attach_one(skel->progs.on_socket_error_reported, &skel->links.on_socket_error_reported);
	attach_one(skel->progs.on_completion_of_any, &skel->links.on_completion_of_any);
	attach_one(skel->progs.on_completion, &skel->links.on_completion);
	attach_one(skel->progs.on_completion_entry, &skel->links.on_completion_entry);
	attach_one(skel->progs.on_skipped_enter, &skel->links.on_skipped_enter);
	attach_one(skel->progs.on_skipped_return, &skel->links.on_skipped_return);
	attach_one(skel->progs.on_log, &skel->links.on_log);
	attach_one(skel->progs.on_logged, &skel->links.on_logged);
}
