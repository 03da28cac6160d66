/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* The arguments of a watched system call, with the text and the address that they point to; and what it wrote. */
#ifndef RETSNOOP_BPF_WATCH_CALL_ARGS_BPF_H
#define RETSNOOP_BPF_WATCH_CALL_ARGS_BPF_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include "bpf/watch/task.bpf.h"
#include "bpf/watch/watch_event.h"

/* A socket's address is copied whole, since its bytes may be 0: two strings are long enough for it. */
static __always_inline void copy_address(struct watch_event *event, __u32 arg, __u32 size)
{
	if (size > WATCH_ADDRESS)
		size = WATCH_ADDRESS;
	if (bpf_probe_read_user(event->strings[arg], size, (void *)event->args[arg]))
		return;
	event->have &= ~(3u << arg);
	event->address = arg + 1;
	event->address_size = size;
}

static __always_inline void add_address(struct watch_event *event)
{
	if (event->compat)
		return;
	if (event->nr == config.connect_nr || event->nr == config.bind_nr)
		copy_address(event, 1, event->args[2]);
	else if (event->nr == config.sendto_nr)
		copy_address(event, 4, event->args[5]);
}

/* @strings	also copy the text that arguments point to */
static __always_inline void add_args(struct watch_event *event, __u64 regs, bool strings)
{
	event->compat = is_compat(regs);
#pragma unroll
	for (int i = 0; i < WATCH_ARGS; i++) {
		__u64 arg = word_at(regs, config.args_at[i]);

		event->args[i] = arg;
		event->strings[i][0] = 0;
		if (strings &&
		    bpf_probe_read_user_str(event->strings[i], WATCH_STRING, (void *)arg) >= 0)
			event->have |= 1u << i;
	}
	if (strings)
		add_address(event);
}

/* The dynamic linker writes its message in ten parts: name, colon, text, ... */
#define MAX_PARTS 12
/* Where a part may begin, and how much of it is kept, so that the verifier sees that it has room. */
#define LAST_PART_AT 255
#define MAX_PART (WATCH_SAID_SIZE - LAST_PART_AT - 2)

/* Add the parts of writev(2) after one to its text of `len` bytes, while there is room. */
static __always_inline void add_parts(struct watch_event *event, __u32 first, __u64 len)
{
	for (__u32 i = first; i < MAX_PARTS; i++) {
		__u64 part[2] = {}, size;

		if (i >= event->args[2] || len > LAST_PART_AT ||
		    bpf_probe_read_user(part, sizeof(part), (void *)(event->args[1] + i * sizeof(part))))
			break;
		size = part[1];
		if (size > MAX_PART)
			size = MAX_PART;
		if (bpf_probe_read_user(event->said + len, size, (void *)part[0]))
			break;
		len += size;
		event->said[len] = 0;
	}
}

/* The beginning of what a call wrote, as a string. */
static __always_inline void add_written(struct watch_event *event, __u32 nr)
{
	__u64 text[] = { event->args[1], event->result }, size;
	__u32 parts = 1;

	/* It has an array of such pairs. Of the C library's two the first may be empty. */
	if (nr == config.writev_nr) {
		bpf_probe_read_user(text, sizeof(text), (void *)event->args[1]);
		if (!text[1]) {
			bpf_probe_read_user(text, sizeof(text), (void *)(event->args[1] + 16));
			parts = 2;
		}
	}
	size = text[1];
	if (size > sizeof(event->said) - 1)
		size = sizeof(event->said) - 1;
	if (bpf_probe_read_user(event->said, size, (void *)text[0]))
		size = 0;
	event->said[size] = 0;
	if (nr == config.writev_nr)
		add_parts(event, parts, size);
}

#endif
