/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The value that a path (util/ask/arg_path.h) leads to from an argument, followed through BTF.
 */
#ifndef RETSNOOP_PLAN_ARGS_ARGS_OBJECT_H
#define RETSNOOP_PLAN_ARGS_ARGS_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/arg_items.h"
#include "util/ask/arg_path.h"

struct btf;
struct param;
struct params;
struct strbuf;

/* The owner of paths, for messages. */
struct arg_origin {
	const char *option, *text;
	bool strict;		/* report errors */
};

/* The value that a path leads to. */
struct arg_object {
	const struct arg_origin *origin;
	const struct btf *btf;
	uint32_t type;
	uint8_t pointers_to;	/* as in struct param */
	bool text;		/* with pointers_to: the last target is `char` */
	bool user;		/* pointers lead to user memory */
	bool in_memory;		/* it is reached by a step, or its address was passed */
	bool in_user;		/* that is user memory */
	struct arg_item item;
	uint64_t offset;	/* of it, from the last step or from where the argument begins */
	uint8_t bit_offset, bits;
};

/**
 * Find the argument that a path begins with.
 *
 * @func	its function's name, for messages
 * @return	0; -EINVAL no such argument, or its place is not known (reported if
 *		origin->strict)
 */
int arg_path_param(const struct arg_path *path, const struct arg_origin *origin, const char *func,
		   const struct params *params, const struct param **ret_param);

/**
 * Follow the whole path.
 *
 * @origin	must outlive the object
 * @ret_object	its item is not settled and has no kind and size yet
 * @return	0; -EINVAL that is not possible (reported if origin->strict)
 */
int arg_path_follow(const struct arg_path *path, const struct arg_origin *origin,
		    const struct param *param, struct arg_object *ret_object);

/*
 * Put the object's place into its item; bytes of a register before it are in *ret_skip. @name:
 * the user's text. 0; -EINVAL its offset is too large (reported if origin->strict).
 */
int arg_object_settle(struct arg_object *object, uint8_t *ret_skip, const char *name, int column);

/* Append the names of some of its members. */
void arg_object_members(const struct arg_object *object, struct strbuf *sb);

#endif
