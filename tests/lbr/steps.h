/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a program in an arm64 guest asks of the plugin steps.c: a hint that no CPU knows, which is a nop,
 * with a request in x0. Without the plugin x0 stays as it is.
 */
#ifndef RETSNOOP_TESTS_LBR_STEPS_H
#define RETSNOOP_TESTS_LBR_STEPS_H

/* hint #112 */
#define STEPS_HINT 0xd5032e1fu

#define STEPS_MAX_RANGES 2

enum steps_request {
	STEPS_START = 0x57e9501, /* log from now on; x1 and x2, x3 and x4: begin and end of code */
	STEPS_STOP, /* x0: how many there are */
	STEPS_GET, /* the one at x1: x0 to x3, as struct step */
};

#define STEPS_DONE 1

/* Instructions that were executed one after the other; branches are at the ends of steps. */
struct step {
	unsigned long stack; /* of the task */
	unsigned long first;
	unsigned long last;
	unsigned long result; /* where the last is a return: x0 */
};

#endif
