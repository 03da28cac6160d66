/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The emulated branch records on their own, without retsnoop: takes snapshots and prints them for
 * tests/lbr/check. In a test kernel.
 *
 * lbr-snapshot [-n N] [-b TYPES] {PROGRAM FUNCTION CALL}...
 *
 *	-n N		snapshots of each, on one CPU after the other (1)
 *	-b TYPES	any (the default), any_return, any_call, call_stack; none: no event is open
 *	PROGRAM		fentry, fexit, kprobe, kretprobe, raw_tp
 *	FUNCTION	that it is attached to, which CALL runs through
 *	CALL		getppid, open, map (with value_size 0)
 *
 * Exit status: 0 took them all; 1 did not; 2 usage; 3 this machine cannot.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "tests/lbr/rings.h"
#include "tests/lbr/snapshot.skel.h"
#include "util/base/report.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define TRIES 100

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

static void call_open(void)
{
	int fd = open("/lbr-snapshot-no-such-file", O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
}

static void call_map(void)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = 4;
	attr.max_entries = 1;
	fd = syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
	if (fd >= 0)
		close(fd);
}

static const struct {
	const char *name;
	void (*call)(void);
} calls[] = {
	{ "getppid", call_getppid },
	{ "open", call_open },
	{ "map", call_map },
};

static const struct {
	const char *name;
	uint64_t mask;
} branch_types[] = {
	{ "any", PERF_SAMPLE_BRANCH_ANY },
	{ "any_return", PERF_SAMPLE_BRANCH_ANY_RETURN },
	{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "call_stack", PERF_SAMPLE_BRANCH_CALL_STACK },
	{ "none", 0 },
};

struct options {
	unsigned int nr;
	unsigned int types;	/* index into branch_types */
};

struct subject {
	const char *program;
	const char *function;
	void (*call)(void);
};

static int parse_options(int argc, char **argv, struct options *options)
{
	unsigned int i;
	int c;

	options->nr = 1;
	while ((c = getopt(argc, argv, "n:b:")) > 0) {
		if (c == 'n') {
			options->nr = atoi(optarg);
		} else if (c == 'b') {
			for (i = 0; i < ARRAY_SIZE(branch_types); i++)
				if (!strcmp(optarg, branch_types[i].name))
					break;
			if (i == ARRAY_SIZE(branch_types))
				return report(-EINVAL, "there are no branch types '%s'", optarg);
			options->types = i;
		} else {
			return -EINVAL;
		}
	}
	if (optind == argc || (argc - optind) % 3)
		return report(-EINVAL, "wanted: PROGRAM FUNCTION CALL");
	return 0;
}

static int parse_subject(char **words, struct subject *subject)
{
	unsigned int i;

	subject->program = words[0];
	subject->function = words[1];
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		if (!strcmp(words[2], calls[i].name)) {
			subject->call = calls[i].call;
			return 0;
		}
	}
	return report(-EINVAL, "there is no call '%s'", words[2]);
}

/* They stay open until the process ends. */
static int open_events(uint64_t mask, int nr_cpus)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_type = PERF_SAMPLE_BRANCH_STACK,
		.branch_sample_type = mask | PERF_SAMPLE_BRANCH_KERNEL,
	};
	int cpu;

	/* The kernel has the whole stack of calls, or none. */
	if (mask == PERF_SAMPLE_BRANCH_CALL_STACK)
		attr.branch_sample_type |= PERF_SAMPLE_BRANCH_USER;
	for (cpu = 0; mask && cpu < nr_cpus; cpu++)
		if (syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC) < 0)
			return report(-errno, "cannot open a branch stack event on CPU %d", cpu);
	return 0;
}

static int attach(struct snapshot *skel, const struct subject *subject, struct bpf_link **ret_link)
{
	struct bpf_program *prog, *wanted = NULL;
	struct bpf_link *link;

	bpf_object__for_each_program(prog, skel->obj) {
		/* on_fentry is for "fentry" */
		bool mine = !strcmp(bpf_program__name(prog) + 3, subject->program);

		bpf_program__set_autoload(prog, mine);
		if (mine)
			wanted = prog;
	}
	if (!wanted)
		return report(-EINVAL, "there is no program '%s'", subject->program);
	if (subject->program[0] == 'f' &&
	    bpf_program__set_attach_target(wanted, 0, subject->function))
		return report(-ENOENT, "no function %s to attach to", subject->function);
	if (snapshot__load(skel))
		return report(-errno, "cannot load the program");
	if (subject->program[0] == 'f')
		link = bpf_program__attach_trace(wanted);
	else if (subject->program[0] == 'k')
		link = bpf_program__attach_kprobe(wanted, !strcmp(subject->program, "kretprobe"),
						  subject->function);
	else
		link = bpf_program__attach_raw_tracepoint(wanted, subject->function);
	if (!link)
		return report(-errno, "cannot attach to %s", subject->function);
	*ret_link = link;
	return 0;
}

static void go_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Take one and print it. */
static int take(struct snapshot *skel, struct rings *rings, const struct options *options,
		const struct subject *subject, unsigned int i)
{
	const char *types = branch_types[options->types].name;
	unsigned int try;
	char name[64];

	skel->bss->taken = 0;
	__atomic_store_n(&skel->bss->armed, 1, __ATOMIC_SEQ_CST);
	for (try = 0; try < TRIES && !skel->bss->taken; try++)
		subject->call();
	if (!skel->bss->taken)
		return report(-ENODATA, "%s was not hit", subject->function);
	snprintf(name, sizeof(name), "%s/%s/%u", subject->program, subject->function, i);
	if (skel->bss->snapshot_size < 0)
		return report(skel->bss->snapshot_size, "%s: there is no snapshot", name);
	rings_print(rings, name, types, skel->bss->snapshot_branches,
		    skel->bss->snapshot_size / sizeof(struct event_branch));
	return 0;
}

static int take_all(struct rings *rings, const struct options *options,
		    const struct subject *subject, int nr_cpus)
{
	struct snapshot *skel = snapshot__open();
	struct bpf_link *link = NULL;
	int status = 0;
	unsigned int i;

	if (!skel)
		return 3;
	skel->bss->wanted_pid = getpid();
	if (attach(skel, subject, &link)) {
		status = 3;
	} else {
		subject->call();	/* what happens the first time only */
		for (i = 0; i < options->nr && !status; i++) {
			go_to_cpu(i % nr_cpus);
			status = take(skel, rings, options, subject, i) ? 1 : 0;
		}
	}
	bpf_link__destroy(link);
	snapshot__destroy(skel);
	return status;
}

int main(int argc, char **argv)
{
	int nr_cpus = sysconf(_SC_NPROCESSORS_ONLN), status = 0, i;
	struct options options = {};
	struct subject subject = {};
	struct rings *rings;

	if (parse_options(argc, argv, &options))
		return 2;
	if (rings_open(&rings))
		return 3;
	if (open_events(branch_types[options.types].mask, nr_cpus))
		status = 3;
	for (i = optind; i < argc && !status; i += 3) {
		if (parse_subject(&argv[i], &subject))
			status = 2;
		else
			status = take_all(rings, &options, &subject, nr_cpus);
	}
	rings_close(rings);
	return status;
}
