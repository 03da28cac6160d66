/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the checks of a diagnosis. For diagnosis*.c only. */
#ifndef RETSNOOP_TRACE_DOCTOR_DIAGNOSIS_INTERNAL_H
#define RETSNOOP_TRACE_DOCTOR_DIAGNOSIS_INTERNAL_H

#include <stdint.h>

#include "util/base/macros.h"
#include "util/trace/doctor/diagnosis.h"

/* Each adds the checks of a group. */
void diagnose_tracing(struct diagnosis *d, const struct machine *m, const struct trials *t);
void diagnose_attaching(struct diagnosis *d, const struct machine *m, const struct trials *t);
void diagnose_showing(struct diagnosis *d, const struct machine *m, const struct trials *t);

/* Add a check with its finding. The functions below add to the last check. */
void check_add(struct diagnosis *d, const char *group, const char *name, enum check_weight weight,
	       enum check_state state, const char *fmt, ...) _printf_(6, 7);
void check_effect(struct diagnosis *d, const char *fmt, ...) _printf_(2, 3);
void check_advise(struct diagnosis *d, const char *fmt, ...) _printf_(2, 3);
/* Add advice about needed capabilities, CAPABILITY()s: root may lack them too, or they may not be enough. */
void advise_capability(struct diagnosis *d, const struct machine *m, uint64_t needed);
/* Set `detail` of the last check: few users need it. */
void check_detail(struct diagnosis *d);
struct check *last_check(struct diagnosis *d);

/* Whether tracing programs load at all, so that trials mean something. */
bool bpf_loads(const struct trials *trials);

/* Whether an errno says that privileges are missing. */
bool is_refused(int err);

/* Whether the user is unprivileged: then checks that fail only for that reason are left out. */
bool lacks_privileges(const struct machine *m);

#endif
