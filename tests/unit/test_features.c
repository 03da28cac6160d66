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

/* Whether kprobe-session is there if BTF has functions of these names, and fprobe's. */
static bool sessions_with(const char *first, const char *second)
{
	const char *const names[] = { "register_fprobe_ips", first, second };
	struct btf *types = btf__new_empty();
	struct kernel_btf *btf;
	struct features features;

	for (int i = 0; i < 3; i++) {
		int proto = btf__add_func_proto(types, 0);

		if (proto < 0 || btf__add_func(types, names[i], BTF_FUNC_GLOBAL, proto) < 0)
			abort();
	}
	if (kernel_btf_from(types, &btf))
		abort();
	features_of_btf(btf, &features);
	kernel_btf_free(btf);
	return features.rungs[RUNG_KPROBE_SESSION];
}

TEST(session_programs_need_both_functions)
{
	EXPECT_TRUE(sessions_with("bpf_session_is_return", "bpf_session_cookie"));
	EXPECT_FALSE(sessions_with("bpf_session_is_return", "another"));
	EXPECT_FALSE(sessions_with("another", "bpf_session_cookie"));
}

TEST(fprobe_hooks_returns_by_what_its_struct_has)
{
	EXPECT_TRUE(of_fprobe_with("rethook").rethook);
	EXPECT_FALSE(of_fprobe_with("hlist_array").rethook);
}

TEST_HARNESS_MAIN
