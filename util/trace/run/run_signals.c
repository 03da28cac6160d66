// SPDX-License-Identifier: BSD-2-Clause
/* Signals during a run: they end it, skip what is left to be shown, or reload. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "util/base/report.h"
#include "util/trace/run/run_internal.h"

/*
 * Signals come through a descriptor, so that nothing is interrupted half way. They stay blocked:
 * one that arrives after the last check must not stop the process from reporting what it missed.
 * SIGHUP stays ignored if it is, as nohup(1) wants it: a signal that is blocked would be read all the same.
 */
int run_take_signals(struct run *run)
{
	struct sigaction hangup;
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaction(SIGHUP, NULL, &hangup);
	if (hangup.sa_handler != SIG_IGN || run->handler->reload)
		sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	run->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	return run->signal_fd < 0 ? report(-errno, "cannot take signals: %s", strerror(errno)) : 0;
}

void run_hold_hangup(bool hold)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGHUP);
	pthread_sigmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &mask, NULL);
}

/* Whether a signal asks to end the run. Collects a workload that has exited. */
static bool read_signals(struct run *run)
{
	struct signalfd_siginfo info;
	bool asked = false;

	while (read(run->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		if (info.ssi_signo == SIGHUP && run->handler->reload) {
			run->reload = true;
			continue;
		}
		asked = true;
		/* SIGINT lets a workload go on that was to be traced only; a terminal's Ctrl-C is sent to both. */
		if (info.ssi_signo != SIGINT || run->handler->ends_workload)
			workload_pass_signal(&run->workload, info.ssi_signo, info.ssi_code);
	}
	return asked;
}

/* Each call needs another signal: the one that ended attaching does not cut detaching short. */
bool run_interrupted(void *arg)
{
	struct run *run = arg;

	if (!read_signals(run))
		return false;
	run->result.interrupted = true;
	return true;
}

/*
 * The first signal ends recording, and earlier sessions are still shown. The next signal, or the
 * first one after the message that much is left, skips the rest.
 */
void run_hear_signals(struct run *run)
{
	if (!read_signals(run))
		return;
	run->left = run->ended_ns && (run->result.interrupted || run->told);
	run->result.interrupted = true;
	run->over = true;
}

/* SIGHUP may also have arrived while functions were attached. */
void run_heed_reload(struct run *run)
{
	if (!run->reload || run->over)
		return;
	run->reload = false;
	run->result.reload = run->handler->reload(run->handler->arg);
	run->over = run->result.reload;
}
