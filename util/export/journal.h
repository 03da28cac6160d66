/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Failed calls as entries of systemd's journal, by its native protocol: one datagram each, which is
 * dropped, and counted, where the journal does not take it at once.
 */
#ifndef RETSNOOP_EXPORT_JOURNAL_H
#define RETSNOOP_EXPORT_JOURNAL_H

#include "util/base/strbuf.h"

#define JOURNAL_SOCKET "/run/systemd/journal/socket"

struct failed_call;
struct journal;
struct metrics;

/* @path	of the socket. 0; -errno: nobody listens there (reported) */
int journal_new(const char *path, struct metrics *metrics, struct journal **ret_journal);
void journal_free(struct journal *journal);

/* Never waits. */
void journal_send(struct journal *journal, const struct failed_call *call);

/* Append the entry as it is sent. */
void journal_entry_add(struct strbuf *entry, const struct failed_call *call);

#endif
