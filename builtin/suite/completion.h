/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of a command for a shell's completion (scripts/completion). */
#ifndef RETSNOOP_BUILTIN_SUITE_COMPLETION_H
#define RETSNOOP_BUILTIN_SUITE_COMPLETION_H

#include "builtin/suite/command.h"

/*
 * Print one line per option that is not hidden: "--long<TAB>-l<TAB>ARG<TAB>words<TAB>text". Any of
 * these may be empty. ARG in brackets is optional. Words are the possible values, separated by
 * spaces, if they can be listed.
 */
void command_list_options(const struct command *command, FILE *out);

#endif
