/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts about a new recording as a JSON object: for `retsnoop record --format=json`. */
#ifndef RETSNOOP_VIEW_PARTS_RECORDING_JSON_H
#define RETSNOOP_VIEW_PARTS_RECORDING_JSON_H

#include <stdint.h>
#include <stdio.h>

struct recorder_stats;

/**
 * One line: {"type":"recording","file":"retsnoop.data",...}
 *
 * @records	number of written records of all kinds
 * @return	0; -EPIPE; -errno (reported)
 */
int recording_json_print(const char *path, const struct recorder_stats *stats, uint64_t records,
			 FILE *out);

#endif
