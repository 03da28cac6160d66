/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Binary search in anything sorted:
 *
 *	size_t at = bisect(i, table->nr, table->rows[i].addr <= addr);
 */
#ifndef RETSNOOP_BASE_BISECT_H
#define RETSNOOP_BASE_BISECT_H

#include <stddef.h>

/*
 * The first index from 0 to @nr for which @before is false; @nr if it never is.
 *
 * @i		name of the index in @before
 * @before	expression that is true of elements up to some index and false of the others
 */
#define bisect(i, nr, before)                                                                      \
	({                                                                                         \
		size_t low_ = 0, high_ = (nr);                                                     \
		while (low_ < high_) {                                                             \
			size_t i = low_ + (high_ - low_) / 2;                                      \
			if (before)                                                                \
				low_ = i + 1;                                                      \
			else                                                                       \
				high_ = i;                                                         \
		}                                                                                  \
		low_;                                                                              \
	})

#endif
