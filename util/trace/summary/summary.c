// SPDX-License-Identifier: BSD-2-Clause
/* Emptying BPF's counts, and what they say. */
#include "util/trace/summary/summary.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"

/* Much longer than any program of ours runs. */
#define SETTLE_NS 20000000

void summary_release(struct summary *summary)
{
	vec_release(&summary->lines);
	vec_release(&summary->producers);
}

int summary_add_line(struct summary *summary, uint32_t func, int32_t err,
		     const struct summary_group *group, const struct summary_row *row)
{
	struct summary_line line = { .func = func, .err = err, .row = *row };
	uint32_t last = SUMMARY_BUCKETS;

	if (group)
		line.group = *group;
	/* It may have changed while it was read. */
	line.group.comm[sizeof(line.group.comm) - 1] = '\0';
	while (last && !row->buckets[last - 1])
		last--;
	/* Of two calls that are the longest at once one may be forgotten, but not its bucket. */
	if (last && line.row.max_ns < summary_bucket_start(last - 1))
		line.row.max_ns = summary_bucket_start(last - 1);
	if (vec_push(&summary->lines, line))
		return -ENOMEM;
	summary->calls += row->count;
	return 0;
}

int summary_add_producer(struct summary *summary, uint32_t func, int32_t err, int32_t outcome,
			 uint64_t count)
{
	if (vec_push(&summary->producers, (struct summary_producer){ func, err, outcome, count }))
		return -ENOMEM;
	summary->errors += count;
	return 0;
}

static int by_number(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_size(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int compare_lines(const void *a, const void *b)
{
	const struct summary_line *x = a, *y = b;

	return by_size(x->row.count, y->row.count) ?: by_size(x->row.total_ns, y->row.total_ns) ?:
		by_number(x->func, y->func) ?: by_number(x->err, y->err) ?:
		memcmp(&x->group, &y->group, sizeof(x->group)) ?:
		(x->host && y->host ? strcmp(x->host, y->host) : 0);
}

static int compare_producers(const void *a, const void *b)
{
	const struct summary_producer *x = a, *y = b;

	return by_size(x->count, y->count) ?: by_number(x->func, y->func) ?:
		by_number(x->err, y->err) ?: by_number(x->outcome, y->outcome);
}

void summary_sort(struct summary *summary)
{
	vec_sort(&summary->lines, compare_lines);
	vec_sort(&summary->producers, compare_producers);
}

uint64_t summary_mean(const struct summary_row *row)
{
	return row->count ? row->total_ns / row->count : 0;
}

uint64_t summary_percentile(const struct summary_row *row, unsigned int percent)
{
	uint64_t count = 0, before = 0, rank, low, high, n;
	uint32_t bucket = 0;

	for (uint32_t i = 0; i < SUMMARY_BUCKETS; i++)
		count += row->buckets[i];
	if (!count)
		return 0;
	rank = ((unsigned __int128)count * percent + 99) / 100;
	if (rank == count)
		return row->max_ns;
	while (before + row->buckets[bucket] < rank)
		before += row->buckets[bucket++];
	n = row->buckets[bucket];
	low = summary_bucket_start(bucket);
	high = bucket + 1 < SUMMARY_BUCKETS ? summary_bucket_start(bucket + 1) : UINT64_MAX;
	/* The longest call's bucket ends with it. */
	if (high > row->max_ns)
		high = row->max_ns + 1 ?: UINT64_MAX;
	/* Each call in the middle of its share of the bucket. */
	return low + (uint64_t)((unsigned __int128)(high - low) * (2 * (rank - before) - 1) /
				((unsigned __int128)2 * n));
}

/*
 * Waits until no program runs that began before: each is an RCU reader. Where the kernel refuses
 * to wait on our behalf (nohz_full), time will do.
 */
static void wait_for_programs(void)
{
	const struct timespec pause = { .tv_nsec = SETTLE_NS };

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		nanosleep(&pause, NULL);
}

/*
 * Keys of a map that are of that epoch. Nothing is deleted meanwhile, for a walk that comes upon a
 * key which is gone begins anew; keys that come in between are the other epoch's.
 *
 * @key_size	of a key, which starts with its epoch
 * @ret_keys	the caller frees it
 */
static int keys_of(int fd, uint32_t epoch, size_t key_size, uint32_t max, void **ret_keys,
		   uint32_t *ret_nr)
{
	_cleanup_(free_p) char *keys = calloc(max + 1, key_size);
	uint32_t nr = 0, of, walked = 0;
	char last[sizeof(struct summary_key)];	/* the larger of the two */
	char *next;
	int err;

	_Static_assert(sizeof(struct summary_key) >= sizeof(struct producer_key), "one buffer");
	if (!keys)
		return -ENOMEM;
	for (;;) {
		next = keys + nr * key_size;
		err = bpf_map_get_next_key(fd, walked ? last : NULL, next);
		if (err == -ENOENT)
			break;
		if (err)
			return err;
		memcpy(last, next, key_size);
		memcpy(&of, next, sizeof(of));
		nr += of == epoch;
		/* Twice as many as there can be: the walk does not get anywhere. */
		if (nr > max || walked++ > 2 * max)
			return -ELOOP;
	}
	*ret_keys = take_ptr(keys);
	*ret_nr = nr;
	return 0;
}

static int take_lines(const struct summary_maps *maps, uint32_t epoch, struct summary *summary)
{
	_cleanup_(free_p) struct summary_key *keys = NULL;
	struct summary_row row;
	uint32_t nr;
	int err;

	err = keys_of(maps->lines_fd, epoch, sizeof(*keys), summary_max_rows(summary->by),
		      (void **)&keys, &nr);
	for (uint32_t i = 0; !err && i < nr; i++) {
		err = bpf_map_lookup_elem(maps->lines_fd, &keys[i], &row);
		err = err ?: summary_add_line(summary, keys[i].func, keys[i].err, &keys[i].group, &row);
		if (!err)
			summary->lines.data[summary->lines.len - 1].producer = keys[i].producer;
		err = err ?: bpf_map_delete_elem(maps->lines_fd, &keys[i]);
	}
	return err;
}

static int take_producers(const struct summary_maps *maps, uint32_t epoch, struct summary *summary)
{
	_cleanup_(free_p) struct producer_key *keys = NULL;
	uint64_t count;
	uint32_t nr;
	int err;

	err = keys_of(maps->producers_fd, epoch, sizeof(*keys), SUMMARY_MAX_PRODUCERS,
		      (void **)&keys, &nr);
	for (uint32_t i = 0; !err && i < nr; i++) {
		err = bpf_map_lookup_elem(maps->producers_fd, &keys[i], &count);
		err = err ?: summary_add_producer(summary, keys[i].func, keys[i].err,
						  keys[i].outcome, count);
		err = err ?: bpf_map_delete_elem(maps->producers_fd, &keys[i]);
	}
	return err;
}

int summary_take(struct summary_maps *maps, struct summary *summary)
{
	uint32_t zero = 0, full = maps->epoch, next = !full;
	int err;

	err = bpf_map_update_elem(maps->epoch_fd, &zero, &next, BPF_ANY);
	if (!err) {
		maps->epoch = next;
		wait_for_programs();
		err = take_lines(maps, full, summary);
		err = err ?: take_producers(maps, full, summary);
		summary_sort(summary);
	}
	return err ? report(err, "cannot read the summary from its BPF maps: %s", strerror(-err)) :
		     0;
}
