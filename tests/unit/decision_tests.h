/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that make one test each, and what is said of it; see decision_fixture.h and decision_play.h. */
#ifndef RETSNOOP_TESTS_DECISION_TESTS_H
#define RETSNOOP_TESTS_DECISION_TESTS_H

/* clang-format off */
/* if (TEST) return -ENOENT; return 0 */
#define TESTS(name, test, jump)               \
	FUNC(name)                            \
	ENTRY                                 \
	LABEL(name##_body)                    \
	test "\n"                             \
	LABEL(name##_jump)                    \
	jump " 1f\n"                          \
	"xor %eax, %eax\n"                    \
	"ret\n"                               \
	"1:\n"                                \
	LABEL(name##_bad)                     \
	"mov $-2, %eax\n"                     \
	LABEL(name##_ret)                     \
	"ret\n"                               \
	END(name)
/* clang-format on */

/* The condition under which such a function failed. */
#define EXPECT_TEXT(name, func, expected)                             \
	do {                                                          \
		self->nr = 0;                                         \
		CALLED(name##_body);                                  \
		TOOK(name##_jump, name##_bad);                        \
		RETURNED(name##_ret);                                 \
		decided(self, func, -ENOENT);                         \
		EXPECT_STREQ(expected, self->condition.text ?: "");   \
	} while (0)

#endif
