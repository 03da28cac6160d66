// SPDX-License-Identifier: BSD-2-Clause
/* The writer of recordings. */
#include "util/trace/record/recording_write.h"

#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/kernel/live_code.h"
#include "util/kernel/machine/cgroup_names.h"
#include "util/kernel/symbols/code_source.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_subset.h"
#include "util/plan/plan.h"
#include "util/trace/record/recording_path.h"
#include "util/trace/record/recording_symbols.h"

struct recorder {
	struct recorder_options options;
	struct kernel *kernel;
	const struct plan *plan;
	const struct attached *attached;
	struct recording_meta meta;
	int fd;				/* -1: a sink */
	struct chunk_writer chunks;
	struct symbol_needs *needs;
	struct live_code live;
	struct code_source code;
	struct cgroup_names cgroups;
	struct strbuf events;		/* records that are not written yet */
	uint64_t waiting;		/* sessions in them */
	uint64_t sessions;		/* in this file */
	uint64_t before;		/* sessions in the file before this one */
	uint64_t before_bytes;
	uint64_t dropped;
	size_t clock_changes;		/* number of changes in this file */
	bool between;			/* the last record ended a session */
	struct ledger ledger;		/* as of the last flush */
};

/* For a recording_sink. A chunk that is written only in part is removed again. */
static int write_file(void *arg, const void *data, size_t size)
{
	struct recorder *r = arg;
	size_t written = 0;
	ssize_t n;
	int err = 0;

	while (written < size && !err) {
		n = write(r->fd, (const char *)data + written, size - written);
		if (n > 0)
			written += n;
		else if (!n || errno != EINTR)
			err = n ? errno : EIO;
	}
	if (!err)
		return 0;
	/* If that fails, the file ends within a chunk, which readers can handle. */
	if (ftruncate(r->fd, r->chunks.bytes))
		say(VERBOSITY_VERBOSE, "%s: cannot be cut: %s", r->options.path, strerror(errno));
	return report(-err, "cannot write %s: %s; what was recorded before is in it",
		      r->options.path, strerror(err));
}

static int write_strbuf(struct recorder *r, enum recording_chunk kind, unsigned int flags,
			struct strbuf *sb)
{
	int err = sb->failed ? report_oom() : 0;

	err = err ?: chunk_write(&r->chunks, kind, flags, strbuf_str(sb), sb->len);
	strbuf_reset(sb);
	return err;
}

static int write_btf(struct recorder *r, const char *name, const struct btf *btf)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;
	uint32_t size;
	const void *data = btf__raw_data(btf, &size);

	if (!data)
		return report_oom();
	recording_put_btf(&sb, name, data, size);
	return write_strbuf(r, CHUNK_BTF, CHUNK_NECESSARY, &sb);
}

/* Write all types of vmlinux, and of the modules whose BTF was used. */
static int write_whole_btf(struct recorder *r, struct kernel_btf *btf)
{
	const struct kernel_btf_module *module;
	int err = 0;

	for (int i = 0; btf && !err && (module = kernel_btf_module(btf, i)); i++)
		err = write_btf(r, module->name, module->btf);
	return err;
}

static int write_more_funcs(struct recorder *r, uint32_t first)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;

	if (first == r->plan->funcs.len)
		return 0;
	recording_put_funcs(&sb, r->plan, r->attached, first);
	return write_strbuf(r, CHUNK_FUNCS, CHUNK_NECESSARY, &sb);
}

/* Writing the plan collects the types that it refers to; they are written before it. */
static int write_plan(struct recorder *r)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;
	struct btf_subset *types = NULL;
	struct kernel_btf *btf = NULL;
	int err = 0;

	if (r->plan->args || r->plan->probes) {
		if (kernel_get_btf(r->kernel, &btf))
			btf = NULL;
	}
	if (!r->options.full_btf) {
		types = btf_subset_new();
		if (!types)
			return report_oom();
	}
	err = recording_put_plan(&sb, r->plan, r->attached, btf, types);
	if (!err && types && btf)
		err = write_btf(r, NULL, btf_subset_btf(types));
	else if (!err)
		err = write_whole_btf(r, btf);
	btf_subset_free(types);
	err = err ?: write_strbuf(r, CHUNK_PLAN, CHUNK_NECESSARY, &sb);
	return err ?: write_more_funcs(r, r->plan->funcs.len - r->plan->nr_more);
}

static int begin_file(struct recorder *r)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;
	int err = chunk_writer_begin(&r->chunks, &r->options.sink);

	if (err)
		return err;
	r->clock_changes = 0;
	vec_foreach(name, &r->cgroups.v)
		name->written = false;
	recording_put_meta(&sb, &r->meta);
	err = write_strbuf(r, CHUNK_META, CHUNK_NECESSARY, &sb);
	return err ?: write_plan(r);
}

/* Random enough to tell one run from another, soon after boot too: it never waits. */
static int random_id(uint8_t *id, size_t size)
{
	if (getrandom(id, size, GRND_INSECURE) == (ssize_t)size)
		return 0;
	return report(-EIO, "cannot get random numbers (getrandom): %s", strerror(errno));
}

int recorder_new(const struct recorder_options *options, struct kernel *kernel,
		 const struct plan *plan, const struct attached *attached,
		 struct recording_meta *meta,
		 struct recorder **ret_recorder)
{
	struct recorder *r = calloc(1, sizeof(*r));
	struct symbolizer *symbolizer;
	struct symbols *symbols;
	int err;

	if (!r) {
		recording_meta_release(meta);
		return report_oom();
	}
	r->options = *options;
	r->kernel = kernel;
	r->plan = plan;
	r->attached = attached;
	r->meta = *meta;
	*meta = (struct recording_meta){};
	r->fd = -1;
	live_code_init(&r->live, kernel);
	live_code_open(&r->live);
	cgroup_names_init_live(&r->cgroups, options->cgroups);
	r->cgroups.records = true;
	r->code = (struct code_source){ live_code_read, &r->live };
	if (options->path)
		r->options.sink = (struct recording_sink){ write_file, r };
	err = kernel_symbols(kernel, &symbols);
	err = err ?: kernel_symbolizer(kernel, &symbolizer);
	err = err ?: random_id(r->meta.run, sizeof(r->meta.run));
	err = err ?: recorded_kernel_read(symbols, &r->meta.kernel);
	if (!err) {
		r->needs = symbol_needs_new(symbolizer, symbols, plan, &r->code);
		if (!r->needs)
			err = report_oom();
	}
	if (!err && options->path) {
		r->fd = recording_path_create(options->path);
		err = r->fd < 0 ? r->fd : 0;
	}
	err = err ?: begin_file(r);
	if (err) {
		recorder_free(r);
		return err;
	}
	*ret_recorder = r;
	return 0;
}

static int write_ledger(struct recorder *r)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;

	recording_put_ledger(&sb, &r->ledger, r->dropped);
	return write_strbuf(r, CHUNK_LEDGER, 0, &sb);
}

/* Write the clock's changes that this file does not have yet. */
static int write_clock(struct recorder *r)
{
	const struct wall_clock *clock = r->options.clock;
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;
	size_t nr = clock ? clock->changes.len - r->clock_changes : 0;

	if (!nr)
		return 0;
	recording_put_clock(&sb, clock->changes.data + r->clock_changes, nr);
	r->clock_changes += nr;
	return write_strbuf(r, CHUNK_CLOCK, 0, &sb);
}

/* Write the cgroups that this file does not have yet. */
static int write_cgroups(struct recorder *r)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;

	recording_put_cgroups(&sb, &r->cgroups);
	return sb.len ? write_strbuf(r, CHUNK_CGROUPS, 0, &sb) : 0;
}

/* Write everything that the events need, then the events. */
static int write_events(struct recorder *r)
{
	struct strbuf *modules = symbol_needs_modules(r->needs);
	struct strbuf *symbols = symbol_needs_symbols(r->needs);
	struct strbuf *code = symbol_needs_code(r->needs);
	int err = 0;

	if (!r->events.len)
		return 0;
	if (modules->len)
		err = write_strbuf(r, CHUNK_MODULES, 0, modules);
	if (!err && symbols->len)
		err = write_strbuf(r, CHUNK_SYMBOLS, 0, symbols);
	if (!err && code->len)
		err = write_strbuf(r, CHUNK_CODE, 0, code);
	err = err ?: write_clock(r);
	err = err ?: write_cgroups(r);
	err = err ?: write_strbuf(r, CHUNK_EVENTS, CHUNK_NECESSARY, &r->events);
	if (!err) {
		r->sessions += r->waiting;
		r->waiting = 0;
	}
	return err;
}

/*
 * Whether to rotate. The previous file may use half of the limit, so this one may use the other
 * half. If possible, no session is split between two files: with an open session, the file may
 * grow by an eighth.
 */
static bool is_full(const struct recorder *r)
{
	uint64_t limit = r->options.max_bytes / 2;

	if (!limit || r->fd < 0)
		return false;
	return r->chunks.bytes >= limit + (r->between ? 0 : limit / 8);
}

static int rotate_file(struct recorder *r)
{
	int err = write_events(r), fd;

	err = err ?: write_ledger(r);
	if (err)
		return err;
	fd = recording_path_rotate(r->options.path, r->fd);
	if (fd < 0)
		return fd;
	close(r->fd);
	r->fd = fd;
	r->dropped += r->before;
	r->before = r->sessions;
	r->before_bytes = r->chunks.bytes;
	r->sessions = 0;
	r->meta.part++;
	chunk_writer_release(&r->chunks);
	symbol_needs_restart(r->needs);
	return begin_file(r);
}

/* Note a cgroup's path now: the cgroup may not exist when the recording is read. */
static void note_cgroup(struct recorder *r, const void *data, size_t size)
{
	struct event_session event;

	if (size < sizeof(event))
		return;
	memcpy(&event, data, sizeof(event));
	cgroup_names_get(&r->cgroups, event.cgroup);
}

int recorder_record(struct recorder *r, const void *data, size_t size)
{
	static const char zeros[8];
	struct event_header header;
	int err;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, data, sizeof(header));
	/* The ring buffer may return a few bytes more than the record has. */
	if (header.size < sizeof(header) || header.size > size)
		return 0;
	size = header.size;
	/* Rotate before this record needs symbols in the new file. */
	if (is_full(r)) {
		err = rotate_file(r);
		if (err)
			return err;
	}
	err = symbol_needs_record(r->needs, data, size);
	if (err)
		return err;
	strbuf_add(&r->events, data, size);
	strbuf_add(&r->events, zeros, -size & 7);
	if (r->events.failed)
		return report_oom();
	r->between = header.kind == EVENT_SESSION;
	if (r->between)
		note_cgroup(r, data, size);
	r->waiting += r->between;
	return r->events.len >= RECORDING_EVENTS_SIZE ? write_events(r) : 0;
}

int recorder_modules_changed(struct recorder *r, uint32_t first)
{
	int err = write_events(r);

	/* Other code may be at addresses whose symbols were written. */
	symbol_needs_restart(r->needs);
	return err ?: write_more_funcs(r, first);
}

/*
 * A machine that crashes loses data that is not on its way to the disk: by default, that of half
 * a minute. Start writing, but do not wait: the disk may be what hangs.
 */
static void begin_writeback(const struct recorder *r)
{
	if (r->fd >= 0)
		sync_file_range(r->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int recorder_flush(struct recorder *r, const struct ledger *ledger)
{
	bool news = r->events.len || memcmp(&r->ledger, ledger, sizeof(*ledger));
	int err = write_events(r);

	r->ledger = *ledger;
	if (!err && news)
		err = write_ledger(r);
	if (!err && news)
		begin_writeback(r);
	return err;
}

int recorder_end(struct recorder *r, const struct ledger *ledger)
{
	int err = write_events(r);

	r->ledger = *ledger;
	err = err ?: write_ledger(r);
	return err ?: chunk_write(&r->chunks, CHUNK_END, 0, "", 0);
}

void recorder_stats(const struct recorder *r, struct recorder_stats *ret_stats)
{
	*ret_stats = (struct recorder_stats){
		.sessions = r->sessions + r->before,
		.dropped = r->dropped,
		.bytes = r->chunks.bytes + r->before_bytes,
		.files = r->meta.part ? 2 : 1,
	};
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	chunk_writer_release(&r->chunks);
	symbol_needs_free(r->needs);
	live_code_close(&r->live);
	cgroup_names_release(&r->cgroups);
	strbuf_release(&r->events);
	recording_meta_release(&r->meta);
	free(r);
}
