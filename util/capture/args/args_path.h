/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ways from an argument to what it leads to, as options have them (util/capture/args/args_select.h says
 * how they are written): parsed, and gone along through BTF.
 */
#ifndef RETSNOOP_CAPTURE_ARGS_ARGS_PATH_H
#define RETSNOOP_CAPTURE_ARGS_ARGS_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/args.h"
#include "util/base/text/scan.h"
#include "util/base/vec.h"

struct btf;
struct param;
struct params;
struct strbuf;

struct arg_part {
	enum arg_part_kind {
		ARG_PART_ARROW,		/* ->name */
		ARG_PART_DOT,		/* .name */
		ARG_PART_INDEX,		/* [index] */
	} kind;
	char *name;
	uint32_t index;
	int column;		/* of the name or index in the option's text, from 1 */
};

struct arg_path {
	char *text;		/* as it was given, without blanks around it */
	char *name;		/* of the argument */
	int column;
	uint32_t stars;
	VEC(struct arg_part) parts;
};

/* Parse one. What is in @path, which was empty, has to be released even after errors (reported). */
int arg_path_scan(struct scan *s, struct arg_path *path);
void arg_path_release(struct arg_path *path);

/* Whose ways they are, for messages. */
struct arg_origin {
	const char *option, *text;
	bool strict;		/* report what is wrong */
};

/* What a way has led to. */
struct arg_object {
	const struct arg_origin *origin;
	const struct btf *btf;
	uint32_t type;
	uint8_t pointers_to;	/* as struct param has it */
	bool text;		/* with pointers_to: in the end that is `char` */
	bool user;		/* pointers lead to user memory */
	bool in_memory;		/* a step leads to it, or an address of it was passed */
	bool in_user;		/* that is user memory */
	struct arg_item item;
	uint64_t offset;	/* of it, from the last step or from where the argument begins */
	uint8_t bit_offset, bits;
};

/**
 * Find the argument that a way begins at.
 *
 * @func	its function's name, for messages
 * @return	0; -EINVAL there is none, or nobody knows where it is (reported, if that is wanted)
 */
int arg_path_param(const struct arg_path *path, const struct arg_origin *origin, const char *func,
		   const struct params *params, const struct param **ret_param);

/**
 * Go all the way.
 *
 * @origin	must outlive the object
 * @ret_object	its item is not settled and has no kind and size yet
 * @return	0; -EINVAL that is not possible (reported, if that is wanted)
 */
int arg_path_follow(const struct arg_path *path, const struct arg_origin *origin,
		    const struct param *param, struct arg_object *ret_object);

/*
 * Put where the object is into its item, but for the bytes of a register before it. @name is what
 * the user calls it. 0; -EINVAL it is too far into something (reported, if that is wanted).
 */
int arg_object_settle(struct arg_object *object, uint8_t *ret_skip, const char *name, int column);

/* Append the names of some of its members. */
void arg_object_members(const struct arg_object *object, struct strbuf *sb);

#endif
