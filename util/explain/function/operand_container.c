// SPDX-License-Identifier: BSD-2-Clause
/* Follows container_of(): from a member to the struct that it is in, and from a socket to that of its protocol. */
#include <bpf/btf.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/search.h"
#include "util/base/strbuf.h"
#include "util/explain/function/operand_internal.h"
#include "util/kernel/types/btf_types.h"

static bool is_struct_named(const struct btf *btf, uint32_t id, const char *name)
{
	const struct btf_type *type = btf_underneath(btf, id);

	return type && btf_is_struct(type) && !strcmp(btf_type_name(btf, type), name);
}

/* What a pointer points to is always the member of a struct. */
struct known_container {
	const char *of, *head; /* of a list: the path to its first entry, from a struct */
	const char *in, *member;
};

/* Heads of lists, and the member by which the entries are in them. */
static const struct known_container lists[] = {
	{ "dentry", ".d_children.first", "dentry", "d_sib" },
	{ "dentry", ".d_subdirs.next", "dentry", "d_child" },
	{ "cgroup_subsys_state", ".children.next", "cgroup_subsys_state", "sibling" },
};

const struct known_container *list_entries_at(const struct btf *btf, uint32_t id, const char *path)
{
	const struct btf_type *type = btf_underneath(btf, id);

	return type ? array_find(known, lists,
				 !strcmp(known->head, path) &&
					 !strcmp(known->of, btf_type_name(btf, type))) :
		      NULL;
}

/* Structs that are always a member of another one. */
static const struct known_container embedded[] = {
	{ "vfsmount", NULL, "mount", "mnt" },
};

/* A member in a struct. */
struct embedding {
	uint32_t in; /* the struct; 0: none */
	const char *member;
	int64_t at; /* bytes */
};

/* By a table; `in` stays 0 if this kernel has it otherwise. */
static struct embedding find_embedding(const struct btf *btf, uint32_t pointee, const struct known_container *row)
{
	int32_t in = btf__find_by_name_kind(btf, row->in, BTF_KIND_STRUCT);
	struct btf_place place;

	if (in <= 0 || !btf_find_member(btf, in, row->member, &place) || place.bit_offset % 8 || place.bits ||
	    btf_underneath(btf, place.type) != btf_underneath(btf, pointee))
		return (struct embedding){};
	return (struct embedding){ in, row->member, place.bit_offset / 8 };
}

static const struct known_container *embedding_of(const struct btf *btf, uint32_t pointee)
{
	const struct btf_type *type = btf_underneath(btf, pointee);

	return type && btf_is_struct(type) ?
		       array_find(known, embedded, !strcmp(known->of, btf_type_name(btf, type))) :
		       NULL;
}

/*
 * A file system's functions have to do with its own inodes alone, which are in a struct that is called like them:
 * shmem_setattr() reads info->seals of a struct shmem_inode_info at an offset from its struct inode.
 */
static struct embedding inode_of_function(const struct btf *btf, uint32_t pointee, const char *function)
{
	const char *end = function ? strchr(function, '_') : NULL;
	_cleanup_(strbuf_release) struct strbuf name = {};
	struct known_container row = { .member = "vfs_inode" };

	if (!end || end == function || !is_struct_named(btf, pointee, "inode"))
		return (struct embedding){};
	strbuf_add(&name, function, end - function);
	strbuf_addstr(&name, "_inode_info");
	row.in = strbuf_str(&name);
	return find_embedding(btf, pointee, &row);
}

/* A struct that begins with a struct sock, and the kernel's function or macro that makes one a pointer to it. */
struct protocol_sock {
	const char *type, *cast;
};

/*
 * Sockets that functions of a protocol have, which are called like it; small ones first, which larger ones begin with.
 * Modules may have others of the same name (raw_sock of CAN): those are not here.
 */
static const struct {
	const char *prefix;
	struct protocol_sock socks[3];
} protocols[] = {
	{ "unix_", { { "unix_sock", "unix_sk" } } },
	{ "netlink_", { { "netlink_sock", "nlk_sk" } } },
	{ "packet_", { { "packet_sock", "pkt_sk" } } },
	{ "udp_", { { "inet_sock", "inet_sk" }, { "udp_sock", "udp_sk" } } },
	{ "udpv6_", { { "inet_sock", "inet_sk" }, { "udp_sock", "udp_sk" } } },
	{ "tcp_", { { "inet_sock", "inet_sk" }, { "inet_connection_sock", "inet_csk" }, { "tcp_sock", "tcp_sk" } } },
	{ "inet_csk_", { { "inet_sock", "inet_sk" }, { "inet_connection_sock", "inet_csk" } } },
	{ "inet_", { { "inet_sock", "inet_sk" } } },
	{ "inet6_", { { "inet_sock", "inet_sk" } } },
	{ "ip_", { { "inet_sock", "inet_sk" } } },
};

/* Whether a struct begins with a struct sock, in the first member of the first member, if it must be. */
static bool begins_with_sock(const struct btf *btf, uint32_t id)
{
	while (!is_struct_named(btf, id, "sock")) {
		const struct btf_type *type = btf_underneath(btf, id);

		if (!type || !btf_is_struct(type) || !btf_vlen(type) || btf_member_place(btf, type, 0).bit_offset)
			return false;
		id = btf_members(type)[0].type;
	}
	return true;
}

/* The smallest of a protocol's structs that has what is at an offset from a struct sock; 0: none, or not known. */
static int32_t sock_of_function(const struct btf *btf, const char *function, int64_t end, const char **ret_cast)
{
	const struct protocol_sock *sock;
	int32_t id;

	if (!function)
		return 0;
	function += strspn(function, "_");
	if (startswith(function, "do_"))
		function += 3;
	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++) {
		if (!startswith(function, protocols[i].prefix))
			continue;
		sock = protocols[i].socks;
		for (size_t k = 0; k < ARRAY_SIZE(protocols[i].socks) && sock[k].type; k++) {
			id = btf__find_by_name_kind(btf, sock[k].type, BTF_KIND_STRUCT);
			*ret_cast = sock[k].cast;
			if (id > 0 && begins_with_sock(btf, id) && end <= btf_size_of(btf, id))
				return id;
		}
		return 0;
	}
	return 0;
}

/* What is behind a struct sock is in that of the protocol: "unix_sk(sk)->addr". */
static void follow_sock(struct expression *to, int64_t end, const char *function)
{
	const char *cast;
	const int32_t in = sock_of_function(to->btf, function, end, &cast);
	const uint32_t type = in ? btf_pointer_to(to->btf, in) : 0;
	struct strbuf text = {};

	if (!type)
		return;
	strbuf_addf(&text, "%s(%s)", cast, to->text.s);
	strbuf_release(&to->text);
	to->text = text;
	to->type = type;
}

void follow_container(struct expression *to, int64_t offset, uint8_t size, const char *function)
{
	uint32_t pointee = to->type ? btf_pointee(to->btf, to->type) : 0;
	int64_t within = pointee ? btf_size_of(to->btf, pointee) : -1;
	const struct known_container *row = to->entries;
	struct embedding found = {};
	struct strbuf text = {};
	uint32_t type;

	if (within < 0 || to->stride || (size && offset >= 0 && offset + size <= within) || (!size && !offset))
		return;
	if (size && offset >= within && is_struct_named(to->btf, pointee, "sock"))
		return follow_sock(to, offset + size, function);
	if (!row && pointee)
		row = embedding_of(to->btf, pointee);
	if (row)
		found = find_embedding(to->btf, pointee, row);
	else
		found = inode_of_function(to->btf, pointee, function);
	type = found.in ? btf_pointer_to(to->btf, found.in) : 0;
	if (!type || offset + found.at < 0 || (!size && offset + found.at) ||
	    offset + found.at + size > btf_size_of(to->btf, found.in))
		return;
	strbuf_addf(&text, "container_of(%s, struct %s, %s)", to->text.s,
		    btf_type_name(to->btf, btf__type_by_id(to->btf, found.in)), found.member);
	strbuf_release(&to->text);
	to->text = text;
	to->type = type;
	to->offset += found.at;
	to->entries = NULL;
	to->owner = (struct expression_owner){};
	to->called = to->called_at = 0;
	to->is_by_pointer = to->is_variable = to->is_global = false;
}
