/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Failed calls as entries of systemd's journal, by its native protocol: one datagram each. If the
 * journal does not accept it at once, it is dropped and counted.
 */
#ifndef RETSNOOP_EXPORT_JOURNAL_H
#define RETSNOOP_EXPORT_JOURNAL_H

#include "util/base/strbuf.h"

#define JOURNAL_SOCKET "/run/systemd/journal/socket"

struct failed_call;
struct journal;
struct metrics;

/* @path	of the socket. 0; -errno: no journal listens there (reported) */
int journal_new(const char *path, struct metrics *metrics, struct journal **ret_journal);
void journal_free(struct journal *journal);

/* Send an entry. Never waits. */
void journal_send(struct journal *journal, const struct failed_call *call);

/* Append an entry in the journal's format. */
void journal_entry_add(struct strbuf *entry, const struct failed_call *call);

#endif
