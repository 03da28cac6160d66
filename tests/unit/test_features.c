// SPDX-License-Identifier: BSD-2-Clause
/* What a kernel's BTF says about its features. */
#include <bpf/btf.h>
#include <stdlib.h>

#include "util/kernel/types/btf.h"
#include "util/trace/attach/features.h"

#include "tests/unit/unit.h"

/* The features of a kernel whose struct fprobe has this member. */
static struct features of_fprobe_with(const char *member)
{
	struct btf *types = btf__new_empty();
	struct kernel_btf *btf;
	struct features features;
	int pointer;

	if (!types)
		abort();
	pointer = btf__add_ptr(types, 0);
	if (pointer < 0 || btf__add_struct(types, "fprobe", 8) < 0 ||
	    btf__add_field(types, member, pointer, 0, 0) || kernel_btf_from(types, &btf))
		abort();
	features_of_btf(btf, &features);
	kernel_btf_free(btf);
	return features;
}

TEST(fprobe_hooks_returns_by_what_its_struct_has)
{
	EXPECT_TRUE(of_fprobe_with("rethook").rethook);
	EXPECT_FALSE(of_fprobe_with("hlist_array").rethook);
}

TEST_HARNESS_MAIN
