// SPDX-License-Identifier: BSD-2-Clause
/* Links new programs to perf events that are open. */
#include "util/trace/attach/kept_kprobes.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "util/trace/attach/detach.h"
#include "util/trace/attach/links.h"

void kept_kprobes_begin(struct kept_kprobes *kept)
{
	vec_foreach(kprobe, &kept->v)
		kprobe->in_use = false;
}

static struct kept_kprobe *find_free(struct kept_kprobes *kept, bool at_return, uint64_t addr)
{
	return vec_find(kprobe, &kept->v,
			!kprobe->in_use && kprobe->addr == addr && kprobe->at_return == at_return);
}

static int link_free(const struct kept_kprobe *kprobe, int prog_fd, uint64_t cookie)
{
	int fd = link_perf(kprobe->perf_fd, prog_fd, cookie);
	uint64_t missed;

	if (fd < 0 || link_missed(fd, &missed) || !missed)
		return fd;
	close(fd);
	return -EBUSY;
}

int kept_kprobes_link(struct kept_kprobes *kept, const struct kprobe_pmu *pmu, int prog_fd, bool at_return,
		      uint64_t addr, uint64_t cookie)
{
	struct kept_kprobe *kprobe = find_free(kept, at_return, addr);
	struct kprobe_link link;
	int fd, err;

	if (kprobe) {
		fd = link_free(kprobe, prog_fd, cookie);
		if (fd >= 0) {
			kprobe->in_use = true;
			return fd;
		}
		close(kprobe->perf_fd);
		*kprobe = kept->v.data[--kept->v.len];
	}
	if (vec_reserve(&kept->v, kept->v.len + 1))
		return -ENOMEM;
	err = link_kprobe(pmu, prog_fd, at_return, addr, true, cookie, &link);
	if (err)
		return err;
	vec_push(&kept->v, (struct kept_kprobe){ addr, link.perf_fd, at_return, true });
	return link.link_fd;
}

/* Runs block these signals, and take them while they last. */
static bool is_interrupted(void *arg)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGINT) > 0 || sigismember(&pending, SIGTERM) > 0 ||
	       sigismember(&pending, SIGHUP) > 0;
}

void kept_kprobes_close(struct kept_kprobes *kept)
{
	VEC(int) fds = VEC_INIT;

	vec_foreach(kprobe, &kept->v) {
		if (vec_push(&fds, kprobe->perf_fd))
			close(kprobe->perf_fd);
	}
	if (fds.len)
		detach_links(fds.data, fds.len, is_interrupted, NULL);
	vec_release(&fds);
	vec_release(&kept->v);
}
