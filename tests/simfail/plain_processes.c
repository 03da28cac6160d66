/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain calls on processes, signals and time. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "plain_call.h"

static char buffer[256];
static const struct rlimit upside_down = { .rlim_cur = 200, .rlim_max = 100 };
static const struct sched_param priority_1 = { .sched_priority = 1 };
static const struct timespec bad_time = { 0, 2000000000 };
static const struct timespec soon = { 0, 1000 };
static const unsigned long no_cpus;
static struct __user_cap_header_struct bad_version = { .version = 1 };
static const struct clone_args thread_alone = { .flags = CLONE_THREAD };
static const int futex_word;
static const struct iovec part = { buffer, 16 };

/* clang-format off */
const struct simfail_case simfail_plain_process_cases[] = {
	PLAIN("setpriority-which", EINVAL, "set the priority of nothing",
	      ON_NOTHING, setpriority, 99, 0, 0),
	PLAIN("setpriority-missing", ESRCH, "set the priority of a process that does not exist",
	      ON_NOTHING, setpriority, PRIO_PROCESS, MISSING_PID, 0),
	PLAIN("setrlimit-resource", EINVAL, "limit an unknown resource",
	      ON_NOTHING, prlimit64, 0, 99, 0, AT(buffer)),
	PLAIN("setrlimit-upside-down", EINVAL, "set a limit above its maximum",
	      ON_NOTHING, prlimit64, 0, RLIMIT_CORE, AT(&upside_down), 0),
	PLAIN("prlimit-missing", ESRCH, "read a limit of a process that does not exist",
	      ON_NOTHING, prlimit64, MISSING_PID, RLIMIT_CORE, 0, AT(buffer)),
	PLAIN("scheduler-policy", EINVAL, "an unknown scheduling policy",
	      ON_NOTHING, sched_setscheduler, 0, 99, AT(&priority_1)),
	PLAIN("scheduler-priority", EINVAL, "a real-time priority for an ordinary process",
	      ON_NOTHING, sched_setscheduler, 0, SCHED_OTHER, AT(&priority_1)),
	PLAIN("scheduler-missing", ESRCH, "the scheduling policy of a process that does not exist",
	      ON_NOTHING, sched_getscheduler, MISSING_PID),
	PLAIN("affinity-none", EINVAL, "run on no CPU",
	      ON_NOTHING, sched_setaffinity, 0, sizeof(no_cpus), AT(&no_cpus)),
	PLAIN("affinity-short", EINVAL, "read the CPUs into 3 bytes",
	      ON_NOTHING, sched_getaffinity, 0, 3, AT(buffer)),
	PLAIN("prctl-option", EINVAL, "an unknown prctl",
	      ON_NOTHING, prctl, 9999, 0, 0, 0, 0),
	PLAIN("prctl-dumpable", EINVAL, "be dumpable in an unknown way",
	      ON_NOTHING, prctl, PR_SET_DUMPABLE, 99, 0, 0, 0),
	PLAIN("prctl-seccomp", EINVAL, "an unknown seccomp mode",
	      ON_NOTHING, prctl, PR_SET_SECCOMP, 99, 0, 0, 0),
	PLAIN("seccomp-operation", EINVAL, "an unknown seccomp operation",
	      ON_NOTHING, seccomp, 99, 0, 0),
	PLAIN("waitid-which", EINVAL, "wait for nothing",
	      ON_NOTHING, waitid, 99, 0, 0, WEXITED, 0),
	PLAIN("waitid-options", EINVAL, "wait without options",
	      ON_NOTHING, waitid, P_ALL, 0, 0, 0, 0),
	PLAIN("wait4-options", EINVAL, "wait with an unknown option",
	      ON_NOTHING, wait4, -1, 0, 0x100, 0),
	PLAIN("kill-signal", EINVAL, "send an unknown signal",
	      ON_NOTHING, kill, 1, 99),
	PLAIN("tgkill-missing", ESRCH, "signal a thread that does not exist",
	      ON_NOTHING, tgkill, MISSING_PID, MISSING_PID, 0),
	PLAIN("tgkill-zero", EINVAL, "signal thread 0",
	      ON_NOTHING, tgkill, 0, 0, 0),
	PLAIN("sigaction-kill", EINVAL, "handle SIGKILL",
	      ON_NOTHING, rt_sigaction, SIGKILL, AT(buffer), 0, 8),
	PLAIN("sigprocmask-how", EINVAL, "mask signals in an unknown way",
	      ON_NOTHING, rt_sigprocmask, 99, AT(buffer), 0, 8),
	PLAIN("sigprocmask-size", EINVAL, "mask signals with 4 bytes",
	      ON_NOTHING, rt_sigprocmask, SIG_BLOCK, AT(buffer), 0, 4),
	PLAIN("sigtimedwait-none", EAGAIN, "wait a moment for no signal",
	      ON_NOTHING, rt_sigtimedwait, AT(buffer), 0, AT(&soon), 8),
	PLAIN("setpgid-missing", ESRCH, "set the group of a process that does not exist",
	      ON_NOTHING, setpgid, MISSING_PID, 0),
	PLAIN("setpgid-negative", EINVAL, "set a negative group",
	      ON_NOTHING, setpgid, 0, -1),
	PLAIN("getpgid-missing", ESRCH, "the group of a process that does not exist",
	      ON_NOTHING, getpgid, MISSING_PID),
	PLAIN("clone-thread", EINVAL, "a thread with signal handlers of its own",
	      ON_NOTHING, clone3, AT(&thread_alone), sizeof(thread_alone)),
	PLAIN("clone-size", EINVAL, "clone with a structure that is too small",
	      ON_NOTHING, clone3, AT(&thread_alone), 8),
	PLAIN("pidfd-missing", ESRCH, "a descriptor of a process that does not exist",
	      ON_NOTHING, pidfd_open, MISSING_PID, 0),
	PLAIN("pidfd-flags", EINVAL, "a descriptor of a process, with an unknown flag",
	      ON_NOTHING, pidfd_open, 1, 0x1),
	PLAIN("pidfd-signal-pipe", EBADF, "signal a pipe",
	      ON_PIPE, pidfd_send_signal, THING, 0, 0, 0),
	PLAIN("setns-pipe", EINVAL, "enter a pipe",
	      ON_PIPE, setns, THING, 0),
	PLAIN("setns-own-user", EINVAL, "enter the user namespace that one is in",
	      ON_USER_NS, setns, THING, 0),
	PLAIN("setns-closed", EBADF, "enter a closed descriptor",
	      ON_NOTHING, setns, 9999, 0),
	PLAIN("capset-version", EINVAL, "set capabilities of an unknown version",
	      ON_NOTHING, capset, AT(&bad_version), AT(buffer)),
	PLAIN("ptrace-untraced", ESRCH, "read the memory of a process that is not traced",
	      ON_NOTHING, ptrace, PTRACE_PEEKDATA, 1, 0, AT(buffer)),
	PLAIN("ptrace-seize-address", EIO, "trace a process with an address that is not used",
	      ON_NOTHING, ptrace, PTRACE_SEIZE, 1, 8, 0),
	PLAIN("ptrace-missing", ESRCH, "trace a process that does not exist",
	      ON_NOTHING, ptrace, PTRACE_ATTACH, MISSING_PID, 0, 0),
	PLAIN("vm-read-missing", ESRCH, "read the memory of a process that does not exist",
	      ON_NOTHING, process_vm_readv, MISSING_PID, AT(&part), 1, AT(&part), 1, 0),
	PLAIN("vm-read-flags", EINVAL, "read memory with an unknown flag",
	      ON_NOTHING, process_vm_readv, 1, AT(&part), 1, AT(&part), 1, 1),
	PLAIN("execveat-flags", EINVAL, "execute with an unknown flag",
	      ON_NOTHING, execveat, AT_FDCWD, AT("/"), 0, 0, 0x40),
	PLAIN("setuid-none", EINVAL, "become the user that nobody can be",
	      ON_NOTHING, setuid, -1),
	PLAIN("setgroups-many", EINVAL, "be in 100,000 groups",
	      ON_NOTHING, setgroups, 100000, AT(buffer)),
	PLAIN("nanosleep-nsec", EINVAL, "sleep for two billion nanoseconds",
	      ON_NOTHING, nanosleep, AT(&bad_time), 0),
	PLAIN("clock-gettime-clock", EINVAL, "ask an unknown clock for the time",
	      ON_NOTHING, clock_getres, 99, AT(buffer)),
	PLAIN("timer-create-clock", EINVAL, "a timer on an unknown clock",
	      ON_NOTHING, timer_create, 99, 0, AT(buffer)),
	PLAIN("timer-delete-missing", EINVAL, "delete a timer that does not exist",
	      ON_NOTHING, timer_delete, 9999),
	PLAIN("futex-value", EAGAIN, "wait for a futex that has another value",
	      ON_NOTHING, futex, AT(&futex_word), FUTEX_WAIT, 1, 0, 0, 0),
	PLAIN("futex-unaligned", EINVAL, "wait for a futex at an odd address",
	      ON_NOTHING, futex, AT(buffer) + 1, FUTEX_WAIT, 0, 0, 0, 0),
	PLAIN("futex-not-owner", EPERM, "unlock a futex that nobody has locked",
	      ON_NOTHING, futex, AT(&futex_word), FUTEX_UNLOCK_PI, 0, 0, 0, 0),
	PLAIN("getrandom-flags", EINVAL, "random bytes with an unknown flag",
	      ON_NOTHING, getrandom, AT(buffer), 1, 0x100),
	PLAIN("syslog-type", EINVAL, "an unknown kernel log operation",
	      ON_NOTHING, syslog, 99, AT(buffer), 1),
	PLAIN("reboot-magic", EINVAL, "reboot without the magic numbers",
	      ON_NOTHING, reboot, 0, 0, 0, 0),
	PLAIN("uname-address", EFAULT, "the system's name to a bad address",
	      ON_NOTHING, uname, 8),
	PLAIN("kcmp-type", EINVAL, "compare processes by an unknown type",
	      ON_NOTHING, kcmp, 1, 1, 99, 0, 0),
	PLAIN("membarrier-command", EINVAL, "an unknown memory barrier",
	      ON_NOTHING, membarrier, 0x40000000, 0, 0),
	PLAIN("rseq-flags", EINVAL, "restartable sequences with an unknown flag",
	      ON_NOTHING, rseq, AT(buffer), 32, 0x100, 0),
	{},
};
/* clang-format on */
