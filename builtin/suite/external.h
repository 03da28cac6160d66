/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Commands that are programs of their own: an executable `retsnoop-NAME` on the exec path
 * (--exec-path, $RETSNOOP_EXEC_PATH, or where retsnoop was installed to) or on $PATH.
 */
#ifndef RETSNOOP_BUILTIN_SUITE_EXTERNAL_H
#define RETSNOOP_BUILTIN_SUITE_EXTERNAL_H

#include "util/base/vec.h"

/* The directory that is looked in before $PATH. Borrowed. */
const char *exec_path(void);

/*
 * Run it with these arguments (argv[0] is NAME) in place of this process. Returns only when it
 * cannot: -ENOENT there is none (not reported), -errno (reported).
 */
int external_exec(const char *name, char **argv);

typedef VEC(char *) external_names;

/* The names of all that can be run, sorted, each once. 0; -ENOMEM (reported). */
int external_list(external_names *ret_names);
void external_names_release(external_names *names);

#endif
