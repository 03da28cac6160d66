/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Patterns of --cgroup, --pod, --container and --unit: match paths of current and future cgroups.
 */
#ifndef RETSNOOP_ASK_CGROUP_PATTERN_H
#define RETSNOOP_ASK_CGROUP_PATTERN_H

#include <stdbool.h>

enum cgroup_pattern_kind {
	CGROUP_GLOB,		/* of the path below the root of the hierarchy */
	CGROUP_POD,
	CGROUP_CONTAINER,	/* the id, or its beginning */
	CGROUP_UNIT,		/* a name, or a glob of names */
};

struct cgroup_pattern {
	enum cgroup_pattern_kind kind;
	char *text;	/* owned */
};

/* @return	0; -EINVAL, -ENOMEM (reported) */
int cgroup_pattern_parse(enum cgroup_pattern_kind kind, const char *text,
			 struct cgroup_pattern *ret_pattern);

/* Match the cgroup itself; cgroups below it are selected with it. */
bool cgroup_pattern_matches(const struct cgroup_pattern *pattern, const char *path);

/* "--pod" */
const char *cgroup_pattern_option(const struct cgroup_pattern *pattern);

#endif
