/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Configuration files, in the form of git's:
 *
 *	[section]
 *		key = value
 *	[section "name"]
 *		key = value		; a key may come more than once
 *
 * '#' and ';' begin comments. Nothing is kept: whoever reads a file is called for each key.
 */
#ifndef RETSNOOP_BASE_CONFIG_H
#define RETSNOOP_BASE_CONFIG_H

#include <stdio.h>

struct config_entry {
	const char *section;
	const char *name;	/* of [section "name"]; NULL for a plain [section] */
	const char *key;
	const char *value;
	const char *path;	/* where it stands, for messages */
	unsigned int line;
};

/*
 * 0 to go on; a negative errno after reporting, which ends reading; positive to end it without an
 * error. Strings are valid during the call only.
 */
typedef int (*config_fn)(const struct config_entry *entry, void *arg);

/**
 * @path	for messages
 * @return	0; what the function returned; -EINVAL not in the form above (reported)
 */
int config_read_stream(FILE *file, const char *path, config_fn fn, void *arg);

/*
 * The same for a file by name; one that is not there, or (with a warning) may not be read, is an
 * empty one.
 */
int config_read(const char *path, config_fn fn, void *arg);

/*
 * The user's file ($XDG_CONFIG_HOME/retsnoop/config, ~/.config/retsnoop/config), NULL when there
 * is no home to look in or memory runs out; free() it. And the system's.
 */
char *config_user_path(void);
#define CONFIG_SYSTEM_PATH "/etc/retsnoop/config"

#endif
