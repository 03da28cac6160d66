/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files that find a branch's condition. Those that fill one in return 0; -ENOENT not known; -ENOMEM. */
#ifndef RETSNOOP_EXPLAIN_CONDITION_INTERNAL_H
#define RETSNOOP_EXPLAIN_CONDITION_INTERNAL_H

#include "util/explain/condition.h"

struct expression;

/* The condition of a branch, or of an instruction that sets a flag. */
int condition_of_branch(const struct operand_way *way, uint32_t branch, bool taken,
			struct decision_condition *condition);
/* The same by what was compared at the step @at. */
int condition_of_comparison(const struct operand_way *way, uint32_t branch, bool taken, uint32_t at,
			    struct insn_operands operands, struct decision_condition *condition);

/*
 * Fill in what an operand of the step @step is, before it.
 *
 * @ret_shift	by how many bits the value is shifted to the right from what the name means
 */
int condition_fill_operand(const struct operand_way *way, const struct operand *operand, uint32_t step,
			   uint32_t *ret_shift, struct decision_operand *to);

/*
 * Two conditions of the source, "a && b" or "a || b", in one branch: the step @at compared only if the
 * first of them had one outcome.
 *
 * @otherwise	whether the branch is taken if nothing was compared
 */
int condition_of_second(const struct operand_way *way, uint32_t branch, bool taken, uint32_t at,
			const struct insn_operands *operands, bool otherwise,
			struct decision_condition *condition);
/*
 * Two conditions of the source, each of which set a flag, or is about a number's sign: the step @at is an or of both.
 *
 * @condition	its own condition is filled in: whether one was set, or none
 */
int condition_of_flags(const struct operand_way *way, uint32_t branch, bool taken, uint32_t at,
		       const struct insn_operands *operands, struct decision_condition *condition);

/*
 * The conditions of several members that are next to each other, and compared at once: "f->f_flags & O_DIRECT &&
 * !(f->f_mode & FMODE_CAN_ODIRECT)". -ENOENT, too, if all of one member is compared.
 *
 * @operands	of the step @at
 */
int condition_of_members(const struct operand_way *way, uint32_t branch, bool taken, uint32_t at,
			 const struct insn_operands *operands, struct decision_condition *condition);

/*
 * Add the name of a flag that a mask tests, as far as it is certain: "nlh->nlmsg_flags & NLM_F_CREATE",
 * "cred->cap_effective.val & BIT(CAP_SYS_RAWIO)". False: nothing was added.
 */
bool condition_add_flag(struct strbuf *text, const struct decision_operand *like, uint64_t mask);
/* The names of an argument of a system call that is compared or tested; borrowed; NULL: it is none. */
const struct number_names *condition_numbers(const struct operand_way *way, const struct decision_operand *operand);
/* Name the bits of an argument of a system call, or of a member: "(flags & RENAME_EXCHANGE)". 0; -ENOMEM. */
int condition_name_mask(const struct operand_way *way, struct decision_operand *operand);
/* Whether the name of a value has an operator, but for those in the arguments of calls: "c - 48". */
bool condition_has_operator(const char *name);
/*
 * Add the name of a constant: "flags & MS_REC", "cmd == TUNSETIFF". False: it has none, and nothing was added.
 *
 * @like		what it is compared with, or masks
 * @is_complement	the mask leaves these bits out: "flags & ~O_CLOEXEC"
 */
bool condition_add_number(struct strbuf *text, const struct decision_condition *condition,
			  const struct decision_operand *like, uint64_t value, bool is_complement);
/* Name the value that an enum is compared with: "type != LAST_NORM". 0; -ENOMEM. */
int condition_name_enum(struct decision_condition *condition);
/* What a condition means in the kernel: "no such file"; NULL: not known. */
const char *condition_note(const struct operand_way *way, const struct decision_condition *condition);
/* Whether no typedef says that a number has an order of its bytes of its own: __be32, __le16. */
bool condition_has_host_order(const struct expression *expression);
/* Whether a pointer is to a struct list_head, to what begins with one, or to a packet: is_list and the like. */
void condition_take_list(const struct expression *expression, struct decision_operand *to);
/* The end of an array is also where the next variable begins, which it has nothing to do with: forget that name. */
void condition_take_array_end(const struct operand_way *way, uint32_t at, struct decision_condition *condition);
/* Find out whether it is is_power_of_2(), which compilers make a comparison of n - 1 with n ^ (n - 1). */
void condition_take_power(const struct operand_way *way, uint32_t at, struct decision_condition *condition);
/* Name the head of a list that is compared with its own first entry. */
void condition_name_list(const struct operand_way *way, uint32_t at, struct decision_condition *condition);
/* The same of a comparison at the step @at with the head of a list, or the end of an array: "the list ended". */
const char *condition_list_note(const struct operand_way *way, uint32_t at, const struct decision_condition *condition);
/* Find out whether a comparison is one with both ends of a range. */
void condition_take_range(struct decision_condition *condition);
void condition_add_range(struct strbuf *text, const struct decision_condition *condition);

/* A test of one bit, whose number is known, is one by a mask. */
void condition_take_known_bit(struct insn_operands *operands);
/*
 * A test of the lowest bit, after a shift by a register, is one of the bit that the register says: "bits & BIT(n)".
 * Returns the step that shifted, or @at.
 */
uint32_t condition_take_shifted_bit(const struct operand_way *way, uint32_t at, struct insn_operands *operands);

/* Fill in an operand's owner, as far as it can be found just before @step, which compares. 0; -ENOMEM. */
int condition_take_owner(const struct operand_way *way, const struct expression *expression, uint32_t step,
			 struct decision_operand *to);

/*
 * Name a constant by the variable of the source that it was in when it was compared: "timeo == 0". 0, also if there is
 * none; -ENOMEM.
 */
int condition_name_constant(const struct operand_way *way, const struct operand *place, uint32_t step,
			    struct decision_operand *to);

/* If operand a is memory of which one bit is tested, that may be a bit-field: @way is to look for one. */
void condition_note_tested_bit(const struct insn_operands *operands, enum condition condition, struct operand_way *way);

/* The same if it is a register that was loaded from there: @to gets that name in place of its own. 0; -ENOMEM. */
int condition_fill_loaded_bit(const struct operand_way *way, const struct insn_operands *operands,
			      enum condition condition, uint32_t step, struct decision_operand *to);

/* If operand a is the bit-field at the end of the bytes whose sign is tested, make it a test of that bit. */
void condition_take_sign_bit(struct decision_condition *condition);

/*
 * Add "S_IMMUTABLE", "(S_APPEND | S_IMMUTABLE)" for bits of "inode->i_flags". False: not all of them have names, and
 * nothing was added.
 */
bool condition_add_kernel_flags(struct strbuf *text, const char *name, uint64_t mask);
/*
 * Whether what @function names so, "nlh->nlmsg_flags", has the flags of a request that makes something; and their
 * names, as above.
 */
bool condition_has_new_request(const char *function, const char *name);
bool condition_add_new_request_flags(struct strbuf *text, uint64_t mask);
/* Whether what @function names so, "sk->__sk_common.skc_state", is one of TCP's states; and their names, or NULL. */
bool condition_has_socket_state(const char *function, const char *name);
const char *condition_socket_state(uint64_t value);

#endif
