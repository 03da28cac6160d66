// SPDX-License-Identifier: BSD-2-Clause
/* Users and groups by name, from /etc/passwd and /etc/group first. */
#include "util/kernel/machine/user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/units.h"

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

/*
 * A static program has no interpreter, and must not ask further: the modules it would load are for
 * this machine's libc, which may be another one than its own.
 */
static bool may_ask_libc(void)
{
	return getauxval(AT_BASE) != 0;
}

int user_find(const char *text, uint32_t *ret_uid)
{
	const struct passwd *user;
	uint64_t uid;

	/* The highest number means no user. */
	if (!parse_number(text, 0, UINT32_MAX - 1, &uid)) {
		*ret_uid = uid;
		return 0;
	}
	if (!find_in_file(text, ret_uid))
		return 0;
	user = may_ask_libc() ? getpwnam(text) : NULL;
	if (!user)
		return -ENOENT;
	*ret_uid = user->pw_uid;
	return 0;
}

static int copy_user(const struct passwd *entry, struct user *user)
{
	user->name = strdup(entry->pw_name);
	user->home = strdup(entry->pw_dir);
	user->uid = entry->pw_uid;
	user->gid = entry->pw_gid;
	return user->name && user->home ? 0 : -ENOMEM;
}

/* @text: a name, or a number that is *@uid. */
static int look_up_entry(const char *text, const uint64_t *uid, struct user *user)
{
	_cleanup_(fclose_p) FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *entry;

	while (file && (entry = fgetpwent(file))) {
		if (!strcmp(entry->pw_name, text) || (uid && entry->pw_uid == *uid))
			return copy_user(entry, user);
	}
	if (!may_ask_libc())
		return -ENOENT;
	entry = getpwnam(text);
	if (!entry && uid)
		entry = getpwuid(*uid);
	return entry ? copy_user(entry, user) : -ENOENT;
}

static int add_group(struct user *user, gid_t gid)
{
	gid_t *groups = reallocarray(user->groups, user->nr_groups + 1, sizeof(*groups));

	if (!groups)
		return -ENOMEM;
	user->groups = groups;
	groups[user->nr_groups++] = gid;
	return 0;
}

static int read_groups(struct user *user)
{
	_cleanup_(fclose_p) FILE *file = fopen("/etc/group", "re");
	int err = add_group(user, user->gid);
	const struct group *group;

	while (!err && file && (group = fgetgrent(file))) {
		for (char **member = group->gr_mem; !err && *member; member++) {
			if (!strcmp(*member, user->name) && group->gr_gid != user->gid)
				err = add_group(user, group->gr_gid);
		}
	}
	return err;
}

static int ask_for_groups(struct user *user)
{
	int nr = 0;

	/* Fails, and says how many there are. */
	getgrouplist(user->name, user->gid, NULL, &nr);
	user->groups = calloc(nr + 1, sizeof(*user->groups));
	if (!user->groups)
		return -ENOMEM;
	if (getgrouplist(user->name, user->gid, user->groups, &nr) < 0)
		return -ENOENT;
	user->nr_groups = nr;
	return 0;
}

int user_look_up(const char *text, struct user *ret_user)
{
	struct user user = {};
	uint64_t uid;
	bool number = !parse_number(text, 0, UINT32_MAX - 1, &uid);
	int err = look_up_entry(text, number ? &uid : NULL, &user);

	if (!err)
		err = may_ask_libc() ? ask_for_groups(&user) : read_groups(&user);
	if (err)
		user_release(&user);
	else
		*ret_user = user;
	return err;
}

void user_release(struct user *user)
{
	free(user->name);
	free(user->home);
	free(user->groups);
	*user = (struct user){};
}

int user_become(const struct user *user)
{
	if (setgroups(user->nr_groups, user->groups) ||
	    setresgid(user->gid, user->gid, user->gid) ||
	    setresuid(user->uid, user->uid, user->uid) || setenv("HOME", user->home, 1) ||
	    setenv("USER", user->name, 1) || setenv("LOGNAME", user->name, 1))
		return -errno;
	return 0;
}
