// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop why -i`: the sessions of a recording, in the view that explains one failure. */
#include "builtin/why_recording.h"

#include <errno.h>

#include "builtin/report_options.h"
#include "builtin/report_show.h"
#include "builtin/suite/output_file.h"
#include "util/ask/request.h"
#include "util/ask/spec.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/kernel/arch/arch.h"
#include "util/view/session/view.h"
#include "util/why/why.h"

static int fill_request(const struct why_ask *ask, struct trace_request *request)
{
	_cleanup_(free_p) char *glob = ask->syscall ? strf("__*_sys_%s", ask->syscall) : NULL;
	int err = 0;

	if (ask->syscall && !glob)
		return report_oom();
	if (glob)
		err = spec_list_add(&request->entry, glob);
	if (!err && ask->entry)
		err = spec_list_add(&request->entry, ask->entry);
	if (ask->err)
		errno_set_add_number(&request->allow_errnos, ask->err);
	request->success = SUCCESS_NO;
	return err;
}

static int check_ask(const struct why_ask *ask, bool once, const struct trace_request *request)
{
	const char *about_runs = ask->user     ? "-u" :
				 once	       ? "--once" :
				 ask->max_runs ? "--runs" :
						 NULL;

	if (ask->command)
		return report(-EINVAL, "-i explains a recording and cannot be combined with a command");
	if (about_runs)
		return report(-EINVAL, "-i runs nothing: %s cannot be combined with it",
			      about_runs);
	if (request->cgroups.len || request->cgroup_patterns.len)
		return report(-EINVAL, "-i: cgroups, pods, containers and units are selected when "
				       "recording");
	return 0;
}

/* The instructions are those of the machine that it was recorded on. */
static int check_machine(const char *path, const char *machine)
{
	const struct arch *arch = machine ? arch_of_machine(machine) : NULL;

	if (!machine || arch == arch_native)
		return 0;
	return report(-EOPNOTSUPP, "%s was recorded on %s, whose code this program does not read; "
				   "'retsnoop report' shows its sessions",
		      path, machine ?: "another machine");
}

int why_recording(const char *path, const struct why_ask *ask, bool once,
		  struct trace_request *request, const struct command_args *args)
{
	_cleanup_(report_set_close) struct report_set set = {};
	char *const paths[] = { (char *)path };
	struct why_choice why = { .call = ask->call };
	const struct report_choice choice = { .why = &why };
	const struct recording_meta *meta;
	int err = check_ask(ask, once, request);

	if (err)
		return command_exit_status(err);
	if (report_set_open(paths, 1, &set))
		return EXIT_CANNOT;
	meta = report_set_first(&set);
	err = check_machine(path, meta->kernel.machine);
	if (err)
		return command_exit_status(err);
	err = report_take_settings(&set, request);
	err = err ?: fill_request(ask, request);
	if (err)
		return command_exit_status(err);
	report_set_time_zone(&set);
	if (output_file_open(args, NULL))
		return EXIT_CANNOT;
	request->modes = meta->modes;
	return report_show(&set, request, &choice, args->format, args->color);
}
