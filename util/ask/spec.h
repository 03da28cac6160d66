/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Function specs as users write them: `name`, `name [module]`, `syscall:name`, `:path`, `@file`,
 * `@-`.
 */
#ifndef RETSNOOP_ASK_SPEC_H
#define RETSNOOP_ASK_SPEC_H

#include <stdbool.h>

#include "util/base/vec.h"

enum spec_kind {
	SPEC_NAME,	/* glob on names, optional glob on modules */
	SPEC_SYSCALL,	/* glob on system calls: their entry functions */
	SPEC_SOURCE,	/* glob on source paths */
};

struct spec {
	enum spec_kind kind;
	char *text;	/* as the user wrote it, for messages */
	char *name;	/* the glob */
	char *module;	/* SPEC_NAME: glob, or NULL for "anywhere" */
	bool argument;	/* an argument of the command, not of an option: messages name no option */
	bool optional;	/* from a case (-c): the plan does not warn if nothing matches */
};

struct spec_list {
	VEC(struct spec) v;
	bool given;	/* something was added, even an empty file */
};

/* The prefix of system call specs. */
#define SPEC_SYSCALL_PREFIX "syscall:"

/**
 * Parse comma-separated specs and append them; `@file` and `@-` (standard input) append one per
 * line. In files, empty lines and `#` comments (at the start of a line or after a blank) are
 * ignored.
 *
 * @return 0; -EINVAL malformed, -ENOENT and others a file that cannot be read (reported)
 */
int spec_list_add(struct spec_list *list, const char *text);

/*
 * Append the glob of "GLOB: ..." in an option's @text, which ends at @colon. 0; -EINVAL no glob, or
 * a file of them (reported); -ENOMEM (reported).
 */
int spec_list_add_before(struct spec_list *list, const char *option, const char *text,
			 const char *colon);

/* Append a SPEC_SYSCALL for each of the comma-separated names. 0; -EINVAL (reported). */
int spec_list_add_syscalls(struct spec_list *list, const char *names);
void spec_list_release(struct spec_list *list);

/* Called for each line of a file, from @text up to @end, without surrounding blanks. */
typedef int (*spec_line_fn)(void *arg, const char *text, const char *end);

/**
 * Walk the lines of a file of specs ("-": standard input), as spec_list_add() does for `@file`.
 *
 * @what	what the file lists, for messages: "functions"
 * @return	0; what @fn returned, -EINVAL with the place added to the report; -errno (reported)
 */
int spec_read_lines(const char *path, const char *what, spec_line_fn fn, void *arg);

/*
 * Whether a SPEC_NAME or SPEC_SYSCALL matches a function; @module NULL for vmlinux, which `[vmlinux]`
 * matches.
 */
bool spec_matches_name(const struct spec *spec, const char *name, const char *module);
/* The module's half of that match, for any kind of spec. */
bool spec_matches_module(const struct spec *spec, const char *module);

#endif
