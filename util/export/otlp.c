// SPDX-License-Identifier: BSD-2-Clause
/* The thread that sends log records. */
#include "util/export/otlp.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/gzip.h"
#include "util/base/report.h"
#include "util/export/failed_call.h"
#include "util/export/metrics.h"
#include "util/export/otlp_config.h"
#include "util/export/otlp_json.h"
#include "util/export/outbox.h"
#include "util/export/tls.h"

/* Bytes of records that wait. */
#define OUTBOX_BYTES (16u << 20)

/* Limits of one request. */
#define BATCH_RECORDS 512
#define BATCH_BYTES (1u << 20)

/*
 * If the receiver is gone or busy, a request is tried TRIES times. Each pause is twice as long as
 * the one before, and as long as the receiver asks for.
 */
#define TRIES 5
#define FIRST_PAUSE_NS NSEC_PER_SEC

/* Time for sending the rest at the end. */
#define END_NS (5 * NSEC_PER_SEC)

struct otlp {
	struct otlp_config config;	/* its TLS: of the sending thread */
	pthread_mutex_t lock;		/* of what follows */
	struct tls *fresh_tls;		/* to be used from the next request on; NULL: none */

	struct metrics *metrics;
	const struct view_origin *host;
	struct outbox outbox;
	pthread_t thread;
	bool started;
	bool trouble;		/* it was reported that the receiver accepts nothing */
	_Atomic uint64_t end_ns;	/* UINT64_MAX: not yet */
	uint64_t request_end_ns;
	uint64_t retry_ns;	/* the receiver's Retry-After; 0: none */
	struct strbuf resource, record;	/* scratch of otlp_send()'s thread */
	struct http_peer peer;	/* of the sending thread, as what follows */
	struct strbuf request, compressed, reply;
};

static uint64_t send_deadline(void *arg)
{
	struct otlp *otlp = arg;
	uint64_t end = otlp->end_ns;

	return end < otlp->request_end_ns ? end : otlp->request_end_ns;
}

static void count_records(struct otlp *otlp, enum delivery delivery, uint64_t records)
{
	metrics_deliver(otlp->metrics, RECEIVER_OTLP, delivery, records);
}

/* Report once, until the receiver accepts something again. */
static void say_trouble(struct otlp *otlp, const char *why)
{
	_cleanup_(strbuf_release) struct strbuf url = STRBUF_INIT;

	http_url_add(&url, &otlp->config.url);
	if (!otlp->trouble)
		warning("--otlp: %s accepts no log records: %s", strbuf_str(&url), why);
	otlp->trouble = true;
}

static void take_fresh_tls(struct otlp *otlp)
{
	struct tls *fresh;

	pthread_mutex_lock(&otlp->lock);
	fresh = take_ptr(otlp->fresh_tls);
	pthread_mutex_unlock(&otlp->lock);
	if (!fresh)
		return;
	tls_free(otlp->config.tls);
	otlp->config.tls = fresh;
}

/* Whether the request is done: accepted or refused. */
static bool try_request(struct otlp *otlp, uint64_t records)
{
	struct http_post post = {
		.url = &otlp->config.url,
		.peer = &otlp->peer,
		.headers = strbuf_str(&otlp->config.headers),
		.type = "application/json",
		.body = otlp->config.gzip ? &otlp->compressed : &otlp->request,
		.deadline = send_deadline,
		.arg = otlp,
	};
	uint64_t rejected;
	int err, status;
	size_t body;
	char why[64];

	take_fresh_tls(otlp);
	post.tls = otlp->config.tls;
	strbuf_reset(&otlp->reply);
	otlp->retry_ns = 0;
	otlp->request_end_ns = now_ns() + otlp->config.timeout_ns;
	err = http_send(&post, &otlp->reply);
	if (err) {
		say_trouble(otlp, http_error(&post, err));
		return false;
	}
	switch (otlp_answer_parse(strbuf_str(&otlp->reply), otlp->reply.len, &rejected)) {
	case OTLP_LATER:
		otlp->retry_ns = NSEC_PER_SEC * http_reply_retry_after(strbuf_str(&otlp->reply),
								       otlp->reply.len, time(NULL));
		say_trouble(otlp, "it is busy; they are sent again");
		return false;
	case OTLP_REFUSED:
		if (http_reply_parse(strbuf_str(&otlp->reply), otlp->reply.len, &status, &body) &&
		    status / 100 == 2)
			snprintf(why, sizeof(why), "it answers with a web page; is it a receiver of OTLP?");
		else if (http_reply_parse(strbuf_str(&otlp->reply), otlp->reply.len, &status, &body))
			snprintf(why, sizeof(why), "it answers with HTTP status %d", status);
		else
			snprintf(why, sizeof(why), "its answer is not HTTP");
		say_trouble(otlp, why);
		count_records(otlp, DELIVERY_REFUSED, records);
		return true;
	case OTLP_TAKEN:
		break;
	}
	otlp->trouble = false;
	if (rejected > records)
		rejected = records;
	count_records(otlp, DELIVERY_REFUSED, rejected);
	count_records(otlp, DELIVERY_DONE, records - rejected);
	return true;
}

static void send_batch(struct otlp *otlp, const struct outbox_record *batch)
{
	uint64_t records = outbox_records(batch), pause = FIRST_PAUSE_NS;

	strbuf_reset(&otlp->request);
	otlp_request_add(&otlp->request, batch);
	strbuf_reset(&otlp->compressed);
	if (otlp->config.gzip && gzip_add(&otlp->compressed, otlp->request.s, otlp->request.len))
		otlp->request.failed = true;
	for (int i = 0; i < TRIES && !otlp->request.failed; i++) {
		if (now_ns() >= otlp->end_ns)
			break;
		if (try_request(otlp, records))
			return;
		/* No pause after the last try. At the end of the run, pauses are cut short. */
		if (i + 1 < TRIES)
			outbox_pause(&otlp->outbox, pause > otlp->retry_ns ? pause : otlp->retry_ns);
		pause *= 2;
	}
	count_records(otlp, DELIVERY_UNREACHABLE, records);
}

static void *send_batches(void *arg)
{
	struct otlp *otlp = arg;
	struct outbox_record *batch;

	while ((batch = outbox_take(&otlp->outbox, BATCH_RECORDS, BATCH_BYTES))) {
		send_batch(otlp, batch);
		outbox_records_free(batch);
	}
	return NULL;
}

int otlp_new(struct otlp_config *config, struct metrics *metrics,
	     const struct view_origin *host, struct otlp **ret_otlp)
{
	struct otlp *otlp = calloc(1, sizeof(*otlp));
	int err;

	if (!otlp)
		return report_oom();
	otlp->config = *config;
	*config = (struct otlp_config){};
	pthread_mutex_init(&otlp->lock, NULL);
	otlp->metrics = metrics;
	otlp->host = host;
	otlp->end_ns = UINT64_MAX;
	outbox_init(&otlp->outbox, OUTBOX_BYTES);
	err = -pthread_create(&otlp->thread, NULL, send_batches, otlp);
	if (err) {
		otlp_free(otlp);
		return report(err, "cannot start a thread that sends log records: %s", strerror(-err));
	}
	otlp->started = true;
	*ret_otlp = otlp;
	return 0;
}

void otlp_renew(struct otlp *otlp, struct otlp_config *config)
{
	if (!config->tls)
		return;
	pthread_mutex_lock(&otlp->lock);
	tls_free(otlp->fresh_tls);
	otlp->fresh_tls = take_ptr(config->tls);
	pthread_mutex_unlock(&otlp->lock);
}

void otlp_send(struct otlp *otlp, const struct failed_call *call, int64_t observed_ns)
{
	strbuf_reset(&otlp->resource);
	strbuf_reset(&otlp->record);
	otlp_resource_add(&otlp->resource, &otlp->config, otlp->host, call);
	otlp_record_add(&otlp->record, call, observed_ns);
	if (otlp->resource.failed || otlp->record.failed ||
	    !outbox_put(&otlp->outbox, strbuf_str(&otlp->resource), strbuf_str(&otlp->record)))
		count_records(otlp, DELIVERY_NO_ROOM, 1);
}

void otlp_end(struct otlp *otlp)
{
	if (!otlp || !otlp->started)
		return;
	otlp->end_ns = now_ns() + END_NS;
	outbox_close(&otlp->outbox);
	pthread_join(otlp->thread, NULL);
	otlp->started = false;
}

void otlp_free(struct otlp *otlp)
{
	if (!otlp)
		return;
	otlp_end(otlp);
	outbox_release(&otlp->outbox);
	otlp_config_release(&otlp->config);
	tls_free(otlp->fresh_tls);
	pthread_mutex_destroy(&otlp->lock);
	strbuf_release(&otlp->resource);
	strbuf_release(&otlp->record);
	strbuf_release(&otlp->request);
	strbuf_release(&otlp->compressed);
	strbuf_release(&otlp->reply);
	free(otlp);
}
