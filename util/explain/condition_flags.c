// SPDX-License-Identifier: BSD-2-Clause
/*
 * Flags and states of the kernel's own objects, which are macros, or enums that no member has as its type. Only those
 * that mean the same in each Linux that has them, from 5.10 to 7.3.
 */
#include <ctype.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/explain/condition_internal.h"

#define MAX_BITS 32

struct flags {
	const char *member;	/* what the flags are in */
	const char *also;	/* what else has them: a member of another name; NULL: nothing */
	bool may_be_variable;	/* functions' variables of that name have the same flags */
	const char *names[MAX_BITS];
};

static const struct flags all_flags[] = {
	/* include/linux/fs.h, or fs/super_types.h */
	{ "i_flags", NULL, false,
	  { "S_SYNC", "S_NOATIME", "S_APPEND", "S_IMMUTABLE", "S_DEAD", "S_NOQUOTA", "S_DIRSYNC", "S_NOCMTIME",
	    "S_SWAPFILE", "S_PRIVATE", "S_IMA", "S_AUTOMOUNT", "S_NOSEC", "S_DAX", "S_ENCRYPTED", "S_CASEFOLD",
	    "S_VERITY" } },
	{ "i_opflags", NULL, false, { "IOP_FASTPERM", "IOP_LOOKUP", "IOP_NOFOLLOW", "IOP_XATTR", "IOP_DEFAULT_READLINK" } },
	{ "s_flags", NULL, false,
	  { "SB_RDONLY", "SB_NOSUID", "SB_NODEV", "SB_NOEXEC", [16] = "SB_POSIXACL", [22] = "SB_KERNMOUNT" } },
	{ "s_iflags", NULL, false, { [1] = "SB_I_NOEXEC", [2] = "SB_I_NODEV" } },
	{ "f_mode", NULL, false,
	  { "FMODE_READ", "FMODE_WRITE", "FMODE_LSEEK", "FMODE_PREAD", "FMODE_PWRITE", "FMODE_EXEC",
	    [14] = "FMODE_PATH", [17] = "FMODE_CAN_READ", [18] = "FMODE_CAN_WRITE",
	    [22] = "FMODE_CAN_ODIRECT" } },
	/* include/uapi/asm-generic/fcntl.h: those that are the same on each CPU */
	{ "f_flags", NULL, false,
	  { [6] = "O_CREAT", "O_EXCL", "O_NOCTTY", "O_TRUNC", "O_APPEND", "O_NONBLOCK", "O_DSYNC", "FASYNC",
	    [18] = "O_NOATIME", [21] = "O_PATH" } },
	{ "acc_mode", NULL, true,
	  { "MAY_EXEC", "MAY_WRITE", "MAY_READ", "MAY_APPEND", "MAY_ACCESS", "MAY_OPEN", "MAY_CHDIR" } },
	/* From 6.10 on. */
	{ "fop_flags", NULL, false,
	  { [2] = "FOP_MMAP_SYNC", [4] = "FOP_HUGE_PAGES", [5] = "FOP_UNSIGNED_OFFSET", [7] = "FOP_DONTCACHE" } },
	/* include/linux/filelock.h; the second up to 6.8 */
	{ "flc_flags", "fl_flags", false,
	  { "FL_POSIX", "FL_FLOCK", "FL_DELEG", "FL_ACCESS", "FL_EXISTS", "FL_LEASE", "FL_CLOSE", "FL_SLEEP",
	    [10] = "FL_OFDLCK" } },
	/* struct ipc_params of ipc/util.h */
	{ "flg", NULL, false, { [9] = "IPC_CREAT", "IPC_EXCL", "IPC_NOWAIT" } },
	/* include/net/sock.h, include/linux/socket.h */
	{ "sk_shutdown", NULL, false, { "RCV_SHUTDOWN", "SEND_SHUTDOWN" } },
	{ "msg_flags", NULL, false,
	  { "MSG_OOB", "MSG_PEEK", "MSG_DONTROUTE", [5] = "MSG_TRUNC", "MSG_DONTWAIT", "MSG_EOR", "MSG_WAITALL",
	    [11] = "MSG_CONFIRM", [13] = "MSG_ERRQUEUE", "MSG_NOSIGNAL", "MSG_MORE" } },
	/* include/linux/mount.h */
	{ "mnt_flags", NULL, true,
	  { "MNT_NOSUID", "MNT_NODEV", "MNT_NOEXEC", "MNT_NOATIME", [6] = "MNT_READONLY", "MNT_NOSYMFOLLOW",
	    [23] = "MNT_LOCKED" } },
	/* include/linux/mm.h */
	{ "vm_flags", NULL, true,
	  { "VM_READ", "VM_WRITE", "VM_EXEC", "VM_SHARED", "VM_MAYREAD", "VM_MAYWRITE", "VM_MAYEXEC", "VM_MAYSHARE",
	    [10] = "VM_PFNMAP", [13] = "VM_LOCKED", "VM_IO", [18] = "VM_DONTEXPAND", [22] = "VM_HUGETLB" } },
	/* include/linux/namei.h; up to 6.12 the last five were where 7.2 has other flags. */
	{ "nd->flags", NULL, true,
	  { "LOOKUP_FOLLOW", "LOOKUP_DIRECTORY", "LOOKUP_AUTOMOUNT", [24] = "LOOKUP_NO_SYMLINKS",
	    "LOOKUP_NO_MAGICLINKS", "LOOKUP_NO_XDEV", "LOOKUP_BENEATH", "LOOKUP_IN_ROOT" } },
	/*
	 * include/uapi/linux/netlink.h: requests of other kinds share bits 8 and 9; NLM_F_ATOMIC is 0x400, too, but
	 * never tested.
	 */
	{ "nlmsg_flags", "fc_nlflags", false, { [10] = "NLM_F_CREATE", "NLM_F_APPEND" } },
};

static bool is_member(const char *name, const char *member)
{
	size_t len = strlen(name), member_len = member ? strlen(member) : 0;

	return member && len > member_len + 2 && !strcmp(name + len - member_len, member) &&
	       (!strncmp(name + len - member_len - 2, "->", 2) || name[len - member_len - 1] == '.');
}

static bool is_of(const char *name, const struct flags *flags)
{
	return (flags->may_be_variable && !strcmp(name, flags->member)) || is_member(name, flags->member) ||
	       is_member(name, flags->also);
}

/* Add "A", or "(A | B)". False: not all bits have names, and nothing was added. */
static bool add_names(struct strbuf *text, const char *const names[MAX_BITS], uint64_t mask)
{
	_cleanup_(strbuf_release) struct strbuf all = STRBUF_INIT;

	if (!mask)
		return false;
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(mask & 1ull << bit))
			continue;
		if (bit >= MAX_BITS || !names[bit])
			return false;
		strbuf_addf(&all, "%s%s", all.len ? " | " : "", names[bit]);
	}
	strbuf_addf(text, mask & (mask - 1) ? "(%s)" : "%s", strbuf_str(&all));
	return true;
}

bool condition_add_kernel_flags(struct strbuf *text, const char *name, uint64_t mask)
{
	const struct flags *flags = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(all_flags) && !flags; i++)
		flags = is_of(name, &all_flags[i]) ? &all_flags[i] : NULL;
	return flags && add_names(text, flags->names, mask);
}

/* Whether a function of rtnetlink or netfilter makes something, by its name: "neigh_add", not "inet_rtm_deladdr". */
static bool is_of_new_request(const char *function)
{
	static const char *const verbs[] = { "new", "insert", "modify" };

	if (array_find(verb, verbs, strstr(function, *verb)))
		return true;
	for (const char *at = function; (at = strstr(at, "_add")); at++) {
		if (!isalpha((unsigned char)at[strlen("_add")]))
			return true;
	}
	return false;
}

bool condition_has_new_request(const char *function, const char *name)
{
	const char *member = strstr(name, "->nlmsg_flags") ?: strstr(name, "->fc_nlflags");

	/* Or "(nlh->nlmsg_flags & 0x300)". */
	return member && !strpbrk(member + 2, ".>-") && is_of_new_request(function);
}

bool condition_add_new_request_flags(struct strbuf *text, uint64_t mask)
{
	static const char *const names[MAX_BITS] = {
		[8] = "NLM_F_REPLACE", "NLM_F_EXCL", "NLM_F_CREATE", "NLM_F_APPEND",
	};

	return add_names(text, names, mask);
}

/* Functions of protocols whose sockets have TCP's states. Those of others mean other things, as Bluetooth's. */
static const char *const with_tcp_states[] = {
	"inet", "__inet", "tcp_", "__tcp_", "udp", "__udp", "raw", "ip_", "ip6", "ping_", "unix_", "packet_", "sk_stream_",
};

bool condition_has_socket_state(const char *function, const char *name)
{
	return array_find(prefix, with_tcp_states, startswith(function, *prefix)) &&
	       is_member(name, "skc_state");
}

const char *condition_socket_state(uint64_t value)
{
	/* include/net/tcp_states.h */
	static const char *const names[] = {
		[1] = "TCP_ESTABLISHED", "TCP_SYN_SENT", "TCP_SYN_RECV", "TCP_FIN_WAIT1", "TCP_FIN_WAIT2", "TCP_TIME_WAIT",
		"TCP_CLOSE", "TCP_CLOSE_WAIT", "TCP_LAST_ACK", "TCP_LISTEN", "TCP_CLOSING", "TCP_NEW_SYN_RECV",
	};

	return value < ARRAY_SIZE(names) ? names[value] : NULL;
}
