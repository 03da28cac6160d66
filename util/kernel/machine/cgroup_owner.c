// SPDX-License-Identifier: BSD-2-Clause
/* The owner of a cgroup, from its path alone. */
#include "util/kernel/machine/cgroup_owner.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "util/base/macros.h"

#define ID_DIGITS CGROUP_OWNER_ID
#define UUID_LEN 36	/* with its 4 dashes */
#define SLICE ".slice"
#define MD5_DIGITS 32	/* the UID of a static pod is a hash */

/* A part of a path. */
struct part {
	const char *s;
	size_t len;
};

static struct part part_until(struct part part, size_t len)
{
	return (struct part){ part.s, len };
}

static struct part part_from(struct part part, size_t at)
{
	return (struct part){ part.s + at, part.len - at };
}

static bool begins_with(struct part part, const char *begin)
{
	size_t len = strlen(begin);

	return part.len >= len && !memcmp(part.s, begin, len);
}

static bool ends_in(struct part part, const char *end)
{
	size_t len = strlen(end);

	return part.len >= len && !memcmp(part.s + part.len - len, end, len);
}

static struct part without_end(struct part part, const char *end)
{
	return ends_in(part, end) ? part_until(part, part.len - strlen(end)) : part;
}

static bool is_hex(struct part part)
{
	return !find_first(c, part.s, part.len,
			   !(*c >= '0' && *c <= '9') && !(*c >= 'a' && *c <= 'f'));
}

/* The runtime writes a UID's dashes as '_' where a dash means a slice below another one. */
static bool is_uuid(struct part part)
{
	if (part.len != UUID_LEN)
		return false;
	for (size_t i = 0; i < part.len; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? part.s[i] != '-' && part.s[i] != '_' : !is_hex((struct part){ part.s + i, 1 }))
			return false;
	}
	return true;
}

static bool is_id(struct part part)
{
	return part.len == ID_DIGITS && is_hex(part);
}

/* "kubepods-burstable-podUID", "podUID" */
static bool find_kube_pod(struct part name, struct part *ret_uid)
{
	static const size_t lengths[] = { UUID_LEN, MD5_DIGITS };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct part uid, before;

		if (name.len < lengths[i] + 3)
			continue;
		uid = part_from(name, name.len - lengths[i]);
		before = part_until(name, name.len - lengths[i]);
		if (!ends_in(before, "pod") || (before.len > 3 && before.s[before.len - 4] != '-'))
			continue;
		if (i ? is_hex(uid) : is_uuid(uid)) {
			*ret_uid = uid;
			return true;
		}
	}
	return false;
}

/* "machine-libpod_pod_ID.slice"; with cgroupfs "/libpod_parent/ID". */
static bool find_podman_pod(struct part name, struct part parent, struct part *ret_id)
{
	if (parent.len == strlen("libpod_parent") && ends_in(parent, "libpod_parent") &&
	    is_id(name)) {
		*ret_id = name;
		return true;
	}
	if (name.len < ID_DIGITS || !ends_in(part_until(name, name.len - ID_DIGITS), "libpod_pod_"))
		return false;
	*ret_id = part_from(name, name.len - ID_DIGITS);
	return is_id(*ret_id);
}

/*
 * "ID", "docker-ID.scope". conmon is a process that watches a container from outside. So do
 * "ID.service", podman's health check, and "container-ID.service", which starts one.
 */
static bool find_container(struct part name, struct part *ret_id)
{
	struct part before;

	name = without_end(name, ".scope");
	if (name.len < ID_DIGITS)
		return false;
	before = part_until(name, name.len - ID_DIGITS);
	*ret_id = part_from(name, before.len);
	if (!is_id(*ret_id))
		return false;
	return !before.len || (ends_in(before, "-") && !ends_in(before, "conmon-"));
}

/* The kinds of units that have cgroups; NULL: the name has none of them. */
static const char *unit_kind(struct part name)
{
	static const char *const kinds[] = { ".service", ".scope", SLICE, ".socket", ".mount",
					     ".swap" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (ends_in(name, kinds[i]))
			return name.len > strlen(kinds[i]) ? kinds[i] : NULL;
	}
	return NULL;
}

/* Of a kind that has processes, and a name that systemd would accept. */
static bool is_unit(struct part name)
{
	static const char allowed[] = ":-_.\\@";
	const char *kind = unit_kind(name);

	if (name.len > 255)
		return false;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.s[i];

		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !memchr(allowed, c, sizeof(allowed) - 1))
			return false;
	}
	return kind && strcmp(kind, SLICE);
}

/* systemd puts a '_' before names that would look like a file of the cgroup: "_cpu.service". */
static struct part unescape_name(struct part name)
{
	return name.len && *name.s == '_' ? part_from(name, 1) : name;
}

/* The parts of an owner in one component; a part that is missing has no length. */
struct component {
	struct part pod, container, unit;
};

/*
 * Without systemd's help containerd makes a cgroup with the name that it would have given to
 * systemd: "kubepods-burstable-podUID.slice:cri-containerd:ID".
 */
static struct component component_of(struct part name, struct part parent)
{
	struct component component = {};
	struct part rest = name;

	while (rest.len) {
		const char *colon = memchr(rest.s, ':', rest.len);
		struct part item = colon ? part_until(rest, colon - rest.s) : rest;
		struct part slice = without_end(item, SLICE), found;

		if (find_kube_pod(slice, &found) || find_podman_pod(slice, parent, &found))
			component.pod = found;
		else if (find_container(item, &found))
			component.container = found;
		rest = part_from(rest, item.len + !!colon);
	}
	if (is_unit(unescape_name(name)))
		component.unit = unescape_name(name);
	return component;
}

/* @parent	the component before; empty at first */
static bool next_component(const char **path, struct part *name, struct part *parent)
{
	*parent = *name;
	while (**path == '/')
		(*path)++;
	*name = (struct part){ *path, strcspn(*path, "/") };
	*path += name->len;
	return name->len;
}

static void copy_part(char *to, size_t size, struct part part)
{
	snprintf(to, size, "%.*s", (int)part.len, part.len ? part.s : "");
}

static void copy_pod(char *to, size_t size, struct part part)
{
	copy_part(to, size, part);
	for (char *c = to; *c; c++) {
		if (*c == '_')
			*c = '-';
	}
}

/*
 * Units below a component are those of a container's own systemd. LXC's and systemd-nspawn's
 * containers have no id; below the latter's unit, the container is in "payload".
 */
static bool begins_inside(struct part name, struct part parent)
{
	if (begins_with(name, "lxc.payload."))
		return true;
	if (name.len == strlen("payload") && begins_with(name, "payload") &&
	    (begins_with(parent, "systemd-nspawn@") ||
	     (begins_with(parent, "machine-") && ends_in(parent, ".scope"))))
		return true;
	return component_of(name, parent).container.len;
}

void cgroup_owner_of(const char *path, struct cgroup_owner *ret_owner)
{
	struct cgroup_owner *owner = ret_owner;
	struct part name = {}, parent;
	bool inside = false;

	*owner = (struct cgroup_owner){};
	while (path && next_component(&path, &name, &parent)) {
		struct component found = component_of(name, parent);

		if (found.pod.len) {
			copy_pod(owner->pod, sizeof(owner->pod), found.pod);
			owner->container[0] = '\0';
		}
		if (found.container.len && !owner->container[0])
			copy_part(owner->container, sizeof(owner->container), found.container);
		/* Units inside containers are ignored. */
		if (found.unit.len && !inside)
			copy_part(owner->unit, sizeof(owner->unit), found.unit);
		inside |= begins_inside(name, parent);
	}
}

/* @ret_parent	the component before; empty: none */
static struct part last_part(const char *path, struct part *ret_parent)
{
	struct part name = {}, next = {}, before;

	*ret_parent = name;
	while (next_component(&path, &next, &before)) {
		*ret_parent = before;
		name = next;
	}
	return name;
}

static struct component last_component(const char *path)
{
	struct part parent, name = last_part(path, &parent);

	return component_of(name, parent);
}

bool cgroup_begins_pod(const char *path, const char *pod)
{
	char text[CGROUP_OWNER_ID + 1];

	copy_pod(text, sizeof(text), last_component(path).pod);
	return *text && !strcmp(text, pod);
}

bool cgroup_begins_container(const char *path, const char *prefix)
{
	struct part found = last_component(path).container;
	size_t len = strlen(prefix);

	return len && len <= found.len && !memcmp(found.s, prefix, len);
}

/* Empty: the last component is inside a container. */
static struct part last_unit(const char *path)
{
	struct part name = {}, next = {}, before = {}, parent;
	bool inside = false;

	while (next_component(&path, &next, &parent)) {
		inside = inside || begins_inside(name, before);
		before = parent;
		name = next;
	}
	return inside ? (struct part){} : unescape_name(name);
}

bool cgroup_begins_unit(const char *path, const char *unit)
{
	struct part name = last_unit(path);

	return name.len && name.len == strlen(unit) && !memcmp(name.s, unit, name.len);
}

const char *cgroup_unit_name(const char *path)
{
	return last_unit(path).s ?: "";
}

bool cgroup_unit_has_kind(const char *unit)
{
	return unit_kind((struct part){ unit, strlen(unit) });
}
