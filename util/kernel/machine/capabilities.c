// SPDX-License-Identifier: BSD-2-Clause
/* Capabilities by their purpose. */
#include "util/kernel/machine/capabilities.h"

#include <linux/capability.h>
#include <stddef.h>

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/text/capability_name.h"
#include "util/kernel/machine/machine.h"

/* In the order in which messages name them; CAP_SYS_ADMIN includes the next two. */
static const int capabilities[] = {
	CAP_SYS_ADMIN, CAP_BPF, CAP_PERFMON, CAP_SYSLOG, CAP_SYS_RESOURCE, CAP_SYS_RAWIO, CAP_DAC_READ_SEARCH,
};

bool libbpf_lists_modules(unsigned int libbpf, unsigned int kernel, bool btf)
{
	return libbpf < KERNEL_VERSION_OF(1, 3) && kernel >= KERNEL_VERSION_OF(5, 11) && btf;
}

uint64_t tracing_capabilities(const struct tracing_needs *needs)
{
	uint64_t bpf = CAPABILITY(CAP_BPF) | CAPABILITY(CAP_PERFMON);

	return (needs->lists_modules ? CAPABILITY(CAP_SYS_ADMIN) : bpf) |
	       (needs->addresses_hidden ? CAPABILITY(CAP_SYSLOG) : 0) |
	       (needs->memory_counted ? CAPABILITY(CAP_SYS_RESOURCE) : 0);
}

void capabilities_add(struct strbuf *sb, uint64_t caps)
{
	for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++) {
		uint64_t bit = CAPABILITY(capabilities[i]);

		if (!(caps & bit))
			continue;
		caps &= ~bit;
		strbuf_addf(sb, "%s%s", capability_name(capabilities[i]),
			    !caps ? "" : caps & (caps - 1) ? ", " : " and ");
	}
}
