// SPDX-License-Identifier: BSD-2-Clause
/* What a run may have missed. */
#include "util/trace/ledger.h"

#include <inttypes.h>
#include <stddef.h>

#include "util/base/strbuf.h"

/* A kind of loss: how much of it, what it is, what helps. */
struct loss {
	uint64_t count;
	const char *one; /* "1 ..." */
	const char *many; /* "N ..." */
	const char *help; /* or NULL */
};

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

void ledger_print(const struct ledger *ledger)
{
	const struct event_stats *stats = &ledger->stats;
	const struct loss losses[] = {
		{ stats->no_slot, "call was not followed: too many were open at once",
		  "calls were not followed: too many were open at once", "-C bpf.sessions-size=N" },
		{ stats->no_room, "session was lost: the ring buffer was full",
		  "sessions were lost: the ring buffer was full", "-C bpf.ringbuf-size=N" },
		{ stats->stacks_lost, "session has no kernel stack, or only part of it",
		  "sessions have no kernel stack, or only part of it", "-C bpf.ringbuf-size=N" },
		{ ledger->queue_dropped, "record was dropped: showing them did not keep up",
		  "records were dropped: showing them did not keep up",
		  "fewer functions (-e, -a) or filters (-p, -n, -x)" },
		{ ledger->not_shown, "session was not shown: nobody read the output any more",
		  "sessions were not shown: nobody read the output any more", NULL },
		{ ledger->bad_records, "record made no sense and was skipped",
		  "records made no sense and were skipped", NULL },
		{ stats->truncated, "call was nested too deeply to be kept",
		  "calls were nested too deeply to be kept", "fewer functions (-a, -d)" },
		{ stats->missed_returns, "traced call's return was not seen",
		  "traced calls' returns were not seen", NULL },
		{ stats->missed_entries, "return came from a call whose entry was not seen",
		  "returns came from calls whose entries were not seen", NULL },
		{ ledger->missed_by_kernel, "hit was skipped by the kernel",
		  "hits were skipped by the kernel", NULL },
		{ ledger->recursion_misses,
		  "hit was skipped: it came while a program of ours ran on that CPU",
		  "hits were skipped: they came while a program of ours ran on that CPU",
		  "fewer functions (-a, -d)" },
	};
	struct strbuf line = STRBUF_INIT;
	bool missed = false;

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		missed = missed || losses[i].count;

	strbuf_addf(&line, "retsnoop: %" PRIu64 " session%s shown, %s (", ledger->shown,
		    plural(ledger->shown),
		    missed		  ? "some may be missing" :
		    ledger->kernel_counts ? "nothing missed" :
					    "nothing known to be missed");
	if (ledger->attached < ledger->asked)
		strbuf_addf(&line, "%u of ", ledger->attached);
	strbuf_addf(&line, "%u function%s attached", ledger->asked, plural(ledger->asked));
	if (ledger->refused)
		strbuf_addf(&line, ", %u refused", ledger->refused);
	strbuf_addch(&line, ')');
	say(VERBOSITY_NORMAL, "%s", strbuf_str(&line));
	strbuf_release(&line);
	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		const struct loss *loss = &losses[i];

		if (!loss->count)
			continue;
		say(VERBOSITY_NORMAL, "  %" PRIu64 " %s%s%s", loss->count,
		    loss->count == 1 ? loss->one : loss->many, loss->help ? "; try " : "",
		    loss->help ?: "");
	}
}
