/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Configuration files, in the form of git's:
 *
 *	[section]
 *		key = value
 *	[section "name"]
 *		key = value		; a key may come more than once
 *
 * '#' and ';' begin comments. Nothing is kept: a callback gets each key.
 */
#ifndef RETSNOOP_BASE_CONFIG_FILE_H
#define RETSNOOP_BASE_CONFIG_FILE_H

#include <stdio.h>

struct config_entry {
	const char *section;
	const char *name;	/* of [section "name"]; NULL for a plain [section] */
	const char *key;
	const char *value;
	const char *path;	/* its file, for messages */
	unsigned int line;
};

/*
 * Returns 0 to go on; a negative errno after reporting, which ends reading; a positive number to
 * end reading without an error. Strings are valid only during the call.
 */
typedef int (*config_fn)(const struct config_entry *entry, void *arg);

/**
 * @path	for messages
 * @return	0; the result of @fn; -EINVAL not in the form above (reported)
 */
int config_read_stream(FILE *file, const char *path, config_fn fn, void *arg);

/*
 * The same for a file by name. A missing file, or (with a warning) one that must not be read,
 * counts as empty.
 */
int config_read(const char *path, config_fn fn, void *arg);

/*
 * The user's file ($XDG_CONFIG_HOME/retsnoop/config, ~/.config/retsnoop/config); NULL: no home
 * directory, or out of memory; free() it.
 */
char *config_user_path(void);
#define CONFIG_SYSTEM_PATH "/etc/retsnoop/config"

#endif
