/* SPDX-License-Identifier: BSD-2-Clause */
/* Code that runs because functions are traced, by retsnoop or by others. */
#ifndef RETSNOOP_TRACE_ATTACH_TRACING_CODE_H
#define RETSNOOP_TRACE_ATTACH_TRACING_CODE_H

#include <stdbool.h>

/* Whether a kernel function of that name does nothing but tracing. */
bool is_tracing_name(const char *symbol);

/* Any BPF program: not by itself tracing code, it may be an ordinary caller. */
bool is_bpf_program(const char *symbol, const char *module);

/* A program of retsnoop (bpf/retsnoop.bpf.c), or another with that name, which traces too. */
bool is_tracing_program(const char *symbol, const char *module);

/* As is_tracing_name(), and code generated for tracing: trampolines and the like. */
bool is_tracing_code(const char *symbol, const char *module);

#endif
