// SPDX-License-Identifier: BSD-2-Clause
/* Cgroups as they appear. */
#include "util/kernel/machine/cgroup_watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/kernel/machine/cgroup.h"
#include "util/kernel/tracepoints/tracepoint.h"

/* Names that are kept of cgroups that may be gone when somebody asks. */
#define KEPT 4096

#define DATA_PAGES 8	/* for each CPU */
#define SCAN_MS 1000	/* without perf events */
#define MAX_LEVELS 64	/* of the hierarchy */

struct kept {
	uint64_t id;
	char *path;
};

struct ring {
	struct perf_event_mmap_page *page;
	int fd;
};

/* Offsets in a record of the tracepoint. */
struct layout {
	uint32_t type;		/* perf_event_attr.config */
	uint32_t root, id, id_size, path;
};

struct cgroup_watch {
	char *mount;
	struct layout layout;
	int mount_fd, stop_fd;
	long page_size;
	VEC(struct ring) rings;
	VEC(struct pollfd) polled;	/* stop_fd, then rings */
	pthread_t thread;
	bool running;

	pthread_mutex_t lock;		/* protects the members below */
	struct kept kept[KEPT];
	uint32_t next;
	cgroup_seen_fn fn;
	void *arg;
};

/* Keep a name for later questions; the oldest name is dropped. Takes @path. */
static void keep_path(struct cgroup_watch *watch, uint64_t id, char *path)
{
	struct kept *kept = &watch->kept[watch->next++ % KEPT];

	free(kept->path);
	*kept = (struct kept){ id, path };
}

static void report_path(struct cgroup_watch *watch, uint64_t id, const char *path)
{
	if (watch->fn)
		watch->fn(watch->arg, path, id);
}

/*
 * Read all cgroups below @fd, which is taken over. @path has its path, and has it again afterwards.
 */
static void scan_below(struct cgroup_watch *watch, int fd, struct strbuf *path, int depth)
{
	size_t len = path->len;
	struct dirent *entry;
	DIR *dir = fdopendir(fd);

	if (!dir) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir))) {
		int below;

		if (entry->d_type != DT_DIR || *entry->d_name == '.')
			continue;
		strbuf_addf(path, "/%s", entry->d_name);
		if (!path->failed)
			report_path(watch, entry->d_ino, strbuf_str(path));
		below = depth < MAX_LEVELS ? openat(dirfd(dir), entry->d_name,
						   O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
		if (below >= 0)
			scan_below(watch, below, path, depth + 1);
		path->len = len;
		if (path->s)
			path->s[len] = '\0';
	}
	closedir(dir);
}

static void scan_hierarchy(struct cgroup_watch *watch)
{
	_cleanup_(strbuf_release) struct strbuf path = STRBUF_INIT;
	int fd = open(watch->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		scan_below(watch, fd, &path, 0);
}

/* The path as seen through the mount, which in a cgroup namespace is not the kernel's. */
static void take_path(struct cgroup_watch *watch, uint64_t id, const char *told)
{
	char *path = cgroup_path_of(watch->mount_fd, watch->mount, id) ?: strdup(told);

	if (!path)
		return;
	report_path(watch, id, path);
	keep_path(watch, id, path);
}

/* A record may go on at the beginning of the buffer. */
static void copy_out(const struct cgroup_watch *watch, const struct ring *ring, uint64_t at,
		     void *to, size_t size)
{
	size_t room = (size_t)DATA_PAGES * watch->page_size, from = at & (room - 1);
	const char *data = (const char *)ring->page + watch->page_size;
	size_t part = size < room - from ? size : room - from;

	memcpy(to, data + from, part);
	memcpy((char *)to + part, data, size - part);
}

/* A record with PERF_SAMPLE_RAW; its size is not trusted. */
struct sample {
	struct perf_event_header header;
	uint32_t size;
	char raw[UINT16_MAX];
};

static bool copy_bytes(const struct sample *sample, uint32_t at, void *to, size_t size)
{
	size_t len = sample->header.size - offsetof(struct sample, raw);

	if (at + size > len)
		return false;
	memcpy(to, sample->raw + at, size);
	return true;
}

static void read_sample(struct cgroup_watch *watch, struct sample *sample)
{
	const struct layout *layout = &watch->layout;
	uint32_t root, path;
	uint64_t id = 0;

	if (sample->header.size < offsetof(struct sample, raw))
		return;
	if (!copy_bytes(sample, layout->root, &root, sizeof(root)) ||
	    !copy_bytes(sample, layout->id, &id, layout->id_size) ||
	    !copy_bytes(sample, layout->path, &path, sizeof(path)))
		return;
	path &= UINT16_MAX;
	((char *)sample)[sample->header.size] = '\0';
	/* Other hierarchies belong to version 1. */
	if (!root && path < sample->header.size - offsetof(struct sample, raw))
		take_path(watch, id, sample->raw + path);
}

/* True: the kernel had no room for some. */
static bool drain_ring(struct cgroup_watch *watch, const struct ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	struct sample sample;
	bool lost = false;

	while (tail < head) {
		copy_out(watch, ring, tail, &sample.header, sizeof(sample.header));
		if (sample.header.size < sizeof(sample.header))
			break;
		copy_out(watch, ring, tail, &sample, sample.header.size);
		lost |= sample.header.type == PERF_RECORD_LOST;
		if (sample.header.type == PERF_RECORD_SAMPLE)
			read_sample(watch, &sample);
		tail += sample.header.size;
	}
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
	return lost;
}

static void *listen_to_kernel(void *arg)
{
	struct cgroup_watch *watch = arg;
	bool again;

	for (;;) {
		int n = poll(watch->polled.data, watch->polled.len, watch->rings.len ? -1 : SCAN_MS);

		if (n < 0 && errno != EINTR)
			break;
		if (watch->polled.data[0].revents)
			break;
		pthread_mutex_lock(&watch->lock);
		again = !watch->rings.len;
		vec_foreach(ring, &watch->rings)
			again |= drain_ring(watch, ring);
		if (again && watch->fn)
			scan_hierarchy(watch);
		pthread_mutex_unlock(&watch->lock);
	}
	return NULL;
}

static int find_layout(struct layout *layout)
{
	struct tracepoint *tracepoint;
	const char *tracefs;
	int err = tracefs_look(&tracefs), found = 0;

	err = err ?: tracepoint_read(tracefs, "cgroup", "cgroup_mkdir", NULL, &tracepoint);
	if (err)
		return err;
	layout->type = tracepoint->id;
	vec_foreach(field, &tracepoint->fields) {
		if (!strcmp(field->name, "root") && field->size == sizeof(uint32_t)) {
			layout->root = field->offset;
			found |= 1;
		} else if (!strcmp(field->name, "id") && field->size <= sizeof(uint64_t)) {
			layout->id = field->offset;
			layout->id_size = field->size;
			found |= 2;
		} else if (!strcmp(field->name, "path") && field->dynamic && !field->relative) {
			layout->path = field->offset;
			found |= 4;
		}
	}
	tracepoint_free(tracepoint);
	return found == 7 ? 0 : -ENOENT;
}

static int open_ring(struct cgroup_watch *watch, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_TRACEPOINT,
		.config = watch->layout.type,
		.sample_type = PERF_SAMPLE_RAW,
		.sample_period = 1,
		.wakeup_events = 1,
	};
	struct pollfd polled = { .events = POLLIN };
	struct ring ring;

	ring.fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (ring.fd < 0)
		return -errno;
	polled.fd = ring.fd;
	ring.page = mmap(NULL, (1 + DATA_PAGES) * watch->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
			 ring.fd, 0);
	if (ring.page == MAP_FAILED || vec_push(&watch->rings, ring)) {
		if (ring.page != MAP_FAILED)
			munmap(ring.page, (1 + DATA_PAGES) * watch->page_size);
		close(ring.fd);
		return -ENOMEM;
	}
	return vec_push(&watch->polled, polled);
}

static void close_rings(struct cgroup_watch *watch)
{
	vec_foreach(ring, &watch->rings) {
		munmap(ring->page, (1 + DATA_PAGES) * watch->page_size);
		close(ring->fd);
	}
	vec_release(&watch->rings);
}

/* All CPUs or none: a part of the cgroups would be worse than looking for them. */
static void open_rings(struct cgroup_watch *watch)
{
	long cpus = find_layout(&watch->layout) ? 0 : sysconf(_SC_NPROCESSORS_CONF);

	for (int cpu = 0; cpu < cpus; cpu++) {
		int err = open_ring(watch, cpu);

		if (!err || err == -ENODEV)	/* an offline CPU has none */
			continue;
		close_rings(watch);
		watch->polled.len = 1;
		return;
	}
}

void cgroup_watch_free(struct cgroup_watch *watch)
{
	uint64_t one = 1;

	if (!watch)
		return;
	if (watch->running && write(watch->stop_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(watch->thread, NULL);
	close_rings(watch);
	vec_release(&watch->polled);
	for (size_t i = 0; i < KEPT; i++)
		free(watch->kept[i].path);
	close_fd(&watch->mount_fd);
	close_fd(&watch->stop_fd);
	free(watch->mount);
	pthread_mutex_destroy(&watch->lock);
	free(watch);
}

struct cgroup_watch *cgroup_watch_new(void)
{
	struct cgroup_watch *watch = calloc(1, sizeof(*watch));
	struct pollfd stop = { .events = POLLIN };
	sigset_t all, before;

	if (!watch)
		return NULL;
	pthread_mutex_init(&watch->lock, NULL);
	watch->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	watch->page_size = sysconf(_SC_PAGESIZE);
	watch->mount = cgroup_mount("/proc/self/mounts");
	watch->mount_fd = watch->mount ? open(watch->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	stop.fd = watch->stop_fd;
	if (watch->mount_fd < 0 || watch->stop_fd < 0 || vec_push(&watch->polled, stop))
		goto fail;
	open_rings(watch);
	/* Signals are for the main thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	watch->running = !pthread_create(&watch->thread, NULL, listen_to_kernel, watch);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (watch->running)
		return watch;
fail:
	cgroup_watch_free(watch);
	return NULL;
}

char *cgroup_watch_path(struct cgroup_watch *watch, uint64_t id)
{
	char *path = NULL;
	bool lost = false;

	pthread_mutex_lock(&watch->lock);
	/* The events of the newest cgroups may still be unread. */
	vec_foreach(ring, &watch->rings)
		lost |= drain_ring(watch, ring);
	if (lost && watch->fn)
		scan_hierarchy(watch);
	for (size_t i = 0; i < KEPT && !path; i++) {
		if (watch->kept[i].id == id && watch->kept[i].path)
			path = strdup(watch->kept[i].path);
	}
	pthread_mutex_unlock(&watch->lock);
	return path;
}

void cgroup_watch_follow(struct cgroup_watch *watch, cgroup_seen_fn fn, void *arg)
{
	pthread_mutex_lock(&watch->lock);
	watch->fn = fn;
	watch->arg = arg;
	if (fn)
		scan_hierarchy(watch);
	pthread_mutex_unlock(&watch->lock);
}

int cgroup_watch_open(struct cgroup_watch *watch, uint64_t id, const char *path)
{
	_cleanup_(free_p) char *dir = NULL;
	int fd = cgroup_open(watch->mount_fd, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	dir = strf("%s%s", watch->mount, path);
	return dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}
