// SPDX-License-Identifier: BSD-2-Clause
/*
 * The running kernel's symbols from its memory. By its iterator or /proc/kallsyms they took a third of a
 * start: for each symbol the kernel puts the name together, and both copy it.
 */
#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/kernel/symbols/code_source.h"
#include "util/kernel/symbols/kallsyms_tables.h"
#include "util/kernel/symbols/module_symbols.h"
#include "util/kernel/symbols/symbols_internal.h"

/* A teller that looks for the list of modules among what it passes on. */
struct listener {
	symbol_teller tell;
	void *arg;
	uint64_t modules;
	int nr_modules;
};

static int listen(void *arg, const struct told_symbol *told)
{
	static const char modules[] = "modules";
	struct listener *listener = arg;

	if (told->name_len == strlen(modules) && !memcmp(told->name, modules, strlen(modules))) {
		listener->modules = told->addr;
		listener->nr_modules++;
	}
	return listener->tell(listener->arg, told);
}

int symbols_tell_from(const struct btf *types, const struct code_source *memory, const char *vmcoreinfo,
		      const struct loaded_modules *live, symbol_teller tell, void *arg)
{
	struct listener listener = { .tell = tell, .arg = arg };
	int err = kallsyms_tables_tell(memory, vmcoreinfo, listen, &listener);

	if (err)
		return err;
	/* It is data, which not all kernels have in the tables. */
	if (listener.nr_modules != 1)
		return live->v.len ? -ENOENT : 0;
	return module_symbols_tell(types, memory, listener.modules, live, tell, arg);
}

int symbols_tell_from_memory(const struct btf *types, symbol_teller tell, void *arg)
{
	_cleanup_(kcore_close) struct kcore kcore = KCORE_INIT;
	_cleanup_(free_p) char *vmcoreinfo = NULL;
	const struct code_source memory = { kcore_read, &kcore };
	struct loaded_modules live = {};
	int err;

	/* Who may read the memory could find them in any case, but whoever hid them is obeyed. */
	if (kernel_addresses_hidden())
		return -EPERM;
	vmcoreinfo = kcore_vmcoreinfo(&kcore);
	if (!vmcoreinfo)
		return -ENOENT;
	err = modules_list(&live);
	/* A kernel without modules has no list. */
	if (!err || err == -ENOENT)
		err = symbols_tell_from(types, &memory, vmcoreinfo, &live, tell, arg);
	vec_release(&live.v);
	return err;
}
