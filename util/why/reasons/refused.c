// SPDX-License-Identifier: BSD-2-Clause
/* Reads facts about the object whose access was refused. */
#include "util/why/reasons/refused.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/explain/function/function_code.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/operands.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"
#include "util/kernel/types/object_name.h"
#include "util/plan/points/probes.h"
#include "util/why/way/target.h"

/* The register with the parameter of type `struct inode *`, and that type. -1: there is none. */
static int inode_register(const struct btf *btf, const struct btf_type *proto, uint32_t *ret_type)
{
	for (uint32_t i = 0; i < btf_vlen(proto) && operands_parameter(i) >= 0; i++) {
		uint32_t id = btf_pointee(btf, btf_params(proto)[i].type);
		const struct btf_type *type = btf_underneath_id(btf, id, ret_type);

		if (type && btf_is_struct(type) && !strcmp(btf_type_name(btf, type), "inode"))
			return operands_parameter(i);
	}
	return -1;
}

/* Find the offset of a member with that size. */
static bool find_member(const struct btf *btf, uint32_t type, const char *name, int64_t size,
			uint32_t *ret_at)
{
	struct btf_place place;

	if (!btf_find_member(btf, type, name, &place) || place.bits ||
	    btf_size_of(btf, place.type) != size || place.bit_offset / 8 > INT16_MAX)
		return false;
	*ret_at = place.bit_offset / 8;
	return true;
}

static int fill_captures(struct kernel_btf *kernel_btf, const char *function,
			 struct probe_capture *captures)
{
	struct refused_object *object;
	uint32_t id, types, names, inode, mode, uid, gid;
	struct object_name name;
	const struct btf *btf;
	int module, reg;

	if (kernel_btf_find_func(kernel_btf, function, NULL, &id, &module) ||
	    !kernel_btf_protos(kernel_btf, module, id, &types, &names))
		return -ENOENT;
	btf = kernel_btf_types(kernel_btf, module);
	reg = inode_register(btf, btf__type_by_id(btf, types), &inode);
	if (reg < 0 || code_saved_at(reg) < 0)
		return -ENOENT;
	for (int i = 0; i < REFUSED_PROBES; i++)
		captures[i].names[0].reg = captures[i].memory_register = code_saved_at(reg) / 8;
	name = object_name_find(btf, inode);
	captures[0].names[0].nr_steps = name.nr_steps;
	memcpy(captures[0].names[0].steps, name.steps, name.nr_steps * sizeof(name.steps[0]));
	if (find_member(btf, inode, "i_mode", sizeof(object->mode), &mode)) {
		captures[0].memory_size = sizeof(object->mode);
		captures[0].memory_at = mode;
	}
	/* i_uid and i_gid are next to each other (include/linux/fs.h, 5.10 to 7.2). */
	if (find_member(btf, inode, "i_uid", sizeof(object->uid), &uid) &&
	    find_member(btf, inode, "i_gid", sizeof(object->gid), &gid) &&
	    gid == uid + sizeof(object->uid)) {
		captures[1].memory_size = sizeof(object->uid) + sizeof(object->gid);
		captures[1].memory_at = uid;
	}
	return 0;
}

int refused_place(const struct target *target, struct code_reader *reader, struct kernel_btf *btf,
		  struct probes *probes)
{
	uint32_t bytes = code_saved_registers() + sizeof(struct probe_tail);
	struct probe_capture captures[REFUSED_PROBES] = {
		{ .fixed = bytes, .has_tail = true },
		{ .fixed = bytes, .has_tail = true },
	};
	uint64_t body = function_body(reader, &target->function);
	struct branch_insn insn;
	int err;

	/* Only at the function's beginning do registers certainly have the parameters. */
	if (!btf || target->module || !code_saved_registers() || code_branch(reader, body, &insn) ||
	    insn.kind != BRANCH_NONE || code_breaks_kprobe(&insn) ||
	    (reader->symbolizer && symbolizer_is_changed(reader->symbolizer, target->function.addr)) ||
	    fill_captures(btf, target->function.name, captures))
		return -ENOENT;
	err = target_add_point(target, reader, probes, body, captures[0]);
	return err ?: target_add_point(target, reader, probes, body, captures[1]);
}

int refused_take(uint32_t probe, const uint8_t *data, uint32_t size, struct refused_object *object)
{
	struct probe_tail tail;

	if (size < code_saved_registers() + sizeof(tail))
		return 0;
	memcpy(&tail, data + code_saved_registers(), sizeof(tail));
	if (probe) {
		object->has_owner = tail.is_read;
		object->uid = tail.value;
		object->gid = tail.value >> 32;
		return 0;
	}
	object->mode = tail.value;
	object->has_mode = tail.is_read && object->mode & S_IFMT;
	if (!*tail.names[0])
		return 0;
	free(object->name);
	object->name = strndup(tail.names[0], PROBE_NAME_BYTES - 1);
	return object->name ? 0 : -ENOMEM;
}
