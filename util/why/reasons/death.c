// SPDX-License-Identifier: BSD-2-Clause
/* Describes the end of a process by the signal's facts and by the stack of who sent it. */
#include "util/why/reasons/death.h"

#include <inttypes.h>
#include <linux/audit.h>
#include <signal.h>
#include <string.h>

#include "bpf/watch/watch_event.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/style.h"
#include "util/base/text/quote.h"
#include "util/view/parts/json.h"
#include "util/view/session/view.h"
#include "util/why/reasons/interruption.h"
#include "util/why/reasons/taken_stack.h"

/* A signal that the kernel sends without a siginfo: SI_KERNEL in sigaction(2). */
#define CODE_KERNEL 0x80

/* The tracepoint's program, and functions of kernel/signal.c that only send what others ask for. */
static bool only_sends(const char *name)
{
	static const char *const prefixes[] = {
		"bpf_", "__bpf_trace_", "__traceiter_", "__send_signal", "send_signal", "do_send_", "force_sig",
		"group_send_sig_info", "__group_send_sig_info", "kill_pid_info", "__kill_pgrp_info", "send_sig",
	};

	return array_find(prefix, prefixes, startswith(name, *prefix));
}

static const char cpu_limit[] = "the limit of CPU time was reached (RLIMIT_CPU, or RLIMIT_RTTIME)";
static const char hardware[] = "the memory has a hardware error";
static const char parent_ended[] = "its parent ended (PR_SET_PDEATHSIG)";
static const char hangup[] = "its terminal hung up, or the session ended";
static const char typed[] = "it was typed at the terminal";
static const char cgroup_kill[] = "cgroup.kill of its cgroup was written";

/* What a function sends a signal for, in Linux 5.10 to 7.2. */
static const struct taken_event events[] = {
	{ "mem_cgroup_out_of_memory", SIGKILL, "its memory cgroup was out of memory" },
	{ "mem_cgroup_oom", SIGKILL, "its memory cgroup was out of memory" },
	{ "moom_callback", SIGKILL, "SysRq-f asked for it" },
	{ "out_of_memory", SIGKILL, "no memory was left on the machine, or on the nodes that it may use" },
	{ "oom_kill_process", SIGKILL, "memory ran out" },
	{ "__seccomp_filter", SIGSYS, "a seccomp filter forbids the call" },
	{ "__secure_computing", SIGSYS, "a seccomp filter forbids the call" },
	{ "handle_posix_cpu_timers", SIGXCPU, cpu_limit },
	{ "handle_posix_cpu_timers", SIGKILL, cpu_limit },
	{ "posix_cpu_timers_work", SIGXCPU, cpu_limit },
	{ "posix_cpu_timers_work", SIGKILL, cpu_limit },
	{ "run_posix_cpu_timers", SIGXCPU, cpu_limit },
	{ "run_posix_cpu_timers", SIGKILL, cpu_limit },
	{ "__cgroup_kill", SIGKILL, cgroup_kill },
	{ "cgroup_kill_write", SIGKILL, cgroup_kill },
	{ "zap_pid_ns_processes", SIGKILL, "the first process of its PID namespace ended" },
	{ "forget_original_parent", SIGKILL, parent_ended },
	{ "forget_original_parent", SIGTERM, parent_ended },
	{ "exit_notify", SIGKILL, parent_ended },
	{ "exit_notify", SIGTERM, parent_ended },
	{ "memory_failure", SIGBUS, hardware },
	{ "kill_me_maybe", SIGBUS, hardware },
	{ "kill_me_now", SIGBUS, hardware },
	{ "disassociate_ctty", SIGHUP, hangup },
	{ "__tty_hangup", SIGHUP, hangup },
	{ "tty_signal_session_leader", SIGHUP, hangup },
	{ "isig", SIGINT, typed },
	{ "isig", SIGQUIT, typed },
	{ "n_tty_receive_signal_char", SIGINT, typed },
	{ "n_tty_receive_signal_char", SIGQUIT, typed },
};

/* si_code of signals that the CPU's exceptions cause (sigaction(2)). */
static const char *fault_of(const struct watch_event *death)
{
	static const struct {
		uint32_t signal;
		int32_t code;
		const char *text;
	} faults[] = {
		{ SIGSEGV, SEGV_MAPERR, "no memory is mapped at" },
		{ SIGSEGV, SEGV_ACCERR, "the memory does not permit that access at" },
		{ SIGSEGV, SEGV_PKUERR, "a protection key forbids access to the memory at" },
		{ SIGBUS, BUS_ADRALN, "an unaligned access at" },
		{ SIGBUS, BUS_ADRERR, "the mapped file has nothing, or no room, at" },
		{ SIGFPE, FPE_INTDIV, "an integer was divided by zero at" },
		{ SIGFPE, FPE_INTOVF, "an integer overflowed at" },
		{ SIGFPE, FPE_FLTDIV, "a floating point number was divided by zero at" },
		{ SIGILL, ILL_ILLOPC, "an illegal instruction at" },
		{ SIGILL, ILL_ILLOPN, "an illegal instruction at" },
		{ SIGILL, ILL_PRVOPC, "a privileged instruction at" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		if (faults[i].signal == death->signal && faults[i].code == death->signal_code)
			return faults[i].text;
	}
	return NULL;
}

/* Signals that only the code of a process itself causes, by an exception of the CPU. */
static bool is_exception(const struct watch_event *death)
{
	return fault_of(death) || (death->signal == SIGSEGV && death->signal_code == CODE_KERNEL);
}

/*
 * What happened, as a sentence; false: not known.
 *
 * @kind	sender_of(): a timer or a process has its own reasons, wherever the kernel sends for it
 */
static bool add_event(struct strbuf *text, const struct view_context *context, const struct watch_event *death,
		      const struct taken_stack *stack, const char *kind, const char *syscall)
{
	const char *event = NULL, *fault = fault_of(death);

	if (!strcmp(kind, "kernel"))
		event = taken_stack_event(context, stack, events, ARRAY_SIZE(events), death->signal);
	if (fault && !event) {
		strbuf_addf(text, "%s 0x%" PRIx64, fault, (uint64_t)death->kill.addr);
		return true;
	}
	if (!event && is_exception(death))
		event = "the CPU refused an access, such as one to an address that is none";
	if (!event)
		return false;
	strbuf_addstr(text, event);
	if (death->signal == SIGSYS && syscall)
		strbuf_addf(text, ": %s(2)", syscall);
	else if (death->signal == SIGSYS)
		strbuf_addf(text, ": %ssystem call %u", death_is_compat(death) ? "32-bit " : "", death->kill.nr);
	return true;
}

static struct taken_stack stack_of(const struct view_context *context, const struct watch_event *death)
{
	return taken_stack_of(context, death->kill.stack, WATCH_FRAMES, only_sends);
}

/* Whether a stack is that of a system call that sends signals. */
static bool is_kill(const struct view_context *context, const struct taken_stack *stack)
{
	static const char *const calls[] = { "kill", "tkill", "tgkill", "pidfd_send_signal" };
	const char *name = taken_stack_syscall(context, stack);

	return name && array_find(known, calls, !strcmp(name, *known));
}

/*
 * "process", "timer", "child" or "kernel". Where the kernel sends a signal for what the thread does, as SIGXFSZ, the
 * siginfo has that thread as its sender. Since Linux 7.3 kill(2) leaves the siginfo to the same function.
 */
static const char *sender_of(const struct view_context *context, const struct watch_event *death,
			     const struct taken_stack *stack)
{
	return death->kill.no_info && !is_kill(context, stack) ? "kernel" : signal_sender(death);
}

bool death_is_compat(const struct watch_event *death)
{
	return !(death->kill.arch & __AUDIT_ARCH_64BIT);
}

bool death_is_known(const struct watch_event *death)
{
	return death->kill.seen;
}

/* @kind	sender_of() */
static void add_sender(struct strbuf *text, const struct watch_event *death, const char *kind)
{
	if (strcmp(kind, "process")) {
		strbuf_addf(text, "%s sent it", strcmp(kind, "timer") ? "the kernel" : "a timer");
	} else if (death->signal_pid == death->pid) {
		strbuf_addstr(text, "the process sent it to itself");
	} else if (death->signal_pid) {
		strbuf_addf(text, "process %u (", death->signal_pid);
		quote_name_add(text, death->kill.sender);
		strbuf_addstr(text, ") sent it");
	} else {
		strbuf_addstr(text, "a process of another PID namespace (");
		quote_name_add(text, death->kill.sender);
		strbuf_addstr(text, ") sent it");
	}
}

void death_text_add(struct strbuf *text, const struct view_context *context, const struct watch_event *death,
		    const char *syscall)
{
	_cleanup_(strbuf_release) struct strbuf event = STRBUF_INIT;
	char name[SIGNAL_NAME_SIZE];
	struct taken_stack stack;
	const char *kind;
	size_t at;

	signal_name(death->signal, name);
	strbuf_addstr(text, "killed by ");
	at = text->len;
	strbuf_addstr(text, name);
	style_since(text, at, context->color, STYLE_BAD);
	strbuf_addf(text, " (%s)    ", strsignal(death->signal));
	quote_name_add(text, death->comm);
	strbuf_addf(text, " (pid %u)\n\n", death->pid);
	if (!death_is_known(death)) {
		strbuf_addstr(text, "who sent it was not seen\n");
		return;
	}
	stack = stack_of(context, death);
	kind = sender_of(context, death, &stack);
	add_sender(text, death, kind);
	if (add_event(&event, context, death, &stack, kind, syscall))
		strbuf_addf(text, ": %s", strbuf_str(&event));
	strbuf_addch(text, '\n');
	/* How an exception came in, or kill(2), is the same for all. */
	if (context->verbose || (!is_exception(death) && strcmp(kind, "process")))
		taken_stack_text_add(text, context, &stack);
}

void death_json_add(struct json *json, const struct view_context *context, const struct watch_event *death,
		    const char *syscall)
{
	_cleanup_(strbuf_release) struct strbuf event = STRBUF_INIT;
	char name[SIGNAL_NAME_SIZE];
	struct taken_stack stack;
	const char *kind;

	signal_name(death->signal, name);
	json_object(json, "killed_by");
	json_string(json, "signal", name);
	json_uint(json, "number", death->signal);
	json_string(json, "comm", death->comm);
	json_uint(json, "pid", death->pid);
	json_bool(json, "known", death_is_known(death));
	if (!death_is_known(death)) {
		json_close(json);
		return;
	}
	stack = stack_of(context, death);
	kind = sender_of(context, death, &stack);
	json_string(json, "sender", kind);
	if (!strcmp(kind, "process")) {
		json_string(json, "sender_comm", death->kill.sender);
		json_uint(json, "sender_pid", death->signal_pid);
	}
	json_string(json, "event",
		    add_event(&event, context, death, &stack, kind, syscall) ? strbuf_str(&event) : NULL);
	if (is_exception(death))
		json_hex(json, "addr", death->kill.addr);
	if (death->signal == SIGSYS)
		json_string(json, "syscall", syscall);
	taken_stack_json_add(json, context, &stack);
	json_close(json);
}
