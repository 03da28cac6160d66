/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tasks and interrupts that make calls, on the CPUs of tests/unit/fake_bpf.h; and a model that knows
 * what the engine makes of it: not from stack pointers, as the engine has to, but because it sees
 * all that happens.
 */
#ifndef RETSNOOP_TESTS_UNIT_ENGINE_MODEL_H
#define RETSNOOP_TESTS_UNIT_ENGINE_MODEL_H

#include <errno.h>

#include "bpf/event.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/attach/contexts.h"

/* Each side calls its own so. */
#define session shown_session
#include "util/trace/session/assembler.h"
#include "util/trace/session/session.h"
#undef session

#include "tests/unit/fake_bpf.h"

#define NR_FUNCS 70000
#define MAX_SESSIONS 64
#define MAX_REAL_DEPTH 300

/* Traced functions; their ids are far apart, and some do not fit in 16 bits. */
static const struct traced_func {
	uint32_t id;
	bool entry;
	enum return_kind returns;
} funcs[] = {
	{ 69999, true, RETURN_INT32 },	  { 3, true, RETURN_INT32 },
	{ 65539, true, RETURN_INT32 },	  { 65535, false, RETURN_INT32 },
	{ 65536, false, RETURN_POINTER }, { 0, false, RETURN_VOID },
	{ 69998, false, RETURN_INT64 },	  { 42, false, RETURN_INT32 },
};
#define NR_ENTRIES 3

/* xorshift: the same calls on every machine. */
static uint64_t state;

static uint64_t draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % below;
}

static bool one_in(uint64_t n)
{
	return !draw(n);
}

/* What happens to the return probe of a call. */
enum fate {
	SEEN,
	UNHOOKED, /* no instance left: the return address is not replaced */
	SKIPPED, /* replaced, but the program does not run */
};

/* A call that is under way. */
struct real_call {
	const struct traced_func *func;
	uint64_t sp, frame;
	enum fate fate;
	bool entry_seen;
	bool tail, done; /* it was tail-called; it left by a tail call */
};

/* What happened in a session, edge by edge. */
struct happened {
	enum call_kind kind; /* CALL_ENTER, CALL_RETURN, CALL_UNSEEN, CALL_DEEP */
	uint32_t func, depth, count;
	uint64_t time_ns, result;
	size_t entry; /* of returns: where in the list */
};

enum ending { OPEN, SENT, NO_ROOM, FILTERED, GIVEN_UP };

struct model {
	uint64_t id;
	VEC(struct happened) list;
	struct {
		const struct traced_func *func;
		size_t real, entry; /* indexes of real_call and of happened */
		enum fate fate;
		bool over; /* it returned, unseen */
	} kept[EVENT_MAX_DEPTH];
	uint32_t nr, calls, truncated;
	enum event_context context;
	int tid, pid;
	bool fn_longer, failed;
	uint64_t result, end_ns, calls_lost;
	enum ending ending;
	uint32_t parts, drops, others; /* records that came */
	bool shown;
};

#define STACK_WORDS 4096

/* A task, one of a CPU's interrupt contexts, or a task's softirqs with PREEMPT_RT. */
struct walker {
	enum event_context context;
	struct task_struct task;
	bool running;
	struct real_call calls[MAX_REAL_DEPTH];
	unsigned int nr;
	unsigned int top; /* of the stack, from its end */
	struct model *session; /* as the engine has it: maybe one that is over */
	uint64_t stack[STACK_WORDS];
};

#define NR_TASKS 6
#define TASKS_SOFTIRQS (NR_TASKS + 3 * FAKE_CPUS)
#define NR_WALKERS (TASKS_SOFTIRQS + NR_TASKS)
#define STACK_BASE(index) (0xffffc90000000000ull + (index)*0x100000ull)
#define HOOK 0xffffffff81000999ull

static struct walker walkers[NR_WALKERS];

static int read_stack(void *to, uint64_t addr)
{
	size_t index = (addr - STACK_BASE(0)) / 0x100000, word = (addr & 0xfffff) / 8;

	if (addr < STACK_BASE(0) || index >= NR_WALKERS || word >= STACK_WORDS)
		return -EFAULT;
	memcpy(to, &walkers[index].stack[word], sizeof(uint64_t));
	return 0;
}

static uint64_t *stack_word(struct walker *walker, uint64_t sp)
{
	return &walker->stack[(sp & 0xfffff) / 8];
}

/*
 * What programs see where a function returns to fprobe or to a kretprobe, from the stack pointer that
 * it had at its entry. The registers are right below the stack that it returns with, but not all
 * kernels fill them in.
 */
static const struct kernel_exit {
	bool never_written;	/* whatever was in memory where the stack pointer should be */
	int sp;
	int context_end;
	struct config_exit_sp way;	/* what helps */
} exits[] = {
	{ false, 8, 8, { false, 8 } },	/* up to 6.13; from 6.18.13 on */
	{ true, 0, 8, { true, 8 } },	/* 6.14 to 6.17 */
	{ false, -168, 0, { true, 0 } },	/* 6.18 to 6.18.12 */
};

/* How programs are attached; and what goes wrong. */
static struct {
	const struct kernel_exit *exit;
	bool trampolines; /* no return address is replaced, all returns are seen */
	bool by_sp; /* return probes do not know which function it is */
	bool misses;
	bool moves; /* system calls begin at different places of the stack */
	bool exits; /* tasks exit, and others get their task_struct */
	unsigned int enters; /* in a hundred steps */
	unsigned int max_nr; /* calls within calls */
	uint32_t max_sessions;
	size_t ring_size;
	bool bursts; /* at times the ring buffer has no room at all */
} how;

static struct event_stats *counters(void)
{
	uint32_t zero = 0;

	return bpf_map_lookup_elem(&stats, &zero);
}

/* The newest branch is told by the call that returns; how many there are, by its time. */
static struct event_branch cpu_branch;

static uint32_t nr_branches_at(uint64_t time_ns)
{
	return 1 + time_ns % EVENT_MAX_BRANCHES;
}

static long cpu_branches(struct event_branch *to, uint32_t max)
{
	uint32_t nr = nr_branches_at(cpu_branch.from);

	if (max != EVENT_MAX_BRANCHES)
		abort();
	for (uint32_t i = 0; i < nr; i++) {
		to[i] = cpu_branch;
		to[i].from += i;
	}
	return nr;
}

/* How the kernel counts: what a hardirq adds, and whether softirqs are PREEMPT_RT's. */
static uint32_t hardirq_offset;

static void take_layout(uint32_t hardirq, bool realtime)
{
	const struct context_facts facts = { .found = true, .typed = true, .bytes = 8,
					     .seen_hardirq = hardirq, .realtime = realtime };
	struct contexts contexts;

	contexts_choose(&facts, &contexts);
	config.contexts = contexts.bits;
	hardirq_offset = hardirq;
	fake.realtime = realtime;
}

static void set_up(uint32_t max_sessions, uint32_t trace_size)
{
	fake_release();
	memset(&walkers, 0, sizeof(walkers));
	memset((void *)&config, 0, sizeof(config));
	config.preempt_variable = 1;
	recording = 1;
	config.attach_cookies = 1;
	config.trace = 1;
	config.nmi = 1;
	config.trace_size = trace_size;
	config.max_depth = EVENT_MAX_DEPTH;
	take_layout(0x10000, false);
	fake_add(&events, FAKE_ARRAY, 4, 1, 0);
	fake_add(&sessions, FAKE_HASH, 8, 4, max_sessions);
	fake_add(&slots, FAKE_ARRAY, 4, sizeof(struct slot) + trace_size * sizeof(struct event_call),
		 max_sessions);
	fake_add(&free_slots, FAKE_STACK, 0, 4, max_sessions);
	fake_add(&branches, FAKE_ARRAY, 4, sizeof(struct branch_bufs), max_sessions);
	fake_add(&stats, FAKE_ARRAY, 4, sizeof(struct event_stats), 1);
	for (uint32_t slot = 0; slot < max_sessions; slot++)
		bpf_map_push_elem(&free_slots, &slot, 0);
	fake.now_ns = 1000000;
	fake.ring_size = SIZE_MAX;
	fake.read = read_stack;
	fake.branches = cpu_branches;
	for (unsigned int i = 0; i < NR_WALKERS; i++) {
		struct walker *walker = &walkers[i];

		walker->context = i < NR_TASKS	     ? CONTEXT_TASK :
				  i < TASKS_SOFTIRQS ? 1 + (i - NR_TASKS) % 3 :
						       CONTEXT_SOFTIRQ;
		walker->task = (struct task_struct){ .pid = 100 + i, .tgid = 100 + i / 2 };
		walker->task.group_leader = &walkers[i / 2 * 2].task;
		memcpy(walker->task.comm, "walker", sizeof("walker"));
		walker->top = 64;
	}
	fake.task = &walkers[0].task;
	how = (__typeof__(how)){ .exit = &exits[0], .enters = 50, .max_nr = 20,
				 .max_sessions = max_sessions };
	config.kprobe_exit = how.exit->way;
}

static uint64_t cookie_of(const struct traced_func *func)
{
	return func->id | (func->entry ? COOKIE_ENTRY : 0) |
	       (uint64_t)func->returns << COOKIE_RETURNS_SHIFT;
}

static uint64_t key_of(const struct walker *walker)
{
	if (walker->context == CONTEXT_TASK)
		return (uintptr_t)&walker->task;
	if (walker->context == CONTEXT_SOFTIRQ && fake.realtime)
		return (uintptr_t)fake.task | CONTEXT_SOFTIRQ;
	return (uint64_t)walker->context << 32 | fake.cpu;
}

static struct {
	unsigned int branches, no_branches, all_branches_lost;
	unsigned int shown, contexts[4], lines, losses, cut, deep, unseen, dropped,
		filtered_quietly, no_room, given_up, whole, no_durations, exits, keepers, shared;
} tally;

/* All sessions of a round. */
static struct {
	VEC(struct model *) all;
	uint32_t open;
	struct assembler *assembler;
} round_of;

static void happens(struct model *model, struct happened what)
{
	what.time_ns = what.kind == CALL_DEEP ? model->list.data[model->list.len - 1].time_ns :
						fake.now_ns;
	if (vec_push(&model->list, what))
		abort();
}

static void forget_top(struct model *model, uint32_t nr)
{
	uint32_t count = model->nr - nr;

	model->nr = nr;
	if (count && nr)
		happens(model, (struct happened){ CALL_UNSEEN, .depth = nr, .count = count });
}

static void model_enter(struct walker *walker, const struct traced_func *func)
{
	struct model *model = walker->session;
	uint32_t nr;

	if (model) {
		nr = model->nr;
		while (nr && (model->kept[nr - 1].over || model->kept[nr - 1].fate == UNHOOKED))
			nr--;
		forget_top(model, nr);
		if (!nr) {
			model->ending = GIVEN_UP;
			round_of.open--;
			walker->session = model = NULL;
		}
	}
	if (!model) {
		if (!func->entry || round_of.open == how.max_sessions ||
		    (walker->context == CONTEXT_NMI && !config.nmi))
			return;
		model = calloc(1, sizeof(*model));
		if (!model || vec_push(&round_of.all, model))
			abort();
		model->context = walker->context;
		model->tid = fake.task->pid;
		model->pid = fake.task->tgid;
		walker->session = model;
		round_of.open++;
	}
	if (model->nr == config.max_depth) {
		struct happened *last = &model->list.data[model->list.len - 1];

		model->truncated++;
		if (last->kind == CALL_DEEP)
			last->count++;
		else
			happens(model,
				(struct happened){ CALL_DEEP, .depth = model->nr, .count = 1 });
		return;
	}
	model->kept[model->nr].func = func;
	model->kept[model->nr].real = walker->nr - 1;
	model->kept[model->nr].entry = model->list.len;
	model->kept[model->nr].fate = walker->calls[walker->nr - 1].fate;
	model->kept[model->nr].over = false;
	happens(model, (struct happened){ CALL_ENTER, func->id, model->nr++ });
	model->calls++;
}

static uint32_t kept_index(const struct model *model, size_t real)
{
	uint32_t i = 0;

	while (i < model->nr && (model->kept[i].real != real || model->kept[i].over))
		i++;
	return i;
}

static bool result_fails(const struct traced_func *func, uint64_t result)
{
	return func->returns == RETURN_INT32 && (int32_t)result < 0 && (int32_t)result >= -4095;
}

/* Whether a session that ended is to be sent. */
static bool should_pass(const struct model *model, uint64_t duration_ns)
{
	if (duration_ns < config.longer_ns || (config.fn_longer_ns && !model->fn_longer))
		return false;
	if (config.filter_result && (int32_t)model->result >= -1000)
		return false;
	return config.successes || model->failed;
}

/* The return of the innermost real call was seen. @ret_pass: what it makes of the session */
static bool model_return(struct walker *walker, uint64_t result, bool *ret_pass)
{
	struct model *model = walker->session;
	struct happened *entry;
	uint32_t index;
	uint64_t took;

	if (!model)
		return false;
	index = kept_index(model, walker->nr - 1);
	if (index == model->nr)
		return false;
	forget_top(model, index + 1);
	entry = &model->list.data[model->kept[index].entry];
	took = fake.now_ns - entry->time_ns;
	happens(model, (struct happened){ CALL_RETURN, model->kept[index].func->id, index,
					  .result = result, .entry = model->kept[index].entry });
	model->nr = index;
	if (index) {
		if (config.fn_longer_ns && took >= config.fn_longer_ns)
			model->fn_longer = true;
		return false;
	}
	model->result = result;
	model->end_ns = fake.now_ns;
	model->failed = result_fails(model->kept[0].func, result);
	*ret_pass = should_pass(model, took);
	return true;
}

/* What CPUs do at once takes no time: the model takes the time after the engine does. */
static bool time_stands;

static void time_passes(void)
{
	if (time_stands)
		return;
	fake.now_ns += 1 + draw(100);
	if (one_in(500))
		fake.now_ns += 500000000 + draw(3000000000);
}

static bool has_over(const struct walker *walker)
{
	return walker->session && walker->session->nr &&
	       walker->session->kept[walker->session->nr - 1].over;
}

/* The slot that a task or interrupt owns, whatever leads to it; or NULL. */
static inline const struct session_state *session_of(uint64_t key)
{
	const struct fake_map *all = fake_map(&slots);
	const struct session_state *found = NULL;

	for (uint32_t i = 0; i < all->max; i++) {
		const struct session_state *session = all->values[i];

		if (session->key == key)
			found = session;
	}
	return found;
}

static inline uint32_t owned_slots(void)
{
	return fake_map(&slots)->max - fake_map(&free_slots)->nr;
}

/* What leads to a session, which may be closed. */
static inline const struct slot *found_slot(const struct session_state *session)
{
	return session->flags & SESSION_KEEPS_GATE ? gate_slot(session->key, session->gate) :
						     session_search(session->key);
}

/* Each slot is free, or belongs to one session. */
static inline const char *check_slots(void)
{
	const struct fake_map *all = fake_map(&slots), *unused = fake_map(&free_slots);
	unsigned int owners[MAX_SESSIONS] = { 0 };

	for (uint32_t i = 0; i < unused->nr; i++)
		owners[*(uint32_t *)unused->values[i]]++;
	for (uint32_t i = 0; i < all->max; i++) {
		const struct session_state *session = all->values[i];

		if (!session->key && session->depth)
			return "an open session is nobody's";
		if (session->key && session->slot != i)
			return "a session is in another slot";
		if (session->key && found_slot(session) != all->values[i])
			return "a session is not found";
		owners[i] += session->key != 0;
	}
	for (unsigned int i = 0; i < all->max; i++) {
		if (!owners[i])
			return "a slot is lost";
		if (owners[i] > 1)
			return "a slot has two owners";
	}
	return NULL;
}

static uint64_t session_id(const struct walker *walker)
{
	uint64_t key = key_of(walker);
	const struct session_state *session = session_find(key, gate_of(key, walker->context));

	return session ? session->id : ~0ull;
}

static void enter(struct walker *walker, const struct traced_func *func, enum fate fate,
		  bool entry_seen, bool tail, uint64_t frame)
{
	const struct real_call *caller = walker->nr ? &walker->calls[walker->nr - 1] : NULL;
	struct real_call *call = &walker->calls[walker->nr];

	call->func = func;
	call->fate = fate;
	call->entry_seen = entry_seen;
	call->frame = frame;
	call->tail = tail;
	call->done = false;
	if (tail)
		walker->calls[walker->nr - 1].done = true;
	/* Another system call may begin at another place; what was there before is overwritten. */
	if (!caller && how.moves && one_in(3)) {
		walker->top = 8 * (8 + draw(64));
		memset(walker->stack, 0, sizeof(walker->stack));
	}
	call->sp = !caller ? STACK_BASE(walker - walkers) + 8 * STACK_WORDS - walker->top :
		   tail	   ? caller->sp :
			     caller->sp - caller->frame - 8;
	walker->nr++;
	if (!tail)
		*stack_word(walker, call->sp) = 0xffffffff81000000ull + func->id;
	time_passes();
	if (entry_seen) {
		on_entry((void *)call->sp, cookie_of(func), how.trampolines, call->sp);
		model_enter(walker, func);
		if (walker->session && walker->session->list.len == 1) {
			const struct session_state *session = session_of(key_of(walker));

			walker->session->id = session_id(walker);
			if (session && session->flags & SESSION_KEEPS_GATE)
				tally.keepers++;
			else
				tally.shared += walker->context == CONTEXT_TASK;
		}
	}
	if (fate != UNHOOKED && !how.trampolines)
		*stack_word(walker, call->sp) = HOOK;
}

/* The stack pointer as a return's program hands it on. */
static uint64_t sp_at_exit(const struct real_call *call)
{
	const struct kernel_exit *exit = how.exit;
	static struct pt_regs regs;

	if (how.trampolines)
		return call->sp;
	regs.rsp = exit->never_written ? draw(~0ull) * draw(2) : call->sp + exit->sp;
	return entry_sp(config.kprobe_exit.by_context ?
				(struct pt_regs *)(call->sp + exit->context_end) - 1 :
				&regs,
			&config.kprobe_exit);
}

/* Returns false when the engine does not do with the session what it should. */
static bool leave(struct walker *walker, uint64_t result)
{
	const struct real_call *call = &walker->calls[walker->nr - 1];
	struct event_stats before = *counters(), *after = counters();
	struct model *model = walker->session;
	bool pass, ok = true;
	uint64_t snapshot;
	uint32_t index;

	time_passes();
	if (call->fate == SEEN) {
		cpu_branch = (struct event_branch){ fake.now_ns, result, call->func->id };
		snapshot = snapshot_take((void *)call->sp);
		engine_exit((void *)call->sp, how.by_sp ? COOKIE_ANY : cookie_of(call->func),
			    sp_at_exit(call), result, snapshot);
		if (model_return(walker, result, &pass)) {
			model->calls_lost = after->calls_lost - before.calls_lost;
			model->ending = !pass				? FILTERED :
					after->no_room > before.no_room ? NO_ROOM :
									  SENT;
			ok = after->sent - before.sent == (model->ending == SENT) &&
			     after->no_room - before.no_room == (model->ending == NO_ROOM) &&
			     after->filtered - before.filtered == (model->ending == FILTERED) &&
			     !session_of(key_of(walker));
			walker->session = NULL;
			round_of.open--;
		}
	} else if (model) {
		index = kept_index(model, walker->nr - 1);
		for (; index < model->nr; index++)
			model->kept[index].over = true;
	}
	walker->nr--;
	return ok;
}

static bool enter_any(struct walker *walker)
{
	const struct real_call *caller = walker->nr ? &walker->calls[walker->nr - 1] : NULL;
	const struct traced_func *func = &funcs[draw(ARRAY_SIZE(funcs))];
	enum fate fate = SEEN;
	bool entry_seen = true, tail;

	if (!caller && one_in(2))
		func = &funcs[draw(NR_ENTRIES)];
	/*
	 * Where stack pointers and return addresses do not tell, a miss is taken for something
	 * else: such ones are left out.
	 */
	tail = caller && caller->fate == SEEN && caller->func != func && one_in(8) &&
	       !(how.misses && caller->tail) &&
	       !(walker->session && walker->session->nr == config.max_depth);
	if (how.misses && one_in(12) && !(func->entry && walker->nr))
		fate = tail || one_in(2) ? SKIPPED : UNHOOKED;
	if (how.misses && fate == SEEN && one_in(20) && !has_over(walker)) {
		entry_seen = false;
		if (one_in(2))
			fate = UNHOOKED;
	}
	enter(walker, func, fate, entry_seen, tail, 8 * (1 + draw(5)));
	return true;
}

static bool leave_any(struct walker *walker)
{
	uint64_t result = one_in(2) ? -(uint64_t)draw(5000) : draw(1000);

	return leave(walker, one_in(3) ? (uint32_t)result : result);
}

/* A CPU runs a task, and on top of it interrupts of rising kind. */
struct cpu {
	struct walker *stack[4];
	unsigned int nr;
};

static struct cpu cpus[FAKE_CPUS];

static void look_from(unsigned int number)
{
	const struct cpu *cpu = &cpus[number];
	/* Preemption and softirqs may be off in a task, too. */
	int count_now = draw(3), softirqs = one_in(3) ? 0x200 : 0;

	for (unsigned int i = 1; i < cpu->nr; i++) {
		if (cpu->stack[i]->context == CONTEXT_SOFTIRQ)
			softirqs += 0x100;
		else
			count_now += hardirq_offset *
				     (cpu->stack[i]->context == CONTEXT_HARDIRQ ? 1 : 0x11);
	}
	fake.cpu = number;
	fake.task = &cpu->stack[0]->task;
	if (fake.realtime)
		fake.task->softirq_disable_cnt = softirqs;
	else
		count_now |= softirqs;
	/* From 7.3 on: interrupts are off, and that is counted. */
	if (hardirq_offset > 0x10000 && one_in(3))
		count_now |= 0x20000;
	fake.preempt_counts[number] = count_now;
}

/* With PREEMPT_RT, softirqs run on the stack of the task that they come in. */
static struct walker *interrupt_of(unsigned int number, enum event_context context)
{
	if (context == CONTEXT_SOFTIRQ && fake.realtime)
		return &walkers[TASKS_SOFTIRQS + (cpus[number].stack[0] - walkers)];
	return &walkers[NR_TASKS + 3 * number + context - 1];
}

/* A task exits inside its calls. Until it is gone it may call more, and what that opens is closed. */
static inline void exit_task(struct walker *walker)
{
	const uint64_t key = key_of(walker);

	for (uint64_t sp = walker->nr ? walker->calls[walker->nr - 1].sp - 64 : STACK_BASE(0);;
	     sp = 0) {
		task_ends(key, sp);
		if (walker->session) {
			walker->session->ending = GIVEN_UP;
			walker->session = NULL;
			round_of.open--;
		}
		walker->nr = 0;
		memset(walker->stack, 0, sizeof(walker->stack));
		if (!sp)
			return;
		for (unsigned int i = draw(4); i; i--)
			enter(walker, &funcs[draw(ARRAY_SIZE(funcs))], SEEN, true, false, 8);
	}
}

static inline bool step(unsigned int number)
{
	struct cpu *cpu = &cpus[number];
	struct walker *top = cpu->stack[cpu->nr - 1], *other;
	bool ok;

	if (top->context < CONTEXT_NMI && one_in(15)) {
		enum event_context context = top->context + 1 + draw(CONTEXT_NMI - top->context);

		cpu->stack[cpu->nr++] = interrupt_of(number, context);
		return true;
	}
	if (top->context == CONTEXT_TASK && one_in(15)) {
		other = &walkers[draw(NR_TASKS)];
		if (!other->running) {
			top->running = false;
			other->running = true;
			cpu->stack[0] = other;
		}
		return true;
	}
	look_from(number);
	if (how.exits && top->context == CONTEXT_TASK && one_in(40)) {
		exit_task(top);
		tally.exits++;
		return !session_of(key_of(top));
	}
	if (!top->nr ||
	    (!top->calls[top->nr - 1].done && top->nr < how.max_nr && draw(100) < how.enters))
		ok = enter_any(top);
	else
		ok = leave_any(top);
	if (!top->nr && top->context != CONTEXT_TASK && one_in(2))
		cpu->nr--;
	return ok;
}

/* All calls return, tasks that do not run first get a CPU. */
static inline bool come_to_an_end(void)
{
	bool ok = true;

	for (unsigned int number = 0; number < FAKE_CPUS; number++) {
		struct cpu *cpu = &cpus[number];

		for (; cpu->nr; cpu->nr--) {
			look_from(number);
			while (cpu->stack[cpu->nr - 1]->nr)
				ok = leave_any(cpu->stack[cpu->nr - 1]) && ok;
		}
	}
	for (unsigned int i = 0; i < NR_TASKS; i++) {
		cpus[0] = (struct cpu){ { &walkers[i] }, 1 };
		look_from(0);
		while (walkers[i].nr)
			ok = leave_any(&walkers[i]) && ok;
	}
	return ok;
}

static struct model *model_of(uint64_t id)
{
	vec_foreach(model, &round_of.all) {
		if ((*model)->id == id)
			return *model;
	}
	return NULL;
}

static bool matches(const struct traced_call *line, const struct model *model, size_t at)
{
	const struct happened *what = &model->list.data[at];

	if (line->depth != what->depth || line->func != what->func)
		return false;
	switch (line->kind) {
	case TRACED_CALL:
		return what->kind == CALL_ENTER && line->time_ns == what->time_ns;
	case TRACED_LEAF:
		if (what->kind != CALL_ENTER || at + 1 == model->list.len || what[1].entry != at ||
		    !line->has_duration)
			return false;
		what++;
		/* fallthrough */
	case TRACED_RETURN:
		return what->kind == CALL_RETURN && line->time_ns == what->time_ns &&
		       line->result == what->result &&
		       (!line->has_duration ||
			line->duration_ns == what->time_ns - model->list.data[what->entry].time_ns);
	case TRACED_UNSEEN:
		return what->kind == CALL_UNSEEN && line->time_ns == what->time_ns &&
		       line->count == what->count;
	case TRACED_DEEP:
		return what->kind == CALL_DEEP && line->time_ns == what->time_ns &&
		       line->count == what->count;
	default:
		return false;
	}
}

/* What is wrong with a trace, or NULL. */
static const char *compare(const struct model *model, const struct traced_call *lines, uint32_t nr)
{
	size_t at = 0, sure_from = 0, entry;
	uint64_t lost = 0, all_lost = 0;
	bool gap = false;

	for (uint32_t i = 0; i < nr; i++) {
		const struct traced_call *line = &lines[i];

		if (line->kind == TRACED_LOST) {
			if (gap)
				return "two losses in a row";
			lost = line->count;
			all_lost += lost;
			gap = true;
			tally.losses++;
			continue;
		}
		if (gap) {
			size_t from = at;

			for (; at < model->list.len && !matches(line, model, at); at++)
				lost -= model->list.data[at].kind == CALL_ENTER;
			if (lost)
				return "the number of lost calls is wrong";
			if (at == from)
				return "nothing was lost there";
			gap = false;
			sure_from = at;
		}
		if (at == model->list.len || !matches(line, model, at))
			return "a line is not what happened";
		entry = line->kind == TRACED_RETURN ? model->list.data[at].entry : at;
		if (line->kind == TRACED_RETURN && !line->has_duration && entry >= sure_from)
			return "a duration is missing";
		tally.no_durations += line->kind == TRACED_RETURN && !line->has_duration;
		tally.deep += line->kind == TRACED_DEEP;
		tally.unseen += line->kind == TRACED_UNSEEN;
		tally.lines++;
		at += 1 + (line->kind == TRACED_LEAF);
	}
	if (gap && at == model->list.len)
		return "nothing was lost at the end";
	for (; gap && at < model->list.len; at++)
		lost -= model->list.data[at].kind == CALL_ENTER;
	if (gap && lost)
		return "the number of calls lost at the end is wrong";
	if (at != model->list.len)
		return "the end is missing";
	if (all_lost != model->calls_lost)
		return "the counter of lost calls says something else";
	tally.whole += !all_lost;
	return NULL;
}

/* Branches are those of the call that the error, or the success, came from. */
static const char *check_branches(const struct shown_session *shown)
{
	const struct event_frame *innermost = &shown->frames[shown->nr_frames - 1];

	if (!config.branches)
		return shown->branches ? "nobody wants branches" : NULL;
	if (!shown->branches) {
		tally.no_branches++;
		return NULL;
	}
	tally.branches++;
	if (shown->branches_func != innermost->func || shown->branches_result != innermost->result)
		return "the branches are another call's";
	if (shown->nr_branches != nr_branches_at(shown->branches[0].from))
		return "there are branches missing";
	for (uint32_t i = 0; i < shown->nr_branches; i++) {
		const struct event_branch *branch = &shown->branches[i];

		if (branch->from != shown->branches[0].from + i || branch->to != innermost->result ||
		    branch->flags != innermost->func)
			return "a branch is another call's";
	}
	return NULL;
}

static const char *check_shown(struct model *model, const struct shown_session *shown)
{
	const char *wrong = check_branches(shown);

	if (wrong)
		return wrong;
	if (model->shown || model->ending != SENT)
		return "it is not to be shown";
	model->shown = true;
	tally.shown++;
	tally.contexts[shown->context & 3]++;
	if (shown->context != model->context || (int)shown->tid != model->tid ||
	    (int)shown->pid != model->pid)
		return "it is somebody else's";
	if (shown->start_ns != model->list.data[0].time_ns || shown->end_ns != model->end_ns)
		return "its times are wrong";
	if (shown->frames[0].func != model->list.data[0].func ||
	    shown->frames[0].result != model->result || shown->failed != model->failed)
		return "its result is wrong";
	if (shown->truncated != model->truncated)
		return "its truncated calls are wrong";
	return compare(model, shown->calls, shown->nr_calls);
}

/* User space reads what there is. */
static inline const char *drain(void)
{
	const char *wrong = NULL;

	vec_foreach(record, &fake.records) {
		struct event_header *header = record->data;
		struct model *model = model_of(header->session);
		struct shown_session *shown = NULL;

		if (!model && !wrong)
			wrong = "a record of no session";
		if (model && header->kind == EVENT_CALLS)
			model->parts++;
		else if (model && header->kind == EVENT_DROP)
			model->drops++;
		else if (model)
			model->others++;
		if (assembler_feed(round_of.assembler, record->data, record->size, &shown) &&
		    !wrong)
			wrong = "a record that makes no sense";
		if (shown && model && !wrong)
			wrong = check_shown(model, shown);
		session_free(shown);
		free(record->data);
	}
	fake.records.len = 0;
	fake.ring_used = 0;
	return wrong;
}

/* Feed all records to the assembler. The last session that is shown, to be freed; NULL: none. */
static inline struct shown_session *last_shown(void)
{
	struct shown_session *last = NULL, *shown;

	vec_foreach(record, &fake.records) {
		if (assembler_feed(round_of.assembler, record->data, record->size, &shown))
			abort();
		if (shown) {
			session_free(last);
			last = shown;
		}
		free(record->data);
	}
	fake.records.len = 0;
	return last;
}

static inline const char *check_unshown(const struct model *model)
{
	switch (model->ending) {
	case SENT:
		return model->shown ? NULL : "it was not shown";
	case NO_ROOM:
		tally.no_room++;
		return NULL;
	case FILTERED:
	case GIVEN_UP:
		tally.given_up += model->ending == GIVEN_UP;
		tally.dropped += model->drops;
		tally.filtered_quietly += !model->parts;
		if (model->others || model->drops > 1 || (model->drops && !model->parts))
			return "more came of it than a trace and its withdrawal";
		if (model->parts && !model->drops && !fake.refused)
			return "what came of it was not withdrawn";
		return NULL;
	default:
		return model->others || model->drops ? "it is still open" : NULL;
	}
}

/* When nothing runs: no snapshot is held, and open sessions are those counted. */
static inline const char *check_snapshots(void)
{
	uint64_t on_stacks = 0, at_gates = 0;

	for (unsigned int i = 1; i <= SNAPSHOTS; i++) {
		if (snapshots[i].users)
			return "a snapshot is still held";
	}
	for (unsigned int i = 0; i < STACKS; i++)
		on_stacks += sessions_on[i];
	for (unsigned int i = 0; i <= GATES; i++)
		at_gates += gates[i].open;
	if (at_gates != owned_slots())
		return "the sessions at gates are not those that are open";
	if (config.branches && on_stacks != owned_slots())
		return "the sessions on stacks are not those that are open";
	return NULL;
}

static void end_round(void)
{
	vec_foreach(model, &round_of.all) {
		vec_release(&(*model)->list);
		free(*model);
	}
	vec_release(&round_of.all);
	assembler_free(round_of.assembler);
	memset(&round_of, 0, sizeof(round_of));
	fake_release();
}

static struct plan plan;
static enum rung rungs[NR_FUNCS];
static const struct attached attached = { .rungs = rungs };

static void begin_round(uint32_t max_sessions, uint32_t trace_size)
{
	const struct session_rules rules = { .plan = &plan, .attached = &attached };

	plan.funcs.len = NR_FUNCS;
	state = state ?: 1;
	set_up(max_sessions, trace_size);
	round_of.assembler = assembler_new(&rules);
	if (!round_of.assembler)
		abort();
	for (unsigned int i = 0; i < FAKE_CPUS; i++) {
		cpus[i] = (struct cpu){ { &walkers[i] }, 1 };
		walkers[i].running = true;
	}
}

static inline void draw_configuration(void)
{
	static const uint32_t limits[] = { 1, 2, 5, 64, 256 };

	config.max_depth = limits[draw(ARRAY_SIZE(limits))];
	config.successes = draw(2);
	config.stacks = draw(2);
	config.branches = draw(2);
	config.nmi = draw(4);
	take_layout(one_in(2) ? 0x10000 : 0x1000000, one_in(3));
	if (one_in(4))
		config.longer_ns = draw(5000);
	if (one_in(4))
		config.fn_longer_ns = 1 + draw(1000);
	if (one_in(4)) {
		config.filter_result = 1;
		config.result.nr = 1;
		config.result.terms[0] = (struct config_term){ -1000, TERM_LT };
	}
	/* Tasks share one gate, a few, or none. */
	fake.gate_shift = one_in(3) ? 47 : one_in(2) ? 17 : 0;
	how.exits = one_in(3);
	how.moves = one_in(2);
	how.exit = &exits[draw(ARRAY_SIZE(exits))];
	config.kprobe_exit = how.exit->way;
	how.trampolines = one_in(4);
	how.by_sp = !how.trampolines && one_in(4);
	how.misses = !how.trampolines && !how.by_sp && one_in(2);
	if (!how.trampolines)
		config.return_hooks[0] = HOOK;
	if (one_in(8)) {
		how.enters = 70;
		how.max_nr = MAX_REAL_DEPTH;
	}
	how.ring_size = one_in(2) ? 256 + draw(one_in(2) ? 1500 : 30000) : SIZE_MAX;
	how.bursts = one_in(2);
	fake.ring_size = how.ring_size;
}

#endif
