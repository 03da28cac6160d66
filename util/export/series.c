// SPDX-License-Identifier: BSD-2-Clause
/* A bounded table of label sets. */
#include "util/export/series.h"

#include <string.h>

#include "util/base/utf8.h"

void label_add(struct strbuf *labels, const char *name, const char *value)
{
	size_t len = value ? strlen(value) : 0;

	if (labels->len)
		strbuf_addch(labels, ',');
	strbuf_addf(labels, "%s=\"", name);
	for (size_t i = 0, size; i < len; i += size) {
		uint32_t character;

		size = utf8_decode(value + i, len - i, &character);
		if (!size) {
			strbuf_addstr(labels, "\uFFFD");
			size = 1;
		} else if (character == '\n') {
			strbuf_addstr(labels, "\\n");
		} else {
			if (character == '"' || character == '\\')
				strbuf_addch(labels, '\\');
			strbuf_add(labels, value + i, size);
		}
	}
	strbuf_addch(labels, '"');
}

/* NULL: there is no room. */
static struct series_row *find_row(struct series *series, const struct strbuf *labels)
{
	uint32_t *index = strmap_get(&series->by_labels, strbuf_str(labels));
	struct series_row row = {};

	if (index)
		return &series->rows.data[*index];
	if (series->rows.len >= series->max)
		return NULL;
	row.labels = strdup(strbuf_str(labels));
	if (!row.labels || vec_push(&series->rows, row)) {
		free(row.labels);
		return NULL;
	}
	if (!strmap_put(&series->by_labels, row.labels, series->rows.len - 1)) {
		series->rows.len--;
		free(row.labels);
		return NULL;
	}
	return &series->rows.data[series->rows.len - 1];
}

void series_add(struct series *series, const struct strbuf *labels, uint64_t count)
{
	struct series_row *row = labels->failed ? NULL : find_row(series, labels);

	*(row ? &row->count : &series->others) += count;
}

void series_release(struct series *series)
{
	vec_foreach(row, &series->rows)
		free(row->labels);
	vec_release(&series->rows);
	strmap_release(&series->by_labels);
}
