/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Facts about a machine that tracing depends on: settings, mounts, files and privileges. They are
 * only read; util/trace/attach/features.h tries what the kernel can do.
 */
#ifndef RETSNOOP_KERNEL_MACHINE_MACHINE_H
#define RETSNOOP_KERNEL_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/kernel/debug/distribution.h"

/* The locked memory that BPF needs where it is counted: the ring buffer and all maps. */
#define MEMLOCK_ENOUGH (64l << 20)

/* A number in a file of /proc or /sys. */
struct kernel_setting {
	int err;	/* 0; -ENOENT no such file; -EACCES not allowed; -errno */
	long value;
};

/* Whether a file or mount can be used; err as above. */
struct reachable {
	int err;
	char path[128];	/* where; "" nowhere */
};

enum lockdown {
	LOCKDOWN_NONE,
	LOCKDOWN_INTEGRITY,
	LOCKDOWN_CONFIDENTIALITY,
};

/*
 * Switches that a privileged user can turn off at any time, even with programs attached: then
 * these never run. A file that is missing or cannot be read does not count as off.
 */
struct switches {
	struct kernel_setting ftrace;	/* kernel.ftrace_enabled */
	struct kernel_setting kprobes;	/* in debugfs */
};

/* @root as for machine_read(). */
void switches_read(const char *root, struct switches *ret_switches);

/*
 * Whether tasks can be preempted inside the kernel; true also when that is not known. uname -v says
 * PREEMPT, PREEMPT_RT or PREEMPT_DYNAMIC (init/Makefile, scripts/mkcompile_h); the latter's switch is in
 * debugfs (kernel/sched/debug.c, 5.13): none, voluntary, full, and lazy from 6.13 on.
 *
 * @root	as for machine_read()
 */
bool kernel_is_preemptible(const char *root);

/*
 * The machine's threads; 0: not known. By /proc/loadavg, which LXC containers see with their own threads only,
 * and by sysinfo(2), which has 16 bits for their number.
 *
 * @root	as for machine_read()
 */
unsigned long threads_count(const char *root);

/* kernel.perf_event_paranoid */
struct kernel_setting perf_paranoid_read(const char *root);

/*
 * kernel.perf_event_max_stack: frames of a captured stack. Below the minimum, no stack is
 * complete.
 */
struct kernel_setting max_stack_read(const char *root);
bool max_stack_is_low(const struct kernel_setting *max_stack);
#define MAX_STACK_LEAST 16

/* Whether stacks are cut at fewer frames than retsnoop keeps. */
bool max_stack_is_short(const struct kernel_setting *max_stack);
#define MAX_STACK_KEPT 127

/* Whether this kernel forbids all tracing: lockdown=confidentiality. */
bool lockdown_is_complete(void);

bool setting_is_off(const struct kernel_setting *setting);

#define KERNEL_VERSION_OF(major, minor) ((major) << 16 | (minor))

/* The running kernel's version; 0 not understood. */
unsigned int kernel_version_running(void);

struct machine {
	char release[72];	/* uname -r */
	char arch[72];	/* uname -m, of this machine whatever the root */
	unsigned int version;	/* KERNEL_VERSION_OF(); 0 not understood */
	struct distribution os;

	unsigned int uid;	/* effective */
	uint64_t caps;	/* effective; bits as in linux/capability.h */
	bool own_users;	/* in a user namespace: root here is not the machine's root */
	bool own_pids;	/* in a PID namespace other than the machine's */
	char container[32];	/* "docker", "podman", ...; "" none found */

	struct kernel_setting lockdown;	/* enum lockdown */
	struct kernel_setting kptr_restrict;
	struct kernel_setting perf_paranoid;
	struct kernel_setting unprivileged_bpf;	/* _disabled */
	struct kernel_setting jit;
	struct kernel_setting max_stack;	/* kernel.perf_event_max_stack */
	struct switches switches;
	struct kernel_setting branches;	/* LBR records the CPU keeps */
	bool hypervisor;	/* a virtual machine, according to the CPU */

	bool addresses_hidden;	/* /proc/kallsyms shows no addresses to this process */
	struct reachable btf;
	unsigned int nr_modules, nr_module_btf;	/* that are loaded; of these, with BTF */
	struct reachable tracefs;	/* its list of functions; path: where it is mounted */
	unsigned long nr_traceable;	/* lines in it */
	struct reachable blacklist;	/* of kprobes, in debugfs */
	struct reachable kcore;	/* -EBADMSG: another file is in its place */
	struct reachable cgroup2;	/* where it is mounted */
	struct kernel_setting memlock;	/* soft limit in bytes; value -1 none */
};

/**
 * Read all of it. Never fails: for facts that cannot be read, `err` is set.
 *
 * @root	before every path: "" for this machine
 */
void machine_read(const char *root, struct machine *ret_machine);

bool machine_can(const struct machine *machine, int capability);

#endif
