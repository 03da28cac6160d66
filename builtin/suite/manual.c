// SPDX-License-Identifier: BSD-2-Clause
/* Opening manual pages. */
#include "builtin/suite/manual.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/program.h"
#include "util/base/strbuf.h"

extern char **environ;

/*
 * Whether man(1) is installed and finds the page. Minimized images have another program in its place: it prints a
 * sentence, no path, and succeeds.
 */
static bool have_page(const char *page)
{
	const char *argv[] = { "man", "-w", page, NULL };
	posix_spawn_file_actions_t actions;
	char first = '\0', c;
	int out[2], status = -1;
	pid_t pid;

	if (pipe2(out, O_CLOEXEC))
		return false;
	if (posix_spawn_file_actions_init(&actions)) {
		close(out[0]);
		close(out[1]);
		return false;
	}
	posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, (char **)argv, environ))
		pid = 0;
	posix_spawn_file_actions_destroy(&actions);
	close(out[1]);
	while (read(out[0], &c, 1) == 1)
		first = first ?: c;
	close(out[0]);
	return pid && waitpid(pid, &status, 0) == pid && !status && first == '/';
}

void manual_open(const char *page)
{
	if (!have_page(page))
		return;
	program_restore_signals();
	execlp("man", "man", page, NULL);
}

void manual_open_command(const char *name)
{
	_cleanup_(free_p) char *page = strf("retsnoop-%s", name);

	if (page)
		manual_open(page);
}
