/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files that follow a value: through copies and memory, calls, and arithmetic. */
#ifndef RETSNOOP_EXPLAIN_FUNCTION_OPERAND_INTERNAL_H
#define RETSNOOP_EXPLAIN_FUNCTION_OPERAND_INTERNAL_H

#include "util/explain/function/operand.h"

struct branch_insn;

/*
 * A position before an instruction: a step of the way, or, off the way, an address in the
 * function.
 */
struct position {
	bool on_way;
	uint32_t step;		/* on the way */
	uint64_t addr;
};

struct follower {
	const struct operand_way *way;
	struct expression *to;
	int nesting;
	uint8_t size;		/* bytes that are wanted of it */
	uint8_t used;		/* of the register that is followed, as far as is known; 0: not known */
	uint8_t terms;		/* how many computations have the followed value as an operand */
	bool in_call;		/* the followed value is a call's argument */
	bool is_short;		/* of calls, the arguments are left out */
	bool by_variables;	/* debug info's variables are asked first */
};

static inline struct position position_of_step(const struct path *path, uint32_t step)
{
	return (struct position){ true, step, path->steps.data[step].addr };
}

/* These return 0, and have added nothing where it is not known; or -ENOMEM. */

/* Follow a value by the code alone; and by the source's variables, where that tells more. *to is empty before. */
int follow_best(const struct follower *like, const struct operand *operand, struct position at,
		struct expression *to);
/* A call may have changed the register, or returned its value in it. */
int follow_call(struct follower *f, uint8_t reg, const struct branch_insn *insn, struct position at);
/* A pointer to a file, if the instruction took it out of what fdget() returned: "fd_file(fdget(fd))". */
int follow_file(struct follower *f, const struct insn_effect *effect, struct position at);
/* The list whose first entry is at the path from a struct; NULL: it is none, or not known. */
const struct known_container *list_entries_at(const struct btf *btf, uint32_t id, const char *path);
/*
 * If @size bytes at an offset from a pointer are not in what it points to, but in the struct that this is a member
 * of: go on to that struct, and from a struct sock to that of the function's protocol. 0 bytes: if the offset leads to
 * its beginning.
 *
 * @function	whose code that is; NULL: not known
 */
void follow_container(struct expression *to, int64_t offset, uint8_t size, const char *function);
/* What the value of a register is; like operand_expression(), but for the follower's limits. */
int follow_register(struct follower *f, uint8_t reg, struct position before);
/* Go on from a pointer to the value that it points to. */
void follow_pointer(struct follower *f, const struct operand *memory);
/* An element of an array, or its address, that an instruction reads by an index: "ns->ucount_max[type]". */
int follow_element(struct follower *f, uint8_t reg, struct position at);
/* Go on from a pointer with a stride to the element; false: it is none, and nothing changed. */
bool element_add(struct expression *to, int64_t offset, uint8_t size);
/* The value of a place on the stack that was copied from the program's memory. */
int follow_copied(struct follower *f, const struct operand *memory, struct position before);
/* A member of a variable on the stack whose address a called function got, by that parameter's name and type. */
int follow_filled(struct follower *f, const struct operand *memory, struct position before);
/*
 * The step that put the address of a place on the stack into a register, for the call at step @call, and for
 * nothing else before step @until. *ret_at: the place, relative to @base. UINT32_MAX: there is none.
 */
uint32_t address_passed(const struct operand_way *way, uint8_t reg, uint8_t base, uint32_t call, uint32_t until,
			int64_t *ret_at);
/* The value that a routine such as get_user() read. *ret_reads: the call is one of its own. */
int follow_read(struct follower *f, uint8_t reg, const struct branch_insn *insn, struct position at, bool *ret_reads);
/* What an instruction computed from two values: "(len >> 12)". */
int follow_arithmetic(struct follower *f, uint8_t reg, struct position at);
/* The smaller or larger one of two numbers that were compared, which a move then selected: "min(limit, ipc_mni)". */
int follow_select(struct follower *f, const struct insn_effect *effect, struct position at);

#endif
