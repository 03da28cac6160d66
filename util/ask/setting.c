// SPDX-License-Identifier: BSD-2-Clause
/* Settings by type: from text to a field of the request, and back. */
#include "util/ask/setting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/units.h"

const char *setting_label(const struct setting *setting, char label[static SETTING_LABEL])
{
	if (setting->letter)
		snprintf(label, SETTING_LABEL, "-%c", setting->letter);
	else
		snprintf(label, SETTING_LABEL, "--%s", setting->name);
	return label;
}

const char *setting_values(const struct setting *setting)
{
	if (setting->type == SETTING_FLAG)
		return "a boolean: y, yes, on, 1, true, n, no, off, 0 or false";
	return setting->values;
}

uint64_t setting_get(const struct setting *setting, const void *target)
{
	const void *field = (const char *)target + setting->offset;

	switch (setting->size) {
	case 1:
		return *(const uint8_t *)field;
	case 4:
		return *(const uint32_t *)field;
	default:
		return *(const uint64_t *)field;
	}
}

void setting_put(const struct setting *setting, void *target, uint64_t value)
{
	void *field = (char *)target + setting->offset;

	switch (setting->size) {
	case 1:
		*(uint8_t *)field = value;
		break;
	case 4:
		*(uint32_t *)field = value;
		break;
	default:
		*(uint64_t *)field = value;
	}
}

static int store_choice(const struct setting *setting, void *target, const char *text)
{
	for (const struct setting_choice *choice = setting->choices; choice->name; choice++) {
		if (!strcmp(text, choice->name) || (choice->alias && !strcmp(text, choice->alias))) {
			setting_put(setting, target, choice->value);
			return 0;
		}
	}
	return -EINVAL;
}

static int store_power(const struct setting *setting, void *target, const char *text)
{
	uint64_t size, power = setting->min ?: (uint64_t)sysconf(_SC_PAGESIZE);

	if (parse_size(text, &size) || !size || size < setting->min || size > setting->max)
		return -EINVAL;
	while (power < size)
		power *= 2;
	if (power != size)
		warning("%s: rounded up to %llu bytes, a power of two%s", setting->key,
			(unsigned long long)power, setting->min ? "" : " of pages");
	setting_put(setting, target, power);
	return 0;
}

int setting_store(const struct setting *setting, void *target, const char *text)
{
	uint64_t number = 0;
	bool flag;
	int err;

	switch (setting->type) {
	case SETTING_FLAG:
		err = parse_bool(text, &flag);
		number = !err && flag;
		break;
	case SETTING_CHOICE:
		return store_choice(setting, target, text);
	case SETTING_POWER:
		return store_power(setting, target, text);
	case SETTING_NUMBER:
		err = parse_number(text, setting->min, setting->max, &number);
		break;
	case SETTING_COUNT:
	case SETTING_SIZE:
		err = parse_size(text, &number);
		if (!err && (number < setting->min || number > setting->max))
			err = -EINVAL;
		break;
	case SETTING_TIME:
		err = parse_duration(text, setting->unit, &number);
		if (!err && number < setting->min)
			err = -EINVAL;
		break;
	default:
		err = -EINVAL;
	}
	if (!err)
		setting_put(setting, target, number);
	return err;
}

int setting_parse(const struct setting *setting, void *target, const char *value, bool on)
{
	char label[SETTING_LABEL];

	if (setting->parse)
		return setting->parse(setting, target, value, on);
	if (!value && setting->type == SETTING_FLAG)
		setting_put(setting, target, on);
	else if (!value)
		setting_put(setting, target, on ? setting->value : setting->off);
	else if (setting_store(setting, target, value))
		return report(-EINVAL, "%s: '%s' is not %s", setting_label(setting, label), value,
			      setting->values);
	return 0;
}

/* The largest unit that divides @size; small numbers are printed as they are. */
static void print_size(uint64_t size, struct strbuf *text)
{
	if (size && size % (1 << 20) == 0)
		strbuf_addf(text, "%lluM", (unsigned long long)size >> 20);
	else if (size >= 10 << 10 && size % (1 << 10) == 0)
		strbuf_addf(text, "%lluK", (unsigned long long)size >> 10);
	else
		strbuf_addf(text, "%llu", (unsigned long long)size);
}

void setting_print(const struct setting *setting, const void *target, struct strbuf *text)
{
	uint64_t number = setting_get(setting, target);

	switch (setting->type) {
	case SETTING_FLAG:
		strbuf_addstr(text, number ? "true" : "false");
		break;
	case SETTING_CHOICE:
		for (const struct setting_choice *choice = setting->choices; choice->name; choice++) {
			if (choice->value == number) {
				strbuf_addstr(text, choice->name);
				break;
			}
		}
		break;
	case SETTING_SIZE:
	case SETTING_POWER:
		print_size(number, text);
		break;
	default:
		strbuf_addf(text, "%llu", (unsigned long long)number);
	}
}
