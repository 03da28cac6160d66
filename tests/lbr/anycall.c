// SPDX-License-Identifier: BSD-2-Clause
/*
 * Makes one system call with arguments drawn from a seed, most of them wrong: failing calls that nobody thought
 * of, for tests/lbr/oracle. Only for a machine that can be thrown away.
 *
 * anycall -l FIRST COUNT	tries these seeds, and prints "SEED ERRNO SYSCALL" for those that fail in a way of which
 *				there are not yet enough
 * anycall SEED			makes its call
 *
 * Exit status: 0, whatever the call did; 2 usage; 3 the things to call on cannot be made.
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/base/macros.h"
#include "util/base/text/errnames.h"

/* Open descriptors have numbers from here on, the same in each process. */
#define FIRST_FD 40

/* Of a system call, with one errno; and with this errno. */
#define ENOUGH_OF_A_KIND 2
#define ENOUGH_OF_AN_ERRNO 12

/* What an argument is drawn from. */
enum kind {
	NOTHING,
	DESCRIPTOR,
	DIRECTORY,	/* a descriptor for *at() */
	PATH,
	WORD,		/* a short string, of a file system's or a key's type, or a name */
	BITS,		/* flags */
	SMALL,		/* a number from 0 to 70 */
	SIZE,
	MEMORY,		/* a page with something in it */
	ADDRESS,	/* of memory to map or to change, on page bounds or off */
	PROCESS,
	SIGNAL,		/* one that does nothing */
	LEVEL,		/* of a socket option */
	REQUEST,	/* of ioctl() */
};

static const struct call {
	const char *name;
	long nr;
	enum kind args[6];
} calls[] = {
#define CALL(name, ...) { #name, SYS_##name, { __VA_ARGS__ } }
	CALL(openat, DIRECTORY, PATH, BITS, SMALL),
	CALL(openat2, DIRECTORY, PATH, MEMORY, SIZE),
	CALL(mkdirat, DIRECTORY, PATH, SMALL),
	CALL(mknodat, DIRECTORY, PATH, BITS, SMALL),
	CALL(unlinkat, DIRECTORY, PATH, BITS),
	CALL(symlinkat, PATH, DIRECTORY, PATH),
	CALL(linkat, DIRECTORY, PATH, DIRECTORY, PATH, BITS),
	CALL(renameat2, DIRECTORY, PATH, DIRECTORY, PATH, SMALL),
	CALL(readlinkat, DIRECTORY, PATH, MEMORY, SIZE),
	CALL(fchmodat, DIRECTORY, PATH, BITS),
	CALL(fchownat, DIRECTORY, PATH, SMALL, SMALL, BITS),
	CALL(faccessat, DIRECTORY, PATH, SMALL),
	CALL(utimensat, DIRECTORY, PATH, MEMORY, BITS),
	CALL(statx, DIRECTORY, PATH, BITS, BITS, MEMORY),
	CALL(name_to_handle_at, DIRECTORY, PATH, MEMORY, MEMORY, BITS),
	CALL(open_by_handle_at, DIRECTORY, MEMORY, BITS),
	CALL(truncate, PATH, SIZE),
	CALL(statfs, PATH, MEMORY),
	CALL(chdir, PATH),
	CALL(chroot, PATH),
	CALL(execve, PATH, MEMORY, MEMORY),
	CALL(setxattr, PATH, WORD, MEMORY, SIZE, SMALL),
	CALL(getxattr, PATH, WORD, MEMORY, SIZE),
	CALL(removexattr, PATH, WORD),
	CALL(fsetxattr, DESCRIPTOR, WORD, MEMORY, SIZE, SMALL),
	CALL(read, DESCRIPTOR, MEMORY, SIZE),
	CALL(write, DESCRIPTOR, MEMORY, SIZE),
	CALL(pread64, DESCRIPTOR, MEMORY, SIZE, SIZE),
	CALL(pwritev2, DESCRIPTOR, MEMORY, SMALL, SIZE, NOTHING, BITS),
	CALL(readv, DESCRIPTOR, MEMORY, SMALL),
	CALL(lseek, DESCRIPTOR, SIZE, SMALL),
	CALL(ftruncate, DESCRIPTOR, SIZE),
	CALL(fallocate, DESCRIPTOR, BITS, SIZE, SIZE),
	CALL(fadvise64, DESCRIPTOR, SIZE, SIZE, SMALL),
	CALL(readahead, DESCRIPTOR, SIZE, SIZE),
	CALL(sync_file_range, DESCRIPTOR, SIZE, SIZE, BITS),
	CALL(fsync, DESCRIPTOR),
	CALL(flock, DESCRIPTOR, SMALL),
	CALL(fcntl, DESCRIPTOR, SMALL, SMALL),
	CALL(getdents64, DESCRIPTOR, MEMORY, SIZE),
	CALL(fchdir, DESCRIPTOR),
	CALL(dup3, DESCRIPTOR, DESCRIPTOR, BITS),
	CALL(ioctl, DESCRIPTOR, REQUEST, MEMORY),
	CALL(splice, DESCRIPTOR, NOTHING, DESCRIPTOR, NOTHING, SIZE, BITS),
	CALL(tee, DESCRIPTOR, DESCRIPTOR, SIZE, BITS),
	CALL(sendfile, DESCRIPTOR, DESCRIPTOR, NOTHING, SIZE),
	CALL(copy_file_range, DESCRIPTOR, NOTHING, DESCRIPTOR, NOTHING, SIZE, BITS),
	CALL(pipe2, MEMORY, BITS),
	CALL(eventfd2, SMALL, BITS),
	CALL(epoll_create1, BITS),
	CALL(epoll_ctl, DESCRIPTOR, SMALL, DESCRIPTOR, MEMORY),
	CALL(inotify_add_watch, DESCRIPTOR, PATH, BITS),
	CALL(inotify_rm_watch, DESCRIPTOR, SMALL),
	CALL(fanotify_init, BITS, BITS),
	CALL(fanotify_mark, DESCRIPTOR, BITS, BITS, DIRECTORY, PATH),
	CALL(timerfd_create, SMALL, BITS),
	CALL(timerfd_settime, DESCRIPTOR, BITS, MEMORY, MEMORY),
	CALL(timer_create, SMALL, MEMORY, MEMORY),
	CALL(timer_settime, SMALL, BITS, MEMORY, MEMORY),
	CALL(clock_gettime, SMALL, MEMORY),
	CALL(clock_nanosleep, SMALL, BITS, MEMORY, MEMORY),
	CALL(memfd_create, WORD, BITS),
	CALL(userfaultfd, BITS),
	CALL(perf_event_open, MEMORY, PROCESS, SMALL, DESCRIPTOR, BITS),
	CALL(bpf, SMALL, MEMORY, SIZE),
	CALL(io_uring_setup, SIZE, MEMORY),
	CALL(seccomp, SMALL, BITS, MEMORY),
	CALL(landlock_create_ruleset, MEMORY, SIZE, BITS),
	CALL(landlock_add_rule, DESCRIPTOR, SMALL, MEMORY, BITS),
	CALL(socket, SMALL, SMALL, SMALL),
	CALL(socketpair, SMALL, SMALL, SMALL, MEMORY),
	CALL(bind, DESCRIPTOR, MEMORY, SMALL),
	CALL(connect, DESCRIPTOR, MEMORY, SMALL),
	CALL(listen, DESCRIPTOR, SMALL),
	CALL(accept4, DESCRIPTOR, MEMORY, MEMORY, BITS),
	CALL(sendto, DESCRIPTOR, MEMORY, SIZE, BITS, MEMORY, SMALL),
	CALL(recvfrom, DESCRIPTOR, MEMORY, SIZE, BITS, MEMORY, MEMORY),
	CALL(sendmsg, DESCRIPTOR, MEMORY, BITS),
	CALL(setsockopt, DESCRIPTOR, LEVEL, SMALL, MEMORY, SMALL),
	CALL(getsockopt, DESCRIPTOR, LEVEL, SMALL, MEMORY, MEMORY),
	CALL(shutdown, DESCRIPTOR, SMALL),
	CALL(getsockname, DESCRIPTOR, MEMORY, MEMORY),
	CALL(getpeername, DESCRIPTOR, MEMORY, MEMORY),
	CALL(mmap, ADDRESS, SIZE, SMALL, BITS, DESCRIPTOR, SIZE),
	CALL(mprotect, ADDRESS, SIZE, SMALL),
	CALL(mremap, ADDRESS, SIZE, SIZE, SMALL, ADDRESS),
	CALL(madvise, ADDRESS, SIZE, SMALL),
	CALL(mlock2, ADDRESS, SIZE, SMALL),
	CALL(msync, ADDRESS, SIZE, SMALL),
	CALL(mincore, ADDRESS, SIZE, MEMORY),
	CALL(mbind, ADDRESS, SIZE, SMALL, MEMORY, SIZE, SMALL),
	CALL(set_mempolicy, SMALL, MEMORY, SIZE),
	CALL(move_pages, PROCESS, SMALL, MEMORY, MEMORY, MEMORY, SMALL),
	CALL(membarrier, BITS, SMALL, SMALL),
	CALL(process_vm_readv, PROCESS, MEMORY, SMALL, MEMORY, SMALL, SMALL),
	CALL(process_madvise, DESCRIPTOR, MEMORY, SMALL, SMALL, BITS),
	CALL(kcmp, PROCESS, PROCESS, SMALL, DESCRIPTOR, DESCRIPTOR),
	CALL(kill, PROCESS, SIGNAL),
	CALL(tgkill, PROCESS, PROCESS, SIGNAL),
	CALL(pidfd_open, PROCESS, BITS),
	CALL(pidfd_send_signal, DESCRIPTOR, SIGNAL, MEMORY, BITS),
	CALL(pidfd_getfd, DESCRIPTOR, DESCRIPTOR, BITS),
	CALL(waitid, SMALL, PROCESS, MEMORY, BITS, MEMORY),
	CALL(setns, DESCRIPTOR, BITS),
	CALL(unshare, BITS),
	CALL(setpgid, PROCESS, PROCESS),
	CALL(getsid, PROCESS),
	CALL(setpriority, SMALL, PROCESS, SMALL),
	CALL(ioprio_set, SMALL, PROCESS, BITS),
	CALL(prlimit64, PROCESS, SMALL, MEMORY, MEMORY),
	CALL(sched_setscheduler, PROCESS, SMALL, MEMORY),
	CALL(sched_setattr, PROCESS, MEMORY, SMALL),
	CALL(sched_setaffinity, PROCESS, SIZE, MEMORY),
	CALL(sched_getaffinity, PROCESS, SIZE, MEMORY),
	CALL(prctl, SMALL, SMALL, MEMORY, SMALL, SMALL),
	CALL(capget, MEMORY, MEMORY),
	CALL(capset, MEMORY, MEMORY),
	CALL(ptrace, SMALL, PROCESS, MEMORY, MEMORY),
	CALL(futex, MEMORY, SMALL, SMALL, MEMORY, MEMORY, SMALL),
	CALL(get_robust_list, PROCESS, MEMORY, MEMORY),
	CALL(rseq, MEMORY, SMALL, BITS, SMALL),
	CALL(rt_sigaction, SMALL, MEMORY, MEMORY, SMALL),
	CALL(rt_sigprocmask, SMALL, MEMORY, MEMORY, SMALL),
	CALL(sigaltstack, MEMORY, MEMORY),
	CALL(mount, PATH, PATH, WORD, BITS, WORD),
	CALL(umount2, PATH, BITS),
	CALL(pivot_root, PATH, PATH),
	CALL(open_tree, DIRECTORY, PATH, BITS),
	CALL(move_mount, DIRECTORY, PATH, DIRECTORY, PATH, BITS),
	CALL(fsopen, WORD, BITS),
	CALL(fsconfig, DESCRIPTOR, SMALL, WORD, WORD, SMALL),
	CALL(fspick, DIRECTORY, PATH, BITS),
	CALL(mount_setattr, DIRECTORY, PATH, BITS, MEMORY, SIZE),
	CALL(swapon, PATH, BITS),
	CALL(quotactl, BITS, PATH, SMALL, MEMORY),
	CALL(init_module, MEMORY, SIZE, WORD),
	CALL(finit_module, DESCRIPTOR, WORD, BITS),
	CALL(delete_module, WORD, BITS),
	CALL(add_key, WORD, WORD, MEMORY, SIZE, SMALL),
	CALL(request_key, WORD, WORD, WORD, SMALL),
	CALL(keyctl, SMALL, SMALL, MEMORY, SIZE, SMALL),
	CALL(shmget, SMALL, SIZE, BITS),
	CALL(shmat, SMALL, ADDRESS, BITS),
	CALL(shmctl, SMALL, SMALL, MEMORY),
	CALL(semget, SMALL, SIZE, BITS),
	CALL(semctl, SMALL, SMALL, SMALL, MEMORY),
	CALL(msgget, SMALL, BITS),
	CALL(msgsnd, SMALL, MEMORY, SIZE, BITS),
	CALL(mq_open, WORD, BITS, SMALL, MEMORY),
	CALL(mq_unlink, WORD),
	CALL(getcpu, MEMORY, MEMORY),
	CALL(getrandom, MEMORY, SIZE, BITS),
	CALL(syslog, SMALL, MEMORY, SIZE),
	CALL(personality, BITS),
	CALL(acct, PATH),
};

static uint64_t state;

/* splitmix64: any seed gives a good sequence. */
static uint64_t draw(uint64_t limit)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return (z ^ (z >> 31)) % limit;
}

#define ONE_OF(array) ((array)[draw(ARRAY_SIZE(array))])

static unsigned int nr_fds;

static void keep(int fd)
{
	if (fd < 0 || dup2(fd, FIRST_FD + (int)nr_fds) < 0) {
		fprintf(stderr, "anycall: descriptor %u: %s\n", nr_fds, strerror(errno));
		exit(3);
	}
	close(fd);
	nr_fds++;
}

static void make_things(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "socket" };
	char directory[] = "/tmp/anycall-XXXXXX";
	int ends[2], fd;

	if (!mkdtemp(directory) || chdir(directory)) {
		perror("anycall: /tmp");
		exit(3);
	}
	/* What it mounts is gone with it. */
	if (unshare(CLONE_NEWNS) || mkdir("dir", 0700) || mkdir("dir/sub", 0) || symlink("loop", "loop") ||
	    symlink("file", "link") || mkfifo("fifo", 0600) ||
	    mknod("null", S_IFCHR | 0666, makedev(1, 3))) {
		perror("anycall: files");
		exit(3);
	}
	keep(open("file", O_RDWR | O_CREAT | O_EXCL, 0600));
	keep(open("file", O_RDONLY));
	keep(open("file", O_PATH));
	keep(open("dir", O_RDONLY | O_DIRECTORY));
	if (pipe2(ends, O_NONBLOCK))
		exit(3);
	keep(ends[0]);
	keep(ends[1]);
	keep(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
	keep(socket(AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK, 0));
	keep(socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK, 0));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 1))
		exit(3);
	keep(fd);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends))
		exit(3);
	keep(ends[0]);
	keep(ends[1]);
	keep(epoll_create1(0));
	keep(eventfd(0, EFD_NONBLOCK));
	keep(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK));
	keep(inotify_init1(IN_NONBLOCK));
	keep(memfd_create("memory", MFD_ALLOW_SEALING));
	keep(open("null", O_RDWR));
	keep(open("/proc/self/status", O_RDONLY));
	keep(open("/proc/self/ns/mnt", O_RDONLY));
	keep((int)syscall(SYS_pidfd_open, getpid(), 0));
}

static long draw_descriptor(void)
{
	if (!draw(12))
		return draw(2) ? -1 : 9999;
	return FIRST_FD + (long)draw(nr_fds);
}

static const char *draw_path(void)
{
	static char too_long[400];
	static const char *const paths[] = {
		"file", "file", "dir", "dir", "dir/sub", "none", "none/none", "file/x", "loop", "link", "fifo", "socket", ".",
		"..", "/", "/proc", "/proc/self/status", "/proc/self/fd", "/proc/self/mem", "null", "null",
		"/sys/kernel", "", too_long,
	};

	memset(too_long, 'a', sizeof(too_long) - 1);
	return draw(25) ? ONE_OF(paths) : NULL;
}

static const char *draw_word(void)
{
	static const char *const words[] = {
		"tmpfs", "proc", "nosuch", "overlay", "keyring", "user", "logon", "name", "/name", "user.x", "trusted.y",
		"security.z", "system.posix_acl_access", "size=1k", "mode=9", "", "a/b", "source", "ro",
	};

	return draw(25) ? ONE_OF(words) : NULL;
}

static uint64_t draw_bits(void)
{
	switch (draw(5)) {
	case 0:
		return 0;
	case 1:
		return 1ULL << draw(32);
	case 2:
		return (1ULL << draw(20)) | (1ULL << draw(20));
	case 3:
		return draw(16);
	default:
		return draw(1ULL << 32);
	}
}

static uint64_t draw_size(void)
{
	static const uint64_t sizes[] = {
		0, 1, 4, 8, 16, 24, 64, 88, 128, 4095, 4096, 8192, 65536, 1 << 20, 1ULL << 31, 1ULL << 40,
		1ULL << 63, -1ULL, -4096ULL, 12345,
	};

	return ONE_OF(sizes);
}

/* Pages of their own, so that a call may do with them what it likes. */
static void *draw_memory(void)
{
	uint32_t *page = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t how = draw(6);

	if (page == MAP_FAILED)
		exit(3);
	if (!draw(12))
		return draw(2) ? NULL : (void *)8;
	for (uint32_t i = 0; how && i < 64; i++)
		page[i] = how == 1 ? draw(1ULL << 32) : how == 2 ? draw(1 << 17) : how == 3 ? draw(4) : draw(40) * draw(2);
	/* Mostly an address, a length, or a size that the structure begins with. */
	if (draw(2))
		page[0] = draw(2) ? draw(130) : draw(40);
	return page;
}

static uint64_t draw_address(void)
{
	uint64_t page = (uintptr_t)draw_memory();

	switch (draw(6)) {
	case 0:
		return 0;
	case 1:
		return page + 100;
	case 2:
		return -4096ULL;
	default:
		return page & ~4095ULL;
	}
}

static long draw_process(void)
{
	switch (draw(5)) {
	case 0:
		return -5;
	case 1:
		return 4000000 - 7;
	case 2:
		return 2;	/* a kernel thread */
	default:
		return getpid();
	}
}

static long draw_argument(enum kind kind)
{
	static const int levels[] = { SOL_SOCKET, IPPROTO_IP, IPPROTO_TCP, IPPROTO_IPV6, 270, 263, 77 };
	static const unsigned long requests[] = {
		0x5401, FIONREAD, FIONBIO, FIOASYNC, SIOCGIFADDR, SIOCSIFFLAGS, SIOCGIFINDEX, SIOCADDRT, 0x5413, 0x5423,
		0x80086601, 0x40086602, 0xc020660b, 0x40049409, 0x1260, 0xc0045877, 0x2400, 0xb701, 0x541b, 0x40087703,
	};

	switch (kind) {
	case NOTHING:
		return 0;
	case DESCRIPTOR:
		return draw_descriptor();
	case DIRECTORY:
		return draw(3) ? AT_FDCWD : draw_descriptor();
	case PATH:
		return (long)draw_path();
	case WORD:
		return (long)draw_word();
	case BITS:
		return (long)draw_bits();
	case SMALL:
		return draw(3) ? (long)draw(8) : (long)draw(71);
	case SIZE:
		return (long)draw_size();
	case MEMORY:
		return (long)draw_memory();
	case ADDRESS:
		return (long)draw_address();
	case PROCESS:
		return draw_process();
	case SIGNAL:
		return draw(2) ? 0 : 65 + (long)draw(5);
	case LEVEL:
		return ONE_OF(levels);
	case REQUEST:
		return draw(4) ? (long)ONE_OF(requests) : (long)draw_bits();
	}
	return 0;
}

/* The seed's call. */
static const struct call *call_of(uint64_t seed)
{
	state = seed;
	return &ONE_OF(calls);
}

/* Make the seed's call. Its errno, or 0. */
static int make_call(uint64_t seed)
{
	const struct call *call;
	long args[6];

	make_things();
	call = call_of(seed);
	for (int i = 0; i < 6; i++)
		args[i] = draw_argument(call->args[i]);
	alarm(3);
	errno = 0;
	return syscall(call->nr, args[0], args[1], args[2], args[3], args[4], args[5]) == -1 ? errno : 0;
}

/* In a process of its own. 0: it does not fail, or ended in another way. */
static int try(uint64_t seed)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		/* Whatever it writes to standard output is no list. */
		dup2(2, 1);
		_exit(make_call(seed));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 0;
	return WEXITSTATUS(status);
}

static int list(uint64_t first, uint64_t count)
{
	static unsigned int of_kind[ARRAY_SIZE(calls)][256], of_errno[256];
	const struct call *call;
	const char *name;
	int err;

	for (uint64_t seed = first; seed - first < count; seed++) {
		call = call_of(seed);
		err = try(seed);
		name = errno_name(err);
		if (!err || !name || of_kind[call - calls][err] >= ENOUGH_OF_A_KIND ||
		    of_errno[err] >= (err == EINVAL ? 4 * ENOUGH_OF_AN_ERRNO : ENOUGH_OF_AN_ERRNO))
			continue;
		of_kind[call - calls][err]++;
		of_errno[err]++;
		printf("%llu %s %s\n", (unsigned long long)seed, name, call->name);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "-l"))
		return list(strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0));
	if (argc != 2) {
		fprintf(stderr, "usage: anycall SEED | -l FIRST COUNT\n");
		return 2;
	}
	make_call(strtoull(argv[1], NULL, 0));
	return 0;
}
