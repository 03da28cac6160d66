// SPDX-License-Identifier: BSD-2-Clause
/*
 * A library to preload: one call of a kind fails. $FAULT_KIND is malloc, open, read, write or mmap,
 * $FAULT_AT the number of the call, from 1; 0: none fails. The number of calls that were made is
 * written to descriptor 9 at the end, if that is open.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
	begun = true;
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

ssize_t read(int fd, void *data, size_t size)
{
	NEXT(read);
	return fails(READ, EIO) ? -1 : next_read(fd, data, size);
}

ssize_t pread64(int fd, void *data, size_t size, off64_t at)
{
	NEXT(pread64);
	return fails(READ, EIO) ? -1 : next_pread64(fd, data, size, at);
}

ssize_t write(int fd, const void *data, size_t size)
{
	NEXT(write);
	return fails(WRITE, ENOSPC) ? -1 : next_write(fd, data, size);
}

void *mmap64(void *addr, size_t size, int prot, int flags, int fd, off64_t at)
{
	NEXT(mmap64);
	return fails(MMAP, ENOMEM) ? MAP_FAILED : next_mmap64(addr, size, prot, flags, fd, at);
}

void *mmap(void *addr, size_t size, int prot, int flags, int fd, off_t at)
{
	NEXT(mmap);
	return fails(MMAP, ENOMEM) ? MAP_FAILED : next_mmap(addr, size, prot, flags, fd, at);
}
