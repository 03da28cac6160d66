// SPDX-License-Identifier: BSD-2-Clause
/* Finds names in a print fmt, and their values among all enumerators, which are read once. */
#include "util/kernel/tracepoints/print_enums.h"

#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/strmap.h"
#include "util/base/text/scan.h"
#include "util/base/vec.h"
#include "util/kernel/types/btf_types.h"

struct enumerator {
	int64_t value;
	bool ambiguous;
};

struct print_enums {
	const struct btf *types;
	bool read;
	VEC(struct enumerator) v;
	struct strmap by_name;	/* to the index in v; names are those of BTF */
};

/* The end of a string or character that begins at @at. */
static const char *skip_quoted(const char *at)
{
	char quote = *at++;

	while (*at && *at != quote)
		at += *at == '\\' && at[1] ? 2 : 1;
	return *at ? at + 1 : at;
}

/* What is before a name decides what it is. */
struct place {
	char before;	/* the last character that is no blank */
	bool arrow;	/* "->" */
};

static bool may_be_enumerator(const struct place *place, const char *name, size_t len)
{
	const char *after = name + len + strspn(name + len, " \t");

	if (place->arrow || place->before == '.' || *after == '(' || (len == 3 && !memcmp(name, "REC", 3)))
		return false;
	return place->before == '{' || !find_first(c, name, len, islower((unsigned char)*c));
}

/* The next name that may be one, at or after @at; NULL: none. *place: as it was before @at. */
static const char *next_name(const char *at, struct place *place, size_t *ret_len)
{
	while (*at) {
		size_t len = 1;

		if (*at == '"' || *at == '\'') {
			len = skip_quoted(at) - at;
		} else if (scan_is_word(*at)) {
			while (scan_is_word(at[len]))
				len++;
			if (!isdigit((unsigned char)*at) && may_be_enumerator(place, at, len)) {
				*ret_len = len;
				return at;
			}
		}
		if (!isspace((unsigned char)*at)) {
			place->arrow = *at == '>' && place->before == '-';
			place->before = at[len - 1];
		}
		at += len;
	}
	return NULL;
}

static int note_value(struct print_enums *enums, const char *name, int64_t value)
{
	uint32_t *index = strmap_put(&enums->by_name, name, enums->v.len);

	if (!index)
		return -ENOMEM;
	if (*index == enums->v.len)
		return vec_push(&enums->v, (struct enumerator){ .value = value });
	enums->v.data[*index].ambiguous |= enums->v.data[*index].value != value;
	return 0;
}

static int read_enum(struct print_enums *enums, const struct btf_type *type)
{
	int err = 0;

	for (int i = 0; btf_is_enum(type) && !err && i < btf_vlen(type); i++) {
		const struct btf_enum *e = btf_enum(type) + i;

		/* The sign is not in BTF before pahole 1.24; with it, values are the same. */
		err = note_value(enums, btf_name(enums->types, e->name_off), e->val);
	}
	for (int i = 0; btf_is_enum64(type) && !err && i < btf_vlen(type); i++) {
		const struct btf_enum64 *e = btf_enum64(type) + i;

		err = note_value(enums, btf_name(enums->types, e->name_off), (int64_t)btf_enum64_value(e));
	}
	return err;
}

static const struct enumerator *find_enumerator(struct print_enums *enums, const char *name, size_t len)
{
	_cleanup_(free_p) char *key = strndup(name, len);
	const uint32_t *index;
	int err = 0;

	for (uint32_t id = 1; !enums->read && !err && id < btf__type_cnt(enums->types); id++)
		err = read_enum(enums, btf__type_by_id(enums->types, id));
	enums->read = true;
	index = key && !err ? strmap_get(&enums->by_name, key) : NULL;
	return index && !enums->v.data[*index].ambiguous ? enums->v.data + *index : NULL;
}

char *print_enums_resolve(struct print_enums *enums, const char *format)
{
	static const char header[] = "\nprint fmt:";
	const char *at = strstr(format, header), *copied = format, *name;
	struct strbuf sb = STRBUF_INIT;
	struct place place = {};
	size_t len;

	for (; at && (name = next_name(at, &place, &len)); at = name + len) {
		const struct enumerator *enumerator = find_enumerator(enums, name, len);

		place = (struct place){ .before = name[len - 1] };
		if (!enumerator)
			continue;
		strbuf_add(&sb, copied, name - copied);
		strbuf_addf(&sb, enumerator->value < 0 ? "(%" PRId64 ")" : "%" PRId64, enumerator->value);
		copied = name + len;
	}
	strbuf_addstr(&sb, copied);
	if (copied == format || sb.failed) {
		strbuf_release(&sb);
		return NULL;
	}
	return sb.s;
}

struct print_enums *print_enums_new(const struct btf *types)
{
	struct print_enums *enums = types ? calloc(1, sizeof(*enums)) : NULL;

	if (enums)
		enums->types = types;
	return enums;
}

void print_enums_free(struct print_enums *enums)
{
	if (!enums)
		return;
	vec_release(&enums->v);
	strmap_release(&enums->by_name);
	free(enums);
}
