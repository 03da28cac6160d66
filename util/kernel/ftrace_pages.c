// SPDX-License-Identifier: BSD-2-Clause
/* Walks the list of struct ftrace_page, each with an array of struct dyn_ftrace. */
#include "util/kernel/ftrace_pages.h"

#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/kernel/types/kernel_struct.h"

/* More than any kernel has: a damaged list must end. */
#define MAX_PAGES (1 << 16)
#define MAX_LOCATIONS (1 << 21)

/* Far larger than either struct. */
#define MAX_STRUCT 256

struct layout {
	uint32_t page_size, next, records, index;
	uint32_t record_size, ip;
};

static int read_layout(const struct btf *types, struct layout *ret)
{
	uint32_t page, record;
	int err;

	err = kernel_struct_find(types, "ftrace_page", MAX_STRUCT, &page, &ret->page_size);
	err = err ?: kernel_struct_member(types, page, "next", 8, &ret->next);
	err = err ?: kernel_struct_member(types, page, "records", 8, &ret->records);
	err = err ?: kernel_struct_member(types, page, "index", 4, &ret->index);
	err = err ?: kernel_struct_find(types, "dyn_ftrace", MAX_STRUCT, &record, &ret->record_size);
	return err ?: kernel_struct_member(types, record, "ip", 8, &ret->ip);
}

static int read_records(const struct code_source *memory, const struct layout *layout,
			uint64_t records, uint32_t nr, addr_vec *addrs)
{
	_cleanup_(free_p) char *buf = malloc((size_t)nr * layout->record_size + 1);
	int err;

	if (!buf || vec_reserve(addrs, addrs->len + nr))
		return -ENOMEM;
	err = code_source_read(memory, records, buf, (size_t)nr * layout->record_size);
	for (uint32_t i = 0; i < nr && !err; i++) {
		uint64_t ip;

		memcpy(&ip, buf + (size_t)i * layout->record_size + layout->ip, sizeof(ip));
		/* 0: the location was removed. */
		if (ip)
			addrs->data[addrs->len++] = ip;
	}
	return err;
}

int ftrace_pages_read(const struct btf *types, const struct code_source *memory, uint64_t list,
		      addr_vec *ret_addrs)
{
	addr_vec addrs = VEC_INIT;
	struct layout layout;
	uint64_t page, records;
	int err = read_layout(types, &layout);

	err = err ?: code_source_read(memory, list, &page, sizeof(page));
	for (int i = 0; !err && page; i++) {
		char buf[MAX_STRUCT];
		int32_t nr;

		err = i < MAX_PAGES ? code_source_read(memory, page, buf, layout.page_size) : -EBADMSG;
		if (err)
			break;
		memcpy(&records, buf + layout.records, sizeof(records));
		memcpy(&nr, buf + layout.index, sizeof(nr));
		memcpy(&page, buf + layout.next, sizeof(page));
		if (nr < 0 || nr > MAX_LOCATIONS || addrs.len + nr > MAX_LOCATIONS)
			err = -EBADMSG;
		else
			err = read_records(memory, &layout, records, nr, &addrs);
	}
	if (err) {
		vec_release(&addrs);
		return err;
	}
	*ret_addrs = addrs;
	return 0;
}
