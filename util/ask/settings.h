/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of all settings of a trace_request, for options, configuration files, -C and
 * recordings. The top of settings.c describes how to add a setting.
 */
#ifndef RETSNOOP_ASK_SETTINGS_H
#define RETSNOOP_ASK_SETTINGS_H

#include <stdio.h>

#include "util/ask/request.h"
#include "util/ask/setting.h"

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
	SETTINGS_KEYS,		/* configuration keys without an option */
};

/* Ends with SETTING_END. */
extern const struct setting settings[];

/* Parse an option of this table: setting_parse(), and remember that the setting was given. */
int settings_parse(const struct setting *setting, struct trace_request *request, const char *value,
		   bool on);
bool settings_given(const struct trace_request *request, const struct setting *setting);

/* Set every setting of a request to its default. */
void trace_request_init(struct trace_request *request);

/*
 * Read the configuration files: the system's, then the user's. Settings given on the command line
 * are kept. 0; -EINVAL, -errno (reported).
 */
int settings_load(struct trace_request *request);

/* Set a key of -C, "bpf.ringbuf-size=16M"; a switch needs no value. 0; -EINVAL (reported). */
int settings_set_key(struct trace_request *request, const char *assignment);

/* Copy the settings that BPF programs use as they are. */
void settings_configure(const struct trace_request *request, struct bpf_config *config);

/* Print all keys with their defaults. */
void settings_print_keys(FILE *out);

/* Copy recorded settings from @from to @to, except those that were given to @to. */
void settings_copy_recorded(struct trace_request *to, const struct trace_request *from);

/* The settings in META's key @key, in the order of the file; NULL after the last. */
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
