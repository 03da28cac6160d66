/* SPDX-License-Identifier: BSD-2-Clause */
/* The answer about a failed call, as text and as JSON. */
#ifndef RETSNOOP_WHY_ANSWER_H
#define RETSNOOP_WHY_ANSWER_H

#include <stdbool.h>

#include "util/base/strbuf.h"
#include "util/why/why.h"

struct source_text;

struct answer_options {
	struct source_text *source;	/* lines to show; NULL none */
	bool color;
	bool verbose;			/* -v: show the evidence too */
};

/* 0; -ENOMEM (reported). */
int answer_text(struct why *why, const struct answer_options *options, struct strbuf *text);
int answer_json(struct why *why, const struct answer_options *options, struct strbuf *text);

/* Whether the answer names a branch or another place, likely or certain. */
bool answer_is_known(const struct why *why);

#endif
