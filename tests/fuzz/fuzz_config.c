// SPDX-License-Identifier: BSD-2-Clause
/*
 * Configuration: an input is a user's file, a NUL, the name of a case, and after each further NUL
 * what -C is given.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "util/ask/cases.h"
#include "util/ask/request.h"
#include "util/ask/settings.h"

static char home[] = "/tmp/retsnoop-fuzz.XXXXXX";
static char *directory, *path;

static void remove_home(void)
{
	unlink(path);
	rmdir(directory);
	rmdir(home);
	free(path);
	free(directory);
}

/* A directory whose retsnoop/config leads to a file in memory. */
static void make_home(const struct fuzz_file *file)
{
	if (!mkdtemp(home))
		abort();
	directory = strf("%s/retsnoop", home);
	path = strf("%s/config", directory);
	if (mkdir(directory, 0700) || symlink(file->path, path) ||
	    setenv("XDG_CONFIG_HOME", home, true))
		abort();
	atexit(remove_home);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static struct fuzz_file file;
	struct wire wire = wire_of(input, size);
	char *text = fuzz_text(&wire, '\0'), *name = fuzz_text(&wire, '\0');
	struct trace_request request;

	fuzz_quiet();
	fuzz_file_write(&file, text, strlen(text));
	if (!directory)
		make_home(&file);
	trace_request_init(&request);
	settings_load(&request);
	/* A case can have files read, which may be any. */
	if (!strchr(text, '@'))
		case_apply(&request, name);
	while (wire_left(&wire)) {
		char *assignment = fuzz_text(&wire, '\0');

		settings_set_key(&request, assignment);
		free(assignment);
	}
	trace_request_settle(&request);
	trace_request_release(&request);
	free(name);
	free(text);
	return 0;
}
