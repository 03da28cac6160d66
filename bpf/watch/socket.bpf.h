/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Errors that sockets keep: who set them. The program gets such an error later, as a call's result or with
 * getsockopt(SO_ERROR).
 */
#ifndef RETSNOOP_BPF_WATCH_SOCKET_BPF_H
#define RETSNOOP_BPF_WATCH_SOCKET_BPF_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include "bpf/define_map.bpf.h"
#include "bpf/watch/file.bpf.h"
#include "bpf/watch/task.bpf.h"
#include "bpf/watch/watch_event.h"

#define SOL_SOCKET 1
#define SO_ERROR 4
#define AF_INET 2
#define AF_INET6 10

/* By the address of the socket's struct file. The oldest make room. */
MAP(socket_errors, LRU_HASH, 1024, __u64, struct watch_socket);

/* It is too large for the stack. */
MAP(socket_error, PERCPU_ARRAY, 1, __u32, struct watch_socket);

static __always_inline __u16 short_at(__u64 base, __u32 offset)
{
	__u16 number = 0;

	bpf_probe_read_kernel(&number, sizeof(number), (void *)(base + offset));
	return number;
}

static __always_inline void add_addresses(struct watch_socket *error, __u64 sock)
{
	__builtin_memset(error->own, 0, sizeof(error->own));
	__builtin_memset(error->peer, 0, sizeof(error->peer));
	error->family = short_at(sock, config.sockets.family);
	error->own_port = short_at(sock, config.sockets.own_port);
	error->peer_port = short_at(sock, config.sockets.peer_port);
	if (error->family == AF_INET) {
		bpf_probe_read_kernel(error->own, 4, (void *)(sock + config.sockets.own));
		bpf_probe_read_kernel(error->peer, 4, (void *)(sock + config.sockets.peer));
	} else if (error->family == AF_INET6 && config.sockets.own6) {
		bpf_probe_read_kernel(error->own, 16, (void *)(sock + config.sockets.own6));
		bpf_probe_read_kernel(error->peer, 16, (void *)(sock + config.sockets.peer6));
	}
}

/* The kernel tells the owner of a socket that it has an error now. */
static __always_inline void note_socket_error(void *ctx, __u64 sock)
{
	__u64 socket = word_at(sock, config.sockets.sk_socket);
	__u64 file = socket ? word_at(socket, config.sockets.file) : 0;
	__s32 err = number_at(sock, config.sockets.sk_err);
	struct watch_socket *error;
	__u32 first = 0;

	if (!file || err <= 0)
		return;
	error = bpf_map_lookup_elem(&socket_error, &first);
	if (!error)
		return;
	error->time_ns = bpf_ktime_get_ns();
	error->err = err;
	error->tid = current_ids();
	bpf_get_current_comm(error->comm, sizeof(error->comm));
	add_addresses(error, sock);
	__builtin_memset(error->stack, 0, sizeof(error->stack));
	bpf_get_stack(ctx, error->stack, sizeof(error->stack), 0);
	bpf_map_update_elem(&socket_errors, &file, error, BPF_ANY);
}

/* The struct file of the socket that is a call's first argument; 0: it is none. */
static __always_inline __u64 socket_file(__u64 regs)
{
	__u64 file = file_of((__u32)word_at(regs, config.args_at[0]));
	__u64 socket = file ? word_at(file, config.files.private_data) : 0;

	return socket && word_at(socket, config.sockets.file) == file ? file : 0;
}

/* Whether a call succeeded that asked a socket for its error; *ret_err: that, positive. */
static __always_inline bool reads_socket_error(__u64 regs, __u32 nr, __s32 *ret_err)
{
	*ret_err = 0;
	if (nr != config.getsockopt_nr || is_compat(regs) ||
	    (__u32)word_at(regs, config.args_at[1]) != SOL_SOCKET ||
	    (__u32)word_at(regs, config.args_at[2]) != SO_ERROR)
		return false;
	bpf_probe_read_user(ret_err, sizeof(*ret_err), (void *)word_at(regs, config.args_at[3]));
	return *ret_err > 0;
}

#endif
