// SPDX-License-Identifier: BSD-2-Clause
/* Values of BTF's types as text. */
#include "util/view/values/btf_value.h"

#include <inttypes.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/types/btf_types.h"
#include "util/view/values/value_known.h"
#include "util/view/values/value_type.h"

/*
 * The limit of work for one value. Real values need a fraction of it; unions of unions could go on
 * forever.
 */
#define MAX_WORK 20000

/* Bytes of text: longer text is not read, and nested unions make much text of little data. */
#define MAX_TEXT 32768

#define VERBOSE_INDENT 4

struct printer {
	struct strbuf *sb;
	const struct value_format *format;
	const struct btf *btf;
	const uint8_t *data;
	size_t len;
	size_t max_len;		/* length of sb: text after this will not be shown */
	int work;
};

/* What to print: some of the printer's data. */
struct part {
	uint32_t type;
	uint64_t at;		/* byte */
	const char *name;	/* name of the member, or "" */
	uint8_t bit_offset, bits;
};

static void add_part(struct printer *p, const struct part *part, int depth);

static void add_ellipsis(struct printer *p)
{
	strbuf_addstr(p->sb, "…");
}

/* Subtract @work from the work allowed for a value. Whether to continue. */
static bool spend_work(struct printer *p, int work)
{
	p->work = p->work > work ? p->work - work : 0;
	return p->work && p->sb->len < p->max_len;
}

static bool is_verbose(const struct printer *p)
{
	return p->format->mode == VALUE_VERBOSE;
}

static uint64_t read_unsigned(const uint8_t *data, size_t size)
{
	uint64_t n = 0;

	for (size_t i = size; i-- > 0;)
		n = n << 8 | data[i];
	return n;
}

static uint64_t sign_extended(uint64_t n, unsigned int bits)
{
	unsigned int unused = 64 - bits;

	return (uint64_t)((int64_t)(n << unused) >> unused);
}

/* The name of a number's type decides how it is shown. */
static enum value_base base_of(const struct btf *btf, uint32_t id, const char *name)
{
	for (int i = 0; i < BTF_MAX_CHAIN && id; i++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const char *alias;

		if (!type || !(btf_is_mod(type) || btf_is_typedef(type)))
			break;
		id = type->type;
		if (!btf_is_typedef(type))
			continue;
		alias = btf_type_name(btf, type);
		if (!strcmp(alias, "umode_t"))
			return VALUE_BASE_OCTAL;
		if (!strcmp(alias, "gfp_t") || !strcmp(alias, "fmode_t") ||
		    endswith(alias, "flags_t") || endswith(alias, "opf_t"))
			return VALUE_BASE_HEX;
	}
	if (endswith(name, "flags") || endswith(name, "mask"))
		return VALUE_BASE_HEX;
	return VALUE_BASE_BY_SIZE;
}

/* Enumerators, of both kinds alike. */
static uint64_t enumerator_value(const struct btf_type *type, uint32_t i, const struct btf *btf,
			   const char **ret_name)
{
	if (btf_is_enum64(type)) {
		*ret_name = btf_name(btf, btf_enum64(type)[i].name_off);
		return btf_enum64_value(&btf_enum64(type)[i]);
	}
	*ret_name = btf_name(btf, btf_enum(type)[i].name_off);
	if (btf_kflag(type))
		return btf_enum(type)[i].val;
	return (uint32_t)btf_enum(type)[i].val;
}

static bool is_one_bit(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* Whether the enumerators are flags: all but a few are single bits. 1, 2, 3 are numbers. */
static bool is_flags(const struct btf *btf, const struct btf_type *type)
{
	uint32_t single = 0, other = 0;
	const char *name;

	for (int i = 0; i < btf_vlen(type); i++) {
		uint64_t n = enumerator_value(type, i, btf, &name);

		single += is_one_bit(n);
		other += n && !is_one_bit(n);
	}
	return single >= 3 && other * 4 <= single;
}

static void add_flags(struct printer *p, const struct btf_type *type, uint64_t n)
{
	const char *name, *bar = "";

	for (int i = 0; i < btf_vlen(type); i++) {
		uint64_t bit = enumerator_value(type, i, p->btf, &name);

		if (!is_one_bit(bit) || !(n & bit) || !*name)
			continue;
		strbuf_addf(p->sb, "%s%s", bar, name);
		bar = "|";
		n &= ~bit;
	}
	if (n)
		strbuf_addf(p->sb, "%s0x%" PRIx64, bar, n);
}

static void add_enum(struct printer *p, const struct btf_type *type, uint64_t n, unsigned int bits)
{
	/* Signed numbers are extended beyond the size of a narrow enum. */
	unsigned int compared = bits < 64 ? bits : 64;
	uint64_t mask = compared == 64 ? UINT64_MAX : (1ull << compared) - 1;
	const char *name;

	if (!spend_work(p, btf_vlen(type) / 8)) {
		add_ellipsis(p);
		return;
	}
	for (int i = 0; i < btf_vlen(type); i++) {
		if ((enumerator_value(type, i, p->btf, &name) & mask) == (n & mask) && *name) {
			strbuf_addstr(p->sb, name);
			return;
		}
	}
	if ((n & mask) && is_flags(p->btf, type)) {
		add_flags(p, type, n & mask);
		return;
	}
	value_number_add(p->sb, btf_kflag(type) ? sign_extended(n & mask, compared) : n & mask,
		   btf_kflag(type), compared, VALUE_BASE_BY_SIZE);
}

/* An integer, enum or bool of no more than 64 bits. */
static void add_scalar(struct printer *p, const struct part *part, const struct btf_type *type,
		       uint64_t n, unsigned int bits)
{
	uint8_t encoding;

	if (btf_is_any_enum(type)) {
		add_enum(p, type, n, bits);
		return;
	}
	encoding = btf_int_encoding(type);
	if ((encoding & BTF_INT_BOOL) && n < 2) {
		strbuf_addstr(p->sb, n ? "true" : "false");
	} else if (bits == 8 && btf_is_char(p->btf, part->type) && n >= 0x20 && n < 0x7f) {
		strbuf_addf(p->sb, n == '\'' || n == '\\' ? "'\\%c'" : "'%c'", (char)n);
	} else {
		bool is_signed = encoding & BTF_INT_SIGNED;

		value_number_add(p->sb, is_signed ? sign_extended(n, bits) : n, is_signed, bits,
			   base_of(p->btf, part->type, part->name));
	}
}

static void add_wide(struct printer *p, const struct part *part, const struct btf_type *type)
{
	uint64_t low = read_unsigned(p->data + part->at, 8);
	uint64_t high = read_unsigned(p->data + part->at + 8, 8);
	bool is_signed = btf_is_int(type) && (btf_int_encoding(type) & BTF_INT_SIGNED);

	if (high == (is_signed && (int64_t)low < 0 ? UINT64_MAX : 0))
		value_number_add(p->sb, low, is_signed, 64, VALUE_BASE_BY_SIZE);
	else if (high)
		strbuf_addf(p->sb, "0x%" PRIx64 "%016" PRIx64, high, low);
	else
		strbuf_addf(p->sb, "0x%" PRIx64, low);
}

static void add_float(struct printer *p, const struct part *part, const struct btf_type *type)
{
	const uint8_t *data = p->data + part->at;
	double wide;
	float narrow;

	if (type->size == sizeof(narrow)) {
		memcpy(&narrow, data, sizeof(narrow));
		strbuf_addf(p->sb, "%g", (double)narrow);
	} else if (type->size == sizeof(wide)) {
		memcpy(&wide, data, sizeof(wide));
		strbuf_addf(p->sb, "%g", wide);
	} else if (type->size == 16) {
		add_wide(p, part, type);
	} else {
		strbuf_addch(p->sb, '?');
	}
}

/* The number of captured bytes from @at on. */
static uint64_t captured_bytes(const struct printer *p, uint64_t at)
{
	return at < p->len ? p->len - at : 0;
}

static bool all_zero(const struct printer *p, uint64_t at, uint64_t size)
{
	size = size < captured_bytes(p, at) ? size : captured_bytes(p, at);
	for (uint64_t i = 0; i < size; i++) {
		if (p->data[at + i])
			return false;
	}
	return true;
}

/* Read up to 64 bits from any bit on. All their bytes were captured. */
static uint64_t read_bits(const struct printer *p, const struct part *part)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < part->bits; i++) {
		unsigned int bit = part->bit_offset + i;

		n |= (uint64_t)(p->data[part->at + bit / 8] >> bit % 8 & 1) << i;
	}
	return n;
}

static void add_bitfield(struct printer *p, const struct part *part)
{
	const struct btf_type *type = btf_underneath(p->btf, part->type);

	if (!type || !(btf_is_int(type) || btf_is_any_enum(type)) || part->bits > 64)
		strbuf_addch(p->sb, '?');
	else if (captured_bytes(p, part->at) < (part->bit_offset + part->bits + 7u) / 8)
		add_ellipsis(p);
	else
		add_scalar(p, part, type, read_bits(p, part), part->bits);
}

static void add_line(struct printer *p, int depth)
{
	strbuf_addch(p->sb, '\n');
	strbuf_pad(p->sb, p->format->indent + depth * VERBOSE_INDENT, ' ');
}

/* Begin the next element between braces or brackets, after @nr elements. */
static void begin_one(struct printer *p, uint32_t nr, int depth, bool lines)
{
	if (lines)
		add_line(p, depth);
	else if (nr)
		strbuf_addch(p->sb, ',');
}

static void end_one(struct printer *p, bool lines)
{
	if (lines)
		strbuf_addch(p->sb, ',');
}

enum presence { LEFT_OUT, PRESENT, NOT_CAPTURED };

static enum presence presence_of(const struct printer *p, const struct part *part)
{
	int64_t size;

	if (part->bits) {
		if (part->bits > 64)
			return PRESENT;
		size = (part->bit_offset + part->bits + 7) / 8;
		if (captured_bytes(p, part->at) < (uint64_t)size)
			return NOT_CAPTURED;
		return read_bits(p, part) ? PRESENT : LEFT_OUT;
	}
	size = btf_size_of(p->btf, part->type);
	if (size <= 0)
		return LEFT_OUT;
	if (!all_zero(p, part->at, size))
		return PRESENT;
	return captured_bytes(p, part->at) < (uint64_t)size ? NOT_CAPTURED : LEFT_OUT;
}

static void add_composite(struct printer *p, const struct part *part, const struct btf_type *type,
			  int depth)
{
	bool lines = is_verbose(p);
	uint32_t nr = 0;

	strbuf_addch(p->sb, '{');
	for (int i = 0; i < btf_vlen(type); i++) {
		struct btf_place place = btf_member_place(p->btf, type, i);
		struct part member = {
			.type = place.type,
			.at = part->at + place.bit_offset / 8,
			.name = btf_name(p->btf, btf_members(type)[i].name_off),
			.bit_offset = place.bits ? place.bit_offset % 8 : 0,
			.bits = place.bits > UINT8_MAX ? UINT8_MAX : place.bits,
		};
		enum presence presence = presence_of(p, &member);

		if (presence == LEFT_OUT && spend_work(p, 1))
			continue;
		begin_one(p, nr++, depth + 1, lines);
		if (presence != PRESENT || !spend_work(p, 1)) {
			add_ellipsis(p);
			break;
		}
		if (*member.name)
			strbuf_addf(p->sb, lines ? ".%s = " : ".%s=", member.name);
		add_part(p, &member, depth + 1);
		end_one(p, lines);
	}
	if (lines && nr)
		add_line(p, depth);
	strbuf_addch(p->sb, '}');
}

static void add_text(struct printer *p, const struct part *part, uint32_t size)
{
	uint64_t left = captured_bytes(p, part->at), room = size < left ? size : left;
	const char *text = (const char *)p->data + part->at;
	size_t len = strnlen(text, room);

	value_string_add(p->sb, text, len, len == left && len < size);
}

/*
 * Whether bytes are text rather than numbers: at least two characters with nothing after them, or
 * so many that they are no hardware address which happens to begin like that.
 */
static bool holds_text(const struct printer *p, uint64_t at, uint64_t size)
{
	uint64_t room = size < captured_bytes(p, at) ? size : captured_bytes(p, at);
	const uint8_t *text = p->data + at;
	size_t len = strnlen((const char *)text, room);

	return len > 1 && value_is_text(text, len, len == room && len < size) &&
	       (len > 3 || all_zero(p, at + len, room - len));
}

static void add_array(struct printer *p, const struct part *part, const struct btf_type *type,
		      int depth)
{
	const struct btf_array *array = btf_array(type);
	int64_t size = btf_size_of(p->btf, array->type);
	uint64_t nr = array->nelems, left = captured_bytes(p, part->at);
	bool cut = false;

	if (size == 1 && (btf_is_char(p->btf, array->type) ||
			  (btf_is_unsigned_char(p->btf, array->type) &&
			   holds_text(p, part->at, array->nelems)))) {
		add_text(p, part, array->nelems);
		return;
	}
	if (size > 0 && nr * size > left) {
		nr = (left + size - 1) / size;
		cut = true;
	}
	while (size > 0 && nr && all_zero(p, part->at + (nr - 1) * size, size) && spend_work(p, 1))
		nr--;
	strbuf_addch(p->sb, '[');
	for (uint64_t i = 0; size > 0 && i < nr; i++) {
		struct part element = {
			.type = array->type,
			.at = part->at + i * size,
			.name = part->name,
		};

		begin_one(p, i, depth, false);
		if (!spend_work(p, 1)) {
			cut = false;
			add_ellipsis(p);
			break;
		}
		add_part(p, &element, depth);
	}
	if (cut && size > 0) {
		begin_one(p, nr, depth, false);
		add_ellipsis(p);
	}
	strbuf_addch(p->sb, ']');
}

static void add_pointer(struct printer *p, const struct part *part, const struct btf_type *type)
{
	const struct btf_type *pointee = btf_underneath(p->btf, type->type);

	value_pointer_add(p->sb, p->format, read_unsigned(p->data + part->at, 8),
			  pointee && btf_is_func_proto(pointee));
}

static void add_sized(struct printer *p, const struct part *part, const struct btf_type *type)
{
	uint32_t size = btf_is_ptr(type) ? sizeof(uint64_t) : type->size;

	if (captured_bytes(p, part->at) < size || !size)
		add_ellipsis(p);
	else if (btf_is_ptr(type))
		add_pointer(p, part, type);
	else if (btf_is_float(type))
		add_float(p, part, type);
	else if (size == 16 && btf_is_int(type))
		add_wide(p, part, type);
	else if (size <= 8)
		add_scalar(p, part, type, read_unsigned(p->data + part->at, size), size * 8);
	else
		strbuf_addch(p->sb, '?');
}

static bool add_known(struct printer *p, const struct part *part, const struct btf_type *type,
		      int depth)
{
	uint64_t left = captured_bytes(p, part->at);

	/* Captured data may continue after the end of a type, but not inside another type. */
	if (depth && left > type->size)
		left = type->size;
	return !is_verbose(p) &&
	       value_known_add(p->sb, p->btf, part->type, p->data + part->at, left);
}

static void add_part(struct printer *p, const struct part *part, int depth)
{
	const struct btf_type *type = btf_underneath(p->btf, part->type);

	if (!type || depth > BTF_MAX_NESTING || !spend_work(p, 1)) {
		add_ellipsis(p);
		return;
	}
	if (is_verbose(p)) {
		strbuf_addch(p->sb, '(');
		value_type_add(p->sb, p->btf, part->type);
		strbuf_addch(p->sb, ')');
	}
	if (part->bits)
		add_bitfield(p, part);
	else if (btf_is_composite(type) && !add_known(p, part, type, depth))
		add_composite(p, part, type, depth);
	else if (btf_is_array(type))
		add_array(p, part, type, depth);
	else if (btf_is_ptr(type) || btf_is_int(type) || btf_is_any_enum(type) ||
		 btf_is_float(type))
		add_sized(p, part, type);
	else if (!btf_is_composite(type))
		add_ellipsis(p);
}

/* A register of unknown type, printed as its most likely kind. */
static void add_untyped(struct strbuf *sb, const struct value_format *format,
			const struct value *value)
{
	size_t len = value->len < 8 ? value->len : 8;
	uint64_t n = read_unsigned(value->data, len);

	if (!len)
		strbuf_addstr(sb, "…");
	else if (value->is_signed || len < 8 || (int64_t)n >= 0)
		value_number_add(sb, value->is_signed ? sign_extended(n, len * 8) : n,
				 value->is_signed, len * 8, VALUE_BASE_BY_SIZE);
	else
		value_pointer_add(sb, format, n, false);
}

void value_add(struct strbuf *sb, const struct value_format *format, const struct value *value)
{
	struct printer p = {
		.sb = sb,
		.format = format,
		.btf = value->btf,
		.data = value->data,
		.len = value->len,
		.max_len = sb->len + MAX_TEXT,
		.work = MAX_WORK,
	};
	struct part part = {
		.type = value->type,
		.name = value->name ?: "",
		.bit_offset = value->bit_offset,
		.bits = value->bits,
	};

	if (!value->btf || !value->type) {
		add_untyped(sb, format, value);
		return;
	}
	/* No character takes more than 4 bytes. */
	if (format->max_width && format->mode != VALUE_VERBOSE)
		p.max_len = sb->len + 4 * (size_t)format->max_width;
	add_part(&p, &part, 0);
}
