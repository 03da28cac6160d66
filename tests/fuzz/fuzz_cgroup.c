// SPDX-License-Identifier: BSD-2-Clause
/*
 * Paths of cgroups: an input is a list of mounts as /proc/self/mounts has it, a NUL, what --cgroup
 * is given, a NUL, and paths in a recording, each 8 bytes of id and a text that ends with a NUL.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/base/text/quote.h"
#include "util/kernel/machine/cgroup.h"
#include "util/kernel/machine/cgroup_names.h"

static void find(const char *mounts, const char *text)
{
	char *mount = cgroup_mount(mounts), *path = NULL;

	/* Nothing is opened, but a path may be slow to resolve: automounts. */
	if (!cgroup_find_in(mounts, "--cgroup", text, &path) && *path != '/')
		abort();
	free(path);
	free(mount);
}

static void keep_names(struct wire *wire)
{
	struct cgroup_names names = {};
	struct strbuf text = STRBUF_INIT;

	while (wire_left(wire)) {
		uint64_t id = wire_get_u64(wire);
		char *path = fuzz_text(wire, '\0');
		const char *kept;
		int err = cgroup_names_put(&names, id, path);

		kept = cgroup_names_get(&names, id);
		if (!err && !kept)
			abort();
		quote_name_add(&text, kept);
		quote_add(&text, path, strlen(path), '"');
		free(path);
	}
	for (size_t i = 1; i < names.v.len; i++) {
		if (names.v.data[i].id <= names.v.data[i - 1].id)
			abort();
	}
	strbuf_release(&text);
	cgroup_names_release(&names);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static struct fuzz_file mounts;
	struct wire wire = wire_of(input, size);
	char *text = fuzz_text(&wire, '\0'), *path = fuzz_text(&wire, '\0');

	fuzz_quiet();
	fuzz_file_write(&mounts, text, strlen(text));
	find(mounts.path, path);
	keep_names(&wire);
	free(path);
	free(text);
	return 0;
}
