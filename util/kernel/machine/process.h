/* SPDX-License-Identifier: BSD-2-Clause */
/* Processes by their ids in this PID namespace. */
#ifndef RETSNOOP_KERNEL_MACHINE_PROCESS_H
#define RETSNOOP_KERNEL_MACHINE_PROCESS_H

#include <sys/types.h>

/* The process id of a process or thread; 0: no such id. */
pid_t process_of(pid_t pid);

#endif
