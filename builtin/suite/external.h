/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * External commands: an executable `retsnoop-NAME` on the exec path
 * (--exec-path, $RETSNOOP_EXEC_PATH, or where retsnoop was installed to) or on $PATH.
 */
#ifndef RETSNOOP_BUILTIN_SUITE_EXTERNAL_H
#define RETSNOOP_BUILTIN_SUITE_EXTERNAL_H

#include "util/base/vec.h"

/* The directory that is searched before $PATH. Borrowed. */
const char *exec_path(void);

/*
 * Replace this process by the command, with these arguments (argv[0] is NAME). Returns only on
 * errors: -ENOENT no such command (not reported), -errno (reported).
 */
int external_exec(const char *name, char **argv);

typedef VEC(char *) external_names;

/* The names of all external commands, sorted, each once. 0; -ENOMEM (reported). */
int external_list(external_names *ret_names);
void external_names_release(external_names *names);

#endif
