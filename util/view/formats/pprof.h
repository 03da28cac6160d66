/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sessions as a profile for pprof: profile.proto of github.com/google/pprof, compressed with gzip.
 * Samples have two values, failures and nanoseconds of the entry call, and labels.
 */
#ifndef RETSNOOP_VIEW_FORMATS_PPROF_H
#define RETSNOOP_VIEW_FORMATS_PPROF_H

struct view;
struct view_context;

/* Sessions with the same stack and labels are one sample, written at the end. NULL: out of memory. */
struct view *view_pprof_new(const struct view_context *context);

#endif
