/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts about the CPU's branch records, from the CPU and the kernel. */
#ifndef RETSNOOP_KERNEL_MACHINE_CPU_H
#define RETSNOOP_KERNEL_MACHINE_CPU_H

#include <stdbool.h>

/* Whether the kernel uses hardware performance counters here. */
bool cpu_has_counters(void);

/* The number of branch records that the CPU keeps, from the kernel; 0: none, or not known. */
unsigned int cpu_branch_records(void);

/* Whether this is a virtual machine, according to the CPU. */
bool cpu_is_virtual(void);

#endif
