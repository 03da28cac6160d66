/* SPDX-License-Identifier: BSD-2-Clause */
/* Values as the source would write them, with their types; and the way on which they are looked for. */
#ifndef RETSNOOP_EXPLAIN_FUNCTION_EXPRESSION_H
#define RETSNOOP_EXPLAIN_FUNCTION_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/explain/function/function_code.h"

struct btf;
struct btf_param;
struct btf_type;
struct kernel_btf;
struct known_container;
struct path;
struct syscall_params;
struct union_member;

/* The object of which an expression is a member: of "path->dentry->d_flags", path->dentry. */
struct expression_owner {
	uint32_t len; /* of its text, with which the expression's begins; 0: none, or not known where it is */
	uint32_t type; /* of the object */
	/* Before this step of the way, which read the member, this register had the object's address + offset. */
	uint32_t step;
	uint8_t reg;
	int64_t offset;
};

/* A value as the source would write it: `path->mnt->mnt_root`, `get_fs_type()`. */
struct expression {
	struct strbuf text; /* empty: not known */
	const struct btf *btf; /* of type */
	uint32_t type; /* 0: not known */
	uint8_t bytes; /* of the value that a register has at most; 0: not known */
	/* Of a pointer: the offset added to it, in bytes. */
	int64_t offset;
	/* Of a pointer: a number of bytes was added, as often as the index says; 0: none was. */
	int64_t stride;
	struct strbuf index;
	/* What was added to a number at last, which so many bytes of the text say: " + 8". */
	int64_t addend;
	uint8_t addend_len;
	bool is_masked; /* some bits of it: "flags & 0x700000" */
	bool is_of_variable; /* bits of a variable that debug info names */
	bool is_negated; /* it is what the text is not, bit by bit: "~flags" */
	/* Of a part of a larger member, or place on the stack: its offset in bits. */
	uint32_t shift;
	uint8_t slot_bytes; /* of that place, if only a part was read; 0: all was, or it is elsewhere */
	bool is_constant;
	int64_t value; /* the constant */
	/* The call that returned it, unchanged since; 0: none. */
	uint64_t called, called_at;
	bool is_by_pointer; /* that call went through a pointer */
	bool is_variable; /* all of a variable that debug info names */
	bool is_global; /* all of a variable of the kernel, of which the size is known, and no type */
	bool is_computed; /* from several values: "(len >> 12)" */
	const struct known_container *entries; /* it points to the first entry of such a list; NULL: not known */
	bool is_bit; /* a bit-field, of which the way says which bit is tested */
	bool is_function; /* a pointer to a function, of a type that BTF does not name */
	struct expression_owner owner;
};

/* A way through a function, up to the place in question. */
struct operand_way {
	struct code_reader *reader;
	struct kernel_btf *btf; /* NULL: there is none */
	const struct code_function *function;
	const char *module; /* NULL for vmlinux */
	const struct path *path;
	/*
	 * Parameters in the struct pt_regs of a system call's function; NULL: not known, or
	 * another function.
	 */
	const struct syscall_params *syscall;
	const struct union_member *in_use; /* NULL: known of no union */
	const struct operand *tested; /* memory of which one bit alone is tested; NULL: none */
	uint32_t tested_bit;
	bool is_error; /* the value is compared with an error, in 32 bits */
};

/* Nothing is known; memory is kept. */
void expression_forget(struct expression *expression);
/* Put it in parentheses. */
void expression_enclose(struct expression *expression);
/*
 * Go from a pointer to a member behind it: "x" and ".y[2].z" are "x->y[2].z". Its type is left as it is. Of the owner,
 * which "x" is from now on, only the text is known.
 */
void expression_add_member(struct expression *expression, const char *path);
void expression_release(struct expression *expression);

static inline bool expression_is_known(const struct expression *expression)
{
	return expression->text.len;
}

/* Whether the expression is a pointer, as far as its type is known. */
bool expression_is_pointer(const struct expression *expression);
/* Whether it is a constant of which nothing was taken: where there is memory behind it, its address is value + offset. */
static inline bool expression_is_address(const struct expression *expression)
{
	return expression->is_constant && !expression->shift && !expression->is_masked && !expression->is_negated &&
	       !expression->stride;
}
/* Whether it is a signed number. */
bool expression_is_signed(const struct expression *expression);
bool expression_is_bool(const struct expression *expression);
/* Whether it is a number or an enum, whole, and not a constant. */
bool expression_is_number(const struct expression *expression);

/* It was a number: now it is some bits of that, or all of them negated. What was none is not known any more. */
void expression_mask(struct expression *expression, uint64_t mask);
void expression_negate(struct expression *expression);
/* It was a pointer, and its lower half is an error: "PTR_ERR(dentry)". False: it was none, and is as before. */
bool expression_take_error(struct expression *expression);

/*
 * A function's prototype by name, if all functions of that name have the same; else NULL. Also NULL if the
 * compiler changed its parameters.
 *
 * @addr	where it begins
 */
const struct btf_type *function_prototype(const struct operand_way *way, uint64_t addr, const char *name,
					  const char *module, const struct btf **ret_btf);
/* The parameter that is passed in a register; NULL: none, or not known. */
const struct btf_param *parameter_in(const struct btf *btf, const struct btf_type *proto,
				     uint8_t reg);
/*
 * The parameter that is passed on the stack, at an offset from the stack pointer where the function begins; NULL: none,
 * or not known.
 */
const struct btf_param *parameter_on_stack(const struct btf *btf, const struct btf_type *proto, int64_t offset);

#endif
