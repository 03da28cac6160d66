// SPDX-License-Identifier: BSD-2-Clause
/* Asking libdebuginfod. */
#include "util/kernel/debug/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/debug/debuginfo_find.h"

/*
 * Copied facts of elfutils/debuginfod.h, whose ABI is stable: the build does not need the header.
 */
struct debuginfod_client;
typedef int (*progress_fn)(struct debuginfod_client *client, long done, long total);

struct library {
	void *handle;
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	int (*find_debuginfo)(struct debuginfod_client *client, const unsigned char *build_id,
			      int build_id_len, char **path);
	void (*set_progressfn)(struct debuginfod_client *client, progress_fn fn);
};

struct debuginfod {
	struct library library;
	struct debuginfod_client *client;	/* NULL: not asked yet */
	int err;	/* the reason why no further file is asked for */
};

static volatile sig_atomic_t interrupted;

/* The current transfer. The library passes no pointer of ours to its progress function. */
static struct progress *under_way;

static void on_interrupt(int signal)
{
	interrupted = 1;
}

/* Whether Ctrl-C was pressed; while tracing, signals are blocked. */
static bool is_interrupted(void)
{
	sigset_t pending;

	return interrupted || (!sigpending(&pending) && (sigismember(&pending, SIGINT) == 1 ||
							 sigismember(&pending, SIGTERM) == 1));
}

/* A static program has no dynamic linker, and a library that it loaded would need another libc. */
static bool can_load(void)
{
	return getauxval(AT_BASE) != 0;
}

static int load_library(struct library *ret_library)
{
	struct library library = {};
	const struct {
		const char *name;
		void *function;
	} functions[] = {
		{ "debuginfod_begin", &library.begin },
		{ "debuginfod_end", &library.end },
		{ "debuginfod_find_debuginfo", &library.find_debuginfo },
		{ "debuginfod_set_progressfn", &library.set_progressfn },
	};

	library.handle = can_load() ? dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL) : NULL;
	if (!library.handle)
		return -ENOPKG;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *address = dlsym(library.handle, functions[i].name);

		if (!address) {
			dlclose(library.handle);
			return -ENOPKG;
		}
		memcpy(functions[i].function, &address, sizeof(address));
	}
	*ret_library = library;
	return 0;
}

/*
 * Login shells set the variable from these files; sudo removes it. 0; -ENODATA: there are no
 * servers.
 */
static int find_servers(void)
{
	_cleanup_(strbuf_release) struct strbuf urls = STRBUF_INIT;
	const char *set = getenv("DEBUGINFOD_URLS");
	glob_t files;

	if (set)
		return *set ? 0 : -ENODATA;
	if (glob("/etc/debuginfod/*.urls", 0, NULL, &files))
		return -ENODATA;
	for (size_t i = 0; i < files.gl_pathc; i++) {
		_cleanup_(fclose_p) FILE *file = fopen(files.gl_pathv[i], "re");
		char url[512];

		while (file && fscanf(file, "%511s", url) == 1)
			strbuf_addf(&urls, "%s%s", urls.len ? " " : "", url);
	}
	globfree(&files);
	if (!urls.len || urls.failed)
		return -ENODATA;
	setenv("DEBUGINFOD_URLS", strbuf_str(&urls), 1);
	return 0;
}

int debuginfod_available(void)
{
	struct library library;
	int err = load_library(&library);

	if (err)
		return err;
	dlclose(library.handle);
	return find_servers();
}

static int on_progress(struct debuginfod_client *client, long done, long total)
{
	/* In search of a server, the numbers are of servers. */
	if (total > 1 << 16)
		progress_update_bytes(under_way, done, total);
	else
		progress_update(under_way, 0, 0);
	return is_interrupted();
}

struct debuginfod *debuginfod_new(void)
{
	struct debuginfod *debuginfod = calloc(1, sizeof(*debuginfod));

	if (!debuginfod)
		report_oom();
	return debuginfod;
}

void debuginfod_free(struct debuginfod *debuginfod)
{
	if (!debuginfod)
		return;
	if (debuginfod->client)
		debuginfod->library.end(debuginfod->client);
	if (debuginfod->library.handle)
		dlclose(debuginfod->library.handle);
	free(debuginfod);
}

static int begin_client(struct debuginfod *debuginfod)
{
	int err = load_library(&debuginfod->library);

	if (err) {
		warning(can_load() ?
				"debuginfod: no library libdebuginfod.so.1 here; install it "
				"(libdebuginfod1, elfutils-debuginfod-client)" :
				"debuginfod: this is the static retsnoop, which cannot load "
				"libraries; run 'debuginfod-find debuginfo' once, and it finds "
				"what that fetched");
		return err;
	}
	err = find_servers();
	if (err) {
		warning("debuginfod: no servers; set DEBUGINFOD_URLS to those of your distribution");
		return err;
	}
	debuginfod->client = debuginfod->library.begin();
	if (!debuginfod->client)
		return report_oom();
	debuginfod->library.set_progressfn(debuginfod->client, on_progress);
	return 0;
}

/*
 * After an interrupted transfer, libdebuginfod (0.188) leaves an empty file, which means that no
 * server has it; no server would be asked again for ten minutes.
 */
static void forget_failure(const struct build_id *id)
{
	_cleanup_(free_p) char *path = debuginfo_cache_path(id);
	struct stat st;

	if (path && !stat(path, &st) && !st.st_size)
		unlink(path);
}

/* Returns a path, or -errno. Ctrl-C ends the transfer, whatever handler the program has. */
static int find_by_build_id(struct debuginfod *debuginfod, const struct build_id *id,
			    char **ret_path)
{
	struct sigaction action = { .sa_handler = on_interrupt }, before;
	int fd;

	interrupted = 0;
	sigaction(SIGINT, &action, &before);
	fd = debuginfod->library.find_debuginfo(debuginfod->client, id->bytes, id->len, ret_path);
	sigaction(SIGINT, &before, NULL);
	if (fd >= 0)
		close(fd);
	if (fd < 0 && is_interrupted()) {
		forget_failure(id);
		return -EINTR;
	}
	return fd < 0 ? fd : 0;
}

int debuginfod_fetch(struct debuginfod *debuginfod, const struct build_id *id, const char *what,
		     char **ret_path)
{
	_cleanup_(free_p) char *title = strf("Fetching the debug info of %s", what);
	struct progress progress;
	int err;

	if (!debuginfod->client && !debuginfod->err)
		debuginfod->err = begin_client(debuginfod);
	if (debuginfod->err)
		return debuginfod->err;
	if (!id->len)
		return -ENOENT;
	if (!title)
		return report_oom();
	progress = progress_start(title);
	under_way = &progress;
	err = find_by_build_id(debuginfod, id, ret_path);
	under_way = NULL;
	progress_end(&progress);
	if (err == -EINTR) {
		warning("debuginfod: given up; going on without the debug info of %s", what);
		debuginfod->err = err;
	} else if (err == -ENOENT) {
		say(VERBOSITY_VERBOSE, "debuginfod: no server has the debug info of %s", what);
	} else if (err) {
		warning("debuginfod: cannot fetch the debug info of %s: %s", what, strerror(-err));
		/* A dead server would be waited for again, module by module. */
		debuginfod->err = err;
	}
	return err;
}
