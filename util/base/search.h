/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Searches, binary in anything sorted, and linear in arrays; vec_find() is in vec.h:
 *
 *	size_t at = bisect(i, table->nr, table->rows[i].addr <= addr);
 *	return array_find(rule, rules, rule->err == err);
 */
#ifndef RETSNOOP_BASE_SEARCH_H
#define RETSNOOP_BASE_SEARCH_H

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

/*
 * The first element for which @condition is true, as a pointer; NULL: none.
 *
 * @p		name of the pointer to an element in @condition
 * @from	the first of @nr elements; may be NULL if @nr is 0
 */
#define find_first(p, from, nr, condition)                                                         \
	({                                                                                         \
		__typeof__((from) + 0) p = (from);                                                 \
		size_t p##_left = (nr);                                                            \
		while (p##_left && !(condition)) {                                                 \
			p++;                                                                       \
			p##_left--;                                                                \
		}                                                                                  \
		p##_left ? p : NULL;                                                               \
	})

/* The same for an array whose size the compiler knows. */
#define array_find(p, array, condition)                                                            \
	find_first(p, array, sizeof(array) / sizeof((array)[0]), condition)

#endif
