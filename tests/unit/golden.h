/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Texts that are kept in tests/golden. With UPDATE_GOLDEN=1 in the environment they are written
 * instead of compared.
 */
#ifndef RETSNOOP_TESTS_GOLDEN_H
#define RETSNOOP_TESTS_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* @name is the file in tests/golden. Also what every text must be like. */
static void golden(struct __test_metadata *_metadata, const char *name, const char *text)
{
	char path[128], *expected = NULL;
	size_t cap = 0;
	FILE *file;

	EXPECT_EQ(NULL, strstr(text, " \n"))
	{
		TH_LOG("trailing space in %s", name);
	}
	snprintf(path, sizeof(path), "tests/golden/%s", name);
	if (getenv("UPDATE_GOLDEN")) {
		file = fopen(path, "w");
		ASSERT_NE(NULL, file)
		{
			TH_LOG("%s", path);
		}
		fputs(text, file);
		fclose(file);
		return;
	}
	file = fopen(path, "r");
	ASSERT_NE(NULL, file)
	{
		TH_LOG("no %s; run from the top of the tree", path);
	}
	ASSERT_LT(0, getdelim(&expected, &cap, '\0', file));
	fclose(file);
	EXPECT_STREQ(expected, text);
	free(expected);
}

#endif
