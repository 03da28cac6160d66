// SPDX-License-Identifier: BSD-2-Clause
/*
 * A library to preload: one call of a kind fails. $FAULT_KIND is malloc, open, read, write or mmap,
 * $FAULT_AT the number of the call, from 1; 0: none fails. The number of calls that were made is
 * written to descriptor 9 at the end, if that is open. Writes to standard error do not fail.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define COUNT_FD 9

enum kind { NONE, MALLOC, OPEN, READ, WRITE, MMAP };

static enum kind failing;
static long fail_at, calls;
static bool begun, spared;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nr, size_t size);
void *__libc_realloc(void *old, size_t size);

#define NEXT(fn)                                                                                   \
	static __typeof__(&fn) next_##fn;                                                          \
	if (!next_##fn)                                                                            \
		next_##fn = (__typeof__(&fn))dlsym(RTLD_NEXT, #fn)

static bool fails(enum kind kind, int err)
{
	if (!begun || spared || kind != failing || __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != fail_at)
		return false;
	errno = err;
	return true;
}

static void __attribute__((destructor)) end(void)
{
	begun = false;
	dprintf(COUNT_FD, "%ld\n", calls);
}

void *malloc(size_t size)
{
	return fails(MALLOC, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t nr, size_t size)
{
	return fails(MALLOC, ENOMEM) ? NULL : __libc_calloc(nr, size);
}

void *realloc(void *old, size_t size)
{
	return fails(MALLOC, ENOMEM) ? NULL : __libc_realloc(old, size);
}

/* btf_dump__free() of libbpf 1.1 crashes on what this one left half made. */
struct btf_dump *btf_dump__new(const void *btf, void *printf_fn, void *ctx, const void *opts)
{
	struct btf_dump *dump;

	NEXT(btf_dump__new);
	spared = true;
	dump = next_btf_dump__new(btf, printf_fn, ctx, opts);
	spared = false;
	return dump;
}

#define MODE                                                                                       \
	va_list args;                                                                              \
	mode_t mode;                                                                               \
                                                                                                   \
	va_start(args, flags);                                                                     \
	mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;                         \
	va_end(args)

int open64(const char *path, int flags, ...)
{
	NEXT(open64);
	MODE;
	return fails(OPEN, EACCES) ? -1 : next_open64(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	NEXT(open);
	MODE;
	return fails(OPEN, EACCES) ? -1 : next_open(path, flags, mode);
}

int openat64(int dir, const char *path, int flags, ...)
{
	NEXT(openat64);
	MODE;
	return fails(OPEN, EACCES) ? -1 : next_openat64(dir, path, flags, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
	NEXT(fopen64);
	return fails(OPEN, EACCES) ? NULL : next_fopen64(path, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	NEXT(fopen);
	return fails(OPEN, EACCES) ? NULL : next_fopen(path, mode);
}

/*
 * The C library reads, writes and maps without calling a function that can be taken over. So those system
 * calls are trapped, and the handler makes them with an instruction that is not.
 */
long real_syscall(long nr, long a, long b, long c, long d, long e, long f);
extern const char after_real_syscall[];

#if defined(__x86_64__)
__asm__(".text\n"
	".globl real_syscall, after_real_syscall\n"
	"real_syscall:\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	mov %rdx, %rsi\n"
	"	mov %rcx, %rdx\n"
	"	mov %r8, %r10\n"
	"	mov %r9, %r8\n"
	"	mov 8(%rsp), %r9\n"
	"	syscall\n"
	"after_real_syscall:\n"
	"	ret\n");
#define ARGS(regs)                                                                                 \
	(regs)->gregs[REG_RDI], (regs)->gregs[REG_RSI], (regs)->gregs[REG_RDX],                    \
		(regs)->gregs[REG_R10], (regs)->gregs[REG_R8], (regs)->gregs[REG_R9]
#define FIRST_ARG(regs) ((regs)->gregs[REG_RDI])
#define RESULT(regs)    ((regs)->gregs[REG_RAX])
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl real_syscall, after_real_syscall\n"
	"real_syscall:\n"
	"	mov x8, x0\n"
	"	mov x0, x1\n"
	"	mov x1, x2\n"
	"	mov x2, x3\n"
	"	mov x3, x4\n"
	"	mov x4, x5\n"
	"	mov x5, x6\n"
	"	svc #0\n"
	"after_real_syscall:\n"
	"	ret\n");
#define ARGS(context)                                                                              \
	(context)->regs[0], (context)->regs[1], (context)->regs[2], (context)->regs[3],            \
		(context)->regs[4], (context)->regs[5]
#define FIRST_ARG(context) ((context)->regs[0])
#define RESULT(context)    ((context)->regs[0])
#else
#error "how does this CPU make system calls?"
#endif

static const struct trap {
	enum kind kind;
	int nr, err;
} traps[] = {
	{ READ, SYS_read, EIO },      { READ, SYS_pread64, EIO },	{ READ, SYS_readv, EIO },
	{ WRITE, SYS_write, ENOSPC }, { WRITE, SYS_pwrite64, ENOSPC }, { WRITE, SYS_writev, ENOSPC },
	{ MMAP, SYS_mmap, ENOMEM },
};

#define NR_TRAPS (sizeof(traps) / sizeof(*traps))

static void on_trap(int signal, siginfo_t *info, void *data)
{
	mcontext_t *context = &((ucontext_t *)data)->uc_mcontext;
	int saved = errno;

	(void)signal;
	for (size_t i = 0; i < NR_TRAPS; i++) {
		/* Messages arrive. */
		if (traps[i].nr != info->si_syscall ||
		    (traps[i].kind == WRITE && FIRST_ARG(context) == STDERR_FILENO))
			continue;
		if (fails(traps[i].kind, traps[i].err)) {
			RESULT(context) = -traps[i].err;
			errno = saved;
			return;
		}
	}
	RESULT(context) = real_syscall(info->si_syscall, ARGS(context));
	errno = saved;
}

static void set_traps(void)
{
	uint64_t after = (uintptr_t)after_real_syscall;
	struct sock_filter filter[6 + 2 * NR_TRAPS + 1] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)after, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(after >> 32), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = { .len = 6, .filter = filter };
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER };

	for (size_t i = 0; i < NR_TRAPS; i++) {
		if (traps[i].kind != failing)
			continue;
		filter[program.len++] = (struct sock_filter)
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, traps[i].nr, 0, 1);
		filter[program.len++] = (struct sock_filter)
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
	}
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (sigaction(SIGSYS, &action, NULL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("faults: cannot trap system calls");
		_exit(99);
	}
}

/* After the loader is done. */
static void __attribute__((constructor)) begin(void)
{
	static const char *const kinds[] = { "none", "malloc", "open", "read", "write", "mmap" };
	const char *kind = getenv("FAULT_KIND"), *at = getenv("FAULT_AT");

	for (int i = 1; kind && i < 6; i++) {
		if (!strcmp(kind, kinds[i]))
			failing = i;
	}
	fail_at = at ? atol(at) : 0;
	if (failing == READ || failing == WRITE || failing == MMAP)
		set_traps();
	begun = true;
}
