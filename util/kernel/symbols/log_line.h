/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of a kernel's log: the places in code that they name, and facts about the kernel. Pure
 * code. A line may have any bytes in it.
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_LOG_LINE_H
#define RETSNOOP_KERNEL_SYMBOLS_LOG_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/kernel/debug/debuginfo.h"

#define LOG_NAME_MAX 512 /* KSYM_NAME_LEN since 6.1 */
#define LOG_MODULE_MAX 56
#define LOG_RELEASE_MAX 64

/* "ext4_sync_file+0x12/0x340 [ext4]", as the kernel prints an address. */
struct log_place {
	size_t start, end;	/* range in the line, including the module */
	char name[LOG_NAME_MAX];
	uint64_t offset, size;
	char module[LOG_MODULE_MAX];	/* "" the kernel itself */
	struct build_id build_id;	/* the module's, if the kernel prints it (5.14) */
	bool is_return;	/* a return address: it is after the call that the line means */
};

/* The next place at or after @from in a line. False: there is none. */
bool log_find_place(const char *line, size_t len, size_t from, struct log_place *ret_place);

/*
 * What earlier lines say about the next place of a stack trace. On arm64 before 6.13 and on riscv a
 * trace has program counters among the return addresses: that of registers shown before the trace
 * comes first, that of the code that an exception interrupted follows the entry code.
 */
struct log_trace {
	struct log_place pc;	/* of registers; no name: none since the last trace */
	bool after_entry;	/* the last place was in entry code; clear it at a line without a place */
};

/* Correct @place->is_return by the lines before. Call it for all places in their order. */
void log_trace_follow(struct log_trace *trace, const char *line, size_t len, struct log_place *place);

/*
 * The kernel's release, in lines that have it: "Linux version 6.1.0-18-amd64 (...", "CPU: 0 PID: 1
 * Comm: sh Not tainted 6.1.0-18-amd64 #1 ...", and those of hung tasks and of lockdep. It can be
 * used in a file name. False: not such a line; @ret_release is undefined.
 */
bool log_find_release(const char *line, size_t len, char ret_release[LOG_RELEASE_MAX]);

/* The bytes around the instruction pointer. */
struct log_code {
	uint8_t bytes[128];
	size_t len;
	size_t at;	/* beginning of the faulting instruction */
};

/* "Code: 48 8b 44 <48> 3d 00 f0". False: not such a line, or no byte is marked. */
bool log_find_code(const char *line, size_t len, struct log_code *ret_code);

/* The offset of a line's text: after "<4>", "[    5.093962]", "[  T123]", a mail's "> ", ... */
size_t log_text_start(const char *line, size_t len);

#endif
