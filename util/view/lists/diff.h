/* SPDX-License-Identifier: BSD-2-Clause */
/* The difference of two recordings, as text and as JSON, one object per line. */
#ifndef RETSNOOP_VIEW_LISTS_DIFF_H
#define RETSNOOP_VIEW_LISTS_DIFF_H

#include <stdbool.h>
#include <stdio.h>

struct recording_diff;

/**
 * @diff	sorted
 * @names	lines that name the recordings A and B; "" none
 * @width	columns of the terminal; 0 no limit
 * @return	0; -EPIPE; -errno (reported)
 */
int diff_print_text(const struct recording_diff *diff, const char *names, unsigned int width,
		    bool color, FILE *out);

/*
 * @names	of the recordings A and B; of several, the first name
 * @numbers	number of recordings in A and in B; NULL: one each
 */
int diff_print_json(const struct recording_diff *diff, const char *const names[2],
		    const unsigned int numbers[2], FILE *out);

#endif
