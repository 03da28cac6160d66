// SPDX-License-Identifier: BSD-2-Clause
/* The first run of a command: nothing is attached but what sees the results of system calls. */
#include "util/why/watch.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/watch.skel.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/trace/attach/pid_namespace.h"
#include "util/trace/run/workload.h"

#define POLL_MS 50
/* Events that are kept: about 100 MB. */
#define MAX_EVENTS 200000

#if defined(__x86_64__)
/* struct pt_regs of x86-64: di, si, dx, r10, r8, r9; and the code segment of 32-bit programs. */
static const uint32_t args_at[WATCH_ARGS] = { 112, 104, 96, 56, 72, 64 };
#define NR_AT 120
#define CODE_SEGMENT_AT 136
#define COMPAT_SEGMENT 0x23
#endif

void watched_release(struct watched *watched)
{
	failed_calls_release(&watched->calls);
}

static int on_event(void *arg, void *data, size_t size)
{
	struct watched *watched = arg;
	struct watch_event event;

	if (size < sizeof(event))
		return 0;
	if (watched->calls.events.len >= MAX_EVENTS) {
		watched->lost++;
		return 0;
	}
	memcpy(&event, data, sizeof(event));
	for (int i = 0; i < WATCH_ARGS; i++)
		event.strings[i][WATCH_STRING - 1] = '\0';
	event.comm[sizeof(event.comm) - 1] = '\0';
	return failed_calls_add(&watched->calls, &event);
}

static void fill_config(struct watch_config *config, const struct pid_namespace *ns, pid_t root)
{
	*config = (struct watch_config){
		.root = root,
		.namespace_dev = ns->dev,
		.namespace_ino = ns->ino,
		.nr_at = NR_AT,
		.code_segment_at = CODE_SEGMENT_AT,
		.compat_segment = COMPAT_SEGMENT,
		.write_nr = SYS_write,
		.writev_nr = SYS_writev,
		.exit_nr = SYS_exit,
		.exit_group_nr = SYS_exit_group,
	};
	memcpy(config->args_at, args_at, sizeof(args_at));
}

/* Until the command has ended, or a signal came. */
static int wait_for(struct workload *workload, struct ring_buffer *ring, int *signalled)
{
	const struct timespec now = {};
	sigset_t set;
	int err;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	while (!workload_ended(workload)) {
		err = ring_buffer__poll(ring, POLL_MS);
		if (err < 0 && err != -EINTR)
			return report(err, "cannot read what system calls came to: %s",
				      strerror(-err));
		if (sigtimedwait(&set, NULL, &now) > 0) {
			*signalled = 1;
			return 0;
		}
	}
	ring_buffer__consume(ring);
	return 0;
}

static int attach_and_run(char **argv, struct workload *workload, struct watched *watched)
{
	struct pid_namespace ns;
	struct ring_buffer *ring = NULL;
	struct watch *skel;
	int err = pid_namespace_read(&ns), signalled = 0;

	if (err)
		return err;
	skel = watch__open();
	if (!skel)
		return report(-errno, "cannot open the watch on system calls: %s", strerror(errno));
	fill_config((struct watch_config *)&skel->rodata->config, &ns, workload->pid);
	err = watch__load(skel);
	if (err)
		report(err, "the kernel refuses the watch on system calls: %s", strerror(-err));
	if (!err) {
		err = watch__attach(skel);
		if (err)
			report(err, "cannot attach the watch on system calls: %s", strerror(-err));
	}
	if (!err) {
		ring = ring_buffer__new(bpf_map__fd(skel->maps.events), on_event, watched, NULL);
		err = ring ? 0 : report(-errno, "cannot map the ring buffer: %s", strerror(errno));
	}
	err = err ?: workload_release(workload, argv[0]);
	err = err ?: wait_for(workload, ring, &signalled);
	if (!err)
		watched->lost += skel->bss->lost;
	watched->interrupted = signalled;
	watched->wait_status = workload->wait_status;
	ring_buffer__free(ring);
	watch__destroy(skel);
	return err;
}

int watch_run(char **argv, const char *user, int stdout_fd, struct watched *ret)
{
	struct workload workload = WORKLOAD_INIT;
	struct workload_env env;
	sigset_t blocked, old;
	int err;

	*ret = (struct watched){};
	workload_env_take(&env, user, stdout_fd);
	err = workload_hold(&workload, argv, &env);
	if (err)
		return err;
	/* Heard while waiting; the command has them as they were. */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &old);
	err = attach_and_run(argv, &workload, ret);
	sigprocmask(SIG_SETMASK, &old, NULL);
	workload_drop(&workload);
	return err;
}
