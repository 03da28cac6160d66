/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Growing arrays of any type:
 *
 *	VEC(struct symbol) symbols = VEC_INIT;
 *	if (vec_push(&symbols, sym)) return report_oom();
 *	vec_foreach(s, &symbols) use(s->name);
 *	vec_release(&symbols);
 */
#ifndef RETSNOOP_BASE_VEC_H
#define RETSNOOP_BASE_VEC_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "util/base/search.h"

/* To name the type in a header: `typedef VEC(char *) vec_str;` or inside a struct. */
#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *data;                                                                        \
		size_t len, cap;                                                                   \
	}

#define VEC_INIT { NULL, 0, 0 }

/* Room for @n elements in all; 0 or -ENOMEM. */
#define vec_reserve(v, n)                                                                          \
	vec_reserve_(((void **)&(v)->data), &(v)->cap, sizeof(*(v)->data), (n))

/* 0 or -ENOMEM; on failure nothing changed. */
#define vec_push(v, ...)                                                                           \
	(vec_reserve((v), (v)->len + 1) ? -ENOMEM : ((v)->data[(v)->len++] = (__VA_ARGS__), 0))

#define vec_foreach(p, v)                                                                          \
	for (__typeof__((v)->data + 0) p = (v)->data; p && p < (v)->data + (v)->len; p++)

/* The first element, as @p, for which @condition is true; NULL: none. */
#define vec_find(p, v, condition) find_first(p, (v)->data, (v)->len, condition)

#define vec_sort(v, cmp)                                                                           \
	((v)->len ? qsort((v)->data, (v)->len, sizeof(*(v)->data), (cmp)) : (void)0)

/* For vec_sort() and bsearch(): numbers of 64 bits, or structs that begin with such a key. */
static inline int compare_u64(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* Frees the array, but nothing that its elements own. */
#define vec_release(v) (free((v)->data), (v)->data = NULL, (v)->len = (v)->cap = 0)

static inline int vec_reserve_(void **data, size_t *cap, size_t size, size_t n)
{
	size_t want = *cap ? *cap : 8;
	void *p;

	if (n <= *cap)
		return 0;
	while (want < n)
		want *= 2;
	p = reallocarray(*data, want, size);
	if (!p)
		return -ENOMEM;
	*data = p;
	*cap = want;
	return 0;
}

#endif
