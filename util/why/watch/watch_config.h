/* SPDX-License-Identifier: BSD-2-Clause */
/* Configures the watch on system calls (bpf/watch/watch.bpf.c) for this kernel. */
#ifndef RETSNOOP_WHY_WATCH_WATCH_CONFIG_H
#define RETSNOOP_WHY_WATCH_WATCH_CONFIG_H

#include <sys/types.h>

#include "bpf/watch/watch_event.h"
/*
 * Generated from bpf/watch/watch.bpf.c; needs the structs of the header before it. It has struct watch: the
 * programs, maps and links.
 */
#include "bpf/watch/watch.skel.h"
#include "util/base/vec.h"

struct kernel;
struct trace_request;

/**
 * @root	process id of the command; 0: none
 * @return	0; -errno (reported)
 */
int watch_config_fill(struct kernel *kernel, const struct trace_request *filters, pid_t root,
		      struct watch_config *config);

/* Events that are not in the skeleton, one for each CPU. */
struct watch_links {
	VEC(int) fds;
};

void watch_links_release(struct watch_links *links);

/*
 * The kernel's messages are read at places that not every kernel has. Before loading, leave out
 * programs without a place on this kernel; then attach the others, as far as possible.
 */
void watch_config_choose(struct watch *skel, const struct watch_config *config);
void watch_config_attach(struct watch *skel, struct watch_links *links);

#endif
