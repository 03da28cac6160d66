// SPDX-License-Identifier: BSD-2-Clause
/* Structs that are not shown member by member: socket addresses and directory entries. */
#include "util/view/values/value_known.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

#include "util/base/macros.h"
#include "util/kernel/types/btf_types.h"
#include "util/view/values/value_text.h"

static unsigned int port_at(const uint8_t *data)
{
	return data[0] << 8 | data[1];
}

static void add_address(struct strbuf *sb, int family, const uint8_t *data)
{
	char text[INET6_ADDRSTRLEN];

	strbuf_addstr(sb, inet_ntop(family, data, text, sizeof(text)) ?: "?");
}

static bool add_inet(struct strbuf *sb, const uint8_t *data, size_t len)
{
	if (len < 8)
		return false;
	strbuf_addstr(sb, "{AF_INET ");
	add_address(sb, AF_INET, data + 4);
	strbuf_addf(sb, ":%u}", port_at(data + 2));
	return true;
}

static bool add_inet6(struct strbuf *sb, const uint8_t *data, size_t len)
{
	if (len < 24)
		return false;
	strbuf_addstr(sb, "{AF_INET6 [");
	add_address(sb, AF_INET6, data + 8);
	strbuf_addf(sb, "]:%u}", port_at(data + 2));
	return true;
}

/* A name in the abstract name space begins with a NUL, which is written as '@'. */
static bool add_unix(struct strbuf *sb, const uint8_t *data, size_t len, bool whole)
{
	const char *path = (const char *)data + 2;
	size_t abstract, room, length;

	if (len < 4)
		return false;
	abstract = !path[0] && path[1];
	room = len - 2 - abstract;
	length = strnlen(path + abstract, room);
	strbuf_addstr(sb, abstract ? "{AF_UNIX @" : "{AF_UNIX ");
	/* More than the captured bytes may exist: up to 110. */
	value_string_add(sb, path + abstract, length, !whole && length == room && len < 110);
	strbuf_addch(sb, '}');
	return true;
}

/* Process id 0 is the kernel. */
static bool add_netlink(struct strbuf *sb, const uint8_t *data, size_t len)
{
	struct sockaddr_nl address;

	if (len < sizeof(address))
		return false;
	memcpy(&address, data, sizeof(address));
	strbuf_addf(sb, "{AF_NETLINK pid %u", address.nl_pid);
	if (address.nl_groups)
		strbuf_addf(sb, ", groups 0x%x", address.nl_groups);
	strbuf_addch(sb, '}');
	return true;
}

bool socket_address_add(struct strbuf *sb, const uint8_t *data, size_t len, bool whole)
{
	uint16_t family;

	if (len < sizeof(family))
		return false;
	memcpy(&family, data, sizeof(family));
	switch (family) {
	case AF_INET:
		return add_inet(sb, data, len);
	case AF_INET6:
		return add_inet6(sb, data, len);
	case AF_UNIX:
		return add_unix(sb, data, len, whole);
	case AF_NETLINK:
		return add_netlink(sb, data, len);
	default:
		return false;
	}
}

static bool add_socket_address(struct strbuf *sb, const struct btf *btf, uint32_t type,
			       const uint8_t *data, size_t len)
{
	return socket_address_add(sb, data, len, false);
}

static bool add_in_addr(struct strbuf *sb, const struct btf *btf, uint32_t type,
			const uint8_t *data, size_t len)
{
	if (len < 4)
		return false;
	add_address(sb, AF_INET, data);
	return true;
}

static bool add_in6_addr(struct strbuf *sb, const struct btf *btf, uint32_t type,
			 const uint8_t *data, size_t len)
{
	if (len < 16)
		return false;
	add_address(sb, AF_INET6, data);
	return true;
}

/* Short names are in the dentry itself; the name of others would have to be read. */
static bool add_dentry(struct strbuf *sb, const struct btf *btf, uint32_t type,
		       const uint8_t *data, size_t len)
{
	struct btf_place name, length_in_name, text;
	uint32_t length;
	uint64_t at;
	int64_t size;

	if (!btf_find_member(btf, type, "d_name", &name) ||
	    !btf_find_member(btf, name.type, "len", &length_in_name) ||
	    !(btf_find_member(btf, type, "d_iname", &text) ||
	      btf_find_member(btf, type, "d_shortname", &text)))
		return false;
	at = ((uint64_t)name.bit_offset + length_in_name.bit_offset) / 8;
	if (at + sizeof(length) > len)
		return false;
	memcpy(&length, data + at, sizeof(length));
	size = btf_size_of(btf, text.type);
	at = text.bit_offset / 8;
	if (!length || size <= length || at + length >= len ||
	    strnlen((const char *)data + at, length + 1) != length)
		return false;
	strbuf_addch(sb, '{');
	value_string_add(sb, data + at, length, false);
	strbuf_addch(sb, '}');
	return true;
}

static const struct {
	const char *name;	/* of a struct */
	bool (*add)(struct strbuf *sb, const struct btf *btf, uint32_t type, const uint8_t *data,
		    size_t len);
} known[] = {
	{ "sockaddr", add_socket_address },
	{ "sockaddr_in", add_socket_address },
	{ "sockaddr_in6", add_socket_address },
	{ "sockaddr_un", add_socket_address },
	{ "__kernel_sockaddr_storage", add_socket_address },
	{ "sockaddr_storage", add_socket_address },
	{ "in_addr", add_in_addr },
	{ "in6_addr", add_in6_addr },
	{ "dentry", add_dentry },
};

bool value_known_add(struct strbuf *sb, const struct btf *btf, uint32_t type, const uint8_t *data,
		     size_t len)
{
	const struct btf_type *of = btf_underneath_id(btf, type, &type);
	const char *name;

	if (!of || !btf_is_struct(of))
		return false;
	name = btf_type_name(btf, of);
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (!strcmp(name, known[i].name))
			return known[i].add(sb, btf, type, data, len);
	}
	return false;
}
