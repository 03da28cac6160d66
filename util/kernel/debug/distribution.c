// SPDX-License-Identifier: BSD-2-Clause
/* os-release, and names of the packages with a kernel's debug info. */
#include "util/kernel/debug/distribution.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"

/* The value of a line KEY=value or KEY="value"; escapes are kept as they are. */
static bool take_value(const char *line, const char *key, char *value, size_t size)
{
	size_t len = strlen(key);
	char quote;

	if (strncmp(line, key, len) || line[len] != '=')
		return false;
	line += len + 1;
	quote = *line == '"' || *line == '\'' ? *line++ : '\n';
	len = 0;
	for (; *line && *line != quote && *line != '\n' && len + 1 < size; line++) {
		if (isprint((unsigned char)*line))
			value[len++] = *line;
	}
	value[len] = '\0';
	return true;
}

void distribution_read(const char *root, struct distribution *ret_os)
{
	static const char *const places[] = { "/etc/os-release", "/usr/lib/os-release" };
	_cleanup_(fclose_p) FILE *file = NULL;
	_cleanup_(free_p) char *line = NULL;
	struct distribution os = {};
	size_t cap = 0;

	for (size_t i = 0; !file && i < ARRAY_SIZE(places); i++) {
		_cleanup_(free_p) char *path = strf("%s%s", root, places[i]);

		file = path ? fopen(path, "re") : NULL;
	}
	while (file && getline(&line, &cap, file) > 0) {
		if (!take_value(line, "ID", os.id, sizeof(os.id)) &&
		    !take_value(line, "ID_LIKE", os.like, sizeof(os.like)))
			take_value(line, "PRETTY_NAME", os.name, sizeof(os.name));
	}
	*ret_os = os;
}

/* Whether "debian" is one of "ubuntu debian". */
static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (; *words; words += strcspn(words, " "), words += *words == ' ') {
		if (!strncmp(words, word, len) && (!words[len] || words[len] == ' '))
			return true;
	}
	return false;
}

static bool is_kind_of(const struct distribution *os, const char *id)
{
	return !strcmp(os->id, id) || has_word(os->like, id);
}

static bool ends_in(const char *text, const char *ending)
{
	size_t len = strlen(text), end = strlen(ending);

	return len > end && !strcmp(text + len - end, ending);
}

/* Debian's own releases end with the architecture as one word: 6.12.38+deb13-cloud-amd64. */
static bool debian_command(const char *release, struct strbuf *sb)
{
	static const char *const archs[] = { "-amd64",	 "-arm64",	"-686",		"-686-pae",
					     "-armmp",	 "-armmp-lpae", "-powerpc64le", "-s390x",
					     "-riscv64", "-loong64", "-arm64-16k" };

	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		if (ends_in(release, archs[i])) {
			strbuf_addf(sb, "apt install linux-image-%s-dbg", release);
			return true;
		}
	}
	return false;
}

/* 6.8.0-45-generic, 6.8.0-1015-aws; the package of the unsigned image has the image itself. */
static bool ubuntu_command(const char *release, struct strbuf *sb)
{
	int abi, flavour = 0;

	if (sscanf(release, "%*d.%*d.%*d-%d-%n", &abi, &flavour) != 1 || !flavour ||
	    !islower((unsigned char)release[flavour]))
		return false;
	strbuf_addf(sb, "apt install linux-image-unsigned-%s-dbgsym", release);
	return true;
}

/* 6.8.5-301.fc40.x86_64, 5.14.0-427.el9.x86_64+rt, 5.15.0-300.163.18.el9uek.x86_64. */
static bool red_hat(const char *release, struct strbuf *sb)
{
	const char *plus = strrchr(release, '+');
	size_t len = plus ? (size_t)(plus - release) : strlen(release);

	if (!strchr(release, '.') || !strchr(release, '-') ||
	    !(strstr(release, ".fc") || strstr(release, ".el") || strstr(release, ".amzn") ||
	      strstr(release, ".azl") || strstr(release, ".oe")))
		return false;
	strbuf_addf(sb, "dnf --enablerepo='*debug*' install kernel-%s%s%sdebuginfo-%.*s",
		    strstr(release, "uek.") ? "uek-" : "", plus ? plus + 1 : "", plus ? "-" : "",
		    (int)len, release);
	return true;
}

/* 6.4.0-150600.23.7-default: the flavour names the package; the text before it is the version. */
static bool suse_command(const char *release, struct strbuf *sb)
{
	const char *flavour = strrchr(release, '-');

	if (!flavour || !islower((unsigned char)flavour[1]))
		return false;
	strbuf_addf(sb, "zypper --plus-content debug install kernel-%s-debuginfo", flavour + 1);
	return true;
}

bool distribution_debug_command(const struct distribution *os, const char *release,
				struct strbuf *sb)
{
	/* Ubuntu is like Debian, so it comes first. */
	if (is_kind_of(os, "ubuntu"))
		return ubuntu_command(release, sb);
	if (is_kind_of(os, "debian"))
		return debian_command(release, sb);
	if (is_kind_of(os, "fedora") || is_kind_of(os, "rhel") || is_kind_of(os, "centos") ||
	    is_kind_of(os, "amzn") || is_kind_of(os, "ol") || is_kind_of(os, "azurelinux"))
		return red_hat(release, sb);
	if (is_kind_of(os, "suse") || is_kind_of(os, "opensuse") || is_kind_of(os, "sles"))
		return suse_command(release, sb);
	return false;
}

void distribution_debug_advice(const struct distribution *os, const char *release,
			       struct strbuf *sb)
{
	_cleanup_(strbuf_release) struct strbuf command = STRBUF_INIT;

	if (distribution_debug_command(os, release, &command))
		strbuf_addf(sb, "run '%s'%s", strbuf_str(&command),
			    is_kind_of(os, "ubuntu") ? ", with the archive of ddebs added" : "");
	else if (is_kind_of(os, "arch"))
		strbuf_addstr(sb,
			      "set DEBUGINFOD_URLS to Arch's server, which alone has it, and use "
			      "--debuginfod");
	else if (is_kind_of(os, "alpine"))
		strbuf_addstr(sb, "Alpine has no package of it; a kernel built with "
				  "CONFIG_DEBUG_INFO has it in its vmlinux");
	else
		strbuf_addstr(sb, "install the debug info of this kernel");
}
