// SPDX-License-Identifier: BSD-2-Clause
/* Follows a value to the call that returned it: "capable(CAP_SYS_ADMIN)", "file->f_op->fsync(...)". */
#include <bpf/btf.h>

#include "util/base/cleanup.h"
#include "util/explain/function/constant_name.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand_internal.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/types/btf_types.h"

/* Longer lists of arguments hide the rest of the condition. */
#define MAX_ARGUMENTS 60

static int follow_best_register(const struct follower *like, uint8_t reg, struct position at,
				struct expression *to)
{
	const struct operand value = { .kind = OPERAND_REGISTER, .reg = reg, .size = 8 };

	return follow_best(like, &value, at, to);
}

/*
 * Add "type, CAP_SYS_ADMIN", with "..." for unknown arguments, to @text; nothing if the parameters are not
 * plain. *ret_any: not all of them are unknown.
 */
static int list_arguments(const struct follower *like, const struct btf *btf, const struct btf_type *proto,
			  struct position at, struct strbuf *text, bool *ret_any)
{
	*ret_any = false;
	for (uint32_t i = 0; i < btf_vlen(proto) && operands_parameter(i) >= 0; i++) {
		_cleanup_(expression_release) struct expression own = {};
		int err;

		if (!btf_params_are_plain(btf, proto, i + 1)) {
			strbuf_reset(text);
			return 0;
		}
		err = follow_best_register(like, operands_parameter(i), at, &own);
		if (err)
			return err;
		if (own.offset || own.stride)
			expression_forget(&own);
		if (own.is_negated)
			strbuf_addstr(text, i ? ", ~" : "~");
		else
			strbuf_addstr(text, i ? ", " : "");
		*ret_any |= expression_is_known(&own);
		if (!own.is_constant ||
		    !constant_add(like->way->reader, btf, &btf_params(proto)[i], own.value, text))
			strbuf_addstr(text, expression_is_known(&own) ? own.text.s : "...");
	}
	return 0;
}

static int add_arguments(struct follower *f, const struct btf *btf, const struct btf_type *proto,
			 struct position at)
{
	_cleanup_(strbuf_release) struct strbuf text = {};
	struct follower inner = { .way = f->way, .in_call = true, .by_variables = f->by_variables };
	bool any;
	int err;

	/* Calls as arguments of calls make the text too long. */
	if (f->in_call || f->is_short) {
		strbuf_addstr(&f->to->text, btf_vlen(proto) ? "..." : "");
		return 0;
	}
	err = list_arguments(&inner, btf, proto, at, &text, &any);
	/* The source's variables are mostly shorter than what they were set to. */
	if (!err && text.len > MAX_ARGUMENTS && !inner.by_variables) {
		inner.by_variables = true;
		strbuf_reset(&text);
		err = list_arguments(&inner, btf, proto, at, &text, &any);
	}
	if (text.len || btf_vlen(proto))
		strbuf_addstr(&f->to->text, any && text.len && text.len <= MAX_ARGUMENTS ? text.s : "...");
	return err;
}

/* The register with the target of a call through a pointer; -1: no such call, or not known. */
static int pointer_register(struct code_reader *reader, const struct branch_insn *insn, uint64_t call)
{
	const struct symbol *thunk;
	uint8_t code[INSN_MAX_LENGTH + 1] = {};
	int reg = -1;

	if (reader->source && reader->source->read(reader->source->arg, call, code, insn->length) == insn->length)
		reg = code_call_register(code, insn->length);
	if (reg >= 0 || insn->kind == BRANCH_INDIRECT_CALL)
		return reg;
	thunk = called_symbol_of(reader, insn->target);
	reg = thunk ? thunk_register(thunk->name) : -1;
	return reg >= 0 || insn->kind != BRANCH_CALL ? reg : code_thunk_register(reader->source, insn->target);
}

/* The result of a call through a pointer that has a name: "file->f_op->fsync(...)". */
static int from_pointer(struct follower *f, const struct branch_insn *insn, struct position at)
{
	_cleanup_(expression_release) struct expression own = {};
	const struct follower inner = { .way = f->way, .in_call = true };
	int reg = f->in_call ? -1 : pointer_register(f->way->reader, insn, at.addr);
	const struct btf_type *proto;
	uint32_t pointee;
	int err = reg < 0 ? 0 : follow_best_register(&inner, reg, at, &own);

	if (err || !expression_is_known(&own) || own.offset || own.stride || own.is_constant || own.shift || own.is_masked ||
	    own.is_negated)
		return err;
	if (own.is_function) {
		strbuf_addf(&f->to->text, "%s(...)", own.text.s);
		f->to->is_by_pointer = true;
		return 0;
	}
	if (!own.type)
		return 0;
	pointee = btf_pointee(own.btf, own.type);
	proto = pointee ? btf_underneath(own.btf, pointee) : NULL;
	if (!proto || !btf_is_func_proto(proto))
		return 0;
	strbuf_addf(&f->to->text, "%s(...)", own.text.s);
	f->to->is_by_pointer = true;
	f->to->btf = own.btf;
	f->to->type = proto->type;
	f->to->bytes = 8;
	return 0;
}

/* The result of a call. */
static int from_call(struct follower *f, uint64_t called, struct position at)
{
	const struct symbol *symbol = called_symbol_of(f->way->reader, called);
	const struct btf_type *proto;
	const struct btf *btf;
	int err = 0;

	if (!symbol || thunk_kind(symbol->name, symbol->module) != NO_THUNK)
		return 0;
	if (returns_first_argument(symbol))
		return follow_register(f, operands_parameter(0), at);
	f->to->called = called;
	f->to->called_at = at.addr;
	proto = function_prototype(f->way, symbol->addr, symbol->name, symbol->module, &btf);
	strbuf_addf(&f->to->text, "%s(", symbol->name);
	if (proto)
		err = add_arguments(f, btf, proto, at);
	strbuf_addch(&f->to->text, ')');
	if (!proto)
		return 0;
	f->to->btf = btf;
	f->to->type = proto->type;
	f->to->bytes = 8;
	return err;
}

/* A call may have changed the register, or returned its value in it. */
int follow_call(struct follower *f, uint8_t reg, const struct branch_insn *insn, struct position at)
{
	struct callee callee = callee_at(f->way->reader, insn->target);
	bool reads;
	int err = follow_read(f, reg, insn, at, &reads);

	if (err || reads)
		return err;
	if (reg == usual_routine.result && pointer_register(f->way->reader, insn, at.addr) >= 0)
		return from_pointer(f, insn, at);
	if (insn->kind == BRANCH_INDIRECT_CALL || callee.kind != CALLEE_USUAL ||
	    reg != callee.result)
		return 0;
	return from_call(f, callee.addr, at);
}
