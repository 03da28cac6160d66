/* SPDX-License-Identifier: BSD-2-Clause */
/* Stacks that the watch on system calls took when something happened: which part matters, and what it tells. */
#ifndef RETSNOOP_WHY_REASONS_TAKEN_STACK_H
#define RETSNOOP_WHY_REASONS_TAKEN_STACK_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json;
struct strbuf;
struct view_context;

struct taken_stack {
	const __u64 *begin;	/* as it was taken: where the probe was, then return addresses; borrowed */
	const __u64 *addrs;	/* the part that matters, innermost first */
	uint32_t nr;
	bool softirq;		/* it goes on in a softirq, which is left out */
};

/* What a function does something for. */
struct taken_event {
	const char *function;
	int number;		/* only with this errno or signal; 0: any */
	const char *event;	/* a sentence */
};

/**
 * The part of a stack from who did something up to the softirq, or the system call, that it was part of.
 *
 * @addrs	innermost first, up to @max; 0 ends
 * @passes_on	whether a function, by its name, only passes on what others do: such are left out at the beginning
 */
struct taken_stack taken_stack_of(const struct view_context *context, const __u64 *addrs, uint32_t max,
				  bool (*passes_on)(const char *name));

/*
 * What happened, by functions among the innermost of a stack, inlined ones too. The first of @events that is found
 * counts. NULL: not known.
 */
const char *taken_stack_event(const struct view_context *context, const struct taken_stack *stack,
			      const struct taken_event *events, size_t nr, int number);

/* The system call that a stack ends in, "kill"; NULL: none. */
const char *taken_stack_syscall(const struct view_context *context, const struct taken_stack *stack);

/* Rows of the stack; the outer ones only with -v. */
void taken_stack_text_add(struct strbuf *text, const struct view_context *context,
			  const struct taken_stack *stack);
/* The array "stack". */
void taken_stack_json_add(struct json *json, const struct view_context *context,
			  const struct taken_stack *stack);

#endif
