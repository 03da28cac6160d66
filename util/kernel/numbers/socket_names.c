// SPDX-License-Identifier: BSD-2-Clause
/* Arguments of the system calls of sockets. */
#include "util/kernel/numbers/socket_names.h"

#include <linux/if_ether.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "util/base/macros.h"

static const struct number_name families[] = {
	WHOLE(AF_UNSPEC), WHOLE(AF_UNIX), WHOLE(AF_INET), WHOLE(AF_AX25), WHOLE(AF_IPX), WHOLE(AF_INET6),
	WHOLE(AF_KEY), WHOLE(AF_NETLINK), WHOLE(AF_PACKET), WHOLE(AF_RDS), WHOLE(AF_TIPC),
	WHOLE(AF_BLUETOOTH), WHOLE(AF_CAN), WHOLE(AF_ALG), WHOLE(AF_VSOCK), WHOLE(AF_KCM), WHOLE(AF_QIPCRTR),
	WHOLE(AF_SMC), WHOLE(AF_XDP),
	WHOLE(AF_APPLETALK), WHOLE(AF_NETROM), WHOLE(AF_BRIDGE), WHOLE(AF_ATMPVC), WHOLE(AF_X25), WHOLE(AF_ROSE),
	WHOLE(AF_DECnet), WHOLE(AF_ATMSVC), WHOLE(AF_IRDA), WHOLE(AF_PPPOX), WHOLE(AF_LLC),
	WHOLE(AF_IB), WHOLE(AF_MPLS),
	WHOLE(AF_IUCV), WHOLE(AF_RXRPC), WHOLE(AF_ISDN), WHOLE(AF_PHONET), WHOLE(AF_IEEE802154), WHOLE(AF_CAIF),
	WHOLE(AF_NFC), { "AF_MCTP", 45, UINT32_MAX },
};

#define SOCK_TYPE_MASK 0xf

static const struct number_name socket_types[] = {
	NUMBER(SOCK_STREAM, SOCK_TYPE_MASK), NUMBER(SOCK_DGRAM, SOCK_TYPE_MASK),
	NUMBER(SOCK_RAW, SOCK_TYPE_MASK), NUMBER(SOCK_RDM, SOCK_TYPE_MASK),
	NUMBER(SOCK_SEQPACKET, SOCK_TYPE_MASK), NUMBER(SOCK_DCCP, SOCK_TYPE_MASK),
	NUMBER(SOCK_PACKET, SOCK_TYPE_MASK), FLAG(SOCK_CLOEXEC), FLAG(SOCK_NONBLOCK),
};

static const struct number_name accept_flags[] = { FLAG(SOCK_CLOEXEC), FLAG(SOCK_NONBLOCK) };

static const struct number_name message_flags[] = {
	FLAG(MSG_OOB), FLAG(MSG_PEEK), FLAG(MSG_DONTROUTE), FLAG(MSG_CTRUNC), FLAG(MSG_TRUNC),
	FLAG(MSG_DONTWAIT), FLAG(MSG_EOR), FLAG(MSG_WAITALL), FLAG(MSG_CONFIRM), FLAG(MSG_ERRQUEUE),
	FLAG(MSG_NOSIGNAL), FLAG(MSG_MORE), FLAG(MSG_WAITFORONE), FLAG(MSG_ZEROCOPY), FLAG(MSG_FASTOPEN),
	FLAG(MSG_CMSG_CLOEXEC),
};

static const struct number_name option_levels[] = {
	WHOLE(SOL_SOCKET), { "SOL_IP", IPPROTO_IP, UINT32_MAX }, { "SOL_TCP", IPPROTO_TCP, UINT32_MAX },
	{ "SOL_UDP", IPPROTO_UDP, UINT32_MAX }, { "SOL_IPV6", IPPROTO_IPV6, UINT32_MAX },
	{ "SOL_RAW", IPPROTO_RAW, UINT32_MAX }, WHOLE(SOL_PACKET), WHOLE(SOL_NETLINK), WHOLE(SOL_ALG),
	{ "SOL_XDP", 283, UINT32_MAX }, WHOLE(AF_VSOCK),
	{ "SOL_ICMPV6", IPPROTO_ICMPV6, UINT32_MAX }, { "SOL_SCTP", IPPROTO_SCTP, UINT32_MAX },
	{ "SOL_UDPLITE", IPPROTO_UDPLITE, UINT32_MAX }, WHOLE(SOL_LLC), WHOLE(SOL_DCCP),
	WHOLE(SOL_TIPC), WHOLE(SOL_RXRPC),
	WHOLE(SOL_BLUETOOTH), WHOLE(SOL_RDS), WHOLE(SOL_KCM), WHOLE(SOL_TLS), { "SOL_PPPOL2TP", 273, UINT32_MAX },
	{ "SOL_MPTCP", 284, UINT32_MAX }, { "SOL_MCTP", 285, UINT32_MAX }, { "SOL_SMC", 286, UINT32_MAX },
	{ "SOL_VSOCK", 287, UINT32_MAX },
};

static const struct number_name shutdowns[] = { WHOLE(SHUT_RD), WHOLE(SHUT_WR), WHOLE(SHUT_RDWR) };

/* 0 is the default protocol of any type. */
static const struct number_name internet_protocols[] = {
	WHOLE(IPPROTO_ICMP), WHOLE(IPPROTO_IGMP), WHOLE(IPPROTO_IPIP), WHOLE(IPPROTO_TCP), WHOLE(IPPROTO_EGP),
	WHOLE(IPPROTO_UDP), WHOLE(IPPROTO_IDP), WHOLE(IPPROTO_DCCP), WHOLE(IPPROTO_IPV6),
	WHOLE(IPPROTO_ROUTING), WHOLE(IPPROTO_FRAGMENT), WHOLE(IPPROTO_RSVP), WHOLE(IPPROTO_GRE),
	WHOLE(IPPROTO_ESP), WHOLE(IPPROTO_AH), WHOLE(IPPROTO_ICMPV6), WHOLE(IPPROTO_NONE),
	WHOLE(IPPROTO_DSTOPTS), WHOLE(IPPROTO_MTP), WHOLE(IPPROTO_BEETPH), WHOLE(IPPROTO_ENCAP),
	WHOLE(IPPROTO_PIM), WHOLE(IPPROTO_COMP), WHOLE(IPPROTO_SCTP), WHOLE(IPPROTO_MH),
	WHOLE(IPPROTO_UDPLITE), WHOLE(IPPROTO_MPLS), WHOLE(IPPROTO_RAW), { "IPPROTO_L2TP", 115, UINT32_MAX },
	{ "IPPROTO_MPTCP", 262, UINT32_MAX }, { "IPPROTO_SMC", 256, UINT32_MAX },
};

static const struct number_name netlink_protocols[] = {
	WHOLE(NETLINK_ROUTE), WHOLE(NETLINK_USERSOCK), WHOLE(NETLINK_FIREWALL), WHOLE(NETLINK_SOCK_DIAG),
	WHOLE(NETLINK_NFLOG), WHOLE(NETLINK_XFRM), WHOLE(NETLINK_SELINUX), WHOLE(NETLINK_ISCSI),
	WHOLE(NETLINK_AUDIT), WHOLE(NETLINK_FIB_LOOKUP), WHOLE(NETLINK_CONNECTOR), WHOLE(NETLINK_NETFILTER),
	WHOLE(NETLINK_IP6_FW), WHOLE(NETLINK_DNRTMSG), WHOLE(NETLINK_KOBJECT_UEVENT), WHOLE(NETLINK_GENERIC),
	WHOLE(NETLINK_SCSITRANSPORT), WHOLE(NETLINK_ECRYPTFS), WHOLE(NETLINK_RDMA), WHOLE(NETLINK_CRYPTO),
	WHOLE(NETLINK_SMC),
};

#define ETHERNET(name) { "htons(" #name ")", (uint16_t)(name << 8 | name >> 8), UINT32_MAX }
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "htons() would be another number"
#endif

static const struct number_name packet_protocols[] = {
	ETHERNET(ETH_P_ALL), ETHERNET(ETH_P_IP), ETHERNET(ETH_P_IPV6), ETHERNET(ETH_P_ARP),
	ETHERNET(ETH_P_RARP), ETHERNET(ETH_P_8021Q), ETHERNET(ETH_P_8021AD), ETHERNET(ETH_P_LLDP),
	ETHERNET(ETH_P_PAE), ETHERNET(ETH_P_PPP_DISC), ETHERNET(ETH_P_PPP_SES), ETHERNET(ETH_P_LOOP),
	ETHERNET(ETH_P_802_3), ETHERNET(ETH_P_802_2),
};

const struct number_names socket_names[] = {
	{ " socket socketpair ", "family", NAMES(families), NAMED_WHOLE },
	{ " socket socketpair ", "type", NAMES(socket_types), NAMED_BITS },
	{ " accept4 ", "flags", NAMES(accept_flags), NAMED_BITS },
	{ " sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg ", "flags", NAMES(message_flags), NAMED_BITS },
	{ " setsockopt getsockopt ", "level", NAMES(option_levels), NAMED_WHOLE },
	{ " shutdown ", "how", NAMES(shutdowns), NAMED_WHOLE },
};

const size_t nr_socket_names = ARRAY_SIZE(socket_names);

#define PROTOCOLS(names) { " socket socketpair ", "protocol", NAMES(names), NAMED_WHOLE }

static const struct number_names of_internet = PROTOCOLS(internet_protocols),
				 of_netlink = PROTOCOLS(netlink_protocols), of_packet = PROTOCOLS(packet_protocols);

const struct number_names *socket_protocol_names(uint64_t family)
{
	switch ((uint32_t)family) {
	case AF_INET:
	case AF_INET6:
		return &of_internet;
	case AF_NETLINK:
		return &of_netlink;
	case AF_PACKET:
		return &of_packet;
	default:
		return NULL;
	}
}
