// SPDX-License-Identifier: BSD-2-Clause
/* The table of commands, and the privileges that they need. */
#include "builtin/suite/command.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/kernel.h"
#include "util/kernel/machine/capabilities.h"
#include "util/kernel/machine/machine.h"
#include "util/kernel/machine/privileges.h"

const struct command *const commands[] = {
	&cmd_why,
	&cmd_stack,
	&cmd_trace,
	&cmd_lbr,
	&cmd_args,
	&cmd_probe,
	&cmd_funcs,
	&cmd_record,
	&cmd_report,
	&cmd_export,
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

static bool lists_modules(unsigned int kernel)
{
	return libbpf_lists_modules(KERNEL_VERSION_OF(libbpf_major_version(),
						      libbpf_minor_version()),
				    kernel, !access("/sys/kernel/btf/vmlinux", R_OK));
}

/* BPF maps are locked memory, which has a limit. */
static bool counts_memory(unsigned int kernel)
{
	struct rlimit limit;

	return kernel < KERNEL_VERSION_OF(5, 11) && !getrlimit(RLIMIT_MEMLOCK, &limit) &&
	       limit.rlim_max < (rlim_t)MEMLOCK_ENOUGH;
}

static struct tracing_needs tracing_needs(bool hidden)
{
	unsigned int major = 0, minor = 0, kernel = 0;
	struct utsname uts;

	if (!uname(&uts) && sscanf(uts.release, "%u.%u", &major, &minor) == 2)
		kernel = KERNEL_VERSION_OF(major, minor);
	return (struct tracing_needs){ lists_modules(kernel), hidden, counts_memory(kernel) };
}

/*
 * The capabilities of this process, with those that CAP_SYS_ADMIN includes. False: not known; the
 * attempt to trace will tell.
 */
static bool own_capabilities(uint64_t *ret_caps)
{
	if (privileges_read(ret_caps))
		return false;
	if (*ret_caps & CAPABILITY(CAP_SYS_ADMIN))
		*ret_caps |= CAPABILITY(CAP_BPF) | CAPABILITY(CAP_PERFMON);
	return true;
}

/*
 * The capabilities that a command needs and this process lacks. A file is opened to find out
 * whether the kernel hides addresses.
 */
static uint64_t missing_needs(const struct command *command, struct tracing_needs *ret_needs)
{
	uint64_t caps;

	if (!(command->needs & NEED_TRACING) || !own_capabilities(&caps))
		return 0;
	*ret_needs = tracing_needs(!(caps & CAPABILITY(CAP_SYSLOG)) && kernel_addresses_hidden());
	return tracing_capabilities(ret_needs) & ~caps;
}

bool command_has_rights(const struct command *command)
{
	struct tracing_needs needs;

	return !missing_needs(command, &needs);
}

int command_check_needs(const struct command *command)
{
	_cleanup_(strbuf_release) struct strbuf caps = STRBUF_INIT;
	_cleanup_(strbuf_release) struct strbuf why = STRBUF_INIT;
	struct tracing_needs needs;

	if (!missing_needs(command, &needs)) {
		if (command->needs & NEED_TRACING && lockdown_is_complete())
			return report(-EPERM,
				      "the kernel is locked down (confidentiality): nobody may trace it "
				      "or read its memory; boot without lockdown=confidentiality");
		return 0;
	}
	capabilities_add(&caps, tracing_capabilities(&needs));
	if (needs.lists_modules)
		strbuf_addf(&why, " (CAP_SYS_ADMIN because this is libbpf %u.%u; 1.3 needs "
			    "CAP_BPF and CAP_PERFMON instead)",
			    libbpf_major_version(), libbpf_minor_version());
	return report(-EPERM, "tracing needs root, or %s%s; try sudo", strbuf_str(&caps),
		      strbuf_str(&why));
}
