// SPDX-License-Identifier: BSD-2-Clause
/* Finding places in lines of a kernel's log. */
#include "util/kernel/symbols/log_line.h"

#include <ctype.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/scan.h"

static bool begins_at(const char *line, size_t len, size_t at, const char *text)
{
	size_t n = strlen(text);

	return at + n <= len && !memcmp(line + at, text, n);
}

/* Whether a line up to @end ends in a text. */
static bool ends_at(const char *line, size_t end, const char *text)
{
	size_t n = strlen(text);

	return end >= n && !memcmp(line + end - n, text, n);
}

/* Characters of symbols: those of C, of compilers' suffixes (".constprop.0", "$x"), and of Rust. */
static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static bool in_module(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Read "0x1f" at *@at, and move *@at after it. */
static bool take_hex(const char *line, size_t len, size_t *at, uint64_t *ret)
{
	size_t i = *at, digits;
	uint64_t value = 0;

	if (i + 2 >= len || line[i] != '0' || line[i + 1] != 'x')
		return false;
	for (i += 2, digits = 0; i < len && scan_hex_digit(line[i]) >= 0; i++, digits++)
		value = value << 4 | scan_hex_digit(line[i]);
	if (!digits || digits > 16)
		return false;
	*at = i;
	*ret = value;
	return true;
}

static bool take_build_id(const char *text, size_t len, struct build_id *ret)
{
	struct build_id id = {};

	if (!len || len % 2 || len / 2 > sizeof(id.bytes))
		return false;
	for (size_t i = 0; i < len; i += 2) {
		int high = scan_hex_digit(text[i]), low = scan_hex_digit(text[i + 1]);

		if (high < 0 || low < 0)
			return false;
		id.bytes[id.len++] = high << 4 | low;
	}
	*ret = id;
	return true;
}

/* Read " [ext4]" or " [ext4 0123456789abcdef]" at *@at, and move *@at after it. */
static void take_module(const char *line, size_t len, size_t *at, struct log_place *place)
{
	const char *text = line + *at;
	size_t left = len - *at, name = 0, end, id;

	if (left < 4 || text[0] != ' ' || text[1] != '[')
		return;
	text += 2;
	left -= 2;
	while (name < left && in_module(text[name]))
		name++;
	if (!name || name == left || name >= sizeof(place->module))
		return;
	end = name;
	if (text[end] == ' ') {
		id = end + 1;
		for (end = id; end < left && scan_hex_digit(text[end]) >= 0; end++)
			;
		if (end == left || text[end] != ']' ||
		    !take_build_id(text + id, end - id, &place->build_id))
			return;
	}
	if (text[end] != ']')
		return;
	memcpy(place->module, text, name);
	place->module[name] = '\0';
	*at += 2 + end + 1;
}

/*
 * A line of a stack trace has the place and nothing in front but perhaps an address and "? ", which
 * says that it may not belong there.
 */
static bool in_stack_trace(const char *line, size_t len, size_t start)
{
	size_t i = log_text_start(line, len);

	if (i + 4 < start && !memcmp(line + i, "[<", 2)) {
		const char *close = memchr(line + i, ']', start - i);

		i = close ? (size_t)(close - line) + 1 : i;
	}
	while (i < start && (line[i] == ' ' || line[i] == '?'))
		i++;
	return i == start;
}

/*
 * Addresses in other lines are where something is ("RIP: 0010:", "WARNING: ... at"), except for
 * registers with return addresses and callers that the kernel notes (_RET_IP_).
 */
static bool names_caller(const char *line, size_t len, size_t start)
{
	size_t text = log_text_start(line, len);

	if (text >= start)
		return false;
	/* arm64 and riscv; SLUB's tracks (print_track()). */
	if (ends_at(line, start, "lr : ") || ends_at(line, start, "ra : ") ||
	    ends_at(line, start, "Allocated in ") || ends_at(line, start, "Freed in "))
		return true;
	/* Tags that the CPU checks, "invalid-access", have the program counter. */
	if (begins_at(line, len, text, "BUG: KASAN: "))
		return ends_at(line, start, " in ") &&
		       !memmem(line + text, start - text, "invalid-access", 14);
	/* Locks of RCU, work and timers, "(rcu_read_lock)" and "((wq_completion)x)": _THIS_IP_. */
	return ends_at(line, start, ", at: ") && !memmem(line, start, "(rcu_", 5) &&
	       !memmem(line, start, "((", 2);
}

bool log_find_place(const char *line, size_t len, size_t from, struct log_place *ret_place)
{
	const char *plus;

	while (from < len && (plus = memchr(line + from, '+', len - from))) {
		size_t at = plus - line + 1, start = plus - line;
		struct log_place place = {};
		bool is_pc;

		while (start > from && in_name(line[start - 1]))
			start--;
		from = at;
		if (start == at - 1 || isdigit((unsigned char)line[start]) ||
		    at - 1 - start >= sizeof(place.name))
			continue;
		if (!take_hex(line, len, &at, &place.offset) || at >= len || line[at++] != '/' ||
		    !take_hex(line, len, &at, &place.size) || (at < len && in_name(line[at])))
			continue;
		memcpy(place.name, line + start, from - 1 - start);
		place.start = start;
		take_module(line, len, &at, &place);
		place.end = at;
		/*
		 * arm64 marks the program counter of an exception's registers: " (P)", with flags
		 * " (PF)" (state_source_string() in arch/arm64/kernel/stacktrace.c, 6.13).
		 */
		is_pc = len - at > 3 && !memcmp(line + at, " (P", 3);
		/* The very beginning of a function is where something is going, not back to. */
		place.is_return = place.offset && !is_pc &&
				  (in_stack_trace(line, len, start) || names_caller(line, len, start));
		*ret_place = place;
		return true;
	}
	return false;
}

/* Entry code for exceptions in the kernel of arm64 and riscv. */
static bool is_entry_code(const char *name)
{
	static const char *const names[] = { "el1h_64_sync", "el1h_64_irq", "el1h_64_fiq",
					     "el1h_64_error", "el1_sync", "el1_irq", "el1_fiq",
					     "el1_error", "handle_exception", "ret_from_exception" };

	return array_find(known, names, !strcmp(name, *known));
}

void log_trace_follow(struct log_trace *trace, const char *line, size_t len, struct log_place *place)
{
	bool after_entry = trace->after_entry;

	trace->after_entry = false;
	if (!in_stack_trace(line, len, place->start)) {
		if (ends_at(line, place->start, "pc : "))
			trace->pc = *place;
		return;
	}
	if (after_entry ||
	    (trace->pc.offset == place->offset && !strcmp(trace->pc.name, place->name)))
		place->is_return = false;
	trace->pc.name[0] = '\0';
	trace->after_entry = is_entry_code(place->name);
}

/* A word that may go into a file name. */
static bool take_release(const char *line, size_t len, size_t at, char *ret_release)
{
	size_t n = 0;

	while (at + n < len && (isalnum((unsigned char)line[at + n]) ||
				(line[at + n] && strchr("._+-~", line[at + n]))))
		n++;
	/* All begin with a number, and then a dot. */
	if (n < 3 || n >= LOG_RELEASE_MAX || !isdigit((unsigned char)line[at]) || at + n >= len ||
	    line[at + n] != ' ')
		return false;
	memcpy(ret_release, line + at, n);
	ret_release[n] = '\0';
	return strchr(ret_release, '.') != NULL;
}

/* The end of the first @word at or after @from; 0: there is none. */
static size_t find_end_of(const char *line, size_t len, size_t from, const char *word)
{
	const char *found = from < len ? memmem(line + from, len - from, word, strlen(word)) : NULL;

	return found ? found - line + strlen(word) : 0;
}

/* "6.1.0-18-amd64 #1 Not tainted", in reports of lockdep. */
static bool is_lockdep_release(const char *line, size_t len, size_t at, const char *release)
{
	size_t end = at + strlen(release);
	const char *space;

	if (!begins_at(line, len, end, " #"))
		return false;
	space = memchr(line + end + 2, ' ', len - end - 2);
	at = space ? (size_t)(space - line) : len;
	return begins_at(line, len, at, " Not tainted") || begins_at(line, len, at, " Tainted: ");
}

bool log_find_release(const char *line, size_t len, char ret_release[LOG_RELEASE_MAX])
{
	size_t text = log_text_start(line, len), at = text, tainted;

	if (begins_at(line, len, text, "Linux version "))
		return take_release(line, len, text + strlen("Linux version "), ret_release);
	if (take_release(line, len, text, ret_release))
		return is_lockdep_release(line, len, text, ret_release);
	/*
	 * "Not tainted 6.1.0 #1", "Tainted: G W OE 6.1.0 #1", "... [W]=WARN, 6.12.1 #1"; alone in
	 * reports of hung tasks.
	 */
	if (!begins_at(line, len, text, "Not tainted ") && !begins_at(line, len, text, "Tainted: ")) {
		at = find_end_of(line, len, 0, "CPU: ");
		at = at ? find_end_of(line, len, at, "Comm: ") : 0;
		if (!at)
			return false;
	}
	tainted = find_end_of(line, len, at, "ainted");
	at = tainted ? find_end_of(line, len, tainted, " #") : 0;
	if (!at)
		return false;
	/* The word before " #1". */
	at -= 2;
	while (at > tainted && line[at - 1] != ' ')
		at--;
	return take_release(line, len, at, ret_release);
}

bool log_find_code(const char *line, size_t len, struct log_code *ret_code)
{
	size_t at = log_text_start(line, len);
	struct log_code code = {};
	bool marked = false;

	if (len - at < 6 || memcmp(line + at, "Code: ", 6))
		return false;
	for (at += 6; at < len && code.len < sizeof(code.bytes);) {
		bool mark = line[at] == '<';

		at += mark;
		if (at + 1 >= len || scan_hex_digit(line[at]) < 0 ||
		    scan_hex_digit(line[at + 1]) < 0)
			break;
		if (mark) {
			code.at = code.len;
			marked = true;
		}
		code.bytes[code.len++] = scan_hex_digit(line[at]) << 4 |
					 scan_hex_digit(line[at + 1]);
		at += 2 + mark;
		at += at < len && line[at] == ' ';
	}
	if (!marked)
		return false;
	*ret_code = code;
	return true;
}

/*
 * Length of "[ ... ]" with a time, a CPU or a thread in it; 0: other text. Months are in any language,
 * and `dmesg --show-delta` adds "<    0.000003>"; "[<" begins an address.
 */
static size_t bracketed_length(const char *line, size_t len, size_t at)
{
	size_t end;

	if (at >= len || line[at] != '[' || begins_at(line, len, at, "[<"))
		return 0;
	for (end = at + 1; end < len && line[end] != ']'; end++) {
		unsigned char c = line[end];

		if (c < 0x80 && !isalnum(c) && !strchr(" .,:+-<>", c))
			return 0;
	}
	return end < len ? end + 1 - at : 0;
}

/* Length of blanks, a mail's quote marks, and the colours of dmesg(1) on a terminal. */
static size_t decoration_length(const char *line, size_t len, size_t at)
{
	size_t from = at;

	for (; at < len; at++) {
		size_t end = at + 2;

		if (memchr(" \t>|", line[at], 4))
			continue;
		if (line[at] != '\033' || end >= len || line[at + 1] != '[')
			break;
		while (end < len && (isdigit((unsigned char)line[end]) || line[end] == ';'))
			end++;
		if (end == len || line[end] != 'm')
			break;
		at = end;
	}
	return at - from;
}

/* "kern  :warn  : ", as `dmesg --decode` has it. */
static size_t decode_prefix_len(const char *line, size_t len, size_t at)
{
	static const char *const levels[] = { "emerg ", "alert ", "crit  ", "err   ",
					      "warn  ", "notice", "info  ", "debug " };
	const char *colon = at + 10 < len ? memchr(line + at, ':', 10) : NULL;
	size_t level = colon ? colon - line + 1 : 0;

	if (level < at + 7 || level + 8 > len || memcmp(line + level + 6, ": ", 2))
		return 0;
	return array_find(printed, levels, !memcmp(line + level, *printed, 6)) ? level + 8 - at : 0;
}

/* "2026-11-21T17:44:02,123456+00:00 " */
static size_t iso_time(const char *line, size_t len, size_t at)
{
	static const char form[] = "0000-00-00T00:00:00";
	const char *end;

	if (len - at < sizeof(form))
		return 0;
	for (size_t i = 0; form[i]; i++) {
		if (form[i] == '0' ? !isdigit((unsigned char)line[at + i]) :
				     line[at + i] != form[i])
			return 0;
	}
	end = memchr(line + at, ' ', len - at);
	return end ? end + 1 - (line + at) : 0;
}

/* "4,339,5140900,-,caller=T1;", in /dev/kmsg and from netconsole. */
static size_t kmsg_prefix_len(const char *line, size_t len, size_t at)
{
	size_t i = at;

	for (int field = 0; field < 3; field++) {
		size_t digits = i;

		while (i < len && isdigit((unsigned char)line[i]))
			i++;
		if (i == digits || i >= len || line[i++] != ',')
			return 0;
	}
	if (i >= len || !memchr("-c+", line[i++], 3))
		return 0;
	while (i < len && (isalnum((unsigned char)line[i]) || memchr(",=_/-", line[i], 5)))
		i++;
	return i < len && line[i] == ';' ? i + 1 - at : 0;
}

size_t log_text_start(const char *line, size_t len)
{
	size_t at = decoration_length(line, len, 0), skip;
	const char *prefix;

	/* Skip "<4>", and syslog's prefix: "Nov 21 17:44:02 host kernel: [    5.09]" */
	if (len - at > 2 && line[at] == '<' && isdigit((unsigned char)line[at + 1])) {
		const char *close = memchr(line + at, '>', len - at < 5 ? len - at : 5);

		at = close ? (size_t)(close - line) + 1 : at;
	}
	prefix = memmem(line, len, "kernel: ", 8);
	/* wall(1) leaves out the blank. */
	prefix = prefix ?: memmem(line, len, "kernel:[", 8);
	if (prefix && prefix - line < 200)
		at = prefix - line + (prefix[7] == '[' ? 7 : 8);
	at += kmsg_prefix_len(line, len, at);
	at += decode_prefix_len(line, len, at);
	at += iso_time(line, len, at);
	do {
		at += decoration_length(line, len, at);
		skip = bracketed_length(line, len, at);
		at += skip;
	} while (skip);
	return at;
}
