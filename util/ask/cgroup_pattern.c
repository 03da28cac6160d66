// SPDX-License-Identifier: BSD-2-Clause
/* Patterns of --cgroup, --pod, --container and --unit. */
#include "util/ask/cgroup_pattern.h"

#include <errno.h>
#include <string.h>

#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/glob.h"
#include "util/kernel/machine/cgroup_owner.h"

static const char hex[] = "0123456789abcdef";

/* A UID has 36 characters, that of a static pod 32, the id of a podman pod 64. */
static int parse_pod(const char *text, char **ret_text)
{
	size_t len = strspn(text, "0123456789abcdef-_"), digits = strspn(text, hex);
	bool uid = len == 36 && text[8] == text[13] && text[8] == text[18] && text[8] == text[23] &&
		   digits == 8;

	if (text[len] || !(uid || (digits == len && (len == 32 || len == CGROUP_OWNER_ID))))
		return report(-EINVAL, "--pod: '%s' is not a pod's UID; \"kubectl get pod NAME -o "
			      "jsonpath='{.metadata.uid}'\" prints it", text);
	*ret_text = strdup(text);
	for (char *c = *ret_text; c && *c; c++) {
		if (*c == '_')
			*c = '-';
	}
	return *ret_text ? 0 : report_oom();
}

/* kubectl(1) prints ids as "containerd://ID". */
static int parse_container(const char *text, char **ret_text)
{
	const char *scheme = strstr(text, "://"), *id = scheme ? scheme + 3 : text;
	size_t len = strspn(id, hex);

	if (!len || id[len] || len > CGROUP_OWNER_ID)
		return report(-EINVAL, "--container: '%s' is not a container's id, nor the beginning "
			      "of one; docker, podman and crictl print it with 'ps'", text);
	*ret_text = strdup(id);
	return *ret_text ? 0 : report_oom();
}

/* As in systemctl(1): a name without a suffix is a service. */
static int parse_unit(const char *text, char **ret_text)
{
	if (!*text || strchr(text, '/'))
		return report(-EINVAL, "--unit: '%s' is not the name of a unit; try ssh.service or "
			      "'web*.service', or --cgroup with a path", text);
	*ret_text = strf("%s%s", text, cgroup_unit_has_kind(text) || is_glob(text) ? "" : ".service");
	return *ret_text ? 0 : report_oom();
}

/* Paths begin at the root of the hierarchy, as other tools print them. */
static int parse_glob(const char *text, char **ret_text)
{
	*ret_text = strf("%s%s", *text == '/' || *text == '*' ? "" : "/", text);
	return *ret_text ? 0 : report_oom();
}

int cgroup_pattern_parse(enum cgroup_pattern_kind kind, const char *text,
			 struct cgroup_pattern *ret_pattern)
{
	static int (*const parse[])(const char *, char **) = {
		[CGROUP_GLOB] = parse_glob,
		[CGROUP_POD] = parse_pod,
		[CGROUP_CONTAINER] = parse_container,
		[CGROUP_UNIT] = parse_unit,
	};

	*ret_pattern = (struct cgroup_pattern){ .kind = kind };
	return parse[kind](text, &ret_pattern->text);
}

static bool unit_matches(const char *unit, const char *path)
{
	const char *name = cgroup_unit_name(path);

	if (!is_glob(unit))
		return cgroup_begins_unit(path, unit);
	return cgroup_unit_has_kind(name) && glob_matches(unit, name);
}

bool cgroup_pattern_matches(const struct cgroup_pattern *pattern, const char *path)
{
	switch (pattern->kind) {
	case CGROUP_GLOB:
		return glob_matches(pattern->text, path);
	case CGROUP_POD:
		return cgroup_begins_pod(path, pattern->text);
	case CGROUP_CONTAINER:
		return cgroup_begins_container(path, pattern->text);
	case CGROUP_UNIT:
		return unit_matches(pattern->text, path);
	}
	return false;
}

const char *cgroup_pattern_option(const struct cgroup_pattern *pattern)
{
	static const char *const options[] = { "--cgroup", "--pod", "--container", "--unit" };

	return options[pattern->kind];
}
