// SPDX-License-Identifier: BSD-2-Clause
/* The memory of the kernel without kprobes. */
#include "util/kernel/live_code.h"

#include <errno.h>

#include "util/kernel/kernel.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/types/btf.h"

void live_code_init(struct live_code *live, struct kernel *kernel)
{
	*live = (struct live_code){ .kernel = kernel, .kcore = KCORE_INIT };
}

void live_code_open(struct live_code *live)
{
	live->kcore.by_bpf = true;
	kcore_open(&live->kcore);
}

/* Without BTF or symbols, they stay in the code. 0; -errno. */
static int find_kprobes(struct live_code *live)
{
	const struct code_source memory = { kcore_read, &live->kcore };
	struct probed_code probed;
	struct kernel_btf *btf;
	struct symbols *symbols;
	int err = -ENOENT;

	if (!kernel_get_btf(live->kernel, &btf) && !kernel_symbols(live->kernel, &symbols))
		err = probed_code_read(kernel_btf_types(btf, 0), &memory, symbols_tables(symbols)->kprobes, &probed);
	if (err && (live->is_known || err == -ENOMEM))
		return err;
	live->has_probed = true;
	if (err)
		return 0;
	live->is_known = true;
	probed_code_release(&live->probed);
	live->probed = probed;
	return 0;
}

void live_code_kprobes_changed(struct live_code *live)
{
	live->has_probed = false;
}

long live_code_read(void *arg, uint64_t addr, void *buf, size_t size)
{
	struct live_code *live = arg;
	long have = kcore_read(&live->kcore, addr, buf, size);
	int err = 0;

	if (have > 0 && !live->has_probed)
		err = find_kprobes(live);
	if (have > 0 && !err)
		probed_code_restore(&live->probed, addr, buf, have);
	return err ?: have;
}

void live_code_close(struct live_code *live)
{
	probed_code_release(&live->probed);
	kcore_close(&live->kcore);
}
