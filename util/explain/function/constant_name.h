/* SPDX-License-Identifier: BSD-2-Clause */
/* Constants in code, named as in the source: capabilities, strings, variables. */
#ifndef RETSNOOP_EXPLAIN_FUNCTION_CONSTANT_NAME_H
#define RETSNOOP_EXPLAIN_FUNCTION_CONSTANT_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"

struct btf;
struct btf_param;
struct code_reader;

/*
 * Add the name of an address in the kernel: a string in quotes, or a variable, "&init_user_ns".
 * False: neither is known, and nothing was added.
 */
bool constant_address_add(struct code_reader *reader, uint64_t addr, bool is_text,
			  struct strbuf *text);

/* Add the name of the variable that begins at an address, "nr_cpu_ids"; nothing: not known. */
void variable_add(struct code_reader *reader, uint64_t addr, struct strbuf *text);

/* The name of a value of an enum; NULL: none or several have it. */
const char *enum_value_name(const struct btf *btf, uint32_t id, int64_t value);

/*
 * Add the name of a constant passed for a parameter. False: it is just a number, and nothing was
 * added.
 */
bool constant_add(struct code_reader *reader, const struct btf *btf, const struct btf_param *parameter,
		  int64_t value, struct strbuf *text);

#endif
