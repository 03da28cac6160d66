// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's types that the BPF object reads, picked out for libbpf. */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <sys/resource.h>

#include "unit.h"

#include "bpf/config.h"
#include "bpf/cost.h"
#include "bpf/retsnoop_session_ctx.skel.h"
#include "util/kernel/bpf/core_types.h"
#include "util/kernel/types/btf_types.h"

FIXTURE(core_types)
{
	struct bpf_object *object;
	struct core_types types;
	struct btf *kernel, *picked;
};

FIXTURE_SETUP(core_types)
{
	size_t size;
	const void *bytes = retsnoop_session_ctx__elf_bytes(&size);

	self->types = (struct core_types)CORE_TYPES_INIT;
	self->picked = NULL;
	self->kernel = btf__new_empty();
	self->object = bpf_object__open_mem(bytes, size, NULL);
	ASSERT_NE(NULL, self->kernel);
	ASSERT_NE(NULL, self->object);
}

FIXTURE_TEARDOWN(core_types)
{
	core_types_release(&self->types);
	bpf_object__close(self->object);
	btf__free(self->kernel);
	btf__free(self->picked);
}

static int32_t find(const struct btf *types, const char *name)
{
	return btf__find_by_name_kind(types, name, BTF_KIND_STRUCT);
}

TEST_F(core_types, those_of_the_object_with_all_that_is_in_them)
{
	int32_t number = btf__add_int(self->kernel, "int", 4, BTF_INT_SIGNED);
	int32_t inside = btf__add_struct(self->kernel, "inside", 4);
	int32_t elsewhere, task, pointer;
	struct btf_place place;
	const char *path;

	ASSERT_EQ(0, btf__add_field(self->kernel, "depth", number, 0, 0));
	elsewhere = btf__add_struct(self->kernel, "elsewhere", 4);
	ASSERT_EQ(0, btf__add_field(self->kernel, "other", number, 0, 0));
	pointer = btf__add_ptr(self->kernel, elsewhere);
	task = btf__add_struct(self->kernel, "task_struct", 24);
	ASSERT_LT(0, task);
	ASSERT_EQ(0, btf__add_field(self->kernel, "pid", number, 0, 0));
	ASSERT_EQ(0, btf__add_field(self->kernel, "within", inside, 32, 0));
	ASSERT_EQ(0, btf__add_field(self->kernel, "away", pointer, 64, 0));
	ASSERT_LT(0, btf__add_struct(self->kernel, "unrelated", 4));

	path = core_types_path(&self->types);
	ASSERT_NE(NULL, path);
	ASSERT_EQ(0, core_types_fill(&self->types, self->object, self->kernel));
	self->picked = btf__parse(path, NULL);
	ASSERT_NE(NULL, self->picked);

	task = find(self->picked, "task_struct");
	ASSERT_LT(0, task);
	EXPECT_EQ(24, btf__type_by_id(self->picked, task)->size);
	ASSERT_TRUE(btf_find_member(self->picked, task, "away", &place));
	EXPECT_EQ(64, place.bit_offset);
	ASSERT_LT(0, find(self->picked, "inside"));
	EXPECT_TRUE(btf_find_member(self->picked, find(self->picked, "inside"), "depth", &place));
	EXPECT_GT(0, find(self->picked, "elsewhere"));
	EXPECT_GT(0, find(self->picked, "unrelated"));
}

TEST_F(core_types, without_a_file_libbpf_looks_by_itself)
{
	struct rlimit limit;

	ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &limit));
	limit.rlim_cur = 1024;
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	EXPECT_EQ(NULL, core_types_path(&self->types));
	EXPECT_EQ(0, core_types_fill(&self->types, self->object, self->kernel));
	EXPECT_EQ(-1, self->types.fd);
}

/* More than one type may have a name; libbpf finds out whether they differ. */
TEST_F(core_types, all_of_a_name)
{
	uint32_t found = 0;

	for (int i = 0; i < 2; i++)
		ASSERT_LT(0, btf__add_struct(self->kernel, "task_struct", 8 + i));
	ASSERT_NE(NULL, core_types_path(&self->types));
	ASSERT_EQ(0, core_types_fill(&self->types, self->object, self->kernel));
	self->picked = btf__parse(self->types.path, NULL);
	ASSERT_NE(NULL, self->picked);
	for (uint32_t id = 1; id < btf__type_cnt(self->picked); id++)
		found += btf_is_struct(btf__type_by_id(self->picked, id));
	EXPECT_EQ(2, found);
}

TEST_HARNESS_MAIN
