/* SPDX-License-Identifier: BSD-2-Clause */
/* What `retsnoop doctor` found, as text for people and as JSON, one object a check. */
#ifndef RETSNOOP_VIEW_LISTS_DOCTOR_H
#define RETSNOOP_VIEW_LISTS_DOCTOR_H

#include <stdbool.h>

#include "util/base/strbuf.h"
#include "util/trace/doctor/diagnosis.h"

struct doctor_view {
	int width;	/* columns a line may have; 0 no limit */
	bool color;
	bool verbose;	/* details, too */
};

/* Append all of it. */
void doctor_view_text(struct strbuf *text, const struct doctor_view *view,
		      const struct machine *machine, const struct diagnosis *diagnosis);
void doctor_view_json(struct strbuf *text, const struct doctor_view *view,
		      const struct machine *machine, const struct diagnosis *diagnosis);

#endif
