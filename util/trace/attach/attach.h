/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Attaching a plan and taking it down again.
 *
 * An attachment holds every link by file descriptor. It may change the plan: a function that its
 * rung refuses goes to the next one, or is refused for good.
 */
#ifndef RETSNOOP_TRACE_ATTACH_ATTACH_H
#define RETSNOOP_TRACE_ATTACH_ATTACH_H

#include <stdbool.h>
#include <stdint.h>

#include "util/trace/ask/request.h"
#include "util/trace/attach/detach.h"
#include "util/trace/attach/features.h"
#include "util/trace/attach/programs.h"
#include "util/trace/plan/plan.h"
#include "util/trace/session/ledger.h"

struct attachment;
struct kernel;

/**
 * Load the programs that the plan needs and attach all its functions. Nothing is recorded yet.
 *
 * @plan	rungs assigned; must outlive the attachment
 * @follow	follow the children of the workload
 * @return	0; -EINTR interrupted (all is taken down again); negative errno (reported)
 */
int attachment_new(struct kernel *kernel, const struct features *features, struct plan *plan,
		   const struct trace_request *request, bool follow, interrupted_fn interrupted,
		   void *arg, struct attachment **ret_attachment);

const struct programs *attachment_programs(const struct attachment *attachment);

/*
 * --budget: functions that are no entry functions can be detached while the others go on. Calls that
 * are in such a function meanwhile lose its return.
 */
bool attachment_can_give_up(const struct attachment *attachment, uint32_t func);
/* What a hit of the function costs that nothing comes of. */
uint32_t attachment_hit_ns(const struct attachment *attachment, uint32_t func);
/* Follow entry calls whose random number is below; BUDGET_KEEP_ALL: all. 0; -errno (not reported). */
int attachment_keep_calls(struct attachment *attachment, uint32_t keep);
/* 0; -errno (reported). */
int attachment_give_up(struct attachment *attachment, const uint32_t *funcs, size_t nr);

/* Fill in what the kernel counted, while the links are still there. */
void attachment_count(const struct attachment *attachment, struct ledger *ledger);
/* The part of it that asks the kernel nothing. */
void attachment_functions(const struct attachment *attachment, struct ledger *ledger);

/**
 * Close all links, and say how long it took. Where that is slow, from several threads with
 * progress; when @interrupted, the rest goes to a process in the background.
 */
void attachment_detach(struct attachment *attachment, interrupted_fn interrupted, void *arg);

void attachment_free(struct attachment *attachment);

/*
 * For captures with links of their own. The attachment owns what it keeps: a link's descriptor, or the
 * negative errno that there was instead, which is handed back.
 */
int attachment_keep(struct attachment *attachment, int link_fd);
/* The same of a breakpoint, whose hits are counted. */
int attachment_keep_breakpoint(struct attachment *attachment, int fd);
/* A copy of a BPF program with @index in it; the attachment's. Descriptor or negative errno. */
int attachment_copy_program(struct attachment *attachment, const char *name, int type,
			    uint64_t index);
/*
 * @index	for programs that get it from the link; the program's own copy has it where
 *		attachment_has_cookies() is false
 */
int attachment_keep_kprobe(struct attachment *attachment, int prog_fd, bool at_return,
			   uint64_t addr, uint64_t index);
/* Whether one program does for all kprobes: each link tells it the index. */
bool attachment_has_cookies(const struct attachment *attachment);
bool attachment_interrupted(struct attachment *attachment);

#endif
