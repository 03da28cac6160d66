// SPDX-License-Identifier: BSD-2-Clause
/* Routines of x86-64 kernels that are written in assembly, by name. */
#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/glob.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/arch/x86/registers.h"

#define BIT(reg) REG_BIT(X86_##reg)

/* arch/x86/lib/retpoline.S, as it was at different times, and arch/x86/entry/entry.S. */
static const struct {
	const char *glob;
	enum thunk_kind kind;
} thunks[] = {
	/* __x86_, retbleed_, srso_, srso_alias_, its_, call_depth_ */
	{ "*_return_thunk", RETURN_THUNK },
	{ "__x86_return_skl", RETURN_THUNK },
	/* AMD's return thunks call these in order to return (srso=safe-ret). */
	{ "*srso_safe_ret", RETURN_THUNK },
	{ "*srso_alias_safe_ret", RETURN_THUNK },
	/* These have a return of their own, and some return thunks are in the middle of one. */
	{ "*_untrain_ret", RETURN_THUNK },
	/* One for each register: _thunk_, _call_thunk_, _jump_thunk_, _its_thunk_; "_array" */
	{ "__x86_indirect_*thunk_*", CALL_THUNK },
	{ "__indirect_thunk_start", CALL_THUNK },
	{ "__x86_retpoline_*", CALL_THUNK },
	{ "__SCT__*", CALL_THUNK },
};

static enum thunk_kind kind_of_thunk(const char *symbol, const char *module)
{
	/* Code that runs before the kernel is relocated has other names for them (7.0). */
	if (startswith(symbol, "__pi_"))
		symbol += strlen("__pi_");
	for (size_t i = 0; !module && i < ARRAY_SIZE(thunks); i++) {
		if (glob_matches(thunks[i].glob, symbol))
			return thunks[i].kind;
	}
	return NO_THUNK;
}

const struct routine usual_routine = {
	.writes = BIT(RAX) | BIT(RCX) | BIT(RDX) | BIT(RSI) | BIT(RDI) | BIT(R8) | BIT(R9) |
		  BIT(R10) | BIT(R11),
	.result = X86_RAX,
};

/* Keeps all registers. */
static const struct routine transparent = { .writes = 0 };

/* arch/x86/lib/getuser.S: the address in rax; an errno in rax, the value in rdx. */
static const struct routine get_user = {
	.writes = BIT(RAX) | BIT(RDX),
	.result = X86_RAX,
	.reads = true,
	.value = X86_RDX,
	.address = X86_RAX,
};

/* putuser.S: the value in rax, the address in rcx; an errno in rcx. rbx is scratch. */
static const struct routine put_user = {
	.writes = BIT(RCX) | BIT(RBX),
	.result = X86_RCX,
};

/* copy_user_64.S, 6.4 and later: rcx bytes from rsi to rdi; what is left in rcx. */
static const struct routine rep_movs = {
	.writes =
		BIT(RAX) | BIT(RCX) | BIT(RSI) | BIT(RDI) | BIT(R8) | BIT(R9) | BIT(R10) | BIT(R11),
	.result = X86_RCX,
};

/* clear_page_64.S, 6.4 and later: rcx bytes of zeros to rdi; what is left in rcx. */
static const struct routine rep_stos = {
	.writes = BIT(RCX) | BIT(RDI),
	.result = X86_RCX,
};

/* hweight.S */
static const struct routine hweight = {
	.writes = BIT(RAX),
	.result = X86_RAX,
};

static const struct {
	const char *name;
	bool sized; /* a size in bytes follows */
	const struct routine *routine;
} routines[] = {
	{ "__fentry__", false, &transparent },
	{ "preempt_schedule_thunk", false, &transparent },
	{ "preempt_schedule_notrace_thunk", false, &transparent },
	/* The trampolines of static calls that lead to them. */
	{ "__SCT__preempt_schedule", false, &transparent },
	{ "__SCT__preempt_schedule_notrace", false, &transparent },
	{ "trace_hardirqs_on_thunk", false, &transparent },
	{ "trace_hardirqs_off_thunk", false, &transparent },
	{ "__get_user_", true, &get_user },
	{ "__get_user_nocheck_", true, &get_user },
	{ "__get_user_bad", false, &get_user },
	{ "__get_user_handle_exception", false, &get_user },
	{ "__put_user_", true, &put_user },
	{ "__put_user_nocheck_", true, &put_user },
	{ "__put_user_bad", false, &put_user },
	{ "__put_user_handle_exception", false, &put_user },
	{ "rep_movs_alternative", false, &rep_movs },
	{ "rep_stos_alternative", false, &rep_stos },
	{ "__sw_hweight32", false, &hweight },
	{ "__sw_hweight64", false, &hweight },
};

static const struct routine *routine_by_name(const char *symbol)
{
	if (startswith(symbol, "__pi_"))
		symbol += strlen("__pi_");
	for (size_t i = 0; i < ARRAY_SIZE(routines); i++) {
		size_t len = strlen(routines[i].name);

		if (strncmp(routines[i].name, symbol, len))
			continue;
		/* "__put_user_ns" and "__get_user_pages" are functions. */
		if (routines[i].sized ?
			    symbol[len] && strchr("1248", symbol[len]) && !symbol[len + 1] :
			    !symbol[len])
			return routines[i].routine;
	}
	return NULL;
}

static int register_of_thunk(const char *symbol)
{
	/* The second and third: with call depth tracking */
	static const char *const prefixes[] = { "__x86_indirect_thunk_", "__x86_indirect_call_thunk_",
						"__x86_indirect_jump_thunk_", "__x86_indirect_its_thunk_" };
	const char *name = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(prefixes) && !name; i++) {
		if (startswith(symbol, prefixes[i]))
			name = symbol + strlen(prefixes[i]);
	}
	if (!name)
		return -1;
	for (int r = 0; code_register_name(r); r++) {
		if (!strcmp(name, code_register_name(r)))
			return r;
	}
	/* The first of them has the name of them all, too. */
	return strcmp(name, "array") ? -1 : 0;
}

const struct routine_rules routine_rules = {
	.thunk_kind = kind_of_thunk,
	.thunk_register = register_of_thunk,
	.asm_routine = routine_by_name,
};
