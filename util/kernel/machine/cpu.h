/* SPDX-License-Identifier: BSD-2-Clause */
/* What the CPU and the kernel say of the CPU's branch records. */
#ifndef RETSNOOP_KERNEL_MACHINE_CPU_H
#define RETSNOOP_KERNEL_MACHINE_CPU_H

#include <stdbool.h>

/* Whether the kernel drives hardware performance counters here. */
bool cpu_has_counters(void);

/* Branch records the CPU keeps, as the kernel says; 0: none, or it does not say. */
unsigned int cpu_branch_records(void);

/* Whether this is a virtual machine, as far as the CPU tells. */
bool cpu_is_virtual(void);

#endif
