// SPDX-License-Identifier: BSD-2-Clause
/* Asking who is who. */
#include "util/base/user.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "util/base/cleanup.h"
#include "util/base/text/units.h"

static int find_in_file(const char *name, uint32_t *ret_uid)
{
	_cleanup_(fclose_p) FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *user;

	while (file && (user = fgetpwent(file))) {
		if (strcmp(user->pw_name, name))
			continue;
		*ret_uid = user->pw_uid;
		return 0;
	}
	return -ENOENT;
}

int user_find(const char *text, uint32_t *ret_uid)
{
	const struct passwd *user;
	uint64_t uid;

	/* The highest number stands for nobody at all. */
	if (!parse_number(text, 0, UINT32_MAX - 1, &uid)) {
		*ret_uid = uid;
		return 0;
	}
	if (!find_in_file(text, ret_uid))
		return 0;
	/*
	 * A static program has no interpreter, and must not ask further: the modules it would load
	 * are for this machine's libc, which may be another one than its own.
	 */
	user = getauxval(AT_BASE) ? getpwnam(text) : NULL;
	if (!user)
		return -ENOENT;
	*ret_uid = user->pw_uid;
	return 0;
}
