// SPDX-License-Identifier: BSD-2-Clause
/* Merges recordings with a heap of their next sessions. */
#include "util/trace/record/recording_merge.h"

#include "util/trace/session/session.h"

/* If two sessions ended at the same time, the recording that was named first comes first. */
static bool is_before(const struct merge_head *a, const struct merge_head *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->recording < b->recording;
}

static void swap_heads(struct merge_head *a, struct merge_head *b)
{
	struct merge_head c = *a;

	*a = *b;
	*b = c;
}

static void sift_up(struct recording_merge *merge, size_t i)
{
	struct merge_head *heap = merge->heap.data;

	for (; i && is_before(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap_heads(&heap[i], &heap[(i - 1) / 2]);
}

static void sift_down(struct recording_merge *merge)
{
	struct merge_head *heap = merge->heap.data;
	size_t i = 0, child;

	while ((child = 2 * i + 1) < merge->heap.len) {
		child += child + 1 < merge->heap.len && is_before(&heap[child + 1], &heap[child]);
		if (!is_before(&heap[child], &heap[i]))
			break;
		swap_heads(&heap[child], &heap[i]);
		i = child;
	}
}

int recording_merge_add(struct recording_merge *merge, uint32_t recording, int64_t begin_ns)
{
	if (vec_push(&merge->heap, (struct merge_head){ begin_ns, recording, NULL }))
		return -ENOMEM;
	sift_up(merge, merge->heap.len - 1);
	return 0;
}

/* Replace the first recording's session by its next one, or close the recording. */
static int advance_first(struct recording_merge *merge)
{
	struct merge_head *head = &merge->heap.data[0];
	int err;

	head->session = NULL;
	err = merge->ops->next(merge->arg, head->recording, &head->session, &head->at_ns);
	if (err < 0)
		return err;
	if (!err) {
		merge->ops->close(merge->arg, head->recording);
		*head = merge->heap.data[--merge->heap.len];
	}
	sift_down(merge);
	return 0;
}

int recording_merge_next(struct recording_merge *merge, uint32_t *ret_recording,
			 struct session **ret_session)
{
	struct merge_head *head = merge->heap.data;
	int err;

	/* The session handed out last is replaced now: its recording stays open while it is used. */
	if (merge->heap.len && merge->taken) {
		merge->taken = false;
		err = advance_first(merge);
		if (err)
			return err;
	}
	while (merge->heap.len && !head->session) {
		err = merge->ops->open(merge->arg, head->recording);
		err = err ?: advance_first(merge);
		if (err)
			return err;
	}
	if (!merge->heap.len)
		return 0;
	*ret_recording = head->recording;
	*ret_session = head->session;
	merge->taken = true;
	return 1;
}

void recording_merge_release(struct recording_merge *merge)
{
	/* The caller owns the first recording's session. */
	for (size_t i = merge->taken; i < merge->heap.len; i++)
		session_free(merge->heap.data[i].session);
	vec_release(&merge->heap);
}
