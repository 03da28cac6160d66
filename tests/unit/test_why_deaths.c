// SPDX-License-Identifier: BSD-2-Clause
/* Processes that a signal ended: which one explains how a command ended, and what is told of it. */
#include <errno.h>
#include <linux/audit.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/view/parts/json.h"
#include "util/why/reasons/death.h"
#include "util/why/watch/deaths.h"
#include "util/why/watch/failed_calls.h"

#include "tests/unit/stack_fixture.h"
#include "tests/unit/unit.h"

/* What wait(2) gives. */
#define EXITED(status) ((status) << 8)
#define KILLED(signal) (signal)

enum { TRACE, SEND, SEND_INFO, OOM, OOM_MEMCG, CHARGE, SECCOMP, DO_SYSCALL, KILL, WRITE, NR };

static const char *const names[NR] = {
	"bpf_trace_run5", "__send_signal_locked", "do_send_sig_info", "out_of_memory",
	"mem_cgroup_out_of_memory", "try_charge_memcg", "__seccomp_filter", "do_syscall_64",
	"__x64_sys_kill", "__x64_sys_write",
};

FIXTURE(deaths)
{
	struct failed_calls calls;
	struct stack_fixture code;
	struct watch_event death;
	struct strbuf text;
};

FIXTURE_SETUP(deaths)
{
	memset(self, 0, sizeof(*self));
	stack_fixture_set_up(&self->code, names, NR);
	self->death = (struct watch_event){ .kind = WATCH_KILLED, .pid = 20, .tid = 20, .result = SIGKILL,
					    .signal = SIGKILL, .signal_code = 0x80, .signal_pid = 30, .comm = "job",
					    .kill = { .seen = 1, .sender = "killer" } };
	self->text = (struct strbuf)STRBUF_INIT;
}

FIXTURE_TEARDOWN(deaths)
{
	failed_calls_release(&self->calls);
	stack_fixture_release(&self->code);
	strbuf_release(&self->text);
}

/* A process ends by a signal of the kernel. */
static void dies(FIXTURE_DATA(deaths) * self, uint32_t pid, uint32_t signal)
{
	struct watch_event event = self->death;

	event.pid = event.tid = pid;
	event.signal = event.result = signal;
	if (failed_calls_add(&self->calls, &event))
		abort();
}

static void add(FIXTURE_DATA(deaths) * self, uint32_t kind, uint32_t pid, int64_t result, const char *said)
{
	struct watch_event event = { .kind = kind, .pid = pid, .tid = pid, .nr = 1, .result = result,
				     .comm = "job" };

	snprintf(event.said, sizeof(event.said), "%s", said);
	if (failed_calls_add(&self->calls, &event))
		abort();
}

/* Process id of the one that explains the status; 0: none. */
static uint32_t found(FIXTURE_DATA(deaths) * self, int status, bool any)
{
	const struct watch_event *death = deaths_find(&self->calls.events, status, any);

	return death ? death->pid : 0;
}

TEST_F(deaths, the_command_itself_has_the_signal_of_its_status)
{
	dies(self, 21, SIGSEGV);
	dies(self, 22, SIGKILL);
	dies(self, 23, SIGTERM);
	EXPECT_EQ(22, found(self, KILLED(SIGKILL), false));
	EXPECT_EQ(21, found(self, KILLED(SIGSEGV), true));
	/* A process that it did not die of is none. */
	EXPECT_EQ(0, found(self, KILLED(SIGABRT), true));
}

TEST_F(deaths, a_shell_tells_the_signal_of_its_program_by_its_status)
{
	dies(self, 21, SIGSEGV);
	dies(self, 22, SIGKILL);
	EXPECT_EQ(21, found(self, EXITED(128 + SIGSEGV), false));
	EXPECT_EQ(0, found(self, EXITED(1), false));
	EXPECT_EQ(22, found(self, EXITED(1), true));
	EXPECT_EQ(0, found(self, EXITED(0), true));
	/* Which may have been wanted. */
	dies(self, 23, SIGTERM);
	EXPECT_EQ(22, found(self, EXITED(1), true));
	EXPECT_EQ(23, found(self, EXITED(128 + SIGTERM), true));
}

TEST_F(deaths, a_message_of_another_process_tells_the_signal)
{
	add(self, WATCH_WROTE, 10, 5, "Killed by accident");
	dies(self, 21, SIGSEGV);
	dies(self, 22, SIGKILL);
	dies(self, 23, SIGTERM);
	EXPECT_EQ(0, found(self, EXITED(2), false));
	/* One that it wrote itself tells nothing of its end. */
	add(self, WATCH_WROTE, 22, 5, "Killed");
	EXPECT_EQ(0, found(self, EXITED(2), false));
	add(self, WATCH_WROTE, 10, 5, "make: *** [all] Killed\n");
	EXPECT_EQ(22, found(self, EXITED(2), false));
}

TEST_F(deaths, the_call_that_a_process_was_killed_for)
{
	const struct call_numbers numbers = {};
	const struct watch_event *death;

	add(self, WATCH_FAILED, 21, -EPIPE, "");
	add(self, WATCH_FAILED, 22, -EPIPE, "");
	add(self, WATCH_FAILED, 21, -EFBIG, "");
	dies(self, 21, SIGPIPE);
	failed_calls_group(&self->calls, &numbers);
	death = deaths_last(&self->calls.events);
	ASSERT_EQ(0, failed_calls_killed_for(&self->calls, death));
	EXPECT_EQ(21, self->calls.v.data[0].event.pid);
	EXPECT_EQ(1, self->calls.v.data[0].nth);
	dies(self, 21, SIGXFSZ);
	EXPECT_EQ(1, failed_calls_killed_for(&self->calls, deaths_last(&self->calls.events)));
	dies(self, 22, SIGXFSZ);
	EXPECT_GT(0, failed_calls_killed_for(&self->calls, deaths_last(&self->calls.events)));
	dies(self, 21, SIGKILL);
	EXPECT_GT(0, failed_calls_killed_for(&self->calls, deaths_last(&self->calls.events)));
}

TEST_F(deaths, what_stops_services_is_no_failure)
{
	static const struct {
		int signal, code;
		bool failure;
	} rows[] = {
		{ SIGTERM, SI_USER, false }, { SIGINT, SI_USER, false }, { SIGHUP, 0x80, false },
		{ SIGINT, 0x80, false },     { SIGUSR1, SI_USER, false }, { SIGSEGV, SI_USER, false },
		{ SIGKILL, SI_USER, true },  { SIGKILL, 0x80, true },     { SIGABRT, SI_TKILL, true },
		{ SIGSEGV, SEGV_MAPERR, true }, { SIGSYS, 1, true },      { SIGXCPU, 0x80, true },
		{ SIGPIPE, 0x80, false },    { SIGXFSZ, 0x80, true },
	};
	const struct call_choice any = { .next = true }, by_err = { .err = EPERM }, numbered = { .number = 1 };
	const struct call_numbers numbers = {};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		self->death.signal = rows[i].signal;
		self->death.signal_code = rows[i].code;
		EXPECT_EQ(rows[i].failure, death_is_failure(&self->death)) {
			TH_LOG("row %zu", i);
		}
		EXPECT_EQ(rows[i].failure, failed_calls_is_wanted(&self->calls, &self->death, &any, &numbers));
		EXPECT_FALSE(failed_calls_is_wanted(&self->calls, &self->death, &by_err, &numbers));
		EXPECT_FALSE(failed_calls_is_wanted(&self->calls, &self->death, &numbered, &numbers));
	}
}

static void stack(FIXTURE_DATA(deaths) * self, const int *funcs)
{
	stack_fill(self->death.kill.stack, funcs);
}

static const char *text_of(FIXTURE_DATA(deaths) * self, const char *syscall)
{
	strbuf_reset(&self->text);
	death_text_add(&self->text, &self->code.context, &self->death, syscall);
	return strbuf_str(&self->text);
}

TEST_F(deaths, lack_of_memory_in_a_cgroup_is_not_that_of_the_machine)
{
	stack(self, (int[]){ TRACE, SEND, SEND_INFO, OOM, OOM_MEMCG, CHARGE, -1 });
	EXPECT_STREQ("killed by SIGKILL (Killed)    job (pid 20)\n\n"
		     "the kernel sent it: its memory cgroup was out of memory\n"
		     "    out_of_memory+0x10\n"
		     "    mem_cgroup_out_of_memory+0x10\n"
		     "    try_charge_memcg+0x10\n",
		     text_of(self, NULL));
	stack(self, (int[]){ SEND, OOM, DO_SYSCALL, -1 });
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "the kernel sent it: no memory was left on the machine"));
	/* arm64 begins with the program that took the stack, of which nothing is left. */
	stack(self, (int[]){ SEND, TRACE, SEND, OOM, DO_SYSCALL, -1 });
	self->death.kill.stack[0] = 0xffff8000080e591c;
	EXPECT_NE(NULL, strstr(text_of(self, NULL), ": no memory was left on the machine, or on the nodes that it may use\n    out_of_memory+0x10\n"));
}

TEST_F(deaths, a_seccomp_filter_forbids_a_call)
{
	stack(self, (int[]){ SEND, SECCOMP, DO_SYSCALL, -1 });
	self->death.signal = SIGSYS;
	self->death.signal_code = 1;
	self->death.kill.nr = 41;
	self->death.kill.arch = AUDIT_ARCH_X86_64;
	EXPECT_NE(NULL, strstr(text_of(self, "socket"), ": a seccomp filter forbids the call: socket(2)\n"));
	EXPECT_NE(NULL, strstr(text_of(self, NULL), ": a seccomp filter forbids the call: system call 41\n"));
	self->death.kill.arch = AUDIT_ARCH_I386;
	EXPECT_TRUE(death_is_compat(&self->death));
	EXPECT_NE(NULL, strstr(text_of(self, NULL), ": a seccomp filter forbids the call: 32-bit system call 41\n"));
	/* Of another signal from there, nothing is known. */
	self->death.signal = SIGKILL;
	self->death.signal_code = 0x80;
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "the kernel sent it\n"));
}

TEST_F(deaths, exceptions_have_an_address_and_no_stack)
{
	stack(self, (int[]){ SEND, DO_SYSCALL, -1 });
	self->death.signal = SIGSEGV;
	self->death.signal_code = SEGV_ACCERR;
	self->death.kill.addr = 0x7000;
	EXPECT_STREQ("killed by SIGSEGV (Segmentation fault)    job (pid 20)\n\n"
		     "the kernel sent it: the memory does not permit that access at 0x7000\n",
		     text_of(self, NULL));
	self->death.signal_code = 0x80;
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "the CPU refused an access"));
	self->code.context.verbose = true;
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "do_syscall_64+0x10"));
}

TEST_F(deaths, who_sent_it)
{
	stack(self, (int[]){ SEND, DO_SYSCALL, -1 });
	self->death.signal_code = SI_USER;
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "\n\nprocess 30 (killer) sent it\n"));
	EXPECT_EQ(NULL, strstr(text_of(self, NULL), "do_syscall_64"));
	self->death.signal_pid = 0;
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "a process of another PID namespace (killer) sent it\n"));
	self->death.signal_pid = 20;
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "the process sent it to itself\n"));
	self->death.signal_code = SI_TIMER;
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "a timer sent it\n"));
	/* What it found on its way is not the reason. */
	stack(self, (int[]){ SEND, OOM, -1 });
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "a timer sent it\n"));
	EXPECT_TRUE(death_is_known(&self->death));
	self->death.kill.seen = 0;
	EXPECT_FALSE(death_is_known(&self->death));
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "\n\nwho sent it was not seen\n"));
}

/* The kernel names the thread that ran as the sender of a signal without a siginfo; that of kill(2), since 7.3, too. */
TEST_F(deaths, what_a_call_does_and_kill_are_told_apart_by_the_stack)
{
	self->death.kill.no_info = 1;
	self->death.signal_code = SI_USER;
	stack(self, (int[]){ SEND, WRITE, DO_SYSCALL, -1 });
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "\n\nthe kernel sent it\n    __x64_sys_write+0x10\n"));
	stack(self, (int[]){ SEND, KILL, DO_SYSCALL, -1 });
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "\n\nprocess 30 (killer) sent it\n"));
	stack(self, (int[]){ SEND, -1 });
	EXPECT_NE(NULL, strstr(text_of(self, NULL), "\n\nthe kernel sent it\n"));
}

TEST_F(deaths, the_same_as_json)
{
	struct json json = JSON_INIT(&self->text);

	stack(self, (int[]){ SEND, OOM, -1 });
	json_object(&json, NULL);
	death_json_add(&json, &self->code.context, &self->death, NULL);
	json_close(&json);
	EXPECT_STREQ("{\"killed_by\":{\"signal\":\"SIGKILL\",\"number\":9,\"comm\":\"job\",\"pid\":20,\"known\":true,"
		     "\"sender\":\"kernel\",\"event\":\"no memory was left on the machine, or on the nodes that it may use\","
		     "\"stack\":[{\"addr\":\"0xffffffff81000310\",\"symbol\":\"out_of_memory\",\"offset\":16,"
		     "\"module\":null,\"frames\":[]}]}}",
		     strbuf_str(&self->text));
}

TEST_HARNESS_MAIN
