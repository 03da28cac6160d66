/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * -o FILE: standard output becomes a file. Pager, colours, line width and progress adapt by
 * themselves, since they look at standard output.
 */
#ifndef RETSNOOP_BUILTIN_SUITE_OUTPUT_FILE_H
#define RETSNOOP_BUILTIN_SUITE_OUTPUT_FILE_H

struct command_args;

/**
 * Check that the file given with -o can be created. Without -o, this function and the next do
 * nothing.
 *
 * @return	0; -EEXIST something else is there, -errno (both reported)
 */
int output_file_check(const struct command_args *args);

/**
 * Create the file and make it standard output. Call it before anything is printed.
 *
 * @ret_before	the earlier standard output, for a workload; close-on-exec. NULL: not needed
 * @return	as output_file_check()
 */
int output_file_open(const struct command_args *args, int *ret_before);

#endif
