// SPDX-License-Identifier: BSD-2-Clause
/*
 * Likeness of names: the same but for case, then one within the other, then few edits apart.
 * Most names are ruled out by their length or their letters before any edits are counted.
 */
#include "util/trace/plan/similar_names.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/trace/plan/match.h"

#define MAX_NAME 128

/* A bit for each letter and digit in it; '_' is everywhere and says nothing. */
static uint64_t letters_of(const char *s)
{
	uint64_t set = 0;

	for (; *s; s++)
		set |= *s == '_' ? 0 : 1ull << (tolower((unsigned char)*s) & 63);
	return set;
}

/* Edits (put in, take out, replace, swap two) between two names, or more than @max. */
static unsigned int count_edits(const char *a, size_t la, const char *b, size_t lb,
				unsigned int max)
{
	unsigned int rows[3][MAX_NAME + 1];
	unsigned int *before = rows[0], *last = rows[1], *now = rows[2];

	for (size_t j = 0; j <= lb; j++)
		last[j] = j;
	for (size_t i = 1; i <= la; i++) {
		unsigned int least = now[0] = i, *spare = before;

		for (size_t j = 1; j <= lb; j++) {
			unsigned int cost = last[j - 1] + (a[i - 1] != b[j - 1]);

			if (last[j] + 1 < cost)
				cost = last[j] + 1;
			if (now[j - 1] + 1 < cost)
				cost = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < cost)
				cost = before[j - 2] + 1;
			now[j] = cost;
			if (cost < least)
				least = cost;
		}
		if (least > max)
			return max + 1;
		before = last;
		last = now;
		now = spare;
	}
	return last[lb];
}

struct candidate {
	unsigned int distance;
	const char *name;
};

/* Keep the @max best, best first; of equals the one that came first. */
static size_t keep_best(struct candidate *best, size_t nr, size_t max, struct candidate c)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!strcmp(best[i].name, c.name))
			return nr;
	}
	for (i = nr; i > 0 && best[i - 1].distance > c.distance; i--) {
		if (i < max)
			best[i] = best[i - 1];
	}
	if (i < max)
		best[i] = c;
	return nr < max ? nr + 1 : max;
}

size_t nearest_names(const struct symbol *symbols, size_t nr, const char *wanted,
		     const char *ret_names[], size_t max)
{
	struct candidate best[16];
	char text[MAX_NAME + 1];
	size_t len = 0, found = 0;
	unsigned int limit;
	uint64_t set;

	for (; *wanted && len < MAX_NAME; wanted++) {
		if (*wanted != '*' && *wanted != '?')
			text[len++] = *wanted;
	}
	text[len] = '\0';
	if (max > ARRAY_SIZE(best))
		max = ARRAY_SIZE(best);
	if (len < 2 || !max)
		return 0;
	set = letters_of(text);
	limit = len / 3 < 1 ? 1 : len / 3 > 6 ? 6 : len / 3;

	for (size_t i = 0; i < nr; i++) {
		const char *name = symbols[i].name;
		size_t length = strlen(name);
		unsigned int distance;

		if (length > MAX_NAME || !is_function_symbol(&symbols[i]))
			continue;
		if (!strncmp(name, text, len) && name[len] == '.') {
			/* What the compiler made of the very function. */
			distance = 1;
		} else if (strcasestr(name, text)) {
			/* "sys_foo" is most likely meant for "__x64_sys_foo": less added, better. */
			distance = (length - len) * 2;
			distance = distance < 90 ? distance : 90;
		} else {
			size_t apart = length > len ? length - len : len - length;

			/* An edit changes at most two letters of the set. */
			if (apart > limit ||
			    (unsigned int)__builtin_popcountll(letters_of(name) ^ set) > limit * 2)
				continue;
			distance = count_edits(text, len, name, length, limit);
			if (distance > limit)
				continue;
			distance *= 10;
		}
		/* What nobody calls by that name. */
		if (strchr(name, '.') && distance > 1)
			distance += 15;
		else if (startswith(name, "__do_sys_") || startswith(name, "__se_sys_") ||
			 startswith(name, "__ia32_sys_"))
			distance += 5;
		if (found == max && distance >= best[found - 1].distance)
			continue;
		found = keep_best(best, found, max, (struct candidate){ distance, name });
	}
	for (size_t i = 0; i < found; i++)
		ret_names[i] = best[i].name;
	return found;
}
