/* SPDX-License-Identifier: BSD-2-Clause */
/* What a shell's completion is told of a command: scripts/completion asks for it. */
#ifndef RETSNOOP_BUILTIN_COMPLETION_H
#define RETSNOOP_BUILTIN_COMPLETION_H

#include "builtin/builtin.h"

/*
 * A line for each option, hidden ones left out: "--long<TAB>-l<TAB>ARG<TAB>words<TAB>text". What an
 * option does not have is empty; ARG in brackets is optional; words are the values that it takes, where
 * there are just so many, with spaces between.
 */
void command_list_options(const struct command *command, FILE *out);

#endif
