// SPDX-License-Identifier: BSD-2-Clause
/* Conditions on results: parsing. */
#include "util/trace/result_expr.h"

#include <stdlib.h>

void result_expr_release(struct result_expr *expr)
{
	free(expr->text);
	expr->text = NULL;
}

void error_rule_release(struct error_rule *rule)
{
	spec_list_release(&rule->funcs);
	result_expr_release(&rule->expr);
}
