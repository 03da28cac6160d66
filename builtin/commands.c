// SPDX-License-Identifier: BSD-2-Clause
/* The table of commands, and what they ask of the machine. */
#include "builtin/builtin.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/report.h"

const struct command *const commands[] = {
	&cmd_stack,
	&cmd_trace,
	&cmd_lbr,
	&cmd_args,
	&cmd_probe,
	&cmd_funcs,
	&cmd_record,
	&cmd_report,
	&cmd_symbolize,
	&cmd_doctor,
	&cmd_help,
	NULL,
};

const struct command *command_find(const char *name)
{
	for (int i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}

static bool has_capability(const struct __user_cap_data_struct *data, int cap)
{
	return data[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK(cap);
}

bool command_has_rights(const struct command *command)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};

	/* Where the kernel does not say, trying will tell. */
	if (!(command->needs & NEED_TRACING) || syscall(SYS_capget, &header, data))
		return true;
	return has_capability(data, CAP_SYS_ADMIN) ||
	       (has_capability(data, CAP_BPF) && has_capability(data, CAP_PERFMON));
}

int command_check_needs(const struct command *command)
{
	if (command_has_rights(command))
		return 0;
	return report(-EPERM, "tracing needs root, or CAP_BPF and CAP_PERFMON; try sudo");
}
