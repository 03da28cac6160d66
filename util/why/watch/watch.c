// SPDX-License-Identifier: BSD-2-Clause
/* The first run: only the programs that see the results of system calls are attached. */
#include "util/why/watch/watch.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/processes.h"
#include "util/ask/request.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/kernel/machine/process.h"
#include "util/trace/attach/programs.h"
#include "util/trace/run/ring.h"
#include "util/trace/run/run_cgroups.h"
#include "util/trace/run/workload.h"
#include "util/why/watch/said.h"
#include "util/why/watch/said_lines.h"
#include "util/why/watch/watch_config.h"

#define POLL_MS 50
/* Whoever waits this long may wait for the failure of a process that is not selected. */
#define LONG_WAIT_MS 5000
/* The most events that are kept: about 100 MB. */
#define MAX_EVENTS 200000

/* The most unwanted failures kept while waiting for a wanted one. */
#define MAX_UNWANTED 4096

struct watching {
	const struct watch_ask *ask;
	struct watched *watched;
};

struct watcher {
	struct watching watching;
	struct run_cgroups cgroups;
	struct watch *skel;
	struct watch_links links;
	struct ring_buffer *ring;
};

void watched_release(struct watched *watched)
{
	failed_calls_release(&watched->calls);
}

static bool has_room(const struct watching *watching)
{
	size_t nr = watching->watched->calls.events.len;

	return nr < (watching->ask->command ? MAX_EVENTS : MAX_UNWANTED);
}

static int on_event(void *arg, void *data, size_t size)
{
	struct watching *watching = arg;
	struct watched *watched = watching->watched;
	const struct watch_ask *ask = watching->ask;
	char text[WATCH_LOG_SIZE + 1];
	struct watch_event event;
	bool wanted;

	if (size < sizeof(event))
		return 0;
	memcpy(&event, data, sizeof(event));
	if (watched->found && event.kind != WATCH_SIGNAL)
		return 0;
	event.comm[sizeof(event.comm) - 1] = '\0';
	if (event.kind == WATCH_SAID) {
		size -= offsetof(struct watch_event, said);
		if (size >= sizeof(text))
			size = sizeof(text) - 1;
		memcpy(text, (const char *)data + offsetof(struct watch_event, said), size);
		text[size] = '\0';
		said_fill(&event, text);
	} else if (event.kind == WATCH_WROTE) {
		event.said[sizeof(event.said) - 1] = '\0';
	} else if (event.kind == WATCH_SOCKET) {
		event.socket.comm[sizeof(event.socket.comm) - 1] = '\0';
	} else if (event.kind == WATCH_KILLED) {
		event.kill.sender[sizeof(event.kill.sender) - 1] = '\0';
	} else {
		for (int i = 0; i < WATCH_ARGS; i++) {
			if (event.have >> i & 1)
				event.strings[i][WATCH_STRING - 1] = '\0';
		}
		/* The path in it may end there. */
		if (event.address)
			event.said[(event.address - 1) * WATCH_STRING + event.address_size] = '\0';
	}
	wanted = !ask->command &&
		 failed_calls_is_wanted(&watched->calls, &event, ask->wanted, ask->nrs);
	if (!wanted && !has_room(watching)) {
		watched->lost++;
		return 0;
	}
	watched->found |= wanted;
	return failed_calls_add(&watched->calls, &event);
}

bool watch_is_over(const struct trace_request *filters)
{
	return filters->allow_pids.len &&
	       !vec_find(pid, &filters->allow_pids, !kill(*pid, 0) || errno != ESRCH);
}

/* The children of -p's processes are not selected, which is said once. */
struct unselected {
	uint64_t start_ns;
	bool looked, said;
};

static void say_children(struct unselected *state, const struct watcher *watcher)
{
	const struct trace_request *filters = watcher->watching.ask->filters;
	pid_t forked = watcher->skel->bss->forked;

	if (state->said || (!forked && state->looked))
		return;
	vec_foreach(pid, &filters->allow_pids) {
		if (forked ? (pid_t)*pid == forked : process_has_children(*pid)) {
			processes_say_children(*pid);
			state->said = true;
			break;
		}
	}
	state->looked = true;
}

/* Wait until the command has exited, the failure was seen, or a signal arrived. */
static int wait_for(const struct watcher *watcher, struct workload *workload)
{
	const struct watching *watching = &watcher->watching;
	struct watched *watched = watching->watched;
	struct ring_buffer *ring = watcher->ring;
	struct unselected children = { .start_ns = now_ns(), .said = watching->ask->command };
	const struct timespec now = {};
	siginfo_t info;
	sigset_t set;
	int err;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	for (;;) {
		if (workload->pid && workload_ended(workload))
			break;
		watched->gone = !workload->pid && watch_is_over(watching->ask->filters);
		err = ring_buffer__poll(ring, POLL_MS);
		if (err < 0 && err != -EINTR)
			return report(err, "cannot read what system calls came to: %s",
				      strerror(-err));
		if (sigtimedwait(&set, &info, &now) > 0) {
			workload_pass_signal(workload, info.si_signo, info.si_code);
			watched->interrupted = true;
			return 0;
		}
		if (watched->found)
			break;
		if (watched->gone || ms_since(children.start_ns) >= LONG_WAIT_MS)
			say_children(&children, watcher);
		if (watched->gone)
			break;
	}
	ring_buffer__consume(ring);
	return 0;
}

static int add_filters(const struct watch *skel, const struct trace_request *filters)
{
	uint8_t wanted = 1;
	int err = 0;

	vec_foreach(pid, &filters->allow_pids)
		err = err ?: bpf_map_update_elem(bpf_map__fd(skel->maps.pids), pid, &wanted,
						 BPF_ANY);
	vec_foreach(name, &filters->allow_comms) {
		char comm[16] = {};

		/* Cut the name as the kernel does. */
		snprintf(comm, sizeof(comm), "%s", *name);
		err = err ?: bpf_map_update_elem(bpf_map__fd(skel->maps.comms), comm, &wanted,
						 BPF_ANY);
	}
	if (err)
		return report(err, "cannot filter by process: %s", strerror(-err));
	for (uint32_t i = 0; !err && i < filters->cgroups.len; i++)
		err = programs_put_cgroup(bpf_map__fd(skel->maps.cgroups), i,
					  filters->cgroups.data[i]);
	return err;
}

static int load(struct kernel *kernel, const struct watch_ask *ask, pid_t root,
		struct watcher *watcher)
{
	struct watch *skel = watcher->skel;
	struct watch_config *config = (struct watch_config *)&skel->rodata->config;
	int err = watch_config_fill(kernel, ask->filters, root, config);

	if (err)
		return err;
	watch_config_choose(skel, config);
	bpf_map__set_max_entries(skel->maps.pids, ask->filters->allow_pids.len + 1);
	bpf_map__set_max_entries(skel->maps.comms, ask->filters->allow_comms.len + 1);
	err = watch__load(skel);
	if (err)
		return report(err, "the kernel refuses the watch on system calls: %s",
			      strerror(-err));
	err = add_filters(skel, ask->filters);
	if (err)
		return err;
	watch_config_attach(skel, &watcher->links);
	err = watch__attach(skel);
	return err ? report(err, "cannot attach the watch on system calls: %s", strerror(-err)) : 0;
}

int watcher_start(struct kernel *kernel, const struct watch_ask *ask, pid_t command,
		  struct watched *ret, struct watcher **ret_watcher)
{
	struct watcher *watcher = *ret_watcher = calloc(1, sizeof(*watcher));
	int err;

	if (!watcher)
		return report_oom();
	watcher->watching = (struct watching){ ask, ret };
	watcher->skel = watch__open();
	if (!watcher->skel)
		return report(-errno, "cannot open the watch on system calls: %s", strerror(errno));
	err = load(kernel, ask, command, watcher);
	err = err ?: run_cgroups_start(&watcher->cgroups, ask->filters,
				       bpf_map__fd(watcher->skel->maps.cgroups), ask->cgroups);
	if (err)
		return err;
	watcher->ring = ring_buffer__new(bpf_map__fd(watcher->skel->maps.events), on_event,
					 &watcher->watching, NULL);
	return watcher->ring ? 0 : ring_report(-errno);
}

void watcher_take(struct watcher *watcher)
{
	ring_buffer__consume(watcher->ring);
}

void watcher_stop(struct watcher *watcher)
{
	if (!watcher)
		return;
	if (watcher->ring) {
		watcher_take(watcher);
		said_join(&watcher->watching.watched->calls, said_is_line);
		watcher->watching.watched->lost += watcher->skel->bss->lost;
	}
	ring_buffer__free(watcher->ring);
	run_cgroups_stop(&watcher->cgroups);
	watch_links_release(&watcher->links);
	watch__destroy(watcher->skel);
	free(watcher);
}

static int attach_and_run(struct kernel *kernel, const struct watch_ask *ask,
			  struct watched *watched, struct workload *workload)
{
	struct watcher *watcher;
	int err = watcher_start(kernel, ask, workload->pid, watched, &watcher);

	if (!err && ask->command)
		err = workload_release(workload, ask->command[0]);
	err = err ?: wait_for(watcher, workload);
	watched->wait_status = workload->wait_status;
	watcher_stop(watcher);
	return err;
}

int watch_run(struct kernel *kernel, const struct watch_ask *ask, struct watched *ret)
{
	struct workload workload = WORKLOAD_INIT;
	struct workload_env env;
	sigset_t blocked, old;
	int err = 0;

	*ret = (struct watched){};
	workload_env_take(&env, ask->user, ask->stdout_fd);
	env.may_fail = true;
	if (ask->command)
		err = workload_hold(&workload, ask->command, &env);
	if (err)
		return err;
	/* These signals are read while waiting. The command gets the original mask. */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &old);
	err = attach_and_run(kernel, ask, ret, &workload);
	if (ret->interrupted && workload_goes_on(&workload))
		workload_say_goes_on(workload.pid, ask->command[0]);
	/* timeout(1) sends its signal twice, to the process and to its group: the second one must not end this one. */
	while (ret->interrupted && sigtimedwait(&blocked, NULL, &(const struct timespec){}) > 0)
		;
	sigprocmask(SIG_SETMASK, &old, NULL);
	workload_drop(&workload);
	return err;
}
