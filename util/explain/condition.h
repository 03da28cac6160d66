/* SPDX-License-Identifier: BSD-2-Clause */
/* A branch's condition, in terms of the source as far as code and BTF tell, with its values. */
#ifndef RETSNOOP_EXPLAIN_CONDITION_H
#define RETSNOOP_EXPLAIN_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "util/kernel/code/operands.h"
#include "util/kernel/types/object_name.h"

struct btf;
struct kernel_btf;
struct number_names;
struct operand_way;
struct strbuf;

/* The object that an operand is a member of, "dentry" of "dentry->d_flags", if it is of a type with a name. */
struct decision_owner {
	char *name;	/* as the source has it; owned; NULL: there is none, or it is not known where it is */
	uint8_t reg;	/* before the comparison, this has the object's address + offset */
	int64_t offset;
	struct object_name name_at;	/* from the register */
	uint64_t value;	/* the object's address */
	char *object;	/* its name, as it is; owned; NULL: not known */
};

struct decision_operand {
	struct operand operand;	/* OPERAND_NONE: there is none */
	char *name;		/* of the source, or by register; owned; NULL for constants */
	bool is_named;		/* the name is of the source */
	uint8_t member;		/* bytes of the member of which a part was found in memory; 0: another place, or all was */
	bool is_typed;		/* the next members are of its type */
	bool is_pointer, is_signed, is_bool;
	bool is_bit;		/* a bit-field: the mask that it is tested with says which bit */
	bool is_unsigned;	/* its highest bit is no sign, nor a copy of another bit */
	bool is_result;		/* a call returned it */
	bool is_negated;	/* bit by bit: the name is "~flags" */
	bool is_char;		/* of text: "*s" */
	bool is_host_number;	/* of a type that has the CPU's byte order: not __be32 */
	bool is_list;		/* a pointer to a struct list_head */
	bool is_packet;		/* a pointer to a struct sk_buff, whose queues are lists, too */
	bool begins_list;	/* a pointer to something that begins with one */
	bool is_container;	/* tested is container_of() of the name: a pointer less the constant that it is compared with */
	bool is_masked;		/* some bits: the name is "(flags & 0x600)" */
	bool is_computed;	/* from several values: the name is "(len >> 12)", or "len >> 12" where it is compared */
	bool is_socket_state;	/* one of TCP's, which other protocols use, too */
	bool is_new_request;	/* the flags of a netlink request that makes something */
	bool is_variable;	/* it is all of a variable that debug info names */
	uint64_t called;	/* of is_result: the function called; 0: not known */
	/*
	 * Only lower bits are tested, and the register or the place in memory has this many bytes of
	 * what the name means; 0: what is tested is all.
	 */
	uint8_t whole;
	bool has_part;		/* the register was loaded with lower bytes alone of what the name means */
	/*
	 * What is tested is a number with this added, and so many bytes of the name say that: "val - 1". Of a range,
	 * the name and the value are those of the number itself.
	 */
	int64_t addend;
	uint8_t addend_len;
	bool has_value;
	uint64_t value;		/* of the operand's size, or of `whole` bytes */
	const struct btf *types;	/* of an enum that is compared as it is; borrowed; NULL: it is none */
	uint32_t enum_type;
	const struct number_names *numbers;	/* what values of a system call's argument mean; borrowed; NULL: not known */
	struct object_name name_at;	/* of a pointer: location of its object's name */
	char *object;		/* that name, as it is; owned; NULL: not known */
	struct decision_owner owner;
};

/* "val < 1 || val > 32767", or the opposite. */
struct condition_range {
	int64_t low, high;
	bool is_outside;
	bool is_open;	/* no number is above it */
};

struct decision_condition {
	/*
	 * The condition that held, "path->dentry != path->mnt->mnt_root"; owned; NULL: not known.
	 */
	char *text;
	uint64_t compared_at;	/* the instruction that compared; 0: not known */
	uint32_t compared_again;	/* how often the way passes it again afterwards */
	enum operands_kind kind;
	enum condition condition;	/* that held between both */
	struct decision_operand a, b;
	/*
	 * An earlier condition that held, if it was the failure of a call: "capable() == false"
	 * before "sig != 18". Owned; NULL: there is none.
	 */
	char *after;
	bool is_range;		/* operand a is compared with both ends of this, by one comparison */
	struct condition_range range;
	bool is_power;		/* whether operand a is a power of two: a - 1 is compared with a ^ (a - 1) */
	bool is_list_empty;	/* whether a list is empty: its first entry, or its last one, is its head, "&css->children" */
	/*
	 * Two conditions of which one held, "flags & 2 || fd == old_fd": the first that holds with its
	 * values is the one. Their operands can be read at `compared_at`, and a and b are empty. Owned;
	 * NULL: it is one condition, or the operands cannot be read.
	 */
	struct decision_condition *either;
	/*
	 * Where no condition decided: what the result was read from, "arg->err", or is the negative of,
	 * "-sk->sk_err". Owned; NULL: not known.
	 */
	char *origin;
};

#define NR_EITHER 2

/**
 * @way		through the function
 * @branch	the conditional branch, a step of it
 * @taken	whether it was taken
 * @condition	filled in; may have been filled before. text NULL: not known
 * @return	0; -ENOMEM
 */
int condition_fill(const struct operand_way *way, uint32_t branch, bool taken,
		   struct decision_condition *condition);

/* Whether the condition is that a call failed: its result is an error, NULL or false. */
bool condition_is_failure(const struct decision_condition *condition);

/**
 * The same for a result that was computed from a call's bool, "return inode_owner_or_capable() - 1":
 * the result tells which it was.
 *
 * @step	of the way: it computed the result
 * @result	its lower half
 */
int condition_fill_computed(const struct operand_way *way, uint32_t step, int32_t result,
			    struct decision_condition *condition);

/* Whether it holds with these values of its operands. */
bool condition_holds_with(const struct decision_condition *condition, uint64_t a, uint64_t b);

/*
 * Take the operands' values, as read just before the comparison. False, and nothing is taken: the
 * condition does not hold with these values.
 */
bool condition_take_values(struct decision_condition *condition, uint64_t a, uint64_t b);

/* One of `either` takes the place of both. */
void condition_choose(struct decision_condition *condition, uint32_t which);

/*
 * The errno that a value, or the constant that it is compared with, means. NULL: just a number:
 * mostly -1, and values of parameters or members whose names do not mean errors.
 */
const char *condition_errno(const struct decision_condition *condition,
			    const struct decision_operand *like, int64_t value);

/*
 * The type of a file (include/uapi/linux/stat.h), or the state of a socket, that a value, or the constant that it is
 * compared with, means: "(inode->i_mode & 0xf000) == S_IFLNK". NULL: another number.
 */
const char *condition_value_name(const struct decision_operand *like, uint64_t value);

/* Add "'O'" for 79, if the operand is a character; false: it is none, or cannot be printed. */
bool condition_add_char(struct strbuf *text, const struct decision_operand *like, int64_t value);

/* Replace a comparison with zero, or a test of the highest bit, by the one that the source has. */
void condition_simplify(struct decision_condition *condition);

/* Add it as the source writes it; its members but for the text are filled in. */
void condition_add_text(struct strbuf *text, const struct decision_condition *condition);

void decision_operand_release(struct decision_operand *operand);
void condition_release(struct decision_condition *condition);

#endif
