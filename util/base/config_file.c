// SPDX-License-Identifier: BSD-2-Clause
/* Configuration files, read with libinih. */
#include "util/base/config_file.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"

struct reader {
	FILE *file;
	const char *path;
	unsigned int line;
	config_fn fn;
	void *arg;
	int result;	/* first that was not 0 */
};

/*
 * fgets() for libinih, with three differences: lines are counted; a line too long for its buffer
 * is an error instead of two lines; leading white space goes, which would make a line continue
 * the value before it, while here a key is often indented.
 */
static char *read_line(char *buf, int size, void *arg)
{
	struct reader *reader = arg;
	size_t len, skip;

	if (reader->result)
		return NULL;
	errno = 0;
	if (!fgets(buf, size, reader->file)) {
		if (ferror(reader->file))
			reader->result = report(errno ? -errno : -EIO, "cannot read %s: %s", reader->path,
						strerror(errno ?: EIO));
		return NULL;
	}
	reader->line++;
	len = strlen(buf);
	if (len + 1 == (size_t)size && buf[len - 1] != '\n' && !feof(reader->file)) {
		reader->result = report(-EINVAL, "%s:%u: line too long", reader->path,
					reader->line);
		return NULL;
	}
	skip = strspn(buf, " \t");
	memmove(buf, buf + skip, len + 1 - skip);
	return buf;
}

/* libinih cuts longer names of sections, without a word (MAX_SECTION in its ini.c). */
#define LONGEST_SECTION 49

/* [section "name"] as libinih hands it over: section "name". NULL: not that form. */
static char *split_section(char *section, const char **ret_name)
{
	char *quote = strchr(section, '"'), *end;

	*ret_name = NULL;
	if (!quote)
		return strpbrk(section, " \t") ? NULL : section;
	end = strchr(quote + 1, '"');
	if (!end || end[1] || end == quote + 1)
		return NULL;
	if (quote == section || !isspace((unsigned char)quote[-1]))
		return NULL;
	*end = '\0';
	*ret_name = quote + 1;
	section[strcspn(section, " \t")] = '\0';
	return section;
}

static int on_key(void *arg, const char *section, const char *key, const char *value)
{
	struct reader *reader = arg;
	_cleanup_(free_p) char *copy = strdup(section);
	struct config_entry entry = {
		.key = key, .value = value, .path = reader->path, .line = reader->line,
	};

	if (reader->result)
		return 0;
	if (!copy) {
		reader->result = report_oom();
		return 0;
	}
	entry.section = split_section(copy, &entry.name);
	if (strlen(section) >= LONGEST_SECTION)
		reader->result = report(-EINVAL, "%s:%u: the name of the section is too long: '[%s'",
					reader->path, reader->line, section);
	else if (!entry.section)
		reader->result = report(-EINVAL, "%s:%u: '[%s]' is neither [section] nor "
					"[section \"name\"]", reader->path, reader->line, section);
	else
		reader->result = reader->fn(&entry, reader->arg);
	return !reader->result;
}

int config_read_stream(FILE *file, const char *path, config_fn fn, void *arg)
{
	struct reader reader = { .file = file, .path = path, .fn = fn, .arg = arg };
	int line;

	line = ini_parse_stream(read_line, &reader, on_key, &reader);
	if (reader.result)
		return reader.result;
	if (line)
		return report(-EINVAL, "%s:%d: neither a [section] nor a key = value", path, line);
	return 0;
}

int config_read(const char *path, config_fn fn, void *arg)
{
	_cleanup_(fclose_p) FILE *file = fopen(path, "re");

	if (!file && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	/*
	 * $HOME may still be another user's, as after some uses of sudo or setpriv: not an error.
	 */
	if (!file && errno == EACCES) {
		warning("cannot read %s, going on without: %s", path, strerror(errno));
		return 0;
	}
	if (!file)
		return report(-errno, "cannot read %s: %s", path, strerror(errno));
	return config_read_stream(file, path, fn, arg);
}

char *config_user_path(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (xdg && *xdg)
		return strf("%s/retsnoop/config", xdg);
	return home && *home ? strf("%s/.config/retsnoop/config", home) : NULL;
}
