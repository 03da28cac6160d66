// SPDX-License-Identifier: BSD-2-Clause
/* Reads the kernel's code, and finds which functions call which. */
#include "util/why/why_internal.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/glob.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/kernel.h"
#include "util/kernel/machine/machine.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/kernel/types/btf.h"
#include "util/plan/match/deny.h"
#include "util/trace/attach/features.h"

/* Larger functions are not searched for calls. */
#define MAX_LOOKED_THROUGH (64 * 1024)

/* Whether there are addresses of system calls' functions at @table, one after the other. */
static bool is_syscall_table(struct why_code *code, uint64_t table)
{
	const char *prefix = arch_native->syscall_prefix;
	uint64_t functions[4];

	if (kcore_read(&code->live.kcore, table, functions, sizeof(functions)) != sizeof(functions))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		const struct symbol *symbol = symbols_at(code->symbols, functions[i]);

		if (!symbol || !startswith(symbol->name, prefix))
			return false;
	}
	return true;
}

/*
 * Find the table without symbols of data: the code that calls its functions has its address. 0:
 * not known.
 */
static uint64_t find_system_calls(struct why_code *code)
{
	const struct symbol *const *named, *symbol;
	struct branch_insn insn;
	uint64_t table;

	if (!arch_native->syscall_dispatcher ||
	    !symbols_named(code->symbols, arch_native->syscall_dispatcher, &named))
		return 0;
	symbol = named[0];
	for (uint64_t at = symbol->addr; at < symbol->addr + symbol->size; at += insn.length) {
		if (code_branch(&code->reader, at, &insn))
			return 0;
		table = code_made_at(&code->reader, at);
		if (table && is_syscall_table(code, table))
			return table;
	}
	return 0;
}

/* By its name, where the table is not found: without CONFIG_KALLSYMS_ALL. */
static const struct symbol *find_syscall_by_name(const struct why_code *code, uint32_t nr)
{
	const char *known = syscall_by_number(nr);
	_cleanup_(free_p) char *name = known ? strf("%ssys_%s", arch_native->syscall_prefix, known) : NULL;
	const struct symbol *const *named;

	return name && symbols_named(code->symbols, name, &named) ? named[0] : NULL;
}

const struct symbol *why_code_syscall(struct why_code *code, uint32_t nr)
{
	uint64_t table = code->system_calls, addr;

	if (!table)
		return find_syscall_by_name(code, nr);
	if (nr >= MAX_SYSCALLS ||
	    kcore_read(&code->live.kcore, table + nr * sizeof(addr), &addr, sizeof(addr)) != sizeof(addr))
		return NULL;
	return symbols_at(code->symbols, addr);
}

static void find_traceable(struct kernel *kernel, struct why_code *code)
{
	if (kernel_traceable(kernel, &code->traceable))
		code->traceable = NULL;
}

int why_code_learn_modules(struct kernel *kernel, struct why_code *code)
{
	int err = kernel_learn_modules(kernel);

	if (err <= 0)
		return err;
	find_traceable(kernel, code);
	return 0;
}

int why_code_open(struct kernel *kernel, struct why_code *code)
{
	const struct kernel_tables *tables;
	const struct features *features = &code->features;
	const struct symbol *const *thunk;
	int err;

	live_code_init(&code->live, kernel);
	code->memory.source = (struct code_source){ live_code_read, &code->live };
	code->source = (struct code_source){ code_memory_read, &code->memory };
	err = kernel_symbols(kernel, &code->symbols);
	err = err ?: kernel_symbolizer(kernel, &code->symbolizer);
	err = err ?: features_probe(kernel, &code->features);
	if (err)
		return err;
	/* Where nothing can be probed, memory that is in no file is left alone. */
	if (features->rungs[RUNG_KPROBE])
		live_code_open(&code->live);
	code->many = features->rungs[RUNG_KPROBE_MULTI] || features->rungs[RUNG_KPROBE_SESSION] ||
		     features->rungs[RUNG_FSESSION_MULTI];
	find_traceable(kernel, code);
	if (kernel_get_btf(kernel, &code->btf))
		code->btf = NULL;
	code->data.types = code->btf ? kernel_btf_types(code->btf, 0) : NULL;
	code_reader_init(&code->reader, code->symbolizer, &code->source);
	tables = symbols_tables(code->symbols);
	code->system_calls = tables->system_calls ?: find_system_calls(code);
	err = fault_table_read(&code->memory.source, tables->exceptions, tables->exceptions_end,
			       &code->faults);
	code->have_faults = !err;
	if (err != -ENOMEM)
		err = patched_code_read(&code->memory.source, tables, &code->patched);
	if (err == -ENOMEM)
		return report_oom();
	code->reader.patched = &code->patched;
	if (code_rules.pointer_thunk && symbols_named(code->symbols, code_rules.pointer_thunk, &thunk))
		code->reader.pointer_thunk = thunk[0]->addr;
	code->reader.atomics_loosely = features->version < KERNEL_VERSION_OF(6, 15);
	err = decider_new(code->symbolizer, &code->plan, &code->source, PERF_SAMPLE_BRANCH_ANY,
			  &code->decider);
	if (!err) {
		decider_set_current(code->decider, tables->current_task);
		decider_set_pointer_thunk(code->decider, code->reader.pointer_thunk);
		decider_set_btf(code->decider, code->btf);
		decider_set_data(code->decider, &code->data);
	}
	return err;
}

char *why_code_no_kcore(int err, unsigned int uid)
{
	const char *remedy = "";

	if (err == -EACCES || err == -EPERM)
		remedy = uid ? "run it as root or with CAP_SYS_RAWIO, or " : "run it with CAP_SYS_RAWIO, or ";
	return strf("/proc/kcore cannot be read: %s; why finds the functions of system calls in it; %sname the "
		    "function to begin with: -e FUNC",
		    err == -EBADMSG ? "it is not an ELF file, a container may hide it" : strerror(-err), remedy);
}

int why_code_check_calls(struct why_code *code)
{
	_cleanup_(free_p) char *problem = NULL;
	const struct symbol *const *named;
	char byte;
	long n;

	/* Each kernel has this function. */
	if (!symbols_named(code->symbols, "schedule", &named))
		return 0;
	n = kcore_read(&code->live.kcore, named[0]->addr, &byte, sizeof(byte));
	if (n > 0)
		return 0;
	problem = why_code_no_kcore(n < 0 ? n : -EFAULT, geteuid());
	return problem ? report(-EIO, "%s", problem) : report_oom();
}

void why_code_close(struct why_code *code)
{
	decider_free(code->decider);
	code_reader_release(&code->reader);
	fault_table_release(&code->faults);
	patched_code_release(&code->patched);
	branches_release(&code->branches);
	vec_release(&code->plan.funcs);
	code_memory_release(&code->memory);
	kept_kprobes_close(&code->kprobes);
	data_symbols_release(&code->data);
	live_code_close(&code->live);
}

bool why_can_trace(const struct why_code *code, const struct symbol *symbol)
{
	if (deny_reason(symbol->name))
		return false;
	return !code->traceable || (traceable_has(code->traceable, symbol->addr) &&
				    !traceable_is_blacklisted(code->traceable, symbol->addr));
}

bool why_is_inlined_syscall(struct why_code *code, const struct symbol *entry)
{
	const char *prefix = arch_native->syscall_prefix;
	uint32_t others = 0;

	for (const char *const *name = arch_native->syscall_callers; *name && startswith(entry->name, prefix); name++) {
		const struct symbol *const *named, *called;
		struct branch_insn insn;

		if (symbols_named(code->symbols, *name, &named) != 1)
			continue;
		for (uint64_t at = named[0]->addr; at < named[0]->addr + named[0]->size; at += insn.length) {
			if (code_branch(&code->reader, at, &insn))
				return false;
			if (insn.kind != BRANCH_CALL && insn.kind != BRANCH_JUMP && insn.kind != BRANCH_CONDITIONAL)
				continue;
			if (insn.target == entry->addr)
				return false;
			called = called_symbol_of(&code->reader, insn.target);
			others += called && startswith(called->name, prefix);
		}
	}
	return others;
}

/* Its index in why->targets; -1: it is none. */
static int find_target(const struct why *why, const struct symbol *symbol)
{
	for (size_t i = 0; i < why->targets.len; i++) {
		if (why->targets.data[i]->function.addr == symbol->addr)
			return i;
	}
	return -1;
}

bool why_is_target(const struct why *why, const struct symbol *symbol)
{
	return find_target(why, symbol) >= 0;
}

/* Whether the function has been examined, or was to be in this run. */
static bool is_examined(const struct why *why, const struct symbol *symbol)
{
	int index = find_target(why, symbol);

	return index >= 0 && (why->targets.data[index]->decided || why->targets.data[index]->placed);
}

/* The traced function of that name, if it returned the activation's result, and its last call that did; NULL. */
static const struct symbol *returned_same(struct why *why, const char *name, const struct pass *pass,
					  const struct activation *in, struct activation *ret,
					  bool *ret_several)
{
	const struct symbol *const *named;
	uint32_t func, nr;

	if (!name || symbols_named(why->code->symbols, name, &named) != 1 ||
	    !why_can_trace(why->code, named[0]))
		return NULL;
	func = pass_func(pass, named[0]->addr);
	if (func == UINT32_MAX || !pass_may_fail(pass, func))
		return NULL;
	nr = pass_find_called(pass, in, named[0]->addr, in->result, ret);
	*ret_several = nr > 1;
	return nr ? named[0] : NULL;
}

const struct symbol *why_tested(struct why *why, const struct target *target,
				const struct pass *pass, const struct activation *in,
				struct activation *ret, bool *ret_before, bool *ret_several)
{
	const struct decision *decision = &target->decision;
	const struct symbol *symbol;

	*ret_before = *ret_several = false;
	if ((decision->kind != DECISION_TAKEN && decision->kind != DECISION_NOT_TAKEN) ||
	    target->by_breakpoints)
		return NULL;
	symbol = returned_same(why, decision->tested_callee, pass, in, ret, ret_several);
	if (!symbol) {
		*ret_before = true;
		symbol = returned_same(why, decision->failed_callee, pass, in, ret, ret_several);
	}
	if (!symbol || why->runs.len + 1 < why->ask->max_runs)
		return symbol;
	if (!is_examined(why, symbol))
		why_end_with_unseen(why, symbol->name);
	return NULL;
}

void why_end_with_unseen(struct why *why, const char *function)
{
	why->last_callee = function;
	why->last_reason = why->ask->max_runs > 1 ? "that takes more runs than --runs allows" :
						    "that takes more runs than --once allows";
}

void why_end_interrupted(struct why *why, const char *reason)
{
	const struct why_level *last = why->levels.len ? &why->levels.data[why->levels.len - 1] : NULL;

	if (last && !why->targets.data[last->target]->decided && !why->unknown)
		why->unknown = reason;
}

const char *why_drop_unseen(struct why *why)
{
	const struct why_level *last;

	if (!why->levels.len)
		return NULL;
	last = &why->levels.data[why->levels.len - 1];
	if (!last->unseen)
		return NULL;
	why->levels.len--;
	return why->targets.data[last->target]->function.name;
}

/* Functions without a branch in a row. */
#define MAX_CERTAIN 8

typedef VEC(const struct symbol *) symbol_list;

static bool is_among(const char *name, const char *const *globs, size_t nr)
{
	return find_first(glob, globs, nr, glob_matches(*glob, name));
}

/* Functions that no error comes from, and whose calls would slow down all of the machine. */
static bool is_busy(const char *name)
{
	static const char *const globs[] = {
		"_raw_spin_*", "_raw_read_*", "_raw_write_*", "schedule", "schedule_*",
		"__schedule", "preempt_schedule*", "try_to_wake_up", "wake_up_process",
		"wake_up_state",
	};

	return is_among(name, globs, ARRAY_SIZE(globs));
}

/* Functions that allocate memory: that they could not is the error. And those that print. */
static bool is_end(const char *name)
{
	static const char *const globs[] = {
		"*_noprof", "kmem_cache_alloc*", "__kmalloc*", "kmalloc_*", "kvmalloc*",
		"__vmalloc*", "vmalloc*", "vzalloc*", "alloc_pages*", "__alloc_pages*",
		"__alloc_percpu*", "pcpu_alloc*", "_printk", "vprintk*", "printk_*",
	};

	return is_among(name, globs, ARRAY_SIZE(globs));
}

bool why_has_reasons(const struct why_code *code, const struct symbol *symbol)
{
	/* The arguments tell why: the capability, and both texts. */
	static const char *const globs[] = { "capable", "*ns_capable*", "str*", "mem*", "*cmp", "*streq" };

	return why_can_trace(code, symbol) && !is_among(symbol->name, globs, ARRAY_SIZE(globs)) &&
	       !is_end(symbol->name) && !is_busy(symbol->name) && !asm_routine_by_name(symbol->name);
}

/* Add the functions that one function calls or jumps to. */
static int add_called(struct why_code *code, const struct symbol *from, symbol_list *found,
		      size_t max)
{
	uint64_t end = from->addr + from->size;
	struct branch_insn insn;

	if (from->size > MAX_LOOKED_THROUGH)
		return 0;
	for (uint64_t addr = from->addr; addr < end && found->len < max; addr += insn.length) {
		const struct symbol *symbol;

		if (code_branch(&code->reader, addr, &insn))
			break;
		if (insn.kind != BRANCH_CALL && insn.kind != BRANCH_JUMP)
			continue;
		if (insn.target - from->addr < from->size)
			continue;
		symbol = called_symbol_of(&code->reader, insn.target);
		/* From functions that never return, panic() for one, no error comes back. */
		if (!symbol || vec_find(known, found, (*known)->addr == symbol->addr) ||
		    deny_reason(symbol->name) || is_noreturn(symbol->name) || is_busy(symbol->name))
			continue;
		if (vec_push(found, symbol))
			return report_oom();
	}
	return 0;
}

static enum return_kind returns(const struct why_code *code, const struct symbol *symbol)
{
	uint32_t id;
	int module;

	if (!code->btf ||
	    kernel_btf_find_func(code->btf, symbol->name, symbol->module, &id, &module) < 0)
		return RETURN_UNKNOWN;
	return kernel_btf_return_kind(code->btf, module, id);
}

bool why_may_return_error(const struct why_code *code, const struct symbol *symbol)
{
	return return_kind_is_number(returns(code, symbol));
}

/*
 * Whether an error may come from what the function calls. Others, such as schedule(), kfree() and capable(), lead to
 * hundreds of functions of the scheduler and of memory management, which run all the time.
 */
static bool may_pass_error(const struct why_code *code, const struct symbol *symbol)
{
	return return_kind_may_be_errno(returns(code, symbol)) && !is_end(symbol->name);
}

int why_add_callees(struct why_code *code, const struct symbol *from, struct pass_ask *ask,
		    size_t max)
{
	symbol_list found = VEC_INIT;
	int err = add_called(code, from, &found, max);

	/*
	 * Go on through functions that cannot be traced, too: most of their callees can be
	 * traced.
	 */
	for (size_t next = 0; !err && next < found.len; next++) {
		const struct symbol *symbol = found.data[next];
		bool known = false;

		vec_foreach(func, &ask->funcs)
			known |= (*func)->addr == symbol->addr;
		if (!code->many && !why_may_return_error(code, symbol))
			continue;
		if (!known && why_can_trace(code, symbol) && ask->funcs.len < max &&
		    vec_push(&ask->funcs, symbol))
			err = report_oom();
		/* Forget code that was read: the reader searches all of it. */
		code_reader_forget(&code->reader);
		if (!err && found.len < max && may_pass_error(code, symbol))
			err = add_called(code, symbol, &found, max);
	}
	vec_release(&found);
	code_reader_forget(&code->reader);
	return err;
}

int why_target(struct why *why, const struct symbol *symbol)
{
	struct why_code *code = why->code;
	struct plan_func func = { .addr = symbol->addr, .size = symbol->size,
				  .name = symbol->name, .module = symbol->module,
				  .returns = RETURN_INT32 };
	struct target *target;
	int known = find_target(why, symbol);

	if (known >= 0)
		return known;
	target = calloc(1, sizeof(*target));
	if (!target)
		return report_oom();
	if (target_init(target, &code->reader, symbol, code->have_faults ? &code->faults : NULL) ||
	    vec_push(&code->plan.funcs, func)) {
		target_release(target);
		free(target);
		return report_oom();
	}
	if (vec_push(&why->targets, target)) {
		target_release(target);
		free(target);
		return report_oom();
	}
	return why->targets.len - 1;
}

int why_add_certain(struct why *why)
{
	const struct why_level *level = &why->levels.data[why->levels.len - 1];
	int index = level->target;

	for (int i = 0; index >= 0 && i < MAX_CERTAIN; i++) {
		const struct symbol *symbol;
		int err = why_certain_callee(why, index, level->result, &symbol);

		if (err)
			return err;
		if (!symbol)
			break;
		index = why_target(why, symbol);
	}
	return index;
}
