// SPDX-License-Identifier: BSD-2-Clause
/* What the kernel said in a call. */
#include "util/why/watch/said.h"

#include <stdint.h>
#include <string.h>

#include "bpf/watch.h"
#include "util/base/macros.h"

/* KERN_SOH: before a level, in what printk() was given. */
#define START_OF_HEADER '\001'

const char *said_source(const struct watch_event *said)
{
	static const char *const names[] = {
		[WATCH_PRINTK] = "printk",
		[WATCH_NETLINK] = "netlink",
		[WATCH_FSOPEN] = "fsopen",
	};

	return said->nr < ARRAY_SIZE(names) ? names[said->nr] : "?";
}

static const char *text_of(const struct watch_event *said)
{
	const char *text = said->said;

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
