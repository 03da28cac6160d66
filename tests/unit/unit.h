/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's test harness, as our unit tests use it. Each test runs in a process of its own
 * and fails, too, when it leaks memory. End a test file with TEST_HARNESS_MAIN.
 */
#ifndef RETSNOOP_TESTS_UNIT_H
#define RETSNOOP_TESTS_UNIT_H

#include <sanitizer/lsan_interface.h>
#include <stdio.h>
#include <unistd.h>

/* Before the harness, which has an ARRAY_SIZE() only where there is none. */
#include "util/base/macros.h"

#ifdef UNIT_COVERAGE
void __gcov_dump(void);	/* gcc's: write the counts of lines */
#define UNIT_COUNTS() __gcov_dump()
#else
#define UNIT_COUNTS() do { } while (0)
#endif

/* The harness ends tests with _exit(), behind the leak checker's back. */
static inline void __attribute__((noreturn)) unit_exit(int status)
{
	if (!status && __lsan_do_recoverable_leak_check())
		status = 1;
	UNIT_COUNTS();
	_exit(status);
}
#define _exit(status) unit_exit(status)

/*
 * The search for leaks walks all memory of the allocator, and what was never touched is mapped for that, page by
 * page: 3,000 pages of 12 MB, half of what a short test takes. Searched once before the harness forks, they
 * are there in each test.
 */
static inline __attribute__((constructor)) void unit_touch_memory(void)
{
	__lsan_do_recoverable_leak_check();
}

#include "kselftest_harness.h"

/* Seconds. The harness's 30 are too few on a busy machine; a test that hangs still ends. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 600

/*
 * What @statement prints to stderr (or stdout), as a heap string: for messages that users see.
 */
static inline char *unit_read_all(FILE *file)
{
	char *text = NULL;
	size_t cap = 0;

	rewind(file);
	if (getdelim(&text, &cap, '\0', file) < 0 && text)
		*text = '\0';
	fclose(file);
	return text;
}

#define unit_output_of(fd, stream, statement)                                                      \
	({                                                                                         \
		FILE *file_ = tmpfile();                                                           \
		int saved_;                                                                        \
		fflush(stream);                                                                    \
		saved_ = dup(fd);                                                                  \
		dup2(fileno(file_), fd);                                                           \
		statement;                                                                         \
		fflush(stream);                                                                    \
		dup2(saved_, fd);                                                                  \
		close(saved_);                                                                     \
		unit_read_all(file_);                                                              \
	})
#define stderr_of(statement) unit_output_of(STDERR_FILENO, stderr, statement)
#define stdout_of(statement) unit_output_of(STDOUT_FILENO, stdout, statement)

#endif
