// SPDX-License-Identifier: BSD-2-Clause
/* Tells whether a program complains about a file that it did not find. */
#include "util/why/watch/looks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/why/watch/complaint.h"

/* The most that is kept of what a process wrote. */
#define MAX_TEXT (64 * 1024)
/* Shorter names may be in a text by chance. */
#define MIN_NAME 3

static struct written *find_written(const written_texts *texts, uint32_t pid)
{
	return vec_find(written, texts, written->pid == pid);
}

int written_collect(written_texts *texts, const watch_events *events)
{
	struct written *written = NULL;

	vec_foreach(event, events) {
		if (event->kind != WATCH_WROTE)
			continue;
		if (!written || written->pid != event->pid)
			written = find_written(texts, event->pid);
		if (!written) {
			if (vec_push(texts, (struct written){ .pid = event->pid }))
				return -ENOMEM;
			written = &texts->data[texts->len - 1];
		}
		if (written->text.len < MAX_TEXT)
			strbuf_addstr(&written->text, event->said);
		if (written->text.failed)
			return -ENOMEM;
	}
	return 0;
}

void written_release(written_texts *texts)
{
	vec_foreach(written, texts)
		strbuf_release(&written->text);
	vec_release(texts);
}

const char *written_by(const written_texts *texts, uint32_t pid)
{
	const struct written *written = find_written(texts, pid);

	return written ? strbuf_str(&written->text) : NULL;
}

bool looks_is_word_of(char *const *command, const char *word)
{
	if (strlen(word) < MIN_NAME)
		return false;
	for (size_t i = 1; command && command[0] && command[i]; i++) {
		if (!strcmp(command[i], word))
			return true;
	}
	return false;
}

/* Whether a text has the name of the file, or another part of its path that is in the command line. */
static bool has_part(const char *text, const char *path, char *const *command)
{
	char part[WATCH_STRING];

	for (const char *at = path; *at; at += strcspn(at, "/")) {
		at += strspn(at, "/");
		snprintf(part, sizeof(part), "%.*s", (int)strcspn(at, "/"), at);
		if (strlen(part) >= MIN_NAME && complaint_has_path(text, part) &&
		    (!at[strlen(part)] || looks_is_word_of(command, part)))
			return true;
	}
	return false;
}

bool look_is_pointed_to(const struct watch_event *look, char *const *command, const char *text)
{
	const char *path = watch_path(look);

	if (!path || !strpbrk(path, "/."))
		return false;
	if (searches_is_in_command(command, path))
		return true;
	if (!text)
		return false;
	/* The end of a long path was not read. */
	if (strlen(path) == WATCH_STRING - 1 && strstr(text, path))
		return true;
	return complaint_has_path(text, path) || has_part(text, path, command);
}
