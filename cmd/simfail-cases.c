/* SPDX-License-Identifier: BSD-2-Clause */
/* simfail's table of cases, and all of them but those of bpf(2). */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <limits.h>
#include <linux/bpf.h>
#include <linux/hw_breakpoint.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simfail.h"

#define NOBODY		65534
#define MISSING_PATH	"/simfail-there-is-no-such-file"
#define MISSING_PID	0x3fffffff	/* above any pid_max */
#define EPOLL_CHAIN	5		/* epolls watching one another; the kernel's limit */
#define THREADS		8
#define CALLS_PER_THREAD 300

void simfail_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* A temporary folder. Signals wait while it exists, so that it is always removed again. */
struct scratch {
	char dir[PATH_MAX - 16];
	char path[PATH_MAX]; /* of the one thing a case may make inside */
	sigset_t old_mask;
};

static int scratch_init(struct scratch *scratch, struct simfail_run *run)
{
	const char *parents[] = { getenv("TMPDIR"), "/tmp", "." };
	sigset_t all;
	size_t i;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &scratch->old_mask);
	for (i = 0; i < sizeof(parents) / sizeof(parents[0]); i++) {
		if (!parents[i] || !*parents[i])
			continue;
		snprintf(scratch->dir, sizeof(scratch->dir), "%s/simfail-XXXXXX", parents[i]);
		if (!mkdtemp(scratch->dir))
			continue;
		snprintf(scratch->path, sizeof(scratch->path), "%s/it", scratch->dir);
		return 0;
	}
	scratch->dir[0] = '\0';
	return simfail_skip(run, "no place for a temporary folder: set TMPDIR");
}

static void scratch_release(struct scratch *scratch)
{
	if (scratch->dir[0]) {
		remove(scratch->path);
		rmdir(scratch->dir);
	}
	sigprocmask(SIG_SETMASK, &scratch->old_mask, NULL);
}

/* Make an executable file; 0 or SIMFAIL_SKIP. */
static int scratch_program(struct scratch *scratch, struct simfail_run *run, const char *text)
{
	struct statvfs fs;
	ssize_t written;
	int fd;

	if (!statvfs(scratch->dir, &fs) && (fs.f_flag & ST_NOEXEC))
		return simfail_skip(run, "%s allows no exec: set TMPDIR", scratch->dir);
	fd = open(scratch->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	if (fd < 0)
		return simfail_skip(run, "cannot make %s: %s", scratch->path, strerror(errno));
	written = write(fd, text, strlen(text));
	close(fd);
	if (written != (ssize_t)strlen(text))
		return simfail_skip(run, "cannot write %s", scratch->path);
	return 0;
}

/* Run a call in a child without privileges; returns its errno. */
static int as_nobody(struct simfail_run *run, long (*call)(void))
{
	enum { CHILD_CANNOT = 255 };
	int status;
	pid_t pid;

	pid = fork();
	if (pid < 0)
		return simfail_skip(run, "cannot fork: %s", strerror(errno));
	if (!pid) {
		/* the bare calls: no C library telling other threads */
		if (!geteuid() && (syscall(__NR_setresgid, NOBODY, NOBODY, NOBODY) ||
				   syscall(__NR_setresuid, NOBODY, NOBODY, NOBODY)))
			_exit(CHILD_CANNOT);
		_exit(simfail_errno_of(call()));
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return simfail_skip(run, "cannot wait for a child: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status) == CHILD_CANNOT)
		return simfail_skip(run, "cannot become uid %d", NOBODY);
	return WEXITSTATUS(status);
}

#define CASE(fn) static int fn(const struct simfail_case *c __attribute__((unused)), \
			       struct simfail_run *run __attribute__((unused)))

/* ---- healthy calls ---- */

CASE(ok_getppid)
{
	return simfail_errno_of(syscall(__NR_getppid));
}

CASE(ok_read)
{
	_cleanup_(simfail_close) int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char byte;

	if (fd < 0)
		return simfail_skip(run, "cannot open /dev/zero: %s", strerror(errno));
	return simfail_errno_of(read(fd, &byte, sizeof(byte)));
}

CASE(long_sleep)
{
	const struct timespec second = { .tv_sec = 1 };

	return simfail_errno_of(nanosleep(&second, NULL));
}

/* ---- files ---- */

CASE(open_missing)
{
	return simfail_errno_of(open(MISSING_PATH, O_RDONLY | O_CLOEXEC));
}

CASE(open_long_path)
{
	char path[PATH_MAX + 2];

	memset(path, '/', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	return simfail_errno_of(open(path, O_RDONLY | O_CLOEXEC));
}

CASE(open_not_dir)
{
	int err = simfail_errno_of(open("/dev/null", O_RDONLY | O_DIRECTORY | O_CLOEXEC));

	return err == ENOENT ? simfail_skip(run, "there is no /dev/null") : err;
}

CASE(mkdir_exists)
{
	return simfail_errno_of(mkdir("/", 0700));
}

CASE(symlink_loop)
{
	_cleanup_(scratch_release) struct scratch scratch;
	int err = scratch_init(&scratch, run);

	if (err)
		return err;
	if (symlink("it", scratch.path))
		return simfail_skip(run, "cannot make a symlink: %s", strerror(errno));
	return simfail_errno_of(open(scratch.path, O_RDONLY | O_CLOEXEC));
}

CASE(rmdir_not_empty)
{
	_cleanup_(scratch_release) struct scratch scratch;
	int err = scratch_init(&scratch, run);

	if (err)
		return err;
	if (mkdir(scratch.path, 0700))
		return simfail_skip(run, "cannot make a folder: %s", strerror(errno));
	return simfail_errno_of(rmdir(scratch.dir));
}

CASE(write_read_only)
{
	_cleanup_(simfail_close) int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return simfail_skip(run, "cannot open /dev/null: %s", strerror(errno));
	return simfail_errno_of(write(fd, "x", 1));
}

CASE(bad_ioctl)
{
	_cleanup_(simfail_close) int fd = eventfd(0, EFD_CLOEXEC);

	return simfail_errno_of(ioctl(fd, 0x5afa11));
}

CASE(mount_unknown)
{
	return simfail_errno_of(mount("none", "/", "simfail_no_such_fs", MS_RDONLY, NULL));
}

static int open_pipe(int *ret_read_fd, int *ret_write_fd, struct simfail_run *run)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK))
		return simfail_skip(run, "cannot make a pipe: %s", strerror(errno));
	*ret_read_fd = fds[0];
	*ret_write_fd = fds[1];
	return 0;
}

CASE(pipe_full)
{
	_cleanup_(simfail_close) int read_fd = -1, write_fd = -1;
	char page[4096] = {};
	int err = open_pipe(&read_fd, &write_fd, run);

	if (err)
		return err;
	while (write(write_fd, page, sizeof(page)) > 0)
		;
	return errno;
}

CASE(pipe_empty)
{
	_cleanup_(simfail_close) int read_fd = -1, write_fd = -1;
	int err = open_pipe(&read_fd, &write_fd, run);
	char byte;

	return err ?: simfail_errno_of(read(read_fd, &byte, sizeof(byte)));
}

CASE(lseek_pipe)
{
	_cleanup_(simfail_close) int read_fd = -1, write_fd = -1;
	int err = open_pipe(&read_fd, &write_fd, run);

	return err ?: simfail_errno_of(lseek(read_fd, 0, SEEK_SET));
}

/* ---- processes ---- */

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
	_cleanup_(scratch_release) struct scratch scratch;

	/* printable, or the kernel calls modprobe for a loader */
	return scratch_init(&scratch, run) ?:
	       scratch_program(&scratch, run, "garbage\n") ?:
	       try_exec(scratch.path);
}

CASE(exec_script_loop)
{
	_cleanup_(scratch_release) struct scratch scratch;
	char text[256 + 4];
	int err = scratch_init(&scratch, run);

	if (err)
		return err;
	/* the kernel reads 256 bytes of the first line */
	if (snprintf(text, sizeof(text), "#!%s\n", scratch.path) >= 256)
		return simfail_skip(run, "%s is too long a path: set TMPDIR", scratch.path);
	return scratch_program(&scratch, run, text) ?: try_exec(scratch.path);
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

CASE(bad_prctl)
{
	return simfail_errno_of(syscall(__NR_prctl, 0x5afa11, 0, 0, 0, 0));
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

CASE(cap_bpf)
{
	return as_nobody(run, call_bpf_next_prog);
}

/* ---- memory ---- */

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

/* ---- sockets ---- */

static int open_socket(int domain, int type, int *ret_fd, struct simfail_run *run)
{
	int fd = socket(domain, type | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return simfail_skip(run, "cannot make a socket: %s", strerror(errno));
	*ret_fd = fd;
	return 0;
}

/* Bind to a port the kernel picks and leave its number in addr. */
static int bind_any_port(int fd, struct sockaddr_in *addr, struct simfail_run *run)
{
	socklen_t len = sizeof(*addr);

	if (bind(fd, (struct sockaddr *)addr, len) ||
	    getsockname(fd, (struct sockaddr *)addr, &len))
		return simfail_skip(run, "cannot bind to a TCP port (is lo up?): %s",
				    strerror(errno));
	return 0;
}

CASE(connect_refused)
{
	struct sockaddr_in addr = { AF_INET, 0, { htonl(INADDR_LOOPBACK) }, {} };
	_cleanup_(simfail_close) int owner = -1, fd = -1;
	int err;

	/* a port that is taken but not listened on: nobody else can come and listen */
	err = open_socket(AF_INET, SOCK_STREAM, &owner, run) ?:
	      open_socket(AF_INET, SOCK_STREAM, &fd, run) ?:
	      bind_any_port(owner, &addr, run);
	if (err)
		return err;
	err = simfail_errno_of(connect(fd, (struct sockaddr *)&addr, sizeof(addr)));
	return err == ENETUNREACH ? simfail_skip(run, "loopback is down") : err;
}

CASE(unix_refused)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	_cleanup_(simfail_close) int fd = -1;
	int len, err;

	err = open_socket(AF_UNIX, SOCK_STREAM, &fd, run);
	if (err)
		return err;
	/* an abstract name: starts with a null byte */
	len = snprintf(addr.sun_path + 1, sizeof(addr.sun_path) - 1, "simfail-%d", getpid());
	return simfail_errno_of(connect(fd, (struct sockaddr *)&addr,
					offsetof(struct sockaddr_un, sun_path) + 1 + len));
}

CASE(unix_not_connected)
{
	struct sockaddr_un addr;
	_cleanup_(simfail_close) int fd = -1;
	socklen_t len = sizeof(addr);

	return open_socket(AF_UNIX, SOCK_STREAM, &fd, run) ?:
	       simfail_errno_of(getpeername(fd, (struct sockaddr *)&addr, &len));
}

CASE(bind_in_use)
{
	struct sockaddr_in addr = { AF_INET, 0, { htonl(INADDR_ANY) }, {} };
	_cleanup_(simfail_close) int owner = -1, fd = -1;

	return open_socket(AF_INET, SOCK_STREAM, &owner, run) ?:
	       open_socket(AF_INET, SOCK_STREAM, &fd, run) ?:
	       bind_any_port(owner, &addr, run) ?:
	       simfail_errno_of(bind(fd, (struct sockaddr *)&addr, sizeof(addr)));
}

CASE(bad_family)
{
	return simfail_errno_of(socket(255, SOCK_STREAM, 0));
}

CASE(bad_sockopt)
{
	_cleanup_(simfail_close) int fd = -1;
	int value = 1;

	return open_socket(AF_INET, SOCK_STREAM, &fd, run) ?:
	       simfail_errno_of(setsockopt(fd, SOL_SOCKET, 0x5afa, &value, sizeof(value)));
}

/* ---- perf events and keys ---- */

static int try_perf(struct perf_event_attr *attr)
{
	_cleanup_(simfail_close) int fd = -1;

	attr->size = sizeof(*attr);
	attr->exclude_kernel = 1;
	fd = syscall(__NR_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return simfail_errno_of(fd);
}

CASE(perf_bad_breakpoint)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_W,
		.bp_addr = (uintptr_t)&attr,
		.bp_len = 99,
	};

	return try_perf(&attr);
}

CASE(perf_bad_event)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = 0x5afa };

	return try_perf(&attr);
}

CASE(key_missing)
{
	return simfail_errno_of(syscall(__NR_keyctl, KEYCTL_DESCRIBE, 0x7ffffff0, NULL, 0, 0));
}

CASE(key_request)
{
	return simfail_errno_of(syscall(__NR_request_key, "user", "simfail:no-such-key", NULL, 0));
}

/* ---- results that change on their way up ---- */

CASE(remap_ioctl)
{
	_cleanup_(simfail_close) int read_fd = -1, write_fd = -1;
	int err = open_pipe(&read_fd, &write_fd, run);

	return err ?: simfail_errno_of(ioctl(read_fd, 0x5afa11));
}

static void on_alarm(int sig)
{
	(void)sig;
}

CASE(remap_eintr)
{
	/* again and again, lest the one shot comes before the read */
	const struct itimerval soon = { { 0, 50000 }, { 0, 50000 } }, off = {};
	struct sigaction action = { .sa_handler = on_alarm }, old;
	_cleanup_(simfail_close) int read_fd = -1, write_fd = -1;
	int fds[2], err;
	char byte;

	if (pipe2(fds, O_CLOEXEC))
		return simfail_skip(run, "cannot make a pipe: %s", strerror(errno));
	read_fd = fds[0];
	write_fd = fds[1];
	sigaction(SIGALRM, &action, &old);
	setitimer(ITIMER_REAL, &soon, NULL);
	err = simfail_errno_of(read(read_fd, &byte, sizeof(byte)));
	setitimer(ITIMER_REAL, &off, NULL);
	sigaction(SIGALRM, &old, NULL);
	return err;
}

/* ---- deep recursion ---- */

struct epoll_chain {
	int fds[EPOLL_CHAIN];
};

static void epoll_chain_release(struct epoll_chain *chain)
{
	int i;

	for (i = 0; i < EPOLL_CHAIN; i++)
		simfail_close(&chain->fds[i]);
}

static int watch(int epoll_fd, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

/* Each epoll watches the next one. */
static int epoll_chain_init(struct epoll_chain *chain, struct simfail_run *run)
{
	int i;

	for (i = 0; i < EPOLL_CHAIN; i++)
		chain->fds[i] = epoll_create1(EPOLL_CLOEXEC);
	for (i = EPOLL_CHAIN - 1; i > 0; i--)
		if (watch(chain->fds[i - 1], chain->fds[i]))
			return simfail_skip(run, "cannot chain epolls: %s", strerror(errno));
	return 0;
}

CASE(deep_epoll_loop)
{
	_cleanup_(epoll_chain_release) struct epoll_chain chain;

	return epoll_chain_init(&chain, run) ?:
	       simfail_errno_of(watch(chain.fds[EPOLL_CHAIN - 1], chain.fds[0]));
}

CASE(deep_epoll_wake)
{
	_cleanup_(epoll_chain_release) struct epoll_chain chain;
	_cleanup_(simfail_close) int fd = -1;
	int err = epoll_chain_init(&chain, run);

	if (err)
		return err;
	fd = eventfd(0, EFD_CLOEXEC);
	if (fd < 0 || watch(chain.fds[EPOLL_CHAIN - 1], fd))
		return simfail_skip(run, "cannot watch an eventfd: %s", strerror(errno));
	return simfail_errno_of(eventfd_write(fd, 1));
}

/* ---- many threads at once ---- */

static long thread_enoent(void)
{
	return open(MISSING_PATH, O_RDONLY | O_CLOEXEC);
}

static long thread_ebadf(void)
{
	return fchdir(-1);
}

static long thread_einval(void)
{
	return syscall(__NR_unshare, CLONE_PTRACE);
}

static long thread_esrch(void)
{
	return kill(MISSING_PID, 0);
}

static long thread_eafnosupport(void)
{
	return socket(255, SOCK_STREAM, 0);
}

static long thread_eexist(void)
{
	return mkdir("/", 0700);
}

static long thread_enotdir(void)
{
	return open("/dev/null", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static long thread_efault(void)
{
	return syscall(__NR_openat, AT_FDCWD, NULL, O_RDONLY, 0);
}

/* Threads wait for the lock, so that they start together. */
struct thread_start {
	pthread_mutex_t lock;
	bool cancelled;
};

struct failing_thread {
	pthread_t thread;
	struct thread_start *start;
	int expected;
	long (*call)(void);
	int seen; /* expected, or the first errno that was not */
};

static void *failing_thread_run(void *arg)
{
	struct failing_thread *self = arg;
	bool cancelled;
	int i;

	/* its name says what this thread fails with, so that mixing shows */
	prctl(PR_SET_NAME, strerrorname_np(self->expected));
	pthread_mutex_lock(&self->start->lock);
	cancelled = self->start->cancelled;
	pthread_mutex_unlock(&self->start->lock);
	for (i = 0; i < CALLS_PER_THREAD && !cancelled; i++) {
		self->seen = simfail_errno_of(self->call());
		if (self->seen != self->expected)
			break;
	}
	return NULL;
}

CASE(threads)
{
	struct failing_thread threads[THREADS] = {
		{ .expected = ENOENT, .call = thread_enoent },
		{ .expected = EBADF, .call = thread_ebadf },
		{ .expected = EINVAL, .call = thread_einval },
		{ .expected = ESRCH, .call = thread_esrch },
		{ .expected = EAFNOSUPPORT, .call = thread_eafnosupport },
		{ .expected = EEXIST, .call = thread_eexist },
		{ .expected = ENOTDIR, .call = thread_enotdir },
		{ .expected = EFAULT, .call = thread_efault },
	};
	struct thread_start start = { .lock = PTHREAD_MUTEX_INITIALIZER };
	int i, made, err = 0, result = SIMFAIL_VARIOUS;

	pthread_mutex_lock(&start.lock);
	for (made = 0; made < THREADS; made++) {
		threads[made].start = &start;
		err = pthread_create(&threads[made].thread, NULL, failing_thread_run,
				     &threads[made]);
		if (err)
			break;
	}
	start.cancelled = err;
	pthread_mutex_unlock(&start.lock);

	for (i = 0; i < made; i++) {
		pthread_join(threads[i].thread, NULL);
		if (threads[i].seen != threads[i].expected)
			result = threads[i].seen;
	}
	return err ? simfail_skip(run, "cannot make a thread: %s", strerror(err)) : result;
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_cases[] = {
	{ .name = "bpf-bad-map-type", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF map of a type that does not exist",
	  .fault = "__x64_sys_bpf|map_create", .needs = NEED_PRIVILEGE, .run = simfail_bpf_bad_map,
	  .arg = BAD_MAP_TYPE },
	{ .name = "bpf-bad-map-create-flags", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF map with all flags set",
	  .fault = "__x64_sys_bpf|map_create|array_map_alloc_check", .needs = NEED_PRIVILEGE,
	  .run = simfail_bpf_bad_map, .arg = BAD_MAP_CREATE_FLAGS },
	{ .name = "bpf-bad-map-key-size-array", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF array whose key is not 4 bytes",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = simfail_bpf_bad_map,
	  .arg = BAD_MAP_KEY_SIZE_ARRAY },
	{ .name = "bpf-bad-map-key-size-stackmap", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF stack map whose key is not 4 bytes",
	  .fault = "stack_map_alloc", .needs = NEED_PRIVILEGE, .run = simfail_bpf_bad_map,
	  .arg = BAD_MAP_KEY_SIZE_STACKMAP },
	{ .name = "bpf-bad-map-key-size-ringbuf", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF ring buffer with a key",
	  .fault = "ringbuf_map_alloc|map_create", .needs = NEED_PRIVILEGE,
	  .run = simfail_bpf_bad_map, .arg = BAD_MAP_KEY_SIZE_RINGBUF },
	{ .name = "bpf-bad-map-val-size-percpu-array", .group = "bpf", .expected = E2BIG,
	  .summary = "create a BPF per-CPU array of too large values",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = simfail_bpf_bad_map,
	  .arg = BAD_MAP_VAL_SIZE_PERCPU_ARRAY },
	{ .name = "bpf-bad-map-max-entries-array", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF array of no entries",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = simfail_bpf_bad_map,
	  .arg = BAD_MAP_MAX_ENTRIES_ARRAY },
	{ .name = "bpf-bad-map-max-entries-ringbuf", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF ring buffer whose size is not a power of two",
	  .fault = "ringbuf_map_alloc|map_create", .needs = NEED_PRIVILEGE,
	  .run = simfail_bpf_bad_map, .arg = BAD_MAP_MAX_ENTRIES_RINGBUF },
	{ .name = "bpf-bad-map-lookup-key", .group = "bpf", .expected = EFAULT,
	  .summary = "look up in a BPF map with a null key pointer",
	  .fault = "memdup_user|vmemdup_user", .needs = NEED_PRIVILEGE,
	  .run = simfail_bpf_bad_lookup, .arg = BAD_LOOKUP_KEY },
	{ .name = "bpf-bad-map-lookup-value", .group = "bpf", .expected = EFAULT,
	  .summary = "look up in a BPF map with a null value pointer",
	  .fault = "__x64_sys_bpf|__sys_bpf|map_lookup_elem", .needs = NEED_PRIVILEGE,
	  .run = simfail_bpf_bad_lookup, .arg = BAD_LOOKUP_VALUE },
	{ .name = "bpf-array-value-size-0", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF array of empty values",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = simfail_bpf_bad_map,
	  .arg = BAD_MAP_ARRAY_VALUE_SIZE_0 },
	{ .name = "bpf-array-max-entries-0", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF array of no entries",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = simfail_bpf_bad_map,
	  .arg = BAD_MAP_MAX_ENTRIES_ARRAY },
	{ .name = "bpf-array-bad-flags", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF array with a flag that only hashes take",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = simfail_bpf_bad_map,
	  .arg = BAD_MAP_ARRAY_FLAGS },
	{ .name = "bpf-kprobe-bad-kfunc", .group = "bpf", .expected = ENOENT,
	  .summary = "open a kprobe on a function that does not exist",
	  .fault = "register_kprobe|perf_kprobe_event_init", .needs = NEED_PRIVILEGE,
	  .run = simfail_bpf_kprobe },
	{ .name = "bpf-fentry-unsupp-func", .group = "bpf", .expected = EINVAL,
	  .summary = "load a BPF fentry program for a variadic function",
	  .fault = "btf_distill_func_proto", .needs = NEED_PRIVILEGE, .run = simfail_bpf_fentry },
	{ .name = "bpf-simple-obj", .group = "bpf", .expected = 0,
	  .summary = "create a BPF map, load a program that uses it",
	  .fault = "-", .needs = NEED_PRIVILEGE, .run = simfail_bpf_simple_obj },
	{ .name = "syscall-long-sleep", .group = "syscall", .expected = 0,
	  .summary = "sleep for a second",
	  .fault = "-", .run = long_sleep },
	{ .name = "ok-getppid", .group = "ok", .expected = 0,
	  .summary = "ask for the parent's pid: the cheapest call",
	  .fault = "-", .run = ok_getppid },
	{ .name = "ok-read", .group = "ok", .expected = 0,
	  .summary = "read a byte of /dev/zero",
	  .fault = "-", .run = ok_read },
	{ .name = "fs-open-missing", .group = "fs", .expected = ENOENT,
	  .summary = "open a file that does not exist",
	  .fault = "step_into|step_into_slowpath", .run = open_missing },
	{ .name = "fs-open-long-path", .group = "fs", .expected = ENAMETOOLONG,
	  .summary = "open a path longer than PATH_MAX",
	  .fault = "getname_flags.part.0|do_getname", .run = open_long_path },
	{ .name = "fs-open-not-dir", .group = "fs", .expected = ENOTDIR,
	  .summary = "open /dev/null as a directory",
	  .fault = "path_openat", .run = open_not_dir },
	{ .name = "fs-mkdir-exists", .group = "fs", .expected = EEXIST,
	  .summary = "make the root directory",
	  .fault = "filename_create", .run = mkdir_exists },
	/* at fault is the file system of the temporary folder: tmpfs, ramfs, ext4 */
	{ .name = "fs-rmdir-not-empty", .group = "fs", .expected = ENOTEMPTY,
	  .summary = "remove a directory that is not empty",
	  .fault = "shmem_rmdir|simple_rmdir|ext4_rmdir", .run = rmdir_not_empty },
	{ .name = "fs-symlink-loop", .group = "fs", .expected = ELOOP,
	  .summary = "open a symbolic link to itself",
	  .fault = "step_into|pick_link", .run = symlink_loop },
	{ .name = "fs-write-read-only", .group = "fs", .expected = EBADF,
	  .summary = "write to a file that is open for reading",
	  .fault = "vfs_write", .run = write_read_only },
	{ .name = "fs-bad-ioctl", .group = "fs", .expected = ENOTTY,
	  .summary = "an ioctl on a file that has none",
	  .fault = "__x64_sys_ioctl", .run = bad_ioctl },
	{ .name = "fs-mount-unknown", .group = "fs", .expected = ENODEV,
	  .summary = "mount a file system of an unknown type",
	  .fault = "path_mount", .from = "get_fs_type=NULL", .needs = NEED_PRIVILEGE,
	  .run = mount_unknown },
	{ .name = "fs-pipe-full", .group = "fs", .expected = EAGAIN,
	  .summary = "fill a non-blocking pipe",
	  .fault = "pipe_write|anon_pipe_write", .run = pipe_full },
	{ .name = "fs-pipe-empty", .group = "fs", .expected = EAGAIN,
	  .summary = "read an empty non-blocking pipe",
	  .fault = "pipe_read|anon_pipe_read", .run = pipe_empty },
	{ .name = "fs-lseek-pipe", .group = "fs", .expected = ESPIPE,
	  .summary = "seek in a pipe",
	  .fault = "no_llseek|ksys_lseek|vfs_llseek", .run = lseek_pipe },
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
	  .fault = "__x64_sys_timerfd_create", .run = bad_timerfd },
	{ .name = "cap-sethostname", .group = "cap", .expected = EPERM,
	  .summary = "set the host's name as nobody",
	  .fault = "cap_capable", .run = cap_sethostname },
	{ .name = "cap-kill", .group = "cap", .expected = EPERM,
	  .summary = "signal process 1 as nobody",
	  .fault = "cap_capable", .run = cap_kill },
	{ .name = "cap-bpf", .group = "cap", .expected = EPERM,
	  .summary = "list BPF programs as nobody",
	  .fault = "cap_capable", .run = cap_bpf },
	{ .name = "mm-mmap-empty", .group = "mm", .expected = EINVAL,
	  .summary = "map no bytes",
	  .fault = "do_mmap", .run = mmap_empty },
	{ .name = "mm-munmap-unaligned", .group = "mm", .expected = EINVAL,
	  .summary = "unmap from the middle of a page",
	  .fault = "__do_munmap|do_mas_munmap|do_vmi_munmap", .run = munmap_unaligned },
	{ .name = "mm-mprotect-unmapped", .group = "mm", .expected = ENOMEM,
	  .summary = "protect a page that is not mapped",
	  .fault = "do_mprotect_pkey", .run = mprotect_unmapped },
	{ .name = "net-connect-refused", .group = "net", .expected = ECONNREFUSED,
	  .summary = "connect to a loopback port nobody listens on",
	  .fault = "__inet_stream_connect", .run = connect_refused },
	/* on 5.10 unix_find_other returns NULL and leaves the errno to its caller */
	{ .name = "net-unix-refused", .group = "net", .expected = ECONNREFUSED,
	  .summary = "connect to a unix socket that does not exist",
	  .fault = "unix_stream_connect|unix_find_other", .run = unix_refused },
	{ .name = "net-unix-not-connected", .group = "net", .expected = ENOTCONN,
	  .summary = "ask an unconnected unix socket for its peer",
	  .fault = "unix_getname", .run = unix_not_connected },
	{ .name = "net-bind-in-use", .group = "net", .expected = EADDRINUSE,
	  .summary = "bind to a TCP port that is taken",
	  .fault = "__inet_bind|inet_csk_get_port", .run = bind_in_use },
	{ .name = "net-bad-family", .group = "net", .expected = EAFNOSUPPORT,
	  .summary = "make a socket of an unknown family",
	  .fault = "__sock_create", .run = bad_family },
	{ .name = "net-bad-sockopt", .group = "net", .expected = ENOPROTOOPT,
	  .summary = "set a socket option that does not exist",
	  .fault = "sock_setsockopt|sk_setsockopt", .run = bad_sockopt },
	{ .name = "perf-bad-breakpoint", .group = "perf", .expected = EINVAL,
	  .summary = "open a perf breakpoint of an impossible length",
	  .fault = "hw_breakpoint_arch_parse", .needs = NEED_PRIVILEGE, .run = perf_bad_breakpoint },
	/*
	 * Up to 6.1 every PMU is asked and says ENOENT, perf_swevent_init being the one that knows;
	 * 5.10 can trace none of them but hw_breakpoint_event_init.
	 */
	{ .name = "perf-bad-event", .group = "perf", .expected = ENOENT,
	  .summary = "open a software perf event that does not exist",
	  .fault = "hw_breakpoint_event_init|perf_swevent_init", .needs = NEED_PRIVILEGE,
	  .run = perf_bad_event },
	{ .name = "key-missing", .group = "key", .expected = ENOKEY,
	  .summary = "describe a key that does not exist",
	  .fault = "key_lookup", .run = key_missing },
	{ .name = "key-request", .group = "key", .expected = ENOKEY,
	  .summary = "request a key that does not exist",
	  .fault = "request_key_and_link", .from = "search_process_keyrings_rcu=EAGAIN",
	  .run = key_request },
	{ .name = "remap-ioctl", .group = "remap", .expected = ENOTTY,
	  .summary = "an unknown ioctl on a pipe: ENOIOCTLCMD becomes ENOTTY",
	  .fault = "__x64_sys_ioctl", .from = "pipe_ioctl=ENOIOCTLCMD", .run = remap_ioctl },
	{ .name = "remap-prctl", .group = "remap", .expected = EINVAL,
	  .summary = "an unknown prctl: ENOSYS becomes EINVAL",
	  .fault = "__x64_sys_prctl", .from = "security_task_prctl=ENOSYS", .run = bad_prctl },
	{ .name = "remap-eintr", .group = "remap", .expected = EINTR,
	  .summary = "a read interrupted by a signal: ERESTARTSYS becomes EINTR after the system call",
	  .fault = "-", .from = "prepare_to_wait_event=ERESTARTSYS", .run = remap_eintr },
	{ .name = "deep-epoll-loop", .group = "deep", .expected = ELOOP,
	  .summary = "close a loop of five epolls: ep_loop_check_proc inside itself, four deep",
	  .fault = "do_epoll_ctl|do_epoll_ctl_file", .run = deep_epoll_loop },
	{ .name = "deep-epoll-wake", .group = "deep", .expected = 0,
	  .summary = "wake five epolls in a chain: ep_poll_callback inside itself, five deep",
	  .fault = "-", .run = deep_epoll_wake },
	{ .name = "threads", .group = "threads", .expected = SIMFAIL_VARIOUS,
	  .summary = "8 threads named for the errno that each gets 300 times at once",
	  .fault = "-", .run = threads },
	{},
};
/* clang-format on */
