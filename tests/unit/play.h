/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls written down as text, played to bpf/chain.h the way BPF does it:
 *
 *	"sys_bpf( map_create( alloc_check=-EINVAL ) = -EINVAL ok=0 log ) = -EINVAL"
 *
 * A call without a result is void; one with the result `?` has its return missed. What comes out
 * is the chain as text, outermost first: "sys_bpf *map_create *alloc_check", `*` a stitched
 * frame, `...` behind a name one that has not returned.
 */
#ifndef RETSNOOP_TESTS_UNIT_PLAY_H
#define RETSNOOP_TESTS_UNIT_PLAY_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/chain.h"
#include "util/base/strbuf.h"
#include "util/base/vec.h"

enum outcome {
	OUTCOME_VOID,
	OUTCOME_OK,
	OUTCOME_FAILED,
	OUTCOME_MISSED,
};

struct call {
	char name[32];
	enum outcome outcome;
	VEC(struct call *) calls;
};

static inline void call_free(struct call *call)
{
	vec_foreach(sub, &call->calls) call_free(*sub);
	vec_release(&call->calls);
	free(call);
}

static inline void skip_space(const char **text)
{
	while (**text == ' ')
		(*text)++;
}

/* Aborts on what it does not understand: that is the test's mistake. */
static inline struct call *call_parse(const char **text)
{
	struct call *call = calloc(1, sizeof(*call));
	size_t len = 0;

	skip_space(text);
	while (isalnum((*text)[len]) || (*text)[len] == '_')
		len++;
	if (!call || !len || len >= sizeof(call->name))
		abort();
	memcpy(call->name, *text, len);
	*text += len;
	skip_space(text);
	if (**text == '(') {
		(*text)++;
		for (skip_space(text); **text != ')'; skip_space(text)) {
			if (vec_push(&call->calls, call_parse(text)))
				abort();
		}
		(*text)++;
		skip_space(text);
	}
	if (**text == '=') {
		(*text)++;
		skip_space(text);
		call->outcome = **text == '-' ? OUTCOME_FAILED :
				**text == '?' ? OUTCOME_MISSED :
						OUTCOME_OK;
		if (!strncmp(*text, "NULL", 4))
			call->outcome = OUTCOME_FAILED;
		while (**text && **text != ' ' && **text != ')')
			(*text)++;
	}
	return call;
}

/* What BPF keeps of a session, as far as chains matter. */
#define PLAY_MAX_DEPTH 64

struct played {
	struct chains chains;
	bool successes;
	const struct call *live[PLAY_MAX_DEPTH];
	const struct call *kept[2][PLAY_MAX_DEPTH];
	unsigned int depth; /* live frames, missed returns not noticed */
	unsigned int stacks; /* kernel stacks taken */
	struct strbuf interim; /* a line for each interim stack */
	struct strbuf result; /* the chain at the end; "none" */
};

static inline void played_release(struct played *played)
{
	strbuf_release(&played->interim);
	strbuf_release(&played->result);
}

static inline void add_chain(struct strbuf *sb, struct played *played)
{
	struct chain_state *chain = chain_current(&played->chains);
	unsigned int which = played->chains.current & 1;

	if (!(chain->flags & CHAIN_VALID)) {
		strbuf_addstr(sb, "none");
		return;
	}
	for (unsigned int i = 0; i < chain->depth; i++) {
		const struct call *call = i < chain->at ? played->live[i] : played->kept[which][i];

		strbuf_addf(sb, "%s%s%s%s", i ? " " : "", i >= chain->stitched ? "*" : "",
			    call->name, i < chain->at ? "..." : "");
	}
}

static inline void play_interim(struct played *played)
{
	add_chain(&played->interim, played);
	strbuf_addch(&played->interim, '\n');
}

/* What call_entered() and call_returned() (bpf/engine.bpf.h) do with chains. */
static inline void play_call(struct played *played, const struct call *call, unsigned int depth)
{
	bool failed = call->outcome == OUTCOME_FAILED, can_fail = call->outcome != OUTCOME_VOID;
	struct chain_state *chain;
	enum chain_action action;

	if (depth >= PLAY_MAX_DEPTH)
		abort();
	if (played->depth != depth)
		chain_truncate(&played->chains, depth);
	if (chain_call(&played->chains, depth))
		play_interim(played);
	played->live[depth] = call;
	played->depth = depth + 1;

	vec_foreach(sub, &call->calls) play_call(played, *sub, depth + 1);

	if (call->outcome == OUTCOME_MISSED)
		return;
	if (played->depth != depth + 1)
		chain_truncate(&played->chains, depth + 1);
	played->depth = depth;
	chain = chain_current(&played->chains);
	if (!failed && can_fail && chain_is_failure(chain) && !(chain->flags & CHAIN_BROKEN) &&
	    chain->at == depth + 1)
		play_interim(played);
	action = chain_return(&played->chains, depth, failed, can_fail, played->successes);
	if (action != CHAIN_IGNORE)
		played->kept[played->chains.current & 1][depth] = call;
	if (action == CHAIN_START)
		played->stacks++;
}

static inline void play_tree(struct played *played, const struct call *call)
{
	play_call(played, call, 0);
	add_chain(&played->result, played);
}

static inline void play(struct played *played, const char *text)
{
	struct call *call = call_parse(&text);

	skip_space(&text);
	if (*text)
		abort();
	play_tree(played, call);
	/* Names go with the calls; what was made of them is text by now. */
	call_free(call);
}

#endif
