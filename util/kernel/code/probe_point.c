// SPDX-License-Identifier: BSD-2-Clause
/*
 * Decodes a function from its first instruction on. The code is read from the running kernel, which
 * has patched the code of its file with instructions of other lengths (alternatives).
 */
#include "util/kernel/code/probe_point.h"

#include <stdbool.h>
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/code/instruction.h"
#include "util/kernel/code/machine_code.h"

/* Functions of the kernel are smaller. */
#define MAX_FUNCTION (256 * 1024)

static bool has_breakpoint(const uint8_t *code, size_t size)
{
	struct branch_insn insn;

	return !branch_decode(code, size, 0, &insn) && code_breaks_kprobe(&insn);
}

/* Whether the instruction at @at of a function is the kernel's jump in place of somebody's kprobe. */
static bool is_detoured(const struct code_source *source, uint64_t func, uint64_t at,
			const uint8_t *code, size_t size)
{
	uint8_t there[CODE_DETOUR];
	struct branch_insn insn;

	return !branch_decode(code + at, size - at, func + at, &insn) && insn.kind == BRANCH_JUMP &&
	       insn.target - func >= size &&
	       source->read(source->arg, insn.target, there, sizeof(there)) == sizeof(there) &&
	       code_is_detour(there);
}

/* For CPUs whose instructions have one size. */
static struct point_check check_aligned(uint64_t size, uint64_t offset, uint64_t insn_size)
{
	struct point_check check = { .place = POINT_GOOD };

	if (size && offset >= size) {
		check.place = POINT_OUTSIDE;
		check.have_before = size >= insn_size;
		check.before = check.after = size - insn_size;
	} else if (offset % insn_size) {
		check.place = POINT_MIDDLE;
		check.have_before = true;
		check.before = offset - offset % insn_size;
		check.after = check.before + insn_size;
		if (size && check.after >= size)
			check.after = check.before;
	}
	return check;
}

void point_check(const struct code_source *source, uint64_t func, uint64_t size, uint64_t offset,
		 struct point_check *ret_check)
{
	bool outside = size && offset >= size;
	struct point_check check = { .place = outside ? POINT_OUTSIDE : POINT_UNKNOWN };
	/* Room for the instruction that the offset is in. */
	uint64_t want = size ?: offset + 16, at = 0, last = 0, next;
	_cleanup_(free_p) uint8_t *code = NULL;
	long have = 0;

	if (arch_native->insn_size) {
		*ret_check = check_aligned(size, offset, arch_native->insn_size);
		return;
	}
	if (!offset)
		check.place = POINT_GOOD;
	if (offset && want <= MAX_FUNCTION)
		code = malloc(want);
	if (code)
		have = source->read(source->arg, func, code, want);
	while (have > 0 && at < (uint64_t)have) {
		bool probed = code_is_probed(code + at, code + last, at - last) ||
			      is_detoured(source, func, at, code, have);
		size_t length = probed ? 0 : instruction_length(code + at, have - at);

		/* This also judges an offset in the padding after the last instruction. */
		if (at == offset) {
			check.place = length && has_breakpoint(code + at, have - at) ?
					      POINT_BREAKS :
					      POINT_GOOD;
			break;
		}
		if (!length)
			break;
		next = at + length;
		if (offset < next) {
			check.place = POINT_MIDDLE;
			check.have_before = true;
			check.before = at;
			check.after = !size || next < size ? next : at;
			break;
		}
		last = at;
		at = next;
	}
	if (outside && at == size) {
		check.have_before = true;
		check.before = check.after = last;
	}
	*ret_check = check;
}
