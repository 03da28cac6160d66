/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tracepoints in tracefs: their list, the fields of their records, and records as text, by
 * libtraceevent.
 *
 * A record is what a program of BPF_PROG_TYPE_TRACEPOINT gets as its context: 8 bytes of the
 * kernel (a pointer in place of the record's common fields), the fields, and after them the data
 * of __data_loc fields. It may be cut anywhere, and is not trusted.
 */
#ifndef RETSNOOP_KERNEL_TRACEPOINTS_TRACEPOINT_H
#define RETSNOOP_KERNEL_TRACEPOINTS_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/kernel/tracepoints/print_fmt.h"

struct print_enums;
struct symbols;
struct tep_handle;
struct tep_event;

/**
 * Where tracefs is mounted; nothing is mounted.
 *
 * @ret_path	static
 * @return	0; -ENOENT it is not mounted, -EACCES and others it cannot be read (reported)
 */
int tracefs_find(const char **ret_path);
/* The same, but nothing is reported if it is missing. */
int tracefs_look(const char **ret_path);

struct tracepoint_name {
	char *category, *name;
};

/* Sorted by category, then name. */
struct tracepoint_names {
	VEC(struct tracepoint_name) v;
};

/*
 * Read the names of all tracepoints below @tracefs ("/sys/kernel/tracing") that BPF can attach
 * to. 0; -errno (reported). Release either way.
 */
int tracepoint_names_read(const char *tracefs, struct tracepoint_names *names);
void tracepoint_names_release(struct tracepoint_names *names);

/*
 * Why BPF cannot attach to tracepoints of a category ("they are another tracer's"), or NULL.
 * Static.
 */
const char *tracepoint_category_refusal(const char *category);

struct tracepoint_field {
	const char *name, *type;	/* "filename", "__data_loc char[]"; the tracepoint's */
	uint32_t offset, size;		/* in a record; dynamic: of the word that leads to it */
	uint32_t element_size;		/* of arrays */
	bool array, string, is_signed, pointer;
	bool dynamic;			/* __data_loc, __rel_loc: length << 16 | offset */
	bool relative;			/* __rel_loc: the offset counts from after the word */
};

struct tracepoint {
	char *category, *name;
	char *format;				/* the parsed text */
	uint32_t id;				/* perf_event_attr.config */
	VEC(struct tracepoint_field) fields;	/* without common ones */
	uint32_t fixed_size;			/* bytes up to the end of the last field */
	bool syscall;	/* programs get only the fields, no other memory */
	bool readable;	/* its print fmt can be followed */
	struct print_fmt print;	/* its numbers */
	struct tep_handle *tep;
	struct tep_event *event;
};

/* The largest record that is formatted; the rest is left out. Offsets in records have 16 bits. */
#define TRACEPOINT_MAX_RECORD 32768

/* Where libtraceevent finds the numbers of the print fmt. */
#define TRACEPOINT_VALUES ((size_t)TRACEPOINT_MAX_RECORD)

/**
 * Parse the text of a `format` file.
 *
 * @trusted	it is the running kernel's. libtraceevent crashes on formats that no kernel has, so
 *		the fields of others must have the usual form. Without a print fmt that can be
 *		followed (print_fmt.h), the fields are shown
 * @ret		free with tracepoint_free()
 * @return	0; -EINVAL it makes no sense; -ENOMEM. Nothing is reported.
 */
int tracepoint_parse(const char *category, const char *format, size_t size, bool trusted,
		     struct tracepoint **ret);

/*
 * The same from tracefs. -errno: it cannot be read. Nothing is reported.
 *
 * @enums	for names in the print fmt; NULL: none
 */
int tracepoint_read(const char *tracefs, const char *category, const char *name, struct print_enums *enums,
		    struct tracepoint **ret);
void tracepoint_free(struct tracepoint *tracepoint);

/* Use these symbols for names of functions (`%pS`); they must outlive the tracepoint. */
void tracepoint_use_symbols(struct tracepoint *tracepoint, struct symbols *symbols);

/*
 * Append a record by its print fmt: "comm=sh pid=1 -> pid=2". If that cannot be followed, or
 * leads out of the record, append its fields. Cut text ends in "…".
 */
void tracepoint_add(const struct tracepoint *tracepoint, const void *record, size_t size,
		    struct strbuf *sb);

/* Append the value of one field: "'/bin/sh'", "630", "[1,2,3]"; "…" for missing data. */
void tracepoint_field_add(const struct tracepoint *tracepoint,
			  const struct tracepoint_field *field, const void *record, size_t size,
			  struct strbuf *sb);

#endif
