/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs, signals, capabilities, memory. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <limits.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simfail.h"

#define NOBODY 65534

int simfail_wait(struct simfail_run *run, pid_t pid, int *ret_status)
{
	while (waitpid(pid, ret_status, 0) < 0)
		if (errno != EINTR)
			return simfail_skip(run, "cannot wait for a child: %s", strerror(errno));
	return 0;
}

/* Run a call in a child that has prepared itself, by a function that returns 0; returns its errno. */
static int in_child(struct simfail_run *run, int (*prepare)(void), const char *what,
		    long (*call)(void))
{
	enum { CHILD_CANNOT = 255 };
	int status, err;
	pid_t pid;

	pid = fork();
	if (pid < 0)
		return simfail_skip(run, "cannot fork: %s", strerror(errno));
	if (!pid) {
		if (prepare())
			_exit(CHILD_CANNOT);
		_exit(simfail_errno_of(call()));
	}
	err = simfail_wait(run, pid, &status);
	if (err)
		return err;
	if (!WIFEXITED(status) || WEXITSTATUS(status) == CHILD_CANNOT)
		return simfail_skip(run, "cannot %s", what);
	return WEXITSTATUS(status);
}

static int become_nobody(void)
{
	/* the bare calls: no C library telling other threads */
	return !geteuid() && (syscall(__NR_setresgid, NOBODY, NOBODY, NOBODY) ||
			      syscall(__NR_setresuid, NOBODY, NOBODY, NOBODY));
}

static int as_nobody(struct simfail_run *run, long (*call)(void))
{
	return in_child(run, become_nobody, "become uid 65534", call);
}

int simfail_forbid_acct(uint32_t action)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_acct, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { .len = sizeof(code) / sizeof(*code), .filter = code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static int refuse_acct(void)
{
	return simfail_forbid_acct(SECCOMP_RET_ERRNO | EPERM);
}

static long stop_accounting(void)
{
	return syscall(__NR_acct, NULL);
}

CASE(seccomp_acct)
{
	return in_child(run, refuse_acct, "install a seccomp filter", stop_accounting);
}

static int limit_signals(void)
{
	const struct rlimit none = {};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	return sigprocmask(SIG_BLOCK, &set, NULL) || setrlimit(RLIMIT_SIGPENDING, &none);
}

static long queue_signal(void)
{
	siginfo_t info = { .si_code = SI_QUEUE };

	return syscall(__NR_rt_sigqueueinfo, getpid(), SIGRTMIN, &info);
}

CASE(sigqueue_limit)
{
	return in_child(run, limit_signals, "limit signals that are pending", queue_signal);
}

static int prepare_nothing(void)
{
	return 0;
}

static long advise_parent(void)
{
	static char byte;
	const struct iovec range = { &byte, 0 };

	return syscall(__NR_process_madvise, syscall(__NR_pidfd_open, getppid(), 0), &range, 1, MADV_FREE, 0);
}

CASE(madvise_remote)
{
	return in_child(run, prepare_nothing, "do nothing", advise_parent);
}

static int try_exec(const char *path)
{
	char *const argv[] = { (char *)path, NULL }, *const envp[] = { NULL };

	return simfail_errno_of(execve(path, argv, envp));
}

CASE(exec_missing)
{
	return try_exec(MISSING_PATH);
}

CASE(exec_dir)
{
	return try_exec("/");
}

CASE(exec_garbage)
{
	_cleanup_(simfail_scratch_release) struct simfail_scratch scratch;

	/* printable, or the kernel calls modprobe for a loader */
	return simfail_scratch_init(&scratch, run) ?:
	       simfail_scratch_program(&scratch, run, "garbage\n") ?:
	       try_exec(scratch.path);
}

CASE(exec_script_loop)
{
	_cleanup_(simfail_scratch_release) struct simfail_scratch scratch;
	char text[256 + 4];
	int err = simfail_scratch_init(&scratch, run);

	if (err)
		return err;
	/* the kernel reads 256 bytes of the first line */
	if (snprintf(text, sizeof(text), "#!%s\n", scratch.path) >= 256)
		return simfail_skip(run, "%s is too long a path: set TMPDIR", scratch.path);
	return simfail_scratch_program(&scratch, run, text) ?: try_exec(scratch.path);
}

CASE(wait_no_child)
{
	return simfail_errno_of(waitpid(getpid(), NULL, WNOHANG));
}

CASE(kill_missing)
{
	return simfail_errno_of(kill(MISSING_PID, 0));
}

CASE(ptrace_self)
{
	return simfail_errno_of(ptrace(PTRACE_ATTACH, getpid(), NULL, NULL));
}

CASE(bad_unshare)
{
	return simfail_errno_of(syscall(__NR_unshare, CLONE_PTRACE));
}

CASE(bad_timerfd)
{
	_cleanup_(simfail_close) int fd = timerfd_create(99, TFD_CLOEXEC);

	return simfail_errno_of(fd);
}

static long call_sethostname(void)
{
	char name[HOST_NAME_MAX + 1];

	/* to what it is: no harm if it works */
	if (gethostname(name, sizeof(name)))
		return -1;
	return sethostname(name, strlen(name));
}

CASE(cap_sethostname)
{
	return as_nobody(run, call_sethostname);
}

static long call_kill_init(void)
{
	return kill(1, 0);
}

CASE(cap_kill)
{
	return as_nobody(run, call_kill_init);
}

static long call_bpf_next_prog(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	return syscall(__NR_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr));
}

static long read_init(void)
{
	char byte;
	const struct iovec own = { &byte, 1 }, its = { (void *)4096, 1 };

	return syscall(__NR_process_vm_readv, 1, &own, 1, &its, 1, 0);
}

CASE(cap_vm_read)
{
	return as_nobody(run, read_init);
}

CASE(cap_bpf)
{
	return as_nobody(run, call_bpf_next_prog);
}

CASE(mmap_empty)
{
	void *map = mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return map == MAP_FAILED ? errno : 0;
}

CASE(munmap_unaligned)
{
	return simfail_errno_of(munmap((void *)1, 4096));
}

CASE(mprotect_unmapped)
{
	/* page 0 is never mapped (mmap_min_addr) */
	return simfail_errno_of(mprotect(NULL, 4096, PROT_READ));
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_process_cases[] = {
	{ .name = "proc-exec-missing", .group = "proc", .expected = ENOENT,
	  .summary = "execute a file that does not exist",
	  .fault = "step_into|step_into_slowpath", .run = exec_missing },
	{ .name = "proc-exec-dir", .group = "proc", .expected = EACCES,
	  .summary = "execute a directory",
	  .fault = "may_open", .run = exec_dir },
	{ .name = "proc-exec-garbage", .group = "proc", .expected = ENOEXEC,
	  .summary = "execute a file of no known format",
	  .fault = "load_script", .run = exec_garbage },
	{ .name = "proc-exec-script-loop", .group = "proc", .expected = ELOOP,
	  .summary = "execute a script that is its own interpreter",
	  .fault = "bprm_execve", .run = exec_script_loop },
	{ .name = "proc-wait-no-child", .group = "proc", .expected = ECHILD,
	  .summary = "wait for a child there is not",
	  .fault = "do_wait|__do_wait", .run = wait_no_child },
	{ .name = "proc-kill-missing", .group = "proc", .expected = ESRCH,
	  .summary = "signal a process that does not exist",
	  .fault = "kill_pid_info|kill_pid_info_type", .run = kill_missing },
	{ .name = "proc-ptrace-self", .group = "proc", .expected = EPERM,
	  .summary = "trace oneself",
	  .fault = "ptrace_attach", .run = ptrace_self },
	{ .name = "proc-bad-unshare", .group = "proc", .expected = EINVAL,
	  .summary = "unshare with a flag it does not take",
	  .fault = "ksys_unshare", .run = bad_unshare },
	{ .name = "proc-bad-timerfd", .group = "proc", .expected = EINVAL,
	  .summary = "make a timer on a clock that does not exist",
	  .fault = SYSCALL("timerfd_create"), .run = bad_timerfd },
	{ .name = "proc-sigqueue-limit", .group = "proc", .expected = EAGAIN,
	  .summary = "queue a signal above RLIMIT_SIGPENDING",
	  .fault = "-", .run = sigqueue_limit },
	{ .name = "proc-madvise-remote", .group = "proc", .expected = EINVAL, .needs = NEED_PRIVILEGE,
	  .summary = "give another process an advice that is about its own memory",
	  .fault = "-", .run = madvise_remote },
	{ .name = "cap-sethostname", .group = "cap", .expected = EPERM,
	  .summary = "set the host's name as nobody",
	  .fault = "cap_capable", .run = cap_sethostname },
	{ .name = "seccomp-acct", .group = "seccomp", .expected = EPERM,
	  .summary = "a call that a seccomp filter refuses",
	  .fault = "-", .run = seccomp_acct },
	{ .name = "cap-kill", .group = "cap", .expected = EPERM,
	  .summary = "signal process 1 as nobody",
	  .fault = "cap_capable", .run = cap_kill },
	{ .name = "cap-bpf", .group = "cap", .expected = EPERM,
	  .summary = "list BPF programs as nobody",
	  .fault = "cap_capable", .run = cap_bpf },
	{ .name = "cap-vm-read", .group = "cap", .expected = EPERM,
	  .summary = "read the memory of process 1 as nobody",
	  .fault = "-", .run = cap_vm_read },
	{ .name = "mm-mmap-empty", .group = "mm", .expected = EINVAL,
	  .summary = "map no bytes",
	  .fault = "do_mmap", .run = mmap_empty },
	{ .name = "mm-munmap-unaligned", .group = "mm", .expected = EINVAL,
	  .summary = "unmap from the middle of a page",
	  .fault = "__do_munmap|do_mas_munmap|do_vmi_munmap", .run = munmap_unaligned },
	{ .name = "mm-mprotect-unmapped", .group = "mm", .expected = ENOMEM,
	  .summary = "protect a page that is not mapped",
	  .fault = "do_mprotect_pkey", .run = mprotect_unmapped },
	{},
};
/* clang-format on */
