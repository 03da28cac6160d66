// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tables of symbols in the kernel's memory, which may change while it is read. An input is a byte for the
 * form of addresses, notes of /proc/kcore up to a NUL, and the damage (fuzz.h) to a sound memory.
 */
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/kernel_memory.h"
#include "util/kernel/symbols/modules.h"
#include "util/kernel/symbols/symbols_internal.h"

static int count(void *arg, const struct told_symbol *told)
{
	size_t *nr = arg;

	if (!told->name_len || told->name[told->name_len - 1] == '\0')
		abort();
	*nr += told->module ? told->module_len : 1;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static struct kernel_memory sound, damaged;
	static struct btf *types;
	const struct code_source memory = { kernel_memory_read, &damaged };
	struct strbuf text = STRBUF_INIT;
	struct loaded_modules live = {};
	struct wire wire = wire_of(input, size);
	size_t nr = 0;
	char *notes;

	fuzz_quiet();
	if (!types)
		types = kernel_memory_types();
	kernel_memory_fill(&sound, size ? *input % 3 : 0);
	notes = fuzz_text(&wire, '\0');
	free(vmcoreinfo_find(notes, strlen(notes)));
	free(notes);
	fuzz_damage(&wire, &sound.at, sizeof(sound.at), &text);
	damaged = sound;
	damaged.size = text.len < sizeof(sound.at) ? text.len : sizeof(sound.at);
	memcpy(&damaged.at, strbuf_str(&text), damaged.size);
	symbols_tell_from(types, &memory, damaged.vmcoreinfo, &live, count, &nr);
	strbuf_release(&text);
	return 0;
}
