// SPDX-License-Identifier: BSD-2-Clause
/* Chooses places for probes in a function's blocks. */
#include "util/why/way/target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/code/fault_table.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/symbols/symbols.h"
#include "util/plan/attached.h"
#include "util/plan/points/probes.h"
#include "util/why/way/narrow.h"

/* Bytes that BPF keeps of a hit, which only has to be seen. A multiple of 8. */
#define HIT_BYTES 16

int target_init(struct target *target, struct code_reader *reader, const struct symbol *symbol,
		const struct fault_table *faults)
{
	int err;

	*target = (struct target){
		.function = { symbol->addr, symbol->size, symbol->name },
		.module = symbol->module,
		.pointer = TARGET_NO_PROBE,
		.faults = faults,
		/* Nothing is known yet, nor that the caller passed the result. */
		.decision.given_in = -1,
	};
	err = block_graph_build(reader, &target->function, faults, &target->graph);
	if (err == -ENOMEM)
		return err;
	if (err) {
		target->unusable = err == -E2BIG ? "its code is too long" :
						   "its code cannot be followed";
		return 0;
	}
	target->marks = calloc(target->graph.blocks.len, 1);
	target->probed = calloc(target->graph.blocks.len, 1);
	return target->marks && target->probed ? 0 : -ENOMEM;
}

void target_release(struct target *target)
{
	block_graph_release(&target->graph);
	way_release(&target->way);
	decision_release(&target->decision);
	condition_release(&target->condition);
	vec_release(&target->probes);
	vec_release(&target->refused);
	vec_release(&target->hits);
	vec_release(&target->sites);
	free(target->marks);
	free(target->probed);
}

/* Probes that the whole way may need more than a part of it: they cost less than another run. */
#define MORE_PROBES 8

/* As placement_choose(). The anchor is forgotten if the whole way takes few more probes. */
static int choose_from_anchor(struct target *target, uint32_t max)
{
	int part = placement_choose(&target->graph, target->anchor, target->marks, max, target->probed);
	int whole;

	if (part < 0 || !target->anchor)
		return part;
	whole = placement_choose(&target->graph, 0, target->marks, max, target->probed);
	if (whole <= (int)max && whole <= part + MORE_PROBES) {
		target->anchor = 0;
		return whole;
	}
	return placement_choose(&target->graph, target->anchor, target->marks, max, target->probed);
}

/*
 * Choose blocks that show the way. If blocks next to the exit did not show it, and it needs more
 * probes than possible, choose blocks that halve the remaining ways: then the pass only asks
 * which of these are passed.
 */
static int choose_blocks(struct target *target, uint32_t max)
{
	int needed = choose_from_anchor(target, max), nr;

	target->asks = false;
	if (needed <= (int)max + 1 || !target->ambiguous)
		return needed;
	nr = narrow_choose(&target->graph, target->marks, max, target->probed);
	target->asks = nr > 0;
	return nr ? nr :
		    placement_choose(&target->graph, target->anchor, target->marks, max,
				     target->probed);
}

static bool is_refused(const struct target *target, uint64_t addr, bool by_breakpoint)
{
	return vec_find(refused, &target->refused, refused->addr == addr && refused->by_breakpoint == by_breakpoint);
}

/* Whether an instruction cannot have a kprobe because it may fault. */
static bool is_refused_fault(const struct target *target, uint64_t addr)
{
	return arch_native->faults_refuse_kprobes && target->faults &&
	       fault_table_at(target->faults, addr);
}

static bool fault_leads_to(const struct target *target, const struct block *to)
{
	uint32_t index = to - target->graph.blocks.data;

	return vec_find(block, &target->graph.blocks, block_after_fault(block) == index);
}

/* Where a breakpoint of the CPU shows that a block was passed; 0: nowhere. */
static uint64_t breakpoint_in(const struct target *target, struct code_reader *reader, const struct block *block)
{
	struct branch_insn insn;
	uint64_t addr = block->addr;

	if (arch_native->faults_hide_breakpoints && fault_leads_to(target, block)) {
		if (code_branch(reader, addr, &insn) || insn.length >= block->end - addr)
			return 0;
		addr += insn.length;
	}
	return is_refused(target, addr, true) ? 0 : addr;
}

/*
 * Choose an instruction of a block for the probe: all show the same. Instructions that the kernel
 * may patch come last, since it is likely to refuse them. 0: none is left.
 */
static uint64_t place_in(const struct target *target, struct code_reader *reader,
			 const struct block *block)
{
	uint64_t body = function_body(reader, &target->function);
	struct branch_insn insn;
	uint64_t second = 0;

	/* A breakpoint changes no code, so it can be anywhere. */
	if (target->by_breakpoints)
		return breakpoint_in(target, reader, block);
	for (uint64_t addr = block->addr; addr < block->end; addr += insn.length) {
		if (code_branch(reader, addr, &insn))
			break;
		/*
		 * Before the body, where tracing puts its call, a probe would count as one of the
		 * entry.
		 */
		if (is_refused(target, addr, false) || (addr >= target->function.addr && addr < body) ||
		    code_breaks_kprobe(&insn) || is_refused_fault(target, addr) ||
		    code_forbids_kprobe(reader, addr))
			continue;
		if (!code_refuses_kprobe(reader, addr))
			return addr;
		second = second ?: addr;
	}
	return second;
}

/* A capture of the first @bytes bytes of the registers. */
static struct probe_capture registers(uint32_t bytes)
{
	return (struct probe_capture){ .fixed = bytes };
}

static int add_point(const struct target *target, struct probes *probes, uint64_t addr,
		     struct probe_capture capture, bool by_breakpoint)
{
	struct probe probe = {
		.kind = PROBE_KPROBE,
		.name = target->function.name,
		.module = target->module,
		.addr = addr,
		.func = target->function.addr,
		.func_size = target->function.size,
		.offset = addr - target->function.addr,
		.capture = capture,
		.by_breakpoint = by_breakpoint,
		.by_glob = true,
	};
	int err;

	probe.text = strf("%s:%s+0x%llx", by_breakpoint ? "breakpoint" : "kprobe",
			  probe.name, (unsigned long long)probe.offset);
	if (!probe.text)
		return -ENOMEM;
	err = vec_push(&probes->v, probe);
	if (err) {
		free(probe.text);
		return err;
	}
	return 0;
}

int target_add_point(const struct target *target, struct code_reader *reader, struct probes *probes,
		     uint64_t addr, struct probe_capture capture)
{
	bool by_breakpoint = target->by_breakpoints || is_refused(target, addr, false) ||
			     is_refused_fault(target, addr) || code_forbids_kprobe(reader, addr);

	return add_point(target, probes, addr, capture, by_breakpoint);
}

/* With a breakpoint where there is no place for a kprobe. */
static int add_probe(struct target *target, struct code_reader *reader, struct probes *probes,
		     uint32_t block)
{
	const struct block *at = &target->graph.blocks.data[block];
	uint64_t place = place_in(target, reader, at), addr = place ?: breakpoint_in(target, reader, at);
	bool by_breakpoint = target->by_breakpoints || !place;

	return add_point(target, probes, addr, registers(HIT_BYTES), by_breakpoint) ?:
	       vec_push(&target->probes, (struct target_probe){ block, addr, probes->v.len - 1, by_breakpoint });
}

bool target_wants_pointer(const struct target *target)
{
	return target->pointer != TARGET_NO_PROBE && !target->callee &&
	       target->pointer_tried < TARGET_MAX_POINTER_TRIES;
}

struct pointer_site *target_site(struct target *target, uint64_t call)
{
	return vec_find(site, &target->sites, site->call == call);
}

int target_place_site(struct target *target, struct probes *probes, struct pointer_site *site)
{
	bool by_breakpoint = target->by_breakpoints || site->breaks;
	uint32_t breakpoints = 0;

	vec_foreach(probe, &probes->v)
		breakpoints += probe->by_breakpoint;
	if (by_breakpoint && breakpoints >= TARGET_BREAKPOINTS_IN_ALL)
		return 0;
	site->probe = probes->v.len;
	return add_point(target, probes, site->call, registers(code_saved_registers()),
			 by_breakpoint);
}

/*
 * Mark the blocks that can have no probe. Returns how many. @breakpoints	those that can have one count as
 * others
 */
static uint32_t mark_refused(struct target *target, struct code_reader *reader, bool breakpoints)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < target->graph.blocks.len; i++) {
		const struct block *block = &target->graph.blocks.data[i];

		if (place_in(target, reader, block) || (breakpoints && breakpoint_in(target, reader, block)))
			target->marks[i] &= ~BLOCK_REFUSED;
		else
			target->marks[i] |= BLOCK_REFUSED;
		nr += !!(target->marks[i] & BLOCK_REFUSED);
	}
	return nr;
}

/*
 * Choose blocks that cannot have a kprobe, too: breakpoints go there. Returns how many blocks were chosen; 0:
 * none needs a breakpoint, or there are not enough of these; -ENOMEM.
 */
static int choose_with_breakpoints(struct target *target, struct code_reader *reader,
				   const struct probes *probes, uint32_t max)
{
	uint32_t taken = 0, own = 0;
	int nr;

	mark_refused(target, reader, true);
	nr = choose_blocks(target, max);
	mark_refused(target, reader, false);
	vec_foreach(probe, &probes->v)
		taken += probe->by_breakpoint;
	for (uint32_t i = 0; i < target->graph.blocks.len; i++)
		own += target->probed[i] && target->marks[i] & BLOCK_REFUSED;
	target->breakpoints_too = nr > 0 && own && taken + own <= TARGET_BREAKPOINTS_IN_ALL;
	return nr < 0 || target->breakpoints_too ? nr : 0;
}

int target_place(struct target *target, struct code_reader *reader, struct probes *probes,
		 uint32_t max)
{
	uint32_t n = target->graph.blocks.len, refused;
	int err;

	target->probes.len = 0;
	target->breakpoints_too = false;
	refused = mark_refused(target, reader, false);
	if (target->by_breakpoints) {
		err = narrow_choose(&target->graph, target->marks,
				    max < TARGET_MAX_BREAKPOINTS ? max : TARGET_MAX_BREAKPOINTS,
				    target->probed);
		target->asked_all = !err;
	} else {
		/* The other probes did not tell the ways apart. */
		err = target->ambiguous && refused ?
			      choose_with_breakpoints(target, reader, probes, max) :
			      0;
		if (!err)
			err = choose_blocks(target, max);
	}
	for (uint32_t i = 0; err >= 0 && i < n; i++) {
		if (target->probed[i])
			err = add_probe(target, reader, probes, i);
	}
	return err < 0 ? err : 0;
}

int target_is_asked(struct target *target)
{
	_cleanup_(free_p) uint8_t *next = calloc(target->graph.blocks.len + 1, 1);
	int nr = next ? narrow_choose(&target->graph, target->marks, TARGET_MAX_BREAKPOINTS, next) : -ENOMEM;

	return nr < 0 ? nr : !nr;
}

int target_learn(struct target *target, const struct attached *attached)
{
	vec_foreach(probe, &target->probes) {
		if (!attached_refused_probe(attached, probe->index))
			continue;
		target->probed[probe->block] = 0;
		if (vec_push(&target->refused, (struct refused_place){ probe->addr, probe->by_breakpoint }))
			return -ENOMEM;
	}
	return 0;
}

uint32_t target_block_at(const struct target *target, uint64_t addr)
{
	vec_foreach(block, &target->graph.blocks) {
		if (addr >= block->addr && addr < block->end)
			return block - target->graph.blocks.data;
	}
	return 0;
}

uint32_t target_block_of(const struct target *target, uint32_t probe)
{
	vec_foreach(own, &target->probes) {
		if (own->index == probe)
			return own->block;
	}
	return BLOCK_EXIT;
}

/* Rule out ways: each probe's block is on the way or not. */
static int rule_out(struct target *target)
{
	int err = 0;

	vec_foreach(probe, &target->probes) {
		bool passed = false;

		if (err || !target->probed[probe->block])
			continue;
		vec_foreach(hit, &target->hits)
			passed |= *hit == probe->block;
		target->marks[probe->block] |= BLOCK_ASKED;
		err = narrow_learn(&target->graph, probe->block, passed);
	}
	return err ?: narrow_way(&target->graph, &target->way);
}

int target_find_way(struct target *target)
{
	int err;

	if (target->by_breakpoints || target->asks)
		return rule_out(target);
	err = placement_way(&target->graph, target->probed, target->hits.data,
				target->hits.len, &target->way);

	if (err || target->way.begin != WAY_AMBIGUOUS)
		return err;
	/* Next time, examine the whole way. */
	target->anchor = 0;
	vec_foreach(hit, &target->hits)
		target->marks[*hit] |= BLOCK_WANTED;
	return placement_want(&target->graph, target->probed, &target->way, target->marks);
}
