// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"
#include "util/base/vec.h"

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

TEST(elements_stay_in_order)
{
	VEC(int) v = VEC_INIT;
	int sum = 0, n = 0;

	for (int i = 0; i < 1000; i++) {
		ASSERT_EQ(0, vec_push(&v, i));
	}
	EXPECT_EQ(1000, v.len);
	vec_foreach(i, &v) {
		EXPECT_EQ(n++, *i);
		sum += *i;
	}
	EXPECT_EQ(499500, sum);
	vec_release(&v);
	EXPECT_EQ(NULL, v.data);
	EXPECT_EQ(0, v.len);
}

TEST(the_first_element_that_matches_is_found)
{
	VEC(int) v = VEC_INIT;

	EXPECT_EQ(NULL, vec_find(i, &v, true));
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, vec_push(&v, i));
	}
	EXPECT_EQ(v.data, vec_find(i, &v, *i < 2));
	EXPECT_EQ(v.data + 2, vec_find(i, &v, *i >= 2));
	EXPECT_EQ(NULL, vec_find(i, &v, *i > 2));
	vec_release(&v);
}

TEST(an_array_is_searched_up_to_its_end)
{
	static const struct {
		const char *name;
		int number;
	} rows[] = { { "one", 1 }, { "two", 2 }, { "zwei", 2 } };

	EXPECT_EQ(rows + 1, array_find(row, rows, row->number == 2));
	EXPECT_EQ(rows + 2, array_find(row, rows, row->name[0] == 'z'));
	EXPECT_EQ(NULL, array_find(row, rows, row->number == 3));
	EXPECT_EQ(NULL, find_first(row, rows, 1, row->number == 2));
}

TEST(an_empty_one_has_nothing_to_go_through)
{
	VEC(int) v = VEC_INIT;

	vec_foreach(i, &v) {
		EXPECT_TRUE(false) TH_LOG("%d", *i);
	}
	vec_sort(&v, compare);
	vec_release(&v);
	vec_release(&v);
}

TEST(structs_are_pushed_whole)
{
	struct point {
		int x, y;
	};
	VEC(struct point) v = VEC_INIT;

	ASSERT_EQ(0, vec_push(&v, (struct point){ 1, 2 }));
	ASSERT_EQ(0, vec_push(&v, (struct point){ .y = 4 }));
	EXPECT_EQ(2, v.data[0].y);
	EXPECT_EQ(0, v.data[1].x);
	EXPECT_EQ(4, v.data[1].y);
	vec_release(&v);
}

TEST(reserving_makes_room_and_nothing_else)
{
	VEC(long) v = VEC_INIT;
	long *data;

	ASSERT_EQ(0, vec_reserve(&v, 100));
	EXPECT_EQ(0, v.len);
	EXPECT_LE(100, v.cap);
	data = v.data;
	for (int i = 0; i < 100; i++) {
		ASSERT_EQ(0, vec_push(&v, i));
	}
	EXPECT_EQ(data, v.data);
	vec_release(&v);
}

TEST(sorting)
{
	VEC(int) v = VEC_INIT;

	for (int i = 0; i < 50; i++) {
		ASSERT_EQ(0, vec_push(&v, (i * 37) % 50));
	}
	vec_sort(&v, compare);
	for (int i = 0; i < 50; i++) {
		EXPECT_EQ(i, v.data[i]);
	}
	vec_release(&v);
}

TEST_HARNESS_MAIN
