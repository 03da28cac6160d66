/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of all settings of a trace_request, and what reads it: options, configuration files,
 * -C, recordings. How to add a setting is described at the top of settings.c.
 */
#ifndef RETSNOOP_TRACE_ASK_SETTINGS_H
#define RETSNOOP_TRACE_ASK_SETTINGS_H

#include <stdio.h>

#include "util/trace/ask/request.h"
#include "util/trace/ask/setting.h"

/* Options that belong together: a command has all of a group, or none. */
enum settings_group {
	SETTINGS_FUNCTIONS = 1,	/* -e -a -d -c */
	SETTINGS_MODES,		/* -T -E --summary ... */
	SETTINGS_FILTERS,	/* -p -n --cgroup --return -L -S ... */
	SETTINGS_ERRORS,	/* --error-if */
	SETTINGS_RUN,		/* --duration --max-sessions ... */
	SETTINGS_ATTACH,	/* -M -K -F --attach --dry-run */
	SETTINGS_SYMBOLS,	/* -k -s --debuginfod */
	SETTINGS_ARGS,		/* -A --args --where -J */
	SETTINGS_BRANCHES,	/* --lbr --source ... */
	SETTINGS_GENERAL,	/* -C --config-help */
	SETTINGS_KEYS,		/* configuration keys that are no options */
};

/* Ends with SETTING_END. */
extern const struct setting settings[];

/*
 * An option of this table on the command line: setting_parse(), and the request remembers that
 * the setting was given.
 */
int settings_parse(const struct setting *setting, struct trace_request *request, const char *value,
		   bool on);
bool settings_given(const struct trace_request *request, const struct setting *setting);

/* A request in which every setting has its default. */
void trace_request_init(struct trace_request *request);

/*
 * The keys in the configuration files: the system's, then the user's. They set nothing that was
 * given. 0; -EINVAL, -errno (reported).
 */
int settings_load(struct trace_request *request);

/* "bpf.ringbuf-size=16M", of -C; "=VALUE" may be missing for a switch. 0; -EINVAL (reported). */
int settings_set_key(struct trace_request *request, const char *assignment);

/* All keys with their defaults. */
void settings_print_keys(FILE *out);

/* Settings that are recorded, to @to from @from, but for those that were given to @to. */
void settings_copy_recorded(struct trace_request *to, const struct trace_request *from);

/* Those in META's key @key, in the order of the file; NULL when there are no more. */
const struct setting *settings_recorded(uint16_t key, unsigned int place);

/* Keys of META that settings have: retsnoop-data.txt. */
enum settings_meta_key {
	META_MAX_DEPTH = 10,
	META_ARGS = 11,
	META_STACKS = 12,
	META_BRANCHES = 13,
	META_SHOW = 18,
};

/* All of them, for arrays. */
#define META_SETTINGS { META_MAX_DEPTH, META_ARGS, META_STACKS, META_BRANCHES, META_SHOW }

#endif
