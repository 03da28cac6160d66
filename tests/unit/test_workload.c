// SPDX-License-Identifier: BSD-2-Clause
/* What a workload gets back of what retsnoop changes for itself. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/trace/run/workload.h"

static void set_soft_limit(struct __test_metadata *_metadata, int resource, rlim_t value)
{
	struct rlimit limit;

	ASSERT_EQ(0, getrlimit(resource, &limit));
	limit.rlim_cur = value;
	ASSERT_EQ(0, setrlimit(resource, &limit));
}

/*
 * Before Linux 5.11 libbpf raises the limit of locked memory, at the latest when the run begins. A run raises the
 * limit of open files and blocks signals; `why` has several runs in one process.
 */
TEST(limits_and_blocked_signals_are_those_that_were_noted_first)
{
	char sh[] = "/bin/sh", option[] = "-c";
	char script[] = "ulimit -S -l; ulimit -S -n; grep SigBlk /proc/self/status; "
			"test $(ulimit -S -l) = 32 && test $(ulimit -S -n) = 100 && "
			"grep -q '^SigBlk:.0*$' /proc/self/status";
	char *command[] = { sh, option, script, NULL };
	struct workload workload = WORKLOAD_INIT;
	struct workload_env env;
	sigset_t mask;

	set_soft_limit(_metadata, RLIMIT_MEMLOCK, 32 << 10);
	set_soft_limit(_metadata, RLIMIT_NOFILE, 100);
	workload_note_settings();
	set_soft_limit(_metadata, RLIMIT_MEMLOCK, 48 << 10);
	set_soft_limit(_metadata, RLIMIT_NOFILE, 200);
	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGCHLD);
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, &mask, NULL));
	workload_env_take(&env, NULL, 0);
	ASSERT_EQ(0, workload_hold(&workload, command, &env));
	ASSERT_EQ(0, workload_release(&workload, command[0]));
	while (!workload_ended(&workload))
		usleep(1000);
	EXPECT_EQ(0, workload_status(&workload, command[0]));
	workload_drop(&workload);
}

TEST(the_end_of_a_command_is_seen_though_the_parent_ignores_that_of_its_children)
{
	char sh[] = "/bin/sh", option[] = "-c", script[] = "exit 3";
	char *command[] = { sh, option, script, NULL };
	struct workload workload = WORKLOAD_INIT;
	struct workload_env env;
	int tries = 20000;

	signal(SIGCHLD, SIG_IGN);
	workload_env_take(&env, NULL, 0);
	ASSERT_EQ(0, workload_hold(&workload, command, &env));
	ASSERT_EQ(0, workload_release(&workload, command[0]));
	while (!workload_ended(&workload) && --tries)
		usleep(1000);
	EXPECT_NE(0, tries);
	EXPECT_EQ(3, workload_status(&workload, command[0]));
	workload_drop(&workload);
}

/* The status that a shell ends with after a signal was passed on to it; -1: it goes on, and is killed. */
static int status_after(struct __test_metadata *_metadata, int sent, int code, bool own_group)
{
	char sh[] = "/bin/sh", option[] = "-c";
	char script[] = "trap 'exit 5' INT; trap 'exit 6' TERM; echo ready >&2; while :; do sleep 0.01; done";
	char *command[] = { sh, option, script, NULL };
	struct workload workload = WORKLOAD_INIT;
	struct workload_env env;
	int saved = dup(STDERR_FILENO), ready[2], status = -1;
	char line[8];

	ASSERT_EQ(0, pipe(ready));
	ASSERT_LE(0, dup2(ready[1], STDERR_FILENO));
	workload_env_take(&env, NULL, 0);
	ASSERT_EQ(0, workload_hold(&workload, command, &env));
	if (own_group)
		ASSERT_EQ(0, setpgid(workload.pid, workload.pid));
	dup2(saved, STDERR_FILENO);
	close(saved);
	ASSERT_EQ(0, workload_release(&workload, sh));
	ASSERT_LT(0, read(ready[0], line, sizeof(line)));
	workload_pass_signal(&workload, sent, code);
	if (!workload_goes_on(&workload)) {
		status = workload_status(&workload, sh);
	} else {
		kill(workload.pid, SIGKILL);
		while (!workload_ended(&workload))
			usleep(1000);
	}
	close(ready[0]);
	close(ready[1]);
	workload_drop(&workload);
	return status;
}

TEST(a_signal_is_passed_on_unless_the_command_has_got_it)
{
	signal(SIGINT, SIG_DFL);
	EXPECT_EQ(5, status_after(_metadata, SIGINT, SI_USER, false));
	EXPECT_EQ(6, status_after(_metadata, SIGTERM, SI_USER, false));
	/* From a terminal, whose foreground group this is. */
	EXPECT_EQ(-1, status_after(_metadata, SIGINT, SI_KERNEL, false));
	EXPECT_EQ(5, status_after(_metadata, SIGINT, SI_KERNEL, true));
}

/* A shell ignores what it was started to ignore, whatever its traps are. */
TEST(what_ignores_interrupts_is_terminated)
{
	signal(SIGINT, SIG_IGN);
	EXPECT_EQ(6, status_after(_metadata, SIGINT, SI_USER, false));
}

static int run(char *program, bool may_fail, int *ret_status)
{
	char argument[] = "x", *command[] = { program, argument, NULL };
	struct workload workload = WORKLOAD_INIT;
	struct workload_env env;
	int err;

	workload_env_take(&env, NULL, 0);
	env.may_fail = may_fail;
	err = workload_hold(&workload, command, &env) ?: workload_release(&workload, program);
	while (!err && !workload_ended(&workload))
		usleep(1000);
	*ret_status = workload_status(&workload, program);
	workload_drop(&workload);
	return err;
}

static void write_program(struct __test_metadata *_metadata, const char *path, const char *text, size_t size,
			  mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	ASSERT_LE(0, fd);
	ASSERT_EQ(size, write(fd, text, size));
	ASSERT_EQ(0, fchmod(fd, mode));
	close(fd);
}

TEST(a_program_that_exists_may_fail_to_be_executed)
{
	static const char binary[] = "\177XYZ\0\0\n", script[] = "exit 4\n", missing[] = "#!/no/such/shell\n";
	char directory[] = "/tmp/retsnoop-workload-XXXXXX", path[sizeof(directory) + 8], none[] = "/no/such/program";
	char unknown[] = "no-such-program", name[] = "program", old_path[4096];
	int status;

	ASSERT_NE(NULL, mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/program", directory);
	snprintf(old_path, sizeof(old_path), "%s", getenv("PATH"));
	write_program(_metadata, path, missing, sizeof(missing) - 1, 0755);
	EXPECT_EQ(-ENOENT, run(path, false, &status));
	EXPECT_EQ(0, run(path, true, &status));
	EXPECT_EQ(127, status);
	/* No shell takes it for a script. */
	write_program(_metadata, path, binary, sizeof(binary) - 1, 0755);
	EXPECT_EQ(-ENOEXEC, run(path, false, &status));
	EXPECT_EQ(0, run(path, true, &status));
	EXPECT_EQ(127, status);
	write_program(_metadata, path, script, sizeof(script) - 1, 0755);
	EXPECT_EQ(0, run(path, true, &status));
	EXPECT_EQ(4, status);
	write_program(_metadata, path, script, sizeof(script) - 1, 0644);
	EXPECT_EQ(-EACCES, run(path, false, &status));
	EXPECT_EQ(0, run(path, true, &status));
	EXPECT_EQ(127, status);
	/* Found in a directory of $PATH. */
	setenv("PATH", directory, 1);
	EXPECT_EQ(-EACCES, run(name, false, &status));
	EXPECT_EQ(0, run(name, true, &status));
	EXPECT_EQ(127, status);
	setenv("PATH", old_path, 1);
	EXPECT_EQ(-EISDIR, run(directory, false, &status));
	EXPECT_EQ(0, run(directory, true, &status));
	EXPECT_EQ(127, status);
	/* One that does not exist is an error either way. */
	EXPECT_EQ(-ENOENT, run(none, true, &status));
	EXPECT_EQ(-ENOENT, run(unknown, true, &status));
	unlink(path);
	rmdir(directory);
}

TEST_HARNESS_MAIN
