/* SPDX-License-Identifier: BSD-2-Clause */
/* The findings of `retsnoop doctor`, as text and as JSON, one object per check. */
#ifndef RETSNOOP_VIEW_LISTS_DOCTOR_VIEW_H
#define RETSNOOP_VIEW_LISTS_DOCTOR_VIEW_H

#include <stdbool.h>

#include "util/base/strbuf.h"
#include "util/trace/doctor/diagnosis.h"

struct doctor_view {
	int width;	/* columns of a line; 0 no limit */
	bool color;
	bool verbose;	/* show details, too */
};

/* Append all findings. */
void doctor_view_text(struct strbuf *text, const struct doctor_view *view,
		      const struct machine *machine, const struct diagnosis *diagnosis);
void doctor_view_json(struct strbuf *text, const struct machine *machine,
		      const struct diagnosis *diagnosis);

#endif
