// SPDX-License-Identifier: BSD-2-Clause
/* Starts a workload, which waits at a gate until everything is attached. */
#include "util/trace/run/workload.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/program.h"
#include "util/base/report.h"
#include "util/kernel/machine/machine.h"
#include "util/kernel/machine/user.h"

/* How long a command that was to end is waited for, and how often it is looked at. */
#define END_WAIT_MS 1000
#define END_POLL_MS 10

/*
 * Find the file that execvp() would find: so a typo is reported before anything is attached, and
 * the search itself is not traced.
 *
 * @may_fail	also one that cannot be executed, if there is no other
 */
static int find_command(const char *name, bool may_fail, char **ret_path)
{
	_cleanup_(free_p) char *path = NULL, *refused = NULL;
	const char *env = getenv("PATH");
	int err, why = -ENOENT;
	char *save, *dir;

	if (strchr(name, '/')) {
		err = program_check(AT_FDCWD, name);
		if (err && (!may_fail || (err != -EACCES && err != -EISDIR)))
			return err;
		*ret_path = strdup(name);
		return *ret_path ? 0 : -ENOMEM;
	}
	path = strdup(env && *env ? env : "/bin:/usr/bin");
	if (!path)
		return -ENOMEM;
	for (dir = strtok_r(path, ":", &save); dir; dir = strtok_r(NULL, ":", &save)) {
		_cleanup_(free_p) char *full = NULL;

		if (asprintf(&full, "%s/%s", dir, name) < 0)
			return -ENOMEM;
		err = program_check(AT_FDCWD, full);
		if (!err) {
			*ret_path = take_ptr(full);
			return 0;
		}
		if (err != -ENOENT && err != -EISDIR)
			why = err;
		if (err == -EACCES && !refused)
			refused = take_ptr(full);
	}
	if (!may_fail || !refused)
		return why;
	*ret_path = take_ptr(refused);
	return 0;
}

/*
 * Read the text once: a CPU that does not mark memory as accessed by itself (arm64 before version
 * 8.1) faults at the first access after fork(). Then BPF cannot read the argument, and the trace
 * shows a pointer.
 */
static void touch_text(const volatile char *text)
{
	while (*text)
		text++;
}

/* Limits that tracing raises: libbpf the one of locked memory, retsnoop the one of open files. */
static const int raised[] = { RLIMIT_MEMLOCK, RLIMIT_NOFILE };

/* Settings of this process as it was started. */
static struct {
	bool noted;
	bool has_limit[ARRAY_SIZE(raised)];
	struct rlimit limits[ARRAY_SIZE(raised)];
	sigset_t mask;
	bool ignores_interrupt;
} original;

void workload_note_settings(void)
{
	struct sigaction interrupt;

	if (original.noted)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(raised); i++)
		original.has_limit[i] = !getrlimit(raised[i], &original.limits[i]);
	sigprocmask(SIG_SETMASK, NULL, &original.mask);
	original.ignores_interrupt = !sigaction(SIGINT, NULL, &interrupt) && interrupt.sa_handler == SIG_IGN;
	original.noted = true;
}

/* Before Linux 5.11, the memory of BPF maps and programs counts as locked. */
static bool counts_bpf_memory(void)
{
	unsigned int version = kernel_version_running();

	return version && version < KERNEL_VERSION_OF(5, 11);
}

static void restore_settings(void)
{
	program_restore_signals();
	sigprocmask(SIG_SETMASK, &original.mask, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(raised); i++) {
		if (original.has_limit[i] && (raised[i] != RLIMIT_MEMLOCK || !counts_bpf_memory()))
			setrlimit(raised[i], &original.limits[i]);
	}
}

/* How much of it this process's own maps and programs take, in bytes. */
static uint64_t bpf_memory(void)
{
	DIR *dir = opendir("/proc/self/fdinfo");
	const struct dirent *entry;
	uint64_t sum = 0, bytes;
	char line[256];

	while (dir && (entry = readdir(dir))) {
		int fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_CLOEXEC);
		FILE *file = fd < 0 ? NULL : fdopen(fd, "re");

		while (file && fgets(line, sizeof(line), file)) {
			if (sscanf(line, "memlock: %" SCNu64, &bytes) == 1)
				sum += bytes;
		}
		if (file)
			fclose(file);
		else if (fd >= 0)
			close(fd);
	}
	if (dir)
		closedir(dir);
	return sum;
}

/*
 * All processes of a user have one account for the memory of BPF, so what tracing takes of it would be missing to
 * the command, whose bpf(2) would fail: it may lock as much more.
 */
static void restore_locked_limit(pid_t pid)
{
	for (size_t i = 0; i < ARRAY_SIZE(raised); i++) {
		struct rlimit limit = original.limits[i];

		if (raised[i] != RLIMIT_MEMLOCK || !original.has_limit[i] || !counts_bpf_memory())
			continue;
		if (limit.rlim_cur != RLIM_INFINITY)
			limit.rlim_cur += bpf_memory();
		if (limit.rlim_max < limit.rlim_cur)
			limit.rlim_max = limit.rlim_cur;
		prlimit(pid, RLIMIT_MEMLOCK, &limit, NULL);
	}
}

/*
 * Whether a file whose format the kernel does not know may be a script without a "#!" line: shells run one if there
 * is no NUL in its first line.
 */
static bool may_be_script(const char *path)
{
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char start[128];
	ssize_t len = fd < 0 ? -1 : read(fd, start, sizeof(start));
	const char *line_end = len > 0 ? memchr(start, '\n', len) : NULL;

	return len <= 0 || !memchr(start, '\0', line_end ? line_end - start : len);
}

/* @user	NULL: the current user */
static void __attribute__((noreturn)) exec_workload(const char *path, char *const argv[],
						    int gate_fd, int error_fd,
						    const struct workload_env *env,
						    const struct user *user)
{
	bool script = may_be_script(path);
	int err, refused;
	char go;

	restore_settings();
	/* With -o, standard output is retsnoop's file. */
	if (env->stdout_fd)
		dup2(env->stdout_fd, STDOUT_FILENO);
	/* Before the gate: everything after it is traced. */
	refused = user ? user_become(user) : 0;
	touch_text(path);
	for (size_t i = 0; argv[i]; i++)
		touch_text(argv[i]);
	if (read(gate_fd, &go, 1) != 1)
		_exit(0);
	if (!refused) {
		execv(path, argv);
		if (errno == ENOEXEC && script)
			execvp(argv[0], argv);
	}
	err = refused ?: errno;
	if (write(error_fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

void workload_env_take(struct workload_env *env, const char *user, int stdout_fd)
{
	env->user = user;
	env->stdout_fd = stdout_fd;
	env->may_fail = false;
	workload_note_settings();
}

static int look_up(const char *name, struct user *user)
{
	int err = user_look_up(name, user);

	return err == -ENOENT ? report(-EINVAL, "-u: unknown user '%s'", name) :
	       err	      ? report_oom() :
				0;
}

int workload_check_user(const char *name)
{
	struct user user;
	int err = look_up(name, &user);

	if (err)
		return err;
	user_release(&user);
	if (geteuid())
		return report(-EPERM, "-u: only root can run a command as another user; try sudo");
	return 0;
}

int workload_hold(struct workload *workload, char *const argv[], const struct workload_env *env)
{
	_cleanup_(user_release) struct user user = {};
	_cleanup_(free_p) char *path = NULL;
	int gate[2], error[2], err;
	pid_t pid;

	err = find_command(argv[0], env->may_fail, &path);
	if (err)
		return report(err, "cannot run '%s': %s", argv[0], strerror(-err));
	err = env->user ? look_up(env->user, &user) : 0;
	if (err)
		return err;
	if (pipe2(gate, O_CLOEXEC))
		return report(-errno, "cannot make a pipe: %s", strerror(errno));
	if (pipe2(error, O_CLOEXEC)) {
		err = -errno;
		close(gate[0]);
		close(gate[1]);
		return report(err, "cannot make a pipe: %s", strerror(-err));
	}
	fflush(NULL);
	/* If who started us ignores it, the kernel keeps no status of the command. */
	signal(SIGCHLD, SIG_DFL);
	pid = fork();
	if (!pid) {
		close(gate[1]);
		close(error[0]);
		exec_workload(path, argv, gate[0], error[1], env, env->user ? &user : NULL);
	}
	err = -errno;
	close(gate[0]);
	close(error[1]);
	if (pid < 0) {
		close(gate[1]);
		close(error[0]);
		return report(err, "cannot start '%s': %s", argv[0], strerror(-err));
	}
	workload->pid = pid;
	workload->may_fail = env->may_fail;
	workload->path = take_ptr(path);
	workload->gate_fd = gate[1];
	workload->error_fd = error[0];
	return 0;
}

int workload_release(struct workload *workload, const char *name)
{
	int err = 0;

	restore_locked_limit(workload->pid);
	if (write(workload->gate_fd, "g", 1) != 1)
		return report(-errno, "cannot let '%s' go: %s", name, strerror(errno));
	close(workload->gate_fd);
	workload->gate_fd = -1;
	workload->released = true;
	/* A successful exec closes the descriptor without writing. */
	if (read(workload->error_fd, &err, sizeof(err)) != sizeof(err))
		return 0;
	/* It is negative if the process could not become the user. */
	if (err > 0 && workload->may_fail)
		return 0;
	/* The file itself was found: what "#!" or the ELF header names was not. */
	return report(-abs(err), "cannot run '%s': %s", name,
		      err == ENOENT ? "its interpreter does not exist" : strerror(abs(err)));
}

bool workload_ended(struct workload *workload)
{
	if (!workload->pid)
		return false;
	if (!workload->over && waitpid(workload->pid, &workload->wait_status, WNOHANG) ==
				       workload->pid)
		workload->over = true;
	return workload->over;
}

void workload_pass_signal(struct workload *workload, int signal, int code)
{
	if (!workload->released || workload_ended(workload))
		return;
	if (signal == SIGINT && code == SI_KERNEL && getpgid(workload->pid) == getpgrp())
		return;
	kill(workload->pid, signal == SIGINT && original.ignores_interrupt ? SIGTERM : signal);
}

bool workload_goes_on(struct workload *workload)
{
	if (!workload->pid || !workload->released)
		return false;
	for (int ms = 0; ms < END_WAIT_MS && !workload_ended(workload); ms += END_POLL_MS)
		usleep(END_POLL_MS * 1000);
	return !workload_ended(workload);
}

void workload_say_goes_on(pid_t pid, const char *name)
{
	say(VERBOSITY_NORMAL, "'%s' (pid %d) goes on.", name, (int)pid);
}

int workload_status(const struct workload *workload, const char *name)
{
	int status = workload->wait_status;

	if (!workload->over)
		return 0;
	if (WIFSIGNALED(status)) {
		say(VERBOSITY_NORMAL, "'%s' was killed by signal %d (%s).", name, WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
		return 128 + WTERMSIG(status);
	}
	say(VERBOSITY_NORMAL, "'%s' exited with status %d.", name, WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

void workload_drop(struct workload *workload)
{
	close_fd(&workload->gate_fd);
	close_fd(&workload->error_fd);
	workload->gate_fd = workload->error_fd = -1;
	free(workload->path);
	workload->path = NULL;
	if (workload->pid && !workload->over && !workload->released) {
		waitpid(workload->pid, &workload->wait_status, 0);
		workload->over = true;
	}
}
