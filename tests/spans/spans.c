// SPDX-License-Identifier: BSD-2-Clause
/*
 * A program whose threads work on spans, for tests of --trace-context. It publishes which span each
 * thread works on: in a map, as OpenTelemetry's eBPF instrumentation would, or in a thread-local
 * variable, as OpenTelemetry's thread context (OTEP 4947).
 *
 *	spans PIN THREADS COUNT
 *	spans swap THREADS COUNT
 *	spans in-place THREADS COUNT
 *
 * makes the map and pins it at PIN; or has the variable point to a new record for each span, or to
 * the same record, and says so after a call with EFAULT, outside of all spans. Then it waits for a
 * line on standard input. Each thread makes COUNT calls of mkdir(2), each of which fails in a span
 * of its own; after every tenth comes one with EFAULT, outside of all spans. The n-th call fails
 * with EEXIST, ENOENT or ENOTDIR: by n % 3. The ids say whose call it was: trace id and span id are
 * the thread's id and n, as 16 and 8 digits.
 *
 * A BPF program writes to the map, as theirs does: system calls that do so keep the kernel from
 * running other BPF programs on that CPU meanwhile, also while they are preempted.
 *
 * spans has the variable itself. spans-lib, which is built from this file too, takes that of
 * libspans.so beside it: it loads the library when it runs, so the library's variables are dynamic,
 * unless LD_PRELOAD loaded it before.
 */
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <linux/bpf.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_THREADS 64

/* As published: big endian, so that they read as they are counted. */
struct ids {
	uint64_t trace[2];
	uint32_t span[2];
};
_Static_assert(sizeof(struct ids) == 24, "16 bytes and 8");

/* OTEP 4947 */
struct record {
	struct ids ids;
	uint8_t valid;
	uint8_t flags;
	uint16_t attrs_size;
} __attribute__((packed, aligned(2)));
_Static_assert(sizeof(struct record) == 28, "without attributes");

enum way { BY_MAP, BY_SWAP, IN_PLACE };

static enum way way;
static int prog_fd;
static unsigned int count;

#ifdef SPANS_LIB
static void (*point_to)(struct record *record);

static void load_library(void)
{
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 32);
	void *library;

	if (len < 0)
		len = 0;
	path[len] = '\0';
	strcpy(strrchr(path, '/') ? strrchr(path, '/') + 1 : path, "libspans.so");
	library = dlopen(path, RTLD_NOW);
	if (library)
		point_to = (void (*)(struct record *))dlsym(library, "spans_point_to");
	if (!point_to) {
		fprintf(stderr, "spans: %s\n", dlerror());
		exit(1);
	}
}
#else
extern __thread struct record *volatile otel_thread_ctx_v1;
__thread struct record *volatile otel_thread_ctx_v1;

static void point_to(struct record *record)
{
	otel_thread_ctx_v1 = record;
}

static void load_library(void)
{
}
#endif

static long bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

static void must(long result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "spans: cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

static int make_map(const char *pin)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_LRU_HASH, .key_size = 8,
				.value_size = sizeof(struct ids), .max_entries = 1 << 14 };
	int fd;

	strcpy(attr.map_name, "traces_ctx_v1");
	fd = bpf(BPF_MAP_CREATE, &attr);
	must(fd, "make the map");
	memset(&attr, 0, sizeof(attr));
	attr.pathname = (uintptr_t)pin;
	attr.bpf_fd = fd;
	must(bpf(BPF_OBJ_PIN, &attr), "pin the map");
	return fd;
}

/* What the program is run with. */
struct span {
	uint64_t thread;
	struct ids ids;
	uint64_t over;
};

/* Instructions: of 64 bits, loads and stores of 8 bytes, calls. R0 to R10 are numbers. */
#define COPY(dst, src) { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = dst, .src_reg = src }
#define SET(dst, value) { .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = dst, .imm = value }
#define ADD(dst, value) { .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = dst, .imm = value }
#define LOAD(dst, src, at) { .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = dst, .src_reg = src, .off = at }
#define STORE(dst, at, src) { .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = dst, .src_reg = src, .off = at }
#define MAP(dst, fd) { .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = dst, .src_reg = BPF_PSEUDO_MAP_FD, .imm = fd }, {}
#define CALL(helper) { .code = BPF_JMP | BPF_CALL, .imm = helper }
#define IF_NOT_0(reg, skip) { .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = reg, .off = skip }
#define EXIT() { .code = BPF_JMP | BPF_EXIT }

/* Takes struct span, as a raw tracepoint its arguments. */
static void make_program(int map)
{
	const struct bpf_insn program[] = {
		COPY(6, 1),
		LOAD(1, 6, 0),  STORE(10, -8, 1),	/* thread */
		LOAD(1, 6, 8),  STORE(10, -32, 1),	/* ids */
		LOAD(1, 6, 16), STORE(10, -24, 1),
		LOAD(1, 6, 24), STORE(10, -16, 1),
		LOAD(7, 6, 32),
		MAP(1, map),
		COPY(2, 10), ADD(2, -8),
		IF_NOT_0(7, 5),
		COPY(3, 10), ADD(3, -32), SET(4, 0), CALL(BPF_FUNC_map_update_elem), EXIT(),
		CALL(BPF_FUNC_map_delete_elem), EXIT(),
	};
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
				.insns = (uintptr_t)program,
				.insn_cnt = sizeof(program) / sizeof(program[0]),
				.license = (uintptr_t)"GPL" };

	prog_fd = bpf(BPF_PROG_LOAD, &attr);
	must(prog_fd, "load the program");
}

/* The compiler keeps the order of these writes; the CPU does for its own thread. */
static void fill(struct record *record, const struct ids *ids)
{
	*(volatile uint8_t *)&record->valid = 0;
	__asm__ volatile("" ::: "memory");
	record->ids = *ids;
	__asm__ volatile("" ::: "memory");
	*(volatile uint8_t *)&record->valid = 1;
	__asm__ volatile("" ::: "memory");
}

/* In a new record; nothing points to the one before any more when it is filled again. */
static void publish_by_swap(const struct ids *ids)
{
	static __thread struct record records[2];
	static __thread unsigned int next;

	if (ids) {
		fill(&records[next++ % 2], ids);
		point_to(&records[(next - 1) % 2]);
	} else {
		point_to(NULL);
	}
}

/* A span is over when its record is not valid: anything but 1. */
static void publish_in_place(const struct ids *ids)
{
	static __thread struct record record;
	static __thread unsigned int overs;

	if (ids)
		fill(&record, ids);
	else
		*(volatile uint8_t *)&record.valid = overs++ % 2 * 2;
	point_to(&record);
}

static void publish_by_map(uint64_t thread, const struct ids *ids)
{
	const struct span span = { thread, ids ? *ids : (struct ids){}, !ids };
	union bpf_attr attr = { .test = { .prog_fd = prog_fd, .ctx_in = (uintptr_t)&span,
					  .ctx_size_in = sizeof(span) } };

	must(bpf(BPF_PROG_TEST_RUN, &attr), "run the program");
	errno = -attr.test.retval;
	must(attr.test.retval ? -1 : 0, "publish a span");
}

/* @ids	NULL: the span is over */
static void publish(uint64_t thread, const struct ids *ids)
{
	if (way == BY_MAP)
		publish_by_map(thread, ids);
	else if (way == BY_SWAP)
		publish_by_swap(ids);
	else
		publish_in_place(ids);
}

static void fail_outside(void)
{
	if (!mkdir((const char *)1, 0) || errno != EFAULT)
		must(-1, "fail as expected");
}

static void *work(void *unused)
{
	static const char *const paths[] = { "/", "/none/x", "/dev/null/x" };
	static const int errnos[] = { EEXIST, ENOENT, ENOTDIR };
	uint32_t tid = syscall(__NR_gettid);
	uint64_t thread = (uint64_t)getpid() << 32 | tid;

	for (unsigned int n = 0; n < count; n++) {
		const struct ids ids = { { htobe64(tid), htobe64(n) }, { htobe32(tid), htobe32(n) } };

		publish(thread, &ids);
		if (!mkdir(paths[n % 3], 0) || errno != errnos[n % 3])
			must(-1, "fail as expected");
		if (n % 10 != 9)
			continue;
		publish(thread, NULL);
		fail_outside();
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[MAX_THREADS];
	int nr = argc == 4 ? atoi(argv[2]) : 0;

	if (nr < 1 || nr > MAX_THREADS) {
		fprintf(stderr, "usage: spans PIN|swap|in-place THREADS COUNT\n");
		return 2;
	}
	count = atoi(argv[3]);
	load_library();
	if (!strcmp(argv[1], "swap"))
		way = BY_SWAP;
	else if (!strcmp(argv[1], "in-place"))
		way = IN_PLACE;
	else
		make_program(make_map(argv[1]));
	if (way != BY_MAP) {
		fail_outside();
		fputs("ready\n", stderr);
	}
	getchar();
	for (int i = 0; i < nr; i++) {
		errno = pthread_create(&threads[i], NULL, work, NULL);
		must(errno ? -1 : 0, "make a thread");
	}
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
