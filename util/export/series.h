/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts by label set, in a table of bounded size. Label sets without room are counted together.
 * Counts only grow, and no label set is removed, as Prometheus's counters require.
 */
#ifndef RETSNOOP_EXPORT_SERIES_H
#define RETSNOOP_EXPORT_SERIES_H

#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/strmap.h"
#include "util/base/vec.h"

struct series_row {
	char *labels;		/* as label_add() makes them; owned */
	uint64_t count;
};

/* Starts zeroed, except for max. */
struct series {
	size_t max;		/* label sets */
	VEC(struct series_row) rows;	/* in the order in which they were first counted */
	struct strmap by_labels;	/* index into rows */
	uint64_t others;	/* of all other label sets */
};

/**
 * Append a label: NAME="VALUE", after a comma if there are others.
 *
 * @value	any bytes: invalid UTF-8 becomes U+FFFD; NULL is empty
 */
void label_add(struct strbuf *labels, const char *name, const char *value);

/* Add to a count. Without room or memory for the label set, `others` is increased. */
void series_add(struct series *series, const struct strbuf *labels, uint64_t count);
void series_release(struct series *series);

#endif
