// SPDX-License-Identifier: BSD-2-Clause
/* Find guides: where they are installed, or in the tree that the program was built in. */
#include "builtin/suite/guides.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

#include "builtin/suite/command.h"
#include "builtin/suite/pager.h"
#include "builtin/suite/usage.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/terminal.h"

static void print_options(FILE *out)
{
	command_print_all_options(&cmd_default, out, terminal_color(COLOR_AUTO, fileno(out)));
}

static const struct guide guides[] = {
	{ "tutorial", "Documentation/retsnoop-tutorial.md",
	  .about = "from an errno to the line of kernel code, step by step" },
	{ "options", .section = 7, .about = "the options that all tracing commands have",
	  .print = print_options },
	{ "config", .section = 5, .about = "the configuration file and its keys",
	  .print = settings_print_keys },
	{ "json", "Documentation/retsnoop-json.adoc", 5, "the objects of --format=json" },
	{ "fleet", "Documentation/retsnoop-fleet.adoc", 7,
	  "from one machine to Prometheus, Grafana and Kubernetes" },
	{ "data", "Documentation/retsnoop-data.txt", .about = "the file format of recordings" },
	{ "install", "Documentation/install.md",
	  .about = "building, installing, supported kernels" },
	{ "readme", "README.md", .about = "what retsnoop is, and what each command is for" },
	{ "changelog", "CHANGELOG.md", .about = "what is new" },
};

const struct guide *guide_find(const char *name)
{
	return array_find(guide, guides,
			  !strcasecmp(name, guide->name) ||
				  (guide->file && !strcmp(name, basename(guide->file))));
}

void guides_list(void)
{
	printf("Guides\n");
	for (size_t i = 0; i < ARRAY_SIZE(guides); i++)
		printf("    %-12s%s\n", guides[i].name, guides[i].about);
	printf("\n'retsnoop help NAME' opens them.\n");
}

/* Read with zlib: distributions compress some pages. */
static gzFile open_guide(const char *file)
{
	/* Beside the program's directory, and where distributions keep documentation. */
	static const char *const places[] = { "%s/../share/doc/retsnoop/%s", "%s/../%s" };
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	gzFile opened = NULL;
	char *slash;

	program[len < 0 ? 0 : len] = '\0';
	slash = strrchr(program, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i <= ARRAY_SIZE(places) && !opened; i++) {
		bool last = i == ARRAY_SIZE(places);
		_cleanup_(free_p) char *path = last ? strf("/usr/share/doc/retsnoop/%s", file) :
						      strf(places[i], program, file);
		_cleanup_(free_p) char *compressed = path ? strf("%s.gz", path) : NULL;

		opened = compressed ? gzopen(path, "re") ?: gzopen(compressed, "re") : NULL;
	}
	return opened;
}

int guide_print(const struct guide *guide)
{
	gzFile file = NULL;
	char text[4096];
	int n;

	if (guide->print) {
		pager_start();
		guide->print(stdout);
		return 0;
	}
	file = open_guide(guide->file);
	if (!file && guide->section)
		return report(-ENOENT, "help: the manual page retsnoop-%s(%d) is not installed",
			      guide->name, guide->section);
	if (!file)
		return report(-ENOENT, "help: %s is not installed; distributions keep it in "
			      "/usr/share/doc/retsnoop", guide->file);
	pager_start();
	while ((n = gzread(file, text, sizeof(text))) > 0)
		fwrite(text, 1, n, stdout);
	gzclose(file);
	return n < 0 ? report(-EIO, "help: cannot read %s", guide->file) : 0;
}
