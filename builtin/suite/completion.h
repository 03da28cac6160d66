/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of a command for a shell's completion (scripts/completion). */
#ifndef RETSNOOP_BUILTIN_SUITE_COMPLETION_H
#define RETSNOOP_BUILTIN_SUITE_COMPLETION_H

#include "builtin/builtin.h"

/*
 * Prints one line per option, hidden ones left out: "--long<TAB>-l<TAB>ARG<TAB>words<TAB>text". An
 * empty field means that the option has no such thing. ARG in brackets is optional. Words are the
 * values that the option takes, parted by spaces, where their number is limited.
 */
void command_list_options(const struct command *command, FILE *out);

#endif
