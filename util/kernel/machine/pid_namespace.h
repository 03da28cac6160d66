/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The PID namespace of this process: in a container ids of processes are not those that the kernel
 * itself uses. Ids that are given and shown are this namespace's (bpf/process.bpf.h).
 */
#ifndef RETSNOOP_KERNEL_MACHINE_PID_NAMESPACE_H
#define RETSNOOP_KERNEL_MACHINE_PID_NAMESPACE_H

#include <stdbool.h>
#include <stdint.h>

struct pid_namespace {
	bool initial;		/* ids are the kernel's own */
	uint64_t dev, ino;	/* otherwise: as the kernel numbers it */
};

/* 0; -errno /proc does not have it (reported). */
int pid_namespace_read(struct pid_namespace *ret_namespace);

/**
 * Have BPF learn where this process's namespace is.
 *
 * @prog_fd	namespace_learn() of bpf/retsnoop.bpf.c
 * @return	0; negative errno (reported)
 */
int pid_namespace_learn(int prog_fd);

#endif
