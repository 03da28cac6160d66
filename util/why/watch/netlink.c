// SPDX-License-Identifier: BSD-2-Clause
/* Names of netlink's protocols and requests, and their functions. */
#include "util/why/watch/netlink.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/xfrm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bpf/watch/watch_event.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"

/* As of Linux 5.10 to 7.2. */
static const struct {
	const char *name, *function;
} protocols[] = {
	[NETLINK_ROUTE] = { "NETLINK_ROUTE", "rtnetlink_rcv_msg" },
	[NETLINK_SOCK_DIAG] = { "NETLINK_SOCK_DIAG", "sock_diag_rcv_msg" },
	[NETLINK_XFRM] = { "NETLINK_XFRM", "xfrm_user_rcv_msg" },
	[NETLINK_AUDIT] = { "NETLINK_AUDIT", "audit_receive_msg" },
	[NETLINK_NETFILTER] = { "NETLINK_NETFILTER", "nfnetlink_rcv_msg" },
	[NETLINK_GENERIC] = { "NETLINK_GENERIC", "genl_rcv_msg" },
	[NETLINK_RDMA] = { "NETLINK_RDMA", "rdma_nl_rcv_msg" },
	[NETLINK_CRYPTO] = { "NETLINK_CRYPTO", "crypto_user_rcv_msg" },
};

/* Each object has four types, from RTM_NEWLINK on, in this order: new, delete, get, set. */
static const char *const objects[] = {
	"LINK",	   "ADDR",	"ROUTE",     "NEIGH", "RULE",	  "QDISC",	   "TCLASS",
	"TFILTER", "ACTION",	"PREFIX",    NULL,    NULL,	  "NEIGHTBL",	   "NDUSEROPT",
	"ADDRLABEL", "DCB",	"NETCONF",   "MDB",   "NSID",	  "STATS",	   "CACHEREPORT",
	"CHAIN",   "NEXTHOP",	"LINKPROP",  "VLAN",  "NEXTHOPBUCKET", "TUNNEL",
};

/*
 * Requests to nf_tables (enum nf_tables_msg_types). Requests that change something come in
 * batches. Each of these has a function of its own; the function for the batch returns nothing.
 */
static const struct {
	const char *name, *function;
} nf_tables[] = {
	{ "NEWTABLE", "nf_tables_newtable" },
	{ "GETTABLE", NULL },
	{ "DELTABLE", "nf_tables_deltable" },
	{ "NEWCHAIN", "nf_tables_newchain" },
	{ "GETCHAIN", NULL },
	{ "DELCHAIN", "nf_tables_delchain" },
	{ "NEWRULE", "nf_tables_newrule" },
	{ "GETRULE", NULL },
	{ "DELRULE", "nf_tables_delrule" },
	{ "NEWSET", "nf_tables_newset" },
	{ "GETSET", NULL },
	{ "DELSET", "nf_tables_delset" },
	{ "NEWSETELEM", "nf_tables_newsetelem" },
	{ "GETSETELEM", NULL },
	{ "DELSETELEM", "nf_tables_delsetelem" },
	{ "NEWGEN", NULL },
	{ "GETGEN", NULL },
	{ "TRACE", NULL },
	{ "NEWOBJ", "nf_tables_newobj" },
	{ "GETOBJ", NULL },
	{ "DELOBJ", "nf_tables_delobj" },
	{ "GETOBJ_RESET", NULL },
	{ "NEWFLOWTABLE", "nf_tables_newflowtable" },
	{ "GETFLOWTABLE", NULL },
	{ "DELFLOWTABLE", "nf_tables_delflowtable" },
};

/* From XFRM_MSG_BASE on. */
static const char *const xfrm[] = {
	"NEWSA",     "DELSA",	 "GETSA",      "NEWPOLICY", "DELPOLICY", "GETPOLICY", "ALLOCSPI",
	"ACQUIRE",   "EXPIRE",	 "UPDPOLICY",  "UPDSA",	    "POLEXPIRE", "FLUSHSA",   "FLUSHPOLICY",
	"NEWAE",     "GETAE",	 "REPORT",     "MIGRATE",   "NEWSADINFO", "GETSADINFO", "NEWSPDINFO",
	"GETSPDINFO", "MAPPING", "SETDEFAULT", "GETDEFAULT",
};

/* enum cntl_msg_types */
static const char *const connections[] = {
	"NEW", "GET", "DELETE", "GET_CTRZERO", "GET_STATS_CPU", "GET_STATS", "GET_DYING", "GET_UNCONFIRMED",
};

/* enum ipset_cmd */
static const char *const ipset[] = {
	[1] = "PROTOCOL", "CREATE", "DESTROY", "FLUSH", "RENAME", "SWAP", "LIST", "SAVE", "ADD", "DEL", "TEST", "HEADER",
	"TYPE", "GET_BYNAME", "GET_BYINDEX",
};

/* Index into nf_tables; ARRAY_SIZE(nf_tables) or more: another request. */
static uint32_t nf_tables_index(const struct watch_event *event)
{
	if (event->netlink != NETLINK_NETFILTER + 1 ||
	    NFNL_SUBSYS_ID(event->netlink_type) != NFNL_SUBSYS_NFTABLES)
		return UINT32_MAX;
	return NFNL_MSG_TYPE(event->netlink_type);
}

/* Whether the error is about the whole batch, or about its begin or end message. */
static bool is_of_batch(const struct watch_event *event)
{
	return event->netlink == NETLINK_NETFILTER + 1 &&
	       (event->netlink_type == NFNL_MSG_BATCH_BEGIN ||
		event->netlink_type == NFNL_MSG_BATCH_END);
}

const char *netlink_function(const struct watch_event *event)
{
	uint32_t protocol = event->netlink - 1, request = nf_tables_index(event);

	if (!event->netlink || protocol >= ARRAY_SIZE(protocols) || is_of_batch(event))
		return NULL;
	if (request < ARRAY_SIZE(nf_tables) && nf_tables[request].function)
		return nf_tables[request].function;
	/* Unknown requests of nf_tables may or may not come in batches. */
	if (request != UINT32_MAX && request >= ARRAY_SIZE(nf_tables))
		return NULL;
	return protocols[protocol].function;
}

bool netlink_is_alike(const struct watch_event *a, const struct watch_event *b)
{
	const char *of_a = netlink_function(a), *of_b = netlink_function(b);

	return of_a && of_b ? !strcmp(of_a, of_b) : !of_a && !of_b && a->netlink == b->netlink;
}

/*
 * ip(8) finds out whether the kernel has RTM_NEWLINK: a request with nothing after its header, by sendto(2), whose
 * third argument is the length.
 */
static bool is_newlink_test(const struct watch_event *event)
{
	return event->netlink == NETLINK_ROUTE + 1 && event->netlink_type == RTM_NEWLINK &&
	       event->result == -ENODEV && event->args[2] == NLMSG_LENGTH(sizeof(struct ifinfomsg));
}

bool netlink_expects(const struct watch_event *event)
{
	uint32_t request = nf_tables_index(event);

	if (is_newlink_test(event))
		return true;
	return event->result == -ENOENT && request < ARRAY_SIZE(nf_tables) &&
	       startswith(nf_tables[request].name, "GET");
}

/* net/netfilter/nfnetlink.c, 5.10 to 7.2. */
const char *netlink_refuser(const struct watch_event *event)
{
	if (event->netlink != NETLINK_NETFILTER + 1 || event->result != -EPERM)
		return NULL;
	if (is_of_batch(event))
		return "without CAP_NET_ADMIN, nfnetlink_rcv() refuses requests before their functions are called";
	return "its function was not seen to fail so: without CAP_NET_ADMIN, nfnetlink_rcv() refuses "
	       "requests before";
}

static const char *name_among(const char *const *names, size_t nr, uint32_t index)
{
	return index < nr ? names[index] : NULL;
}

/* The name of a request to netfilter that is none to nf_tables; NULL: not known. */
static const char *netfilter_name(uint32_t type, const char **ret_prefix)
{
	switch (NFNL_SUBSYS_ID(type)) {
	case NFNL_SUBSYS_CTNETLINK:
		*ret_prefix = "IPCTNL_MSG_CT";
		return name_among(connections, ARRAY_SIZE(connections), NFNL_MSG_TYPE(type));
	case NFNL_SUBSYS_IPSET:
		*ret_prefix = "IPSET_CMD";
		return name_among(ipset, ARRAY_SIZE(ipset), NFNL_MSG_TYPE(type));
	default:
		return NULL;
	}
}

/* The name of a request of one of the lists above, but for rtnetlink and nf_tables; NULL: not known. */
static const char *listed_name(uint32_t protocol, uint32_t type, const char **ret_prefix)
{
	if (protocol == NETLINK_NETFILTER)
		return netfilter_name(type, ret_prefix);
	*ret_prefix = "XFRM_MSG";
	return protocol == NETLINK_XFRM && type >= XFRM_MSG_BASE ?
		       name_among(xfrm, ARRAY_SIZE(xfrm), type - XFRM_MSG_BASE) : NULL;
}

void netlink_name_add(struct strbuf *text, const struct watch_event *event)
{
	static const char *const verbs[] = { "NEW", "DEL", "GET", "SET" };
	uint32_t protocol = event->netlink - 1;
	uint32_t object = (event->netlink_type - RTM_BASE) / 4, request = nf_tables_index(event);
	const char *prefix, *name = listed_name(protocol, event->netlink_type, &prefix);

	if (protocol == NETLINK_ROUTE && event->netlink_type >= RTM_BASE &&
	    object < ARRAY_SIZE(objects) && objects[object])
		strbuf_addf(text, "RTM_%s%s", verbs[event->netlink_type % 4], objects[object]);
	else if (request < ARRAY_SIZE(nf_tables))
		strbuf_addf(text, "NFT_MSG_%s", nf_tables[request].name);
	else if (name)
		strbuf_addf(text, "%s_%s", prefix, name);
	else if (protocol == NETLINK_GENERIC && event->netlink_type == GENL_ID_CTRL)
		strbuf_addf(text, "%s nlctrl", protocols[protocol].name);
	else if (protocol < ARRAY_SIZE(protocols) && protocols[protocol].name)
		strbuf_addf(text, "%s %u", protocols[protocol].name, event->netlink_type);
	else
		strbuf_addf(text, "%u of netlink protocol %u", event->netlink_type, protocol);
}
