/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Attaching a plan, and detaching it.
 *
 * An attachment holds every link by file descriptor. A function that its rung refuses is moved to
 * the next rung, or finally refused; struct attached tells.
 */
#ifndef RETSNOOP_TRACE_ATTACH_ATTACH_H
#define RETSNOOP_TRACE_ATTACH_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

#include "util/ask/request.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/attach/detach.h"
#include "util/trace/attach/features.h"
#include "util/trace/attach/programs.h"
#include "util/trace/session/ledger.h"

struct attachment;
struct kept_kprobes;
struct kernel;

struct attach_options {
	bool follow;			/* the children of the workload */
	struct kept_kprobes *kept;	/* of this process's runs; NULL: none are kept */
	interrupted_fn interrupted;	/* called regularly while attaching */
	void *arg;
};

/**
 * Load the programs that the plan needs and attach all its functions. Nothing is recorded yet.
 *
 * @plan	must outlive the attachment
 * @attached	rungs assigned; changed where the kernel refuses; must outlive it, too
 * @return	0; -EINTR interrupted (all is detached again); negative errno (reported)
 */
int attachment_new(struct kernel *kernel, const struct features *features, const struct plan *plan,
		   struct attached *attached, const struct trace_request *request,
		   const struct attach_options *options, struct attachment **ret_attachment);

const struct programs *attachment_programs(const struct attachment *attachment);

/*
 * --budget: functions that are no entry functions can be detached while the others stay attached.
 * A call of such a function that is open at that time loses its return.
 */
bool attachment_can_give_up(const struct attachment *attachment, uint32_t func);
/* The cost, in ns, of a hit of the function that has no effect. */
uint32_t attachment_hit_ns(const struct attachment *attachment, uint32_t func);
/* Follow entry calls with a random number below @keep, or all. 0; -errno (not reported). */
int attachment_keep_calls(struct attachment *attachment, uint32_t keep);
/* Detach these functions. 0; -errno (reported). */
int attachment_give_up(struct attachment *attachment, const uint32_t *funcs, size_t nr);

/*
 * --budget: entry functions that are called too often, which are attached for a part of the time only.
 * attachment_set_hot() adds some to them, and detaches them all, as attachment_pause_hot() does. 0; -errno
 * (reported).
 */
int attachment_set_hot(struct attachment *attachment, const uint32_t *funcs, size_t nr);
void attachment_pause_hot(struct attachment *attachment);
int attachment_resume_hot(struct attachment *attachment);
bool attachment_is_hot(const struct attachment *attachment, uint32_t func);

/**
 * Attach the functions that were appended to the plan, from @first on, by methods that are in use or
 * that functions may fall back to.
 *
 * @branches	as for rungs_assign()
 * @ret_nr	how many were attached; of refused ones it is said why, and rungs[] has RUNG_AUTO
 * @return	0; -errno (reported): the others are not attached
 */
int attachment_add(struct attachment *attachment, uint32_t first, uint64_t branches, uint32_t *ret_nr);
/* Let go of the functions of a module that was unloaded. Returns their number. */
uint32_t attachment_drop_module(struct attachment *attachment, const char *module);

/* Fill in the kernel's counts, while the links still exist. */
void attachment_count(const struct attachment *attachment, struct ledger *ledger);
/* Fill in only the counts of functions, which need nothing from the kernel. */
void attachment_functions(const struct attachment *attachment, struct ledger *ledger);

/**
 * Close all links, and report how long it took. If that is slow, it uses several threads and shows
 * progress; when @interrupted, a background process closes the rest.
 */
void attachment_detach(struct attachment *attachment, interrupted_fn interrupted, void *arg);

void attachment_free(struct attachment *attachment);

/*
 * For captures with links of their own: the attachment owns the descriptor. A negative errno as
 * @link_fd is returned.
 */
int attachment_keep(struct attachment *attachment, int link_fd);
/* The same for a breakpoint, whose hits are counted. */
int attachment_keep_breakpoint(struct attachment *attachment, int fd);
/*
 * A copy of a BPF program with @index patched in; the attachment owns it. Descriptor or negative
 * errno.
 */
int attachment_copy_program(struct attachment *attachment, const char *name, int type,
			    uint64_t index);
/*
 * @module	of the code; NULL for vmlinux
 * @index	for programs that get it from the link; without attachment_has_cookies() the
 *		program's own copy has it
 */
int attachment_keep_kprobe(struct attachment *attachment, int prog_fd, bool at_return,
			   uint64_t addr, const char *module, uint64_t index);
/* Whether one program serves all kprobes: it gets the index from each link. */
bool attachment_has_cookies(const struct attachment *attachment);
bool attachment_interrupted(struct attachment *attachment);

#endif
