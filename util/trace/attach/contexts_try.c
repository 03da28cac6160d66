// SPDX-License-Identifier: BSD-2-Clause
/*
 * Trying out what an interrupt does to the preempt count: a perf event's timer interrupts this thread
 * while it runs its own code, when the count is nothing but that interrupt's.
 */
#include "util/trace/attach/contexts.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"

#define PERIOD_NS 50000
#define PATIENCE_NS (50 * NSEC_PER_MSEC)

/* What the program leaves in a map. */
struct observation {
	uint32_t count;
	uint32_t made;	/* 1: count is valid */
};

struct insns {
	struct bpf_insn at[40];
	size_t nr;
};

static void put_insn(struct insns *insns, struct bpf_insn insn)
{
	insns->at[insns->nr++] = insn;
}

static void put_move(struct insns *insns, uint8_t to, uint8_t from)
{
	put_insn(insns, (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0 });
}

static void put_add(struct insns *insns, uint8_t to, int32_t number)
{
	put_insn(insns, (struct bpf_insn){ BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, number });
}

static void add_reg(struct insns *insns, uint8_t to, uint8_t from)
{
	put_insn(insns, (struct bpf_insn){ BPF_ALU64 | BPF_ADD | BPF_X, to, from, 0, 0 });
}

/* @what	0 a number, or BPF_PSEUDO_x */
static void put_load(struct insns *insns, uint8_t to, uint8_t what, uint64_t number)
{
	put_insn(insns,
		 (struct bpf_insn){ BPF_LD | BPF_IMM | BPF_DW, to, what, 0, (int32_t)number });
	put_insn(insns, (struct bpf_insn){ .imm = (int32_t)(number >> 32) });
}

static void put_call(struct insns *insns, enum bpf_func_id helper)
{
	put_insn(insns, (struct bpf_insn){ BPF_JMP | BPF_CALL, 0, 0, 0, helper });
}

/* *(TO) = @size bytes of kernel memory at r3. @to: from the frame pointer */
static void read_kernel(struct insns *insns, int32_t to, int32_t size)
{
	put_move(insns, BPF_REG_1, BPF_REG_10);
	put_add(insns, BPF_REG_1, to);
	put_insn(insns, (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, size });
	put_call(insns, BPF_FUNC_probe_read_kernel);
}

/* r1 = where this CPU's variables are */
static void read_offset(struct insns *insns, const struct preempt_count *count)
{
	put_call(insns, BPF_FUNC_get_smp_processor_id);
	put_insn(insns, (struct bpf_insn){ BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_0, 0, 0, 3 });
	put_load(insns, BPF_REG_3, 0, count->per_cpu_offsets);
	add_reg(insns, BPF_REG_3, BPF_REG_0);
	read_kernel(insns, -8, 8);
	put_insn(insns,
		 (struct bpf_insn){ BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, -8, 0 });
}

/* r6 = the count, as bpf/arch reads it */
static void read_count(struct insns *insns, const struct preempt_count *count)
{
	if (count->var) {
		put_load(insns, BPF_REG_1, BPF_PSEUDO_BTF_ID, count->var);
		put_call(insns, BPF_FUNC_this_cpu_ptr);
		put_insn(insns, (struct bpf_insn){ BPF_LDX | BPF_MEM | BPF_W, BPF_REG_6, BPF_REG_0,
						   (int16_t)count->offset, 0 });
		return;
	}
	if (count->in_task) {
		put_call(insns, BPF_FUNC_get_current_task);
		put_move(insns, BPF_REG_1, BPF_REG_0);
	} else {
		read_offset(insns, count);
	}
	put_load(insns, BPF_REG_3, 0, count->addr);
	add_reg(insns, BPF_REG_3, BPF_REG_1);
	read_kernel(insns, -8, 4);
	put_insn(insns,
		 (struct bpf_insn){ BPF_LDX | BPF_MEM | BPF_W, BPF_REG_6, BPF_REG_10, -8, 0 });
}

static int load_observer(const struct preempt_count *count, int map)
{
	struct insns insns = {};
	int fd;

	read_count(&insns, count);
	put_load(&insns, BPF_REG_1, BPF_PSEUDO_MAP_VALUE, (uint32_t)map);
	put_insn(&insns, (struct bpf_insn){ BPF_STX | BPF_MEM | BPF_W, BPF_REG_1, BPF_REG_6,
					    offsetof(struct observation, count), 0 });
	put_insn(&insns, (struct bpf_insn){ BPF_ST | BPF_MEM | BPF_W, BPF_REG_1, 0,
					    offsetof(struct observation, made), 1 });
	put_insn(&insns, (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0 });
	put_insn(&insns, (struct bpf_insn){ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 });
	fd = bpf_prog_load(BPF_PROG_TYPE_PERF_EVENT, "retsnoop_try", "GPL", insns.at, insns.nr,
			   NULL);
	return fd < 0 ? -errno : fd;
}

/* A timer that goes on only while this thread runs, and is heard of only outside of the kernel. */
static int open_timer(int prog)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD_NS,
		.exclude_kernel = 1,
		.disabled = 1,
	};
	_cleanup_(close_fd) int fd =
		syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	return take_fd(fd);
}

/*
 * Reading the clock takes a system call, where no interrupt is heard of: seldom. It stands while others
 * have the CPU, as the timer does.
 */
static bool wait_for(const volatile struct observation *seen)
{
	uint64_t deadline = clock_ns(CLOCK_THREAD_CPUTIME_ID) + PATIENCE_NS;

	do {
		for (int i = 0; i < 20000; i++) {
			if (seen->made)
				return true;
		}
	} while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < deadline);
	return false;
}

/* Without preemption's and softirqs' bits, and without the last, which may mean another thing. */
static int64_t hardirq_of(uint32_t count)
{
	uint32_t hardirq = count & 0x7fff0000;

	/* One interrupt is one bit; above four of such bits there are those of NMIs. */
	return hardirq & (hardirq - 1) || hardirq > 0x01000000 ? 0 : hardirq;
}

int64_t contexts_try(const struct preempt_count *count)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	_cleanup_(close_fd) int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "retsnoop_try", 4,
						     sizeof(struct observation), 1, &opts);
	_cleanup_(close_fd) int prog = -1, timer = -1;
	volatile struct observation *seen;
	int64_t hardirq = 0;

	if (map < 0)
		return -errno;
	prog = load_observer(count, map);
	if (prog < 0)
		return prog;
	seen = mmap(NULL, sizeof(*seen), PROT_READ, MAP_SHARED, map, 0);
	if (seen == MAP_FAILED)
		return -errno;
	timer = open_timer(prog);
	if (timer < 0)
		hardirq = timer;
	else
		hardirq = wait_for(seen) ? hardirq_of(seen->count) : -ETIME;
	munmap((void *)seen, sizeof(*seen));
	return hardirq;
}
