// SPDX-License-Identifier: BSD-2-Clause
/*
 * empty RUNG FUNC[,FUNC]... COMMAND [ARG]...: runs a command while programs that do nothing hang on
 * the entry and the exit of functions, attached as retsnoop attaches its own. What is left of a
 * traced call's cost is the kernel's.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/trace/attach/links.h"

#define MAX_FUNCS 8

struct func {
	const char *name;
	uint64_t addr;
	uint32_t btf_id;
};

static struct func funcs[MAX_FUNCS];
static int nr_funcs;

static void check(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "empty: %s: %s\n", what, strerror(-err));
	exit(1);
}

/* return 0; */
static int load(enum bpf_prog_type type, int attach_type, uint32_t btf_id)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach_type,
		    .attach_btf_id = btf_id);
	int fd = bpf_prog_load(type, "empty", "GPL", insns, 2, &opts);

	check(fd, "cannot load a program");
	return fd;
}

static void find_funcs(char *list, bool by_btf)
{
	struct btf *btf = by_btf ? btf__load_vmlinux_btf() : NULL;
	char line[512], name[512];
	unsigned long long addr;
	FILE *file;
	int id;

	for (char *s = strtok(list, ","); s && nr_funcs < MAX_FUNCS; s = strtok(NULL, ","))
		funcs[nr_funcs++].name = s;
	file = fopen("/proc/kallsyms", "r");
	check(file ? 0 : -errno, "/proc/kallsyms");
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %*c %511s", &addr, name) != 2)
			continue;
		for (int i = 0; i < nr_funcs; i++) {
			if (!strcmp(funcs[i].name, name) && !funcs[i].addr)
				funcs[i].addr = addr;
		}
	}
	fclose(file);
	for (int i = 0; i < nr_funcs; i++) {
		check(funcs[i].addr ? 0 : -ENOENT, funcs[i].name);
		if (!by_btf)
			continue;
		id = btf__find_by_name_kind(btf, funcs[i].name, BTF_KIND_FUNC);
		check(id, funcs[i].name);
		funcs[i].btf_id = id;
	}
	btf__free(btf);
}

static void attach_kprobe(void)
{
	int prog = load(BPF_PROG_TYPE_KPROBE, 0, 0);
	struct kprobe_link link;
	struct kprobe_pmu pmu;

	check(kprobe_pmu_init(&pmu), "no kprobes");
	for (int i = 0; i < nr_funcs; i++) {
		for (int at_return = 0; at_return < 2; at_return++)
			check(link_kprobe(&pmu, prog, at_return, funcs[i].addr, false, 0, &link),
			      funcs[i].name);
	}
}

static void attach_kprobe_multi(bool session)
{
	int type = session ? ATTACH_TRACE_KPROBE_SESSION : ATTACH_TRACE_KPROBE_MULTI;
	int prog = load(BPF_PROG_TYPE_KPROBE, type, 0);
	uint64_t addrs[MAX_FUNCS], cookies[MAX_FUNCS] = {};

	for (int i = 0; i < nr_funcs; i++)
		addrs[i] = funcs[i].addr;
	for (int at_return = 0; at_return < (session ? 1 : 2); at_return++)
		check(link_kprobe_multi(prog, type, at_return, addrs, cookies, nr_funcs),
		      "cannot attach");
}

static void attach_fsession_multi(void)
{
	uint32_t ids[MAX_FUNCS];
	uint64_t cookies[MAX_FUNCS] = {};
	int prog = load(BPF_PROG_TYPE_TRACING, ATTACH_TRACE_FSESSION_MULTI, 0);

	/* The kernel wants them by rising id. */
	for (int i = 0; i < nr_funcs; i++) {
		int at = i;

		for (; at && ids[at - 1] > funcs[i].btf_id; at--)
			ids[at] = ids[at - 1];
		ids[at] = funcs[i].btf_id;
	}
	check(link_tracing_multi(prog, ids, cookies, nr_funcs), "cannot attach");
}

static void attach_fentry(void)
{
	const int types[] = { BPF_TRACE_FENTRY, BPF_TRACE_FEXIT };

	int prog;

	for (int i = 0; i < nr_funcs; i++) {
		for (int t = 0; t < 2; t++) {
			prog = load(BPF_PROG_TYPE_TRACING, types[t], funcs[i].btf_id);
			check(link_raw(prog, NULL), funcs[i].name);
		}
	}
}

int main(int argc, char **argv)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	const char *rung = argc > 1 ? argv[1] : "";
	int status;
	pid_t pid;

	if (argc < 4)
		return fprintf(stderr, "usage: empty RUNG FUNC[,FUNC]... COMMAND [ARG]...\n"), 2;
	/* Before 5.11 BPF's memory counts as locked. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	find_funcs(argv[2], rung[0] == 'f');
	if (!strcmp(rung, "kprobe"))
		attach_kprobe();
	else if (!strcmp(rung, "kprobe-multi"))
		attach_kprobe_multi(false);
	else if (!strcmp(rung, "kprobe-session"))
		attach_kprobe_multi(true);
	else if (!strcmp(rung, "fentry"))
		attach_fentry();
	else if (!strcmp(rung, "fsession-multi"))
		attach_fsession_multi();
	else
		return fprintf(stderr, "empty: no rung '%s'\n", rung), 2;

	pid = fork();
	check(pid < 0 ? -errno : 0, "fork");
	if (!pid) {
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
