/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The PID namespace of this process: in a container, process ids differ from the kernel's own. Ids
 * in options and in output are this namespace's (bpf/process.bpf.h).
 */
#ifndef RETSNOOP_KERNEL_MACHINE_PID_NAMESPACE_H
#define RETSNOOP_KERNEL_MACHINE_PID_NAMESPACE_H

#include <stdbool.h>
#include <stdint.h>

/* The inode of the machine's own: PROC_PID_INIT_INO of include/linux/proc_ns.h, part of the kernel's ABI. */
#define PID_NAMESPACE_INITIAL 0xeffffffcu

struct pid_namespace {
	bool initial;		/* ids are the kernel's own */
	uint64_t dev, ino;	/* otherwise: the kernel's numbers of the namespace */
};

/* 0; -errno /proc does not have it (reported). */
int pid_namespace_read(struct pid_namespace *ret_namespace);

/**
 * Let BPF find this process's namespace.
 *
 * @prog_fd	namespace_learn() of bpf/retsnoop.bpf.c
 * @return	0; negative errno (reported)
 */
int pid_namespace_learn(int prog_fd);

#endif
