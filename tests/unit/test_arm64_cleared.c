// SPDX-License-Identifier: BSD-2-Clause
/* Bits that were cleared from one register to another before they are tested, as arm64 does it. */
#include <errno.h>

#include "decision_fixture.h"
#include "util/kernel/arch/arm64/code.c"
#include "util/kernel/arch/arm64/decode.c"
#include "util/kernel/arch/arm64/instruction.c"
#include "util/kernel/arch/arm64/jump_table.c"
#include "util/kernel/arch/arm64/operands.c"
#include "util/kernel/arch/arm64/routines.c"

#define W(word) ".long " #word "\n"

/* if (!w1) { err = -EROFS; CLEAR, two instructions; } if (w3 & 0x40) return 0; return err */
#define CLEARS(name, clear)                     \
	FUNC(name)                              \
	W(0xd503201f) /* nop */                 \
	W(0xd503201f) /* nop */                 \
	LABEL(name##_body)                      \
	W(0xd503233f) /* paciasp */             \
	W(0x52800000) /* mov w0, #0 */          \
	LINE(10, 6)                             \
	LABEL(name##_cbnz)                      \
	W(0x35000081) /* cbnz w1, asked */      \
	W(0x128003a0) /* mov w0, #-30 */        \
	clear                                   \
	LABEL(name##_asked)                     \
	LINE(12, 6)                             \
	W(0x721a007f) /* tst w3, #0x40 */       \
	LABEL(name##_beq)                       \
	W(0x54000040) /* b.eq end */            \
	W(0x52800000) /* mov w0, #0 */          \
	LABEL(name##_end)                       \
	W(0xd50323bf) /* autiasp */             \
	LABEL(name##_ret)                       \
	W(0xd65f03c0) /* ret */                 \
	END(name)

/* clang-format off */
asm(KERNEL
    CLEARS(itself, W(0xd503201f) /* nop */
		   W(0x12197863) /* and w3, w3, #~0x40 */)
    CLEARS(copied, W(0xd503201f) /* nop */
		   W(0x12197883) /* and w3, w4, #~0x40 */)
    CLEARS(before, W(0x12197884) /* and w4, w4, #~0x40 */
		   W(0x12187883) /* and w3, w4, #~0x80 */)
    CLEARS(replaced, W(0x12197863) /* and w3, w3, #~0x40 */
		     W(0x12187883) /* and w3, w4, #~0x80 */)
    USER);
/* clang-format on */

enum {
	ITSELF,
	COPIED,
	BEFORE,
	REPLACED,
	NR_FUNCS,
};

static const char *const func_names[NR_FUNCS] = {
	[ITSELF] = "itself",
	[COPIED] = "copied",
	[BEFORE] = "before",
	[REPLACED] = "replaced",
};

#include "decision_play.h"

#define PLAY(name, func)                      \
	do {                                  \
		self->nr = 0;                 \
		CALLED(name##_body);          \
		TOOK(name##_beq, name##_end); \
		RETURNED(name##_ret);         \
		decided(self, func, -EROFS);  \
	} while (0)

TEST_F(decision, bits_cleared_on_their_way_into_the_register_decide_nothing)
{
	PLAY(itself, ITSELF);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, itself_cbnz, 10, true);
	PLAY(copied, COPIED);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, copied_cbnz, 10, true);
	PLAY(before, BEFORE);
	EXPECT_BRANCH(DECISION_NOT_TAKEN, before_cbnz, 10, true);
}

TEST_F(decision, bits_cleared_in_what_the_register_had_before_decide)
{
	PLAY(replaced, REPLACED);
	EXPECT_BRANCH(DECISION_TAKEN, replaced_beq, 12, true);
}

TEST_HARNESS_MAIN
