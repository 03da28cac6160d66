/* SPDX-License-Identifier: BSD-2-Clause */
/* The capabilities that tracing needs on a machine, for commands and doctor. Pure code. */
#ifndef RETSNOOP_KERNEL_MACHINE_CAPABILITIES_H
#define RETSNOOP_KERNEL_MACHINE_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

#define CAPABILITY(cap) (1ull << (cap))

/* Facts that change which capabilities are needed. */
struct tracing_needs {
	bool lists_modules;	/* libbpf lists modules' BTF */
	bool addresses_hidden;	/* from this process, in /proc/kallsyms */
	bool memory_counted;	/* BPF's memory counts as locked memory, whose limit is low */
};

/* Bits of capabilities(7); and their names as text: "CAP_BPF, CAP_PERFMON and CAP_SYSLOG". */
uint64_t tracing_capabilities(const struct tracing_needs *needs);
void capabilities_add(struct strbuf *sb, uint64_t caps);

/*
 * Whether libbpf lists modules' BTF: it searches all modules for symbols that may be missing in
 * the kernel. Before 1.3 it fails if it is not allowed to list them.
 *
 * @kernel, @libbpf	KERNEL_VERSION_OF() them
 */
bool libbpf_lists_modules(unsigned int libbpf, unsigned int kernel, bool btf);

#endif
