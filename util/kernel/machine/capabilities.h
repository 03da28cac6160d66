/* SPDX-License-Identifier: BSD-2-Clause */
/* The capabilities that tracing takes on a machine, for commands and doctor alike. Pure code. */
#ifndef RETSNOOP_KERNEL_MACHINE_CAPABILITIES_H
#define RETSNOOP_KERNEL_MACHINE_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

#define CAPABILITY(cap) (1ull << (cap))

/* What makes a difference. */
struct tracing_needs {
	bool lists_modules;	/* libbpf lists modules' BTF */
	bool addresses_hidden;	/* from this process, in /proc/kallsyms */
	bool memory_counted;	/* what BPF takes, against a limit of locked memory that is low */
};

/* Bits of capabilities(7), and how they are said: "CAP_BPF, CAP_PERFMON and CAP_SYSLOG". */
uint64_t tracing_capabilities(const struct tracing_needs *needs);
void capabilities_add(struct strbuf *sb, uint64_t caps);

/*
 * Of symbols that may be missing in the kernel, libbpf looks for those that are in the BTF of all
 * modules; before 1.3 it gives up when it may not list them.
 *
 * @kernel, @libbpf	KERNEL_VERSION_OF() them
 */
bool libbpf_lists_modules(unsigned int libbpf, unsigned int kernel, bool btf);

#endif
