/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain calls on memory, and on memory, queues and semaphores that processes share. */
#define _GNU_SOURCE 1
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "plain_call.h"

static char buffer[256];
static const struct {
	long type;
	char text[8];
} message = { .type = -1 };

/* clang-format off */
const struct simfail_case simfail_plain_memory_cases[] = {
	PLAIN("mmap-closed", EBADF, "map a closed descriptor",
	      ON_NOTHING, mmap, 0, 4096, PROT_READ, MAP_PRIVATE, 9999, 0),
	PLAIN("mmap-kind", EINVAL, "map neither shared nor private",
	      ON_NULL, mmap, 0, 4096, PROT_READ, 0, THING, 0),
	PLAIN("mmap-offset", EINVAL, "map from the middle of a page",
	      ON_MEMFD, mmap, 0, 4096, PROT_READ, MAP_PRIVATE, THING, 5),
	PLAIN("mmap-huge", ENOMEM, "map more than there are addresses",
	      ON_NOTHING, mmap, 0, 1L << 60, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
	PLAIN("mmap-overflow", EOVERFLOW, "map beyond the largest position of a file",
	      ON_MEMFD, mmap, 0, 8192, PROT_READ, MAP_PRIVATE, THING, -4096),
	PLAIN("mmap-write", EACCES, "map a file to write that is open for reading",
	      ON_NULL, mmap, 0, 4096, PROT_WRITE, MAP_SHARED, THING, 0),
	PLAIN("mmap-dir", ENODEV, "map a directory",
	      ON_ROOT, mmap, 0, 4096, PROT_READ, MAP_PRIVATE, THING, 0),
	PLAIN("mmap-sealed", EPERM, "map a sealed file to write",
	      ON_SEALED, mmap, 0, 4096, PROT_WRITE, MAP_SHARED, THING, 0),
	PLAIN("mmap-fixed-unaligned", EINVAL, "map at an odd address",
	      ON_NOTHING, mmap, 4097, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
	PLAIN("munmap-nothing", EINVAL, "unmap no bytes",
	      ON_NOTHING, munmap, 0x10000, 0),
	PLAIN("mremap-flags", EINVAL, "move a mapping with an unknown flag",
	      ON_NOTHING, mremap, 0x10000, 4096, 8192, 0x100, 0),
	PLAIN("mremap-unmapped", EFAULT, "move a page that is not mapped",
	      ON_NOTHING, mremap, 0x1000, 4096, 8192, MREMAP_MAYMOVE, 0),
	PLAIN("mremap-to-nothing", EINVAL, "shrink a mapping to no bytes",
	      ON_NOTHING, mremap, 0x1000, 4096, 0, 0, 0),
	PLAIN("mprotect-unaligned", EINVAL, "protect from the middle of a page",
	      ON_NOTHING, mprotect, 1, 4096, PROT_READ),
	PLAIN("mprotect-grows", EINVAL, "protect what grows up and down",
	      ON_NOTHING, mprotect, 0x1000, 4096, PROT_GROWSUP | PROT_GROWSDOWN),
	PLAIN("mlock-unmapped", ENOMEM, "lock a page that is not mapped",
	      ON_NOTHING, mlock, 0x1000, 4096),
	PLAIN("mlock-flags", EINVAL, "lock with an unknown flag",
	      ON_NOTHING, mlock2, 0x1000, 4096, 0x100),
	PLAIN("mlockall-flags", EINVAL, "lock everything in no way",
	      ON_NOTHING, mlockall, 0),
	PLAIN("msync-flags", EINVAL, "sync with an unknown flag",
	      ON_NOTHING, msync, 0x1000, 4096, 0x100),
	PLAIN("msync-both", EINVAL, "sync at once and later",
	      ON_NOTHING, msync, 0x1000, 4096, MS_SYNC | MS_ASYNC),
	PLAIN("msync-unmapped", ENOMEM, "sync a page that is not mapped",
	      ON_NOTHING, msync, 0x1000, 4096, MS_SYNC),
	PLAIN("madvise-advice", EINVAL, "give an unknown advice",
	      ON_NOTHING, madvise, 0x1000, 4096, 9999),
	PLAIN("madvise-unmapped", ENOMEM, "give advice about a page that is not mapped",
	      ON_NOTHING, madvise, 0x1000, 4096, MADV_WILLNEED),
	PLAIN("mincore-unaligned", EINVAL, "ask for pages from the middle of one",
	      ON_NOTHING, mincore, 1, 4096, AT(buffer)),
	PLAIN("mincore-unmapped", ENOMEM, "ask for a page that is not mapped",
	      ON_NOTHING, mincore, 0x1000, 4096, AT(buffer)),
	PLAIN("pkey-flags", EINVAL, "a protection key with an unknown flag",
	      ON_NOTHING, pkey_alloc, 1, 0),
	PLAIN("shmget-missing", ENOENT, "shared memory that does not exist",
	      ON_NOTHING, shmget, 0x5afa5afa, 4096, 0),
	PLAIN("shmget-empty", EINVAL, "shared memory of no bytes",
	      ON_NOTHING, shmget, IPC_PRIVATE, 0, IPC_CREAT | 0600),
	PLAIN("shmat-missing", EINVAL, "attach shared memory that does not exist",
	      ON_NOTHING, shmat, 0x7ffffff, 0, 0),
	PLAIN("shmctl-missing", EINVAL, "ask about shared memory that does not exist",
	      ON_NOTHING, shmctl, 0x7ffffff, IPC_STAT, AT(buffer)),
	PLAIN("semget-many", EINVAL, "a set of a million semaphores",
	      ON_NOTHING, semget, IPC_PRIVATE, 1000000, IPC_CREAT | 0600),
	PLAIN("semget-missing", ENOENT, "semaphores that do not exist",
	      ON_NOTHING, semget, 0x5afa5afa, 1, 0),
	PLAIN("semop-none", EINVAL, "no operation on a semaphore",
	      ON_NOTHING, semop, 0x7ffffff, AT(buffer), 0),
	PLAIN("semctl-missing", EINVAL, "read a semaphore that does not exist",
	      ON_NOTHING, semctl, 0x7ffffff, 0, GETVAL, 0),
	PLAIN("msgget-missing", ENOENT, "a message queue that does not exist",
	      ON_NOTHING, msgget, 0x5afa5afa, 0),
	PLAIN("msgsnd-type", EINVAL, "send a message of a negative type",
	      ON_NOTHING, msgsnd, 0, AT(&message), 8, 0),
	PLAIN("msgsnd-long", EINVAL, "send a message of 1 GB",
	      ON_NOTHING, msgsnd, 9999, AT(buffer), 1 << 30, 0),
	PLAIN("msgrcv-missing", EINVAL, "receive from a queue that does not exist",
	      ON_NOTHING, msgrcv, 0x7ffffff, AT(buffer), 8, 0, IPC_NOWAIT),
	PLAIN("mq-open-missing", ENOENT, "open a POSIX queue that does not exist",
	      ON_NOTHING, mq_open, AT("simfail"), 0, 0, 0),
	PLAIN("mq-unlink-missing", ENOENT, "remove a POSIX queue that does not exist",
	      ON_NOTHING, mq_unlink, AT("simfail")),
	{},
};
/* clang-format on */
