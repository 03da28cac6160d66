// SPDX-License-Identifier: BSD-2-Clause
/*
 * Follows a pointer to a file back to the fdget() that it came from. What that returns has two flags below the
 * pointer, and fd_file() masks them out.
 */
#include <bpf/btf.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand_internal.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"

#define FD_FLAGS 3

/* Since Linux 6.12: struct fd { unsigned long word; }. */
static bool is_struct_fd(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_underneath(btf, id);
	struct btf_place word;

	return type && btf_is_struct(type) && !strcmp(btf_type_name(btf, type), "fd") && btf_vlen(type) == 1 &&
	       btf_size_of(btf, id) == 8 && btf_find_member(btf, id, "word", &word);
}

/* Before, fdget() was inlined, and made a struct fd { struct file *file; unsigned int flags; } of a number. */
static bool returns_fd_as_number(const char *function)
{
	static const char *const names[] = { "__fdget", "__fdget_raw", "__fdget_pos" };

	return array_find(name, names, !strcmp(function, *name));
}

/* Whether an instruction clears the flags in all 8 bytes of a register, and nothing else. */
static bool clears_flags(struct code_reader *reader, const struct insn_effect *effect, uint64_t addr)
{
	struct insn_arithmetic made;

	return effect->computes == COMPUTES_AND && effect->value == ~(int64_t)FD_FLAGS &&
	       code_arithmetic(reader, addr, &made) && *made.operator == '&' && made.to.size == 8;
}

int follow_file(struct follower *f, const struct insn_effect *effect, struct position at)
{
	const struct operand value = { .kind = OPERAND_REGISTER, .reg = effect->from, .size = 8 };
	const struct btf *btf = f->way->btf ? kernel_btf_types(f->way->btf, 0) : NULL;
	_cleanup_(expression_release) struct expression fd = {};
	struct follower inner = *f;
	const struct symbol *symbol;
	bool is_struct;
	int32_t file;
	int err;

	if (!btf || !clears_flags(f->way->reader, effect, at.addr))
		return 0;
	inner.by_variables = false;
	err = follow_best(&inner, &value, at, &fd);
	if (err || !fd.called || !fd.type || fd.offset || fd.stride)
		return err;
	symbol = called_symbol_of(f->way->reader, fd.called);
	file = btf__find_by_name_kind(btf, "file", BTF_KIND_STRUCT);
	is_struct = is_struct_fd(fd.btf, fd.type);
	if (!symbol || file <= 0 || !(is_struct || returns_fd_as_number(symbol->name)))
		return 0;
	if (is_struct)
		strbuf_addf(&f->to->text, "fd_file(%s)", fd.text.s);
	else
		strbuf_addf(&f->to->text, "%s.file", fd.text.s + strlen("__"));
	f->to->type = btf_pointer_to(btf, file);
	f->to->btf = btf;
	f->to->bytes = 8;
	return 0;
}
