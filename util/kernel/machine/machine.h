/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine says of itself, as far as tracing depends on it: settings, mounts, files and
 * rights. Only read, nothing is tried; what the kernel really does is in util/trace/attach/features.h.
 */
#ifndef RETSNOOP_KERNEL_MACHINE_MACHINE_H
#define RETSNOOP_KERNEL_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/kernel/debug/distribution.h"

/* What BPF takes of locked memory where that is counted: the ring buffer and all maps. */
#define MEMLOCK_ENOUGH (64l << 20)

/* A number in a file of /proc or /sys. */
struct kernel_setting {
	int err;	/* 0; -ENOENT there is no such file; -EACCES we may not look; -errno */
	long value;
};

/* Whether something is there for us; err as above. */
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
 * What whoever may can switch off at any time, with all attached: then nothing is heard. Files that
 * are not there, or not for us, are no switches that are off.
 */
struct switches {
	struct kernel_setting ftrace;	/* kernel.ftrace_enabled */
	struct kernel_setting kprobes;	/* in debugfs */
};

/* As below. */
void switches_read(const char *root, struct switches *ret_switches);

/* kernel.perf_event_paranoid */
struct kernel_setting perf_paranoid_read(const char *root);

/* kernel.perf_event_max_stack: frames of a captured stack. Below the least no stack is whole. */
struct kernel_setting max_stack_read(const char *root);
bool max_stack_is_low(const struct kernel_setting *max_stack);
#define MAX_STACK_LEAST 16

/* enum lockdown */
struct kernel_setting lockdown_read(const char *root);

/* Whether this kernel lets nobody trace it: lockdown=confidentiality. */
bool lockdown_is_complete(void);

bool setting_is_off(const struct kernel_setting *setting);

#define KERNEL_VERSION_OF(major, minor) ((major) << 16 | (minor))

/* The running kernel's; 0 not understood. */
unsigned int kernel_version_running(void);

struct machine {
	char release[72];	/* uname -r */
	char arch[72];	/* uname -m, of this machine whatever the root */
	unsigned int version;	/* KERNEL_VERSION_OF(); 0 not understood */
	struct distribution os;

	unsigned int uid;	/* effective */
	uint64_t caps;	/* effective; bits as in linux/capability.h */
	bool own_users;	/* in a user namespace: root here is not the machine's root */
	char container[32];	/* "docker", "podman", ...; "" none that shows */

	struct kernel_setting lockdown;	/* enum lockdown */
	struct kernel_setting kptr_restrict;
	struct kernel_setting perf_paranoid;
	struct kernel_setting unprivileged_bpf;	/* _disabled */
	struct kernel_setting jit;
	struct kernel_setting max_stack;	/* kernel.perf_event_max_stack */
	struct switches switches;
	struct kernel_setting branches;	/* LBR records the CPU keeps */
	bool hypervisor;	/* a virtual machine, as the CPU says */

	bool addresses_hidden;	/* /proc/kallsyms has no addresses for us */
	struct reachable btf;
	unsigned int nr_module_btf;
	struct reachable tracefs;	/* its list of functions; path: where it is mounted */
	unsigned long nr_traceable;	/* lines in it */
	struct reachable blacklist;	/* of kprobes, in debugfs */
	struct reachable kcore;
	struct reachable cgroup2;	/* where it is mounted */
	struct kernel_setting memlock;	/* soft limit in bytes; value -1 none */
};

/**
 * Read all that. Never fails: what cannot be read is said to be so.
 *
 * @root	in front of every path: "" for this machine
 */
void machine_read(const char *root, struct machine *ret_machine);

bool machine_can(const struct machine *machine, int capability);

#endif
