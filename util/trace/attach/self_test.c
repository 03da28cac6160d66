// SPDX-License-Identifier: BSD-2-Clause
/* Attaches to two functions and calls them. */
#include "util/trace/attach/self_test.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/kernel.h"
#include "util/kernel/machine/kprobe_pmu.h"
#include "util/kernel/machine/machine.h"
#include "util/kernel/types/btf.h"
#include "util/plan/switched_off.h"
#include "util/trace/attach/links.h"
#include "util/trace/attach/rung_choice.h"
#include "util/trace/attach/self_test_programs.h"

static long call_getpriority(void)
{
	return syscall(SYS_getpriority, PRIO_PROCESS, gettid());
}

static long call_getsid(void)
{
	return syscall(SYS_getsid, 0);
}

/*
 * These system calls change nothing, hold no lock for long, and security modules do not refuse
 * them. Their functions exist from 5.10 to 7.3. Programs of one method disturb the test of
 * another method on the same functions, and detaching is slow. So trampolines have a pair of
 * their own, and a run that uses trampolines and kprobes detaches nothing in between.
 */
static const struct pair {
	const char *call_name;		/* the outer function is its wrapper */
	const char *body_names[2];	/* parts of the outer function with code of their own */
	const char *inner_name;
	long (*call)(void);	/* returns the outer function's result */
	bool inner_finds_task;	/* inner's result is the current task, not outer's */
} pairs[] = {
	{ "getpriority",
	  { "__do_sys_getpriority", "__se_sys_getpriority" },
	  "find_task_by_vpid", call_getpriority, true },
	{ "getsid",
	  { "__do_sys_getsid", "__se_sys_getsid" },
	  "pid_vnr", call_getsid, false },
};

#define NR_PAIRS (ARRAY_SIZE(pairs))

/* Several rounds: memory that was not written can have the right value by chance. */
#define ROUNDS 3

/* A pair of functions of this kernel, with the links attached to it. */
struct target {
	const struct pair *pair;
	struct proof_rules rules;
	uint32_t btf_ids[NR_PROOF_FUNCS];
	VEC(int) links;
	int hits_fd;
};

struct self_test {
	struct kernel *kernel;
	bool is_set_up;
	const char *obstacle;	/* static; NULL none */
	struct target targets[NR_PAIRS];
	struct self_test_program program;
	struct proof_round rounds[ROUNDS];
	pthread_t detacher;
	bool detaching;
};

struct self_test *self_test_new(struct kernel *kernel)
{
	struct self_test *test = calloc(1, sizeof(*test));

	if (!test)
		return NULL;
	test->kernel = kernel;
	for (size_t i = 0; i < NR_PAIRS; i++) {
		test->targets[i].pair = &pairs[i];
		test->targets[i].hits_fd = -1;
	}
	return test;
}

static void detach_target(struct target *target)
{
	vec_foreach(fd, &target->links)
		close(*fd);
	vec_release(&target->links);
	if (target->hits_fd >= 0)
		close(target->hits_fd);
	target->hits_fd = -1;
}

static void *detach_all(void *arg)
{
	struct self_test *test = arg;

	for (size_t i = 0; i < NR_PAIRS; i++)
		detach_target(&test->targets[i]);
	return NULL;
}

void self_test_detach(struct self_test *test)
{
	if (test && !test->detaching)
		test->detaching = !pthread_create(&test->detacher, NULL, detach_all, test);
}

void self_test_free(struct self_test *test)
{
	if (!test)
		return;
	if (test->detaching)
		pthread_join(test->detacher, NULL);
	else
		detach_all(test);
	free(test);
}

static const struct symbol *find_function(struct symbols *symbols, const char *name)
{
	const struct symbol *const *named;
	size_t nr = symbols_named(symbols, name, &named);

	return nr == 1 && !named[0]->module ? named[0] : NULL;
}

static void add_caller(struct proof_rules *rules, const struct symbol *symbol)
{
	if (symbol && symbol->size && rules->nr_callers < PROOF_CALLERS)
		rules->callers[rules->nr_callers++] =
			(struct proof_range){ symbol->addr, symbol->addr + symbol->size };
}

static bool find_functions(struct target *target, struct symbols *symbols, struct kernel_btf *btf)
{
	const struct symbol *inner = find_function(symbols, target->pair->inner_name);
	struct proof_rules *rules = &target->rules;
	const struct symbol *outer;
	char name[64];

	snprintf(name, sizeof(name), "%ssys_%s", arch_native->syscall_prefix,
		 target->pair->call_name);
	outer = find_function(symbols, name);
	if (!outer || !inner)
		return false;
	rules->addrs[PROOF_OUTER] = outer->addr;
	rules->addrs[PROOF_INNER] = inner->addr;
	add_caller(rules, outer);
	for (int i = 0; i < 2; i++)
		add_caller(rules, find_function(symbols, target->pair->body_names[i]));
	if (btf) {
		target->btf_ids[PROOF_OUTER] = kernel_btf_func_id(btf, outer->name);
		target->btf_ids[PROOF_INNER] = kernel_btf_func_id(btf, inner->name);
	}
	return true;
}

static void set_up(struct self_test *test)
{
	struct self_test_program *program = &test->program;
	struct kernel_btf *btf = NULL;
	struct symbols *symbols;
	struct stat ns;

	test->is_set_up = true;
	if (stat("/proc/self/ns/pid", &ns)) {
		test->obstacle = "/proc/self/ns/pid is missing";
		return;
	}
	program->ns_dev = ns.st_dev;
	program->ns_ino = ns.st_ino;
	program->pid_tgid = (uint64_t)getpid() << 32 | (uint32_t)gettid();
	if (kernel_symbols(test->kernel, &symbols)) {
		test->obstacle = "the kernel's symbols cannot be read";
		return;
	}
	kernel_get_btf(test->kernel, &btf);
	for (size_t i = 0; i < NR_PAIRS; i++) {
		if (!find_functions(&test->targets[i], symbols, btf))
			test->obstacle = "this kernel lacks the functions that the test calls";
	}
}

static int keep_link(struct target *target, int fd)
{
	if (fd >= 0 && vec_push(&target->links, fd)) {
		close(fd);
		return -ENOMEM;
	}
	return fd < 0 ? fd : 0;
}

static int attach_kprobe(struct target *target, int prog_fd, bool at_return, enum proof_func func,
			 bool with_cookie)
{
	struct kprobe_link link;
	struct kprobe_pmu pmu;
	int err;

	err = kprobe_pmu_init(&pmu);
	err = err ?: link_kprobe(&pmu, prog_fd, at_return, target->rules.addrs[func], with_cookie,
				 func, &link);
	if (err)
		return err;
	err = keep_link(target, link.perf_fd);
	return err ?: link.link_fd >= 0 ? keep_link(target, link.link_fd) : 0;
}

/* A link for both functions. */
static int attach_both(struct target *target, int prog_fd, enum rung rung, bool at_return)
{
	static const uint64_t cookies[] = { PROOF_OUTER, PROOF_INNER };
	static const uint64_t swapped[] = { PROOF_INNER, PROOF_OUTER };
	const uint32_t *ids = target->btf_ids;
	bool rising = ids[0] < ids[1];

	if (rung == RUNG_FSESSION_MULTI)
		return keep_link(target, link_tracing_multi(
						 prog_fd,
						 (const uint32_t[]){ ids[!rising], ids[rising] },
						 rising ? cookies : swapped, NR_PROOF_FUNCS));
	return keep_link(target, link_kprobe_multi(prog_fd,
						   rung == RUNG_KPROBE_SESSION ?
							   ATTACH_TRACE_KPROBE_SESSION :
							   ATTACH_TRACE_KPROBE_MULTI,
						   at_return, target->rules.addrs, cookies,
						   NR_PROOF_FUNCS));
}

/* Attach in the order of attach.c: of two programs, the one for returns first. */
static int attach_target(struct target *target, struct self_test_program *program)
{
	enum rung rung = program->rung;
	bool single = rung_is_single(rung);
	int err = 0;

	for (int at_return = !rung_is_session(rung); at_return >= 0; at_return--) {
		for (int func = 0; func < (single ? NR_PROOF_FUNCS : 1) && !err; func++) {
			_cleanup_(close_fd) int fd = -1;

			program->at_return = at_return;
			program->func = func;
			program->btf_id = rung == RUNG_FENTRY ? target->btf_ids[func] : 0;
			fd = self_test_program_load(program);
			if (fd < 0)
				err = fd;
			else if (rung == RUNG_FENTRY)
				err = keep_link(target, link_raw(fd, NULL));
			else if (rung == RUNG_KPROBE)
				err = attach_kprobe(target, fd, at_return, func,
						    program->attach_cookies);
			else
				err = attach_both(target, fd, rung, at_return);
		}
	}
	return err;
}

/* Print the raw values, to understand errors of new kernels. */
static void say_hits(enum rung rung, const struct proof_hits *seen)
{
	if (report_verbosity() < VERBOSITY_TRACE)
		return;
	for (uint64_t i = 0; i < seen->nr && i < PROOF_HITS; i++) {
		const struct proof_hit *hit = &seen->hits[i];
		_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;

		strbuf_addf(&line, "%s: %s %" PRIu64 " ip %" PRIx64 " sp %" PRIx64
			    " context %" PRIx64 " result %" PRIx64 " task %" PRIx64
			    " kept %" PRIx64 " link %" PRIx64 " word %" PRIx64 " outer %" PRIx64 " stack (%" PRId64
			    ")", rung_name(rung), hit->at_return ? "return" : "entry",
			    hit->func, hit->ip, hit->sp, hit->context, hit->result, hit->task,
			    hit->kept, hit->link, hit->word, hit->outer_word, hit->stack_bytes);
		for (int64_t ip = 0; ip < hit->stack_bytes / 8 && ip < PROOF_IPS; ip++)
			strbuf_addf(&line, " %" PRIx64, hit->ips[ip]);
		say(VERBOSITY_TRACE, "%s", strbuf_str(&line));
	}
}

/* Returns whether the calls could be made. */
static bool call_target(const struct target *target, enum rung rung, struct proof_round *rounds)
{
	static const struct proof_hits none;
	uint32_t zero = 0;
	long result;

	for (int i = 0; i < ROUNDS; i++) {
		struct proof_round *round = &rounds[i];

		/* Overwrite the kernel stack between rounds. */
		access("/proc/self/ns/pid", F_OK);
		if (bpf_map_update_elem(target->hits_fd, &zero, &none, BPF_ANY))
			return false;
		result = target->pair->call();
		if (result < 0 || bpf_map_lookup_elem(target->hits_fd, &zero, &round->seen))
			return false;
		round->results[PROOF_OUTER] = result;
		round->results[PROOF_INNER] = target->pair->inner_finds_task ?
						      round->seen.hits[0].task :
						      (uint64_t)result;
		say_hits(rung, &round->seen);
	}
	return true;
}

static const char *obstacle_of(const struct self_test *test, const struct target *target,
			       enum rung rung)
{
	struct kernel_setting max_stack;
	struct switches switches;

	if (test->obstacle)
		return test->obstacle;
	if (rung_is_trampoline(rung) &&
	    (!target->btf_ids[PROOF_OUTER] || !target->btf_ids[PROOF_INNER]))
		return "BTF lacks the functions that the test calls";
	max_stack = max_stack_read("");
	if (max_stack_is_low(&max_stack))
		return "kernel.perf_event_max_stack cuts kernel stacks short";
	switches_read("", &switches);
	if (setting_is_off(&switches.ftrace) && rung_needs_ftrace(rung))
		return "ftrace is switched off";
	if (rung == RUNG_KPROBE && setting_is_off(&switches.kprobes))
		return "kprobes are switched off";
	return NULL;
}

/* PROOF_NONE has the obstacle in `why`. */
static void try_method(struct self_test *test, const struct features *features, enum rung rung,
		       struct proof *proof)
{
	struct target *target = &test->targets[rung_is_trampoline(rung)];
	struct self_test_program *program = &test->program;
	struct proof_rules *rules = &target->rules;

	if (!test->is_set_up)
		set_up(test);
	proof->why = obstacle_of(test, target, rung);
	if (proof->why)
		return;
	detach_target(target);
	target->hits_fd = self_test_hits_new();
	program->rung = rung;
	program->attach_cookies = features->attach_cookies;
	program->func_ret = features->func_ret;
	program->is_return_id = features->session_is_return;
	program->session_cookie_id = features->session_cookie;
	program->hits_fd = target->hits_fd;
	rules->trampoline = rung_is_trampoline(rung);
	rules->keeps = rung_is_session(rung);
	rules->by_address = rung == RUNG_KPROBE && !features->attach_cookies;
	rules->arch = arch_native;
	rules->ip_offset = arch_native->kprobe_ip_offset;
	rules->by_context = rung == RUNG_KPROBE_SESSION || rung == RUNG_KPROBE_MULTI;
	memcpy(rules->return_hooks, features->return_hooks, sizeof(rules->return_hooks));
	if (target->hits_fd < 0 || attach_target(target, program))
		proof->why = "the functions that the test calls cannot be attached to";
	else if (!call_target(target, rung, test->rounds))
		proof->why = "the system call that the test makes fails";
	else
		proof_judge(rules, test->rounds, ROUNDS, proof);
}

static void say_proof(enum rung rung, const struct proof *proof, uint64_t us)
{
	_cleanup_(strbuf_release) struct strbuf adaptations = STRBUF_INIT;
	const char *name = rung_name(rung);

	if (report_verbosity() < VERBOSITY_VERBOSE)
		return;
	proof_add_adaptations(&adaptations, proof);

	switch (proof->verdict) {
	case PROOF_NONE:
		/* rungs_assign() warns, if it is used. */
		break;
	case PROOF_WRONG:
		say(VERBOSITY_VERBOSE, "%s gives wrong answers: %s", name, proof->why);
		break;
	case PROOF_WORKS:
		say(VERBOSITY_VERBOSE, "%s passed its test%s%s (%llu.%llu ms)", name,
		    adaptations.len ? "; " : "", strbuf_str(&adaptations),
		    (unsigned long long)us / 1000, (unsigned long long)us / 100 % 10);
		break;
	}
}

void self_test_prove(struct self_test *test, struct features *features, enum rung rung)
{
	struct proof *proof = &features->proofs[rung];
	uint64_t start = now_ns();

	if (proof->verdict != PROOF_NONE || proof->why)
		return;
	try_method(test, features, rung, proof);
	say_proof(rung, proof, (now_ns() - start) / 1000);
}

void self_test_drop_wrong(struct self_test *test, struct features *features)
{
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		if (!features->rungs[rung])
			continue;
		self_test_prove(test, features, rung);
		features->rungs[rung] = features->proofs[rung].verdict != PROOF_WRONG;
	}
}

static void prove_rung(void *arg, struct features *features, enum rung rung)
{
	self_test_prove(arg, features, rung);
}

int self_test_assign(struct kernel *kernel, const struct plan *plan, struct features *features,
		     enum rung forced, uint64_t branches, enum rung *ret_rungs,
		     struct self_test **ret_test)
{
	struct kernel_setting max_stack = max_stack_read("");
	struct self_test *test = self_test_new(kernel);
	const struct prover prover = { prove_rung, test };
	struct progress progress;
	int err;

	if (!test)
		return report_oom();
	if (max_stack_is_low(&max_stack)) {
		self_test_free(test);
		return report(-EPERM, "kernel.perf_event_max_stack=%ld cuts kernel stacks short; try "
				      "sysctl -w kernel.perf_event_max_stack=127", max_stack.value);
	}
	progress = progress_start("Testing attach methods");
	err = rungs_assign(plan, features, forced, branches, &prover, ret_rungs);
	progress_end(&progress);
	if (err)
		self_test_free(test);
	else
		*ret_test = test;
	return err;
}
