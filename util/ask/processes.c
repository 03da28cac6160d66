// SPDX-License-Identifier: BSD-2-Clause
/* Processes that do not exist would be waited for in vain, and so would threads of other names. */
#include "util/ask/processes.h"

#include <errno.h>

#include "util/ask/request.h"
#include "util/base/report.h"
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
