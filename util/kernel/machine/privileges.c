// SPDX-License-Identifier: BSD-2-Clause
/* Reads and sets capabilities. */
#include "util/kernel/machine/privileges.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

struct caps {
	struct __user_cap_header_struct header;
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
};

static int get_caps(struct caps *caps)
{
	*caps = (struct caps){ .header.version = _LINUX_CAPABILITY_VERSION_3 };
	return syscall(SYS_capget, &caps->header, caps->data) ? -errno : 0;
}

int privileges_read(uint64_t *ret_caps)
{
	struct caps caps;
	int err = get_caps(&caps);

	*ret_caps = caps.data[0].effective | (uint64_t)caps.data[1].effective << 32;
	return err;
}

static int set_caps(struct caps *caps)
{
	return syscall(SYS_capset, &caps->header, caps->data) ? -errno : 0;
}

int privileges_put_aside(uint64_t keep)
{
	struct caps caps;
	int err = get_caps(&caps);

	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		caps.data[i].effective &= (uint32_t)(keep >> 32 * i);
	return err ?: set_caps(&caps);
}

int privileges_resume(void)
{
	struct caps caps;
	int err = get_caps(&caps);

	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		caps.data[i].effective = caps.data[i].permitted;
	return err ?: set_caps(&caps);
}

int privileges_keep(uint64_t keep)
{
	struct caps caps;
	int err = get_caps(&caps);

	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		caps.data[i].effective &= (uint32_t)(keep >> 32 * i);
		caps.data[i].permitted &= (uint32_t)(keep >> 32 * i);
		caps.data[i].inheritable &= (uint32_t)(keep >> 32 * i);
	}
	return err ?: set_caps(&caps);
}
