/* SPDX-License-Identifier: BSD-2-Clause */
/* Users by name, and becoming one. */
#ifndef RETSNOOP_KERNEL_MACHINE_USER_H
#define RETSNOOP_KERNEL_MACHINE_USER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * @text	a name or a number; a number need not belong to a user
 * @return	0; -ENOENT there is no such user (not reported)
 */
int user_find(const char *text, uint32_t *ret_uid);

/* Properties of a user's process. */
struct user {
	char *name, *home;
	uid_t uid;
	gid_t gid;
	gid_t *groups;		/* supplementary ones */
	size_t nr_groups;
};

/**
 * @text	a name, or the number of a user with a name
 * @ret_user	release with user_release()
 * @return	0; -ENOENT there is no such user, -ENOMEM (not reported)
 */
int user_look_up(const char *text, struct user *ret_user);
void user_release(struct user *user);

/*
 * Give this process, which must be root's, the user's ids, groups, HOME, USER and LOGNAME. 0;
 * -errno.
 */
int user_become(const struct user *user);

#endif
