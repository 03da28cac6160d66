// SPDX-License-Identifier: BSD-2-Clause
/*
 * Similarity of names: first names that differ only in case, then names with a few characters
 * more, then names a few edits apart. Most names are ruled out by their length or their letters
 * before any edits are counted.
 */
#include "util/plan/match/similar_names.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/glob.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/plan/match/match.h"

#define MAX_NAME 128
#define MAX_EDITS 4

/* A bit for each letter and digit in the text. '_' is in nearly all names, and '*' is no letter. */
static uint64_t letters_of(const char *s)
{
	uint64_t set = 0;

	for (; *s; s++)
		set |= *s == '_' || *s == '*' || *s == '?' ?
			       0 :
			       1ull << (tolower((unsigned char)*s) & 63);
	return set;
}

/*
 * The number of edits (insert, delete, replace, swap two) between a glob and a name; any number
 * above @max if there are more. Characters matched by `*` and `?` are no edits.
 */
static unsigned int count_edits(const char *a, size_t la, const char *b, size_t lb,
				unsigned int max)
{
	unsigned int rows[3][MAX_NAME + 1];
	unsigned int *before = rows[0], *last = rows[1], *now = rows[2];

	for (size_t j = 0; j <= lb; j++)
		last[j] = j;
	for (size_t i = 1; i <= la; i++) {
		bool star = a[i - 1] == '*', any = star || a[i - 1] == '?';
		unsigned int least = now[0] = last[0] + !star, *spare = before;

		for (size_t j = 1; j <= lb; j++) {
			unsigned int cost = last[j - 1] + (!any && a[i - 1] != b[j - 1]);

			if (last[j] + !star < cost)
				cost = last[j] + !star;
			if (now[j - 1] + !star < cost)
				cost = now[j - 1] + !star;
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

/* Keep the @max best, best first; of equal candidates, the first one. */
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

/* The text that similar names are searched for. */
struct wanted {
	const char *text;
	size_t len, literals;	/* literals: without `*` and `?` */
	uint64_t set;
	unsigned int limit;	/* edits at most */
	bool glob;
};

#define NOT_NEAR UINT_MAX

/* The distance between a name and the text, if that is a full name. */
static unsigned int distance_to_name(const struct wanted *wanted, const char *name, size_t len)
{
	size_t apart = len > wanted->len ? len - wanted->len : wanted->len - len;
	unsigned int edits;

	/* A variant of this function made by the compiler. */
	if (len > wanted->len && !strncmp(name, wanted->text, wanted->len) &&
	    name[wanted->len] == '.')
		return 1;
	/*
	 * A name that contains the text is similar only if it is not much longer: many names
	 * contain a short word.
	 */
	if (len >= wanted->len && apart * 2 <= wanted->len && strcasestr(name, wanted->text))
		return apart * 2;
	/* One edit changes at most two letters of the set. */
	if (apart > wanted->limit ||
	    (unsigned int)__builtin_popcountll(letters_of(name) ^ wanted->set) > wanted->limit * 2)
		return NOT_NEAR;
	edits = count_edits(wanted->text, wanted->len, name, len, wanted->limit);
	return edits > wanted->limit ? NOT_NEAR : edits * 10;
}

/* The same if the text is a glob: of names with equally many edits, the shortest is nearest. */
static unsigned int distance_to_glob(const struct wanted *wanted, const char *name, size_t len)
{
	unsigned int edits;

	if (len + wanted->limit < wanted->literals ||
	    (unsigned int)__builtin_popcountll(wanted->set & ~letters_of(name)) > wanted->limit)
		return NOT_NEAR;
	edits = count_edits(wanted->text, wanted->len, name, len, wanted->limit);
	return edits > wanted->limit ? NOT_NEAR : edits * MAX_NAME * 2 + len;
}

/* An entry function of a system call is also known as "sys_NAME" and as "NAME". */
static unsigned int distance_to_syscall(const struct wanted *wanted, const char *name)
{
	const char *syscall = syscall_of_entry(name);
	unsigned int distance, best;

	if (!syscall)
		return NOT_NEAR;
	if (!wanted->glob && syscall_entry_matches(name, wanted->text))
		return 0;
	best = distance_to_name(wanted, syscall, strlen(syscall));
	syscall -= strlen("sys_");
	distance = distance_to_name(wanted, syscall, strlen(syscall));
	return distance < best ? distance : best;
}

/* A penalty for names that people seldom use for a function. */
static unsigned int name_penalty(const char *name, unsigned int distance)
{
	if (strchr(name, '.') && distance > 1)
		return 15;
	return startswith(name, "__do_sys_") || startswith(name, "__se_sys_") ||
			       startswith(name, "__ia32_") || strstr(name, "_compat_sys_") ?
		       5 :
		       0;
}

static struct wanted wanted_of(const char *text)
{
	struct wanted wanted = { .text = text, .len = strlen(text), .glob = is_glob(text) };

	for (const char *s = text; *s; s++)
		wanted.literals += *s != '*' && *s != '?';
	wanted.set = letters_of(text);
	/* One edit per four letters; names with more are not similar. Fewer with a glob. */
	wanted.limit = wanted.literals / (wanted.glob ? 6 : 4);
	if (wanted.limit > MAX_EDITS)
		wanted.limit = MAX_EDITS;
	return wanted;
}

size_t nearest_names(const struct symbol *symbols, size_t nr, const char *text,
		     const char *ret_names[], size_t max)
{
	const struct wanted wanted = wanted_of(text);
	struct candidate best[16];
	size_t found = 0;

	if (max > ARRAY_SIZE(best))
		max = ARRAY_SIZE(best);
	if (wanted.literals < 2 || wanted.len > MAX_NAME || !max)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		const char *name = symbols[i].name;
		size_t len = strlen(name);
		unsigned int distance, as_syscall;

		if (len > MAX_NAME || !is_function_symbol(&symbols[i]))
			continue;
		distance = wanted.glob ? distance_to_glob(&wanted, name, len) :
					 distance_to_name(&wanted, name, len);
		as_syscall = wanted.glob ? NOT_NEAR : distance_to_syscall(&wanted, name);
		if (as_syscall < distance)
			distance = as_syscall;
		if (distance == NOT_NEAR)
			continue;
		distance += name_penalty(name, distance);
		if (found == max && distance >= best[found - 1].distance)
			continue;
		found = keep_best(best, found, max, (struct candidate){ distance, name });
	}
	for (size_t i = 0; i < found; i++)
		ret_names[i] = best[i].name;
	return found;
}

bool names_syscall(const struct symbol *symbols, size_t nr, const char *name)
{
	return !is_glob(name) &&
	       find_first(symbol, symbols, nr, syscall_entry_matches(symbol->name, name));
}

bool offer_syscalls(const struct symbol *symbols, size_t nr, struct nearest *near)
{
	bool known = false;

	for (size_t i = 0; i < nr; i++) {
		const char *syscall = syscall_of_entry(symbols[i].name);

		if (!syscall)
			continue;
		nearest_offer(near, syscall);
		known = true;
	}
	return known;
}
