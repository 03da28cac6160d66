/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs that libbpf relocates for this kernel, but that retsnoop loads itself: when they are
 * needed, and as often as needed. The kernel verifies each load, which takes up to a fifth of a
 * second.
 *
 * These are the programs in the sections entry/, exit/, session/ and probe/ of a BPF object.
 */
#ifndef RETSNOOP_TRACE_ATTACH_HELD_PROGRAMS_H
#define RETSNOOP_TRACE_ATTACH_HELD_PROGRAMS_H

#include <bpf/bpf.h>
#include <stdint.h>

#include "util/base/vec.h"

struct bpf_object;

struct held_program {
	char *name;
	struct bpf_insn *insns;
	size_t nr;
	struct bpf_func_info *funcs;	/* where its functions begin; NULL: the kernel wants no types */
	uint32_t nr_funcs;
};

/* What the kernel's BTF has ids for (the markers in bpf/config.h); 0: the programs that are used need none. */
struct held_ids {
	uint32_t preempt_count;
	uint32_t is_return, session_cookie;
};

/* Zero-initialized. Not to be moved between held_programs_begin() and held_programs_end(). */
struct held_programs {
	VEC(struct held_program) v;
	struct held_ids ids;	/* set them before the object is loaded */
	/* Set it when the object is opened. Programs are trimmed by its .rodata.config. */
	struct bpf_object *object;
};

/* From now on, libbpf hands over such programs of each object that it loads. 0 or -errno. */
int held_programs_begin(struct held_programs *held);
/* Call it after the object is loaded. */
void held_programs_end(struct held_programs *held);
void held_programs_release(struct held_programs *held);

/**
 * Load a program.
 *
 * @cookie	written over the program's marker; NULL: the program has none
 * @return	file descriptor; -ENOENT no such program; -errno of the kernel, whose log is
 *		printed at -vv (not reported)
 */
int held_programs_load(const struct held_programs *held, const char *name, enum bpf_prog_type type,
		       const uint64_t *cookie, const struct bpf_prog_load_opts *opts);

#endif
