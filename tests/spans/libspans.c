// SPDX-License-Identifier: BSD-2-Clause
/* The library with the variable that spans-lib publishes its spans in (spans.c). */
struct record;

extern __thread struct record *volatile otel_thread_ctx_v1;
__thread struct record *volatile otel_thread_ctx_v1;

void spans_point_to(struct record *record);
void spans_point_to(struct record *record)
{
	otel_thread_ctx_v1 = record;
}
