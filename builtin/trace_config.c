// SPDX-License-Identifier: BSD-2-Clause
/* Configuration keys: a table, and the code that applies it to a request. */
#include "builtin/trace_config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/config.h"
#include "util/base/nearest.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/units.h"
#include "util/trace/ask/request.h"

/* Keys. A set function returns 0 or -EINVAL without a report; `values` is what to say then. */

static int set_ringbuf_size(struct trace_request *request, const char *value)
{
	uint64_t size, power = sysconf(_SC_PAGESIZE);

	/* The kernel keeps the size in 32 bits. */
	if (parse_size(value, &size) || !size || size > 1ull << 31)
		return -EINVAL;
	while (power < size)
		power *= 2;
	if (power != size)
		warning("bpf.ringbuf-size: rounded up to %llu bytes, a power of two of pages",
			(unsigned long long)power);
	request->ringbuf_size = power;
	return 0;
}

static int set_sessions_size(struct trace_request *request, const char *value)
{
	uint64_t n;

	if (parse_size(value, &n) || !n || n > 1 << 20)
		return -EINVAL;
	request->sessions_size = n;
	return 0;
}

static int set_session_buf_size(struct trace_request *request, const char *value)
{
	uint64_t size, power = 1024;

	if (parse_size(value, &size) || size < power || size > 1 << 20)
		return -EINVAL;
	while (power < size)
		power *= 2;
	if (power != size)
		warning("bpf.session-buf-size: rounded up to %llu bytes, a power of two",
			(unsigned long long)power);
	request->session_buf_size = power;
	return 0;
}

int symbolize_level_parse(const char *text, enum symbolize_level *ret_level)
{
	static const struct {
		const char *name;
		enum symbolize_level level;
	} names[] = {
		{ "auto", SYMBOLIZE_AUTO },	  { "none", SYMBOLIZE_NONE },
		{ "n", SYMBOLIZE_NONE },	  { "lines", SYMBOLIZE_LINES },
		{ "linenum", SYMBOLIZE_LINES },	  { "inlines", SYMBOLIZE_INLINES },
		{ "s", SYMBOLIZE_INLINES },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(text, names[i].name)) {
			*ret_level = names[i].level;
			return 0;
		}
	}
	return -EINVAL;
}

static int set_symb_mode(struct trace_request *request, const char *value)
{
	return symbolize_level_parse(value, &request->symbols.level);
}

static int set_debuginfod(struct trace_request *request, const char *value)
{
	return parse_bool(value, &request->symbols.debuginfod);
}

static int set_unfiltered(struct trace_request *request, const char *value)
{
	return parse_bool(value, &request->stacks_unfiltered);
}

static int set_emit_addrs(struct trace_request *request, const char *value)
{
	return parse_bool(value, &request->stacks_emit_addrs);
}

static int set_dec_offs(struct trace_request *request, const char *value)
{
	return parse_bool(value, &request->stacks_dec_offs);
}

static int set_bytes(const char *value, uint64_t limit, uint32_t *ret)
{
	uint64_t size;

	if (parse_size(value, &size) || size > limit)
		return -EINVAL;
	*ret = size;
	return 0;
}

static int set_max_total_args(struct trace_request *request, const char *value)
{
	return set_bytes(value, ARGS_MAX_BYTES - 16, &request->args.max_total);
}

static int set_max_sized_arg(struct trace_request *request, const char *value)
{
	return set_bytes(value, ARGS_MAX_BYTES - 16, &request->args.max_sized);
}

static int set_max_str_arg(struct trace_request *request, const char *value)
{
	return set_bytes(value, ARGS_MAX_BYTES - 16, &request->args.max_str);
}

static int set_raw_ptrs(struct trace_request *request, const char *value)
{
	return parse_bool(value, &request->args.raw_ptrs);
}

static int set_fmt_mode(struct trace_request *request, const char *value)
{
	static const char *const names[] = { "compact", "multiline", "verbose" };

	for (int i = 0; i < 3; i++) {
		if (!strcmp(value, names[i]) || (value[0] == names[i][0] && !value[1])) {
			request->args_mode = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int set_fmt_max_arg_width(struct trace_request *request, const char *value)
{
	return set_bytes(value, UINT32_MAX, &request->args_width);
}

static int set_fmt_lbr_max_count(struct trace_request *request, const char *value)
{
	uint64_t n;

	if (parse_number(value, 0, UINT32_MAX, &n))
		return -EINVAL;
	request->branches_max = n;
	return 0;
}

_Static_assert(DEFAULT_ARGS_WIDTH == 120, "the help says 120");
_Static_assert(DEFAULT_RINGBUF_SIZE == 8 << 20, "the help says 8M");
_Static_assert(DEFAULT_SESSIONS_SIZE == 1024, "the help says 1024");
_Static_assert(DEFAULT_SESSION_BUF_SIZE == 16 << 10, "the help says 16K");

#define BOOLEAN "a boolean: y, yes, on, 1, true, n, no, off, 0 or false"

static const struct config_key {
	const char *name;	/* "group.key" */
	int (*set)(struct trace_request *request, const char *value);
	const char *initial;
	const char *values;
	const char *summary;
} keys[] = {
	{ "bpf.ringbuf-size", set_ringbuf_size, "8M", "a size up to 2G",
	  "buffer between the kernel and retsnoop" },
	{ "bpf.sessions-size", set_sessions_size, "1024", "a number up to 1M",
	  "calls that can be under way at once" },
	{ "bpf.session-buf-size", set_session_buf_size, "16K", "a size from 1K to 1M",
	  "trace kept with each of them, until it is known to be wanted" },
	{ "stacks.symb-mode", set_symb_mode, "auto", "auto, none, lines or inlines",
	  "use of debug info; as -s" },
	{ "symbols.debuginfod", set_debuginfod, "false", BOOLEAN,
	  "ask debuginfod servers for debug info that is not here; as --debuginfod" },
	{ "stacks.unfiltered", set_unfiltered, "false", BOOLEAN,
	  "keep the stack frames that tracing itself adds" },
	{ "stacks.emit-addrs", set_emit_addrs, "false", BOOLEAN,
	  "print the address of each frame" },
	{ "stacks.dec-offs", set_dec_offs, "false", BOOLEAN,
	  "print offsets in functions as decimal numbers" },
	{ "args.max-total-args-size", set_max_total_args, "3072", "a number of bytes up to 4080",
	  "captured of a call's arguments, at most" },
	{ "args.max-sized-arg-size", set_max_sized_arg, "256", "a number of bytes up to 4080",
	  "captured of what a pointer leads to, at most; 0: pointers are not followed" },
	{ "args.max-str-arg-size", set_max_str_arg, "256", "a number of bytes up to 4080",
	  "captured of a string, at most; 0: strings are not captured" },
	{ "args.capture-raw-ptrs", set_raw_ptrs, "false", BOOLEAN,
	  "capture pointers themselves, too, where they are followed" },
	{ "args.fmt-mode", set_fmt_mode, "compact", "compact (c), multiline (m) or verbose (v)",
	  "arguments on the call's line, on a line each, or a line for each member" },
	{ "args.fmt-max-arg-width", set_fmt_max_arg_width, "120", "a number of columns; 0 any",
	  "columns of an argument's value; what is more is cut, with a mark" },
	{ "fmt.lbr-max-count", set_fmt_lbr_max_count, "0", "a number of branches; 0 all",
	  "branches shown, those closest to the return; as --lbr-max-count" },
};

#define NR_KEYS (sizeof(keys) / sizeof(keys[0]))

/* @where comes first in messages: "-C", "FILE:LINE". */
static int set_key(struct trace_request *request, const char *name, const char *value,
		   const char *where)
{
	struct nearest near = nearest_start(name);

	for (size_t i = 0; i < NR_KEYS; i++) {
		nearest_offer(&near, keys[i].name);
		if (strcmp(keys[i].name, name))
			continue;
		if (!keys[i].set(request, value))
			return 0;
		return report(-EINVAL, "%s: %s: '%s' is not %s", where, name, value,
			      keys[i].values);
	}
	return nearest_report(&near, "--config-help lists them", "%s: there is no key '%s'", where,
			      name);
}

int trace_config_set(struct trace_request *request, const char *assignment)
{
	const char *equals = strchrnul(assignment, '=');
	_cleanup_(free_p) char *name = strndup(assignment, equals - assignment);

	if (!name)
		return report_oom();
	return set_key(request, name, *equals ? equals + 1 : "true", "-C");
}

void trace_config_help(FILE *out)
{
	fputs("Keys for -C KEY=VALUE and for configuration files, with their defaults:\n\n", out);
	for (size_t i = 0; i < NR_KEYS; i++)
		fprintf(out, "  %s=%s\n        %s (%s)\n", keys[i].name, keys[i].initial,
			keys[i].summary, keys[i].values);
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
		return trace_case_check_key(entry);	/* read when -c asks for it */
	if (entry->name)
		return report(-EINVAL, "%s: [%s] takes no name", where, entry->section);
	return set_key(request, name, entry->value, where);
}

int trace_config_load(void *request)
{
	_cleanup_(free_p) char *user = config_user_path();
	int err;

	/* The user's file last: it has the last word. */
	err = config_read(CONFIG_SYSTEM_PATH, on_key, request);
	return err || !user ? err : config_read(user, on_key, request);
}
