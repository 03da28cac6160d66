/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls through pointers: the register with the address of the function. */
#ifndef RETSNOOP_WHY_POINTER_CALL_H
#define RETSNOOP_WHY_POINTER_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "util/explain/function/function_code.h"

struct symbols;

/*
 * The register that a call goes through, directly or by the register's thunk (retpolines). -1:
 * none, or not known.
 */
int pointer_call_register(struct code_reader *reader, const struct symbols *symbols, uint64_t call);

/* A register's value in a struct pt_regs kept by a probe. False: it is not in there. */
bool pointer_call_value(const uint8_t *regs, uint32_t size, int reg, uint64_t *ret_value);

#endif
