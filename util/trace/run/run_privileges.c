// SPDX-License-Identifier: BSD-2-Clause
/* Privileges once everything is attached: what comes next reads files and data of others. */
#include <linux/capability.h>
#include <string.h>

#include "util/base/report.h"
#include "util/kernel/machine/capabilities.h"
#include "util/kernel/machine/privileges.h"
#include "util/trace/run/run_internal.h"

/*
 * For maps of BPF (before 5.19 every bpf(2) needs the right to it), addresses of symbols, names of
 * cgroups, files, and signals to a workload of another user.
 */
#define KEPT                                                                           \
	(CAPABILITY(CAP_BPF) | CAPABILITY(CAP_SYSLOG) | CAPABILITY(CAP_DAC_READ_SEARCH) | \
	 CAPABILITY(CAP_DAC_OVERRIDE) | CAPABILITY(CAP_FOWNER) | CAPABILITY(CAP_CHOWN) |  \
	 CAPABILITY(CAP_KILL) | CAPABILITY(CAP_SYS_RESOURCE))

void run_drop_privileges(const struct run *run)
{
	uint64_t had, keep = KEPT;
	int err;

	if (run->handler->attaches_again || run->request->budget_ppm)
		return;
	err = privileges_read(&had);
	/* A kernel before 5.8, or a process that has the old one alone. */
	if (!(had & CAPABILITY(CAP_BPF)))
		keep |= CAPABILITY(CAP_SYS_ADMIN);
	/* The kernel's code, in /proc/kcore. */
	if (run->handler->record || run->request->modes & MODE_BRANCHES)
		keep |= CAPABILITY(CAP_SYS_RAWIO);
	if (!err)
		err = run_modules_may_come(run) ? privileges_put_aside(keep) : privileges_keep(keep);
	if (err)
		say(VERBOSITY_VERBOSE, "Privileges are kept: %s", strerror(-err));
}

void run_resume_privileges(void)
{
	int err = privileges_resume();

	if (err)
		say(VERBOSITY_VERBOSE, "Privileges cannot be resumed: %s", strerror(-err));
}
