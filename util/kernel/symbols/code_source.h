/* SPDX-License-Identifier: BSD-2-Clause */
/* Sources of the code of kernel functions: the running kernel, a vmlinux file, a recording. */
#ifndef RETSNOOP_KERNEL_SYMBOLS_CODE_SOURCE_H
#define RETSNOOP_KERNEL_SYMBOLS_CODE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads kernel memory at a run-time address. Returns the bytes read, fewer at the end of memory;
 * -errno.
 */
struct code_source {
	long (*read)(void *arg, uint64_t addr, void *buf, size_t size);
	void *arg;
};

struct memory_reader;

/* Read all of @size bytes. 0; -EFAULT not all are there; -errno. */
int code_source_read(const struct code_source *memory, uint64_t addr, void *buf, size_t size);

/*
 * The running kernel's memory, from /proc/kcore, which the kernel may refuse to everybody. Opened
 * with the first read, or by kcore_open().
 */
struct kcore {
	int fd;		/* -1 not opened yet, or refused */
	int err;	/* of opening it */
	bool by_bpf;	/* without the file, a BPF program reads */
	struct memory_reader *reader;
};

#define KCORE_INIT { .fd = -1 }

/* 0; -EBADMSG: it is not an ELF file, as in containers, where /dev/null is in its place; -errno. */
int kcore_open(struct kcore *kcore);
long kcore_read(void *kcore, uint64_t addr, void *buf, size_t size);

/*
 * What the kernel tells programs that read its memory after a crash: lines such as
 * "SYMBOL(_stext)=ffffffff81000000" (kernel/vmcore_info.c). NULL: it is not there, or may not be read;
 * free() it.
 */
char *kcore_vmcoreinfo(struct kcore *kcore);

/* The same text, from the notes of an ELF file. */
char *vmcoreinfo_find(const char *notes, size_t size);

void kcore_close(struct kcore *kcore);

#endif
