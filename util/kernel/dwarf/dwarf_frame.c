// SPDX-License-Identifier: BSD-2-Clause
/* Call frame information: the canonical frame address, and nothing else of it. */
#include <dwarf.h>
#include <errno.h>

#include "util/kernel/dwarf/dwarf_location.h"

/* Rules that DW_CFA_remember_state keeps: compilers nest them once. */
#define MAX_REMEMBERED 8

/* What a common information entry says of its functions. */
struct frame_common {
	uint64_t code_factor;
	int64_t data_factor;
	struct cursor program;
};

struct frame_walk {
	const struct frame_common *common;
	uint64_t at, addr; /* the walk is done when `at` passes `addr` */
	struct location rule, initial;
	struct location kept[MAX_REMEMBERED];
	int nr_kept;
};

/* An entry's contents, without its length. */
static struct cursor read_entry(struct cursor *c, uint8_t *ret_offset_size)
{
	return cursor_take(c, read_length(c, ret_offset_size));
}

static int read_common(const struct dwarf_sections *sections, uint64_t offset,
		       struct frame_common *ret_common)
{
	struct cursor c = cursor_at(&sections->frame, offset), entry;
	uint8_t offset_size, version;

	entry = read_entry(&c, &offset_size);
	cursor_skip(&entry, offset_size);
	version = read_u8(&entry);
	/* With an augmentation there may be anything. */
	if (*read_string(&entry))
		return -ENOTSUP;
	if (version >= 4)
		cursor_skip(&entry, 2); /* sizes of addresses and of segment selectors */
	ret_common->code_factor = read_uleb(&entry);
	ret_common->data_factor = read_sleb(&entry);
	if (version == 1)
		read_u8(&entry);
	else
		read_uleb(&entry);
	ret_common->program = entry;
	return entry.bad ? -ENOEXEC : 0;
}

/* The rule becomes register and offset; of more registers than a byte counts, none is known. */
static void set_rule(struct frame_walk *walk, uint64_t reg, int64_t offset)
{
	walk->rule = (struct location){ reg <= UINT8_MAX ? LOCATION_MEMORY : LOCATION_UNKNOWN, reg,
					offset };
}

/* An instruction with its operand in the lower bits, or 0: it is another. True: done. */
static bool run_short(struct frame_walk *walk, struct cursor *c, uint8_t op)
{
	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		walk->at += (op & 0x3f) * walk->common->code_factor;
		return true;
	case DW_CFA_offset:
		read_uleb(c);
		return true;
	case DW_CFA_restore:
		return true;
	default:
		return false;
	}
}

static void run_one(struct frame_walk *walk, struct cursor *c, uint8_t op)
{
	const struct frame_common *common = walk->common;
	uint64_t reg;

	if (run_short(walk, c, op))
		return;
	switch (op) {
	case DW_CFA_nop:
		break;
	case DW_CFA_set_loc:
		walk->at = read_u64(c);
		break;
	case DW_CFA_advance_loc1:
		walk->at += read_u8(c) * common->code_factor;
		break;
	case DW_CFA_advance_loc2:
		walk->at += read_u16(c) * common->code_factor;
		break;
	case DW_CFA_advance_loc4:
		walk->at += read_u32(c) * common->code_factor;
		break;
	case DW_CFA_def_cfa:
		reg = read_uleb(c);
		set_rule(walk, reg, read_uleb(c));
		break;
	case DW_CFA_def_cfa_sf:
		reg = read_uleb(c);
		set_rule(walk, reg, (uint64_t)read_sleb(c) * common->data_factor);
		break;
	case DW_CFA_def_cfa_register:
		set_rule(walk, read_uleb(c), walk->rule.offset);
		break;
	case DW_CFA_def_cfa_offset:
		walk->rule.offset = read_uleb(c);
		break;
	case DW_CFA_def_cfa_offset_sf:
		walk->rule.offset = (uint64_t)read_sleb(c) * common->data_factor;
		break;
	case DW_CFA_def_cfa_expression:
		cursor_skip(c, read_uleb(c));
		walk->rule.kind = LOCATION_UNKNOWN;
		break;
	case DW_CFA_remember_state:
		if (walk->nr_kept == MAX_REMEMBERED)
			cursor_fail(c);
		else
			walk->kept[walk->nr_kept++] = walk->rule;
		break;
	case DW_CFA_restore_state:
		if (!walk->nr_kept)
			cursor_fail(c);
		else
			walk->rule = walk->kept[--walk->nr_kept];
		break;
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_restore_extended:
	case DW_CFA_GNU_args_size:
		read_uleb(c);
		break;
	case DW_CFA_register:
	case DW_CFA_offset_extended:
	case DW_CFA_offset_extended_sf: /* signed: as long */
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
	case DW_CFA_GNU_negative_offset_extended:
		read_uleb(c);
		read_uleb(c);
		break;
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		read_uleb(c);
		cursor_skip(c, read_uleb(c));
		break;
	case DW_CFA_GNU_window_save: /* arm64: return addresses are signed from here on, or not */
		break;
	default:
		cursor_fail(c);
	}
}

/* Run a program as far as the address; false: it is damaged, or has what is not known. */
static bool run(struct frame_walk *walk, struct cursor c)
{
	while (cursor_left(&c)) {
		struct location before = walk->rule;

		run_one(walk, &c, read_u8(&c));
		if (c.bad)
			return false;
		if (walk->at > walk->addr) {
			walk->rule = before;
			break;
		}
	}
	return true;
}

int frame_address_at(const struct dwarf_sections *sections, uint64_t addr,
		     struct location *ret_location)
{
	struct cursor c = cursor_at(&sections->frame, 0);

	*ret_location = (struct location){};
	while (cursor_left(&c)) {
		uint8_t offset_size;
		struct cursor entry = read_entry(&c, &offset_size);
		uint64_t common_at = read_offset(&entry, offset_size), begin, size;
		struct frame_common common;
		struct frame_walk walk;

		if (c.bad)
			return -ENOEXEC;
		if (common_at == (offset_size == 8 ? UINT64_MAX : UINT32_MAX))
			continue;
		begin = read_u64(&entry);
		size = read_u64(&entry);
		if (entry.bad || addr < begin || addr - begin >= size)
			continue;
		if (read_common(sections, common_at, &common))
			return 0;
		walk = (struct frame_walk){ .common = &common, .at = begin, .addr = addr };
		if (run(&walk, common.program) && run(&walk, entry))
			*ret_location = walk.rule;
		return 0;
	}
	return 0;
}
