// SPDX-License-Identifier: BSD-2-Clause
/* Life of a request. */
#include "util/trace/request.h"

#include <stdlib.h>

void trace_request_init(struct trace_request *request)
{
	*request = (struct trace_request){
		.rung = RUNG_AUTO,
		.ringbuf_size = DEFAULT_RINGBUF_SIZE,
		.sessions_size = DEFAULT_SESSIONS_SIZE,
		.symbols = { .level = SYMBOLIZE_AUTO, .live = true },
	};
}

void trace_request_release(struct trace_request *request)
{
	spec_list_release(&request->entry);
	spec_list_release(&request->allow);
	spec_list_release(&request->deny);
	vec_release(&request->allow_pids);
	vec_release(&request->deny_pids);
	vec_foreach(comm, &request->allow_comms)
		free(*comm);
	vec_release(&request->allow_comms);
	vec_foreach(comm, &request->deny_comms)
		free(*comm);
	vec_release(&request->deny_comms);
	free(request->vmlinux_path);
}
