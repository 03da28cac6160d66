// SPDX-License-Identifier: BSD-2-Clause
/* LEDGER chunks, the loss report: numbers by key. Keys are never reused. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "util/ask/settings.h"
#include "util/base/macros.h"
#include "util/trace/record/recording.h"
#include "util/trace/record/wire.h"
#include "util/trace/session/ledger.h"

struct ledger_key {
	uint16_t key;
	uint16_t size;
	size_t offset;
};

#define STAT(key_, name) { key_, 8, offsetof(struct ledger, stats.name) }
#define NUMBER(key_, name)                                                                         \
	{ key_, sizeof(((struct ledger *)NULL)->name), offsetof(struct ledger, name) }

static const struct ledger_key ledger_keys[] = {
	STAT(1, opened),	  STAT(2, sent),	    STAT(3, filtered),
	STAT(4, no_slot),	  STAT(5, no_room),	    STAT(6, stacks_lost),
	STAT(7, truncated),	  STAT(8, missed_returns),  STAT(9, missed_entries),
	STAT(10, calls_lost),	  STAT(11, summary_lost),   STAT(12, nmi_skipped),
	STAT(13, ring_records),	  STAT(14, ring_bytes),	    STAT(15, probes_skipped),
	STAT(16, children_lost),  STAT(17, branches_lost),  NUMBER(20, not_shown),
	NUMBER(21, queue_dropped), NUMBER(22, parts_dropped), NUMBER(23, missed_by_kernel),
	NUMBER(24, recursion_misses), NUMBER(25, kernel_counts),
	NUMBER(27, asked),	  NUMBER(28, attached),	    NUMBER(29, refused),
	NUMBER(30, shown),	  NUMBER(32, ftrace_off),   NUMBER(33, kprobes_off),
	NUMBER(34, contexts_mixed), STAT(35, elsewhere),	    STAT(36, map_busy),
	STAT(37, release_failed), STAT(38, breakpoints),    STAT(39, shed),
	NUMBER(40, given_up),	  NUMBER(41, budget_ppm),   NUMBER(42, tracing_ns),
	NUMBER(43, cpus_ns),	  NUMBER(44, paused_ms),     NUMBER(45, preempted),
	STAT(46, stacks_refused), NUMBER(47, returns_limited),
};

#define LEDGER_DROPPED 31

/* The same as in META, for readers of earlier versions. */
#define LEDGER_MAX_DEPTH 26

void recording_put_ledger(struct strbuf *sb, const struct ledger *ledger, uint64_t dropped)
{
	const struct setting *depth = settings_recorded(META_MAX_DEPTH, 0);

	for (size_t i = 0; i < ARRAY_SIZE(ledger_keys); i++) {
		const struct ledger_key *key = &ledger_keys[i];
		uint64_t number = 0;

		memcpy(&number, (const char *)ledger + key->offset, key->size);
		wire_put_u16(sb, key->key);
		wire_put_u64(sb, number);
	}
	wire_put_u16(sb, LEDGER_DROPPED);
	wire_put_u64(sb, dropped);
	wire_put_u16(sb, LEDGER_MAX_DEPTH);
	wire_put_u64(sb, ledger->settings ? setting_get(depth, ledger->settings) : 0);
}

int recording_get_ledger(const void *data, size_t size, struct ledger *ret_ledger,
			 uint64_t *ret_dropped)
{
	struct wire wire = wire_of(data, size);
	struct ledger ledger = {};
	uint64_t dropped = 0;

	while (wire_left(&wire) && !wire.bad) {
		uint16_t code = wire_get_u16(&wire);
		uint64_t number = wire_get_u64(&wire);

		if (code == LEDGER_DROPPED)
			dropped = number;
		for (size_t i = 0; i < ARRAY_SIZE(ledger_keys); i++) {
			const struct ledger_key *key = &ledger_keys[i];
			bool flag = !!number;

			if (key->key == code)
				memcpy((char *)&ledger + key->offset,
				       key->size == sizeof(flag) ? (const void *)&flag : &number,
				       key->size);
		}
	}
	if (wire.bad)
		return -EBADMSG;
	*ret_ledger = ledger;
	*ret_dropped = dropped;
	return 0;
}
