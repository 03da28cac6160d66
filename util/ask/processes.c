// SPDX-License-Identifier: BSD-2-Clause
/* Processes that do not exist would be waited for in vain, and so would threads of other names. */
#include "util/ask/processes.h"

#include <errno.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/machine/process.h"

static int check_pid(uint32_t pid)
{
	pid_t process = process_of(pid);

	if (!process)
		return report(-ESRCH, "-p: process %u does not exist", pid);
	if (process != (pid_t)pid)
		return report(-ESRCH, "-p: %u is a thread of process %d; give that", pid, process);
	return 0;
}

/* Of a process chosen by its id as well, the other threads are left out on purpose. */
static void say_other_threads(const struct trace_request *request)
{
	struct process_threads threads;
	bool one;

	if (!request->allow_comms.len || request->allow_pids.len || request->workload)
		return;
	threads = process_threads_of(request->allow_comms.data, request->allow_comms.len);
	one = threads.others == 1;
	if (threads.others)
		warning("-n %s leaves out %u thread%s of process %d, which %s; -p %d selects all its threads", threads.name,
			threads.others, one ? "" : "s", threads.process, one ? "has another name" : "have other names",
			threads.process);
}

int processes_check(const struct trace_request *request)
{
	int err = 0;

	vec_foreach(pid, &request->allow_pids)
		err = err ?: check_pid(*pid);
	if (!err)
		say_other_threads(request);
	return err;
}

void processes_say_unused_names(const struct trace_request *request)
{
	vec_foreach(name, &request->allow_comms) {
		if (!process_thread_named(*name))
			warning("-n %s: no thread has that name yet", *name);
	}
}

/* A unit's processes, or at least those of the cgroup; NULL: the cgroup tells nothing. */
static char *cgroup_option(pid_t process)
{
	_cleanup_(free_p) char *path = process_cgroup(process);
	const char *unit = path ? strrchr(path, '/') + 1 : "";

	/* The root has all processes; a path above a container's root cannot be given. */
	if (!*unit || strstr(path, "/.."))
		return NULL;
	if (endswith(unit, ".service") || endswith(unit, ".scope"))
		return strf("--unit %s", unit);
	return strf("--cgroup %s", path + 1);
}

void processes_say_children(pid_t process)
{
	_cleanup_(free_p) char *option = cgroup_option(process);
	char comm[16];

	if (!option && process_comm(process, comm))
		option = strf("-n %s", comm);
	warning("-p %d leaves out its child processes; %s %s them", process, option ?: "-n, --cgroup or --unit",
		option ? "selects" : "select");
}
