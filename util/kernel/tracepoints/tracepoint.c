// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tracepoints: finding them, and the fields of their records.
 *
 * Each has a libtraceevent handle of its own: it finds events by their id, and one that claims
 * another's must not be printed in its place.
 */
#include "util/kernel/tracepoints/tracepoint.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <traceevent/event-parse.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/text/scan.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/tracepoints/print_enums.h"
#include "util/kernel/tracepoints/print_fmt.h"

/* No format is that long; the longest are a few pages. */
#define MAX_FORMAT (1 << 20)

/* Nor has that many fields. */
#define MAX_FIELDS 256

int tracefs_look(const char **ret_path)
{
	static const char *const paths[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	int cause = ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_(free_p) char *events = strf("%s/events", paths[i]);
		DIR *dir = events ? opendir(events) : NULL;

		if (dir) {
			closedir(dir);
			*ret_path = paths[i];
			return 0;
		}
		if (errno != ENOENT)
			cause = errno;
	}
	return -cause;
}

int tracefs_find(const char **ret_path)
{
	int err = tracefs_look(ret_path);

	if (!err)
		return 0;
	if (err == -ENOENT)
		return report(err, "tracefs is not mounted, so tracepoints are not known; try "
				   "mount -t tracefs nodev /sys/kernel/tracing");
	return report(err, "cannot read tracefs, which lists the tracepoints: %s%s",
		      strerror(-err), err == -EACCES ? "; run as root" : "");
}

const char *tracepoint_category_refusal(const char *category)
{
	static const struct {
		const char *category, *why;
	} refused[] = {
		{ "ftrace", "they are ftrace's own records, not tracepoints" },
		{ "kprobes", "they are kprobes made in tracefs; ask for kprobe:FUNC" },
		{ "uprobes", "they are uprobes made in tracefs" },
		{ "eprobes", "they are made of other events in tracefs" },
		{ "fprobes", "they are function probes made in tracefs; ask for kprobe:FUNC" },
		{ "synthetic", "they are made of other events in tracefs" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		if (!strcmp(category, refused[i].category))
			return refused[i].why;
	}
	return NULL;
}

static int compare_names(const void *a, const void *b)
{
	const struct tracepoint_name *x = a, *y = b;

	return strcmp(x->category, y->category) ?: strcmp(x->name, y->name);
}

static int add_names(const char *events, const char *category, struct tracepoint_names *names)
{
	_cleanup_(free_p) char *path = strf("%s/%s", events, category);
	_cleanup_(closedir_p) DIR *dir = path ? opendir(path) : NULL;
	struct dirent *entry;

	if (!path)
		return report_oom();
	/* Some files stand among the categories; modules go while we look. */
	while (dir && (entry = readdir(dir))) {
		struct tracepoint_name name = { 0 };

		if (entry->d_name[0] == '.' || entry->d_type == DT_REG)
			continue;
		name.category = strdup(category);
		name.name = strdup(entry->d_name);
		if (!name.category || !name.name || vec_push(&names->v, name)) {
			free(name.category);
			free(name.name);
			return report_oom();
		}
	}
	return 0;
}

int tracepoint_names_read(const char *tracefs, struct tracepoint_names *names)
{
	_cleanup_(free_p) char *events = strf("%s/events", tracefs);
	_cleanup_(closedir_p) DIR *dir = events ? opendir(events) : NULL;
	struct dirent *entry;
	int err = 0;

	if (!events)
		return report_oom();
	if (!dir)
		return report(-errno, "cannot read %s: %m", events);
	while (!err && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || entry->d_type == DT_REG ||
		    tracepoint_category_refusal(entry->d_name))
			continue;
		err = add_names(events, entry->d_name, names);
	}
	vec_sort(&names->v, compare_names);
	return err;
}

void tracepoint_names_release(struct tracepoint_names *names)
{
	vec_foreach(name, &names->v) {
		free(name->category);
		free(name->name);
	}
	vec_release(&names->v);
}

/* Whether the offset, size and type of a field are possible. */
static bool field_makes_sense(const struct tep_format_field *field)
{
	if (field->offset < 0 || field->size < 0 || field->offset > TRACEPOINT_MAX_RECORD ||
	    field->size > TRACEPOINT_MAX_RECORD ||
	    field->offset + field->size > TRACEPOINT_MAX_RECORD)
		return false;
	return !(field->flags & TEP_FIELD_IS_DYNAMIC) || field->size == 4;
}

static int add_field(struct tracepoint *tracepoint, const struct tep_format_field *field)
{
	bool array = field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC);
	uint32_t element = field->elementsize;
	bool string;

	/* Structs are arrays of bytes: their members are not known. */
	if ((array || field->size > 8) && element != 2 && element != 4 && element != 8)
		element = field->type && strstr(field->type, "cpumask_t") ? 8 : 1;
	/* libtraceevent treats arrays of u8 as strings, which they seldom are. */
	string = array && field->flags & TEP_FIELD_IS_STRING && field->type &&
		 strstr(field->type, "char") && !strstr(field->type, "unsigned");
	if (string)
		element = 1;
	if ((uint32_t)(field->offset + field->size) > tracepoint->fixed_size)
		tracepoint->fixed_size = field->offset + field->size;
	return vec_push(&tracepoint->fields,
			(struct tracepoint_field){
				.name = field->name ?: "",
				.type = field->type ?: "",
				.offset = field->offset,
				.size = field->size,
				.element_size = element,
				.array = array,
				.string = string,
				.is_signed = field->flags & TEP_FIELD_IS_SIGNED,
				.pointer = field->flags & TEP_FIELD_IS_POINTER,
				.dynamic = field->flags & TEP_FIELD_IS_DYNAMIC,
				.relative = field->flags & TEP_FIELD_IS_RELATIVE,
			});
}

/* Whether records have a field with their type. */
static bool has_type_field(const struct tep_event *event)
{
	const struct tep_format_field *field = event->format.common_fields;

	for (; field; field = field->next) {
		if (field->name && !strcmp(field->name, "common_type"))
			return !field->offset && field->size == 2;
	}
	return false;
}

/* Fields for numbers are the last ones. */
static bool is_value_field(const struct tracepoint *tracepoint, const struct tep_format_field *field)
{
	return tracepoint->print.values.len && field->name &&
	       !strcmp(field->name, PRINT_VALUE "0");
}

static int take_event(struct tracepoint *tracepoint)
{
	const struct tep_event *event = tracepoint->event;
	const struct tep_format_field *field;

	if (!event->name || event->id < 0)
		return -EINVAL;
	tracepoint->id = event->id;
	tracepoint->name = strdup(event->name);
	if (!tracepoint->name)
		return -ENOMEM;
	tracepoint->fixed_size = 8;
	for (field = event->format.common_fields; field; field = field->next) {
		if (!field_makes_sense(field))
			return -EINVAL;
		if ((uint32_t)(field->offset + field->size) > tracepoint->fixed_size)
			tracepoint->fixed_size = field->offset + field->size;
	}
	for (field = event->format.fields; field; field = field->next) {
		if (is_value_field(tracepoint, field))
			break;
		if (!field_makes_sense(field))
			return -EINVAL;
		/* perf hands programs a copy of numbers only; user strings are not in it. */
		if (tracepoint->syscall && field->flags & TEP_FIELD_IS_DYNAMIC)
			continue;
		if (add_field(tracepoint, field))
			return -ENOMEM;
	}
	tracepoint->readable = !(event->flags & TEP_EVENT_FL_FAILED) && event->print_fmt.format &&
			       event->id <= UINT16_MAX && has_type_field(event);
	/* The record of a system call has no strings: its dynamic fields would read as empty. */
	if (tracepoint->syscall) {
		for (field = event->format.fields; field; field = field->next)
			tracepoint->readable &= !(field->flags & TEP_FIELD_IS_DYNAMIC);
	}
	return 0;
}

/* Skip @what if it is next. */
static bool take_text(const char **at, const char *what)
{
	size_t len = strlen(what);

	if (strncmp(*at, what, len))
		return false;
	*at += len;
	return true;
}

static bool take_word(const char **at)
{
	const char *from = *at;

	while (scan_is_word(**at))
		(*at)++;
	return *at > from;
}

static bool take_number(const char **at)
{
	size_t digits = strspn(*at, "0123456789");

	*at += digits;
	return digits && digits < 6;
}

/* "[]", "[6]", "[sizeof(struct sockaddr_in6)]" */
static bool take_bounds(const char **at)
{
	size_t len = strcspn(*at + 1, "]\n");

	if (len > 64 || (*at)[1 + len] != ']')
		return false;
	for (size_t i = 1; i <= len; i++) {
		if (!isalnum((unsigned char)(*at)[i]) && !strchr("_ ()*+", (*at)[i]))
			return false;
	}
	*at += len + 2;
	return true;
}

static bool begins_with(const char *text, const char *what)
{
	return !strncmp(text, what, strlen(what));
}

/* "__data_loc char[] name", "const struct sock * sk", "u8 a[6]" */
static bool take_declaration(const char **at, struct print_fmt_field *ret_field)
{
	const char *begin = *at;
	int words = 0;
	bool name_last = false;

	*ret_field = (struct print_fmt_field){
		.type = begin,
		.dynamic = begins_with(begin, "__data_loc ") || begins_with(begin, "__rel_loc "),
	};
	for (;; *at += **at == ' ') {
		const char *from = *at;

		if (take_word(at)) {
			ret_field->name = from;
			ret_field->len = *at - from;
			ret_field->type_len = from - begin;
			words++;
			name_last = true;
		} else if (**at == '[') {
			if (!name_last || !take_bounds(at))
				return false;
			ret_field->array = true;
		} else if (**at == '*' && words) {
			(*at)++;
			name_last = false;
		} else if (**at != ' ') {
			return words > 1 && name_last;
		}
	}
}

static bool take_field(const char **at, struct print_fmt_field *ret_field)
{
	const char *offset, *size, *is_signed;

	if (!take_text(at, "\tfield:") || !take_declaration(at, ret_field) ||
	    !take_text(at, ";\toffset:"))
		return false;
	offset = *at;
	if (!take_number(at) || !take_text(at, ";\tsize:"))
		return false;
	size = *at;
	if (!take_number(at) || !take_text(at, ";\tsigned:"))
		return false;
	is_signed = *at;
	if (!take_number(at) || !take_text(at, ";\n"))
		return false;
	ret_field->offset = strtoul(offset, NULL, 10);
	ret_field->size = strtoul(size, NULL, 10);
	ret_field->is_signed = *is_signed != '0';
	return ret_field->offset + ret_field->size <= TRACEPOINT_MAX_RECORD;
}

/* Fields for numbers, after all that a record can have. */
static void value_fields_add(struct strbuf *sb, const struct print_fmt *fmt)
{
	for (size_t i = 0; i < fmt->values.len; i++) {
		bool character = fmt->values.data[i].character;

		strbuf_addf(sb, "\tfield:%s " PRINT_VALUE "%zu%s;", character ? "char" : "u64", i,
			    character ? "[8]" : "");
		strbuf_addf(sb, "\toffset:%zu;\tsize:8;\tsigned:0;\n", TRACEPOINT_VALUES + 8 * i);
	}
}

/*
 * The format for libtraceevent, if the part before the print fmt looks as kernels write it: with
 * the print fmt translated, or with an empty one if it cannot be followed. -EINVAL: it does not.
 */
static int translate_format(const char *format, struct print_fmt *fmt, char **ret)
{
	struct print_fmt_field fields[MAX_FIELDS];
	struct strbuf sb = STRBUF_INIT;
	const char *at = format, *end = format;
	bool good, commons = false;
	size_t nr = 0;

	good = take_text(&at, "name: ") && take_word(&at) && take_text(&at, "\nID: ") &&
	       take_number(&at) && take_text(&at, "\nformat:\n");
	while (good && (end = at, !take_text(&at, "\nprint fmt: "))) {
		/* An empty line is after the common fields. */
		if (*at == '\n' && !commons)
			commons = *at++;
		else
			good = nr < MAX_FIELDS && take_field(&at, &fields[nr++]);
	}
	if (!good)
		return -EINVAL;
	strbuf_add(&sb, format, end - format);
	if (print_fmt_compile(at, strlen(at), fields, nr, fmt)) {
		value_fields_add(&sb, fmt);
		strbuf_addf(&sb, "\nprint fmt: %s\n", strbuf_str(&fmt->text));
	} else {
		print_fmt_release(fmt);
		*fmt = (struct print_fmt)PRINT_FMT_INIT;
		strbuf_addstr(&sb, "\nprint fmt: \"\"\n");
	}
	if (sb.failed) {
		strbuf_release(&sb);
		return -ENOMEM;
	}
	*ret = sb.s;
	return 0;
}

static struct tracepoint *new_tracepoint(const char *category, const char *given)
{
	struct tracepoint *tracepoint = calloc(1, sizeof(*tracepoint));

	if (!tracepoint)
		return NULL;
	tracepoint->print = (struct print_fmt)PRINT_FMT_INIT;
	tracepoint->format = strdup(given);
	tracepoint->category = strdup(category);
	tracepoint->syscall = !strcmp(category, "syscalls");
	tracepoint->tep = tep_alloc();
	if (tracepoint->format && tracepoint->category && tracepoint->tep) {
		tep_set_long_size(tracepoint->tep, 8);
		tep_set_page_size(tracepoint->tep, 4096);
		tep_set_file_bigendian(tracepoint->tep, TEP_LITTLE_ENDIAN);
		tep_set_local_bigendian(tracepoint->tep, TEP_LITTLE_ENDIAN);
		return tracepoint;
	}
	tracepoint_free(tracepoint);
	return NULL;
}

int tracepoint_parse(const char *category, const char *format, size_t size, bool trusted,
		     struct tracepoint **ret)
{
	_cleanup_(free_p) char *translated = NULL, *given = NULL;
	struct tracepoint *tracepoint;
	int err;

	/* libtraceevent prints to stderr what it does not understand; we report that ourselves. */
	tep_set_loglevel(TEP_LOG_NONE);
	if (tracepoint_category_refusal(category) || size > MAX_FORMAT || memchr(format, 0, size))
		return -EINVAL;
	given = strndup(format, size);
	tracepoint = given ? new_tracepoint(category, given) : NULL;
	if (!tracepoint)
		return -ENOMEM;
	err = translate_format(given, &tracepoint->print, &translated);
	/* The running kernel's fields may be written in a new way. */
	if (err == -EINVAL && trusted)
		err = 0;
	if (!err) {
		const char *text = translated ?: given;

		/* If only the print fmt is not understood, libtraceevent still makes an event. */
		tep_parse_event(tracepoint->tep, text, strlen(text), category);
		tracepoint->event = tep_get_first_event(tracepoint->tep);
		err = tracepoint->event ? take_event(tracepoint) : -EINVAL;
		tracepoint->readable &= tracepoint->print.text.len > 0;
	}
	if (err) {
		tracepoint_free(tracepoint);
		return err;
	}
	*ret = tracepoint;
	return 0;
}

int tracepoint_read(const char *tracefs, const char *category, const char *name, struct print_enums *enums,
		    struct tracepoint **ret)
{
	_cleanup_(free_p) char *path = strf("%s/events/%s/%s/format", tracefs, category, name);
	_cleanup_(free_p) char *text = NULL, *resolved = NULL;
	_cleanup_(fclose_p) FILE *file = NULL;
	size_t cap = 0;
	ssize_t len;

	if (!path)
		return -ENOMEM;
	file = fopen(path, "re");
	if (!file)
		return -errno;
	errno = 0;
	len = getdelim(&text, &cap, '\0', file);
	if (len < 0)
		return errno ? -errno : -EINVAL;
	resolved = enums && !memchr(text, 0, len) ? print_enums_resolve(enums, text) : NULL;
	return resolved ? tracepoint_parse(category, resolved, strlen(resolved), true, ret) :
			  tracepoint_parse(category, text, len, true, ret);
}

void tracepoint_free(struct tracepoint *tracepoint)
{
	if (!tracepoint)
		return;
	vec_release(&tracepoint->fields);
	print_fmt_release(&tracepoint->print);
	if (tracepoint->tep)
		tep_free(tracepoint->tep);
	free(tracepoint->category);
	free(tracepoint->format);
	free(tracepoint->name);
	free(tracepoint);
}

/* A tep_func_resolver_t. */
static char *resolve_symbol(void *arg, unsigned long long *addr, char **module)
{
	const struct symbol *symbol = symbols_at(arg, *addr);

	if (!symbol)
		return NULL;
	*addr = symbol->addr;
	*module = (char *)symbol->module;
	return (char *)symbol->name;
}

void tracepoint_use_symbols(struct tracepoint *tracepoint, struct symbols *symbols)
{
	tep_set_function_resolver(tracepoint->tep, resolve_symbol, symbols);
}
