// SPDX-License-Identifier: BSD-2-Clause
/* External commands: finding, listing, running. */
#include "builtin/suite/external.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin/suite/command.h"
#include "exec_path.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/program.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"

#define PREFIX "retsnoop-"

const char *exec_path(void)
{
	const char *dir = getenv("RETSNOOP_EXEC_PATH");

	return dir && *dir ? dir : RETSNOOP_EXEC_PATH;
}

/*
 * The directories to search, in order, as one list with colons; free() it. Skip an empty entry, which
 * would mean the current directory: retsnoop runs as root.
 */
static char *search_path(void)
{
	return strf("%s:%s", exec_path(), getenv("PATH") ?: "");
}

int external_exec(const char *name, char **argv)
{
	_cleanup_(free_p) char *path = search_path();
	char *dir, *rest = path;

	if (!path)
		return report_oom();
	if (!*name || strchr(name, '/'))
		return -ENOENT;
	while ((dir = strsep(&rest, ":"))) {
		_cleanup_(free_p) char *file = strf("%s/" PREFIX "%s", dir, name);

		if (!*dir)
			continue;
		if (!file)
			return report_oom();
		if (program_check(AT_FDCWD, file))
			continue;
		argv[0] = file;
		program_restore_signals();
		execv(file, argv);
		return report(-errno, "cannot run %s: %s", file, strerror(errno));
	}
	return -ENOENT;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_directory(const char *path, external_names *names)
{
	_cleanup_(closedir_p) DIR *dir = opendir(path);
	struct dirent *entry;

	/* A missing directory in $PATH is no error. */
	while (dir && (entry = readdir(dir))) {
		char *name;

		/* Our own commands come first: one of their names is never run. */
		if (!startswith(entry->d_name, PREFIX) ||
		    command_find(entry->d_name + strlen(PREFIX)) ||
		    program_check(dirfd(dir), entry->d_name))
			continue;
		name = strdup(entry->d_name + strlen(PREFIX));
		if (!name || vec_push(names, name)) {
			free(name);
			return report_oom();
		}
	}
	return 0;
}

int external_list(external_names *ret_names)
{
	_cleanup_(free_p) char *path = search_path();
	_cleanup_(external_names_release) external_names names = VEC_INIT;
	char *dir, *rest = path;
	size_t n = 0;

	if (!path)
		return report_oom();
	while ((dir = strsep(&rest, ":"))) {
		int err = *dir ? list_directory(dir, &names) : 0;

		if (err)
			return err;
	}
	vec_sort(&names, compare_names);
	for (size_t i = 0; i < names.len; i++) {
		if (n && !strcmp(names.data[n - 1], names.data[i]))
			free(names.data[i]);
		else
			names.data[n++] = names.data[i];
	}
	names.len = n;
	*ret_names = names;
	names = (external_names)VEC_INIT;
	return 0;
}

void external_names_release(external_names *names)
{
	vec_foreach(name, names)
		free(*name);
	vec_release(names);
}
