// SPDX-License-Identifier: BSD-2-Clause
/* Attaching to points, some of which the kernel refuses. */
#include <errno.h>
#include <string.h>

#include "unit.h"
#include "util/base/strbuf.h"
#include "util/plan/capture.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/trace/attach/attach.h"

/* In place of the real ones. */
struct attachment {
	bool has_cookies;
	uint64_t refuses_below;	/* an address */
	int copies, links;
	uint64_t last_index;
};

int attachment_copy_program(struct attachment *a, const char *name, int type, uint64_t index)
{
	return 100 + a->copies++;
}

int attachment_keep_kprobe(struct attachment *a, int prog_fd, bool at_return, uint64_t addr,
			   const char *module, uint64_t index)
{
	if (addr < a->refuses_below)
		return -EILSEQ;
	a->links++;
	a->last_index = index;
	return 0;
}

int attachment_keep(struct attachment *a, int link_fd)
{
	return link_fd;
}

int attachment_keep_breakpoint(struct attachment *a, int fd)
{
	return fd;
}

bool attachment_has_cookies(const struct attachment *a)
{
	return a->has_cookies;
}

/* For other captures, which are not attached here. */
const struct programs *attachment_programs(const struct attachment *a)
{
	return NULL;
}

bool attachment_interrupted(struct attachment *a)
{
	return false;
}

FIXTURE(points)
{
	struct attachment attachment;
	struct plan plan;
	struct attached attached;
	struct probes probes;
};

FIXTURE_SETUP(points)
{
	for (uint64_t i = 1; i <= 3; i++)
		ASSERT_EQ(0, vec_push(&self->probes.v,
				      (struct probe){ .kind = PROBE_KPROBE, .text = (char *)"kprobe:f",
						      .name = "f", .addr = i, .by_glob = true }));
	self->plan.probes = &self->probes;
}

FIXTURE_TEARDOWN(points)
{
	vec_release(&self->probes.v);
	attached_release(&self->attached);
}

static int attach(FIXTURE_DATA(points) *self)
{
	attached_release(&self->attached);
	return capture_points.attach(&self->attachment, &self->plan, &self->attached);
}

TEST_F(points, one_program_does_where_links_tell_it_the_index)
{
	EXPECT_EQ(0, attach(self));
	EXPECT_EQ(3, self->attachment.copies);
	self->attachment = (struct attachment){ .has_cookies = true };
	EXPECT_EQ(0, attach(self));
	EXPECT_EQ(1, self->attachment.copies);
	EXPECT_EQ(3, self->attachment.links);
	EXPECT_EQ(2, self->attachment.last_index);
}

TEST_F(points, what_is_refused_of_a_glob_is_left_out)
{
	self->attachment.refuses_below = 3;
	EXPECT_EQ(0, attach(self));
	EXPECT_TRUE(attached_refused_probe(&self->attached, 1));
	EXPECT_FALSE(attached_refused_probe(&self->attached, 2));
}

TEST_F(points, all_may_be_refused_only_if_nobody_asked_for_them)
{
	self->attachment.refuses_below = 4;
	EXPECT_EQ(-EILSEQ, attach(self));
	self->probes.optional = true;
	EXPECT_EQ(0, attach(self));
	EXPECT_TRUE(attached_refused_probe(&self->attached, 2));
	self->probes.v.data[0].by_glob = false;
	EXPECT_EQ(-EILSEQ, attach(self));
}

TEST_HARNESS_MAIN
