// SPDX-License-Identifier: BSD-2-Clause
/* Commands of bpf(2) and members of union bpf_attr. */
#include "util/why/bpf_command.h"

#include <linux/bpf.h>
#include <stddef.h>

#include "util/base/macros.h"
#include "util/kernel/numbers/command_names.h"

#define BPF_ATTR(member) .in_use = { "bpf_attr", member }

/*
 * BPF_PROG_TEST_RUN is left out: a program of type syscall that it runs may call bpf(2) itself. The last ones
 * are newer than the headers of Debian 12.
 */
static const struct bpf_command commands[] = {
	[BPF_MAP_CREATE] = { BPF_ATTR("map_type") },
	[BPF_MAP_LOOKUP_ELEM] = { BPF_ATTR("map_fd"), .keeps_off = true },
	[BPF_MAP_UPDATE_ELEM] = { BPF_ATTR("map_fd"), .keeps_off = true },
	[BPF_MAP_DELETE_ELEM] = { BPF_ATTR("map_fd"), .keeps_off = true },
	[BPF_MAP_GET_NEXT_KEY] = { BPF_ATTR("map_fd") },
	[BPF_PROG_LOAD] = { BPF_ATTR("prog_type") },
	[BPF_OBJ_PIN] = { BPF_ATTR("pathname") },
	[BPF_OBJ_GET] = { BPF_ATTR("pathname") },
	[BPF_PROG_ATTACH] = { BPF_ATTR("attach_bpf_fd") },
	[BPF_PROG_DETACH] = { BPF_ATTR("attach_bpf_fd") },
	[BPF_PROG_GET_NEXT_ID] = { BPF_ATTR("start_id") },
	[BPF_MAP_GET_NEXT_ID] = { BPF_ATTR("start_id") },
	[BPF_PROG_GET_FD_BY_ID] = { BPF_ATTR("prog_id") },
	[BPF_MAP_GET_FD_BY_ID] = { BPF_ATTR("map_id") },
	[BPF_OBJ_GET_INFO_BY_FD] = { BPF_ATTR("info") },
	[BPF_PROG_QUERY] = { BPF_ATTR("query") },
	[BPF_RAW_TRACEPOINT_OPEN] = { BPF_ATTR("raw_tracepoint") },
	[BPF_BTF_LOAD] = { BPF_ATTR("btf_log_buf") },
	[BPF_BTF_GET_FD_BY_ID] = { BPF_ATTR("btf_id") },
	[BPF_TASK_FD_QUERY] = { BPF_ATTR("task_fd_query") },
	[BPF_MAP_LOOKUP_AND_DELETE_ELEM] = { BPF_ATTR("map_fd"), .keeps_off = true },
	[BPF_MAP_FREEZE] = { BPF_ATTR("map_fd") },
	[BPF_BTF_GET_NEXT_ID] = { BPF_ATTR("start_id") },
	[BPF_MAP_LOOKUP_BATCH] = { BPF_ATTR("batch"), .keeps_off = true },
	[BPF_MAP_LOOKUP_AND_DELETE_BATCH] = { BPF_ATTR("batch"), .keeps_off = true },
	[BPF_MAP_UPDATE_BATCH] = { BPF_ATTR("batch"), .keeps_off = true },
	[BPF_MAP_DELETE_BATCH] = { BPF_ATTR("batch"), .keeps_off = true },
	[BPF_LINK_CREATE] = { BPF_ATTR("link_create") },
	[BPF_LINK_UPDATE] = { BPF_ATTR("link_update") },
	[BPF_LINK_GET_FD_BY_ID] = { BPF_ATTR("link_id") },
	[BPF_LINK_GET_NEXT_ID] = { BPF_ATTR("start_id") },
	[BPF_ENABLE_STATS] = { BPF_ATTR("enable_stats") },
	[BPF_ITER_CREATE] = { BPF_ATTR("iter_create") },
	[BPF_LINK_DETACH] = { BPF_ATTR("link_detach") },
	[BPF_PROG_BIND_MAP] = { BPF_ATTR("prog_bind_map") },
	[36 /* BPF_TOKEN_CREATE */] = { BPF_ATTR("token_create") },
	[37 /* BPF_PROG_STREAM_READ_BY_FD */] = { BPF_ATTR("prog_stream_read") },
	[38 /* BPF_PROG_ASSOC_STRUCT_OPS */] = { BPF_ATTR("prog_assoc_struct_ops") },
};

const struct bpf_command *bpf_command_find(uint64_t arg)
{
	uint32_t number = arg & BPF_COMMAND_MASK;

	return number < ARRAY_SIZE(commands) && commands[number].in_use.of ? &commands[number] : NULL;
}
