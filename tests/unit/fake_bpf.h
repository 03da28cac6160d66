/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel of sorts for bpf/engine.bpf.h, so that it runs in a test: maps in memory of just their
 * size, a ring buffer that is as full as the test likes, a clock and a CPU that stand where the
 * test puts them. Includes the engine; include it once, after all headers that the test needs.
 */
#ifndef RETSNOOP_TESTS_UNIT_FAKE_BPF_H
#define RETSNOOP_TESTS_UNIT_FAKE_BPF_H

#include <errno.h>
#include <asm/ptrace.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/chain.h"
#include "bpf/config.h"
#include "bpf/event.h"
#include "bpf/result_rule.h"
#include "bpf/summary_rows.h"
#include "util/base/vec.h"

/* Some C libraries have the first one. */
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define __noinline __attribute__((noinline))
#define __weak __attribute__((weak))
#define __ksym
#define SEC(name)
#define __uint(name, val) int(*name)[val]
#define __type(name, val) __typeof__(val) *name
#define barrier_var(var) asm volatile("" : "+r"(var))

/* The kernel's types, as far as bpf/kernel_types.h would have them. */
#define RETSNOOP_BPF_KERNEL_TYPES_H
struct pid_namespace;

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[4];
};

struct mnt_namespace;

struct nsproxy {
	struct mnt_namespace *mnt_ns;
};

struct thread_struct {
	unsigned long fsbase;
};

struct task_struct {
	void *stack;
	unsigned int flags;
	int pid;
	int tgid;
	struct nsproxy *nsproxy;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	char comm[16];
	int softirq_disable_cnt;
	struct thread_struct thread;
};

#define BPF_CORE_READ(task, member) ((task)->member)
/* The one member that is asked for is PREEMPT_RT's. */
#define bpf_core_field_exists(field) fake.realtime
#define bpf_core_type_size(type) sizeof(type)
#define bpf_core_read(to, size, from) ((void)memcpy(to, from, size))

/* The one number that is patched in stands for the variable with the preempt count. */
#define PREEMPT_VARIABLE 1
#define PATCHED(marker) PREEMPT_VARIABLE

#define FAKE_CPUS 4
#define FAKE_MAPS 16

enum fake_kind { FAKE_ARRAY, FAKE_HASH, FAKE_STACK };

struct fake_map {
	const void *map;
	enum fake_kind kind;
	size_t key_size, value_size;
	uint32_t max, nr;
	char *keys; /* of hashes */
	void **values; /* each on its own, for the sanitizer to watch */
};

struct fake_record {
	void *data;
	size_t size;
};

static struct fake {
	struct fake_map maps[FAKE_MAPS];
	unsigned int nr_maps;

	uint64_t cgroup;	/* of the current task */
	uint32_t uid;
	uint64_t now_ns;
	uint32_t cpu;
	int preempt_counts[FAKE_CPUS];
	bool realtime;
	struct task_struct *task;

	/* The ring buffer: what was put in and not taken out. */
	VEC(struct fake_record) records;
	size_t ring_size, ring_used;
	uint64_t refused; /* records that found no room */
	uint32_t refuse_kind; /* and what never finds any: enum event_kind; 0 nothing */

	/* The reader: asleep it reads nothing until it is woken, else all that is there. */
	uint64_t produced, consumed;
	bool reader_wakes;
	uint64_t wakeups;

	/* Whether a hash or a stack is locked by somebody else; NULL: never. */
	bool (*locked)(void);

	/* What another CPU does before a map is looked into; NULL: nothing. */
	void (*before_lookup)(const void *map);

	/* What other CPUs do before a map is used; NULL: nothing. */
	void (*others)(void);

	/* Random numbers; NULL: all 0. */
	uint32_t (*random)(void);

	/* What the CPU's last branches are; NULL: it keeps none. */
	long (*branches)(struct event_branch *to, uint32_t max);

	/* The stack's memory; 0 or a negative errno. */
	int (*read)(void *to, uint64_t addr);
	/* Any memory, of any size, for who wants that. */
	int (*read_any)(void *to, uint32_t size, uint64_t addr);

	uint32_t gate_shift;	/* GATE_SHIFT; 0: the kernel's */
	uint32_t no_stacks;	/* so many times from now on the stack cannot be taken */
	uint64_t ip;		/* first address of all stacks; 0: any */
} fake;

static inline struct fake_map *fake_map(const void *map)
{
	for (unsigned int i = 0; i < fake.nr_maps; i++) {
		if (fake.maps[i].map == map)
			return &fake.maps[i];
	}
	abort();
}

/* Maps have to be added before they are used; arrays are all zeroes then. */
static inline void fake_add(const void *map, enum fake_kind kind, size_t key_size,
			    size_t value_size, uint32_t max)
{
	struct fake_map *added = &fake.maps[fake.nr_maps++];

	if (fake.nr_maps > FAKE_MAPS)
		abort();
	*added = (struct fake_map){ map, kind, key_size, value_size, max, 0, NULL, NULL };
	added->keys = calloc(max, key_size ?: 1);
	added->values = calloc(max, sizeof(*added->values));
	if (!added->keys || !added->values)
		abort();
	for (uint32_t i = 0; kind == FAKE_ARRAY && i < max; i++)
		added->values[i] = calloc(1, value_size);
}

/* What the engine has outside of maps. */
static void fake_forget(void);

static inline void fake_release(void)
{
	for (unsigned int i = 0; i < fake.nr_maps; i++) {
		for (uint32_t v = 0; v < fake.maps[i].max; v++)
			free(fake.maps[i].values[v]);
		free(fake.maps[i].values);
		free(fake.maps[i].keys);
	}
	vec_foreach(record, &fake.records)
		free(record->data);
	vec_release(&fake.records);
	memset(&fake, 0, sizeof(fake));
	fake_forget();
}

static inline void *fake_copy(const void *data, size_t size)
{
	void *copy = malloc(size);

	if (!copy)
		abort();
	return memcpy(copy, data, size);
}

static inline uint32_t fake_find(const struct fake_map *map, const void *key)
{
	uint32_t index = 0;

	if (map->kind == FAKE_ARRAY)
		return *(const uint32_t *)key < map->max ? *(const uint32_t *)key : map->max;
	while (index < map->nr && memcmp(map->keys + index * map->key_size, key, map->key_size))
		index++;
	return index < map->nr ? index : map->max;
}

static inline void fake_let_others(void)
{
	if (fake.others)
		fake.others();
}

static void *bpf_map_lookup_elem(const void *of, const void *key)
{
	const struct fake_map *map = fake_map(of);
	uint32_t index;

	fake_let_others();
	if (fake.before_lookup)
		fake.before_lookup(of);
	index = fake_find(map, key);
	return index < map->max ? map->values[index] : NULL;
}

static inline bool fake_is_locked(const struct fake_map *map)
{
	return map->kind != FAKE_ARRAY && fake.locked && fake.locked();
}

static long bpf_map_update_elem(const void *of, const void *key, const void *value, uint64_t flags)
{
	struct fake_map *map = fake_map(of);
	uint32_t index;

	fake_let_others();
	index = fake_find(map, key);
	if (fake_is_locked(map))
		return -EBUSY;

	if (map->kind == FAKE_STACK)
		abort();
	if (index < map->max) {
		if (flags & BPF_NOEXIST)
			return -EEXIST;
		memcpy(map->values[index], value, map->value_size);
		return 0;
	}
	if (map->kind == FAKE_ARRAY || map->nr == map->max)
		return -E2BIG;
	memcpy(map->keys + map->nr * map->key_size, key, map->key_size);
	map->values[map->nr++] = fake_copy(value, map->value_size);
	return 0;
}

static long bpf_map_delete_elem(const void *of, const void *key)
{
	struct fake_map *map = fake_map(of);
	uint32_t index;

	if (map->kind != FAKE_HASH)
		abort();
	fake_let_others();
	index = fake_find(map, key);
	if (fake_is_locked(map))
		return -EBUSY;
	if (index == map->max)
		return -ENOENT;
	free(map->values[index]);
	map->values[index] = map->values[--map->nr];
	map->values[map->nr] = NULL;
	memmove(map->keys + index * map->key_size, map->keys + map->nr * map->key_size,
		map->key_size);
	return 0;
}

static long bpf_map_push_elem(const void *of, const void *value, uint64_t flags)
{
	struct fake_map *map = fake_map(of);

	if (map->kind != FAKE_STACK || flags)
		abort();
	fake_let_others();
	if (fake_is_locked(map))
		return -EBUSY;
	if (map->nr == map->max)
		return -E2BIG;
	map->values[map->nr++] = fake_copy(value, map->value_size);
	return 0;
}

static long bpf_map_pop_elem(const void *of, void *value)
{
	struct fake_map *map = fake_map(of);

	if (map->kind != FAKE_STACK)
		abort();
	fake_let_others();
	if (fake_is_locked(map))
		return -EBUSY;
	if (!map->nr) {
		/* As the kernel does. */
		memset(value, 0, map->value_size);
		return -ENOENT;
	}
	memcpy(value, map->values[--map->nr], map->value_size);
	free(map->values[map->nr]);
	map->values[map->nr] = NULL;
	return 0;
}

/* As the kernel counts it: a header each, and padding. */
static inline size_t fake_ring_bytes(size_t size)
{
	return (size + 8 + 7) & ~7ull;
}

static long bpf_ringbuf_output(const void *of, void *data, uint64_t size, uint64_t flags)
{
	struct fake_record record = { NULL, size };

	(void)fake_map(of);
	if (fake.ring_used + fake_ring_bytes(size) > fake.ring_size ||
	    *(const uint32_t *)data == fake.refuse_kind) {
		fake.refused++;
		return -EAGAIN;
	}
	record.data = fake_copy(data, size);
	fake.ring_used += fake_ring_bytes(size);
	if (vec_push(&fake.records, record))
		abort();
	/* bpf_ringbuf_commit() */
	if (flags & BPF_RB_FORCE_WAKEUP ||
	    (fake.consumed == fake.produced && !(flags & BPF_RB_NO_WAKEUP))) {
		fake.reader_wakes = true;
		fake.wakeups++;
	}
	fake.produced += fake_ring_bytes(size);
	return 0;
}

static uint64_t bpf_ringbuf_query(const void *of, uint64_t flags)
{
	(void)fake_map(of);
	switch (flags) {
	case BPF_RB_CONS_POS:
		return fake.consumed;
	case BPF_RB_PROD_POS:
		return fake.produced;
	default:
		abort();
	}
}

static uint64_t bpf_ktime_get_ns(void)
{
	return fake.now_ns;
}

static uint32_t bpf_get_prandom_u32(void)
{
	return fake.random ? fake.random() : 0;
}

static uint64_t bpf_get_current_task(void)
{
	return (uintptr_t)fake.task;
}

static uint32_t bpf_get_smp_processor_id(void)
{
	return fake.cpu;
}

static uint64_t bpf_get_current_pid_tgid(void)
{
	return (uint64_t)fake.task->tgid << 32 | (uint32_t)fake.task->pid;
}

#ifdef NO_KERNEL_BTF
static long bpf_get_ns_current_pid_tgid(uint64_t dev, uint64_t ino, void *ids, uint32_t size)
{
	abort();	/* tests are in the initial namespace */
}
#endif

static uint64_t bpf_get_current_uid_gid(void)
{
	return fake.uid;
}

static uint64_t bpf_get_current_cgroup_id(void)
{
	return fake.cgroup;
}

static long bpf_get_current_comm(void *to, uint32_t size)
{
	memcpy(to, fake.task->comm, size);
	return 0;
}

static long bpf_current_task_under_cgroup(const void *of, uint32_t index)
{
	(void)of;
	(void)index;
	return 0;
}

static long bpf_get_branch_snapshot(void *to, uint32_t size, uint64_t flags)
{
	long nr = fake.branches ? fake.branches(to, size / sizeof(struct event_branch)) : -ENOENT;

	if (flags)
		abort();
	return nr < 0 ? nr : nr * (long)sizeof(struct event_branch);
}

/* Whether the engine reads memory of its own. */
static bool is_own_memory(const void *from);

static long bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	if (fake.read_any)
		return fake.read_any(to, size, (uintptr_t)from);
	if (is_own_memory(from)) {
		memcpy(to, from, size);
		return 0;
	}
	if (size != sizeof(uint64_t))
		abort();
	return fake.read ? fake.read(to, (uintptr_t)from) : -EFAULT;
}

static long bpf_probe_read_user(void *to, uint32_t size, const void *from)
{
	return bpf_probe_read_kernel(to, size, from);
}

static long bpf_probe_read_kernel_str(void *to, uint32_t size, const void *from)
{
	uint32_t len;

	/* The first page is nobody's. */
	if ((uintptr_t)from < 4096)
		return -EFAULT;
	len = strnlen(from, size - 1);
	memcpy(to, from, len);
	((char *)to)[len] = '\0';
	return len + 1;
}

static long bpf_probe_read_user_str(void *to, uint32_t size, const void *from)
{
	long len = bpf_probe_read_kernel_str(to, size, from);

	/* The length with the NUL, but 0 for an empty string, as kernels have it. */
	return len > 1 ? len : 0;
}

/* x86-64's on any machine, as bpf_tracing.h has them. */
#define __TARGET_ARCH_x86 1
#if !defined(__x86_64__)
struct pt_regs {
	unsigned long r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi,
		orig_rax, rip, cs, eflags, rsp, ss;
};
#endif
#define PT_REGS_PARM1(regs) ((regs)->rdi)
#define PT_REGS_PARM2(regs) ((regs)->rsi)
#define PT_REGS_PARM3(regs) ((regs)->rdx)
#define PT_REGS_PARM4(regs) ((regs)->rcx)
#define PT_REGS_PARM5(regs) ((regs)->r8)
#define PT_REGS_SP(regs) ((regs)->rsp)
#define PT_REGS_IP(regs) ((regs)->rip)

static long bpf_get_stack(void *ctx, void *to, uint32_t size, uint64_t flags)
{
	const uint64_t ips[] = { fake.ip ?: 0x70, 0x71, 0x72 };

	(void)ctx;
	(void)flags;
	if (size < sizeof(ips))
		abort();
	if (fake.no_stacks) {
		fake.no_stacks--;
		return 0;
	}
	memcpy(to, ips, sizeof(ips));
	return sizeof(ips);
}

static inline const void *fake_this_cpu(const void *variable)
{
	return variable == (const void *)PREEMPT_VARIABLE ? &fake.preempt_counts[fake.cpu] : NULL;
}

#define bpf_this_cpu_ptr(variable) ((__typeof__(variable))fake_this_cpu(variable))

#define GATE_SHIFT (fake.gate_shift ?: 12)

/* `#pragma unroll` is clang's. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
/* The one thing that is constant in the engine and not here is its configuration. */
#define const
#include "bpf/maps.bpf.h"
#undef const
#include "bpf/engine.bpf.h"
#pragma GCC diagnostic pop

/* What the programs at exits do (bpf/retsnoop.bpf.c). */
static void engine_exit(void *ctx, __u64 cookie, __u64 sp, __u64 result, __u64 snapshot)
{
	if (exit_matters(sp))
		on_return(ctx, cookie, sp, result, snapshot);
	snapshot_release(snapshot);
}

static void fake_forget(void)
{
	memset(snapshots, 0, sizeof(snapshots));
	memset(sessions_on, 0, sizeof(sessions_on));
	memset(gates, 0, sizeof(gates));
	woken_for = 0;
}

static bool is_own_memory(const void *from)
{
	return (uintptr_t)from - (uintptr_t)snapshots < sizeof(snapshots);
}

static inline int fake_read_own_memory(void *to, uint32_t size, uint64_t addr)
{
	if (addr < 4096 || addr >> 63)
		return -EFAULT;
	memcpy(to, (const void *)(uintptr_t)addr, size);
	return 0;
}

/* A machine with one task, whose stack is around @sp, and room for one session. */
static inline void fake_one_session(struct task_struct *task, uint64_t sp, size_t slot_size)
{
	uint32_t slot = 0;

	memset((void *)&config, 0, sizeof(config));
	config.nmi = config.attach_cookies = config.preempt_variable = 1;
	config.max_depth = EVENT_MAX_DEPTH;
	recording = 1;
	fake_add(&events, FAKE_ARRAY, 4, 1, 0);
	fake_add(&sessions, FAKE_HASH, 8, 4, 4);
	fake_add(&slots, FAKE_ARRAY, 4, slot_size, 1);
	fake_add(&free_slots, FAKE_STACK, 0, 4, 1);
	fake_add(&stats, FAKE_ARRAY, 4, sizeof(struct event_stats), 1);
	bpf_map_push_elem(&free_slots, &slot, 0);
	fake.now_ns = 1000;
	fake.ring_size = SIZE_MAX;
	fake.read_any = fake_read_own_memory;
	*task = (struct task_struct){ .stack = (void *)(sp & ~(__u64)(TASK_STACK_MAX - 1)), .pid = 5, .tgid = 5 };
	task->group_leader = task;
	fake.task = task;
}

#endif
