/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared by the code that makes items of arguments (args.c), knows system calls (args_syscall.c),
 * and selects arguments (args_select.c).
 */
#ifndef RETSNOOP_PLAN_ARGS_ARGS_INTERNAL_H
#define RETSNOOP_PLAN_ARGS_ARGS_INTERNAL_H

#include "util/plan/args/args.h"

struct arch;

/* An argument and its place, before it is decided what to capture of it. */
struct param {
	const char *name;	/* as in struct arg */
	const struct btf *btf;
	uint32_t type;		/* declared; with pointers_to: what it points to */
	uint8_t pointers_to;	/* levels of pointers: 1 is a pointer, 2 a pointer to a pointer */
	bool constant;		/* with pointers_to: what it points to is const */
	bool text;		/* with pointers_to: it is `char` */
	bool user;		/* of a system call: pointers lead to user memory */
	bool input;		/* with user: there is a string that the call reads, const or not */
	bool output;		/* with user: the call fills in what is there, and reads nothing */
	uint8_t number_size;	/* without a type: bytes */
	bool is_signed;
	struct arg_place place;
	uint8_t nr_steps;	/* steps from there to the value */
	uint16_t step;
};

struct params {
	uint32_t nr;
	bool variadic;
	bool more_known;	/* as in struct arg_layout */
	uint8_t more_register, more_slot;
	struct param v[ARG_LAYOUT_MAX];
};

void params_of_func(struct kernel_btf *btf, const struct args_func *func,
		    const struct syscall_params *syscall, const struct arch *arch,
		    struct params *ret_params);

/* A function's parameters from BTF. False: none, or more than can be laid out. */
bool params_of_btf(struct kernel_btf *btf, int module, uint32_t id, const struct arch *arch,
		   struct params *params);

/*
 * A system call's own parameters, in a function that args_syscall_name() knows. @syscall NULL:
 * not known
 */
void params_of_syscall(struct kernel_btf *btf, const struct args_func *func,
		       const struct syscall_params *syscall, const struct arch *arch,
		       struct params *params);

/* Completes the parameters of functions inside system calls (`__do_sys_mount`, `ksys_read`). */
void params_inside_syscall(const struct args_func *func, struct params *params);

/* Room for @nr arguments in @args, which is empty. 0; -ENOMEM (reported). */
int func_args_reserve(struct func_args *args, uint32_t nr);

/* Add the next argument, captured by its type. */
void func_args_add_param(struct func_args *args, const struct args_options *options,
			 const struct param *param);

/*
 * Add the next argument, with an item of its own if there is room; an item of memory may be
 * shortened to 8 bytes. Returns whether there was room.
 */
bool func_args_add(struct func_args *args, const struct args_options *options,
		   const struct arg_item *item, const struct arg *arg);

/* The item for a place, without the kind and size of its data. */
struct arg_item item_at(const struct arg_place *place);

/* Whether a pointer's target is text, or may be. */
bool args_may_be_text(const struct btf *btf, uint32_t type);

/* Bytes to capture of a string; 0: strings are not captured. */
uint32_t args_string_size(const struct args_options *options);

/* Bytes to capture of a value of this type, at most @max; 0: not known. */
uint32_t args_size_of(const struct btf *btf, uint32_t type, uint32_t max, bool *ret_cut);

#endif
