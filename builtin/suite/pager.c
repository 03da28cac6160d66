// SPDX-License-Identifier: BSD-2-Clause
/* A pipe to a pager in place of the terminal. */
#include "builtin/suite/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/program.h"
#include "util/base/terminal.h"

/* The pager's process id; 0: none. A program has one standard output, so one pager. */
static pid_t pager;

static bool forbidden;

void pager_forbid(void)
{
	forbidden = true;
}

/* NULL: use no pager. */
static const char *pager_command(void)
{
	const char *command = getenv("RETSNOOP_PAGER");

	if (forbidden)
		return NULL;
	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	return *command && strcmp(command, "cat") ? command : NULL;
}

static void __attribute__((noreturn)) run_pager(const char *command, const int pipe_fds[2])
{
	program_restore_signals();
	dup2(pipe_fds[0], STDIN_FILENO);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	/* For less(1): exit if the text fits, pass colours on, keep the text on the screen. */
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	/* retsnoop's text is UTF-8 or ASCII in every locale. */
	setenv("LESSCHARSET", "utf-8", 0);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

/*
 * Whether the shell finds the command; if not, print without a pager. A command line of more than
 * words and spaces is left to the shell.
 */
static bool command_exists(const char *command)
{
	const char *path = getenv("PATH") ?: "/usr/bin:/bin";
	size_t word;
	char file[4096];

	command += strspn(command, " \t");
	word = strcspn(command, " \t");
	if (strcspn(command, "$`'\"\\|&;<>()=*?[~{\n") < word)
		return true;
	if (memchr(command, '/', word)) {
		snprintf(file, sizeof(file), "%.*s", (int)word, command);
		return !program_check(AT_FDCWD, file);
	}
	for (size_t len; *path; path += len + (path[len] == ':')) {
		len = strcspn(path, ":");
		if (snprintf(file, sizeof(file), "%.*s/%.*s", (int)len, path, (int)word, command) <
			    (int)sizeof(file) &&
		    !program_check(AT_FDCWD, file))
			return true;
	}
	return false;
}

void pager_start(void)
{
	const char *command = pager_command();
	char columns[16];
	int pipe_fds[2];

	if (pager || !command || !isatty(STDOUT_FILENO) || !command_exists(command) ||
	    pipe(pipe_fds))
		return;
	if (terminal_width(STDOUT_FILENO)) {
		snprintf(columns, sizeof(columns), "%d", terminal_width(STDOUT_FILENO));
		setenv("COLUMNS", columns, 0);
	}
	fflush(stdout);
	pager = fork();
	if (!pager)
		run_pager(command, pipe_fds);
	if (pager > 0) {
		dup2(pipe_fds[1], STDOUT_FILENO);
		/* Messages printed now would appear in the middle of the pager's screen. */
		if (isatty(STDERR_FILENO))
			dup2(pipe_fds[1], STDERR_FILENO);
		signal(SIGINT, SIG_IGN);
	} else {
		pager = 0;
	}
	close(pipe_fds[0]);
	close(pipe_fds[1]);
}

bool pager_is_on(void)
{
	return pager > 0;
}

void pager_finish(void)
{
	if (!pager)
		return;
	fclose(stdout);
	close(STDERR_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}
