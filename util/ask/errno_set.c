// SPDX-License-Identifier: BSD-2-Clause
/* Sets of error results. */
#include "util/ask/errno_set.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

int errno_set_add(struct errno_set *set, const char *text)
{
	int err = 0;

	if (!strcasecmp(text, "any")) {
		memset(set->bits, 0xff, sizeof(set->bits));
		set->used = true;
		return 0;
	}
	if (strcasecmp(text, "NULL")) {
		err = errno_parse(text);
		if (err < 0)
			return -EINVAL;
	}
	errno_set_add_number(set, err);
	return 0;
}

void errno_set_add_number(struct errno_set *set, int err)
{
	set->bits[err / 64] |= 1ull << (err % 64);
	set->used = true;
}

bool errno_set_has(const struct errno_set *set, int err)
{
	return err >= 0 && err <= MAX_ERRNO && (set->bits[err / 64] >> (err % 64) & 1);
}
