// SPDX-License-Identifier: BSD-2-Clause
/* Names of branch types. */
#include "util/ask/branch_types.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/text/nearest.h"

static const struct {
	const char *name;
	uint64_t bit;
} names[] = {
	{ "any_return", PERF_SAMPLE_BRANCH_ANY_RETURN },
	{ "any", PERF_SAMPLE_BRANCH_ANY },
	{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "cond", PERF_SAMPLE_BRANCH_COND },
	{ "call", PERF_SAMPLE_BRANCH_CALL },
	{ "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
	{ "ind_jump", PERF_SAMPLE_BRANCH_IND_JUMP },
	{ "call_stack", PERF_SAMPLE_BRANCH_CALL_STACK },
	{ "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
	{ "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
	{ "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
};

const char *branch_types_name(size_t nr)
{
	return nr < ARRAY_SIZE(names) ? names[nr].name : NULL;
}

/* The kernel adds nothing to a mask without one of these: it would be of privilege levels only. */
#define LEVELS                                                                                     \
	((uint64_t)PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV)

/* A mask as a number, as in perf_event.h. */
static int parse_raw(const char *text, uint64_t *ret_types)
{
	uint64_t types;
	char *end;

	errno = 0;
	types = strtoull(text, &end, 0);
	if (errno || *end || !(types & ~LEVELS))
		return report(-EINVAL, "--lbr: '%s' is no mask of branch types; --lbr=0x8 is any",
			      text);
	*ret_types = types;
	return 0;
}

static int parse_name(const char *text, uint64_t *ret_types)
{
	struct nearest near = nearest_start(text);

	if (isdigit((unsigned char)*text))
		return parse_raw(text, ret_types);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		nearest_offer(&near, names[i].name);
		if (!strcmp(text, names[i].name)) {
			*ret_types = names[i].bit;
			return 0;
		}
	}
	return nearest_report(&near, "--help-all lists them", "--lbr: unknown branch type '%s'", text);
}

int branch_types_parse(const char *spec, uint64_t *types)
{
	_cleanup_(free_p) char *copy = strdup(spec);
	char *rest = copy, *name;
	uint64_t all = 0, one = 0;
	int err;

	if (!copy)
		return report_oom();
	while ((name = strsep(&rest, ","))) {
		err = parse_name(name, &one);
		if (err)
			return err;
		all |= one;
	}
	*types |= all;
	return 0;
}

uint64_t branch_types_settle(uint64_t types)
{
	const uint64_t conditions = PERF_SAMPLE_BRANCH_IN_TX | PERF_SAMPLE_BRANCH_NO_TX;

	if (!types)
		return DEFAULT_BRANCH_TYPES;
	return types & ~conditions ? types : types | PERF_SAMPLE_BRANCH_ANY;
}

void branch_types_add(struct strbuf *text, uint64_t types)
{
	const char *comma = "";

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (types & names[i].bit) {
			strbuf_addf(text, "%s%s", comma, names[i].name);
			types &= ~names[i].bit;
			comma = ",";
		}
	}
	if (types)
		strbuf_addf(text, "%s0x%" PRIx64, comma, types);
}
