// SPDX-License-Identifier: BSD-2-Clause
/* Tells files that programs and libraries look for in several places, or need not find. */
#include "util/why/watch/searches.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/why/watch/complaint.h"

/* Of a socket's address: the path of a UNIX socket, which another process has made; NULL: it has none. */
static const char *socket_path(const struct watch_event *event)
{
	const char *address = event->said + (event->address - 1) * WATCH_STRING;
	sa_family_t family;

	if (event->address_size <= offsetof(struct sockaddr_un, sun_path))
		return NULL;
	memcpy(&family, address, sizeof(family));
	return family == AF_UNIX ? address + offsetof(struct sockaddr_un, sun_path) : NULL;
}

const char *watch_string(const struct watch_event *event, uint32_t argument)
{
	if (event->address == argument + 1)
		return socket_path(event);
	return event->have >> argument & 1 ? event->strings[argument] : NULL;
}

const char *watch_path(const struct watch_event *event)
{
	for (uint32_t i = 0; i < 2; i++) {
		const char *string = watch_string(event, i);

		if (string && string[0])
			return string;
	}
	return NULL;
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#define SEVERAL 0x80000000u

static char *search_key(const struct watch_event *event)
{
	return strf("%u %u %s", event->pid, event->nr, last_name(watch_path(event)));
}

bool searches_may_be(const struct watch_event *event)
{
	return event->kind == WATCH_FAILED && event->result == -ENOENT && watch_path(event);
}

bool searches_is_in_command(char *const *command, const char *path)
{
	for (size_t i = 1; command && command[0] && command[i]; i++) {
		if (strstr(command[i], path))
			return true;
	}
	return false;
}

bool searches_is_library(char *const *command, const struct watch_event *event)
{
	static const char *const parts[] = { "/etc/ld.so", "/locale/", "/gconv/", ".so.",
					     "/nsswitch.conf", "/nscd/", "/charset.alias",
					     "/etc/localtime", "/dev/log", "/run/systemd/userdb/" };
	/* libselinux; libmount, for Smack and for its notes of what is mounted. */
	static const char *const paths[] = { "/etc/selinux/config", "/sys/fs/selinux", "/selinux",
					     "/sys/fs/smackfs", "/run/mount/utab" };
	const char *path = watch_path(event);

	if (!path || event->result != -ENOENT || searches_is_in_command(command, path))
		return false;
	if (array_find(part, parts, strstr(path, *part)))
		return true;
	return array_find(known, paths, !strcmp(path, *known));
}

bool searches_is_named_library(const struct watch_event *event, const char *text)
{
	const char *path = searches_may_be(event) ? watch_path(event) : NULL;

	return path && strstr(last_name(path), ".so") && complaint_has_path(text, last_name(path));
}

/*
 * The key of a directory in which a library was not found: the C library checks next whether the
 * directory exists.
 */
static char *directory_key(uint32_t pid, const char *path, size_t len)
{
	return strf("%u in %.*s", pid, (int)len, path);
}

static int add_search(struct searches *searches, char *key, uint32_t **ret_found, uint32_t first)
{
	if (!key || vec_push(&searches->names, key)) {
		free(key);
		return -ENOMEM;
	}
	*ret_found = strmap_put(&searches->by_name, key, first);
	return *ret_found ? 0 : -ENOMEM;
}

/* Add the directory of a library that was not found. */
static int add_library(struct searches *searches, const struct watch_event *event, uint32_t index)
{
	const char *path = watch_path(event), *name = last_name(path);
	uint32_t *found;

	if (name == path || !searches_is_library(searches->command, event))
		return 0;
	return add_search(searches, directory_key(event->pid, path, name - 1 - path), &found, index);
}

int searches_find(struct searches *searches, const watch_events *events)
{
	for (uint32_t i = 0; i < events->len; i++) {
		const struct watch_event *event = &events->data[i], *first;
		uint32_t *found;

		if (!searches_may_be(event))
			continue;
		/* The last one's value stays where it is. */
		if (add_library(searches, event, i) ||
		    add_search(searches, search_key(event), &found, i))
			return -ENOMEM;
		first = &events->data[*found & ~SEVERAL];
		if (strcmp(watch_path(first), watch_path(event)))
			*found |= SEVERAL;
	}
	return 0;
}

void searches_release(struct searches *searches)
{
	strmap_release(&searches->by_name);
	vec_foreach(name, &searches->names)
		free(*name);
	vec_release(&searches->names);
}

bool searches_have(const struct searches *searches, const struct watch_event *event)
{
	_cleanup_(free_p) char *key = searches_may_be(event) ? search_key(event) : NULL;
	const uint32_t *found = key ? strmap_get(&searches->by_name, key) : NULL;
	_cleanup_(free_p) char *directory = NULL;

	if (!key || searches_is_in_command(searches->command, watch_path(event)))
		return false;
	if (found && *found & SEVERAL)
		return true;
	directory = directory_key(event->pid, watch_path(event), strlen(watch_path(event)));
	return directory && strmap_get(&searches->by_name, directory);
}
