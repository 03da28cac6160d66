// SPDX-License-Identifier: BSD-2-Clause
/*
 * Measures what an interrupt adds to the preempt count. A perf event's timer interrupts this
 * thread while it runs in user space, so the count has only that interrupt.
 */
#include "util/trace/attach/contexts.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/kernel/bpf/insns.h"

#define PERIOD_NS 50000
#define PATIENCE_NS (50 * NSEC_PER_MSEC)

/* The program's result, in a map. */
struct observation {
	uint32_t count;
	uint32_t made;	/* 1: `count` is valid */
};

/* Read @size bytes of kernel memory at r3 to the stack. @to: offset from the frame pointer */
#define READ_KERNEL(to, size) \
	INSN_MOVE(BPF_REG_1, BPF_REG_10), INSN_ALU(BPF_ADD, BPF_REG_1, to), \
	INSN_SET(BPF_REG_2, size), INSN_CALL(BPF_FUNC_probe_read_kernel)

/* r1 = address of this CPU's variables */
static void read_offset(struct bpf_code *code, const struct preempt_count *count)
{
	bpf_code_put(code, INSN_CALL(BPF_FUNC_get_smp_processor_id),
		     INSN_ALU(BPF_LSH, BPF_REG_0, 3),
		     INSN_WIDE(BPF_REG_3, 0, count->per_cpu_offsets),
		     INSN_ALU_REG(BPF_ADD, BPF_REG_3, BPF_REG_0), READ_KERNEL(-8, 8),
		     INSN_LOAD(BPF_DW, BPF_REG_1, BPF_REG_10, -8));
}

/* r6 = the preempt count, as bpf/arch reads it */
static void read_count(struct bpf_code *code, const struct preempt_count *count)
{
	if (count->var) {
		bpf_code_put(code, INSN_WIDE(BPF_REG_1, BPF_PSEUDO_BTF_ID, count->var),
			     INSN_CALL(BPF_FUNC_this_cpu_ptr),
			     INSN_LOAD(BPF_W, BPF_REG_6, BPF_REG_0, (int16_t)count->offset));
		return;
	}
	if (count->in_task)
		bpf_code_put(code, INSN_CALL(BPF_FUNC_get_current_task),
			     INSN_MOVE(BPF_REG_1, BPF_REG_0));
	else
		read_offset(code, count);
	bpf_code_put(code, INSN_WIDE(BPF_REG_3, 0, count->addr),
		     INSN_ALU_REG(BPF_ADD, BPF_REG_3, BPF_REG_1), READ_KERNEL(-8, 4),
		     INSN_LOAD(BPF_W, BPF_REG_6, BPF_REG_10, -8));
}

static int load_observer(const struct preempt_count *count, int map)
{
	struct bpf_code code = {};
	int fd;

	read_count(&code, count);
	bpf_code_put(&code, INSN_WIDE(BPF_REG_1, BPF_PSEUDO_MAP_VALUE, (uint32_t)map),
		     INSN_STORE(BPF_W, BPF_REG_1, offsetof(struct observation, count), BPF_REG_6),
		     INSN_STORE_NUMBER(BPF_W, BPF_REG_1, offsetof(struct observation, made), 1),
		     INSN_SET(BPF_REG_0, 0), INSN_EXIT);
	fd = bpf_prog_load(BPF_PROG_TYPE_PERF_EVENT, "retsnoop_try", "GPL", code.insns, code.nr,
			   NULL);
	return fd < 0 ? -errno : fd;
}

/* A timer that runs only while this thread runs, and fires only in user space. */
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
 * The clock is read seldom: reading it is a system call, during which the timer does not fire.
 * Like the timer, it stands still while other threads have the CPU.
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

/*
 * The hardirq's part of the count, without the top bit, which may have another meaning. 0: this
 * cannot be the count in an interrupt of user space, where no softirq is counted, and preemption
 * is disabled a few times at most.
 */
static int64_t hardirq_of(uint32_t count)
{
	uint32_t hardirq = count & 0x7fff0000;

	if (count & 0xfff0)
		return 0;
	/* One interrupt sets one bit. Four bits count hardirqs; the bits above count NMIs. */
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
