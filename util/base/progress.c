// SPDX-License-Identifier: BSD-2-Clause
/* Progress on a terminal. */
#include "util/base/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/base/units.h"

#define AFTER_NS (NSEC_PER_SEC / 2)
#define EVERY_NS (NSEC_PER_SEC / 5)

struct progress progress_start(const char *what)
{
	return (struct progress){
		.what = what,
		.started_ns = now_ns(),
		.wanted = report_verbosity() >= VERBOSITY_NORMAL && isatty(STDERR_FILENO),
	};
}

static bool is_due(struct progress *progress)
{
	uint64_t now;

	if (!progress->wanted)
		return false;
	now = now_ns();
	if (now - progress->started_ns < AFTER_NS || now - progress->shown_ns < EVERY_NS)
		return false;
	progress->shown_ns = now;
	return true;
}

static void show(const struct progress *progress, uint64_t done, uint64_t total, const char *unit)
{
	fprintf(stderr, "\r%s... ", progress->what);
	if (total)
		fprintf(stderr, "%" PRIu64 " of %" PRIu64 "%s", done, total, unit);
	else if (done)
		fprintf(stderr, "%" PRIu64 "%s", done, unit);
	fputs("\033[K", stderr);
	fflush(stderr);
}

void progress_update(struct progress *progress, uint64_t done, uint64_t total)
{
	if (is_due(progress))
		show(progress, done, total, "");
}

void progress_update_bytes(struct progress *progress, uint64_t done, uint64_t total)
{
	if (is_due(progress))
		show(progress, done / 1000000, (total + 999999) / 1000000, " MB");
}

void progress_end(struct progress *progress)
{
	if (progress->shown_ns)
		fputs("\r\033[K", stderr);
	progress->shown_ns = 0;
}
