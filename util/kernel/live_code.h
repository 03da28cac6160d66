/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The running kernel's code as it was compiled, from its memory: with the bytes that kprobes of this and other
 * programs replaced.
 */
#ifndef RETSNOOP_KERNEL_LIVE_CODE_H
#define RETSNOOP_KERNEL_LIVE_CODE_H

#include <stdbool.h>

#include "util/kernel/code/probed_code.h"
#include "util/kernel/symbols/code_source.h"

struct kernel;

struct live_code {
	struct kernel *kernel;
	struct kcore kcore;
	struct probed_code probed;	/* empty without BTF, or where memory cannot be read */
	bool has_probed;		/* it was tried */
	bool is_known;			/* with success, at least once */
};

/* @kernel must outlive it. */
void live_code_init(struct live_code *live, struct kernel *kernel);
/*
 * Open what is read, so that what this needs of privileges may be put aside. Without /proc/kcore that is a BPF program,
 * for those who are about to load others: not for a plan that is only shown. If it fails reads will, too.
 */
void live_code_open(struct live_code *live);
/*
 * As in struct code_source. The first one reads where kprobes are. Once they were known, -errno where they are not:
 * an attempt failed because others come and go.
 */
long live_code_read(void *live, uint64_t addr, void *buf, size_t size);
/* The next one reads it again. */
void live_code_kprobes_changed(struct live_code *live);
void live_code_close(struct live_code *live);

#endif
