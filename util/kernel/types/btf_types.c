// SPDX-License-Identifier: BSD-2-Clause
/* Types of a BTF. */
#include "util/kernel/types/btf_types.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "util/base/text/scan.h"

const struct btf_type *btf_underneath_id(const struct btf *btf, uint32_t id, uint32_t *ret_id)
{
	/* Broken BTF could go round in circles. */
	for (int i = 0; i < BTF_MAX_CHAIN; i++) {
		const struct btf_type *type = id ? btf__type_by_id(btf, id) : NULL;

		if (!type || !(btf_is_mod(type) || btf_is_typedef(type))) {
			*ret_id = type ? id : 0;
			return type;
		}
		id = type->type;
	}
	*ret_id = 0;
	return NULL;
}

const struct btf_type *btf_underneath(const struct btf *btf, uint32_t id)
{
	uint32_t unused;

	return btf_underneath_id(btf, id, &unused);
}

const char *btf_name(const struct btf *btf, uint32_t name_off)
{
	return btf__name_by_offset(btf, name_off) ?: "";
}

const char *btf_type_name(const struct btf *btf, const struct btf_type *type)
{
	return btf_name(btf, type->name_off);
}

int64_t btf_size_of(const struct btf *btf, uint32_t id)
{
	uint64_t times = 1, size;

	for (int i = 0; i < BTF_MAX_CHAIN; i++) {
		const struct btf_type *type = btf_underneath(btf, id);

		if (!type)
			return -1;
		if (btf_is_array(type)) {
			times *= btf_array(type)->nelems;
			if (times > UINT32_MAX)
				return -1;
			id = btf_array(type)->type;
			continue;
		}
		if (btf_is_ptr(type))
			size = sizeof(uint64_t);
		else if (btf_is_int(type) || btf_is_any_enum(type) || btf_is_composite(type) ||
			 btf_is_float(type))
			size = type->size;
		else
			return -1;
		size *= times;
		return size > UINT32_MAX ? -1 : (int64_t)size;
	}
	return -1;
}

/* The type of an array's elements, whatever the number of dimensions. */
static const struct btf_type *element_type(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_underneath(btf, id);

	for (int i = 0; i < BTF_MAX_NESTING && type && btf_is_array(type); i++)
		type = btf_underneath(btf, btf_array(type)->type);
	return type;
}

/* Limit of the members visited for one question: nested structs that repeat would take long. */
#define MAX_LOOKS 20000

static uint32_t align_of(const struct btf *btf, uint32_t id, int depth, int *looks)
{
	const struct btf_type *type = element_type(btf, id);
	uint32_t align = 1;

	if (!type || depth > BTF_MAX_NESTING)
		return 1;
	if (btf_is_ptr(type))
		return sizeof(uint64_t);
	if (btf_is_int(type) || btf_is_any_enum(type) || btf_is_float(type))
		return type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8 ||
		       type->size == 16 ? type->size : 1;
	if (!btf_is_composite(type))
		return 1;
	for (int i = 0; i < btf_vlen(type) && --*looks > 0; i++) {
		struct btf_place place = btf_member_place(btf, type, i);
		uint32_t own = align_of(btf, place.type, depth + 1, looks);

		/* One that stands elsewhere says that alignment was given up. */
		if (!place.bits && place.bit_offset % (8 * own))
			return 1;
		if (own > align)
			align = own;
	}
	return type->size % align ? 1 : align;
}

uint32_t btf_natural_align(const struct btf *btf, uint32_t id)
{
	int looks = MAX_LOOKS;

	return align_of(btf, id, 0, &looks);
}

bool btf_has_unaligned(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = element_type(btf, id);
	int looks = MAX_LOOKS;

	if (!type || !btf_is_composite(type))
		return false;
	for (int i = 0; i < btf_vlen(type); i++) {
		struct btf_place place = btf_member_place(btf, type, i);

		if (!place.bits &&
		    place.bit_offset % (8 * align_of(btf, place.type, 0, &looks)))
			return true;
	}
	return false;
}

static bool has_float(const struct btf *btf, uint32_t id, int depth, int *looks)
{
	const struct btf_type *type = element_type(btf, id);

	if (!type || depth > BTF_MAX_NESTING)
		return false;
	if (!btf_is_composite(type))
		return btf_is_float(type);
	for (int i = 0; i < btf_vlen(type) && --*looks > 0; i++) {
		if (has_float(btf, btf_members(type)[i].type, depth + 1, looks))
			return true;
	}
	return false;
}

bool btf_has_float(const struct btf *btf, uint32_t id)
{
	int looks = MAX_LOOKS;

	return has_float(btf, id, 0, &looks);
}

bool btf_is_char(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_underneath(btf, id);

	return type && btf_is_int(type) && type->size == 1 &&
	       !strcmp(btf_type_name(btf, type), "char");
}

bool btf_is_unsigned_char(const struct btf *btf, uint32_t id)
{
	for (int i = 0; i < BTF_MAX_CHAIN; i++) {
		const struct btf_type *type = id ? btf__type_by_id(btf, id) : NULL;

		if (!type)
			return false;
		if (!btf_is_mod(type))
			return btf_is_int(type) && type->size == 1 &&
			       !strcmp(btf_type_name(btf, type), "unsigned char");
		id = type->type;
	}
	return false;
}

uint32_t btf_whole_type(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = id ? btf_underneath(btf, id) : NULL;
	int32_t whole = type && btf_is_fwd(type) && !btf_kflag(type) ?
				btf__find_by_name_kind(btf, btf_type_name(btf, type),
						       BTF_KIND_STRUCT) : 0;

	return whole > 0 ? (uint32_t)whole : id;
}

uint32_t btf_pointer_to(const struct btf *btf, uint32_t id)
{
	uint32_t other = 0, underneath;

	for (uint32_t i = 1; i < btf__type_cnt(btf); i++) {
		const struct btf_type *type = btf__type_by_id(btf, i);

		if (!btf_is_ptr(type))
			continue;
		if (type->type == id)
			return i;
		if (!other && btf_underneath_id(btf, type->type, &underneath) && underneath == id)
			other = i;
	}
	return other;
}

uint32_t btf_pointee(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_underneath(btf, id);

	return type && btf_is_ptr(type) ? type->type : 0;
}

/*
 * Whether a modifier of that kind is among the names and qualifiers of @id; @name NULL: any name.
 */
static bool has_modifier(const struct btf *btf, uint32_t id, uint32_t kind, const char *name)
{
	for (int i = 0; i < BTF_MAX_CHAIN; i++) {
		const struct btf_type *type = id ? btf__type_by_id(btf, id) : NULL;

		if (!type || !(btf_is_mod(type) || btf_is_typedef(type)))
			return false;
		if (btf_kind(type) == kind && (!name || !strcmp(btf_type_name(btf, type), name)))
			return true;
		id = type->type;
	}
	return false;
}

bool btf_has_tag(const struct btf *btf, uint32_t id, const char *tag)
{
	return has_modifier(btf, id, BTF_KIND_TYPE_TAG, tag);
}

bool btf_is_constant(const struct btf *btf, uint32_t id)
{
	return has_modifier(btf, id, BTF_KIND_CONST, NULL);
}

/* Structs of up to 8 bytes (kuid_t) are passed as numbers are. */
static bool is_plain(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_underneath(btf, id);
	int64_t size = btf_size_of(btf, id);

	if (!type || size <= 0 || size > 8)
		return false;
	return btf_is_int(type) || btf_is_ptr(type) || btf_is_any_enum(type) ||
	       (btf_is_composite(type) && !btf_has_unaligned(btf, id) && !btf_has_float(btf, id));
}

bool btf_params_are_plain(const struct btf *btf, const struct btf_type *proto, uint32_t nr)
{
	const struct btf_type *result = btf_underneath(btf, proto->type);

	/* The address for a struct that is not returned in registers takes the first one. */
	if (result && btf_is_composite(result) &&
	    (btf_size_of(btf, proto->type) > 16 || btf_has_unaligned(btf, proto->type)))
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		if (!is_plain(btf, btf_params(proto)[i].type))
			return false;
	}
	return true;
}

struct btf_place btf_member_place(const struct btf *btf, const struct btf_type *type, uint32_t i)
{
	const struct btf_member *member = &btf_members(type)[i];
	struct btf_place place = {
		.type = member->type,
		.bit_offset = btf_member_bit_offset(type, i),
		.bits = btf_member_bitfield_size(type, i),
	};
	const struct btf_type *of;

	if (btf_kflag(type))
		return place;
	/* Before struct types had a flag for it, bitfields were of integer types of their own. */
	of = btf_underneath(btf, member->type);
	if (of && btf_is_int(of) && (btf_int_offset(of) || btf_int_bits(of) != of->size * 8)) {
		place.bit_offset += btf_int_offset(of);
		place.bits = btf_int_bits(of);
	}
	return place;
}

static bool find_member(const struct btf *btf, uint32_t id, const char *name, int depth,
			int *looks, struct btf_place *ret_place)
{
	const struct btf_type *type = btf_underneath(btf, id);

	if (!type || !btf_is_composite(type) || depth > BTF_MAX_NESTING)
		return false;
	for (int i = 0; i < btf_vlen(type) && --*looks > 0; i++) {
		struct btf_place place = btf_member_place(btf, type, i), inside;
		const char *own = btf_name(btf, btf_members(type)[i].name_off);

		if (*own && !strcmp(own, name)) {
			*ret_place = place;
			return true;
		}
		if (!*own && find_member(btf, place.type, name, depth + 1, looks, &inside)) {
			inside.bit_offset += place.bit_offset;
			*ret_place = inside;
			return true;
		}
	}
	return false;
}

bool btf_find_member(const struct btf *btf, uint32_t id, const char *name,
		     struct btf_place *ret_place)
{
	int looks = MAX_LOOKS;

	return find_member(btf, id, name, 0, &looks, ret_place);
}

static void each_member(const struct btf *btf, uint32_t id, int depth, int *looks,
			void (*each)(void *arg, const char *name), void *arg)
{
	const struct btf_type *type = btf_underneath(btf, id);

	if (!type || !btf_is_composite(type) || depth > BTF_MAX_NESTING)
		return;
	for (int i = 0; i < btf_vlen(type) && --*looks > 0; i++) {
		const char *own = btf_name(btf, btf_members(type)[i].name_off);

		if (*own)
			each(arg, own);
		else
			each_member(btf, btf_members(type)[i].type, depth + 1, looks, each, arg);
	}
}

void btf_each_member(const struct btf *btf, uint32_t id, void (*each)(void *arg, const char *name),
		     void *arg)
{
	int looks = MAX_LOOKS;

	each_member(btf, id, 0, &looks, each, arg);
}

/* The words of a C integer type. */
struct integer_words {
	bool is_unsigned, is_char, is_short;
	int longs;
	bool any;
};

static bool take_integer_word(struct integer_words *words, const char *word)
{
	if (!strcmp(word, "unsigned"))
		words->is_unsigned = true;
	else if (!strcmp(word, "char"))
		words->is_char = true;
	else if (!strcmp(word, "short"))
		words->is_short = true;
	else if (!strcmp(word, "long"))
		words->longs++;
	else if (strcmp(word, "int") && strcmp(word, "signed"))
		return false;
	words->any = true;
	return true;
}

/* An integer type of this size and sign: compilers name such types differently. */
static uint32_t find_integer(const struct btf *btf, const struct integer_words *words)
{
	static const struct {
		const char *plain, *with_sign;
	} spellings[][2] = {
		{ { "char", "unsigned char" }, { "char", "unsigned char" } },
		{ { "short int", "short unsigned int" }, { "short", "unsigned short" } },
		{ { "int", "unsigned int" }, { "int", "unsigned int" } },
		{ { "long int", "long unsigned int" }, { "long", "unsigned long" } },
		{ { "long long int", "long long unsigned int" },
		  { "long long", "unsigned long long" } },
	};
	int row = words->is_char ? 0 : words->is_short ? 1 : 2 + words->longs;

	if (row > 4)
		return 0;
	for (int i = 0; i < 2; i++) {
		const char *name = words->is_unsigned ? spellings[row][i].with_sign :
							spellings[row][i].plain;
		int id = btf__find_by_name_kind(btf, name, BTF_KIND_INT);

		if (id > 0)
			return id;
	}
	return 0;
}

/* The next word, "*" or other sign; false: the end. A word longer than @size is cut. */
static bool next_word(const char **at, char *word, size_t size)
{
	size_t len = 0;

	while (isspace((unsigned char)**at))
		(*at)++;
	if (!**at)
		return false;
	if (!scan_is_word(**at)) {
		snprintf(word, size, "%c", *(*at)++);
		return true;
	}
	for (; scan_is_word(**at); (*at)++) {
		if (len < size - 1)
			word[len++] = **at;
	}
	word[len] = '\0';
	return true;
}

/* The text after the parenthesis that closes the one at @at; there may be none at @at. */
static const char *after_parentheses(const char *at)
{
	int depth = 0;

	while (isspace((unsigned char)*at))
		at++;
	if (*at != '(')
		return at;
	for (; *at; at++) {
		depth += (*at == '(') - (*at == ')');
		if (!depth)
			return at + 1;
	}
	return at;
}

void btf_type_spelt(const struct btf *btf, const char *text, struct btf_spelling *ret_spelling)
{
	struct btf_spelling spelling = {};
	struct integer_words words = {};
	uint32_t kind = 0;
	const char *name = NULL;
	char word[128], last[128];
	int id = 0;

	while (next_word(&text, word, sizeof(word))) {
		if (!strcmp(word, "*")) {
			spelling.pointers++;
		} else if (!strcmp(word, "const")) {
			/*
			 * A `const` after a '*' belongs to the pointer, not to the type it points
			 * to.
			 */
			spelling.constant |= !spelling.pointers;
		} else if (!strcmp(word, "__attribute__")) {
			text = after_parentheses(text);
		} else if (!strcmp(word, "volatile") || !strcmp(word, "__user") ||
			   !strcmp(word, "void")) {
			continue;
		} else if (!strcmp(word, "struct") || !strcmp(word, "union") ||
			   !strcmp(word, "enum")) {
			kind = word[0] == 's' ? BTF_KIND_STRUCT :
			       word[0] == 'u' ? BTF_KIND_UNION : BTF_KIND_ENUM;
		} else if (kind || !take_integer_word(&words, word)) {
			name = strcpy(last, word);
			kind = kind ?: BTF_KIND_TYPEDEF;
		}
	}
	if (words.any) {
		spelling.text = words.is_char && !words.is_unsigned;
		spelling.size = words.is_char ? 1 : words.is_short ? 2 : words.longs ? 8 : 4;
		spelling.is_signed = !words.is_unsigned;
		id = btf ? find_integer(btf, &words) : 0;
	} else if (btf && name) {
		id = btf__find_by_name_kind(btf, name, kind);
	}
	spelling.type = id > 0 ? id : 0;
	*ret_spelling = spelling;
}
