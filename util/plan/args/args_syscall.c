// SPDX-License-Identifier: BSD-2-Clause
/* Parameters of system calls: where they are, which strings the call reads, and which structs it fills in. */
#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"
#include "util/plan/args/args_internal.h"

/*
 * Functions that take a system call's arguments in another form than its entry function (one struct
 * pt_regs): as numbers, each of them `long` ...
 */
static const char *const long_prefixes[] = { "__se_sys_", "__se_compat_sys_" };

/* ... and as what they are. */
static const char *const typed_prefixes[] = { "__do_sys_", "__do_compat_sys_", "ksys_" };

#define NAME_AFTER(func, prefixes) name_after(func, prefixes, ARRAY_SIZE(prefixes))

const char *args_syscall_name(const char *func)
{
	return syscall_of_entry(func) ?: NAME_AFTER(func, long_prefixes);
}

bool args_syscall_is_compat(const char *func)
{
	return args_syscall_name(func) && strstr(func, "_compat_sys_");
}

/*
 * What a call's types do not say of its parameters, a bit for each. Of `char *` without const, it reads a
 * string from some; others lead to a buffer that the call fills, to data of some length (setsockopt), or are
 * addresses (shmat). There are structs that it only writes: before, memory has there what was left from other
 * uses.
 */
static const struct pointer_use {
	const char *name;
	uint32_t reads, fills;
} pointer_uses[] = {
	{ "mount", .reads = 1 << 0 | 1 << 1 | 1 << 2 },
	{ "umount", .reads = 1 << 0 },
	{ "oldumount", .reads = 1 << 0 },
	{ "sethostname", .reads = 1 << 0 },
	{ "setdomainname", .reads = 1 << 0 },
	{ "utime", .reads = 1 << 0 },
	{ "utimes", .reads = 1 << 0 },
	{ "accept", .fills = 1 << 1 },
	{ "accept4", .fills = 1 << 1 },
	{ "cachestat", .fills = 1 << 2 },
	{ "clock_getres", .fills = 1 << 1 },
	{ "clock_gettime", .fills = 1 << 1 },
	{ "clock_nanosleep", .fills = 1 << 3 },
	{ "epoll_pwait", .fills = 1 << 1 },
	{ "epoll_pwait2", .fills = 1 << 1 },
	{ "epoll_wait", .fills = 1 << 1 },
	{ "file_getattr", .fills = 1 << 2 },
	{ "fstat", .fills = 1 << 1 },
	{ "fstat64", .fills = 1 << 1 },
	{ "fstatat64", .fills = 1 << 2 },
	{ "fstatfs", .fills = 1 << 1 },
	{ "fstatfs64", .fills = 1 << 2 },
	{ "getdents", .fills = 1 << 1 },
	{ "getdents64", .fills = 1 << 1 },
	{ "getitimer", .fills = 1 << 1 },
	{ "getpeername", .fills = 1 << 1 },
	{ "getrlimit", .fills = 1 << 1 },
	{ "getrusage", .fills = 1 << 1 },
	{ "getsockname", .fills = 1 << 1 },
	{ "gettimeofday", .fills = 1 << 0 | 1 << 1 },
	{ "io_cancel", .fills = 1 << 2 },
	{ "io_getevents", .fills = 1 << 3 },
	{ "io_pgetevents", .fills = 1 << 3 },
	{ "lstat", .fills = 1 << 1 },
	{ "lstat64", .fills = 1 << 1 },
	{ "mq_getsetattr", .fills = 1 << 2 },
	{ "nanosleep", .fills = 1 << 1 },
	{ "newfstat", .fills = 1 << 1 },
	{ "newfstatat", .fills = 1 << 2 },
	{ "newlstat", .fills = 1 << 1 },
	{ "newstat", .fills = 1 << 1 },
	{ "newuname", .fills = 1 << 0 },
	{ "olduname", .fills = 1 << 0 },
	{ "prlimit64", .fills = 1 << 3 },
	{ "recvfrom", .fills = 1 << 4 },
	{ "rt_sigaction", .fills = 1 << 2 },
	{ "rt_sigpending", .fills = 1 << 0 },
	{ "rt_sigprocmask", .fills = 1 << 2 },
	{ "rt_sigtimedwait", .fills = 1 << 1 },
	{ "sched_getattr", .fills = 1 << 1 },
	{ "sched_getparam", .fills = 1 << 1 },
	{ "sched_rr_get_interval", .fills = 1 << 1 },
	{ "setitimer", .fills = 1 << 2 },
	{ "sigaltstack", .fills = 1 << 1 },
	{ "stat", .fills = 1 << 1 },
	{ "stat64", .fills = 1 << 1 },
	{ "statfs", .fills = 1 << 1 },
	{ "statfs64", .fills = 1 << 2 },
	{ "statmount", .fills = 1 << 1 },
	{ "statx", .fills = 1 << 4 },
	{ "sysinfo", .fills = 1 << 0 },
	{ "timer_gettime", .fills = 1 << 1 },
	{ "timer_settime", .fills = 1 << 3 },
	{ "timerfd_gettime", .fills = 1 << 1 },
	{ "timerfd_settime", .fills = 1 << 3 },
	{ "times", .fills = 1 << 0 },
	{ "uname", .fills = 1 << 0 },
	{ "ustat", .fills = 1 << 1 },
	{ "wait4", .fills = 1 << 3 },
	{ "waitid", .fills = 1 << 2 | 1 << 4 },
};

static const struct pointer_use *pointer_use_of(const char *syscall)
{
	char buffer[SYSCALL_NAME_SIZE];

	syscall = syscall_common_name(syscall, buffer);
	return array_find(known, pointer_uses, !strcmp(known->name, syscall));
}

bool args_syscall_reads_string(const char *syscall, unsigned int param)
{
	const struct pointer_use *use = pointer_use_of(syscall);

	return use && param < 32 && use->reads >> param & 1;
}

/* @name: of the call; compat ones take the same strings and structs */
static void mark_user(const char *name, struct params *params)
{
	const struct pointer_use *use = pointer_use_of(name);

	for (uint32_t i = 0; i < params->nr && i < ARRAY_SIZE(params->v); i++) {
		params->v[i].user = true;
		params->v[i].input = use && use->reads >> i & 1;
		params->v[i].output = use && use->fills >> i & 1;
	}
}

static void type_param(struct param *param, const struct btf *types, const char *text)
{
	struct btf_spelling spelling;

	btf_type_spelt(types, text, &spelling);
	param->btf = types;
	param->type = spelling.type;
	param->pointers_to = spelling.pointers < UINT8_MAX ? spelling.pointers : UINT8_MAX;
	param->constant = spelling.constant;
	param->text = spelling.text;
	param->is_signed = spelling.is_signed;
	if (spelling.size)
		param->number_size = spelling.size;
}

/* The parameters of a system call from BTF of the function inside: only names can be relied on. */
static bool params_inside(struct kernel_btf *btf, const char *syscall, bool compat,
			  const struct arch *arch, struct params *params)
{
	static const char *const insides[][3] = {
		{ "__do_sys_", "__se_sys_", "ksys_" },
		{ "__do_compat_sys_", "__se_compat_sys_" },
	};

	for (size_t i = 0; i < 3 && insides[compat][i]; i++) {
		char name[128];
		uint32_t id;
		int module;

		strcpy(name, insides[compat][i]);
		strncat(name, syscall, sizeof(name) - sizeof("__do_compat_sys_"));
		if (!kernel_btf_find_func(btf, name, NULL, &id, &module) &&
		    params_of_btf(btf, module, id, arch, params) && params->nr <= 6)
			return true;
	}
	return false;
}

/* Where a wrapper's @i-th argument is, and its name if no more is known of it. */
static const char *place_argument(const char *func, const struct arch *arch, uint32_t i,
				  struct param *param)
{
	const struct syscall_registers *registers =
		startswith(func, "__ia32_") ? &arch->compat_syscall : &arch->syscall;

	param->place = (struct arg_place){ .where = ARG_IN_REGISTERS, .size = 8 };
	if (NAME_AFTER(func, long_prefixes)) {
		param->place.index = param->place.context_slot = i;
		return arch_arg_register(arch, i);
	}
	param->nr_steps = 1;
	param->step = registers->at[i];
	return registers->names[i];
}

void params_of_syscall(struct kernel_btf *btf, const struct args_func *func,
		       const struct syscall_params *syscall, const struct arch *arch,
		       struct params *params)
{
	const char *name = args_syscall_name(func->name);
	const struct btf *types = btf ? kernel_btf_types(btf, 0) : NULL;
	bool narrow = startswith(func->name, "__ia32_") ||
		      startswith(func->name, "__arm64_compat_");
	bool compat = args_syscall_is_compat(func->name);
	bool known = syscall || (btf && params_inside(btf, name, compat, arch, params));

	if (syscall)
		params->nr = syscall->nr;
	if (!known || params->nr > 6)
		params->nr = 6;
	params->variadic = params->more_known = false;
	for (uint32_t i = 0; i < params->nr; i++) {
		struct param *param = &params->v[i];
		const char *register_name;

		if (syscall || !known)
			*param = (struct param){ .number_size = 8 };
		register_name = place_argument(func->name, arch, i, param);
		if (syscall) {
			param->name = syscall->params[i].name;
			type_param(param, types, syscall->params[i].type);
		} else if (!known) {
			param->name = register_name;
		}
		if (narrow && param->number_size > 4)
			param->number_size = 4;
	}
	mark_user(name, params);
}

void params_inside_syscall(const struct args_func *func, struct params *params)
{
	const char *name = NAME_AFTER(func->name, typed_prefixes);

	if (name)
		mark_user(name, params);
}
