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
	const char *s;

	if (request->allow_pids.len || request->workload)
		return;
	vec_foreach(name, &request->allow_comms) {
		struct process_threads threads =
			process_threads_of(*name, request->allow_comms.data, request->allow_comms.len);

		s = threads.others == 1 ? "" : "s";
		if (threads.others)
			warning("-n %s leaves out %u thread%s of process %d, which %s; -p %d selects all its threads",
				*name, threads.others, s, threads.process,
				threads.others == 1 ? "has another name" : "have other names", threads.process);
	}
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
