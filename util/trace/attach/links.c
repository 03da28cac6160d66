// SPDX-License-Identifier: BSD-2-Clause
/* bpf(2) and perf_event_open(2) for the rungs. */
#include "util/trace/attach/links.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/cleanup.h"

#define KPROBE_MULTI_RETURN 1 /* BPF_F_KPROBE_MULTI_RETURN */

/*
 * union bpf_attr for BPF_LINK_CREATE (include/uapi/linux/bpf.h, 7.2). Clear it with memset(): an
 * initializer leaves the bytes after the named member of a union undefined, and the kernel
 * requires zeroes there.
 */
struct link_create {
	uint32_t prog_fd;
	uint32_t target_fd;
	uint32_t attach_type;
	uint32_t flags;
	union {
		struct {
			uint64_t bpf_cookie;
		} perf_event;
		struct {
			uint32_t flags;
			uint32_t cnt;
			uint64_t syms;
			uint64_t addrs;
			uint64_t cookies;
		} kprobe_multi;
		struct {
			uint64_t ids;
			uint64_t cookies;
			uint32_t cnt;
			uint32_t unused;
		} tracing_multi;
		uint64_t room[6];
	};
};

static int link_create(struct link_create *attr)
{
	int fd = syscall(SYS_bpf, BPF_LINK_CREATE, attr, sizeof(*attr));

	return fd < 0 ? -errno : fd;
}

int link_kprobe_multi(int prog_fd, int attach_type, bool at_return, const uint64_t *addrs,
		      const uint64_t *cookies, uint32_t cnt)
{
	struct link_create attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_fd = prog_fd;
	attr.attach_type = attach_type;
	attr.kprobe_multi.flags = at_return ? KPROBE_MULTI_RETURN : 0;
	attr.kprobe_multi.cnt = cnt;
	attr.kprobe_multi.addrs = (uintptr_t)addrs;
	attr.kprobe_multi.cookies = (uintptr_t)cookies;
	return link_create(&attr);
}

int link_tracing_multi(int prog_fd, const uint32_t *btf_ids, const uint64_t *cookies, uint32_t cnt)
{
	struct link_create attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_fd = prog_fd;
	attr.attach_type = ATTACH_TRACE_FSESSION_MULTI;
	attr.tracing_multi.ids = (uintptr_t)btf_ids;
	attr.tracing_multi.cookies = (uintptr_t)cookies;
	attr.tracing_multi.cnt = cnt;
	return link_create(&attr);
}

int link_raw(int prog_fd, const char *name)
{
	int fd = bpf_raw_tracepoint_open(name, prog_fd);

	return fd < 0 ? -errno : fd;
}

int link_perf(int perf_fd, int prog_fd, uint64_t cookie)
{
	struct link_create create;

	memset(&create, 0, sizeof(create));
	create.prog_fd = prog_fd;
	create.target_fd = perf_fd;
	create.attach_type = BPF_PERF_EVENT;
	create.perf_event.bpf_cookie = cookie;
	return link_create(&create);
}

int link_kprobe(const struct kprobe_pmu *pmu, int prog_fd, bool at_return, uint64_t addr,
		bool with_cookie, uint64_t cookie, struct kprobe_link *ret_link)
{
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER1, /* config1, config2 */
		.type = pmu->type,
		.config = at_return ? 1ull << pmu->return_bit : 0,
		.config2 = addr,
	};
	_cleanup_(close_fd) int fd = -1;
	int link_fd = -1;

	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (with_cookie) {
		link_fd = link_perf(fd, prog_fd, cookie);
		if (link_fd < 0)
			return link_fd;
	} else if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd)) {
		return -errno;
	}
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		int err = -errno;

		if (link_fd >= 0)
			close(link_fd);
		return err;
	}
	ret_link->perf_fd = take_fd(fd);
	ret_link->link_fd = link_fd;
	return 0;
}

int link_tracepoint(int prog_fd, uint32_t id)
{
	struct perf_event_attr attr = {
		.size = PERF_ATTR_SIZE_VER1,
		.type = PERF_TYPE_TRACEPOINT,
		.config = id,
	};
	_cleanup_(close_fd) int fd = -1;

	/*
	 * A program on a tracepoint's event runs on all CPUs, whatever CPU the event is for. The
	 * event has no period, so it only counts: the kernel refuses to sample some tracepoints
	 * (irq_vectors:irq_work_exit).
	 */
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	return take_fd(fd);
}

/* An event that begins disabled. */
static int link_on_cpu(struct perf_event_attr *attr, int prog_fd, int cpu)
{
	_cleanup_(close_fd) int fd = -1;

	fd = syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	return take_fd(fd);
}

int link_breakpoint(int prog_fd, uint64_t addr, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_X,
		.bp_addr = addr,
		.bp_len = sizeof(long), /* of code, as for perf(1), whatever the CPU; arch_build_bp_info() */
		.sample_period = 1,
		.exclude_user = 1,
		.disabled = 1,
	};

	return link_on_cpu(&attr, prog_fd, cpu);
}

int link_kernel_faults(int prog_fd, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.exclude_user = 1,
		.disabled = 1,
	};

	return link_on_cpu(&attr, prog_fd, cpu);
}

int breakpoint_hits(int fd, uint64_t *ret_hits)
{
	ssize_t n = read(fd, ret_hits, sizeof(*ret_hits));

	if (n < 0)
		return -errno;
	return n == sizeof(*ret_hits) ? 0 : -EIO;
}

/* struct bpf_link_info (include/uapi/linux/bpf.h, 6.12), as far as needed. */
struct link_info {
	uint32_t type;
	uint32_t id;
	uint32_t prog_id;
	uint32_t pad;
	union {
		struct {
			uint64_t addrs;
			uint32_t count;
			uint32_t flags;
			uint64_t missed;
			uint64_t cookies;
		} kprobe_multi;
		struct {
			uint32_t type;
			uint32_t pad;
			uint64_t func_name;
			uint32_t name_len;
			uint32_t offset;
			uint64_t addr;
			uint64_t missed;
			uint64_t cookie;
		} kprobe;
		uint8_t room[64];
	};
};

/* enum bpf_link_type */
#define LINK_TYPE_PERF_EVENT 7
#define LINK_TYPE_KPROBE_MULTI 8

/* A kernel that does not know the field leaves this value in it. */
#define UNTOUCHED UINT64_MAX

int link_missed(int link_fd, uint64_t *ret_missed)
{
	struct link_info info;
	uint32_t len = sizeof(info);
	uint64_t *missed;

	memset(&info, 0, sizeof(info));
	/* Perf events that hold the program themselves are no links. */
	if (bpf_obj_get_info_by_fd(link_fd, &info, &len))
		return -EOPNOTSUPP;
	switch (info.type) {
	case LINK_TYPE_KPROBE_MULTI:
		missed = &info.kprobe_multi.missed;
		break;
	case LINK_TYPE_PERF_EVENT:
		missed = &info.kprobe.missed;
		break;
	default:
		return -ENOENT;
	}
	/* The kernel returns names and lists only if the struct has buffers for them: clear it. */
	memset(&info, 0, sizeof(info));
	*missed = UNTOUCHED;
	len = sizeof(info);
	if (bpf_obj_get_info_by_fd(link_fd, &info, &len) || *missed == UNTOUCHED)
		return -EOPNOTSUPP;
	*ret_missed = *missed;
	return 0;
}

int prog_recursion_misses(int prog_fd, uint64_t *ret_misses)
{
	struct bpf_prog_info info = {};
	uint32_t len = sizeof(info);

	if (bpf_obj_get_info_by_fd(prog_fd, &info, &len))
		return -errno;
	if (len < offsetof(struct bpf_prog_info, recursion_misses) + sizeof(info.recursion_misses))
		return -EOPNOTSUPP;
	*ret_misses = info.recursion_misses;
	return 0;
}
