/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Asks the running kernel for the symbol at one address (Linux 5.13 and later): by a BPF program that
 * prints it. Reading all symbols again for one takes ten thousand times as long.
 *
 * The program is a socket's filter, since bpf(2) itself may be traced by then: a call of our own, made
 * while a traced one is preempted, would be a hit that the kernel skips.
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_SYMBOL_ASKER_H
#define RETSNOOP_KERNEL_SYMBOLS_SYMBOL_ASKER_H

#include <stddef.h>
#include <stdint.h>

struct symbol_asker {
	int filtered, sender;	/* sockets: what is sent runs the program; -1: none */
	struct symbol_question *question; /* shared with the program; NULL: this kernel cannot be asked */
};

#define SYMBOL_ASKER_INIT { -1, -1, NULL }

/* Nothing is reported: all symbols can be read again. Close with symbol_asker_close(). */
void symbol_asker_open(struct symbol_asker *ret_asker);
void symbol_asker_close(struct symbol_asker *asker);

/* What the kernel says. */
struct symbol_answer {
	uint64_t offset, size;	/* of the address in the symbol; of the symbol */
	size_t name_len;	/* the name is at the beginning of the text */
	const char *module;	/* in the text, with the bracket behind it; NULL: none */
};

/* "bpf_trampoline_6442453466+0x6d/0x1000", "ext4_mkdir+0x10/0x390 [ext4]". 0; -EBADMSG another text. */
int symbol_answer_parse(const char *text, struct symbol_answer *ret_answer);

/* What the kernel says, until it is asked again; NULL: nothing. */
const char *symbol_ask(const struct symbol_asker *asker, uint64_t addr);

#endif
