// SPDX-License-Identifier: BSD-2-Clause
/*
 * show VMLINUX: how many sessions user space takes in and prints in a second of CPU time, without a
 * kernel to wait for: records as BPF sends them through the assembler and the views, to /dev/null.
 * Addresses are those of VMLINUX, with its debug info.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bpf/event.h"
#include "util/ask/request.h"
#include "util/ask/settings.h"
#include "util/kernel/kernel.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/session/assembler.h"
#include "util/trace/session/session.h"
#include "util/view/session/view.h"

#define SECONDS 1.5

static struct kernel *kernel;
static const struct plan *plan;
static struct attached attached;
static struct symbolizer *symbolizer;

static double cpu_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void must(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "show: %s\n", what);
	exit(1);
}

/* A failing read(2), as kprobe-session sends it: the stack of its inner function's return. */
static struct {
	struct event_stack stack;
	uint64_t ips[12];
} stack_record;

static struct {
	struct event_calls calls;
	struct event_call edges[4];
} calls_record;

static struct {
	struct event_session session;
	struct event_frame frames[2];
} session_record;

static uint32_t index_of(const char *name)
{
	for (uint32_t i = 0; i < plan->funcs.len; i++) {
		if (!strcmp(plan->funcs.data[i].name, name))
			return i;
	}
	must(1, name);
	return 0;
}

static void make_records(void)
{
	static const char *const callers[] = {
		"fprobe_exit_handler", "rethook_trampoline_handler", "arch_rethook_trampoline",
		"vfs_read", "ksys_read", "__x64_sys_read", "do_syscall_64",
		"entry_SYSCALL_64_after_hwframe",
	};
	const uint64_t minus_ebadf = -9;
	uint32_t outer = index_of("__x64_sys_read"), inner = index_of("ksys_read");
	const struct symbol *const *named;
	struct symbols *symbols;
	uint32_t nr = 0;

	must(kernel_symbols(kernel, &symbols), "no symbols");
	for (size_t i = 0; i < sizeof(callers) / sizeof(callers[0]); i++) {
		if (symbols_named(symbols, callers[i], &named))
			stack_record.ips[nr++] = named[0]->addr + named[0]->size / 2;
	}
	stack_record.stack = (struct event_stack){
		.header = { EVENT_STACK, sizeof(stack_record.stack) + nr * 8, 1 },
		.frame = EVENT_STACK_RETURN,
		.nr_ips = nr,
	};
	calls_record.calls.header =
		(struct event_header){ EVENT_CALLS, sizeof(calls_record), 1 };
	calls_record.calls.base_ns = 1000000;
	calls_record.edges[0] = (struct event_call){ outer, CALL_ENTER, 0 };
	calls_record.edges[1] = (struct event_call){ inner, CALL_ENTER | 900 << 3, 0 };
	calls_record.edges[2] = (struct event_call){ inner, CALL_RETURN | 700 << 3, minus_ebadf };
	calls_record.edges[3] = (struct event_call){ outer, CALL_RETURN | 800 << 3, minus_ebadf };
	session_record.session = (struct event_session){
		.header = { EVENT_SESSION, sizeof(session_record), 1 },
		.start_ns = 1000000,
		.end_ns = 1002400,
		.tid = 4711,
		.pid = 4711,
		.comm = "call",
		.proc_comm = "call",
		.flags = EVENT_SESSION_FAILED,
		.nr_frames = 2,
		.parts = 1,
		.calls = 2,
	};
	session_record.frames[0] =
		(struct event_frame){ outer, EVENT_FRAME_FAILED, 2400, minus_ebadf };
	session_record.frames[1] =
		(struct event_frame){ inner, EVENT_FRAME_FAILED, 700, minus_ebadf };
}

static struct session *feed(struct assembler *assembler, unsigned int modes)
{
	struct session *session = NULL;

	if (modes & MODE_STACK)
		must(assembler_feed(assembler, &stack_record, stack_record.stack.header.size,
				    &session), "bad stack");
	session_record.session.parts = modes & MODE_TRACE ? 1 : 0;
	session_record.session.calls = modes & MODE_TRACE ? 2 : 0;
	if (modes & MODE_TRACE)
		must(assembler_feed(assembler, &calls_record, sizeof(calls_record), &session),
		     "bad trace");
	must(assembler_feed(assembler, &session_record, sizeof(session_record), &session),
	     "bad session");
	return session;
}

static const struct trace_request no_settings;

static void measure(const char *name, unsigned int modes, bool json, bool shown)
{
	struct session_rules rules = { .plan = plan, .attached = &attached };
	struct assembler *assembler = assembler_new(&rules);
	struct view_context context = {
		.out = fopen("/dev/null", "w"),
		.explain = { .plan = plan, .attached = &attached, .symbolizer = symbolizer,
			     .settings = &no_settings },
		.modes = modes,
	};
	struct explainer explainer = { .context = &context.explain };
	struct view *view = json ? view_json_new(&context) : view_text_new(&context);
	double start = cpu_s();
	long nr = 0;

	must(!assembler || !view || !context.out, "out of memory");
	do {
		for (int i = 0; i < 1000; i++) {
			struct session *session = feed(assembler, modes);

			if (shown)
				must(view_session(view, &explainer, session), "cannot show");
			session_free(session);
		}
		nr += 1000;
	} while (cpu_s() - start < SECONDS);
	printf("%-28s %10.0f sessions a second\n", name, nr / (cpu_s() - start));
	view->free(view);
	explainer_release(&explainer);
	assembler_free(assembler);
	fclose(context.out);
}

int main(int argc, char **argv)
{
	struct symbolizer_options options = { .vmlinux = argc > 1 ? argv[1] : NULL };
	struct trace_request request;

	if (argc != 2)
		return fprintf(stderr, "usage: show VMLINUX\n"), 2;
	trace_request_init(&request);
	must(spec_list_add(&request.entry, "__x64_sys_read") ||
	     spec_list_add(&request.allow, "ksys_read"), "no functions");
	must(kernel_new(&options, &kernel) || plan_build(kernel, &request, 0, NULL, &plan) ||
	     attached_init(&attached, plan) ||
	     kernel_symbolizer(kernel, &symbolizer), "no kernel");
	make_records();
	printf("stacks of %u addresses, traces of 2 calls\n", stack_record.stack.nr_ips);
	measure("stack, put together only", MODE_STACK, false, false);
	measure("stack, text", MODE_STACK, false, true);
	measure("stack, JSON", MODE_STACK, true, true);
	measure("trace, put together only", MODE_TRACE, false, false);
	measure("trace, text", MODE_TRACE, false, true);
	measure("trace, JSON", MODE_TRACE, true, true);
	trace_request_release(&request);
	attached_release(&attached);
	plan_free(plan);
	kernel_free(kernel);
	return 0;
}
