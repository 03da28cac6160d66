/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways to attach to functions, best first. Their names are part of the command line. */
#ifndef RETSNOOP_ASK_RUNG_H
#define RETSNOOP_ASK_RUNG_H

#include <stdbool.h>

enum rung {
	RUNG_FSESSION_MULTI,	/* 7.2: one link, BTF ids, entry and exit in one program */
	RUNG_KPROBE_SESSION,	/* 6.10: one link, addresses, entry and exit in one program */
	RUNG_KPROBE_MULTI,	/* 5.18: an entry and a return link */
	RUNG_FENTRY,		/* 5.5: a pair of programs per function */
	RUNG_KPROBE,		/* any: a kprobe and a kretprobe per function */
	NR_RUNGS,
	RUNG_AUTO = NR_RUNGS,
};

/*
 * Whether a trampoline calls the programs. Their context has the arguments, and no return address
 * is replaced.
 */
static inline bool rung_is_trampoline(enum rung rung)
{
	return rung == RUNG_FSESSION_MULTI || rung == RUNG_FENTRY;
}

/* Whether one program serves entries and returns. */
static inline bool rung_is_session(enum rung rung)
{
	return rung == RUNG_FSESSION_MULTI || rung == RUNG_KPROBE_SESSION;
}

/* "fsession-multi", ...; "auto". Static. */
const char *rung_name(enum rung rung);

/* The rung of that name; -EINVAL none (not reported). */
int rung_parse(const char *name);

#endif
