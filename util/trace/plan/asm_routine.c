// SPDX-License-Identifier: BSD-2-Clause
/* Routines of the kernel that are written in assembly, by name. */
#include "util/trace/plan/asm_routine.h"

#include <stddef.h>
#include <string.h>

#include "util/base/glob.h"
#include "util/kernel/code/instruction_effect.h"

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define BIT(reg) ((uint16_t)(1u << (reg)))

/* arch/x86/lib/retpoline.S, as it was at different times, and arch/x86/entry/entry.S. */
static const struct {
	const char *glob;
	enum thunk_kind kind;
} thunks[] = {
	/* __x86_, retbleed_, srso_, srso_alias_, its_, call_depth_ */
	{ "*_return_thunk", RETURN_THUNK },
	{ "__x86_return_skl", RETURN_THUNK },
	/* What return thunks of AMD call in order to return. */
	{ "srso_safe_ret", RETURN_THUNK },
	{ "srso_alias_safe_ret", RETURN_THUNK },
	/* These have a return of their own, and some return thunks are in the middle of one. */
	{ "*_untrain_ret", RETURN_THUNK },
	/* One for each register: _thunk_, _call_thunk_, _jump_thunk_, _its_thunk_; "_array" */
	{ "__x86_indirect_*thunk_*", CALL_THUNK },
	{ "__indirect_thunk_start", CALL_THUNK },
	{ "__x86_retpoline_*", CALL_THUNK },
	{ "__SCT__*", CALL_THUNK },
};

enum thunk_kind thunk_kind_by_name(const char *symbol)
{
	for (size_t i = 0; i < LEN(thunks); i++) {
		if (glob_match(thunks[i].glob, symbol))
			return thunks[i].kind;
	}
	return NO_THUNK;
}

/* arch/x86/lib/getuser.S: the address in rax; an errno in rax, the value in rdx. */
static const struct asm_routine get_user = {
	.writes = BIT(X86_RAX) | BIT(X86_RDX),
	.result = X86_RAX,
};

/* putuser.S: the value in rax, the address in rcx; an errno in rcx. rbx is scratch. */
static const struct asm_routine put_user = {
	.writes = BIT(X86_RCX) | BIT(X86_RBX),
	.result = X86_RCX,
};

/* copy_user_64.S, 6.4 and later: rcx bytes from rsi to rdi; what is left in rcx. */
static const struct asm_routine rep_movs = {
	.writes = BIT(X86_RAX) | BIT(X86_RCX) | BIT(X86_RSI) | BIT(X86_RDI) | 0x0f00,
	.result = X86_RCX,
};

/* clear_page_64.S, 6.4 and later: rcx bytes of zeros to rdi; what is left in rcx. */
static const struct asm_routine rep_stos = {
	.writes = BIT(X86_RCX) | BIT(X86_RDI),
	.result = X86_RCX,
};

/* hweight.S */
static const struct asm_routine hweight = {
	.writes = BIT(X86_RAX),
	.result = X86_RAX,
};

static const struct {
	const char *name;
	bool sized; /* a size in bytes follows */
	const struct asm_routine *routine;
} routines[] = {
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

const struct asm_routine *asm_routine_by_name(const char *symbol)
{
	for (size_t i = 0; i < LEN(routines); i++) {
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

bool is_function_preamble(const char *symbol)
{
	return !strncmp(symbol, "__pfx_", 6) || !strncmp(symbol, "__cfi_", 6);
}
