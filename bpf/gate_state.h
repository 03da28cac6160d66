/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Open sessions, counted by gate (bpf/gate.bpf.h); user space reads them at the end. */
#ifndef RETSNOOP_BPF_GATE_STATE_H
#define RETSNOOP_BPF_GATE_STATE_H

#include <linux/types.h>

#define GATES 1024	/* of tasks; one more for all interrupts */

struct gate {
	__u32 open;	/* sessions */
	__u32 slot;	/* of the session that keeps the gate; otherwise any */
};

#endif
