/* SPDX-License-Identifier: BSD-2-Clause */
/* Scope-bound cleanup of locals: `_cleanup_(close_fd) int fd = -1;`. */
#ifndef RETSNOOP_BASE_CLEANUP_H
#define RETSNOOP_BASE_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The cleanup function gets a pointer to the variable when it leaves scope. */
#define _cleanup_(fn) __attribute__((cleanup(fn)))

/* Return a pointer and clear the variable, so that the scope's cleanup does not free it. */
#define take_ptr(p)                                                                                \
	({                                                                                         \
		__typeof__(p) taken_ = (p);                                                        \
		(p) = NULL;                                                                        \
		taken_;                                                                            \
	})

#define take_fd(fd)                                                                                \
	({                                                                                         \
		int taken_ = (fd);                                                                 \
		(fd) = -1;                                                                         \
		taken_;                                                                            \
	})

/* Defines `name_p(T **)`, which frees what a scope's pointer still holds. */
#define DEFINE_CLEANUP(type, fn)                                                                   \
	static inline void fn##_p(type *p)                                                         \
	{                                                                                          \
		if (*p)                                                                            \
			fn(*p);                                                                    \
	}

static inline void free_p(void *p)
{
	free(*(void **)p);
}

static inline void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

DEFINE_CLEANUP(FILE *, fclose)
DEFINE_CLEANUP(DIR *, closedir)

#endif
