// SPDX-License-Identifier: BSD-2-Clause
/* Perf events that keep branch records going, and why there may be none. */
#include "util/trace/branches/branch_events.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/ask/branch_types.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/cpu.h"

struct branch_events {
	VEC(int) fds;
};

DEFINE_CLEANUP(struct branch_events *, branch_events_close)

/*
 * It only counts: without samples there are no interrupts, and the CPU records all the same. It has
 * to have its counter at all times, which a pinned one does or says that it cannot.
 */
static int open_on(int cpu, uint64_t types)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_type = PERF_SAMPLE_BRANCH_STACK,
		.branch_sample_type = types | PERF_SAMPLE_BRANCH_KERNEL,
		.pinned = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	uint64_t count;

	if (fd < 0)
		return -errno;
	/* Reads nothing where it has no counter. */
	if (read(fd, &count, sizeof(count)) == sizeof(count))
		return fd;
	close(fd);
	return -EBUSY;
}

static bool can_record(int cpu, uint64_t types)
{
	_cleanup_(close_fd) int fd = open_on(cpu, types);

	return fd >= 0 || fd == -EBUSY;
}

int branch_events_try(void)
{
	int cpus = libbpf_num_possible_cpus(), err = -ENODEV;

	for (int cpu = 0; cpu < cpus && err == -ENODEV; cpu++) {
		_cleanup_(close_fd) int fd = open_on(cpu, DEFAULT_BRANCH_TYPES);

		err = fd < 0 ? fd : 0;
	}
	return err;
}

/* The missing feature, and what to do, as the end of a sentence. */
static void explain_refusal(int err, int cpu, uint64_t types, struct strbuf *why)
{
	switch (err) {
	case -EACCES:
	case -EPERM:
		strbuf_addstr(why, "this kernel forbids recording them (lockdown, a security module or "
				   "a container); try it on the host itself");
		return;
	case -EMFILE:
		strbuf_addstr(why, "each CPU needs a file descriptor; raise ulimit -n");
		return;
	case -EBUSY:
		strbuf_addstr(why, "another program has the CPU record other ones, or takes all "
				   "counters (perf record -b?); end it first");
		return;
	case -EINVAL:
	case -EOPNOTSUPP:
	case -ENOENT:
	case -ENODEV:
		break;
	default:
		strbuf_addf(why, "perf_event_open: %s", strerror(-err));
		return;
	}
	if (types != PERF_SAMPLE_BRANCH_ANY && can_record(cpu, PERF_SAMPLE_BRANCH_ANY)) {
		strbuf_addstr(why, "this CPU cannot choose just ");
		branch_types_add(why, types);
		strbuf_addstr(why, "; try --lbr=any");
	} else if (!cpu_has_counters() && cpu_is_virtual()) {
		strbuf_addstr(why, "this virtual machine has no performance counters; its host has to "
				   "give it some, with LBR, or try it on the host itself");
	} else if (!cpu_has_counters()) {
		strbuf_addstr(why, "this kernel drives no performance counters of this CPU "
				   "(CONFIG_PERF_EVENTS, the driver of its PMU)");
	} else if (cpu_is_virtual()) {
		strbuf_addstr(why, "this virtual machine has no LBR; its host has to pass it on, or try "
				   "it on the host itself");
	} else {
		strbuf_addstr(why, "this CPU has no LBR that this kernel gives to BPF: Intel since 2008, "
				   "AMD since Zen 4 with Linux 6.10");
	}
}

static int report_missing(int err, bool needed, const struct strbuf *why)
{
	if (needed)
		return report(err, "no branch records: %s", strbuf_str(why));
	warning("no branch records: %s; going on without", strbuf_str(why));
	return err;
}

int branch_events_open(uint64_t types, bool helper, bool needed, struct branch_events **ret_events)
{
	_cleanup_(branch_events_close_p) struct branch_events *events = calloc(1, sizeof(*events));
	_cleanup_(strbuf_release) struct strbuf why = STRBUF_INIT;
	int cpus = libbpf_num_possible_cpus(), err = -ENODEV, at = 0;

	if (!events)
		return report_oom();
	if (!arch_native->has_branch_records) {
		strbuf_addf(&why, "kernels for %s give BPF none", arch_native->name);
		return report_missing(-EOPNOTSUPP, needed, &why);
	}
	if (!helper) {
		strbuf_addstr(&why, "this kernel does not let BPF see them; Linux 5.16 and later do");
		return report_missing(-EOPNOTSUPP, needed, &why);
	}
	types = types ?: DEFAULT_BRANCH_TYPES;
	for (int cpu = 0; cpu < cpus; cpu++) {
		int fd = open_on(cpu, types);

		/* It is off. */
		if (fd == -ENODEV)
			continue;
		err = fd < 0 ? fd : 0;
		at = cpu;
		if (err)
			break;
		if (vec_push(&events->fds, fd)) {
			close(fd);
			return report_oom();
		}
	}
	if (err) {
		explain_refusal(err, at, types, &why);
		switch (err) {
		case -EINVAL:
		case -ENOENT:
		case -ENODEV:
			err = -EOPNOTSUPP;
			break;
		case -EPERM:
			err = -EACCES;
			break;
		}
		return report_missing(err, needed, &why);
	}
	*ret_events = take_ptr(events);
	return 0;
}

void branch_events_close(struct branch_events *events)
{
	if (!events)
		return;
	vec_foreach(fd, &events->fds)
		close(*fd);
	vec_release(&events->fds);
	free(events);
}
