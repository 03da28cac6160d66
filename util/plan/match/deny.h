/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions never traced: BPF itself runs through them between a traced call and the end of our
 * program. Tracing them would trace the tracer: at best every hit is a recursion that the kernel
 * drops and counts as missed, at worst it slows everything down.
 */
#ifndef RETSNOOP_PLAN_MATCH_DENY_H
#define RETSNOOP_PLAN_MATCH_DENY_H

#include <stdbool.h>

/* Why a function is on the list ("it runs whenever a BPF ..."); NULL: it is not. Static. */
const char *deny_reason(const char *name);

#endif
