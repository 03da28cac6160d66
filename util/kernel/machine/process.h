/* SPDX-License-Identifier: BSD-2-Clause */
/* Processes by their ids, as this PID namespace has them. */
#ifndef RETSNOOP_KERNEL_MACHINE_PROCESS_H
#define RETSNOOP_KERNEL_MACHINE_PROCESS_H

#include <sys/types.h>

/* The process that a process or a thread belongs to; 0: there is none of that id. */
pid_t process_of(pid_t pid);

#endif
