/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is captured of functions' arguments (bpf/arg_items.h), with names and types.
 *
 * Without a selection (util/ask/args_selection.h), each argument is captured by its type:
 *	- integers, enums, bools, structs passed by value: their value;
 *	- pointers to a file, a path or a directory entry: the last names of its path;
 *	- pointers to something of a known size: that, its beginning if it is large;
 *	- `char *`: the string there; other pointers: their value. A pointer leads to user memory
 * if a type tag says so, and in system calls. In system calls, `char *` is a string if it is
 * const or the call is known to read one (mount, umount): others lead to memory that the call
 * will write. For system call wrappers (`__x64_sys_openat`), the call's own arguments are
 * captured, which are in their pt_regs.
 */
#ifndef RETSNOOP_PLAN_ARGS_ARGS_H
#define RETSNOOP_PLAN_ARGS_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/arg_items.h"
#include "util/kernel/types/arg_layout.h"

struct arch;
struct args_options;
struct btf;
struct kernel_btf;

/* A function whose arguments are captured. */
struct args_func {
	const char *name;
	int btf_module;		/* as in struct plan_func */
	uint32_t btf_id;
};

/* The form of captured data. */
enum arg_form {
	ARG_AS_VALUE,		/* a value of `type`; without a type, a number */
	ARG_AS_POINTER,		/* a pointer without a known type */
	ARG_AS_POINTEE,		/* a pointer's target, of `type` */
	ARG_AS_STRING,
	ARG_AS_PATH,		/* the path of a pointer's target */
};

/* An argument, or a selected value. */
struct arg {
	const char *name;	/* borrowed: BTF's, the selection's, the system call's */
	const struct btf *btf;	/* that has its type; NULL for a register; borrowed */
	uint32_t type;		/* see enum arg_form; 0 none */
	int8_t item;		/* index into items; -1 not captured */
	uint8_t form;		/* enum arg_form */
	uint8_t skip;		/* bytes of the item before it */
	uint8_t bit_offset;	/* of a bitfield, in the byte after them */
	uint8_t bits;		/* of it; 0: no bitfield */
	uint8_t size;		/* bytes of a number without a type */
	bool is_signed;		/* of it */
	bool raw;		/* the item before has the pointer itself */
	bool cut;		/* only a part of it is captured */
};

/*
 * Arguments in place of the "..." of a function with a format, which alone tells their number.
 * They are words, and the strings that they lead to if they are pointers. There is room for
 * f(fmt, ...) on a machine with 8 argument registers, and 6 words on the stack.
 */
#define ARGS_MORE_WORDS 13

struct args_more {
	uint8_t nr;		/* 0: nothing is captured */
	uint8_t format;		/* index into args */
	struct {
		int8_t item;
		uint8_t skip;	/* bytes of the item before it */
		int8_t text;	/* item of the string; -1 none */
	} words[ARGS_MORE_WORDS];
};

struct func_args {
	struct arg_items items;
	struct arg *args;
	uint32_t nr;
	bool variadic;		/* there may be more */
	struct args_more more;	/* captures in place of the "..." */
	bool selected;		/* by the user */
};

/* A system call's parameters; strings are borrowed, and outlive everything made from them. */
struct syscall_params {
	uint32_t nr;
	struct {
		const char *type;	/* in C: "const char *" */
		const char *name;
	} params[6];
};

/*
 * "openat" for functions that have the call's arguments in another form: `__x64_sys_openat` and its
 * like on other machines, whose only argument is a struct pt_regs, and `__se_sys_openat`, whose
 * arguments are all `long`. NULL for other functions.
 */
const char *args_syscall_name(const char *func);

/*
 * Whether it is such a function of a system call that is different for 32-bit (or x32) programs:
 * its parameters may differ in number, and their targets in layout.
 */
bool args_syscall_is_compat(const char *func);

/*
 * Whether a system call reads a string from parameter @param (0 is the first), which is `char *` without
 * const. The others of that type lead to a buffer that it fills, to data, or are addresses.
 *
 * @syscall	"mount"
 */
bool args_syscall_reads_string(const char *syscall, unsigned int param);

/**
 * What to capture of a function's arguments.
 *
 * @btf		NULL: there is none; look-ups in it may load more
 * @syscall	for system call wrappers: the parameters, from their tracepoint's format; NULL:
 *		from BTF, if it has them
 * @ret_args	release with func_args_release()
 * @return	0; -ENOMEM (reported)
 */
int args_of_func(struct kernel_btf *btf, const struct args_func *func,
		 const struct syscall_params *syscall, const struct args_options *options,
		 const struct arch *arch, struct func_args *ret_args);
void func_args_release(struct func_args *args);

/* The data of an item. */
struct arg_data {
	const uint8_t *data;	/* borrowed from the decoded data; NULL: none */
	uint32_t len;		/* bytes; of strings without their NUL, of a path's names with */
	bool unread;		/* `data` is the pointer that leads there, which may be NULL */
	bool cut;		/* the data is cut */
};

/*
 * Decode the data after a CALL_ENTER edge with this value. Whatever the data, results stay within
 * @len bytes of @data. All of @ret_data is set.
 */
void args_decode(const struct arg_items *items, uint64_t value, const void *data, size_t len,
		 struct arg_data ret_data[ARGS_MAX_ITEMS]);

/* Bytes captured of a call, without padding. */
uint32_t args_captured_bytes(const struct arg_items *items, uint64_t value, const void *data,
			     size_t len);

#endif
