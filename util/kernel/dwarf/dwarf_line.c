// SPDX-License-Identifier: BSD-2-Clause
/* Line number programs, DWARF 2 to 5. */
#include "util/kernel/dwarf/dwarf_line.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "util/base/search.h"

#define MAX_FORMATS 16
#define MAX_COLUMN 0x7fff
#define MAX_STANDARD_OPCODES 64

struct line_header {
	struct dwarf_unit unit;		/* a copy with the table's own sizes, to read forms with */
	struct cursor tables;		/* directories and files */
	struct cursor program;
	uint8_t min_instruction_length, opcode_base;
	bool default_is_stmt;
	int8_t line_base;
	uint8_t line_range;
	uint8_t operands[MAX_STANDARD_OPCODES];
};

/* How directories or files are laid out in DWARF 5. */
struct entry_format {
	unsigned int nr;
	struct {
		uint16_t content;
		struct attr_spec spec;
	} fields[MAX_FORMATS];
	uint64_t nr_entries;
};

static int read_header(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		       struct line_header *ret_header)
{
	struct cursor c = cursor_at(&sections->line, unit->line_offset);
	struct line_header header = { .unit = *unit };
	uint64_t length = read_length(&c, &header.unit.offset_size);

	if (c.bad || length > cursor_left(&c))
		return -ENOEXEC;
	c.end = c.p + length;
	header.unit.version = read_u16(&c);
	if (header.unit.version < 2 || header.unit.version > 5)
		return -ENOEXEC;
	if (header.unit.version >= 5) {
		header.unit.address_size = read_u8(&c);
		read_u8(&c);	/* segment selectors */
	}
	length = read_offset(&c, header.unit.offset_size);
	if (c.bad || length > cursor_left(&c))
		return -ENOEXEC;
	header.program = (struct cursor){ c.p + length, c.end, false };
	header.min_instruction_length = read_u8(&c);
	if (header.unit.version >= 4)
		read_u8(&c);	/* operations an instruction, for VLIW machines */
	header.default_is_stmt = read_u8(&c);
	header.line_base = read_u8(&c);
	header.line_range = read_u8(&c);
	header.opcode_base = read_u8(&c);
	for (int i = 1; i < header.opcode_base; i++) {
		uint8_t operands = read_u8(&c);

		if (i < MAX_STANDARD_OPCODES)
			header.operands[i] = operands;
	}
	if (c.bad || !header.line_range || !header.opcode_base ||
	    header.opcode_base > MAX_STANDARD_OPCODES || c.p > header.program.p)
		return -ENOEXEC;
	header.tables = (struct cursor){ c.p, header.program.p, false };
	*ret_header = header;
	return 0;
}

static void read_format(const struct dwarf_unit *unit, struct cursor *c,
			struct entry_format *ret_format)
{
	unsigned int nr = read_u8(c);

	ret_format->nr = 0;
	for (unsigned int i = 0; i < nr; i++) {
		uint16_t content = read_uleb(c), form = read_uleb(c);

		if (i >= MAX_FORMATS || form == DW_FORM_implicit_const) {
			cursor_fail(c);
			return;
		}
		ret_format->fields[i].content = content;
		ret_format->fields[i].spec = (struct attr_spec){
			.form = form,
			.value = attr_form_size(unit, form),
		};
		ret_format->nr++;
	}
	ret_format->nr_entries = read_uleb(c);
	/* Each takes a byte or more; a damaged number must not keep us here. */
	if (ret_format->nr_entries > cursor_left(c))
		cursor_fail(c);
	if (!ret_format->nr || c->bad)
		ret_format->nr_entries = 0;
}

static void read_entry(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		       struct cursor *c, const struct entry_format *format, const char **ret_path,
		       uint64_t *ret_dir)
{
	struct attr_value value;

	*ret_path = NULL;
	*ret_dir = 0;
	for (unsigned int i = 0; i < format->nr; i++) {
		switch (format->fields[i].content) {
		case DW_LNCT_path:
			attr_read(sections, unit, c, &format->fields[i].spec, &value);
			*ret_path = value.s;
			break;
		case DW_LNCT_directory_index:
			attr_read(sections, unit, c, &format->fields[i].spec, &value);
			*ret_dir = value.u;
			break;
		default:
			attr_skip(unit, c, &format->fields[i].spec);
		}
	}
}

typedef VEC(const char *) string_vec;

static int walk_files_5(const struct dwarf_sections *sections, struct line_header *header,
			string_vec *dirs, line_file_fn fn, void *arg)
{
	struct cursor *c = &header->tables;
	struct entry_format format;
	const char *path;
	uint64_t dir;
	int err;

	read_format(&header->unit, c, &format);
	for (uint64_t i = 0; i < format.nr_entries && !c->bad; i++) {
		read_entry(sections, &header->unit, c, &format, &path, &dir);
		if (vec_push(dirs, path))
			return -ENOMEM;
	}
	read_format(&header->unit, c, &format);
	for (uint64_t i = 0; i < format.nr_entries; i++) {
		struct line_file file;

		read_entry(sections, &header->unit, c, &format, &path, &dir);
		if (c->bad)
			return -ENOEXEC;
		file.name = path;
		/* Directory 0 is the directory of the compilation. */
		file.dir = dir && dir < dirs->len && dirs->data[dir] ? dirs->data[dir] : "";
		err = fn(arg, i, &file);
		if (err)
			return err;
	}
	return c->bad ? -ENOEXEC : 0;
}

static int walk_files_4(struct line_header *header, string_vec *dirs, line_file_fn fn, void *arg)
{
	struct cursor *c = &header->tables;
	int err;

	for (;;) {
		const char *dir = read_string(c);

		if (c->bad)
			return -ENOEXEC;
		if (!*dir)
			break;
		if (vec_push(dirs, dir))
			return -ENOMEM;
	}
	for (uint32_t i = 1;; i++) {
		struct line_file file = { .dir = "", .name = read_string(c) };
		uint64_t dir;

		if (c->bad)
			return -ENOEXEC;
		if (!*file.name)
			return 0;
		dir = read_uleb(c);
		read_uleb(c);	/* time */
		read_uleb(c);	/* size */
		if (dir && dir <= dirs->len)
			file.dir = dirs->data[dir - 1];
		err = fn(arg, i, &file);
		if (err)
			return err;
	}
}

static int walk_files(const struct dwarf_sections *sections, struct line_header *header,
		      line_file_fn fn, void *arg)
{
	string_vec dirs = VEC_INIT;
	int err;

	if (header->unit.version >= 5)
		err = walk_files_5(sections, header, &dirs, fn, arg);
	else
		err = walk_files_4(header, &dirs, fn, arg);
	vec_release(&dirs);
	return err;
}

int line_table_files(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		     line_file_fn fn, void *arg)
{
	struct line_header header;
	int err;

	if (!unit->has_line)
		return 0;
	err = read_header(sections, unit, &header);
	return err ?: walk_files(sections, &header, fn, arg);
}

/* The state machine of DWARF 6.2.2, as far as we look at it. */
struct line_state {
	uint64_t addr;
	uint32_t line;
	uint32_t file, column;
	/* The sequence being made. */
	uint64_t low;
	uint32_t first_row;
	bool in_sequence;
	/* Called for each row instead of adding it to the table; may be NULL. */
	bool is_stmt;
	line_row_fn fn;
	void *arg;
};

static void reset_state(const struct line_header *header, struct line_state *state)
{
	*state = (struct line_state){
		.line = 1,
		.file = 1,
		.is_stmt = header->default_is_stmt,
		.fn = state->fn,
		.arg = state->arg,
	};
}

static int end_sequence(struct line_table *table, struct line_state *state, uint64_t high)
{
	struct line_sequence sequence = {
		.low = state->low,
		.high = high,
		.first_row = state->first_row,
		.nr_rows = table->rows.len - state->first_row,
	};

	state->in_sequence = false;
	if (sequence.low >= high || !sequence.nr_rows) {
		table->rows.len = state->first_row;
		return 0;
	}
	return vec_push(&table->sequences, sequence);
}

static int add_row(struct line_table *table, struct line_state *state)
{
	struct line_row row = {
		.line = state->line,
		.file = state->file <= UINT16_MAX ? state->file : UINT16_MAX,
		.column = state->column <= MAX_COLUMN ? state->column : 0,
		.statement = state->is_stmt,
	};
	struct line_row *last;

	if (state->fn)
		return state->fn(state->arg, state->addr, state->file, state->line, state->is_stmt);
	last = table->rows.len > state->first_row ? table->rows.data + table->rows.len - 1 : NULL;
	/* Addresses grow within a sequence; if they do not, begin another sequence. */
	if (state->in_sequence && last &&
	    (state->addr < state->low + last->offset || state->addr - state->low > UINT32_MAX)) {
		int err = end_sequence(table, state, state->low + last->offset);

		if (err)
			return err;
	}
	if (!state->in_sequence) {
		state->in_sequence = true;
		state->low = state->addr;
		state->first_row = table->rows.len;
		last = NULL;
	}
	row.offset = state->addr - state->low;
	if (last) {
		/* The last row at an address counts. */
		if (last->offset == row.offset) {
			row.statement |= last->statement && last->file == row.file;
			*last = row;
			return 0;
		}
		if (last->line == row.line && last->file == row.file &&
		    last->column == row.column && (last->statement || !row.statement))
			return 0;
	}
	return vec_push(&table->rows, row);
}

static int run_extended(const struct line_header *header, struct cursor *c,
			struct line_table *table, struct line_state *state)
{
	uint64_t length = read_uleb(c);
	const uint8_t *next;
	int err = 0;

	if (c->bad || !length || length > cursor_left(c)) {
		cursor_fail(c);
		return 0;
	}
	next = c->p + length;
	switch (read_u8(c)) {
	case DW_LNE_end_sequence:
		if (state->fn)
			err = state->fn(state->arg, state->addr, 0, 0, false);
		else if (state->in_sequence)
			err = end_sequence(table, state, state->addr);
		reset_state(header, state);
		break;
	case DW_LNE_set_address:
		state->addr = read_sized(c, length - 1);
		break;
	}
	c->p = c->bad ? c->end : next;
	return err;
}

static int run_standard(const struct line_header *header, uint8_t opcode, struct cursor *c,
			struct line_table *table, struct line_state *state)
{
	switch (opcode) {
	case DW_LNS_copy:
		return add_row(table, state);
	case DW_LNS_advance_pc:
		state->addr += read_uleb(c) * header->min_instruction_length;
		return 0;
	case DW_LNS_advance_line:
		state->line += read_sleb(c);
		return 0;
	case DW_LNS_set_file:
		state->file = read_uleb(c);
		return 0;
	case DW_LNS_set_column:
		state->column = read_uleb(c);
		return 0;
	case DW_LNS_negate_stmt:
		state->is_stmt = !state->is_stmt;
		return 0;
	case DW_LNS_const_add_pc:
		state->addr += (255 - header->opcode_base) / header->line_range *
			       header->min_instruction_length;
		return 0;
	case DW_LNS_fixed_advance_pc:
		state->addr += read_u16(c);
		return 0;
	default:
		/* Ignored or unknown: the header has the number of operands to skip. */
		for (int i = 0; i < header->operands[opcode]; i++)
			read_uleb(c);
		return 0;
	}
}

/* Into a table, or with @fn to that. */
static int run_program(const struct line_header *header, struct line_table *table, line_row_fn fn,
		       void *arg)
{
	struct line_state state = { .fn = fn, .arg = arg };
	struct cursor c = header->program;
	int err = 0;

	reset_state(header, &state);
	while (!err && c.p < c.end) {
		uint8_t opcode = *c.p++;

		if (opcode >= header->opcode_base) {
			uint8_t adjusted = opcode - header->opcode_base;
			uint8_t steps = adjusted / header->line_range;

			state.addr += steps * header->min_instruction_length;
			state.line += header->line_base + adjusted - steps * header->line_range;
			err = add_row(table, &state);
		} else if (!opcode) {
			err = run_extended(header, &c, table, &state);
		} else {
			err = run_standard(header, opcode, &c, table, &state);
		}
	}
	if (err)
		return err;
	if (table && state.in_sequence)
		table->rows.len = state.first_row;
	return 0;
}

static int count_files(void *arg, uint32_t number, const struct line_file *file)
{
	*(uint32_t *)arg = number + 1;
	return 0;
}

static int compare_sequences(const void *pa, const void *pb)
{
	const struct line_sequence *a = pa, *b = pb;

	return (a->high > b->high) - (a->high < b->high);
}

int line_table_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		    struct line_table **ret_table)
{
	struct line_header header;
	struct line_table *table;
	int err;

	if (!unit->has_line)
		return -ENODATA;
	err = read_header(sections, unit, &header);
	if (err)
		return err;
	table = calloc(1, sizeof(*table));
	if (!table)
		return -ENOMEM;
	table->program = unit->line_offset;
	table->end = header.program.end - sections->line.data;
	/* About three bytes make a row. */
	err = vec_reserve(&table->rows, cursor_left(&header.program) / 3 + 1) ?:
	      walk_files(sections, &header, count_files, &table->nr_files) ?:
	      run_program(&header, table, NULL, NULL);
	if (!err) {
		table->paths = calloc(table->nr_files + 1, sizeof(*table->paths));
		if (!table->paths)
			err = -ENOMEM;
	}
	if (err) {
		line_table_free(table);
		return err;
	}
	vec_sort(&table->sequences, compare_sequences);
	if (table->rows.len) {
		void *shrunk = reallocarray(table->rows.data, table->rows.len,
					    sizeof(*table->rows.data));

		if (shrunk) {
			table->rows.data = shrunk;
			table->rows.cap = table->rows.len;
		}
	}
	*ret_table = table;
	return 0;
}

int line_table_rows(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		    line_row_fn fn, void *arg)
{
	struct line_header header;
	int err;

	if (!unit->has_line)
		return 0;
	err = read_header(sections, unit, &header);
	return err ?: run_program(&header, NULL, fn, arg);
}

void line_table_free(struct line_table *table)
{
	if (!table)
		return;
	vec_release(&table->rows);
	vec_release(&table->sequences);
	free(table->paths);
	free(table);
}

const struct line_row *line_table_find(const struct line_table *table, uint64_t addr)
{
	size_t at = bisect(i, table->sequences.len, table->sequences.data[i].high <= addr);
	const struct line_sequence *sequence;
	const struct line_row *rows;

	if (at == table->sequences.len)
		return NULL;
	sequence = table->sequences.data + at;
	if (addr < sequence->low)
		return NULL;

	rows = table->rows.data + sequence->first_row;
	at = bisect(i, sequence->nr_rows, rows[i].offset <= addr - sequence->low);
	return at ? rows + at - 1 : NULL;
}
