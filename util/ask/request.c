// SPDX-License-Identifier: BSD-2-Clause
/* Life of a request. */
#include "util/ask/request.h"

#include <stdlib.h>

#include "util/ask/branch_types.h"
#include "util/base/report.h"

bool trace_request_has_args(const struct trace_request *request)
{
	return request->modes & MODE_ARGS || request->args_selections.len;
}

bool trace_request_shows_successes(const struct trace_request *request)
{
	if (request->allow_errnos.used)
		return false;
	if (request->success != SUCCESS_AUTO)
		return request->success == SUCCESS_YES;
	if (request->summary || request->result.terms.nr)
		return true;
	return !(request->shown_modes & (MODE_STACK | MODE_BRANCHES));
}

void trace_request_settle(struct trace_request *request)
{
	bool data;

	/* Probes are shown only in traces. */
	if (request->probes.v.len) {
		request->modes |= MODE_TRACE;
		request->shown_modes |= MODE_TRACE;
	}
	data = trace_request_has_args(request) || request->probes.v.len;
	if (!request->session_buf_size)
		request->session_buf_size = data ?
						    DEFAULT_ARGS_BUF_SIZE :
						    DEFAULT_SESSION_BUF_SIZE;
	if (data && request->session_buf_size < MIN_ARGS_BUF_SIZE) {
		warning("bpf.session-buf-size: arguments and probes need %d bytes", MIN_ARGS_BUF_SIZE);
		request->session_buf_size = MIN_ARGS_BUF_SIZE;
	}
	request->branch_types = branch_types_settle(request->branch_types);
	if (request->trace_context)
		request->show |= SHOW_TRACE;
	/* A summary keeps nothing of single sessions. */
	if (request->summary)
		request->modes = request->shown_modes = 0;
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
	vec_release(&request->uids);
	vec_foreach(cgroup, &request->cgroups)
		free(*cgroup);
	vec_release(&request->cgroups);
	vec_foreach(pattern, &request->cgroup_patterns)
		free(pattern->text);
	vec_release(&request->cgroup_patterns);
	result_expr_release(&request->result);
	vec_foreach(rule, &request->error_rules)
		error_rule_release(rule);
	vec_release(&request->error_rules);
	vec_foreach(rule, &request->wheres)
		where_rule_release(rule);
	vec_release(&request->wheres);
	probe_spec_list_release(&request->probes);
	vec_foreach(selection, &request->args_selections)
		args_selection_release(selection);
	vec_release(&request->args_selections);
	free(request->trace_context_map);
	free(request->user);
	free(request->vmlinux_path);
	free(request->source_dir);
}
