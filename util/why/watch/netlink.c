// SPDX-License-Identifier: BSD-2-Clause
/* Netlink's protocols and requests. */
#include "util/why/watch/netlink.h"

#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stddef.h>

#include "bpf/watch.h"
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

/* Four types to each, in this order, from RTM_NEWLINK on: new, delete, get, set. */
static const char *const objects[] = {
	"LINK",	   "ADDR",	"ROUTE",     "NEIGH", "RULE",	  "QDISC",	   "TCLASS",
	"TFILTER", "ACTION",	"PREFIX",    NULL,    NULL,	  "NEIGHTBL",	   "NDUSEROPT",
	"ADDRLABEL", "DCB",	"NETCONF",   "MDB",   "NSID",	  "STATS",	   "CACHEREPORT",
	"CHAIN",   "NEXTHOP",	"LINKPROP",  "VLAN",  "NEXTHOPBUCKET", "TUNNEL",
};

const char *netlink_function(const struct watch_event *event)
{
	uint32_t protocol = event->netlink - 1;

	if (!event->netlink || protocol >= ARRAY_SIZE(protocols))
		return NULL;
	/* Those of nf_tables come in batches, which are another function's. */
	if (protocol == NETLINK_NETFILTER &&
	    NFNL_SUBSYS_ID(event->netlink_type) == NFNL_SUBSYS_NFTABLES)
		return NULL;
	return protocols[protocol].function;
}

void netlink_name_add(struct strbuf *text, const struct watch_event *event)
{
	static const char *const verbs[] = { "NEW", "DEL", "GET", "SET" };
	uint32_t protocol = event->netlink - 1;
	uint32_t object = (event->netlink_type - RTM_BASE) / 4;

	if (protocol == NETLINK_ROUTE && event->netlink_type >= RTM_BASE &&
	    object < ARRAY_SIZE(objects) && objects[object])
		strbuf_addf(text, "RTM_%s%s", verbs[event->netlink_type % 4], objects[object]);
	else if (protocol < ARRAY_SIZE(protocols) && protocols[protocol].name)
		strbuf_addf(text, "%s %u", protocols[protocol].name, event->netlink_type);
	else
		strbuf_addf(text, "%u of netlink protocol %u", event->netlink_type, protocol);
}
