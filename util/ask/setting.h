/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One setting: its names, its values, its field. An option and a configuration key are two names of
 * a setting. Tables of settings are constant.
 */
#ifndef RETSNOOP_ASK_SETTING_H
#define RETSNOOP_ASK_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

enum setting_type {
	SETTING_END,		/* of a table */
	SETTING_FLAG,		/* a bool */
	SETTING_CONST,		/* no value is given: the field becomes .value */
	SETTING_NUMBER,		/* from .min to .max */
	SETTING_COUNT,		/* a number; 2K is 2048 */
	SETTING_SIZE,		/* a count of bytes: printed as 8M */
	SETTING_POWER,		/* a size, rounded up to a power of two times .min, or of pages */
	SETTING_TIME,		/* nanoseconds, at least .min; a number alone counts .unit */
	SETTING_CHOICE,		/* one of .choices */
	SETTING_CUSTOM,		/* parsed by .parse */
};

enum setting_flags {
	SETTING_NEGATABLE = 1 << 0,	/* --no-NAME exists too */
	SETTING_OPTIONAL = 1 << 1,	/* a value may be left out: the field becomes .value then */
	SETTING_HIDDEN = 1 << 2,	/* not in help, completion, suggestions; no abbreviation */
	SETTING_BARE_IN_REPORT = 1 << 3, /* `report` has the option without a value */
	SETTING_IN_FULL = 1 << 4,	/* the name cannot be abbreviated */
};

struct setting_choice {
	const char *name, *alias;	/* alias may be NULL */
	uint64_t value;
};

/* A setting's place in recordings (Documentation/retsnoop-data.txt). It must never change. */
struct setting_record {
	uint16_t key;		/* of META; 0: the setting is not recorded */
	uint8_t place;		/* among the settings of that key, from 0 */
	uint8_t size;		/* bytes in the file */
};

struct setting {
	/* The option: its names, and its value's name in the help (NULL: no value). */
	const char *name;
	char letter;
	uint8_t group;		/* enum settings_group; 0: a command's own */
	uint8_t flags;
	enum setting_type type;
	const char *arg;
	const char *help;

	/* The field and its possible values. */
	size_t offset, size;
	uint64_t min, max, unit;
	uint64_t initial;	/* the default */
	uint64_t value, off;	/* of an option without a value, and of --no-NAME */
	const struct setting_choice *choices;	/* the last one has no name */
	const char *values;	/* for "VALUE is not ...", and for the list of keys */

	/*
	 * SETTING_CUSTOM. @value is NULL when there is none, @on false for --no-NAME. 0; 1 the
	 * option only printed something (exit 0); -errno (reported).
	 */
	int (*parse)(const struct setting *setting, void *target, const char *value, bool on);

	/* Values for completion, unless they are the choices: the @i-th, NULL after the last. */
	const char *(*word)(size_t i);

	/* The field of struct bpf_config with the same value; of size 0: none. */
	size_t config_offset, config_size;

	/* The configuration key. */
	const char *key;
	const char *key_help;

	/* For recordings: why `report` refuses the option, or its help text in `report`. */
	struct setting_record recorded;
	const char *refused;
	const char *report;
};

#define SETTING_FIELD(type, member)                                                                \
	.offset = offsetof(type, member), .size = sizeof(((type *)NULL)->member)

#define for_each_setting(s, table)                                                                 \
	for (const struct setting *s = (table); s->type != SETTING_END; s++)

/* An option's name in messages: "-L", or "--stats" if it has no letter. */
#define SETTING_LABEL 40
const char *setting_label(const struct setting *setting, char label[static SETTING_LABEL]);

/* Parse an option of a command line. Returns as setting->parse(). */
int setting_parse(const struct setting *setting, void *target, const char *value, bool on);

/* Store a value given as text; the setting must have a field. 0; -EINVAL (not reported). */
int setting_store(const struct setting *setting, void *target, const char *text);

/* The field as a number. */
uint64_t setting_get(const struct setting *setting, const void *target);
void setting_put(const struct setting *setting, void *target, uint64_t value);

/* Print the field as users write it. */
void setting_print(const struct setting *setting, const void *target, struct strbuf *text);

/* A configuration key's possible values, for messages: "a number up to 1M". */
const char *setting_values(const struct setting *setting);

#endif
