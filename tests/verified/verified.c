// SPDX-License-Identifier: BSD-2-Clause
/*
 * verified: a line for each BPF program that the kernel has now: its name, and how many instructions the
 * verifier looked at before it let the program in. Kernels before 5.16 do not say, and nothing is printed.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* 0, or -1: see errno. */
static int show(uint32_t id)
{
	union bpf_attr attr = { .prog_id = id };
	struct bpf_prog_info info = {};
	int fd = bpf(BPF_PROG_GET_FD_BY_ID, &attr), err;

	if (fd < 0)
		return errno == ENOENT ? 0 : -1;	/* it is gone by now */
	attr = (union bpf_attr){ .info = { .bpf_fd = fd,
					   .info_len = sizeof(info),
					   .info = (uintptr_t)&info } };
	err = bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
	close(fd);
	if (err)
		return -1;
	if (info.verified_insns)
		printf("%s %u\n", info.name, info.verified_insns);
	return 0;
}

int main(void)
{
	union bpf_attr attr = {};

	while (!bpf(BPF_PROG_GET_NEXT_ID, &attr)) {
		uint32_t id = attr.next_id;

		if (show(id)) {
			perror("verified: cannot look at a program");
			return 1;
		}
		attr = (union bpf_attr){ .start_id = id };
	}
	if (errno == ENOENT)
		return 0;
	perror("verified: cannot list programs");
	return 1;
}
