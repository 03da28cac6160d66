/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* The user's thread pointer, as last saved: part of the task. For kernel_types.h. */
#ifndef RETSNOOP_BPF_ARCH_THREAD_STRUCT_H
#define RETSNOOP_BPF_ARCH_THREAD_STRUCT_H

struct thread_struct {
#if defined(__TARGET_ARCH_x86)
	unsigned long fsbase;
#elif defined(__TARGET_ARCH_arm64)
	struct {
		unsigned long tp_value;
	} uw;
#else
	int none;
#endif
};

#endif
