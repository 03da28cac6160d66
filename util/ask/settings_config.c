// SPDX-License-Identifier: BSD-2-Clause
/* Configuration keys, from -C and from files: the settings that have a key. */
#include <errno.h>
#include <string.h>

#include "util/ask/cases.h"
#include "util/ask/setting_parsers.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/config_file.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/nearest.h"

/*
 * @where	the beginning of messages: "-C", "FILE:LINE"
 * @given	the setting was given on the command line: files do not change it
 */
static int set_key(struct trace_request *request, const char *name, const char *value,
		   const char *where, bool given)
{
	struct nearest near = nearest_start(name);

	for_each_setting(setting, settings) {
		struct trace_request unused, *to = request;

		if (!setting->key)
			continue;
		nearest_offer(&near, setting->key);
		if (strcmp(setting->key, name))
			continue;
		if (given)
			request->given[setting - settings] = true;
		else if (settings_given(request, setting))
			to = &unused;
		if (!setting_store(setting, to, value))
			return 0;
		return report(-EINVAL, "%s: %s: '%s' is not %s", where, name, value,
			      setting_values(setting));
	}
	return nearest_report(&near, "--config-help lists them", "%s: unknown key '%s'", where,
			      name);
}

int settings_set_key(struct trace_request *request, const char *assignment)
{
	const char *equals = strchrnul(assignment, '=');
	_cleanup_(free_p) char *name = strndup(assignment, equals - assignment);

	if (!name)
		return report_oom();
	return set_key(request, name, *equals ? equals + 1 : "true", "-C", true);
}

void settings_print_keys(FILE *out)
{
	struct trace_request defaults;

	trace_request_init(&defaults);
	trace_request_settle(&defaults);
	fputs("Keys for -C KEY=VALUE and for configuration files, with their defaults:\n\n", out);
	for_each_setting(setting, settings) {
		_cleanup_(strbuf_release) struct strbuf initial = STRBUF_INIT;

		if (!setting->key)
			continue;
		setting_print(setting, &defaults, &initial);
		fprintf(out, "  %s=%s\n        %s (%s)\n", setting->key, strbuf_str(&initial),
			setting->key_help, setting_values(setting));
	}
	trace_request_release(&defaults);
}

/* Files. */

static int on_key(const struct config_entry *entry, void *request)
{
	_cleanup_(free_p) char *name = strf("%s.%s", entry->section, entry->key);
	_cleanup_(free_p) char *where = strf("%s:%u", entry->path, entry->line);

	if (!name || !where)
		return report_oom();
	if (!*entry->section)
		return report(-EINVAL, "%s: '%s' is in no [section]", where, entry->key);
	if (entry->name && !strcmp(entry->section, "case"))
		return case_check_key(entry);	/* read when -c asks for it */
	if (entry->name)
		return report(-EINVAL, "%s: [%s] takes no name", where, entry->section);
	return set_key(request, name, entry->value, where, false);
}

int settings_load(struct trace_request *request)
{
	_cleanup_(free_p) char *user = config_user_path();
	int err;

	/* The user's file last: it overrides the system's. */
	err = config_read(CONFIG_SYSTEM_PATH, on_key, request);
	return err || !user ? err : config_read(user, on_key, request);
}

SETTING_PARSER(parse_config)
{
	return settings_set_key(target, value);
}

SETTING_PARSER(parse_config_help)
{
	settings_print_keys(stdout);
	return 1;
}
