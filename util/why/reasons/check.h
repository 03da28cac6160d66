/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which check refused a call with EPERM or EACCES, by the names of the functions that returned
 * the result; and which argument led to an address that could not be accessed. Pure code. It reports
 * only facts that follow from the names.
 */
#ifndef RETSNOOP_WHY_REASONS_CHECK_H
#define RETSNOOP_WHY_REASONS_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct syscall_params;
struct watch_event;

#define CHECK_MAX_NAMES 64

enum check_kind {
	CHECK_NONE,		/* not known, or none of these */
	CHECK_SECCOMP,
	CHECK_LSM,
	CHECK_PERMISSIONS,	/* mode bits, or an ACL */
};

struct check {
	enum check_kind kind;
	const char *module;	/* CHECK_LSM: "AppArmor"; NULL not known. Static */
	const char *hook;	/* CHECK_LSM: "file_open"; points into a name */
	const char *object;	/* CHECK_PERMISSIONS: the checked object; NULL not known. Static */
};

/* Whether a function checks modes and ACLs: "generic_permission". */
bool check_is_of_permissions(const char *function);

/**
 * @names	of the functions that returned the result, outermost first
 * @err		positive errno
 */
struct check check_find(const char *const *names, size_t nr, int err);

/* "seccomp", "lsm", "permissions"; NULL for CHECK_NONE. */
const char *check_kind_name(enum check_kind kind);

/* A mode as ls shows it: "drwx------". */
#define MODE_TEXT 11
void check_mode_text(uint16_t mode, char ret_text[MODE_TEXT]);

/* Whether the call failed since memory could not be accessed at event->fault. */
bool check_has_fault(const struct watch_event *event);

/* The end of a program's memory, which the kernel accesses in place of any address above it (struct arch). */
bool check_is_user_end(uint64_t addr);

/*
 * The argument that leads to the bad address: a pointer to it, or to so few bytes before it that they may
 * be of one buffer or struct; or one above the program's memory, if that is where the bad address is.
 *
 * @ret_offset	bytes from there to the bad address
 * @return	-1: none, or several
 */
int check_fault(const struct watch_event *event, const struct syscall_params *params, uint64_t *ret_offset);

#endif
