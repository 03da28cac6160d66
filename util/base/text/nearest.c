// SPDX-License-Identifier: BSD-2-Clause
/* Edit distance (optimal string alignment) and the closest of several names. */
#include "util/base/text/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "util/base/cleanup.h"
#include "util/base/strbuf.h"

#define MAX_LEN 127

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned int min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int rows[3][MAX_LEN + 1];
	unsigned int *before = rows[0], *last = rows[1], *row = rows[2], *swap;
	size_t na = strlen(a), nb = strlen(b);

	if (na > MAX_LEN || nb > MAX_LEN)
		return UINT_MAX;
	for (size_t j = 0; j <= nb; j++)
		last[j] = j;
	for (size_t i = 1; i <= na; i++) {
		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			row[j] = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
			row[j] = min(row[j], min(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				row[j] = min(row[j], before[j - 2] + 1);
		}
		swap = before;
		before = last;
		last = row;
		row = swap;
	}
	return last[nb];
}

struct nearest nearest_start(const char *text)
{
	size_t edits = strlen(text) / 3;

	/* One edit in three letters is near; more make another word of it. */
	return (struct nearest){ .text = text, .distance = (edits > 1 ? edits : 1) + 1 };
}

void nearest_offer(struct nearest *near, const char *name)
{
	unsigned int edits = edit_distance(near->text, name), distance = edits;
	size_t len = strlen(near->text);
	bool closer;

	/* The beginning of a name is a good sign of what was meant. */
	if (len > 1 && !strncasecmp(near->text, name, len))
		distance = min(distance, 1);
	closer = distance < near->distance ||
		 (near->name && distance == near->distance && edits < near->edits);
	if (closer && distance < strlen(name)) {
		near->name = name;
		near->distance = distance;
		near->edits = edits;
	}
}

int nearest_report(const struct nearest *near, const char *otherwise, const char *fmt, ...)
{
	_cleanup_(strbuf_release) struct strbuf message = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&message, fmt, args);
	va_end(args);
	if (near->name)
		return report(-EINVAL, "%s; did you mean '%s'?", strbuf_str(&message), near->name);
	return report(-EINVAL, "%s; %s", strbuf_str(&message), otherwise);
}
