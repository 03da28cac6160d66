// SPDX-License-Identifier: BSD-2-Clause
/* Which calls belong to a failure: bpf/chain.h, by example and against a model. */
#include "unit.h"

#include "play.h"

FIXTURE(chain)
{
	struct played played;
};

FIXTURE_SETUP(chain)
{
}

FIXTURE_TEARDOWN(chain)
{
	played_release(&self->played);
}

#define EXPECT_CHAIN(chain) EXPECT_STREQ(chain, strbuf_str(&self->played.result))
#define EXPECT_INTERIM(lines) EXPECT_STREQ(lines, strbuf_str(&self->played.interim))

TEST_F(chain, follows_an_error_from_its_producer_to_the_entry)
{
	play(&self->played, "sys_bpf( map_create( alloc_check=-EINVAL ) = -EINVAL ) = -EINVAL");
	EXPECT_CHAIN("sys_bpf map_create alloc_check");
	EXPECT_EQ(1, self->played.stacks);
	EXPECT_TRUE(chain_is_failure(chain_current(&self->played.chains)));
}

TEST_F(chain, keeps_the_chain_when_the_error_is_remapped_on_the_way)
{
	play(&self->played, "sys_bpf( map_create( alloc=NULL ) = -ENOMEM ) = -EAGAIN");
	EXPECT_CHAIN("sys_bpf map_create alloc");
}

TEST_F(chain, an_entry_that_fails_by_itself_stands_alone)
{
	play(&self->played, "sys_bpf( capable=0 copy=0 ) = -EPERM");
	EXPECT_CHAIN("sys_bpf");
}

TEST_F(chain, a_success_forgets_what_failed_below)
{
	play(&self->played, "sys_bpf( map_create( try_fast=-ENOMEM try_slow=0 ) = 0 ) = 3");
	EXPECT_CHAIN("none");
	EXPECT_FALSE(chain_is_failure(chain_current(&self->played.chains)));
}

TEST_F(chain, an_error_handled_below_is_not_the_later_one)
{
	play(&self->played, "sys_bpf( lookup( find=-ENOENT ) = 0 check=-EINVAL ) = -EINVAL");
	EXPECT_CHAIN("sys_bpf check");
}

TEST_F(chain, stitches_an_earlier_failure_when_cleanup_calls_follow)
{
	play(&self->played,
	     "sys_bpf( map_create( alloc=-ENOMEM free_uid=0 ) = -ENOMEM ) = -ENOMEM");
	EXPECT_CHAIN("sys_bpf map_create *alloc");
}

TEST_F(chain, stitches_whole_chains)
{
	play(&self->played,
	     "sys_bpf( map_create( alloc( percpu=NULL ) = -ENOMEM ) = -ENOMEM put=0 ) = -ENOMEM");
	EXPECT_CHAIN("sys_bpf *map_create *alloc *percpu");
}

TEST_F(chain, frames_inside_of_the_outermost_stitch_are_stitched)
{
	play(&self->played,
	     "sys_bpf( map_create( alloc( percpu=NULL free ) = -ENOMEM ) = -ENOMEM put=0 ) = -1");
	EXPECT_CHAIN("sys_bpf *map_create *alloc *percpu");
}

TEST_F(chain, the_last_failure_under_a_caller_is_the_one)
{
	play(&self->played, "sys_bpf( first=-EBUSY second=-EINVAL ) = -EINVAL");
	EXPECT_CHAIN("sys_bpf second");
}

TEST_F(chain, a_later_shallow_failure_wins_over_an_earlier_deep_one)
{
	play(&self->played, "sys_bpf( first( deep( deeper=-1 ) = -1 ) = -1 second=-1 ) = -1");
	EXPECT_CHAIN("sys_bpf second");
}

TEST_F(chain, void_callers_pass_it_on)
{
	play(&self->played, "sys_bpf( release( put( flush=-EIO ) ) ) = -EIO");
	EXPECT_CHAIN("sys_bpf release put flush");
}

TEST_F(chain, void_calls_after_it_break_but_do_not_forget)
{
	play(&self->played, "sys_bpf( alloc=-ENOMEM log free ) = -ENOMEM");
	EXPECT_CHAIN("sys_bpf *alloc");
}

TEST_F(chain, a_void_caller_of_a_broken_chain_stitches_too)
{
	play(&self->played, "sys_bpf( release( flush=-EIO log ) ) = -EIO");
	EXPECT_CHAIN("sys_bpf release *flush");
}

TEST_F(chain, a_void_entry_ends_failed_when_something_below_did)
{
	play(&self->played, "work( flush=-EIO )");
	EXPECT_CHAIN("work flush");
}

TEST_F(chain, waits_for_cleanup_that_fails_and_recovers_on_its_own)
{
	play(&self->played, "sys( a=-E1 cleanup( try=-E2 again=0 ) = 0 ) = -E1");
	EXPECT_CHAIN("sys *a");
}

TEST_F(chain, waits_for_cleanup_in_which_several_tries_fail)
{
	play(&self->played, "sys( a=-E1 cleanup( try=-E2 again=-E3 ) = 0 ) = -E1");
	EXPECT_CHAIN("sys *a");
}

TEST_F(chain, cleanup_that_fails_for_good_is_the_failure)
{
	play(&self->played, "sys( a=-E1 cleanup( try=-E2 ) = -E2 ) = -E2");
	EXPECT_CHAIN("sys cleanup try");
}

TEST_F(chain, a_third_waiting_chain_pushes_out_the_first)
{
	play(&self->played, "sys( a=-E1 c( b=-E2 d( e=-E3 f=0 ) = 0 ) = -E2 ) = -E1");
	EXPECT_CHAIN("sys c *b");
	played_release(&self->played);
	self->played = (struct played){};
	play(&self->played, "sys( a=-E1 c( b=-E2 d( e=-E3 f=0 ) = 0 ) = 0 ) = -E1");
	EXPECT_CHAIN("sys");
}

TEST_F(chain, interim_stacks_show_what_was_handled)
{
	play(&self->played, "sys( fast( alloc=-ENOMEM ) = -ENOMEM slow=0 ) = 0");
	EXPECT_INTERIM("sys... fast alloc\n");
	EXPECT_CHAIN("none");
}

TEST_F(chain, an_error_swallowed_by_its_caller_is_interim)
{
	play(&self->played, "sys( lookup( find=-ENOENT ) = 0 ) = 0");
	EXPECT_INTERIM("sys... lookup... find\n");
}

TEST_F(chain, each_break_is_told_once)
{
	play(&self->played, "sys( a=-E1 b=0 c=0 log d=0 ) = -E1");
	EXPECT_INTERIM("sys... a\n");
	EXPECT_CHAIN("sys *a");
}

TEST_F(chain, nothing_is_interim_when_the_error_goes_straight_up)
{
	play(&self->played, "sys( a( b=-E1 ) = -E1 ) = -E1");
	EXPECT_INTERIM("");
}

TEST_F(chain, successes_keep_the_last_calls)
{
	self->played.successes = true;
	play(&self->played, "sys( a=0 b( c=0 log ) = 0 ) = 3");
	EXPECT_CHAIN("sys b log");
	EXPECT_FALSE(chain_is_failure(chain_current(&self->played.chains)));
}

TEST_F(chain, failures_win_over_successes)
{
	self->played.successes = true;
	play(&self->played, "sys( a=-E1 b( c=0 ) = 0 ) = -E1");
	EXPECT_CHAIN("sys *a");
}

TEST_F(chain, an_entry_that_recovers_is_a_success_of_its_own)
{
	self->played.successes = true;
	play(&self->played, "sys( a=-E1 b=0 ) = 0");
	EXPECT_CHAIN("sys");
}

TEST_F(chain, a_failure_after_successes_starts_afresh)
{
	self->played.successes = true;
	play(&self->played, "sys( a( b=0 ) = -E1 ) = -E1");
	EXPECT_CHAIN("sys a");
}

TEST_F(chain, a_missed_return_takes_its_chain_along)
{
	play(&self->played, "sys( a( b=-E1 ) = ? ) = -E1");
	EXPECT_CHAIN("sys");
}

TEST_F(chain, a_missed_return_leaves_other_chains_alone)
{
	play(&self->played, "sys( a=-E1 b( c( d=-E2 ) = ? ) = ? ) = -E1");
	EXPECT_CHAIN("sys *a");
}

TEST_F(chain, a_missed_return_before_another_call_is_noticed)
{
	play(&self->played, "sys( a( b=-E1 ) = ? c=0 ) = -E1");
	EXPECT_CHAIN("sys");
	EXPECT_INTERIM("");
}

/*
 * The model. It has the whole tree in memory and goes by what chain.h promises, with real chains:
 *
 * - Of what a call's callees leave behind, the last failing chain waits until the call returns.
 * - A call that fails, or cannot fail, puts itself in front of it; one that succeeds ends it.
 * - Calls made in between make it a stitched one.
 * - No more than two chains wait at any time; the oldest goes.
 * - A success is kept only while no failure waits: the call and what its last callee left.
 */
struct chain {
	const struct call *calls[PLAY_MAX_DEPTH]; /* innermost first */
	unsigned int nr, stitched; /* so many innermost ones are stitched */
	bool failure, alive, broken;
};

struct model {
	struct chain chains[64];
	unsigned int nr;
	bool successes;
	const struct call *path[PLAY_MAX_DEPTH];
	struct strbuf interim;
};

static bool failure_waits(const struct model *model)
{
	for (unsigned int i = 0; i < model->nr; i++) {
		if (model->chains[i].alive && model->chains[i].failure)
			return true;
	}
	return false;
}

static struct chain *model_start(struct model *model, const struct call *call, bool failure)
{
	struct chain *chain, *oldest = NULL;
	unsigned int waiting = 0;

	if (!failure && (!model->successes || failure_waits(model)))
		return NULL;
	for (unsigned int i = 0; i < model->nr; i++) {
		if (!model->chains[i].alive)
			continue;
		waiting++;
		if (!oldest)
			oldest = &model->chains[i];
	}
	if (waiting >= 2)
		oldest->alive = false;
	if (model->nr == ARRAY_SIZE(model->chains))
		abort();
	chain = &model->chains[model->nr++];
	*chain = (struct chain){ .calls = { call }, .nr = 1, .failure = failure, .alive = true };
	return chain;
}

static void model_add(struct strbuf *sb, const struct model *model, const struct chain *chain,
		      unsigned int unfinished)
{
	for (unsigned int i = 0; i < unfinished; i++)
		strbuf_addf(sb, "%s%s...", i ? " " : "", model->path[i]->name);
	for (unsigned int i = chain->nr; i--;)
		strbuf_addf(sb, "%s%s%s", unfinished || i + 1 < chain->nr ? " " : "",
			    i < chain->stitched ? "*" : "", chain->calls[i]->name);
}

static void model_interim(struct model *model, const struct chain *chain, unsigned int depth)
{
	model_add(&model->interim, model, chain, depth + 1);
	strbuf_addch(&model->interim, '\n');
}

/* The chain that @call leaves behind, or NULL. @callers: the one that waits in its caller. */
static struct chain *model_call(struct model *model, const struct call *call, unsigned int depth,
				struct chain *callers)
{
	struct chain *waiting = NULL, *left;

	model->path[depth] = call;
	vec_foreach(sub, &call->calls)
	{
		if (waiting && waiting->alive && !waiting->failure) {
			waiting->alive = false;
		} else if (waiting && waiting->alive && !waiting->broken) {
			waiting->broken = true;
			model_interim(model, waiting, depth);
		}
		left = model_call(model, *sub, depth + 1, waiting);
		if (!left)
			continue;
		if (waiting)
			waiting->alive = false;
		waiting = left;
	}
	if (waiting && !waiting->alive)
		waiting = NULL;

	if (call->outcome == OUTCOME_MISSED) {
		if (waiting)
			waiting->alive = false;
		return NULL;
	}
	if (waiting && !waiting->failure && call->outcome == OUTCOME_FAILED) {
		waiting->alive = false;
		waiting = NULL;
	}
	if (waiting && waiting->failure && call->outcome == OUTCOME_OK) {
		if (!waiting->broken)
			model_interim(model, waiting, depth);
		waiting->alive = false;
		waiting = NULL;
	}
	if (!waiting) {
		/* It takes the place of the caller's; so it does not push out another. */
		if (callers && call->outcome == OUTCOME_FAILED)
			callers->alive = false;
		return model_start(model, call, call->outcome == OUTCOME_FAILED);
	}
	if (waiting->broken)
		waiting->stitched = waiting->nr;
	waiting->broken = false;
	waiting->calls[waiting->nr++] = call;
	return waiting;
}

/* xorshift: the same calls on every machine. */
static unsigned int draw(unsigned long long *state, unsigned int below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) % below;
}

/* What sets random trees apart. */
struct shape {
	unsigned int calls; /* left to make */
	unsigned int failing, not_void; /* percent; beyond both: void */
	unsigned int missed; /* percent of returns */
};

static struct call *random_call(unsigned long long *state, unsigned int depth, struct shape *shape)
{
	struct call *call = calloc(1, sizeof(*call));
	unsigned int percent = draw(state, 100), nr;

	if (!call)
		abort();
	snprintf(call->name, sizeof(call->name), "f%u", shape->calls);
	call->outcome = percent < shape->failing  ? OUTCOME_FAILED :
			percent < shape->not_void ? OUTCOME_OK :
						    OUTCOME_VOID;
	if (!depth && draw(state, 4))
		call->outcome = OUTCOME_FAILED;
	else if (depth && draw(state, 100) < shape->missed)
		call->outcome = OUTCOME_MISSED;
	nr = depth < 12 ? draw(state, 4) : 0;
	while (nr-- && shape->calls > 1) {
		shape->calls--;
		if (vec_push(&call->calls, random_call(state, depth + 1, shape)))
			abort();
	}
	return call;
}

static void describe(struct strbuf *sb, const struct call *call)
{
	static const char *const results[] = { "", "=0", "=-1", "=?" };

	strbuf_addstr(sb, call->name);
	if (call->calls.len) {
		strbuf_addstr(sb, "( ");
		vec_foreach(sub, &call->calls) describe(sb, *sub);
		strbuf_addstr(sb, ")");
	}
	strbuf_addf(sb, "%s ", results[call->outcome]);
}

/* So much work takes a busy machine longer than the harness allows a test. */
FIXTURE(random_calls){};
FIXTURE_SETUP(random_calls)
{
}
FIXTURE_TEARDOWN(random_calls)
{
}

TEST_F_TIMEOUT(random_calls, chain_agrees_with_the_model, 600)
{
	struct model *model = calloc(1, sizeof(*model));
	unsigned long long state = 0x2545f4914f6cdd1dull;
	unsigned int failures = 0, stitched = 0;

	ASSERT_NE(NULL, model);
	for (unsigned int i = 0; i < 100000; i++) {
		struct strbuf expected = STRBUF_INIT, text = STRBUF_INIT;
		struct shape shape = {
			.calls = 2 + draw(&state, 40),
			.failing = 20 + draw(&state, 60),
			.not_void = 60 + draw(&state, 41),
			.missed = draw(&state, 3) ? 0 : 10,
		};
		struct call *call = random_call(&state, 0, &shape);
		struct played played = { .successes = draw(&state, 3) == 0 };
		struct chain *chain;

		model->nr = 0;
		model->successes = played.successes;
		strbuf_reset(&model->interim);
		chain = model_call(model, call, 0, NULL);
		if (chain)
			model_add(&expected, model, chain, 0);
		else
			strbuf_addstr(&expected, "none");
		play_tree(&played, call);

		ASSERT_STREQ(strbuf_str(&expected), strbuf_str(&played.result))
		{
			describe(&text, call);
			TH_LOG("%s", strbuf_str(&text));
		}
		ASSERT_STREQ(strbuf_str(&model->interim), strbuf_str(&played.interim))
		{
			describe(&text, call);
			TH_LOG("%s", strbuf_str(&text));
		}
		failures += chain && chain->failure && chain->nr > 1;
		stitched += chain && chain->stitched;
		strbuf_release(&expected);
		strbuf_release(&text);
		played_release(&played);
		call_free(call);
	}
	/* The calls are of the kind that matters. */
	EXPECT_GT(failures, 10000);
	EXPECT_GT(stitched, 5000);
	strbuf_release(&model->interim);
	free(model);
}

TEST_HARNESS_MAIN
