/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that record what an attach method reports about the calls of one thread. */
#ifndef RETSNOOP_TRACE_ATTACH_SELF_TEST_PROGRAMS_H
#define RETSNOOP_TRACE_ATTACH_SELF_TEST_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/ask/rung.h"
#include "util/trace/attach/proof.h"

/* Describes a program. On session rungs, one program serves entries and returns. */
struct self_test_program {
	enum rung rung;
	bool at_return;
	enum proof_func func;	/* RUNG_FENTRY: the program is for this function only */
	uint32_t btf_id;	/* RUNG_FENTRY: of the function */
	bool attach_cookies;	/* of struct features */
	bool func_ret;
	uint32_t is_return_id, session_cookie_id;	/* BTF ids of session rungs' kfuncs */
	int hits_fd;		/* a map of one struct proof_hits */
	/* The thread: its struct bpf_pidns_info, and device and inode of its pid namespace. */
	uint64_t pid_tgid, ns_dev, ns_ino;
};

/* Load it. Returns a file descriptor, or a negative errno (not reported). */
int self_test_program_load(const struct self_test_program *program);

/*
 * Create a map of one struct proof_hits. Returns a file descriptor, or a negative errno (not
 * reported).
 */
int self_test_hits_new(void);

#endif
