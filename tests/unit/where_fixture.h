/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conditions on arguments, compiled against BTF made by hand and evaluated by what runs in the
 * kernel, on calls that are made up here. Include it once, after all headers that the test needs.
 */
#ifndef RETSNOOP_TESTS_UNIT_WHERE_FIXTURE_H
#define RETSNOOP_TESTS_UNIT_WHERE_FIXTURE_H

#include <bpf/btf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/types/btf.h"
#include "util/plan/args/where_compile.h"

/* Memory that can be read. What is in no range faults. */
static struct range {
	const void *start;
	size_t size;
	bool user;
} ranges[16];
static int nr_ranges;

static void map_range(const void *start, size_t size, bool user)
{
	ranges[nr_ranges++] = (struct range){ start, size, user };
}

/* The kernel's memory is in the upper half. NULL is nowhere. */
static uint64_t kernel_address(const void *pointer)
{
	return pointer ? (uintptr_t)pointer | 1ull << 63 : 0;
}

#define IN_KERNEL(pointer) ((__typeof__(pointer))(uintptr_t)kernel_address(pointer))

/* Where it is in memory of ours. */
static const void *memory_at(const void *address)
{
	return (const void *)((uintptr_t)address & ~(1ull << 63));
}

/* Bytes from @from on that are there. */
static size_t readable(const void *from, bool user)
{
	if ((uintptr_t)from >> 63 == user)
		return 0;
	from = memory_at(from);
	for (int i = 0; i < nr_ranges; i++) {
		uintptr_t at = (uintptr_t)from - (uintptr_t)ranges[i].start;

		if (ranges[i].user == user && at < ranges[i].size)
			return ranges[i].size - at;
	}
	return 0;
}

static long read_bytes(void *to, uint32_t size, const void *from, bool user)
{
	memset(to, 0, size);
	if (readable(from, user) < size)
		return -EFAULT;
	memcpy(to, memory_at(from), size);
	return 0;
}

/* As the kernel does it: the last byte is always a NUL, and a fault before one is an error. */
static long read_string(char *to, uint32_t size, const char *from, bool user)
{
	size_t there = readable(from, user), len;

	from = memory_at(from);
	len = there ? strnlen(from, there < size ? there : size) : 0;
	if (!there || (len == there && len < size))
		return -EFAULT;
	len = len < size - 1 ? len : size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
	return len + 1;
}

static long bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	return read_bytes(to, size, from, false);
}

static long bpf_probe_read_user(void *to, uint32_t size, const void *from)
{
	return read_bytes(to, size, from, true);
}

static long bpf_probe_read_kernel_str(void *to, uint32_t size, const void *from)
{
	return read_string(to, size, from, false);
}

static long bpf_probe_read_user_str(void *to, uint32_t size, const void *from)
{
	return read_string(to, size, from, true);
}

static struct where compiled;
static const void *slots_map;
static void *tested_slot;

static void *bpf_map_lookup_elem(const void *map, const void *key)
{
	return map == slots_map ? tested_slot : &compiled;
}

#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define __noinline __attribute__((noinline, unused))
#define SEC(name)
#define __uint(name, val) int(*name)[val]
#define __type(name, val) __typeof__(val) *name
#define barrier_var(var) asm volatile("" : "+r"(var))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "bpf/where.bpf.h"
#pragma GCC diagnostic pop

/* What BTF says of the functions' arguments, and C does. */
struct deep {
	struct deep *next;
	uint32_t id;
	char *label;
};

enum color { RED, GREEN = 5, LARGE = 0x80000000 };
enum level { LOW = -3, HIGH = 7 };

struct thing {
	uint32_t u32;
	int32_t s32;
	uint64_t u64;
	int64_t s64;
	uint16_t u16;
	int16_t s16;
	uint8_t u8;
	int8_t s8;
	uint8_t flag;
	char letter;
	enum color color;
	enum level level;
	uint32_t low : 3, mid : 17;
	int32_t sign : 12;
	char name[16];
	unsigned char *label;
	struct deep *deep;
	void *raw;
};

struct pair {
	int32_t x, y;
};

struct call {
	struct thing *thing;
	int32_t number;
	struct pair pair;
	uint64_t flags;
	const char *name;
	enum color color;
	int64_t stacked;
	struct pair pair_stacked;
	const char *name_stacked;
};

FIXTURE(where)
{
	struct btf *btf;
	struct kernel_btf *kernel;
	struct args_func func, other;
	struct where_rule rule;
	struct thing thing;
	struct deep deep[2];
	struct call call;
	char *messages;
	int err;
};

static inline int enum_value(FIXTURE_DATA(where) *self, const char *name, bool negative)
{
	int id = btf__add_enum(self->btf, name, 4);
	struct btf_type *type = (struct btf_type *)btf__type_by_id(self->btf, id);

	if (negative)
		type->info |= 1u << 31;
	return id;
}

#define FIELD(type, of, member) btf__add_field(btf, #member, type, 8 * offsetof(of, member), 0)

static inline int add_func(struct btf *btf, const char *name, int nr, const char *const *names,
		    const int *types)
{
	int proto = btf__add_func_proto(btf, 0);

	for (int i = 0; i < nr; i++)
		btf__add_func_param(btf, names[i], types[i]);
	return btf__add_func(btf, name, BTF_FUNC_STATIC, proto);
}

static inline void make_btf(FIXTURE_DATA(where) *self)
{
	struct btf *btf = self->btf = btf__new_empty();
	int s8 = btf__add_int(btf, "signed char", 1, BTF_INT_SIGNED);
	int u8 = btf__add_int(btf, "unsigned char", 1, 0);
	int chr = btf__add_int(btf, "char", 1, BTF_INT_SIGNED | BTF_INT_CHAR);
	int s16 = btf__add_int(btf, "short int", 2, BTF_INT_SIGNED);
	int u16 = btf__add_int(btf, "short unsigned int", 2, 0);
	int s32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int u32 = btf__add_typedef(btf, "u32", btf__add_int(btf, "unsigned int", 4, 0));
	int s64 = btf__add_int(btf, "long int", 8, BTF_INT_SIGNED);
	int u64 = btf__add_int(btf, "long unsigned int", 8, 0);
	int s128 = btf__add_int(btf, "__int128", 16, BTF_INT_SIGNED);
	int boolean = btf__add_int(btf, "_Bool", 1, BTF_INT_BOOL);
	int text = btf__add_ptr(btf, btf__add_const(btf, chr));
	int user_text = btf__add_ptr(btf, btf__add_type_tag(btf, "user", chr));
	int bytes = btf__add_ptr(btf, btf__add_const(btf, u8));
	int void_ptr = btf__add_ptr(btf, 0);
	int color, level, array, numbers, deep, deep_ptr, thing, thing_ptr, user_thing, pair;

	color = enum_value(self, "color", false);
	btf__add_enum_value(btf, "RED", RED);
	btf__add_enum_value(btf, "GREEN", GREEN);
	btf__add_enum_value(btf, "LARGE", LARGE);
	level = enum_value(self, "level", true);
	btf__add_enum_value(btf, "LOW", LOW);
	btf__add_enum_value(btf, "HIGH", HIGH);
	enum_value(self, NULL, false);
	btf__add_enum_value(btf, "F_ONE", 1);
	btf__add_enum_value(btf, "F_TWO", 2);
	btf__add_enum_value(btf, "AMBIGUOUS", 2);
	enum_value(self, NULL, false);
	btf__add_enum_value(btf, "AMBIGUOUS", 3);
	btf__add_enum_value(btf, "F_TWO", 2);
	btf__add_enum64(btf, "wide", 8, false);
	btf__add_enum64_value(btf, "WIDE", 1ull << 40);
	btf__add_enum64(btf, "offset", 8, true);
	btf__add_enum64_value(btf, "BACK", -1ull);
	enum_value(self, NULL, false);
	btf__add_enum_value(btf, "OPPOSITE", 1);
	enum_value(self, NULL, true);
	btf__add_enum_value(btf, "OPPOSITE", -1);
	array = btf__add_array(btf, s32, chr, 16);
	numbers = btf__add_array(btf, s32, u32, 4);
	deep = btf__add_struct(btf, "deep", sizeof(struct deep));
	deep_ptr = deep + 1;
	FIELD(deep_ptr, struct deep, next);
	FIELD(u32, struct deep, id);
	FIELD(text, struct deep, label);
	btf__add_ptr(btf, deep);
	thing = btf__add_struct(btf, "thing", sizeof(struct thing));
	FIELD(u32, struct thing, u32);
	FIELD(s32, struct thing, s32);
	FIELD(u64, struct thing, u64);
	FIELD(s64, struct thing, s64);
	FIELD(u16, struct thing, u16);
	FIELD(s16, struct thing, s16);
	FIELD(u8, struct thing, u8);
	FIELD(s8, struct thing, s8);
	FIELD(boolean, struct thing, flag);
	FIELD(chr, struct thing, letter);
	FIELD(color, struct thing, color);
	FIELD(level, struct thing, level);
	btf__add_field(btf, "low", u32, 8 * offsetof(struct thing, level) + 32, 3);
	btf__add_field(btf, "mid", u32, 8 * offsetof(struct thing, level) + 35, 17);
	btf__add_field(btf, "sign", s32, 8 * offsetof(struct thing, level) + 52, 12);
	FIELD(array, struct thing, name);
	FIELD(bytes, struct thing, label);
	FIELD(deep_ptr, struct thing, deep);
	FIELD(void_ptr, struct thing, raw);
	thing_ptr = btf__add_ptr(btf, thing);
	user_thing = btf__add_ptr(btf, btf__add_type_tag(btf, "user", thing));
	pair = btf__add_struct(btf, "pair", sizeof(struct pair));
	FIELD(s32, struct pair, x);
	FIELD(s32, struct pair, y);
	self->func.btf_id = add_func(btf, "make", 9,
		(const char *[]){ "thing", "number", "pair", "flags", "name", "color", "stacked",
				  "pair_stacked", "name_stacked" },
		(int[]){ thing_ptr, s32, pair, u64, text, color, s64, pair, text });
	self->func.name = "make";
	self->other.btf_id = add_func(btf, "other", 5,
		(const char *[]){ "user", "path", "wide", "numbers", "bits" },
		(int[]){ user_thing, user_text, s128, btf__add_ptr(btf, numbers), u8 });
	self->other.name = "other";
	(void)s8, (void)u16, (void)s16;
}

FIXTURE_SETUP(where)
{
	memset(self, 0, sizeof(*self));
	make_btf(self);
	if (kernel_btf_from(self->btf, &self->kernel))
		abort();
	self->call.thing = &self->thing;
	self->thing.deep = IN_KERNEL(&self->deep[0]);
	self->deep[0].next = IN_KERNEL(&self->deep[1]);
	nr_ranges = 0;
	map_range(&self->thing, sizeof(self->thing), false);
	map_range(self->deep, sizeof(self->deep), false);
}

static inline void reset(FIXTURE_DATA(where) *self)
{
	where_rule_release(&self->rule);
	memset(&self->rule, 0, sizeof(self->rule));
	free(self->messages);
	self->messages = NULL;
}

FIXTURE_TEARDOWN(where)
{
	reset(self);
	kernel_btf_free(self->kernel);
}

static inline void parse(FIXTURE_DATA(where) *self, const char *expr)
{
	char text[4096];

	snprintf(text, sizeof(text), "f: %s", expr);
	reset(self);
	self->messages = stderr_of(self->err = where_parse(text, &self->rule));
}

static inline int compile_for(FIXTURE_DATA(where) *self, const struct args_func *func, bool strict)
{
	return where_compile(&self->rule, strict, self->kernel, func, NULL, &arch_x86, &compiled);
}

static inline void compile(FIXTURE_DATA(where) *self, const struct args_func *func,
			   const char *expr)
{
	parse(self, expr);
	if (self->err)
		return;
	free(self->messages);
	self->messages = stderr_of(self->err = compile_for(self, func, true));
}

static inline bool evaluate(const uint64_t *args, int nr, uint64_t sp)
{
	static struct session_state session;
	static struct slot slot;

	memset(&slot, 0xa5, sizeof(slot));
	memcpy(slot.args, args, nr * sizeof(*args));
	slot.args_sp = sp;
	slots_map = &slots;
	tested_slot = &slot;
	where_holds(&session, 0);
	return session.scratch;
}

static inline uint64_t bits_of_pair(const struct pair *pair)
{
	uint64_t bits;

	memcpy(&bits, pair, sizeof(bits));
	return bits;
}

/*
 * Whether the condition holds for the call, as a probe and as a trampoline see it; upper halves of
 * narrow registers are garbage. -1: they do not agree.
 */
static inline int holds(FIXTURE_DATA(where) *self)
{
	const struct call *call = &self->call;
	uint64_t garbage = 0xdeadbeefull << 32;
	uint64_t slots[] = {
		kernel_address(call->thing), garbage | (uint32_t)call->number,
		bits_of_pair(&call->pair), call->flags, kernel_address(call->name),
		garbage | call->color, call->stacked, bits_of_pair(&call->pair_stacked),
		kernel_address(call->name_stacked),
	};
	bool by_slots = evaluate(slots, 9, 0), by_registers;

	map_range(slots + 6, 3 * sizeof(slots[0]), false);
	by_registers = evaluate(slots, 6, kernel_address(slots + 6));
	nr_ranges--;
	return by_slots == by_registers ? by_slots : -1;
}

static inline void map_text(const char *text, bool user)
{
	map_range(text, strlen(text) + 1, user);
}

#define HOLDS_(is, expr)                                                                           \
	({                                                                                         \
		compile(self, &self->func, expr);                                                  \
		EXPECT_EQ(0, self->err) { TH_LOG("%s: %s", expr, self->messages); }                \
		EXPECT_STREQ("", self->messages);                                                  \
		EXPECT_EQ(is, holds(self)) { TH_LOG("%s", expr); }                                 \
	})
#define HOLDS(expr) HOLDS_(true, expr)
#define FAILS(expr) HOLDS_(false, expr)

#define REFUSED_BY(is_func, expr, message)                                                         \
	({                                                                                         \
		compile(self, is_func, expr);                                                      \
		EXPECT_EQ(-EINVAL, self->err) { TH_LOG("%s", expr); }                              \
		EXPECT_STREQ("retsnoop: --where: " message " of 'f: " expr "'\n", self->messages);  \
	})
#define REFUSED(expr, message) REFUSED_BY(&self->func, expr, message)

/* With something to try instead behind it. */
#define REFUSED_WITH(is_func, expr, message, instead)                                              \
	({                                                                                         \
		compile(self, is_func, expr);                                                      \
		EXPECT_EQ(-EINVAL, self->err) { TH_LOG("%s", expr); }                              \
		EXPECT_STREQ("retsnoop: --where: " message " of 'f: " expr "'; " instead "\n",     \
			     self->messages);                                                      \
	})

#endif
