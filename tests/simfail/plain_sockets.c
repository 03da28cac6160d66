/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain calls on sockets. */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "plain_call.h"

#define NETWORK_ORDER(port) ((uint16_t)(((port) & 0xff) << 8 | (port) >> 8))

/* 192.0.2.1 is for documentation: no machine has it. */
static const struct sockaddr_in foreign = {
	.sin_family = AF_INET, .sin_addr = { 0x010200c0 },
};
static const struct sockaddr_in other_family = { .sin_family = AF_X25 };
static const struct sockaddr_in port_zero = {
	.sin_family = AF_INET, .sin_addr = { 0x0100007f }, .sin_port = 0,
};
static const struct sockaddr_un no_socket = { .sun_family = AF_UNIX,
					      .sun_path = MISSING_PATH };
static const struct sockaddr_un not_a_socket = { .sun_family = AF_UNIX, .sun_path = "/dev/null" };
static const struct sockaddr_un root_dir = { .sun_family = AF_UNIX, .sun_path = "/" };
static const int number_300 = 300, number_0 = 0, number_minus = -1;
static struct ifreq no_device = { .ifr_name = "simfail0" };
static char buffer[70000];
static socklen_t length = sizeof(buffer);
static const struct msghdr bad_message = { .msg_name = (void *)8, .msg_namelen = 16 };
static const struct msghdr many_parts = { .msg_iov = (void *)buffer, .msg_iovlen = 5000 };

/* clang-format off */
const struct simfail_case simfail_plain_socket_cases[] = {
	PLAIN("socket-type", EINVAL, "a socket of an unknown type",
	      ON_NOTHING, socket, AF_INET, 14, 0),
	PLAIN("socket-protocol", EPROTONOSUPPORT, "a stream of the UDP protocol",
	      ON_NOTHING, socket, AF_INET, SOCK_STREAM, IPPROTO_UDP),
	PLAIN("socket-netlink", EPROTONOSUPPORT, "netlink of an unknown family",
	      ON_NOTHING, socket, AF_NETLINK, SOCK_RAW, 99),
	PLAIN("socket-unix-type", ESOCKTNOSUPPORT, "a local socket of a type that it has not",
	      ON_NOTHING, socket, AF_UNIX, SOCK_RDM, 0),
	PLAIN("socketpair-inet", EOPNOTSUPP, "a pair of internet sockets",
	      ON_NOTHING, socketpair, AF_INET, SOCK_STREAM, 0, AT(buffer)),
	PLAIN("bind-foreign", EADDRNOTAVAIL, "bind to an address of another machine",
	      ON_TCP, bind, THING, AT(&foreign), sizeof(foreign)),
	PLAIN("bind-short", EINVAL, "bind to half an address",
	      ON_TCP, bind, THING, AT(&foreign), 4),
	PLAIN("bind-family", EAFNOSUPPORT, "bind to an address of another family",
	      ON_TCP, bind, THING, AT(&other_family), sizeof(other_family)),
	PLAIN("bind-not-socket", ENOTSOCK, "bind a pipe",
	      ON_PIPE, bind, THING, AT(&foreign), sizeof(foreign)),
	PLAIN("bind-unix-exists", EADDRINUSE, "bind a local socket to a name that is a directory",
	      ON_UNIX, bind, THING, AT(&root_dir), sizeof(root_dir)),
	PLAIN("bind-unix-short", EINVAL, "bind a local socket to less than a family",
	      ON_UNIX, bind, THING, AT(&no_socket), 1),
	PLAIN("connect-family", EAFNOSUPPORT, "connect to an address of another family",
	      ON_TCP, connect, THING, AT(&other_family), sizeof(other_family)),
	PLAIN("connect-unix-missing", ENOENT, "connect to a local socket that does not exist",
	      ON_UNIX, connect, THING, AT(&no_socket), sizeof(no_socket)),
	PLAIN("connect-unix-file", ECONNREFUSED, "connect to a file that is no socket",
	      ON_UNIX, connect, THING, AT(&not_a_socket), sizeof(not_a_socket)),
	PLAIN("connect-unix-family", EINVAL, "connect a local socket to an internet address",
	      ON_UNIX, connect, THING, AT(&port_zero), sizeof(port_zero)),
	PLAIN("listen-datagram", EOPNOTSUPP, "listen on a datagram socket",
	      ON_UDP, listen, THING, 1),
	PLAIN("listen-unbound", EINVAL, "listen on a local socket without a name",
	      ON_UNIX, listen, THING, 1),
	PLAIN("accept-not-listening", EINVAL, "accept on a socket that does not listen",
	      ON_TCP, accept4, THING, 0, 0, 0),
	PLAIN("accept-flags", EINVAL, "accept with an unknown flag",
	      ON_TCP, accept4, THING, 0, 0, 0x40),
	PLAIN("accept-datagram", EOPNOTSUPP, "accept on a datagram socket",
	      ON_UDP, accept4, THING, 0, 0, 0),
	PLAIN("send-no-peer", EDESTADDRREQ, "send a datagram to nobody",
	      ON_UDP, sendto, THING, AT(buffer), 1, 0, 0, 0),
	PLAIN("send-not-connected", EPIPE, "send on a stream that is not connected",
	      ON_TCP, sendto, THING, AT(buffer), 1, MSG_NOSIGNAL, 0, 0),
	PLAIN("send-unix-not-connected", ENOTCONN, "send on a local stream that is not connected",
	      ON_UNIX, sendto, THING, AT(buffer), 1, MSG_NOSIGNAL, 0, 0),
	PLAIN("send-too-big", EMSGSIZE, "send a datagram of 70,000 bytes",
	      ON_UDP, sendto, THING, AT(buffer), sizeof(buffer), 0, AT(&port_zero), sizeof(port_zero)),
	PLAIN("send-port-zero", EINVAL, "send a datagram to port 0",
	      ON_UDP, sendto, THING, AT(buffer), 1, 0, AT(&port_zero), sizeof(port_zero)),
	PLAIN("send-flags", EOPNOTSUPP, "send a datagram out of band",
	      ON_UDP, sendto, THING, AT(buffer), 1, MSG_OOB, AT(&port_zero), sizeof(port_zero)),
	PLAIN("sendmsg-address", EFAULT, "send to an address at a bad address",
	      ON_UDP, sendmsg, THING, AT(&bad_message), 0),
	PLAIN("sendmsg-parts", EMSGSIZE, "send a message of 5,000 parts",
	      ON_UDP, sendmsg, THING, AT(&many_parts), 0),
	PLAIN("receive-nothing", EAGAIN, "receive a datagram when there is none",
	      ON_UDP, recvfrom, THING, AT(buffer), 1, 0, 0, 0),
	PLAIN("receive-not-connected", ENOTCONN, "receive on a stream that is not connected",
	      ON_TCP, recvfrom, THING, AT(buffer), 1, 0, 0, 0),
	PLAIN("receive-errors", EAGAIN, "receive from an error queue that is empty",
	      ON_UDP, recvfrom, THING, AT(buffer), 1, MSG_ERRQUEUE, 0, 0),
	PLAIN("shutdown-not-connected", ENOTCONN, "shut down a stream that is not connected",
	      ON_TCP, shutdown, THING, SHUT_RDWR),
	PLAIN("shutdown-how", EINVAL, "shut down in an unknown way",
	      ON_UNIX, shutdown, THING, 99),
	PLAIN("getpeername-inet", ENOTCONN, "ask an unconnected stream for its peer",
	      ON_TCP, getpeername, THING, AT(buffer), AT(&length)),
	PLAIN("getsockname-file", ENOTSOCK, "ask an eventfd for its address",
	      ON_EVENTFD, getsockname, THING, AT(buffer), AT(&length)),
	PLAIN("getsockopt-level", EOPNOTSUPP, "read an option of a level that local sockets have not",
	      ON_UNIX, getsockopt, THING, SOL_TCP, 1, AT(buffer), AT(&length)),
	PLAIN("getsockopt-tcp", ENOPROTOOPT, "read an unknown TCP option",
	      ON_TCP, getsockopt, THING, SOL_TCP, 999, AT(buffer), AT(&length)),
	PLAIN("setsockopt-ttl", EINVAL, "set a time to live of 300",
	      ON_UDP, setsockopt, THING, SOL_IP, IP_TTL, AT(&number_300), sizeof(int)),
	PLAIN("setsockopt-short", EINVAL, "set an option with 1 byte",
	      ON_TCP, setsockopt, THING, SOL_SOCKET, SO_REUSEADDR, AT(&number_300), 1),
	PLAIN("setsockopt-device", ENODEV, "bind to a device that does not exist",
	      ON_UDP, setsockopt, THING, SOL_SOCKET, SO_BINDTODEVICE, AT("simfail0"), 8),
	PLAIN("setsockopt-maxseg", EINVAL, "set a segment size of 0xffffffff",
	      ON_TCP, setsockopt, THING, SOL_TCP, TCP_MAXSEG, AT(&number_minus), sizeof(int)),
	PLAIN("setsockopt-congestion", ENOENT, "use an unknown congestion control",
	      ON_TCP, setsockopt, THING, SOL_TCP, TCP_CONGESTION, AT("simfail"), 7),
	PLAIN("setsockopt-keepidle", EINVAL, "keep alive after 0 seconds",
	      ON_TCP, setsockopt, THING, SOL_TCP, TCP_KEEPIDLE, AT(&number_0), sizeof(int)),
	PLAIN("setsockopt-filter", EINVAL, "attach a socket filter of no instructions",
	      ON_UDP, setsockopt, THING, SOL_SOCKET, SO_ATTACH_FILTER, AT(buffer), 16),
	PLAIN("ioctl-no-device", ENODEV, "ask for the index of a device that does not exist",
	      ON_UDP, ioctl, THING, SIOCGIFINDEX, AT(&no_device)),
	PLAIN("netlink-bind-group", EINVAL, "bind a netlink socket to half an address",
	      ON_NETLINK, bind, THING, AT(buffer), 4),
	{},
};
/* clang-format on */
