// SPDX-License-Identifier: BSD-2-Clause
/* Keeps pages of code. */
#include "util/why/code_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/search.h"

#define PAGE_SIZE 4096ull

struct code_page {
	uint64_t addr;
	long have;	/* bytes from its start */
	uint8_t bytes[PAGE_SIZE];
};

static size_t find_page(const struct code_memory *memory, uint64_t addr)
{
	return bisect(i, memory->pages.len, memory->pages.data[i]->addr < addr);
}

long code_memory_read_once(const struct code_memory *memory, uint64_t addr, void *buf, size_t size)
{
	long have = memory->source.read(memory->source.arg, addr, buf, size);

	if (have <= 0)
		return have;
	for (size_t i = find_page(memory, addr & -PAGE_SIZE); i < memory->pages.len; i++) {
		const struct code_page *page = memory->pages.data[i];
		uint64_t from = page->addr > addr ? page->addr : addr;
		uint64_t end = page->addr + page->have;

		if (page->addr >= addr + have)
			break;
		end = end < addr + have ? end : addr + have;
		if (from < end)
			memcpy((uint8_t *)buf + (from - addr), page->bytes + (from - page->addr), end - from);
	}
	return have;
}

/* 0; -errno: such a page is tried again the next time. */
static int get_page(struct code_memory *memory, uint64_t addr, const struct code_page **ret_page)
{
	size_t nr = memory->pages.len, at = find_page(memory, addr);
	struct code_page *page;
	int err = -ENOMEM;

	if (at < nr && memory->pages.data[at]->addr == addr) {
		*ret_page = memory->pages.data[at];
		return 0;
	}
	page = malloc(sizeof(*page));
	if (!page || vec_reserve(&memory->pages, nr + 1))
		goto fail;
	page->addr = addr;
	page->have = memory->source.read(memory->source.arg, addr, page->bytes, PAGE_SIZE);
	err = page->have < 0 ? page->have : 0;
	if (err)
		goto fail;
	vec_push(&memory->pages, page);
	memmove(memory->pages.data + at + 1, memory->pages.data + at, (nr - at) * sizeof(page));
	memory->pages.data[at] = page;
	*ret_page = page;
	return 0;
fail:
	free(page);
	return err;
}

long code_memory_read(void *arg, uint64_t addr, void *buf, size_t size)
{
	struct code_memory *memory = arg;
	size_t done = 0;

	while (done < size) {
		uint64_t at = addr + done, offset = at % PAGE_SIZE;
		const struct code_page *page;
		size_t n;
		int err = get_page(memory, at - offset, &page);

		if (err)
			return done && err != -ENOMEM ? (long)done : err;
		if (page->have <= (long)offset)
			return done ? (long)done : -EFAULT;
		n = page->have - offset;
		n = n < size - done ? n : size - done;
		memcpy((uint8_t *)buf + done, page->bytes + offset, n);
		done += n;
		if (page->have < (long)PAGE_SIZE)
			break;
	}
	return done;
}

void code_memory_release(struct code_memory *memory)
{
	vec_foreach(page, &memory->pages)
		free(*page);
	vec_release(&memory->pages);
}
