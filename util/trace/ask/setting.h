/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One setting: how it is named, what it can be, where it is kept. An option and a configuration
 * key are two names of a setting. Tables of settings are constant.
 */
#ifndef RETSNOOP_TRACE_ASK_SETTING_H
#define RETSNOOP_TRACE_ASK_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

enum setting_type {
	SETTING_END,		/* of a table */
	SETTING_FLAG,		/* a bool */
	SETTING_CONST,		/* no value is given: the field becomes .value */
	SETTING_NUMBER,		/* from .min to .max */
	SETTING_COUNT,		/* the same, and 2K is 2048 */
	SETTING_SIZE,		/* the same of bytes: printed as 8M */
	SETTING_POWER,		/* a size, rounded up to a power of two times .min, or of pages */
	SETTING_TIME,		/* nanoseconds, at least .min; a number alone counts .unit */
	SETTING_CHOICE,		/* one of .choices */
	SETTING_CUSTOM,		/* .parse does it all */
};

enum setting_flags {
	SETTING_NEGATABLE = 1 << 0,	/* there is --no-NAME, too */
	SETTING_OPTIONAL = 1 << 1,	/* a value may be left out: the field becomes .value then */
	SETTING_HIDDEN = 1 << 2,	/* from help, completion and suggestions; named in full */
	SETTING_BARE_IN_REPORT = 1 << 3, /* `report` has the option without a value */
	SETTING_IN_FULL = 1 << 4,	/* the name cannot be cut short */
};

struct setting_choice {
	const char *name, *alias;	/* alias may be NULL */
	uint64_t value;
};

/* Where recordings keep a setting: Documentation/retsnoop-data.txt. These are for ever. */
struct setting_record {
	uint16_t key;		/* of META; 0: the setting is not recorded */
	uint8_t place;		/* among the settings of that key, from 0 */
	uint8_t size;		/* bytes in the file */
};

struct setting {
	/* The option: its names, and its value as the help calls it (NULL: there is none). */
	const char *name;
	char letter;
	uint8_t group;		/* enum settings_group; 0: a command's own */
	uint8_t flags;
	enum setting_type type;
	const char *arg;
	const char *help;

	/* The field, and what it can be. */
	size_t offset, size;
	uint64_t min, max, unit;
	uint64_t initial;	/* the default */
	uint64_t value, off;	/* of an option without a value, and of --no-NAME */
	const struct setting_choice *choices;	/* the last one has no name */
	const char *values;	/* "VALUE is not ...", and in the list of keys */

	/*
	 * SETTING_CUSTOM. @value is NULL when there is none, @on false for --no-NAME. 0; 1 when all
	 * there was to do was to print something (exit 0); -errno (reported).
	 */
	int (*parse)(const struct setting *setting, void *target, const char *value, bool on);

	/* Values for completion, where they are not the choices: the @i-th, NULL after the last. */
	const char *(*word)(size_t i);

	/* The configuration key. */
	const char *key;
	const char *key_help;

	/* In recordings. `report` refuses the option for a reason, or has a help text of its own. */
	struct setting_record recorded;
	const char *refused;
	const char *report;
};

#define SETTING_FIELD(type, member)                                                                \
	.offset = offsetof(type, member), .size = sizeof(((type *)NULL)->member)

#define for_each_setting(s, table)                                                                 \
	for (const struct setting *s = (table); s->type != SETTING_END; s++)

/* What messages call an option: "-L", or "--stats" when there is no letter. */
#define SETTING_LABEL 40
const char *setting_label(const struct setting *setting, char label[static SETTING_LABEL]);

/* An option of a command line. As setting->parse() returns. */
int setting_parse(const struct setting *setting, void *target, const char *value, bool on);

/* A value as text, of a setting that has a field. 0; -EINVAL (not reported). */
int setting_store(const struct setting *setting, void *target, const char *text);

/* The field as a number. */
uint64_t setting_get(const struct setting *setting, const void *target);
void setting_put(const struct setting *setting, void *target, uint64_t value);

/* The field as users write it. */
void setting_print(const struct setting *setting, const void *target, struct strbuf *text);

/* What values a configuration key has, for messages: "a number up to 1M". */
const char *setting_values(const struct setting *setting);

#endif
