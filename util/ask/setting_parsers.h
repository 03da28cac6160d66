/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parsers of settings' values that are more than a number or a word: lists, expressions, sets. Each
 * is the parse function of a row in settings.c; the target is a struct trace_request.
 */
#ifndef RETSNOOP_ASK_SETTING_PARSERS_H
#define RETSNOOP_ASK_SETTING_PARSERS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/base/units.h"

struct setting;

#define SETTING_PARSER(name)                                                                       \
	int name(const struct setting *setting, void *target, const char *value, bool on)

SETTING_PARSER(parse_spec);		/* the field is a spec_list */
SETTING_PARSER(parse_syscalls);	/* the same */
SETTING_PARSER(parse_case);
SETTING_PARSER(parse_mode);		/* .value: the MODE_x */
SETTING_PARSER(parse_summary);
SETTING_PARSER(parse_interval);
SETTING_PARSER(parse_by);		/* .choices */
SETTING_PARSER(parse_histogram);
SETTING_PARSER(parse_show);
SETTING_PARSER(parse_at);
SETTING_PARSER(parse_budget);
SETTING_PARSER(parse_pids);
SETTING_PARSER(parse_comm);
SETTING_PARSER(parse_cgroup);
SETTING_PARSER(parse_cgroup_owner);	/* .value: the CGROUP_x */
SETTING_PARSER(parse_users);
SETTING_PARSER(parse_errors);		/* the field is an errno_set */
SETTING_PARSER(parse_return);
SETTING_PARSER(parse_error_rule);
SETTING_PARSER(parse_string);	/* the field is an owned string */
SETTING_PARSER(parse_rung);
SETTING_PARSER(parse_vmlinux);
SETTING_PARSER(parse_args_selection);
SETTING_PARSER(parse_where);
SETTING_PARSER(parse_probe);
SETTING_PARSER(parse_branches);
SETTING_PARSER(parse_trace_context);
SETTING_PARSER(parse_config);
SETTING_PARSER(parse_config_help);

/* Values for completion: the @i-th, NULL after the last. */
const char *error_word(size_t i);
const char *show_word(size_t i);
const char *rung_word(size_t i);

#endif
