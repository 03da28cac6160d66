/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conditions on results, as the user writes them: --return '-EINVAL,-ENOMEM', '<0', '!=0', and
 * --error-if 'GLOB: ret == 0'. Decided in BPF (bpf/result_rule.h, terms_hold()).
 */
#ifndef RETSNOOP_ASK_RESULT_EXPR_H
#define RETSNOOP_ASK_RESULT_EXPR_H

#include <stdbool.h>

#include "bpf/config.h"
#include "util/ask/spec.h"

struct result_expr {
	char *text;			/* as it was given; owned; NULL: none */
	struct config_terms terms;
};

/* --error-if: for functions matching the glob, only these results are errors. */
struct error_rule {
	struct spec_list funcs;		/* of one spec */
	struct result_expr expr;
};

/**
 * Parse terms with commas or || between them: an optional operator (== != < <= > >=; none means
 * ==) and a value, which is a number, -ERRNAME or NULL (0).
 *
 * @option	"--return", for messages, which point at the column
 * @return	0; -EINVAL (reported); -ENOMEM (reported)
 */
int result_expr_parse(const char *option, const char *text, struct result_expr *ret_expr);
void result_expr_release(struct result_expr *expr);

/* Parse "GLOB: ret OP VALUE [|| ret OP VALUE]..."; as above. */
int error_rule_parse(const char *text, struct error_rule *ret_rule);
void error_rule_release(struct error_rule *rule);

#endif
