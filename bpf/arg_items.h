/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Which of a call's arguments are captured (user space tells BPF, for each function), and the
 * layout of the captured data. An item is an argument, or memory that an argument leads to.
 *
 * ARGS_SIZE() bytes of data follow a CALL_ENTER edge with arguments, in the order of the items,
 * without gaps, padded to 16 at the end:
 *
 *	ARG_VALUE	`size` bytes
 *	ARG_MEMORY	`size` bytes of what it points to
 *	ARG_STRING	up to `size` bytes, the final NUL included. A string that fills all of
 *			them may be longer: `size` is one more than will be shown
 *	ARG_PATH	the last names of a file's path, innermost first, up to ARGS_PATH_NAMES,
 *			then an empty name; each with its NUL and up to ARGS_PATH_NAME
 *			bytes. Fewer end with the topmost directory's
 *
 * Where memory could not be read, or a pointer is NULL, the item is the pointer, 8 bytes, and its
 * bit is set in ARGS_UNREAD().
 */
#ifndef RETSNOOP_BPF_ARG_ITEMS_H
#define RETSNOOP_BPF_ARG_ITEMS_H

#include <linux/types.h>

#define ARGS_MAX_ITEMS 12
#define ARGS_MAX_STEPS 4
#define ARGS_MAX_BYTES 4096
#define ARGS_PATH_NAMES 4
#define ARGS_PATH_NAME 64

enum arg_kind {
	ARG_VALUE,
	ARG_MEMORY,
	ARG_STRING,
	ARG_PATH,
};

enum arg_source {
	ARG_REGISTER,	/* register number `index` of the calling convention */
	ARG_STACK,	/* 8-byte slot number `index` of arguments on the stack; kprobes only */
};

#define ARG_USER (1u << 0)	/* user memory, in the last step */
#define ARG_KERNEL (1u << 1)	/* read only addresses of the kernel */

struct arg_item {
	__u8 kind;		/* enum arg_kind */
	__u8 source;		/* enum arg_source */
	__u8 index;		/* first register or slot */
	__u8 slot;		/* first slot in a trampoline's context */
	__u8 flags;		/* ARG_USER, ARG_KERNEL */
	__u8 nr_steps;
	__u16 size;		/* bytes; of ARG_VALUE in registers 1 to 16 */
	/*
	 * For each step: read the pointer at the current place, and go on at this offset from it.
	 *
	 * ARG_PATH: the argument points to a directory entry; with nr_steps, to memory that has the
	 * pointer to the entry at steps[0]. An entry has pointers to its name and its directory at:
	 */
	__u16 steps[ARGS_MAX_STEPS];
#define PATH_STEP_NAME 2
#define PATH_STEP_PARENT 3
};
_Static_assert(sizeof(struct arg_item) == 16, "arg_item is a file format");

struct arg_items {
	__u32 nr;
	__u32 max_bytes;	/* the most that all items can take */
	__u32 where;		/* index + 1 of the condition on its calls; 0 none */
	__u32 spare;
	struct arg_item items[ARGS_MAX_ITEMS];
};
_Static_assert(sizeof(struct arg_items) == 208, "arg_items is a file format");

/*
 * A condition on a call's arguments: a few tests, and a truth table with one bit for each combined
 * outcome. The entry call of a session must meet its function's condition; for other functions,
 * some call inside the session must. A number that cannot be read is 0; text that cannot be read
 * equals nothing.
 */
#define WHERE_MAX 16		/* conditions */
#define WHERE_MAX_TESTS 8
#define WHERE_WORDS 8		/* 8 bytes of a string each */

struct where_test {
	/* A number: ARG_VALUE of up to 8 bytes. Text: ARG_STRING, or ARG_VALUE if in place. */
	struct arg_item item;
	__u32 op;		/* enum term_op (bpf/config.h); text: TERM_EQ or TERM_NE */
	__u16 is_signed;	/* numbers are compared as signed ones */
	__u16 is_text;
	__s64 value;		/* (number & mask[0]) OP value */
	__u64 mask[WHERE_WORDS];	/* text: these bits ... */
	__u64 text[WHERE_WORDS];	/* ... must be equal to these */
};
_Static_assert(sizeof(struct where_test) == 160, "where_test is a file format");

struct where {
	__u32 nr;
	__u32 spare;
	__u64 truth[4];		/* bit i: holds when bit n of i is the outcome of test n */
	struct where_test tests[WHERE_MAX_TESTS];
};

/*
 * What is captured at a probe: the registers of a kprobe (struct pt_regs), the record of a
 * tracepoint, the arguments of a raw tracepoint. In a tracepoint's record, the data that __data_loc
 * fields lead to follows the fields; its first 8 bytes are no field (BPF has a pointer there).
 */
#define PROBE_DATA_BYTES 2048	/* a power of two */
#define PROBE_DATA_DYNAMIC 8

/*
 * The name of the object that a register leads to. Each step but the last is the offset of the next
 * pointer to follow; the last one is the offset of the string. nr_steps 0: no name.
 */
#define PROBE_NAME_STEPS 5
#define PROBE_NAME_BYTES 32
#define PROBE_NAMES 2

struct probe_name {
	__u8 reg;		/* word of struct pt_regs */
	__u8 nr_steps;
	__s16 steps[PROBE_NAME_STEPS];
};

/* Ends a kprobe's data, if has_tail. A part that could not be read is empty. */
struct probe_tail {
	__u64 value;		/* read from memory */
	__u64 is_read;		/* 1: `value` could be read */
	char names[PROBE_NAMES][PROBE_NAME_BYTES];
};

struct probe_data {
	__u16 size;		/* bytes of the fixed part */
	__u16 nr_dynamic;
	__u16 dynamic[PROBE_DATA_DYNAMIC];	/* where __data_loc fields are: length << 16 | offset */
	/* Kprobes: the last bytes are a struct probe_tail, not the context. */
	__u8 has_tail;
	/* For the tail: read 1 to 8 bytes at register + memory_at; 0: none. */
	__u8 memory_size;
	__u8 memory_register;	/* word of struct pt_regs */
	__u8 spare;
	__s16 memory_at;
	struct probe_name names[PROBE_NAMES];
};

/* In `dynamic`: a __rel_loc field. Its offset counts from the field's end. */
#define PROBE_RELATIVE 0x8000

_Static_assert(sizeof(struct probe_data) == 50, "user space and BPF agree");

/* The value of a CALL_ENTER or CALL_PROBE edge: bytes of data that follow. */
#define ARGS_SIZE(value) ((__u32)(value) & 0xffff)
#define ARGS_UNREAD(value) ((__u32)((value) >> 16) & 0xffff)

#endif
