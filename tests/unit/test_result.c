// SPDX-License-Identifier: BSD-2-Clause
/* Results, durations and times as text. */
#include <time.h>

#include "unit.h"

#include "bpf/result_rule.h"
#include "util/view/parts/times.h"
#include "util/view/session/result_text.h"

FIXTURE(text)
{
	struct strbuf sb;
};

FIXTURE_SETUP(text)
{
}

FIXTURE_TEARDOWN(text)
{
	strbuf_release(&self->sb);
}

#define EXPECT_ADDS(expected, add, ...)                        \
	do {                                                   \
		strbuf_reset(&self->sb);                       \
		add(&self->sb, __VA_ARGS__);                   \
		EXPECT_STREQ(expected, strbuf_str(&self->sb)); \
	} while (0)

#define EXPECT_RESULT(expected, result, returns) EXPECT_ADDS(expected, result_add, result, returns)

TEST_F(text, errors_have_names)
{
	EXPECT_RESULT("[-EINVAL]", -22ull, RETURN_INT64);
	EXPECT_RESULT("[-EINVAL]", 0xffffffea, RETURN_INT32);
	EXPECT_RESULT("[-EINVAL]", 0xdeadbeefffffffea, RETURN_INT32);
	EXPECT_RESULT("[-EINVAL]", -22ull, RETURN_UNKNOWN);
	EXPECT_RESULT("[-ENOMEM]", -12ull, RETURN_POINTER);
	EXPECT_RESULT("[-ENOTSUPP]", -524ull, RETURN_INT32);
	EXPECT_RESULT("[-EPERM]", -1ull, RETURN_INT32);
	EXPECT_RESULT("[-4095]", -4095ull, RETURN_INT64);
	EXPECT_RESULT("[-600]", -600ull, RETURN_POINTER);
}

TEST_F(text, results_go_by_their_kind)
{
	EXPECT_RESULT("[void]", 0x1234, RETURN_VOID);
	EXPECT_RESULT("[struct]", 0x1234, RETURN_STRUCT);
	EXPECT_RESULT("[NULL]", 0, RETURN_POINTER);
	EXPECT_RESULT("[0xffff888126ae9100]", 0xffff888126ae9100, RETURN_POINTER);
	EXPECT_RESULT("[0x5]", 5, RETURN_POINTER);
	EXPECT_RESULT("[true]", 1, RETURN_BOOL);
	EXPECT_RESULT("[true]", 0xffffff01, RETURN_BOOL);
	EXPECT_RESULT("[false]", 0, RETURN_BOOL);
	EXPECT_RESULT("[false]", 0xffffff00, RETURN_BOOL);
	EXPECT_RESULT("[0]", 0, RETURN_INT32);
	EXPECT_RESULT("[5]", 0xffffffff00000005, RETURN_INT32);
	EXPECT_RESULT("[5]", 5, RETURN_INT64);
	EXPECT_RESULT("[0xffffffea]", -22ull, RETURN_UNSIGNED32);
	EXPECT_RESULT("[0xffffffffffffffea]", -22ull, RETURN_UNSIGNED64);
	EXPECT_RESULT("[5]", 0xffffffff00000005, RETURN_UNSIGNED32);
}

TEST_F(text, an_address_is_a_pointer_where_the_kind_is_not_known)
{
	EXPECT_RESULT("[0xffff000003a5bd48]", 0xffff000003a5bd48, RETURN_UNKNOWN);
	EXPECT_RESULT("[0xff11000003a5bd48]", 0xff11000003a5bd48, RETURN_UNKNOWN);
	EXPECT_RESULT("[5]", 0x5, RETURN_UNKNOWN);
	EXPECT_RESULT("[-EINVAL]", 0xffff0000ffffffea, RETURN_UNKNOWN);
	EXPECT_RESULT("[-5000]", -5000ull, RETURN_UNKNOWN);
	EXPECT_RESULT("[0x3a5bd48]", 0xffffffff03a5bd48, RETURN_UNKNOWN);
	EXPECT_RESULT("[0x3a5bd48]", 0xffff000003a5bd48, RETURN_INT32);
}

TEST_F(text, a_narrow_result_is_what_is_left_without_garbage)
{
	EXPECT_RESULT("[200]", 200, RETURN_NARROW);
	EXPECT_RESULT("[65535]", 0xffff, RETURN_NARROW);
	EXPECT_RESULT("[-1]", 0xffffffff, RETURN_NARROW);
	EXPECT_RESULT("[-1]", 0xffffffffffffffff, RETURN_NARROW);
	EXPECT_RESULT("[200]", 0xabcd00c8, RETURN_NARROW);
}

/* gcc makes `return 255` of a u8 function `mov $0xffffffff,%eax`. */
TEST_F(text, one_of_a_byte_or_two_has_its_own_sign)
{
	EXPECT_RESULT("[255]", 0xffffffff, RETURN_UNSIGNED8);
	EXPECT_RESULT("[138]", 0xabcd468a, RETURN_UNSIGNED8);
	EXPECT_RESULT("[65535]", 0xffffffff, RETURN_UNSIGNED16);
	EXPECT_RESULT("[56710]", 0x1dd86, RETURN_UNSIGNED16);
	EXPECT_RESULT("[-1]", 0xff, RETURN_INT8);
	EXPECT_RESULT("[127]", 0xabcd007f, RETURN_INT8);
	EXPECT_RESULT("[-22]", 0xffea, RETURN_INT16);
	EXPECT_RESULT("[-22]", 0xffffffea, RETURN_INT16);
}

TEST_F(text, big_numbers_are_hex)
{
	EXPECT_RESULT("[1048576]", 1048576, RETURN_INT64);
	EXPECT_RESULT("[0x100001]", 1048577, RETURN_INT64);
	EXPECT_RESULT("[0x100001]", 1048577, RETURN_INT32);
	EXPECT_RESULT("[-4096]", -4096ull, RETURN_INT64);
	EXPECT_RESULT("[-1073741824]", -1073741824ull, RETURN_INT64);
	EXPECT_RESULT("[0xffffffffbfffffff]", -1073741825ull, RETURN_INT64);
	EXPECT_RESULT("[0xbfffffff]", -1073741825ull, RETURN_INT32);
	EXPECT_RESULT("[0x8000000000000000]", 1ull << 63, RETURN_INT64);
	EXPECT_RESULT("[0x80000000]", 1ull << 31, RETURN_INT32);
}

/* The rule that decides in the kernel and the text for it must not part ways. */
TEST_F(text, what_counts_as_an_error_looks_like_one)
{
	static const uint64_t results[] = {
		0,    1,    22,		-1ull,	    -22ull, -4095ull, -4096ull,	  0xffffffea,
		0x80, 0xff, 0xfffff000, 0xfffff001, 0xffff, 0xffea,   ~0ull >> 1, 1ull << 63,
	};

	for (unsigned int kind = RETURN_UNKNOWN; kind <= RETURN_STRUCT; kind++) {
		for (size_t i = 0; i < ARRAY_SIZE(results); i++) {
			int err = result_errno(results[i], kind);
			const char *s;

			strbuf_reset(&self->sb);
			result_add(&self->sb, results[i], kind);
			s = strbuf_str(&self->sb);
			if (err == 0) {
				EXPECT_STREQ("[NULL]", s);
			} else if (err > 0) {
				EXPECT_EQ('-', s[1]);
			} else {
				EXPECT_NE('E', s[2]);
			}
			EXPECT_TRUE(err == RESULT_NOT_FAILED || result_can_fail(kind));
		}
	}
}

TEST_F(text, durations_are_in_the_unit_that_fits)
{
	EXPECT_ADDS("0us", duration_add, 0, DURATIONS_AUTO);
	EXPECT_ADDS("0us", duration_add, 999, DURATIONS_AUTO);
	EXPECT_ADDS("999us", duration_add, 999999, DURATIONS_AUTO);
	EXPECT_ADDS("1.00ms", duration_add, 1000000, DURATIONS_AUTO);
	EXPECT_ADDS("13.3ms", duration_add, 13312345, DURATIONS_AUTO);
	EXPECT_ADDS("1.00s", duration_add, 1001028673, DURATIONS_AUTO);
	EXPECT_ADDS("3600s", duration_add, 3600042999999, DURATIONS_AUTO);
	EXPECT_ADDS("0.999us", exact_duration_add, 999, DURATIONS_AUTO);
	EXPECT_ADDS("999.999us", exact_duration_add, 999999, DURATIONS_AUTO);
	EXPECT_ADDS("13.3ms", exact_duration_add, 13312345, DURATIONS_AUTO);
}

TEST_F(text, durations_are_microseconds_on_request)
{
	EXPECT_ADDS("0us", duration_add, 999, DURATIONS_US);
	EXPECT_ADDS("1078us", duration_add, 1078999, DURATIONS_US);
	EXPECT_ADDS("3600042999us", duration_add, 3600042999999, DURATIONS_US);
	EXPECT_ADDS("1078.999us", exact_duration_add, 1078999, DURATIONS_US);
}

TEST_F(text, times_are_local)
{
	setenv("TZ", "UTC", 1);
	tzset();
	EXPECT_ADDS("20:19:36.372607", clock_add, 1767298776372607999);
	EXPECT_ADDS("2026-01-01", day_add, 1767298776372607999);
	EXPECT_ADDS("+00:00", zone_add, 1767298776372607999);
	EXPECT_ADDS("2026-01-01 20:19:36 +00:00", day_time_add, 1767298776372607999);
	EXPECT_ADDS("2026-01-01T20:19:36.372607999+00:00", timestamp_add, 1767298776372607999);
	EXPECT_ADDS("23:59:59.999999", clock_add, -1);
	setenv("TZ", "IST-5:30", 1);
	tzset();
	EXPECT_ADDS("01:49:36.372607", clock_add, 1767298776372607999);
	EXPECT_ADDS("2026-01-02T01:49:36.372607999+05:30", timestamp_add, 1767298776372607999);
	setenv("TZ", "NST3:30", 1);
	tzset();
	EXPECT_ADDS("2026-01-01T16:49:36.372607999-03:30", timestamp_add, 1767298776372607999);
}

TEST_HARNESS_MAIN
