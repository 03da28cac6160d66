/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts by label set, in a table of bounded size: what finds no room is counted together. Counts
 * only grow, and no label set is ever taken out, as counters of Prometheus need it.
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

/* Zeroed but for max to begin with. */
struct series {
	size_t max;		/* label sets */
	VEC(struct series_row) rows;	/* in the order in which they were first counted */
	struct strmap by_labels;	/* index into rows */
	uint64_t others;	/* of all other label sets */
};

/**
 * Append a label: NAME="VALUE", after a comma if there are others.
 *
 * @value	any bytes: what is not UTF-8 becomes U+FFFD; NULL is empty
 */
void label_add(struct strbuf *labels, const char *name, const char *value);

/* Count. Of a label set that there is no room for, or no memory, the others are counted. */
void series_add(struct series *series, const struct strbuf *labels, uint64_t count);
void series_release(struct series *series);

#endif
