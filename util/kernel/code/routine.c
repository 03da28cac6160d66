// SPDX-License-Identifier: BSD-2-Clause
/* Functions recognized by their names, on each CPU. */
#include "util/kernel/code/routine.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/base/search.h"

enum thunk_kind thunk_kind(const char *symbol, const char *module)
{
	return routine_rules.thunk_kind ? routine_rules.thunk_kind(symbol, module) : NO_THUNK;
}

int thunk_register(const char *symbol)
{
	return routine_rules.thunk_register ? routine_rules.thunk_register(symbol) : -1;
}

const struct routine *asm_routine_by_name(const char *symbol)
{
	return routine_rules.asm_routine ? routine_rules.asm_routine(symbol) : NULL;
}

/*
 * Those of tools/objtool/noreturns.h, and of its list in older kernels, that are functions of C, those of
 * other CPUs, and static ones that many functions call. Sorted.
 */
static const char *const noreturn[] = {
	"__arm64_sys_exit",
	"__arm64_sys_exit_group",
	"__fortify_panic",
	"__ia32_sys_exit",
	"__ia32_sys_exit_group",
	"__invalid_creds",
	"__kunit_abort",
	"__module_put_and_kthread_exit",
	"__reiserfs_panic",
	"__riscv_sys_exit",
	"__riscv_sys_exit_group",
	"__stack_chk_fail",
	"__tdx_hypercall_failed",
	"__ubsan_handle_builtin_unreachable",
	"__x64_sys_exit",
	"__x64_sys_exit_group",
	"acpi_processor_ffh_play_dead",
	"arch_cpu_idle_dead",
	"arm64_serror_panic",
	"bch2_trans_in_restart_error",
	"bch2_trans_restart_error",
	"bch2_trans_unlocked_error",
	"bch2_trans_unlocked_or_in_restart_error",
	"complete_and_exit", /* up to 5.16 */
	"cpu_bringup_and_idle",
	"cpu_die",
	"cpu_die_early",
	"cpu_park_loop",
	"cpu_startup_entry",
	"do_exit",
	"do_group_exit",
	"do_task_dead",
	"ex_handler_msr_mce",
	"fortify_panic",
	"handle_stack_overflow",
	"hlt_play_dead",
	"hv_ghcb_terminate",
	"kthread_complete_and_exit",
	"kthread_exit",
	"kunit_try_catch_throw",
	"lbug_with_loc",
	"machine_real_restart",
	"make_task_dead",
	"mpt_halt_firmware",
	"mwait_play_dead",
	"native_play_dead",
	"nmi_panic_self_stop",
	"panic",
	"panic_bad_stack",
	"panic_smp_self_stop",
	"rest_init",
	"rewind_stack_and_make_dead",
	"rewind_stack_do_exit",
	"rust_begin_unwind",
	"rust_helper_BUG",
	"sev_es_terminate",
	"skb_panic",
	"snp_abort",
	"start_kernel",
	"stop_this_cpu",
	"usercopy_abort",
	"vpanic",
	"x86_64_start_kernel",
	"x86_64_start_reservations",
	"xen_cpu_bringup_again",
	"xen_start_kernel",
};

bool is_noreturn(const char *symbol)
{
	size_t at = bisect(i, ARRAY_SIZE(noreturn), strcmp(noreturn[i], symbol) < 0);

	return at < ARRAY_SIZE(noreturn) && !strcmp(noreturn[at], symbol);
}

bool is_function_preamble(const char *symbol)
{
	return startswith(symbol, "__pfx_") || startswith(symbol, "__cfi_");
}
