// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's messages in a call. */
#include "util/why/watch/said.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bpf/watch/watch_event.h"
#include "util/base/macros.h"

/* Lines of the verifier's log that are shown. */
#define VERIFIER_LINES 2
/* In `have`, which messages use for nothing else. */
#define GOES_ON 1
/* KERN_SOH: comes before the level in printk()'s text. */
#define START_OF_HEADER '\001'

const char *said_source(const struct watch_event *said)
{
	static const char *const names[] = {
		[WATCH_PRINTK] = "printk",
		[WATCH_NETLINK] = "netlink",
		[WATCH_FSOPEN] = "fsopen",
		[WATCH_VERIFIER] = "verifier",
	};

	return said->nr < ARRAY_SIZE(names) ? names[said->nr] : "?";
}

/* Length of the verifier's log without the statistics after its error: "processed 9 insns ..." */
static size_t without_statistics(const char *text, size_t len)
{
	const char *line;

	for (;;) {
		while (len && text[len - 1] == '\n')
			len--;
		line = memrchr(text, '\n', len);
		if (!len || !startswith(line ? line + 1 : text, "processed "))
			return len;
		len = line ? (size_t)(line - text) : 0;
	}
}

/*
 * Where the explanation begins that follows the error since Linux 7.3; NULL without one. It has
 * paragraphs with titles ("Reason:", "Suggestion:"), their lines begin with two blanks.
 */
static char *verifier_explanation(char *text)
{
	static const char title[] = "Verification failed: ";
	char *found = NULL;

	for (char *at = text; (at = strstr(at, title)); at++) {
		if (at == text || at[-1] == '\n')
			found = at;
	}
	return found;
}

/* The paragraph "Reason:" of the explanation, made one line; "" without one. */
static const char *reason_of(char *explanation)
{
	static const char title[] = "\nReason:\n  ";
	char *reason = strstr(explanation, title), *line;

	if (!reason)
		return "";
	reason += strlen(title);
	for (line = strchr(reason, '\n'); line && startswith(line, "\n  "); line = strchr(line, '\n'))
		memmove(line, line + 2, strlen(line + 2) + 1);	/* one of the blanks stays */
	if (line)
		*line = '\0';
	return reason;
}

/*
 * The end of the verifier's log: the error, the line before it, which has the instruction, and the
 * reason, if there is room.
 */
static void fill_complaint(struct watch_event *said, char *text)
{
	char *explanation = verifier_explanation(text), *start, *line;
	const char *reason = "";

	if (explanation) {
		reason = reason_of(explanation);
		*explanation = '\0';
	}
	start = text + without_statistics(text, strlen(text));
	*start = '\0';
	for (int nr = 0; nr < VERIFIER_LINES && start > text; nr++) {
		line = memrchr(text, '\n', start - text - 1);
		if (!line && nr && said->result == WATCH_SAID_CUT)
			break;
		line = line ? line + 1 : text;
		if (nr && strlen(line) >= sizeof(said->said))
			break;
		start = line;
	}
	if (strlen(start) + strlen(reason) + 2 > sizeof(said->said))
		reason = "";
	snprintf(said->said, sizeof(said->said), "%s%s%s", start,
		 *start && *reason ? "\n" : "", reason);
}

/*
 * Whether a message of printk() ended its line. Where its length is known, the end of the line and the level's marks
 * are not in that, but they are still in the buffer.
 */
static bool ends_line(const char *text)
{
	size_t len = strlen(text);

	return len >= WATCH_SAID_SIZE - 1 || (len && text[len - 1] == '\n');
}

bool said_goes_on(const struct watch_event *said)
{
	return said->have & GOES_ON;
}

void said_fill(struct watch_event *said, char *text)
{
	size_t len;

	said->have = said->nr == WATCH_PRINTK && !ends_line(text) ? GOES_ON : 0;
	if (said->nr == WATCH_VERIFIER) {
		fill_complaint(said, text);
	} else {
		if (said->result >= 0 && said->result < (int64_t)sizeof(said->said))
			text[said->result] = '\0';
		if (said->nr == WATCH_FSOPEN && text[0] && text[1] == ' ')
			text += 2;
		while (said->nr == WATCH_PRINTK && text[0] == START_OF_HEADER && text[1])
			text += 2;
		snprintf(said->said, sizeof(said->said), "%s", text);
	}
	len = strlen(said->said);
	while (len && said->said[len - 1] == '\n')
		said->said[--len] = '\0';
}
