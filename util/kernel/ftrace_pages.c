// SPDX-License-Identifier: BSD-2-Clause
/* Walks the list of struct ftrace_page, each with an array of struct dyn_ftrace. */
#include "util/kernel/ftrace_pages.h"

#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/kernel/types/btf_types.h"

/* More than any kernel has: a damaged list must end. */
#define MAX_PAGES (1 << 16)
#define MAX_LOCATIONS (1 << 21)

/* Far larger than either struct. */
#define MAX_STRUCT 256

struct layout {
	uint32_t page_size, next, records, index;
	uint32_t record_size, ip;
};

/* Size and id of a struct; 0, or -ENOENT. */
static int find_struct(const struct btf *types, const char *name, uint32_t *ret_id,
		       uint32_t *ret_size)
{
	int id = btf__find_by_name_kind(types, name, BTF_KIND_STRUCT);

	if (id < 0 || btf__type_by_id(types, id)->size > MAX_STRUCT)
		return -ENOENT;
	*ret_id = id;
	*ret_size = btf__type_by_id(types, id)->size;
	return 0;
}

/* The offset of a member of @size bytes. 0, or -ENOENT. */
static int find_member(const struct btf *types, uint32_t id, const char *name, uint32_t size,
		       uint32_t *ret_offset)
{
	struct btf_place place = {};

	if (!btf_find_member(types, id, name, &place) || place.bits ||
	    btf__resolve_size(types, place.type) != size)
		return -ENOENT;
	*ret_offset = place.bit_offset / 8;
	return 0;
}

static int read_layout(const struct btf *types, struct layout *ret)
{
	uint32_t page, record;
	int err;

	err = find_struct(types, "ftrace_page", &page, &ret->page_size);
	err = err ?: find_member(types, page, "next", 8, &ret->next);
	err = err ?: find_member(types, page, "records", 8, &ret->records);
	err = err ?: find_member(types, page, "index", 4, &ret->index);
	err = err ?: find_struct(types, "dyn_ftrace", &record, &ret->record_size);
	return err ?: find_member(types, record, "ip", 8, &ret->ip);
}

static int read_exactly(const struct code_source *memory, uint64_t addr, void *buf, size_t size)
{
	size_t got = 0;

	/* A read ends with a segment of /proc/kcore. */
	while (got < size) {
		long n = memory->read(memory->arg, addr + got, (char *)buf + got, size - got);

		if (n <= 0)
			return n ? (int)n : -EFAULT;
		got += n;
	}
	return 0;
}

static int read_records(const struct code_source *memory, const struct layout *layout,
			uint64_t records, uint32_t nr, addr_vec *addrs)
{
	_cleanup_(free_p) char *buf = malloc((size_t)nr * layout->record_size + 1);
	int err;

	if (!buf || vec_reserve(addrs, addrs->len + nr))
		return -ENOMEM;
	err = read_exactly(memory, records, buf, (size_t)nr * layout->record_size);
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

	err = err ?: read_exactly(memory, list, &page, sizeof(page));
	for (int i = 0; !err && page; i++) {
		char buf[MAX_STRUCT];
		int32_t nr;

		err = i < MAX_PAGES ? read_exactly(memory, page, buf, layout.page_size) : -EBADMSG;
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
