/* SPDX-License-Identifier: BSD-2-Clause */
/* A kernel with functions, code, tracepoints and raw tracepoints, all made up. */
#ifndef RETSNOOP_TESTS_PROBES_FIXTURE_H
#define RETSNOOP_TESTS_PROBES_FIXTURE_H

#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernel_fixture.h"
#include "tracepoint_formats.h"
#include "util/kernel/kernel.h"
#include "util/kernel/types/btf.h"
#include "util/plan/points/probes.h"

static const char probes_kallsyms[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81000100 T do_open\n"
	"ffffffff81000200 T do_open_twice\n"
	"ffffffff81000300 t helper\n"
	"ffffffff81000400 t helper\n"
	"ffffffff81000500 t do_open.cold\n"
	"ffffffff81000600 T migrate_disable\n"
	"ffffffff81000700 T do_notrace\n"
	"ffffffff81000800 T do_trap\n"
	"ffffffff81000880 T do_trapped\n"
	"ffffffff81000900 T do_last\n"
	"ffffffff81000911 T _etext\n"
	"ffffffffc0000000 t do_open\t[ext4]\n"
	"ffffffffc0000100 t ext4_init\t[ext4]\n";

static const char probes_functions[] =
	"do_open\ndo_open_twice\nhelper\nhelper\nmigrate_disable\ndo_trap\ndo_trapped\ndo_last\n"
	"do_open [ext4]\next4_init [ext4]\n";
static const char probes_blacklist[] = "0xffffffff81000800-0xffffffff81000880\tdo_trap\n";

#define DO_OPEN 0xffffffff81000100ull

/* endbr64; call; push; mov; test; ret; the same for every function. */
static const uint8_t probes_code[] =
	"\xf3\x0f\x1e\xfa\xe8\x01\x02\x03\x04\x55\x48\x89\xe5\xf6\xc3\x01\xc3";

static inline long probes_read_code(void *arg, uint64_t addr, void *buf, size_t size)
{
	size_t have = sizeof(probes_code) - 1;

	if (addr & 0xff)
		return -EFAULT;
	memset(buf, 0x90, size);
	memcpy(buf, probes_code, size < have ? size : have);
	return size;
}

static inline void probes_add_format(const char *root, const char *folder, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "mkdir -p %s/events/%s", root, folder);
	if (system(path))
		abort();
	snprintf(path, sizeof(path), "%s/events/%s/format", root, folder);
	file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

static inline int probes_add_proto(struct btf *types, const int *params, const char *const *names,
				   int nr)
{
	int proto = btf__add_func_proto(types, 0);

	for (int i = 0; i < nr; i++)
		btf__add_func_param(types, names ? names[i] : NULL, params[i]);
	return proto;
}

/* task_switch(bool, struct task *, int, enum why, unsigned long), with names; and nameless(int). */
static inline struct btf *probes_btf(void)
{
	static const char *const names[] = { "__data", "preempt", "prev", "state", "why", "when" };
	struct btf *types = btf__new_empty();
	int i32 = btf__add_int(types, "int", 4, BTF_INT_SIGNED);
	int u64 = btf__add_int(types, "unsigned long", 8, 0);
	int boolean = btf__add_int(types, "bool", 1, BTF_INT_BOOL);
	int task = btf__add_struct(types, "task", 16), nothing, why, named;

	btf__add_field(types, "pid", i32, 0, 0);
	btf__add_field(types, "start", u64, 64, 0);
	task = btf__add_ptr(types, task);
	nothing = btf__add_ptr(types, 0);
	int two[2] = { nothing, i32 };

	why = btf__add_enum(types, "why", 4);
	btf__add_enum_value(types, "WHY_WAIT", 1);
	btf__add_enum_value(types, "WHY_YIELD", 2);
	int six[6] = { nothing, boolean, task, i32, why, u64 };

	btf__add_typedef(types, "btf_trace_task_switch",
			 btf__add_ptr(types, probes_add_proto(types, six, NULL, 6)));
	named = probes_add_proto(types, six, names, 6);
	btf__add_func(types, "__traceiter_task_switch", BTF_FUNC_STATIC, named);
	btf__add_typedef(types, "btf_trace_nameless",
			 btf__add_ptr(types, probes_add_proto(types, two, NULL, 2)));
	/* What is not what its name says. */
	btf__add_typedef(types, "btf_trace_number", i32);
	btf__add_typedef(types, "btf_trace_nothing",
			 btf__add_ptr(types, probes_add_proto(types, NULL, NULL, 0)));
	/* Functions that return something, and one that does not. */
	btf__add_func(types, "do_open", BTF_FUNC_STATIC, btf__add_func_proto(types, i32));
	btf__add_func(types, "do_last", BTF_FUNC_STATIC, btf__add_func_proto(types, task));
	btf__add_func(types, "do_trapped", BTF_FUNC_STATIC, btf__add_func_proto(types, 0));
	return types;
}

struct probes_fixture {
	struct kernel *kernel;
	struct code_source code;
	struct probe_sources sources;
	char root[32];
};

static inline void probes_fixture_init(struct probes_fixture *f, bool with_btf)
{
	struct symbols *symbols = make_symbols(probes_kallsyms);
	struct traceable *traceable =
		make_traceable(symbols, probes_functions, false, probes_blacklist);
	struct kernel_btf *btf = NULL;

	if (with_btf && kernel_btf_from(probes_btf(), &btf))
		abort();
	if (kernel_from_parts(symbols, btf, traceable, &f->kernel))
		abort();
	strcpy(f->root, "/tmp/tracefs.XXXXXX");
	if (!mkdtemp(f->root))
		abort();
	probes_add_format(f->root, "sched/proc_exec", format_exec);
	probes_add_format(f->root, "sched/task_switch", format_switch);
	probes_add_format(f->root, "x/arrays", format_arrays);
	probes_add_format(f->root, "x/broken", "name: broken\n");
	probes_add_format(f->root, "syscalls/sys_enter_openat", format_syscall);
	f->code = (struct code_source){ probes_read_code, NULL };
	f->sources = (struct probe_sources){ f->root, &f->code };
}

static inline void probes_fixture_release(struct probes_fixture *f)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", f->root);
	if (system(command))
		abort();
	kernel_free(f->kernel);
}

#endif
