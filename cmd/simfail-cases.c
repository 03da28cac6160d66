/* SPDX-License-Identifier: BSD-2-Clause */
/* simfail's table of cases, and all of them but those of bpf(2). */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <limits.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
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
	return simfail_errno_of(open("/dev/null", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
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
	return simfail_errno_of(syscall(__NR_unshare, CLONE_PARENT_SETTID));
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

CASE(perf_bad_attr)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .__reserved_2 = 1 };

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
	return syscall(__NR_unshare, CLONE_PARENT_SETTID);
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

struct failing_thread {
	pthread_t thread;
	pthread_barrier_t *start;
	int expected;
	long (*call)(void);
	int seen;	/* expected, or the first errno that was not */
};

static void *failing_thread_run(void *arg)
{
	struct failing_thread *self = arg;
	int i;

	/* its name says what this thread fails with, so that mixing shows */
	prctl(PR_SET_NAME, strerrorname_np(self->expected));
	pthread_barrier_wait(self->start);
	for (i = 0; i < CALLS_PER_THREAD; i++) {
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
	pthread_barrier_t start;
	int i, result = SIMFAIL_VARIOUS;

	pthread_barrier_init(&start, NULL, THREADS);
	for (i = 0; i < THREADS; i++) {
		threads[i].start = &start;
		/* those already made wait for all: without one more there is no way on */
		if (pthread_create(&threads[i].thread, NULL, failing_thread_run, &threads[i])) {
			fprintf(stderr, "simfail: cannot make %d threads\n", THREADS);
			exit(1);
		}
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i].thread, NULL);
		if (threads[i].seen != threads[i].expected)
			result = threads[i].seen;
	}
	pthread_barrier_destroy(&start);
	return result;
}

const struct simfail_case simfail_cases[] = {
	{ "bpf-bad-map-type", "bpf", "create a BPF map of a type that does not exist", EINVAL,
	  "map_create|__sys_bpf|__do_sys_bpf|__x64_sys_bpf", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_TYPE },
	{ "bpf-bad-map-create-flags", "bpf", "create a BPF map with all flags set", EINVAL,
	  "bpf_get_file_flag", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_CREATE_FLAGS },
	{ "bpf-bad-map-key-size-array", "bpf", "create a BPF array whose key is not 4 bytes",
	  EINVAL, "array_map_alloc_check", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_KEY_SIZE_ARRAY },
	{ "bpf-bad-map-key-size-stackmap", "bpf", "create a BPF stack map whose key is not 4 bytes",
	  EINVAL, "stack_map_alloc", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_KEY_SIZE_STACKMAP },
	{ "bpf-bad-map-key-size-ringbuf", "bpf", "create a BPF ring buffer with a key", EINVAL,
	  "ringbuf_map_alloc", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_KEY_SIZE_RINGBUF },
	{ "bpf-bad-map-val-size-percpu-array", "bpf",
	  "create a BPF per-CPU array of too large values", E2BIG,
	  "array_map_alloc_check", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_VAL_SIZE_PERCPU_ARRAY },
	{ "bpf-bad-map-max-entries-array", "bpf", "create a BPF array of no entries", EINVAL,
	  "array_map_alloc_check", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_MAX_ENTRIES_ARRAY },
	{ "bpf-bad-map-max-entries-ringbuf", "bpf",
	  "create a BPF ring buffer whose size is not a power of two", EINVAL,
	  "ringbuf_map_alloc", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_MAX_ENTRIES_RINGBUF },
	{ "bpf-bad-map-lookup-key", "bpf", "look up in a BPF map with a null key pointer", EFAULT,
	  "vmemdup_user|memdup_user", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_lookup, BAD_LOOKUP_KEY },
	{ "bpf-bad-map-lookup-value", "bpf", "look up in a BPF map with a null value pointer",
	  EFAULT, "map_lookup_elem|__sys_bpf|__do_sys_bpf|__x64_sys_bpf", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_lookup, BAD_LOOKUP_VALUE },
	{ "bpf-array-value-size-0", "bpf", "create a BPF array of empty values", EINVAL,
	  "array_map_alloc_check", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_ARRAY_VALUE_SIZE_0 },
	{ "bpf-array-max-entries-0", "bpf", "create a BPF array of no entries", EINVAL,
	  "array_map_alloc_check", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_MAX_ENTRIES_ARRAY },
	{ "bpf-array-bad-flags", "bpf", "create a BPF array with a flag that only hashes take",
	  EINVAL, "array_map_alloc_check", NULL, NEED_PRIVILEGE,
	  simfail_bpf_bad_map, BAD_MAP_ARRAY_FLAGS },
	{ "bpf-kprobe-bad-kfunc", "bpf", "open a kprobe on a function that does not exist", ENOENT,
	  "__register_trace_kprobe|register_kprobe", NULL, NEED_PRIVILEGE,
	  simfail_bpf_kprobe, 0 },
	{ "bpf-fentry-unsupp-func", "bpf", "load a BPF fentry program for a variadic function",
	  EINVAL, "btf_distill_func_proto", NULL, NEED_PRIVILEGE,
	  simfail_bpf_fentry, 0 },
	{ "bpf-simple-obj", "bpf", "create a BPF map, load a program that uses it", 0, "-", NULL,
	  NEED_PRIVILEGE, simfail_bpf_simple_obj, 0 },

	{ "syscall-long-sleep", "syscall", "sleep for a second", 0, "-", NULL, 0, long_sleep, 0 },
	{ "ok-getppid", "ok", "ask for the parent's pid: the cheapest call", 0, "-", NULL, 0,
	  ok_getppid, 0 },
	{ "ok-read", "ok", "read a byte of /dev/zero", 0, "-", NULL, 0, ok_read, 0 },

	{ "fs-open-missing", "fs", "open a file that does not exist", ENOENT,
	  "step_into|open_last_lookups|path_openat", NULL, 0, open_missing, 0 },
	{ "fs-open-long-path", "fs", "open a path longer than PATH_MAX", ENAMETOOLONG,
	  "getname_flags", NULL, 0, open_long_path, 0 },
	{ "fs-open-not-dir", "fs", "open /dev/null as a directory", ENOTDIR,
	  "do_open|path_openat", NULL, 0, open_not_dir, 0 },
	{ "fs-mkdir-exists", "fs", "make the root directory", EEXIST, "filename_create", NULL, 0,
	  mkdir_exists, 0 },
	{ "fs-rmdir-not-empty", "fs", "remove a directory that is not empty", ENOTEMPTY, "simple_rmdir|vfs_rmdir",
	  NULL, 0, rmdir_not_empty, 0 },
	{ "fs-symlink-loop", "fs", "open a symbolic link to itself", ELOOP, "pick_link|step_into",
	  NULL, 0, symlink_loop, 0 },
	{ "fs-write-read-only", "fs", "write to a file that is open for reading", EBADF,
	  "vfs_write", NULL, 0, write_read_only, 0 },
	{ "fs-bad-ioctl", "fs", "an ioctl on a file that has none", ENOTTY,
	  "vfs_ioctl|__x64_sys_ioctl|__do_sys_ioctl", NULL, 0, bad_ioctl, 0 },
	{ "fs-mount-unknown", "fs", "mount a file system of an unknown type", ENODEV,
	  "do_new_mount|path_mount", "get_fs_type=NULL", NEED_PRIVILEGE, mount_unknown, 0 },
	{ "fs-pipe-full", "fs", "fill a non-blocking pipe", EAGAIN, "pipe_write", NULL, 0,
	  pipe_full, 0 },
	{ "fs-pipe-empty", "fs", "read an empty non-blocking pipe", EAGAIN, "pipe_read", NULL, 0,
	  pipe_empty, 0 },
	{ "fs-lseek-pipe", "fs", "seek in a pipe", ESPIPE,
	  "no_llseek|vfs_llseek|ksys_lseek|__x64_sys_lseek|__do_sys_lseek", NULL, 0, lseek_pipe, 0 },

	{ "proc-exec-missing", "proc", "execute a file that does not exist", ENOENT,
	  "step_into|open_last_lookups|path_openat", NULL, 0, exec_missing, 0 },
	{ "proc-exec-dir", "proc", "execute a directory", EACCES, "may_open|do_open", NULL, 0,
	  exec_dir, 0 },
	{ "proc-exec-garbage", "proc", "execute a file of no known format", ENOEXEC,
	  "load_elf_binary|load_script", NULL, 0, exec_garbage, 0 },
	{ "proc-exec-script-loop", "proc", "execute a script that is its own interpreter", ELOOP,
	  "bprm_execve|exec_binprm", NULL, 0, exec_script_loop, 0 },
	{ "proc-wait-no-child", "proc", "wait for a child there is not", ECHILD,
	  "do_wait|kernel_wait4", NULL, 0, wait_no_child, 0 },
	{ "proc-kill-missing", "proc", "signal a process that does not exist", ESRCH,
	  "kill_pid_info|kill_something_info", NULL, 0, kill_missing, 0 },
	{ "proc-ptrace-self", "proc", "trace oneself", EPERM, "ptrace_attach", NULL, 0,
	  ptrace_self, 0 },
	{ "proc-bad-unshare", "proc", "unshare with a flag it does not take", EINVAL,
	  "ksys_unshare", NULL, 0, bad_unshare, 0 },
	{ "proc-bad-timerfd", "proc", "make a timer on a clock that does not exist", EINVAL,
	  "__x64_sys_timerfd_create|__do_sys_timerfd_create", NULL, 0, bad_timerfd, 0 },
	{ "cap-sethostname", "cap", "set the host's name as nobody", EPERM, "cap_capable", NULL, 0,
	  cap_sethostname, 0 },
	{ "cap-kill", "cap", "signal process 1 as nobody", EPERM, "check_kill_permission", NULL, 0,
	  cap_kill, 0 },

	{ "mm-mmap-empty", "mm", "map no bytes", EINVAL, "do_mmap", NULL, 0, mmap_empty, 0 },
	{ "mm-munmap-unaligned", "mm", "unmap from the middle of a page", EINVAL,
	  "do_vmi_munmap|__do_munmap", NULL, 0, munmap_unaligned, 0 },
	{ "mm-mprotect-unmapped", "mm", "protect a page that is not mapped", ENOMEM,
	  "do_mprotect_pkey", NULL, 0, mprotect_unmapped, 0 },

	{ "net-connect-refused", "net", "connect to a loopback port nobody listens on",
	  ECONNREFUSED, "__inet_stream_connect", NULL, 0, connect_refused, 0 },
	{ "net-unix-refused", "net", "connect to a unix socket that does not exist", ECONNREFUSED,
	  "unix_find_abstract|unix_find_other|unix_stream_connect", NULL, 0, unix_refused, 0 },
	{ "net-unix-not-connected", "net", "ask an unconnected unix socket for its peer", ENOTCONN,
	  "unix_getname", NULL, 0, unix_not_connected, 0 },
	{ "net-bind-in-use", "net", "bind to a TCP port that is taken", EADDRINUSE,
	  "inet_csk_get_port|__inet_bind", NULL, 0, bind_in_use, 0 },
	{ "net-bad-family", "net", "make a socket of an unknown family", EAFNOSUPPORT,
	  "__sock_create", NULL, 0, bad_family, 0 },
	{ "net-bad-sockopt", "net", "set a socket option that does not exist", ENOPROTOOPT,
	  "sk_setsockopt|sock_setsockopt", NULL, 0, bad_sockopt, 0 },

	{ "perf-bad-attr", "perf", "open a perf event with a reserved field set", EINVAL,
	  "perf_copy_attr|__x64_sys_perf_event_open|__do_sys_perf_event_open", NULL,
	  NEED_PRIVILEGE, perf_bad_attr, 0 },
	{ "perf-bad-event", "perf", "open a software perf event that does not exist", ENOENT,
	  "perf_swevent_init", NULL, NEED_PRIVILEGE, perf_bad_event, 0 },
	{ "key-missing", "key", "describe a key that does not exist", ENOKEY, "key_lookup", NULL,
	  0, key_missing, 0 },
	{ "key-request", "key", "request a key that does not exist", ENOKEY,
	  "request_key_and_link", "search_process_keyrings_rcu=EAGAIN", 0, key_request, 0 },

	{ "remap-ioctl", "remap", "an unknown ioctl on a pipe: ENOIOCTLCMD becomes ENOTTY", ENOTTY,
	  "vfs_ioctl|__x64_sys_ioctl|__do_sys_ioctl", "pipe_ioctl=ENOIOCTLCMD", 0, remap_ioctl, 0 },
	{ "remap-prctl", "remap", "an unknown prctl: ENOSYS becomes EINVAL", EINVAL,
	  "__x64_sys_prctl|__do_sys_prctl", "security_task_prctl=ENOSYS", 0, bad_prctl, 0 },
	{ "remap-eintr", "remap",
	  "a read interrupted by a signal: ERESTARTSYS becomes EINTR after the system call", EINTR,
	  "-", "pipe_read=ERESTARTSYS", 0, remap_eintr, 0 },

	{ "deep-epoll-loop", "deep",
	  "close a loop of five epolls: ep_loop_check_proc calls itself five deep", ELOOP,
	  "do_epoll_ctl", "ep_loop_check_proc=-1", 0, deep_epoll_loop, 0 },
	{ "deep-epoll-wake", "deep",
	  "wake five epolls in a chain: ep_poll_callback calls itself five deep", 0, "-", NULL, 0,
	  deep_epoll_wake, 0 },
	{ "threads", "threads", "8 threads named for the errno that each gets 300 times at once",
	  SIMFAIL_VARIOUS, "-", NULL, 0, threads, 0 },
	{},
};
