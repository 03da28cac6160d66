/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of a bpf(2) call by its command. */
#ifndef RETSNOOP_WHY_BPF_COMMAND_H
#define RETSNOOP_WHY_BPF_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "util/kernel/types/member_at.h"

struct bpf_command {
	/* The member of union bpf_attr that it uses (include/uapi/linux/bpf.h of 7.2; older kernels have the same). */
	struct union_member in_use;
	bool keeps_off;	/* it accesses a map, with bpf_prog_active counted: no probe's BPF program runs meanwhile */
};

/* By the call's first argument. Static; NULL: not known. */
const struct bpf_command *bpf_command_find(uint64_t arg);

#endif
