// SPDX-License-Identifier: BSD-2-Clause
/* Looks at processes, and writes BPF's map of them. */
#include "util/trace/spans/context_watch.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/base/vec.h"
#include "util/kernel/machine/capabilities.h"
#include "util/kernel/machine/privileges.h"
#include "util/kernel/machine/process.h"
#include "util/trace/attach/programs.h"
#include "util/trace/spans/thread_context.h"

#define FIRST_WAIT_NS NSEC_PER_MSEC
#define LAST_WAIT_NS (10 * NSEC_PER_SEC)

/* Memory that is read may be slow to come: that of a file on a server that does not answer. */
#define START_MS 10000
#define STOP_SECONDS 2

/* For /proc/PID/maps and mem of others, and for maps of BPF. */
#define KEPT                                                             \
	(CAPABILITY(CAP_SYS_PTRACE) | CAPABILITY(CAP_DAC_READ_SEARCH) | \
	 CAPABILITY(CAP_DAC_OVERRIDE) | CAPABILITY(CAP_BPF))

struct context_watch {
	int map_fd;		/* owned: the thread may outlive the run */
	int stop_fd, ready_fd;
	VEC(uint32_t) pids;	/* to look at first; or all */
	bool all;
	struct ring_buffer *asks;
	pthread_t thread;
	bool running;
	bool said_refused, said_unsupported;
};

static uint64_t next_wait(uint64_t wait_ns)
{
	wait_ns = wait_ns ? 2 * wait_ns : FIRST_WAIT_NS;
	return wait_ns < LAST_WAIT_NS ? wait_ns : LAST_WAIT_NS;
}

/* Nothing was found: BPF asks again later, if there are calls. */
static void postpone(struct context_watch *watch, uint32_t pid, bool for_long)
{
	struct thread_context_place place;

	if (bpf_map_lookup_elem(watch->map_fd, &pid, &place))
		return;
	place.wait_ns = for_long ? LAST_WAIT_NS : next_wait(place.wait_ns);
	place.ask_ns = now_ns() + place.wait_ns;
	bpf_map_update_elem(watch->map_fd, &pid, &place, BPF_EXIST);
}

/* Said once: there may be many processes. */
static void say_why_not(struct context_watch *watch, uint32_t pid, int err)
{
	if (err == -EACCES && !watch->said_refused) {
		warning("--trace-context: cannot look at process %u and maybe others, whose thread "
			"contexts are not read; that needs CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH", pid);
		watch->said_refused = true;
	}
	if (err == -ENOTSUP && !watch->said_unsupported) {
		warning("--trace-context: cannot find where process %u has its otel_thread_ctx_v1; "
			"thread contexts of such processes are not read", pid);
		watch->said_unsupported = true;
	}
}

/* @flags	BPF_EXIST: only if BPF still has the process, and it has not exited or called execve(2) */
static void look_at_process(struct context_watch *watch, uint32_t pid, uint64_t flags)
{
	struct thread_context_place place;
	struct program_mark mark;
	int err = thread_context_find(pid, &place, &mark);

	if (err == -ESRCH) {
		bpf_map_delete_elem(watch->map_fd, &pid);
		return;
	}
	if (err) {
		if (flags == BPF_EXIST)
			postpone(watch, pid, err != -ENOENT);
		say_why_not(watch, pid, err);
		return;
	}
	if (bpf_map_update_elem(watch->map_fd, &pid, &place, flags))
		return;
	/*
	 * BPF forgets a process that executes another program. If that was between the look and the
	 * update, it is forgotten here.
	 */
	if (!thread_context_is_same(pid, &mark))
		bpf_map_delete_elem(watch->map_fd, &pid);
	else
		say(VERBOSITY_VERBOSE, "Process %u publishes the spans of its threads.", pid);
}

static int on_ask(void *arg, void *data, size_t size)
{
	uint32_t pid;

	if (size >= sizeof(pid)) {
		memcpy(&pid, data, sizeof(pid));
		look_at_process(arg, pid, BPF_EXIST);
	}
	return 0;
}

/* Processes that exist. */
static void look_at_all(struct context_watch *watch)
{
	_cleanup_(closedir_p) DIR *dir = watch->all ? opendir("/proc") : NULL;
	pid_t process;

	vec_foreach(pid, &watch->pids)
		look_at_process(watch, *pid, BPF_ANY);
	while (dir && (process = process_next(dir)))
		look_at_process(watch, process, BPF_ANY);
}

/* This thread's. A failure leaves it as it was. */
static void drop_privileges(void)
{
	uint64_t had, keep = KEPT;

	if (privileges_read(&had))
		return;
	/* A kernel before 5.8, or a process that has the old one alone. */
	if (!(had & CAPABILITY(CAP_BPF)))
		keep |= CAPABILITY(CAP_SYS_ADMIN);
	privileges_keep(keep);
}

static void *answer_requests(void *arg)
{
	struct context_watch *watch = arg;
	uint64_t one = 1;
	struct pollfd fds[] = {
		{ .fd = watch->stop_fd, .events = POLLIN },
		{ .fd = ring_buffer__epoll_fd(watch->asks), .events = POLLIN },
	};

	drop_privileges();
	look_at_all(watch);
	if (write(watch->ready_fd, &one, sizeof(one)) != sizeof(one))
		return NULL;
	while (poll(fds, 2, -1) >= 0 || errno == EINTR) {
		if (fds[0].revents)
			break;
		if (fds[1].revents)
			ring_buffer__consume(watch->asks);
	}
	return NULL;
}

/* Of a workload only its own processes are traced, which do not run yet. */
static int choose_first(struct context_watch *watch, const struct trace_request *request)
{
	int err = 0;

	vec_foreach(pid, &request->allow_pids)
		err = err ?: vec_push(&watch->pids, *pid);
	watch->all = !request->workload && !request->allow_pids.len;
	return err;
}

static int start_thread(struct context_watch *watch, const struct programs *programs)
{
	struct pollfd ready = { .events = POLLIN };
	sigset_t all, before;
	int err;

	watch->map_fd = fcntl(programs_map_fd(programs, "thread_contexts"), F_DUPFD_CLOEXEC, 0);
	watch->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	watch->ready_fd = ready.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (watch->map_fd < 0 || watch->stop_fd < 0 || watch->ready_fd < 0)
		return -errno;
	watch->asks = ring_buffer__new(programs_map_fd(programs, "thread_context_asks"), on_ask,
				       watch, NULL);
	if (!watch->asks)
		return -errno;
	/* Signals are for the main thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	err = -pthread_create(&watch->thread, NULL, answer_requests, watch);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	watch->running = !err;
	if (!err && poll(&ready, 1, START_MS) == 0)
		warning("--trace-context: reading the memory of a process takes long; thread contexts of "
			"others may be missing until then");
	return err;
}

int context_watch_start(const struct programs *programs, const struct trace_request *request,
			struct context_watch **ret_watch)
{
	struct context_watch *watch;
	int err;

	*ret_watch = NULL;
	if (programs_map_fd(programs, "thread_context_asks") < 0)
		return 0;
	watch = calloc(1, sizeof(*watch));
	if (!watch)
		return report_oom();
	watch->map_fd = watch->stop_fd = watch->ready_fd = -1;
	err = choose_first(watch, request) ?: start_thread(watch, programs);
	if (err) {
		context_watch_stop(watch);
		return report(err, "--trace-context: cannot follow processes: %s", strerror(-err));
	}
	*ret_watch = watch;
	return 0;
}

void context_watch_expect(struct context_watch *watch, pid_t pid, const char *path)
{
	struct thread_context_place place;
	uint32_t key = pid;

	if (!watch || thread_context_of_program(path, &place))
		return;
	place.kind = THREAD_CONTEXT_AFTER_EXEC;
	bpf_map_update_elem(watch->map_fd, &key, &place, BPF_ANY);
}

void context_watch_stop(struct context_watch *watch)
{
	struct timespec until;
	uint64_t one = 1;

	if (!watch)
		return;
	if (watch->running) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec += STOP_SECONDS;
		/* Reading memory may wait for whoever has to fill it in. */
		if (write(watch->stop_fd, &one, sizeof(one)) != sizeof(one) ||
		    pthread_timedjoin_np(watch->thread, NULL, &until))
			return;
	}
	ring_buffer__free(watch->asks);
	close_fd(&watch->map_fd);
	close_fd(&watch->stop_fd);
	close_fd(&watch->ready_fd);
	vec_release(&watch->pids);
	free(watch);
}
