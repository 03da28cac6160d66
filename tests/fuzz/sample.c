// SPDX-License-Identifier: BSD-2-Clause
/*
 * What harnesses damage: a small program with debug info of many kinds, built as an ELF program
 * (as vmlinux is), as an object file (as modules are) and as bare BTF.
 */
typedef unsigned int u32;
typedef unsigned long u64;

enum state { STATE_OFF, STATE_ON = 7, STATE_BAD = -1 };

union word {
	u64 number;
	struct {
		u32 low, high;
	};
	unsigned char bytes[8];
};

struct list {
	struct list *next, *prev;
};

struct node {
	struct list entry;
	union word word;
	u32 flags : 3, mode : 5, : 4, rest : 20;
	enum state state;
	const char *name;
	char text[16];
	int (*call)(struct node *node, int n);
	struct node *children[4];
	_Bool used;
};

struct pair {
	struct node *a;
	long b;
};

volatile int sink;
struct node first;

static inline __attribute__((always_inline)) int inner_check(struct node *node, int n)
{
	if (n > 3 && node->used)
		return -22;
	sink = n;
	return 0;
}

static inline __attribute__((always_inline)) int middle_check(struct node *node, int n)
{
	int err = inner_check(node, n);

	return err ? err : inner_check(node->children[n & 3], n + 1);
}

__attribute__((noinline)) int node_call(struct node *node, int n)
{
	int err = middle_check(node, n);

	if (err)
		return err;
	return node->call ? node->call(node, n) : -2;
}

__attribute__((noinline)) struct node *node_find(struct list *list, const char *name, u64 *count)
{
	struct node *found = 0;

	for (struct list *at = list->next; at != list; at = at->next) {
		struct node *node = (struct node *)at;

		++*count;
		if (node->name == name)
			found = node;
	}
	return found;
}

__attribute__((noinline)) long pair_sum(struct pair pair, enum state state, _Bool twice)
{
	return node_call(pair.a, state) + (twice ? 2 : 1) * pair.b;
}

__attribute__((noinline)) void node_log(const struct node *node, const char *fmt, ...)
{
	sink = fmt[0] + (int)node->state;
}

static __attribute__((noinline, cold)) int fail(int n)
{
	sink = n;
	return -n;
}

int _start(void)
{
	u64 count = 0;
	struct pair pair = { node_find(&first.entry, "name", &count), 4 };

	node_log(&first, "%d", 1);
	return sink ? fail(sink) : (int)pair_sum(pair, STATE_ON, count > 4);
}
