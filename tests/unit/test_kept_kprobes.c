// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "util/trace/attach/kept_kprobes.h"
#include "util/trace/attach/links.h"

/* The kernel's part, in place of links.c. */
static struct {
	unsigned int opened;	/* events */
	int linked;		/* the last event that had a program linked to it */
	uint64_t missed;	/* of links to events that were open before */
	int err, perf_err;
} fake;

static int any_fd(void)
{
	return eventfd(0, EFD_CLOEXEC);
}

int link_kprobe(const struct kprobe_pmu *pmu, int prog_fd, bool at_return, uint64_t addr,
		bool with_cookie, uint64_t cookie, struct kprobe_link *ret_link)
{
	if (fake.err)
		return fake.err;
	fake.opened++;
	*ret_link = (struct kprobe_link){ .perf_fd = any_fd(), .link_fd = any_fd() };
	fake.linked = ret_link->perf_fd;
	return 0;
}

int link_perf(int perf_fd, int prog_fd, uint64_t cookie)
{
	fake.linked = perf_fd;
	return fake.perf_err ?: any_fd();
}

int link_missed(int link_fd, uint64_t *ret_missed)
{
	*ret_missed = fake.missed;
	return 0;
}

FIXTURE(kept)
{
	struct kept_kprobes kept;
	struct kprobe_pmu pmu;
};

FIXTURE_SETUP(kept)
{
	memset(self, 0, sizeof(*self));
	memset(&fake, 0, sizeof(fake));
}

FIXTURE_TEARDOWN(kept)
{
	kept_kprobes_close(&self->kept);
}

/* A link that ends at once. Returns the event, or -errno. */
static int linked_to(FIXTURE_DATA(kept) *self, bool at_return, uint64_t addr)
{
	int fd = kept_kprobes_link(&self->kept, &self->pmu, 3, at_return, addr, 5);

	if (fd < 0)
		return fd;
	close(fd);
	return fake.linked;
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

TEST_F(kept, the_next_run_uses_the_same_event)
{
	int entry = linked_to(self, false, 64), at_return = linked_to(self, true, 64);

	EXPECT_NE(entry, at_return);
	EXPECT_EQ(2, fake.opened);
	kept_kprobes_begin(&self->kept);
	EXPECT_EQ(at_return, linked_to(self, true, 64));
	EXPECT_EQ(entry, linked_to(self, false, 64));
	EXPECT_EQ(2, fake.opened);
	linked_to(self, false, 68);
	EXPECT_EQ(3, fake.opened);
}

TEST_F(kept, two_links_of_a_run_have_an_event_each)
{
	int first = linked_to(self, false, 64), second = linked_to(self, false, 64);

	EXPECT_NE(first, second);
	kept_kprobes_begin(&self->kept);
	EXPECT_EQ(first, linked_to(self, false, 64));
	EXPECT_EQ(second, linked_to(self, false, 64));
	EXPECT_EQ(2, fake.opened);
}

TEST_F(kept, an_event_with_a_count_or_that_takes_no_link_is_replaced)
{
	int now;

	linked_to(self, false, 64);
	kept_kprobes_begin(&self->kept);
	fake.missed = 1;
	now = linked_to(self, false, 64);
	EXPECT_EQ(2, fake.opened);
	EXPECT_EQ(1, self->kept.v.len);
	fake.missed = 0;
	kept_kprobes_begin(&self->kept);
	EXPECT_EQ(now, linked_to(self, false, 64));
	kept_kprobes_begin(&self->kept);
	fake.perf_err = -E2BIG;
	EXPECT_LE(0, linked_to(self, false, 64));
	EXPECT_EQ(3, fake.opened);
	EXPECT_EQ(1, self->kept.v.len);
}

TEST_F(kept, what_the_kernel_refuses_is_not_kept)
{
	fake.err = -EINVAL;
	EXPECT_EQ(-EINVAL, linked_to(self, false, 64));
	EXPECT_EQ(0, self->kept.v.len);
}

TEST_F(kept, all_are_closed_at_the_end)
{
	int first = linked_to(self, false, 64), second = linked_to(self, true, 64);

	EXPECT_TRUE(is_open(first) && is_open(second));
	kept_kprobes_close(&self->kept);
	EXPECT_FALSE(is_open(first));
	EXPECT_FALSE(is_open(second));
	EXPECT_EQ(0, self->kept.v.len);
}

TEST_HARNESS_MAIN
