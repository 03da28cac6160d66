// SPDX-License-Identifier: BSD-2-Clause
/*
 * Trimming of branch records. Rings are written down oldest first, a record each "C5>F0": a letter
 * is a kind of code, the hex digits behind it where in there. What comes out looks the same, with
 * marks in front: `~` tracing, `=` duplicate, `-` blank, `!` interrupt.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/base/strbuf.h"
#include "util/trace/branches/branch_trim.h"
#include "util/trace/session/session.h"

/*
 * F the function, C its caller, L a function it calls, G one it leaves to; T trampolines, K
 * functions that only tracing runs, W programs of tracing, Q others, N what all of these call; E
 * entries of interrupts, from 0 on, B a breakpoint's, P what they call first, X their exit, H their
 * handlers; R return thunks; 0 nothing. Functions start at 0. F and L are traced.
 */
#define MAX_RING 4096

static uint64_t addr_of(char kind, uint64_t offset)
{
	return kind == '0' ? 0 : 0xffffffff80000000ull + (uint64_t)kind * 0x10000 + offset;
}

static char kind_of(uint64_t addr)
{
	return addr ? (addr - 0xffffffff80000000ull) >> 16 : '0';
}

static uint64_t offset_of(uint64_t addr)
{
	return addr & 0xffff;
}

static bool in_function(void *arg, uint64_t addr)
{
	return kind_of(addr) == 'F';
}

static bool is_traced(void *arg, uint64_t addr)
{
	return kind_of(addr) == 'F' || kind_of(addr) == 'L';
}

static struct code_place place(void *arg, uint64_t addr)
{
	struct code_place place = { .offset = offset_of(addr) };

	switch (kind_of(addr)) {
	case 'B':
		place.is_breakpoint = true;
		place.kind = place.offset ? CODE_INTERRUPT : CODE_INTERRUPT_ENTRY;
		break;
	case 'E':
		place.kind = place.offset ? CODE_INTERRUPT : CODE_INTERRUPT_ENTRY;
		break;
	case 'X':
		place.kind = CODE_INTERRUPT_EXIT;
		break;
	case 'T':
		place.kind = CODE_TRAMPOLINE;
		break;
	case 'K':
		place.kind = CODE_TRACING;
		break;
	case 'Q':
		place.kind = CODE_PROGRAM;
		break;
	case 'W':
		place.kind = CODE_TRACING_PROGRAM;
		break;
	case 'R':
		place.kind = CODE_THUNK;
		break;
	}
	return place;
}

static struct code_place all_is_tracing(void *arg, uint64_t addr)
{
	return (struct code_place){ .kind = CODE_TRACING, .offset = offset_of(addr) };
}

FIXTURE(branch_trim)
{
	struct branch_place_rules rules;
	struct event_branch *ring;
	struct session session;
	struct branches branches;
	struct strbuf text;
};

FIXTURE_SETUP(branch_trim)
{
	self->rules = (struct branch_place_rules){ in_function, is_traced, place };
	self->ring = calloc(MAX_RING, sizeof(*self->ring));
}

FIXTURE_TEARDOWN(branch_trim)
{
	free(self->ring);
	branches_release(&self->branches);
	strbuf_release(&self->text);
}

static uint64_t read_addr(const char **text)
{
	char kind = *(*text)++;
	char *end;
	uint64_t offset;

	if (kind == '0')
		return 0;
	if (!isupper(kind) || !isxdigit(**text))
		abort();
	offset = strtoull(*text, &end, 16);
	*text = end;
	return addr_of(kind, offset);
}

/* The ring is of the test's size to the byte, so that reading beyond it shows. */
static void trim(FIXTURE_DATA(branch_trim) * self, uint32_t nr)
{
	struct event_branch *exact = malloc(nr * sizeof(*exact) + !nr);

	memcpy(exact, self->ring, nr * sizeof(*exact));
	self->session.branches = exact;
	self->session.nr_branches = nr;
	if (branches_trim(&self->session, &self->rules, &self->branches))
		abort();
	free(exact);
}

/* The branches as text. */
static const char *text_of(FIXTURE_DATA(branch_trim) * self)
{
	strbuf_reset(&self->text);
	vec_foreach(branch, &self->branches.v) {
		if (self->text.len)
			strbuf_addch(&self->text, ' ');
		if (branch->marks & BRANCH_IS_TRACING)
			strbuf_addch(&self->text, '~');
		if (branch->marks & BRANCH_IS_DUPLICATE)
			strbuf_addch(&self->text, '=');
		if (branch->marks & BRANCH_IS_BLANK)
			strbuf_addch(&self->text, '-');
		if (branch->marks & BRANCH_IS_INTERRUPT)
			strbuf_addch(&self->text, '!');
		for (int side = 0; side < 2; side++) {
			uint64_t addr = side ? branch->to : branch->from;

			strbuf_addstr(&self->text, side ? ">" : "");
			strbuf_addch(&self->text, kind_of(addr));
			if (addr)
				strbuf_addf(&self->text, "%x", (unsigned int)offset_of(addr));
		}
	}
	return strbuf_str(&self->text);
}

static const char *trimmed(FIXTURE_DATA(branch_trim) * self, const char *text)
{
	uint32_t nr = 0;

	while (*text) {
		struct event_branch *branch = &self->ring[nr++];

		branch->from = read_addr(&text);
		if (*text++ != '>')
			abort();
		branch->to = read_addr(&text);
		branch->flags = nr;
		while (*text == ' ')
			text++;
	}
	for (uint32_t i = 0; i < nr / 2; i++) {
		struct event_branch swap = self->ring[i];

		self->ring[i] = self->ring[nr - 1 - i];
		self->ring[nr - 1 - i] = swap;
	}
	trim(self, nr);
	return text_of(self);
}

#define EXPECT_TRIMMED(ring, expected) EXPECT_STREQ(expected, trimmed(self, ring))
#define EXPECT_UNTOUCHED(ring) EXPECT_TRIMMED(ring, ring)

TEST_F(branch_trim, ends_with_the_functions_own_return)
{
	EXPECT_TRIMMED("C5>F0 F4>L0 L9>F8 Ff>T3 T9>N0 N9>Td",
		       "C5>F0 F4>L0 L9>F8 Ff>T3 ~T9>N0 ~N9>Td");
	EXPECT_FALSE(self->branches.none_left);
	EXPECT_EQ(4, self->branches.nr_shown);
	EXPECT_EQ(6, self->branches.nr_recorded);
}

TEST_F(branch_trim, numbers_from_the_newest_that_is_left)
{
	trimmed(self, "0>0 C5>F0 Ff>T3 T9>N0");
	EXPECT_EQ(BRANCH_NO_NR, self->branches.v.data[0].nr);
	EXPECT_EQ(1, self->branches.v.data[1].nr);
	EXPECT_EQ(0, self->branches.v.data[2].nr);
	EXPECT_EQ(BRANCH_NO_NR, self->branches.v.data[3].nr);
	/* What the CPU said of each comes along. */
	EXPECT_EQ(2, self->branches.v.data[1].flags);
	EXPECT_EQ(3, self->branches.v.data[2].flags);
}

TEST_F(branch_trim, a_way_into_the_function_is_its_own_too)
{
	/* Calls only: it called nothing after that. */
	EXPECT_TRIMMED("C2>C0 C5>F0 T9>N0", "C2>C0 C5>F0 ~T9>N0");
	/* Returns only: its own is by a thunk. */
	EXPECT_TRIMMED("R9>F8 R9>T3 R9>Td", "R9>F8 R9>T3 ~R9>Td");
}

TEST_F(branch_trim, tracing_of_the_entry_is_left_out)
{
	EXPECT_TRIMMED(
		"C5>F0 F4>T0 T3>K0 K4>N0 N2>N8 N9>K9 Kc>T8 Ta>Q0 Q9>N0 N9>Qe Qf>Td T11>F9 F9>Fc "
		"Ff>T20 T22>K0",
		"C5>F0 ~F4>T0 ~T3>K0 ~K4>N0 ~N2>N8 ~N9>K9 ~Kc>T8 ~Ta>Q0 ~Q9>N0 ~N9>Qe ~Qf>Td "
		"~T11>F9 F9>Fc Ff>T20 ~T22>K0");
	EXPECT_EQ(3, self->branches.nr_shown);
	/* A function of tracing that ends by calling another. */
	EXPECT_TRIMMED("C5>F0 F0>T0 T3>K0 K4>N0 N9>T8 Ta>F5 Ff>T20",
		       "C5>F0 ~F0>T0 ~T3>K0 ~K4>N0 ~N9>T8 ~Ta>F5 Ff>T20");
	/* The function tracer, which returns to the function; by a thunk. */
	EXPECT_TRIMMED("C5>F0 F4>K0 K20>K100 K106>N0 N9>K10b K4e>F9 Ff>K0",
		       "C5>F0 ~F4>K0 ~K20>K100 ~K106>N0 ~N9>K10b ~K4e>F9 Ff>K0");
	EXPECT_TRIMMED("C5>F0 F4>K0 K20>N0 N9>R0 R0>K26 K4e>R0 R0>F9 Ff>R0 R0>K0",
		       "C5>F0 ~F4>K0 ~K20>N0 ~N9>R0 ~R0>K26 ~K4e>R0 ~R0>F9 Ff>R0 R0>K0");
}

TEST_F(branch_trim, tracing_that_began_before_the_ring)
{
	EXPECT_TRIMMED("N2>N8 N9>K9 Kc>T8 T11>F9 F9>Fc Ff>T20",
		       "~N2>N8 ~N9>K9 ~Kc>T8 ~T11>F9 F9>Fc Ff>T20");
	EXPECT_TRIMMED("N2>N8 N9>R0 R0>T8 T11>F9 F9>Fc Ff>T20",
		       "~N2>N8 ~N9>R0 ~R0>T8 ~T11>F9 F9>Fc Ff>T20");
	EXPECT_TRIMMED("T11>F9 F9>Fc Ff>T20", "~T11>F9 F9>Fc Ff>T20");
	EXPECT_TRIMMED("N2>N8 N9>Qe Qf>Td T11>F9 Ff>T20", "~N2>N8 ~N9>Qe ~Qf>Td ~T11>F9 Ff>T20");
	/* It is older by a gap: that may be anybody's. */
	EXPECT_TRIMMED("L2>L8 N1>N8 N9>K9 Kc>T8 T11>F9 Ff>T20",
		       "L2>L8 ~N1>N8 ~N9>K9 ~Kc>T8 ~T11>F9 Ff>T20");
}

TEST_F(branch_trim, of_another_traced_function_the_return_is_left)
{
	EXPECT_TRIMMED(
		"F22>L0 L4>T100 T103>K0 K9>T108 T10a>L9 Lb>Le Lf>T120 T123>K0 K9>T128 T12a>F27 "
		"F29>F2c F2f>T20",
		"F22>L0 ~L4>T100 ~T103>K0 ~K9>T108 ~T10a>L9 Lb>Le Lf>T120 ~T123>K0 ~K9>T128 "
		"~T12a>F27 F29>F2c F2f>T20");
	/* Return probes. */
	EXPECT_TRIMMED("F22>L0 Lb>Le Lf>K0 K3>N0 N9>K8 Ka>F27 F29>F2c F2f>K0 K3>N0",
		       "F22>L0 Lb>Le Lf>K0 ~K3>N0 ~N9>K8 ~Ka>F27 F29>F2c F2f>K0 ~K3>N0");
	/* By a thunk. */
	EXPECT_TRIMMED("F22>L0 Lf>R0 R0>T120 T123>K0 K9>T128 T12a>R0 R0>F27 F2f>R0 R0>T20",
		       "F22>L0 Lf>R0 R0>T120 ~T123>K0 ~K9>T128 ~T12a>R0 ~R0>F27 F2f>R0 R0>T20");
}

TEST_F(branch_trim, tracing_among_returns)
{
	EXPECT_TRIMMED(
		"L9>C5 N9>K11 N19>K16 R0>T4d N14>Q60 R0>N28 N47>N45 N56>Q13e R0>T5e R0>K20 R0>T74 "
		"L3f>F5d Lb>Fde Ff>T89 N20>K11",
		"L9>C5 ~N9>K11 ~N19>K16 ~R0>T4d ~N14>Q60 ~R0>N28 ~N47>N45 ~N56>Q13e ~R0>T5e ~R0>K20 "
		"~R0>T74 L3f>F5d Lb>Fde Ff>T89 ~N20>K11");
	/* The function tracer returns to the function. */
	EXPECT_TRIMMED("L9>C5 N9>K11 R0>F9 L3f>F5d Ff>K0", "L9>C5 ~N9>K11 ~R0>F9 L3f>F5d Ff>K0");
	/* It is in a program before the ring begins. */
	EXPECT_TRIMMED("R0>N28 N47>N45 N56>W13e R0>T5e R0>T74 L3f>F5d Ff>T89",
		       "~R0>N28 ~N47>N45 ~N56>W13e ~R0>T5e ~R0>T74 L3f>F5d Ff>T89");
	EXPECT_TRIMMED("R0>N28 N47>N45 N56>Q13e R0>T5e R0>T74 L3f>F5d Ff>T89",
		       "R0>N28 N47>N45 N56>Q13e R0>T5e ~R0>T74 L3f>F5d Ff>T89");
	EXPECT_TRIMMED("R0>T86 L3f>F5d Ff>T89", "~R0>T86 L3f>F5d Ff>T89");
	/* It returns by a function that is not traced. */
	EXPECT_TRIMMED("N24>T4b N73>N4d N5e>W34d R0>T50 L3f>F5d Ff>T89",
		       "~N24>T4b ~N73>N4d ~N5e>W34d ~R0>T50 L3f>F5d Ff>T89");
	/* All returns by thunks: the function's own is the one that tracing begins with. */
	EXPECT_TRIMMED("R0>C5 R0>C9 R0>T71 N9>K11 R0>T93", "R0>C5 R0>C9 R0>T71 ~N9>K11 ~R0>T93");
	EXPECT_FALSE(self->branches.none_left);
	/* ... unless it is none, as far as one can tell. */
	EXPECT_TRIMMED("R0>T71 N9>K11 R0>T93", "~R0>T71 ~N9>K11 ~R0>T93");
	EXPECT_TRIMMED("R0>C5 N9>K11 R0>T93", "~R0>C5 ~N9>K11 ~R0>T93");
	EXPECT_TRUE(self->branches.none_left);
}

TEST_F(branch_trim, a_program_that_called_the_function_is_not_tracing)
{
	EXPECT_TRIMMED(
		"C2>Q0 Q4>Q9 Qb>F0 F4>T0 T3>K0 K9>T8 Ta>F9 Fb>Q9 Qd>F0 F4>T0 T3>K0 K9>T8 Ta>F9 "
		"Ff>T20",
		"C2>Q0 Q4>Q9 Qb>F0 ~F4>T0 ~T3>K0 ~K9>T8 ~Ta>F9 Fb>Q9 Qd>F0 ~F4>T0 ~T3>K0 ~K9>T8 "
		"~Ta>F9 Ff>T20");
}

TEST_F(branch_trim, breakpoints_are_probes)
{
	EXPECT_TRIMMED(
		"C5>F0 F0>B0 B4>P0 P9>B8 Ba>H0 H9>Be Bf>X0 X8>T0 T5>F5 F9>Fc Ff>K0",
		"C5>F0 ~!F0>B0 ~!B4>P0 ~!P9>B8 ~!Ba>H0 ~!H9>Be ~!Bf>X0 ~!X8>T0 ~T5>F5 F9>Fc Ff>K0");
}

TEST_F(branch_trim, an_interrupt_of_tracing_is_both)
{
	EXPECT_TRIMMED(
		"C5>F0 F4>T0 T3>K0 K4>E0 E4>H0 H9>Ee Ef>X0 X8>K4 K9>T8 Ta>F9 Ff>T20",
		"C5>F0 ~F4>T0 ~T3>K0 ~!K4>E0 ~!E4>H0 ~!H9>Ee ~!Ef>X0 ~!X8>K4 ~K9>T8 ~Ta>F9 Ff>T20");
}

TEST_F(branch_trim, a_return_by_a_thunk_is_whole)
{
	EXPECT_TRIMMED("C5>F0 Ff>R0 R4>T3 T9>N0 N4>R0 R4>Td",
		       "C5>F0 Ff>R0 R4>T3 ~T9>N0 ~N4>R0 ~R4>Td");
	/* Where nobody knows what is tracing's, the first half is left. */
	self->rules.place = NULL;
	EXPECT_TRIMMED("C5>F0 Ff>R0 R4>T3 T9>N0", "C5>F0 Ff>R0 ~R4>T3 ~T9>N0");
}

TEST_F(branch_trim, a_function_that_it_left_to_belongs_to_it)
{
	EXPECT_TRIMMED("C5>F0 Ff>G0 G4>G8 Ga>L0 L9>Gf G11>T3 T9>N0",
		       "C5>F0 Ff>G0 G4>G8 Ga>L0 L9>Gf G11>T3 ~T9>N0");
	/* Its return was not recorded. */
	EXPECT_TRIMMED("C5>F0 Ff>G0 G4>G8 T9>N0 N9>Td", "C5>F0 Ff>G0 ~G4>G8 ~T9>N0 ~N9>Td");
	/* An interrupt is no way to tracing. */
	EXPECT_TRIMMED("Ff>G0 G4>E0 E4>T0 T4>E8 Ea>X0 X4>G4 G9>T3 T5>N0",
		       "Ff>G0 !G4>E0 !E4>T0 !T4>E8 !Ea>X0 !X4>G4 G9>T3 ~T5>N0");
}

TEST_F(branch_trim, tracing_a_function_of_tracing)
{
	self->rules.place = all_is_tracing;
	EXPECT_TRIMMED("C5>F0 F4>F8 Ff>T3 T9>N0", "C5>F0 F4>F8 Ff>T3 ~T9>N0");
}

TEST_F(branch_trim, nothing_is_left)
{
	EXPECT_TRIMMED("T1>N0 N9>T3 T5>N0", "~T1>N0 ~N9>T3 ~T5>N0");
	EXPECT_TRUE(self->branches.none_left);
	EXPECT_EQ(0, self->branches.nr_shown);
	EXPECT_EQ(3, self->branches.nr_recorded);
	EXPECT_TRIMMED("0>0 0>0", "-0>0 -0>0");
	EXPECT_TRUE(self->branches.none_left);
	EXPECT_EQ(0, self->branches.nr_recorded);
	EXPECT_TRIMMED("", "");
	EXPECT_TRUE(self->branches.none_left);
}

TEST_F(branch_trim, what_was_there_before_is_forgotten)
{
	trimmed(self, "C5>F0 F4>F8 Ff>T3 T9>N0");
	trimmed(self, "");
	EXPECT_EQ(0, self->branches.v.len);
	EXPECT_EQ(0, self->branches.nr_shown);
	EXPECT_EQ(0, self->branches.nr_recorded);
	trimmed(self, "Ff>T3");
	EXPECT_FALSE(self->branches.none_left);
	EXPECT_EQ(1, self->branches.nr_shown);
}

TEST_F(branch_trim, blanks_are_left_out_wherever_they_are)
{
	EXPECT_TRIMMED("0>0 0>F3 F3>0 C5>F0 0>0 Ff>T3 0>0 T9>N0",
		       "-0>0 -0>F3 -F3>0 C5>F0 -0>0 Ff>T3 -0>0 ~T9>N0");
}

TEST_F(branch_trim, a_loop_is_shown_once_and_counted)
{
	EXPECT_TRIMMED("C5>F0 F8>F4 F8>F4 F8>F4 Fa>F2 F8>F4 Ff>T3",
		       "C5>F0 F8>F4 =F8>F4 =F8>F4 Fa>F2 F8>F4 Ff>T3");
	EXPECT_EQ(1, self->branches.v.data[0].times);
	EXPECT_EQ(3, self->branches.v.data[1].times);
	EXPECT_EQ(0, self->branches.v.data[2].times);
	EXPECT_EQ(1, self->branches.v.data[5].times);
	EXPECT_EQ(3, self->branches.v.data[1].nr);
	EXPECT_EQ(BRANCH_NO_NR, self->branches.v.data[3].nr);
}

TEST_F(branch_trim, what_tracing_repeats_does_not_count_for_the_function)
{
	EXPECT_TRIMMED("C5>F0 Ff>T3 Ff>T3 T9>N0", "C5>F0 Ff>T3 =Ff>T3 ~T9>N0");
	EXPECT_TRIMMED("Ff>R0 R4>T3 R4>T3 R4>T3", "Ff>R0 R4>T3 ~R4>T3 ~=R4>T3");
	EXPECT_EQ(1, self->branches.v.data[1].times);
}

TEST_F(branch_trim, an_interrupt_that_cut_in_is_marked)
{
	EXPECT_TRIMMED("C5>F0 F7>E0 E4>P0 P9>E8 Ea>H0 H9>Ee Ef>X0 X8>F7 Ff>T3",
		       "C5>F0 !F7>E0 !E4>P0 !P9>E8 !Ea>H0 !H9>Ee !Ef>X0 !X8>F7 Ff>T3");
	EXPECT_EQ(9, self->branches.nr_shown);
}

TEST_F(branch_trim, stubs_of_an_entry_are_one_interrupt)
{
	EXPECT_TRIMMED("F7>E0 E0>E0 E4>H0 H9>Ee Ef>X0 X8>F7 F9>F2 Ff>T3",
		       "!F7>E0 !E0>E0 !E4>H0 !H9>Ee !Ef>X0 !X8>F7 F9>F2 Ff>T3");
}

TEST_F(branch_trim, an_interrupt_in_an_interrupt)
{
	EXPECT_TRIMMED(
		"F7>E0 E4>H0 H4>E0 E4>H0 H9>Ee Ef>X0 X8>H4 H9>Ee Ef>X0 X8>F7 Ff>T3",
		"!F7>E0 !E4>H0 !H4>E0 !E4>H0 !H9>Ee !Ef>X0 !X8>H4 !H9>Ee !Ef>X0 !X8>F7 Ff>T3");
}

TEST_F(branch_trim, two_interrupts_have_the_function_between_them)
{
	EXPECT_TRIMMED(
		"F7>E0 E4>H0 H9>Ee Ef>X0 X8>F7 F9>F0 F7>E0 E4>H0 H9>Ee Ef>X0 X8>F7 Ff>T3",
		"!F7>E0 !E4>H0 !H9>Ee !Ef>X0 !X8>F7 F9>F0 !F7>E0 !E4>H0 !H9>Ee !Ef>X0 !X8>F7 "
		"Ff>T3");
}

TEST_F(branch_trim, the_functions_call_in_an_interrupt_is_not_the_one_that_returned)
{
	/* Nothing but the interrupted trampoline is left. */
	EXPECT_TRIMMED("T2>E0 E4>H0 H2>F0 Ff>H7 H9>Ee Ef>X0 X8>T2 T9>N0",
		       "~!T2>E0 ~!E4>H0 ~!H2>F0 ~!Ff>H7 ~!H9>Ee ~!Ef>X0 ~!X8>T2 ~T9>N0");
	EXPECT_TRUE(self->branches.none_left);
	/* Its own end is left, too. */
	EXPECT_TRIMMED("Ff>T2 T2>E0 E4>H0 H2>F0 Ff>H7 H9>Ee Ef>X0 X8>T2 T9>N0",
		       "Ff>T2 ~!T2>E0 ~!E4>H0 ~!H2>F0 ~!Ff>H7 ~!H9>Ee ~!Ef>X0 ~!X8>T2 ~T9>N0");
}

TEST_F(branch_trim, an_interrupt_is_proof_that_the_function_ran)
{
	/* By thunks, its own return does not. */
	EXPECT_TRIMMED("R9>E8 R9>Ee X8>F7 R9>T5 R9>T9", "!R9>E8 !R9>Ee !X8>F7 R9>T5 ~R9>T9");
	EXPECT_FALSE(self->branches.none_left);
}

TEST_F(branch_trim, an_interrupt_without_its_beginning_goes_as_far_as_the_ring)
{
	EXPECT_TRIMMED("H2>H0 H9>Ee Ef>X0 X8>F7 F9>F2 Ff>T3",
		       "!H2>H0 !H9>Ee !Ef>X0 !X8>F7 F9>F2 Ff>T3");
	EXPECT_TRIMMED("X8>F7 F9>F2 Ff>T3", "!X8>F7 F9>F2 Ff>T3");
	/* One that is whole, inside. */
	EXPECT_TRIMMED("H2>E0 E4>H0 H9>Ee Ef>X0 X8>H2 H9>Ee Ef>X0 X8>F7 Ff>T3",
		       "!H2>E0 !E4>H0 !H9>Ee !Ef>X0 !X8>H2 !H9>Ee !Ef>X0 !X8>F7 Ff>T3");
}

TEST_F(branch_trim, where_all_this_happened_did_not_cut_in)
{
	/* A softirq, a page fault: the function is called from there. */
	EXPECT_UNTOUCHED("C7>E0 E4>H0 H2>F0 F9>F2 Ff>T3");
	/* ... and is itself interrupted. */
	EXPECT_TRIMMED("C7>E0 E4>H0 H2>F0 F3>E0 E4>H0 H9>Ee Ef>X0 X8>F3 Ff>T3",
		       "C7>E0 E4>H0 H2>F0 !F3>E0 !E4>H0 !H9>Ee !Ef>X0 !X8>F3 Ff>T3");
}

TEST_F(branch_trim, an_exception_may_go_on_elsewhere)
{
	EXPECT_TRIMMED("F4>E0 E4>H0 H9>Ee Ef>X0 X8>F20 F22>F30 Ff>T3",
		       "!F4>E0 !E4>H0 !H9>Ee !Ef>X0 !X8>F20 F22>F30 Ff>T3");
}

TEST_F(branch_trim, another_task_that_ran_meanwhile_belongs_to_the_interrupt)
{
	EXPECT_TRIMMED(
		"F4>E0 E4>H0 H9>Ee Ef>X0 X8>L20 L22>L30 L31>E0 E4>H9 Hf>Ee Ef>X0 X8>F4 Ff>T3",
		"!F4>E0 !E4>H0 !H9>Ee !Ef>X0 !X8>L20 !L22>L30 !L31>E0 !E4>H9 !Hf>Ee !Ef>X0 "
		"!X8>F4 Ff>T3");
}

TEST_F(branch_trim, a_call_of_the_interrupted_place_is_not_the_way_back)
{
	EXPECT_TRIMMED("C4>F0 F0>E0 E4>H0 H4>F0 F8>H9 H9>Ee Ef>X0 X8>F0 F3>F6 Ff>T3",
		       "C4>F0 !F0>E0 !E4>H0 !H4>F0 !F8>H9 !H9>Ee !Ef>X0 !X8>F0 F3>F6 Ff>T3");
}

TEST_F(branch_trim, entries_that_go_back_themselves)
{
	/* NMIs, and all of them with FRED. */
	EXPECT_TRIMMED("F4>E0 E4>H0 H9>E8 Ea>F4 F6>F8 Ff>T3",
		       "!F4>E0 !E4>H0 !H9>E8 !Ea>F4 F6>F8 Ff>T3");
	/* A call is not a way back. */
	EXPECT_UNTOUCHED("E4>H0 H9>F0 Ff>T3");
}

TEST_F(branch_trim, rings_of_returns_have_no_beginnings)
{
	EXPECT_TRIMMED("L9>F3 P9>E8 H4>H2 H9>Ee X8>F7 L9>F9 Ff>T3",
		       "L9>F3 !P9>E8 !H4>H2 !H9>Ee !X8>F7 L9>F9 Ff>T3");
	/* By thunks, which hide where from. */
	EXPECT_TRIMMED("R9>F3 R9>E8 R9>H2 R9>Ee X8>F7 R9>F9",
		       "R9>F3 !R9>E8 !R9>H2 !R9>Ee !X8>F7 R9>F9");
	/* One in the other, at once. */
	EXPECT_TRIMMED("L9>F3 P9>E108 P9>E8 H9>Ee X8>E109 H9>E10e X8>F7 Ff>T3",
		       "L9>F3 !P9>E108 !P9>E8 !H9>Ee !X8>E109 !H9>E10e !X8>F7 Ff>T3");
	/* Another before it. */
	EXPECT_TRIMMED("L9>F3 P9>E8 H9>Ee X8>F7 L9>F9 P9>E108 H9>E10e X8>Fa Ff>T3",
		       "L9>F3 !P9>E8 !H9>Ee !X8>F7 L9>F9 !P9>E108 !H9>E10e !X8>Fa Ff>T3");
	/* Older than the ring. */
	EXPECT_TRIMMED("H4>H2 H9>Ee X8>F7 L9>F9 Ff>T3", "!H4>H2 !H9>Ee !X8>F7 L9>F9 Ff>T3");
}

TEST_F(branch_trim, rings_of_calls_have_no_ways_back)
{
	EXPECT_TRIMMED("C4>F0 F5>E0 E4>P0 Ea>H0 H3>H0 F8>L0 T9>N0",
		       "C4>F0 !F5>E0 !E4>P0 !Ea>H0 !H3>H0 F8>L0 ~T9>N0");
	/* The function called nothing after it: how long it took is not known. */
	EXPECT_TRIMMED("C4>F0 F5>E0 E4>P0 Ea>H0 T9>N0", "C4>F0 F5>E0 ~E4>P0 ~Ea>H0 ~T9>N0");
}

TEST_F(branch_trim, rings_of_conditions_have_neither)
{
	EXPECT_TRIMMED("W21c>W4cc W528>W54a N66>N73 F18>Fb2 F26>F9e",
		       "~W21c>W4cc ~W528>W54a ~N66>N73 F18>Fb2 F26>F9e");
	/* Of a traced function that it called, too. */
	EXPECT_TRIMMED("W21c>W4cc F18>F22 W21c>W4cc L4>L8 W30>W38 N66>N73 F26>F9e",
		       "~W21c>W4cc F18>F22 ~W21c>W4cc L4>L8 ~W30>W38 ~N66>N73 F26>F9e");
}

TEST_F(branch_trim, tracing_that_goes_on_is_not_how_the_function_was_left)
{
	/* Calls only. */
	EXPECT_TRIMMED("C11>F0 F8>L0 T8e>K0 K4>N0", "C11>F0 F8>L0 ~T8e>K0 ~K4>N0");
}

TEST_F(branch_trim, does_without_knowing_of_interrupts)
{
	self->rules.place = NULL;
	EXPECT_UNTOUCHED("F7>E0 E4>H0 H9>Ee Ef>X0 X8>F7 Ff>T3");
}

/* A kernel that runs at random, and what really was an interrupt's, or tracing's. */
struct machine {
	unsigned int seed;
	struct {
		uint64_t from, to;
		bool inside;
		bool tracing;
		bool is_return;
	} log[MAX_RING];
	uint32_t nr;
	uint32_t interrupts; /* under way */
	uint32_t tracing;
};

static uint32_t draw(struct machine *machine, uint32_t below)
{
	return rand_r(&machine->seed) % below;
}

static void branch(struct machine *machine, char from, uint64_t from_offset, char to,
		   uint64_t to_offset, bool is_return)
{
	if (machine->nr == MAX_RING)
		return;
	machine->log[machine->nr].from = addr_of(from, from_offset);
	machine->log[machine->nr].to = addr_of(to, to_offset);
	machine->log[machine->nr].inside = machine->interrupts;
	machine->log[machine->nr].tracing = machine->tracing;
	machine->log[machine->nr].is_return = is_return;
	machine->nr++;
}

/* Goes on from *at. */
static void run(struct machine *machine, char kind, uint64_t *at, int depth);

static void interrupt(struct machine *machine, char kind, uint64_t at, int depth)
{
	uint64_t stub = 0x100 * draw(machine, 3), handler = 0;

	machine->interrupts++;
	branch(machine, kind, at, 'E', 0, false);
	if (stub)
		branch(machine, 'E', 0, 'E', 0, false);
	branch(machine, 'E', stub + 4, 'P', 0, false);
	branch(machine, 'P', 9, 'E', stub + 8, true);
	branch(machine, 'E', stub + 0xa, 'H', 0, false);
	run(machine, 'H', &handler, depth + 1);
	branch(machine, 'H', handler, 'E', stub + 0xe, true);
	branch(machine, 'E', stub + 0xf, 'X', 0, false);
	branch(machine, 'X', 8, kind, at, true);
	machine->interrupts--;
}

/* A trampoline's work, from *at on. */
static void trace(struct machine *machine, uint64_t *at, int depth)
{
	static const char works[] = { 'K', 'W', 'K' };

	for (size_t i = 0; i < sizeof(works); i++) {
		uint64_t inner = 0;

		branch(machine, 'T', *at, works[i], 0, false);
		run(machine, works[i], &inner, depth + 1);
		*at += 5;
		branch(machine, works[i], inner, 'T', *at, true);
	}
}

/* A call from @at, whole. What interrupts do is theirs, tracing included. */
static void call(struct machine *machine, char caller, uint64_t at, char callee, int depth)
{
	bool traced = callee == 'F' || callee == 'L';
	uint64_t inner = 0, tracing = 0x10;

	branch(machine, caller, at, callee, 0, false);
	if (traced) {
		machine->tracing += !machine->interrupts;
		branch(machine, callee, 4, 'T', 0, false);
		trace(machine, &tracing, depth + 1);
		inner = 9;
		branch(machine, 'T', tracing, callee, inner, false);
		machine->tracing -= !machine->interrupts;
	}
	run(machine, callee, &inner, depth + 1);
	if (traced) {
		tracing = 0x120;
		branch(machine, callee, inner, 'T', tracing, true);
		machine->tracing += !machine->interrupts;
		trace(machine, &tracing, depth + 1);
		branch(machine, 'T', tracing, caller, at + 5, true);
		machine->tracing -= !machine->interrupts;
	} else {
		branch(machine, callee, inner, caller, at + 5, true);
	}
}

static char draw_callee(struct machine *machine, char caller)
{
	static const char callees[] = { 'L', 'G', 'H', 'N' };

	/* What tracing calls is not traced; handlers may well call what is. */
	if (strchr("KWN", caller))
		return 'N';
	if (machine->interrupts && !draw(machine, 4))
		return 'F';
	return callees[draw(machine, sizeof(callees))];
}

static void run(struct machine *machine, char kind, uint64_t *at, int depth)
{
	for (uint32_t steps = draw(machine, depth > 4 ? 3 : 8); steps; steps--) {
		uint64_t from = *at + 0x20 + draw(machine, 16);

		switch (draw(machine, 5)) {
		case 0:
		case 1:
			*at = 0x20 + draw(machine, 0x100);
			branch(machine, kind, from, kind, *at, false);
			break;
		case 2:
			if (depth > 4)
				break;
			call(machine, kind, from, draw_callee(machine, kind), depth);
			*at = from + 5;
			break;
		case 3:
			if (depth > 4 || draw(machine, 2))
				break;
			interrupt(machine, kind, *at, depth);
			break;
		default:
			break;
		}
	}
	*at += draw(machine, 16);
}

/* Until F was called and returned, and its return is traced. Returns which of the log it is. */
static uint32_t traced_call(struct machine *machine)
{
	uint64_t at = 0x20, inside = 9, tracing = 0x10;
	uint32_t end;

	machine->nr = machine->interrupts = machine->tracing = 0;
	run(machine, 'C', &at, 0);
	branch(machine, 'C', at, 'F', 0, false);
	machine->tracing += !machine->interrupts;
	branch(machine, 'F', 4, 'T', 0, false);
	trace(machine, &tracing, 2);
	branch(machine, 'T', tracing, 'F', inside, false);
	machine->tracing -= !machine->interrupts;
	run(machine, 'F', &inside, 0);
	end = machine->nr;
	branch(machine, 'F', inside + 0x10, 'T', 0x120, true);
	tracing = 0x130;
	trace(machine, &tracing, 2);
	return end;
}

TEST_F(branch_trim, random_kernels_are_seen_through)
{
	static struct machine machine;
	uint32_t kept = 0, lost = 0, interrupts = 0, tracings = 0, kept_tracings = 0;

	for (machine.seed = 1; machine.seed;) {
		unsigned int seed = machine.seed;
		uint32_t end = traced_call(&machine), size = 1 + draw(&machine, EVENT_MAX_BRANCHES);
		bool returns_only = draw(&machine, 2), left = false;
		uint32_t nr = 0, shown = 0, which[MAX_RING];

		machine.seed = kept + lost < 20000 ? seed + 1 : 0;
		ASSERT_LT(machine.nr, MAX_RING);
		for (uint32_t i = machine.nr; i-- > 0 && nr < size;) {
			if (returns_only && !machine.log[i].is_return)
				continue;
			self->ring[nr] =
				(struct event_branch){ machine.log[i].from, machine.log[i].to, i };
			left |= i == end;
			which[nr++] = i;
		}
		trim(self, nr);
		ASSERT_EQ(nr, self->branches.v.len);
		for (uint32_t i = 0; i < nr; i++) {
			const struct branch *record = &self->branches.v.data[nr - 1 - i];
			bool inside = machine.log[which[i]].inside;
			bool tracing = !left || which[i] > end || machine.log[which[i]].tracing;
			bool hidden = record->marks & BRANCH_IS_TRACING;

			ASSERT_EQ(self->ring[i].from, record->from);
			ASSERT_EQ(self->ring[i].to, record->to);
			ASSERT_EQ(self->ring[i].flags, record->flags);
			ASSERT_EQ(inside, !!(record->marks & BRANCH_IS_INTERRUPT))
			{
				TH_LOG("seed %u, record %u: %s", seed, i, text_of(self));
			}
			/* Among returns alone, a traced function's may look like tracing's. */
			if (!returns_only || (hidden && kind_of(record->to) != 'T'))
				ASSERT_EQ(tracing, hidden)
				{
					TH_LOG("seed %u, record %u: %s", seed, i, text_of(self));
				}
			tracings += returns_only && tracing;
			kept_tracings += returns_only && tracing && !hidden;
			ASSERT_EQ(record->marks & BRANCH_LEFT_OUT ? BRANCH_NO_NR : shown,
				  record->nr);
			shown += !(record->marks & BRANCH_LEFT_OUT);
			interrupts += inside;
		}
		ASSERT_EQ(shown, self->branches.nr_shown);
		if (!returns_only)
			ASSERT_EQ(!left, self->branches.none_left);
		if (left)
			kept++;
		else
			lost++;
	}
	/* It was about something. */
	EXPECT_LT(5000, kept);
	EXPECT_LT(1000, lost);
	EXPECT_LT(10000, interrupts);
	EXPECT_LT(10000, tracings);
	EXPECT_LT(kept_tracings, tracings / 10);
}

/* No sense in it at all: what holds then. */
TEST_F(branch_trim, random_rings_lose_nothing)
{
	static const char kinds[] = "FCLGTNEPXHR0";
	unsigned int seed = 7;

	for (int round = 0; round < 30000; round++) {
		uint32_t nr = rand_r(&seed) % (EVENT_MAX_BRANCHES + 1), shown = 0, times = 0;
		uint32_t recorded = 0, duplicates = 0;

		for (uint32_t i = 0; i < nr; i++) {
			uint64_t from = rand_r(&seed), to = rand_r(&seed);

			self->ring[i] = (struct event_branch){
				addr_of(kinds[from % 12], from / 16 % 3),
				addr_of(kinds[to % 12], to / 16 % 3),
				i,
			};
			if (i && !(from / 64 % 4))
				self->ring[i] = self->ring[i - 1];
		}
		trim(self, nr);
		ASSERT_EQ(nr, self->branches.v.len);
		for (uint32_t i = nr; i-- > 0;) {
			const struct branch *record = &self->branches.v.data[i];
			const struct event_branch *event = &self->ring[nr - 1 - i];
			bool blank = !event->from || !event->to;

			ASSERT_EQ(event->from, record->from);
			ASSERT_EQ(event->to, record->to);
			ASSERT_EQ(blank, !!(record->marks & BRANCH_IS_BLANK));
			ASSERT_EQ(0, record->marks & ~(BRANCH_LEFT_OUT | BRANCH_IS_INTERRUPT));
			ASSERT_EQ(record->marks & BRANCH_LEFT_OUT ? BRANCH_NO_NR : shown,
				  record->nr);
			shown += !(record->marks & BRANCH_LEFT_OUT);
			times += record->times;
			recorded += !blank;
			duplicates += !!(record->marks & BRANCH_IS_DUPLICATE);
		}
		ASSERT_EQ(recorded, self->branches.nr_recorded);
		ASSERT_EQ(recorded, times);
		ASSERT_EQ(shown, self->branches.nr_shown);
		ASSERT_LE(shown + duplicates, recorded);
		ASSERT_EQ(!shown, self->branches.none_left);
	}
}

TEST_HARNESS_MAIN
