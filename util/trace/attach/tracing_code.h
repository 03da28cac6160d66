/* SPDX-License-Identifier: BSD-2-Clause */
/* Code that runs because functions are traced: this tool's own way to its programs, and others'. */
#ifndef RETSNOOP_TRACE_ATTACH_TRACING_CODE_H
#define RETSNOOP_TRACE_ATTACH_TRACING_CODE_H

#include <stdbool.h>

/* Whether a kernel function of that name does nothing but tracing. */
bool is_tracing_name(const char *symbol);

/* A BPF program, which is nobody's way to one, but may be a caller like any. */
bool is_bpf_program(const char *symbol, const char *module);

/* One of ours (bpf/retsnoop.bpf.c), or one of that name, which is for tracing, too. */
bool is_tracing_program(const char *symbol, const char *module);

/* The same as is_tracing_name(), and code that was made for it: trampolines and the like. */
bool is_tracing_code(const char *symbol, const char *module);

#endif
