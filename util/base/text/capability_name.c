// SPDX-License-Identifier: BSD-2-Clause
/* Capabilities by number, as include/uapi/linux/capability.h has them (7.2). */
#include "util/base/text/capability_name.h"

#include <linux/capability.h>
#include <stddef.h>

#include "util/base/macros.h"

const char *capability_name(long long number)
{
#define NAME(capability) [capability] = #capability
	static const char *const names[] = {
		NAME(CAP_CHOWN),
		NAME(CAP_DAC_OVERRIDE),
		NAME(CAP_DAC_READ_SEARCH),
		NAME(CAP_FOWNER),
		NAME(CAP_FSETID),
		NAME(CAP_KILL),
		NAME(CAP_SETGID),
		NAME(CAP_SETUID),
		NAME(CAP_SETPCAP),
		NAME(CAP_LINUX_IMMUTABLE),
		NAME(CAP_NET_BIND_SERVICE),
		NAME(CAP_NET_BROADCAST),
		NAME(CAP_NET_ADMIN),
		NAME(CAP_NET_RAW),
		NAME(CAP_IPC_LOCK),
		NAME(CAP_IPC_OWNER),
		NAME(CAP_SYS_MODULE),
		NAME(CAP_SYS_RAWIO),
		NAME(CAP_SYS_CHROOT),
		NAME(CAP_SYS_PTRACE),
		NAME(CAP_SYS_PACCT),
		NAME(CAP_SYS_ADMIN),
		NAME(CAP_SYS_BOOT),
		NAME(CAP_SYS_NICE),
		NAME(CAP_SYS_RESOURCE),
		NAME(CAP_SYS_TIME),
		NAME(CAP_SYS_TTY_CONFIG),
		NAME(CAP_MKNOD),
		NAME(CAP_LEASE),
		NAME(CAP_AUDIT_WRITE),
		NAME(CAP_AUDIT_CONTROL),
		NAME(CAP_SETFCAP),
		NAME(CAP_MAC_OVERRIDE),
		NAME(CAP_MAC_ADMIN),
		NAME(CAP_SYSLOG),
		NAME(CAP_WAKE_ALARM),
		NAME(CAP_BLOCK_SUSPEND),
		NAME(CAP_AUDIT_READ),
		NAME(CAP_PERFMON),
		NAME(CAP_BPF),
		NAME(CAP_CHECKPOINT_RESTORE),
	};
#undef NAME

	return number >= 0 && number < (long long)ARRAY_SIZE(names) ? names[number] : NULL;
}
