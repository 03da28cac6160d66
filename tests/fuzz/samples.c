// SPDX-License-Identifier: BSD-2-Clause
/* The files built from sample.c, as arrays. */
#include "tests/fuzz/fuzz.h"

#define INCLUDE(name, file)                                                                   \
	__asm__(".section .rodata\n.balign 16\n.globl " #name "\n" #name ":\n.incbin \"" file \
		"\"\n.globl " #name "_end\n" #name "_end:\n.byte 0\n.previous\n")

INCLUDE(sample_elf, FUZZ_SAMPLES "/sample.elf");
INCLUDE(sample_ko, FUZZ_SAMPLES "/sample.ko");
INCLUDE(sample_btf, FUZZ_SAMPLES "/sample.btf");
