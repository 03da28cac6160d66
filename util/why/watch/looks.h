/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs look whether files are there, and do without most of them. Such a failure explains something only if
 * the program complains about that file. Pure code.
 */
#ifndef RETSNOOP_WHY_WATCH_LOOKS_H
#define RETSNOOP_WHY_WATCH_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/why/watch/searches.h"

/* What a process wrote to standard error, one write after the other. */
struct written {
	uint32_t pid;
	struct strbuf text;	/* up to 64 KiB */
};

typedef VEC(struct written) written_texts;

/* 0; -ENOMEM. Release with written_release() either way. */
int written_collect(written_texts *texts, const watch_events *events);
void written_release(written_texts *texts);

/*
 * Whether the command line, words up to NULL, has a word that is not so short that it may be one by chance.
 * @command: NULL: there is none
 */
bool looks_is_word_of(char *const *command, const char *word);

/* NULL: the process wrote nothing. */
const char *written_by(const written_texts *texts, uint32_t pid);

/*
 * Whether the command line or a text points to the file that a call did not find: has its path, its name, or a part
 * of its path that the command line has as a word. A bare name, as "x", may be that of something else.
 *
 * @command	words up to NULL; NULL: there is none
 * @text	NULL: none
 */
bool look_is_pointed_to(const struct watch_event *look, char *const *command, const char *text);

#endif
