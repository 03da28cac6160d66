/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Between what makes items of arguments (args.c), what knows system calls (args_syscall.c), and what
 * picks some (args_select.c).
 */
#ifndef RETSNOOP_CAPTURE_ARGS_ARGS_INTERNAL_H
#define RETSNOOP_CAPTURE_ARGS_ARGS_INTERNAL_H

#include "util/capture/args/args.h"

struct arch;

/* An argument and where it is, whatever will be captured of it. */
struct param {
	const char *name;	/* as struct arg has it */
	const struct btf *btf;
	uint32_t type;		/* declared; with pointers_to: what it points to */
	uint8_t pointers_to;	/* it is a pointer, and one to that many pointers less one */
	bool constant;		/* with pointers_to: what it points to is const */
	bool text;		/* with pointers_to: it is `char` */
	bool user;		/* of a system call: pointers lead to user memory */
	bool input;		/* with user: there is a string that the call reads, const or not */
	uint8_t number_size;	/* without a type: bytes */
	bool is_signed;
	struct arg_place place;
	uint8_t nr_steps;	/* from there to it */
	uint16_t step;
};

struct params {
	uint32_t nr;
	bool variadic;
	bool more_known;	/* as struct arg_layout has it */
	uint8_t more_register, more_slot;
	struct param v[ARG_LAYOUT_MAX];
};

void params_of_func(struct kernel_btf *btf, const struct args_func *func,
		    const struct syscall_params *syscall, const struct arch *arch,
		    struct params *ret_params);

/* Those that BTF has of a function. False: it has none, or more than can be laid out. */
bool params_of_btf(struct kernel_btf *btf, int module, uint32_t id, const struct arch *arch,
		   struct params *params);

/* A system call's own, in a function that args_syscall_name() knows. @syscall: NULL: not known */
void params_of_syscall(struct kernel_btf *btf, const struct args_func *func,
		       const struct syscall_params *syscall, const struct arch *arch,
		       struct params *params);

/* Completes the parameters of functions inside system calls (`__do_sys_mount`, `ksys_read`). */
void params_inside_syscall(const struct args_func *func, struct params *params);

/* Room for @nr arguments in @args, which is empty. 0; -ENOMEM (reported). */
int func_args_reserve(struct func_args *args, uint32_t nr);

/* The next argument, as its type wants it. */
void func_args_add_param(struct func_args *args, const struct args_options *options,
			 const struct param *param);

/*
 * The next argument, with an item of its own if there is room; one of memory gives way, down to 8
 * bytes. Whether there was.
 */
bool func_args_add(struct func_args *args, const struct args_options *options,
		   const struct arg_item *item, const struct arg *arg);

/* The item of a place, without what is captured there. */
struct arg_item item_at(const struct arg_place *place);

/* Whether what a pointer leads to is text, or may be. */
bool args_may_be_text(const struct btf *btf, uint32_t type);

/* Bytes to capture of a string; 0: none are wanted. */
uint32_t args_string_size(const struct args_options *options);

/* Bytes to capture of what a type describes, no more than @max; 0: that cannot be said. */
uint32_t args_size_of(const struct btf *btf, uint32_t type, uint32_t max, bool *ret_cut);

#endif
