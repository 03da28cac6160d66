// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's messages in a call. */
#include "util/why/watch/said.h"

#include <stdint.h>
#include <string.h>

#include "bpf/watch.h"
#include "util/base/macros.h"

/* Lines of the verifier's log that are shown. */
#define VERIFIER_LINES 2
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

/* The end of the verifier's log: the error, and the line before it, which has the instruction. */
static const char *verifier_complaint(struct watch_event *said)
{
	char *text = said->said, *start, *line;

	start = text + without_statistics(text, strlen(text));
	*start = '\0';
	for (int nr = 0; nr < VERIFIER_LINES && start > text; nr++) {
		line = memrchr(text, '\n', start - text - 1);
		if (!line && nr && said->result == WATCH_SAID_CUT)
			break;
		start = line ? line + 1 : text;
	}
	return start;
}

static const char *text_of(struct watch_event *said)
{
	const char *text = said->said;

	if (said->nr == WATCH_VERIFIER)
		return verifier_complaint(said);
	if (said->nr == WATCH_FSOPEN && text[0] && text[1] == ' ')
		return text + 2;
	while (said->nr == WATCH_PRINTK && text[0] == START_OF_HEADER && text[1])
		text += 2;
	return text;
}

void said_trim(struct watch_event *said)
{
	const char *text;
	size_t len;

	said->said[sizeof(said->said) - 1] = '\0';
	if (said->result >= 0 && said->result < (int64_t)sizeof(said->said))
		said->said[said->result] = '\0';
	text = text_of(said);
	len = strlen(text);
	memmove(said->said, text, len + 1);
	while (len && said->said[len - 1] == '\n')
		said->said[--len] = '\0';
}
