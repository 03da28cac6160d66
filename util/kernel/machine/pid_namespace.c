// SPDX-License-Identifier: BSD-2-Clause
/* Finding the PID namespace. */
#include "util/kernel/machine/pid_namespace.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "util/base/report.h"

#define OWN_NAMESPACE "/proc/self/ns/pid"

/* The kernel's dev_t; stat(2) packs it in another way. */
#define KERNEL_MINOR_BITS 20

int pid_namespace_read(struct pid_namespace *ret_namespace)
{
	struct stat st;

	if (stat(OWN_NAMESPACE, &st))
		return report(-errno, "cannot read " OWN_NAMESPACE ": %s; is /proc mounted?",
			      strerror(errno));
	*ret_namespace = (struct pid_namespace){
		.initial = st.st_ino == PID_NAMESPACE_INITIAL,
		.dev = (uint64_t)major(st.st_dev) << KERNEL_MINOR_BITS | minor(st.st_dev),
		.ino = st.st_ino,
	};
	return 0;
}

int pid_namespace_learn(int prog_fd)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int err = bpf_prog_test_run_opts(prog_fd, &opts) ? -errno : opts.retval ? -ESRCH : 0;

	return err ? report(err, "cannot tell which process ids are this container's (%s); run "
				 "retsnoop outside of it", strerror(-err)) :
		     0;
}
