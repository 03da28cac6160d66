/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests each attach method on known calls before it is used.
 *
 * The test attaches the method's programs to two functions, one calling the other, makes a system
 * call that goes through both, and has proof.h compare what the programs saw with what is known.
 */
#ifndef RETSNOOP_TRACE_ATTACH_SELF_TEST_H
#define RETSNOOP_TRACE_ATTACH_SELF_TEST_H

#include "util/trace/attach/features.h"

struct kernel;
struct plan;

struct self_test;

/* @kernel	the running one; outlives the test. NULL: out of memory (not reported) */
struct self_test *self_test_new(struct kernel *kernel);

/* Detaches what is still attached. NULL is fine. */
void self_test_free(struct self_test *test);

/*
 * Detach in a thread. Call it when the plan is attached: detaching waits for RCU, and the kernel
 * attaches nothing meanwhile. self_test_free() waits for the thread.
 */
void self_test_detach(struct self_test *test);

/**
 * Test a method, once: the verdict is in features->proofs[rung]. It is PROOF_NONE with a reason
 * where the test is impossible (the functions are missing, ftrace is switched off). -v prints the
 * verdict.
 *
 * @features	filled in by features_probe(); features->rungs[rung] is true
 */
void self_test_prove(struct self_test *test, struct features *features, enum rung rung);

/* Test all methods; those with wrong answers are removed from features->rungs. */
void self_test_drop_wrong(struct self_test *test, struct features *features);

/**
 * rungs_assign() with methods that are tested first.
 *
 * @ret_test	set on success only; release with self_test_free()
 * @return	0; -EOPNOTSUPP (reported), -ENOMEM (reported)
 */
int self_test_assign(struct kernel *kernel, const struct plan *plan, struct features *features,
		     enum rung forced, uint64_t branches, enum rung *ret_rungs,
		     struct self_test **ret_test);

#endif
