/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Capturing a call's arguments (bpf/arg_items.h), into the session's trace. */
#ifndef RETSNOOP_BPF_ARGS_BPF_H
#define RETSNOOP_BPF_ARGS_BPF_H

#include "bpf/maps.bpf.h"

/* Finds the argument's own value, or its address on the stack. */
static __always_inline void find_argument(const struct slot *slot, const struct arg_item *item,
					  struct arg_capture *capture)
{
	__u32 index = slot->args_sp ? item->index : item->slot;

	barrier_var(index);
	capture->is_value = 1;
	if (slot->args_sp && item->source == ARG_STACK) {
		capture->place = slot->args_sp + 8 * item->index;
		capture->is_value = 0;
		return;
	}
	capture->place = slot->args[index & (ARGS_SLOTS - 1)];
}

/* Reads 8 bytes from the item's place. */
static __always_inline __u64 read_pointer(const struct arg_capture *capture)
{
	__u64 pointer = 0;

	if (capture->is_value)
		return capture->place;
	bpf_probe_read_kernel(&pointer, sizeof(pointer), (void *)capture->place);
	return pointer;
}

/* Where in the trace the next bytes go. There is room for ARGS_MAX_BYTES from here. */
static __always_inline void *next_bytes(struct trace_buf *buf, const struct arg_capture *capture)
{
	__u64 at = capture->at + capture->size;

	barrier_var(at);
	return (char *)buf->edges + (at & (config.trace_size * sizeof(struct event_call) - 1));
}

static __always_inline void go_to_item(const struct slot *slot, const struct arg_item *item,
				       struct arg_capture *capture)
{
	find_argument(slot, item, capture);
#pragma unroll
	for (int i = 0; i < ARGS_MAX_STEPS; i++) {
		if (i < item->nr_steps) {
			capture->place = read_pointer(capture) + item->steps[i];
			capture->is_value = 0;
		}
	}
}

/* Items follow each other without gaps: the address may be unaligned. */
static __always_inline void put_word(void *to, __u64 value)
{
	__builtin_memcpy(to, &value, sizeof(value));
}

/*
 * Only newer kernels' types say user or kernel memory; the upper half of addresses is the kernel's.
 */
static __always_inline long read_memory(void *to, __u64 size, __u64 from, bool user, bool string)
{
	user = user || !(from >> 63);
	if (string)
		return user ? bpf_probe_read_user_str(to, size, (void *)from) :
			      bpf_probe_read_kernel_str(to, size, (void *)from);
	if (user ? bpf_probe_read_user(to, size, (void *)from) :
		   bpf_probe_read_kernel(to, size, (void *)from))
		return -1;
	return size;
}

static __always_inline __u64 read_word(__u64 from)
{
	__u64 word = 0;

	bpf_probe_read_kernel(&word, sizeof(word), (void *)from);
	return word;
}

/* Captures names from the current directory entry upwards: capture->names bytes. */
static __noinline int capture_names(const struct slot *slot, const struct arg_item *item,
				    struct arg_capture *capture, struct trace_buf *buf)
{
	__u64 entry, parent, name, at;
	char *to;
	long len;

	if (!slot || !item || !capture || !buf)
		return 0;
	to = next_bytes(buf, capture);
	capture->names = 0;
	for (int i = 0; i < ARGS_PATH_NAMES; i++) {
		entry = capture->place;
		name = read_word(entry + item->steps[PATH_STEP_NAME]);
		at = capture->names;
		barrier_var(at);
		at &= 2 * ARGS_PATH_NAMES * ARGS_PATH_NAME - 1;
		len = bpf_probe_read_kernel_str(to + at, ARGS_PATH_NAME, (void *)name);
		if (len < 0)
			break;
		capture->names += len;
		parent = read_word(entry + item->steps[PATH_STEP_PARENT]);
		if (parent == entry)
			break;
		capture->place = parent;
	}
	at = capture->names;
	barrier_var(at);
	at &= 2 * ARGS_PATH_NAMES * ARGS_PATH_NAME - 1;
	to[at] = 0;
	if (at)
		capture->names++;
	return 0;
}

/* Returns 1 when it could not be read. */
static __always_inline int capture_path(const struct slot *slot, const struct arg_item *item,
					struct arg_capture *capture, struct trace_buf *buf)
{
	__u64 pointer;

	find_argument(slot, item, capture);
	pointer = read_pointer(capture);
	capture->place = item->nr_steps ? read_word(pointer + item->steps[0]) : pointer;
	capture_names(slot, item, capture, buf);
	if (!capture->names) {
		put_word(next_bytes(buf, capture), pointer);
		capture->size += 8;
		return 1;
	}
	capture->size += capture->names;
	return 0;
}

/*
 * Captures the item in the slot's `capture` into its trace. Returns 1 when it could not be read.
 *
 * Not static: so the verifier follows it once, and not for each item again. Before 5.13, such functions
 * take no pointers.
 */
__noinline int capture_item(__u32 slot_index)
{
	struct slot *slot = bpf_map_lookup_elem(&slots, &slot_index);
	const struct arg_item *item;
	struct arg_capture *capture;
	struct trace_buf *buf;
	__u64 pointer, size;
	__u32 index;
	void *to;
	long len;

	if (!slot)
		return 0;
	capture = &slot->capture;
	item = &capture->item;
	buf = &slot->trace;
	if (item->kind == ARG_PATH)
		return capture_path(slot, item, capture, buf);
	go_to_item(slot, item, capture);
	size = item->size;
	to = next_bytes(buf, capture);
	if (item->kind == ARG_VALUE && capture->is_value) {
		index = item->index;
		if (!slot->args_sp)
			index = item->slot;
		barrier_var(index);
		put_word(to, capture->place);
		put_word(to + 8, slot->args[(index + 1) & (ARGS_SLOTS - 1)]);
		capture->size += size;
		return 0;
	}
	pointer = item->kind == ARG_VALUE ? capture->place : read_pointer(capture);
	size &= ARGS_MAX_BYTES - 1;
	barrier_var(size);
	len = -1;
	if (pointer >> 63 || !(item->flags & ARG_KERNEL))
		len = read_memory(to, size, pointer, item->flags & ARG_USER,
				  item->kind == ARG_STRING);
	if (len < 0 || !pointer) {
		put_word(to, pointer);
		capture->size += 8;
		return 1;
	}
	/* Kernels return 0 for an empty string of user space, and otherwise count the NUL. */
	if (!len && item->kind == ARG_STRING) {
		put_word(to, 0);
		len = 1;
	}
	capture->size += len;
	return 0;
}

/*
 * Captures @items after the edge at index @edge. Returns the edge's value: ARGS_SIZE() and
 * ARGS_UNREAD(). The caller has made room for items->max_bytes.
 */
static __noinline int capture_args(struct session_state *session, struct trace_buf *buf,
				   const struct arg_items *items)
{
	struct arg_capture *capture;
	struct slot *slot;

	if (!session || !buf || !items)
		return 0;
	slot = slot_of(session);
	capture = &slot->capture;
	capture->size = 0;
	capture->unread = 0;
	capture->at = (session->edges + 1) * sizeof(struct event_call);
	for (__u32 i = 0; i < ARGS_MAX_ITEMS; i++) {
		if (i >= items->nr)
			break;
		/* No branch: it would double the paths that the verifier follows from here. */
		capture->item = items->items[i];
		capture->unread |= (__u32)capture_item(session->slot) << i;
	}
	session->scratch = ((capture->size + 15) & 0xfff0) | (__u64)capture->unread << 16;
	return 0;
}

#endif
