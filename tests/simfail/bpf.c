/* SPDX-License-Identifier: BSD-2-Clause */
/* BPF, by the bare system call: libbpf would add retries and probes to a trace. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "simfail.h"
#include "util/base/macros.h"

#define VMLINUX_BTF	"/sys/kernel/btf/vmlinux"
#define KPROBE_PMU_TYPE "/sys/bus/event_source/devices/kprobe/type"
#define UNSUPPORTED_FN	"seq_printf" /* variadic, and in every kernel's BTF */

enum bad_map {
	BAD_MAP_TYPE,
	BAD_MAP_CREATE_FLAGS,
	BAD_MAP_KEY_SIZE_ARRAY,
	BAD_MAP_KEY_SIZE_STACKMAP,
	BAD_MAP_KEY_SIZE_RINGBUF,
	BAD_MAP_VAL_SIZE_PERCPU_ARRAY,
	BAD_MAP_MAX_ENTRIES_ARRAY,
	BAD_MAP_MAX_ENTRIES_RINGBUF,
	BAD_MAP_ARRAY_VALUE_SIZE_0,
	BAD_MAP_ARRAY_FLAGS,
};

enum bad_lookup {
	BAD_LOOKUP_KEY,
	BAD_LOOKUP_VALUE,
};

static int bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

/*
 * All of it: an initializer leaves what is behind the named member of a union to the compiler, and
 * the kernel refuses anything but zeroes there.
 */
static void clear(union bpf_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
}

static uint64_t ptr_to_u64(const void *ptr)
{
	return (uintptr_t)ptr;
}

/* Before 5.11 maps and programs count against the locked memory limit. */
static void raise_memlock(void)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_MEMLOCK, &unlimited);
}

static int create_map(uint32_t type, uint32_t key_size, uint32_t value_size, uint32_t max_entries,
		      uint32_t flags)
{
	union bpf_attr attr;

	clear(&attr);
	attr.map_type = type;
	attr.key_size = key_size;
	attr.value_size = value_size;
	attr.max_entries = max_entries;
	attr.map_flags = flags;
	return bpf(BPF_MAP_CREATE, &attr);
}

static int load_prog(union bpf_attr *attr, const struct bpf_insn *insns, uint32_t cnt)
{
	attr->insns = ptr_to_u64(insns);
	attr->insn_cnt = cnt;
	attr->license = ptr_to_u64("GPL");
	return bpf(BPF_PROG_LOAD, attr);
}

static int bpf_bad_map(const struct simfail_case *c, struct simfail_run *run)
{
	static const struct {
		uint32_t type, key_size, value_size, max_entries, flags;
	} maps[] = {
		[BAD_MAP_TYPE] = { -1, 4, 4, 1, 0 },
		[BAD_MAP_CREATE_FLAGS] = { BPF_MAP_TYPE_ARRAY, 4, 4, 1, -1 },
		[BAD_MAP_KEY_SIZE_ARRAY] = { BPF_MAP_TYPE_ARRAY, 8, 4, 1, 0 },
		[BAD_MAP_KEY_SIZE_STACKMAP] = { BPF_MAP_TYPE_STACK_TRACE, 8, 8, 1, 0 },
		[BAD_MAP_KEY_SIZE_RINGBUF] = { BPF_MAP_TYPE_RINGBUF, 1, 0, 1 << 16, 0 },
		/* beyond INT_MAX: smaller ones are E2BIG or ENOMEM, as the kernel likes */
		[BAD_MAP_VAL_SIZE_PERCPU_ARRAY] = { BPF_MAP_TYPE_PERCPU_ARRAY, 4, 1u << 31, 1, 0 },
		[BAD_MAP_MAX_ENTRIES_ARRAY] = { BPF_MAP_TYPE_ARRAY, 4, 4, 0, 0 },
		[BAD_MAP_MAX_ENTRIES_RINGBUF] = { BPF_MAP_TYPE_RINGBUF, 0, 0, (1 << 16) - 1, 0 },
		[BAD_MAP_ARRAY_VALUE_SIZE_0] = { BPF_MAP_TYPE_ARRAY, 4, 0, 1, 0 },
		[BAD_MAP_ARRAY_FLAGS] = { BPF_MAP_TYPE_ARRAY, 4, 4, 1, BPF_F_NO_PREALLOC },
	};
	_cleanup_(simfail_close) int fd = -1;

	(void)run;
	raise_memlock();
	fd = create_map(maps[c->arg].type, maps[c->arg].key_size, maps[c->arg].value_size,
			maps[c->arg].max_entries, maps[c->arg].flags);
	return simfail_errno_of(fd);
}

static int bpf_bad_lookup(const struct simfail_case *c, struct simfail_run *run)
{
	uint32_t key = 0, value = 0;
	_cleanup_(simfail_close) int fd = -1;
	union bpf_attr attr;

	clear(&attr);
	attr.key = c->arg == BAD_LOOKUP_KEY ? 0 : ptr_to_u64(&key);
	attr.value = c->arg == BAD_LOOKUP_VALUE ? 0 : ptr_to_u64(&value);
	raise_memlock();
	fd = create_map(BPF_MAP_TYPE_ARRAY, sizeof(key), sizeof(value), 1, 0);
	if (fd < 0)
		return simfail_skip(run, "cannot make a BPF map: %s", strerror(errno));
	attr.map_fd = fd;
	return simfail_errno_of(bpf(BPF_MAP_LOOKUP_ELEM, &attr));
}

/* While it is at it the kernel runs no BPF programs: nobody can trace what returned the error. */
static int bpf_update_missing(const struct simfail_case *c, struct simfail_run *run)
{
	uint32_t key = 0, value = 0;
	_cleanup_(simfail_close) int fd = -1;
	union bpf_attr attr;

	(void)c;
	clear(&attr);
	attr.key = ptr_to_u64(&key);
	attr.value = ptr_to_u64(&value);
	attr.flags = BPF_EXIST;
	raise_memlock();
	fd = create_map(BPF_MAP_TYPE_HASH, sizeof(key), sizeof(value), 1, 0);
	if (fd < 0)
		return simfail_skip(run, "cannot make a BPF map: %s", strerror(errno));
	attr.map_fd = fd;
	return simfail_errno_of(bpf(BPF_MAP_UPDATE_ELEM, &attr));
}

static int bpf_simple_obj(const struct simfail_case *c, struct simfail_run *run)
{
	_cleanup_(simfail_close) int map_fd = -1, prog_fd = -1;
	union bpf_attr attr;

	(void)c;
	(void)run;
	clear(&attr);
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	raise_memlock();
	map_fd = create_map(BPF_MAP_TYPE_ARRAY, 4, 4, 1, 0);
	if (map_fd < 0)
		return errno;

	const struct bpf_insn insns[] = {
		/* r1 = map (takes two instructions); r0 = 0; exit */
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_PSEUDO_MAP_FD, .imm = map_fd },
		{},
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	prog_fd = load_prog(&attr, insns, ARRAY_SIZE(insns));
	return simfail_errno_of(prog_fd);
}

/* A number from a small file of sysfs, or -1. */
static int read_number(const char *path)
{
	int number = -1;
	FILE *file = fopen(path, "re");

	if (!file)
		return -1;
	if (fscanf(file, "%d", &number) != 1)
		number = -1;
	fclose(file);
	return number;
}

static int bpf_kprobe(const struct simfail_case *c, struct simfail_run *run)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	_cleanup_(simfail_close) int fd = -1;
	int type = read_number(KPROBE_PMU_TYPE);

	(void)c;
	if (type < 0)
		return simfail_skip(run, "no kprobe events: cannot read %s", KPROBE_PMU_TYPE);
	attr.type = type;
	attr.config1 = ptr_to_u64("simfail_there_is_no_such_function");
	fd = syscall(__NR_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return simfail_errno_of(fd);
}

/* How many bytes follow a BTF type's fixed part, or -1 for a kind that is not known. */
static int btf_extra_size(const struct btf_type *type)
{
	uint32_t vlen = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_ENUM:
		return vlen * sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO:
		return vlen * sizeof(struct btf_param);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64:
		return vlen * 3 * sizeof(uint32_t);
	default:
		return -1;
	}
}

/* The id of a function in raw BTF, or -1. The kernel made it, so it is taken to be sound. */
static int btf_find_func(const void *btf, const char *name)
{
	const struct btf_header *header = btf;
	const char *types = (const char *)btf + header->hdr_len + header->type_off;
	const char *strings = (const char *)btf + header->hdr_len + header->str_off;
	const char *end = types + header->type_len;
	const struct btf_type *type;
	int id, extra;

	for (id = 1; types < end; id++) {
		type = (const struct btf_type *)types;
		if (BTF_INFO_KIND(type->info) == BTF_KIND_FUNC &&
		    !strcmp(strings + type->name_off, name))
			return id;
		extra = btf_extra_size(type);
		if (extra < 0)
			return -1;
		types += sizeof(*type) + extra;
	}
	return -1;
}

/* The whole of a file of sysfs, whose size is known beforehand; release with free(). */
static void *read_whole(const char *path)
{
	_cleanup_(simfail_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t done = 0;
	struct stat st;
	ssize_t n;
	char *data;

	if (fd < 0 || fstat(fd, &st))
		return NULL;
	data = malloc(st.st_size);
	while (data && done < (size_t)st.st_size) {
		n = read(fd, data + done, st.st_size - done);
		if (n <= 0) {
			free(data);
			return NULL;
		}
		done += n;
	}
	return data;
}

static int bpf_fentry(const struct simfail_case *c, struct simfail_run *run)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	_cleanup_(simfail_close) int fd = -1;
	union bpf_attr attr;
	void *btf = read_whole(VMLINUX_BTF);
	int id;

	(void)c;
	if (!btf)
		return simfail_skip(run, "no BTF: cannot read %s", VMLINUX_BTF);
	id = btf_find_func(btf, UNSUPPORTED_FN);
	free(btf);
	if (id < 0)
		return simfail_skip(run, "%s has no function %s", VMLINUX_BTF, UNSUPPORTED_FN);

	raise_memlock();
	clear(&attr);
	attr.prog_type = BPF_PROG_TYPE_TRACING;
	attr.expected_attach_type = BPF_TRACE_FENTRY;
	attr.attach_btf_id = id;
	fd = load_prog(&attr, insns, ARRAY_SIZE(insns));
	return simfail_errno_of(fd);
}

/* A row is a paragraph: */
/* clang-format off */
const struct simfail_case simfail_bpf_cases[] = {
	{ .name = "bpf-bad-map-type", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF map of a type that does not exist",
	  .fault = SYSCALL("bpf") "|map_create", .needs = NEED_PRIVILEGE, .run = bpf_bad_map,
	  .arg = BAD_MAP_TYPE },
	{ .name = "bpf-bad-map-create-flags", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF map with all flags set",
	  .fault = SYSCALL("bpf") "|map_create|array_map_alloc_check", .needs = NEED_PRIVILEGE,
	  .run = bpf_bad_map, .arg = BAD_MAP_CREATE_FLAGS },
	{ .name = "bpf-bad-map-key-size-array", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF array whose key is not 4 bytes",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = bpf_bad_map,
	  .arg = BAD_MAP_KEY_SIZE_ARRAY },
	{ .name = "bpf-bad-map-key-size-stackmap", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF stack map whose key is not 4 bytes",
	  .fault = "stack_map_alloc", .needs = NEED_PRIVILEGE, .run = bpf_bad_map,
	  .arg = BAD_MAP_KEY_SIZE_STACKMAP },
	{ .name = "bpf-bad-map-key-size-ringbuf", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF ring buffer with a key",
	  .fault = "ringbuf_map_alloc|map_create", .needs = NEED_PRIVILEGE,
	  .run = bpf_bad_map, .arg = BAD_MAP_KEY_SIZE_RINGBUF },
	{ .name = "bpf-bad-map-val-size-percpu-array", .group = "bpf", .expected = E2BIG,
	  .summary = "create a BPF per-CPU array of too large values",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = bpf_bad_map,
	  .arg = BAD_MAP_VAL_SIZE_PERCPU_ARRAY },
	{ .name = "bpf-bad-map-max-entries-array", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF array of no entries",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = bpf_bad_map,
	  .arg = BAD_MAP_MAX_ENTRIES_ARRAY },
	{ .name = "bpf-bad-map-max-entries-ringbuf", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF ring buffer whose size is not a power of two",
	  .fault = "ringbuf_map_alloc|map_create", .needs = NEED_PRIVILEGE,
	  .run = bpf_bad_map, .arg = BAD_MAP_MAX_ENTRIES_RINGBUF },
	{ .name = "bpf-bad-map-lookup-key", .group = "bpf", .expected = EFAULT,
	  .summary = "look up in a BPF map with a null key pointer",
	  .fault = "memdup_user|vmemdup_user", .needs = NEED_PRIVILEGE,
	  .run = bpf_bad_lookup, .arg = BAD_LOOKUP_KEY },
	{ .name = "bpf-bad-map-lookup-value", .group = "bpf", .expected = EFAULT,
	  .summary = "look up in a BPF map with a null value pointer",
	  .fault = SYSCALL("bpf") "|__sys_bpf|map_lookup_elem", .needs = NEED_PRIVILEGE,
	  .run = bpf_bad_lookup, .arg = BAD_LOOKUP_VALUE },
	{ .name = "bpf-update-missing", .group = "bpf", .expected = ENOENT,
	  .summary = "update an element of a BPF hash that is not there",
	  .fault = "-", .needs = NEED_PRIVILEGE, .run = bpf_update_missing },
	{ .name = "bpf-array-value-size-0", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF array of empty values",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = bpf_bad_map,
	  .arg = BAD_MAP_ARRAY_VALUE_SIZE_0 },
	{ .name = "bpf-array-max-entries-0", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF array of no entries",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = bpf_bad_map,
	  .arg = BAD_MAP_MAX_ENTRIES_ARRAY },
	{ .name = "bpf-array-bad-flags", .group = "bpf", .expected = EINVAL,
	  .summary = "create a BPF array with a flag that only hashes take",
	  .fault = "array_map_alloc_check", .needs = NEED_PRIVILEGE, .run = bpf_bad_map,
	  .arg = BAD_MAP_ARRAY_FLAGS },
	{ .name = "bpf-kprobe-bad-kfunc", .group = "bpf", .expected = ENOENT,
	  .summary = "open a kprobe on a function that does not exist",
	  .fault = "register_kprobe|perf_kprobe_event_init", .needs = NEED_PRIVILEGE,
	  .run = bpf_kprobe },
	{ .name = "bpf-fentry-unsupp-func", .group = "bpf", .expected = EINVAL,
	  .summary = "load a BPF fentry program for a variadic function",
	  .fault = "btf_distill_func_proto", .needs = NEED_PRIVILEGE, .run = bpf_fentry },
	{ .name = "bpf-simple-obj", .group = "bpf", .expected = 0,
	  .summary = "create a BPF map, load a program that uses it",
	  .fault = "-", .needs = NEED_PRIVILEGE, .run = bpf_simple_obj },
	{},
};
/* clang-format on */
