/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * -o FILE of the commands that print: standard output becomes a file. Pager, colours, the width of
 * the terminal and progress follow from that, for they ask what standard output is.
 */
#ifndef RETSNOOP_BUILTIN_SUITE_OUTPUT_FILE_H
#define RETSNOOP_BUILTIN_SUITE_OUTPUT_FILE_H

struct command_args;

/**
 * Whether the file that -o names can be made. Without -o there is nothing to do, here and below.
 *
 * @return	0; -EEXIST something else is there, -errno (both reported)
 */
int output_file_check(const struct command_args *args);

/**
 * Make it, and let it be standard output. To be called before anything is printed.
 *
 * @ret_before	standard output as it was, for a workload; closed by exec. NULL: not needed
 * @return	as output_file_check()
 */
int output_file_open(const struct command_args *args, int *ret_before);

#endif
