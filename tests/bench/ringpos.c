// SPDX-License-Identifier: BSD-2-Clause
/*
 * ringpos: how many bytes were ever put into retsnoop's ring buffer, as the kernel itself counts
 * them: the position it writes at next, which anyone with the map may look at. A record takes 8
 * bytes more than its data, and up to 7 of padding.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	const unsigned long *position;
	unsigned int id = 0, len;
	struct bpf_map_info info;
	int fd, found = 0;

	while (!bpf_map_get_next_id(id, &id)) {
		fd = bpf_map_get_fd_by_id(id);
		if (fd < 0)
			continue;
		memset(&info, 0, sizeof(info));
		len = sizeof(info);
		if (bpf_obj_get_info_by_fd(fd, &info, &len) || info.type != BPF_MAP_TYPE_RINGBUF ||
		    strcmp(info.name, "events")) {
			close(fd);
			continue;
		}
		/* The consumer's page, then the producer's. */
		position = mmap(NULL, page, PROT_READ, MAP_SHARED, fd, page);
		if (position == MAP_FAILED) {
			perror("ringpos: mmap");
			return 1;
		}
		printf("%lu\n", *(const volatile unsigned long *)position);
		found++;
	}
	if (found == 1)
		return 0;
	fprintf(stderr, "ringpos: %d ring buffers named events\n", found);
	return 1;
}
