// SPDX-License-Identifier: BSD-2-Clause
/* Limits of resources by number, as include/uapi/asm-generic/resource.h has them (7.2). */
#include "util/base/text/limit_name.h"

#include <stddef.h>
#include <sys/resource.h>

#include "util/base/macros.h"

const char *limit_name(unsigned long number)
{
#define NAME(limit) [limit] = #limit
	static const char *const names[] = {
		NAME(RLIMIT_CPU),     NAME(RLIMIT_FSIZE),   NAME(RLIMIT_DATA),	 NAME(RLIMIT_STACK),
		NAME(RLIMIT_CORE),    NAME(RLIMIT_RSS),	    NAME(RLIMIT_NPROC),	 NAME(RLIMIT_NOFILE),
		NAME(RLIMIT_MEMLOCK), NAME(RLIMIT_AS),	    NAME(RLIMIT_LOCKS),	 NAME(RLIMIT_SIGPENDING),
		NAME(RLIMIT_MSGQUEUE), NAME(RLIMIT_NICE),   NAME(RLIMIT_RTPRIO), NAME(RLIMIT_RTTIME),
	};
#undef NAME

	return number < ARRAY_SIZE(names) ? names[number] : NULL;
}
