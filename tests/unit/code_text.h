/* SPDX-License-Identifier: BSD-2-Clause */
/* Code that is made up, in memory at CODE_BASE: functions of 32 bytes, and branches between them. */
#ifndef RETSNOOP_TESTS_UNIT_CODE_TEXT_H
#define RETSNOOP_TESTS_UNIT_CODE_TEXT_H

#include <errno.h>
#include <stdint.h>
#include <string.h>

#define CODE_BASE 0xffffffff81000000ull
#define CODE_SIZE 0x400
#define CODE_FUNCTION(at, name) { CODE_BASE + (at), 0x20, name, NULL, 't' }

#define CODE_CALL 0xe8
#define CODE_JUMP 0xe9

/* For struct code_source; @arg: CODE_SIZE bytes. */
static inline long code_text_read(void *arg, uint64_t addr, void *buf, size_t size)
{
	const uint8_t *text = arg;

	if (addr < CODE_BASE || addr >= CODE_BASE + CODE_SIZE)
		return -EFAULT;
	size = size < CODE_BASE + CODE_SIZE - addr ? size : CODE_BASE + CODE_SIZE - addr;
	memcpy(buf, text + (addr - CODE_BASE), size);
	return size;
}

/* A branch of x86 from offset @at to offset @target. */
static inline void code_text_branch(uint8_t *text, size_t at, uint8_t opcode, size_t target)
{
	int32_t distance = (int32_t)target - (int32_t)(at + 5);

	text[at] = opcode;
	memcpy(text + at + 1, &distance, sizeof(distance));
}

#endif
