// SPDX-License-Identifier: BSD-2-Clause
/* Suffixes that compilers append to the names of functions. */
#include "util/kernel/types/symbol_variant.h"

#include <string.h>

#include "util/base/macros.h"

#define DIGITS "0123456789"

size_t symbol_known_length(const char *name)
{
	static const char *const appended[] = { ".llvm.", ".lto_priv." };
	const char *dot = strchr(name, '.');

	for (size_t i = 0; dot && i < ARRAY_SIZE(appended); i++) {
		const char *at = strstr(dot, appended[i]), *number;

		if (!at || at == name)
			continue;
		number = at + strlen(appended[i]);
		if (*number && !number[strspn(number, DIGITS)])
			return at - name;
	}
	return strlen(name);
}

static bool is_word(const char *part, size_t len, const char *word)
{
	return strlen(word) == len && !strncmp(part, word, len);
}

bool symbol_known_name(const char *name, char known[SYMBOL_NAME_SIZE])
{
	size_t len = symbol_known_length(name);

	if (!name[len] || len >= SYMBOL_NAME_SIZE)
		return false;
	memcpy(known, name, len);
	known[len] = '\0';
	return true;
}

enum symbol_variant symbol_variant(const char *name)
{
	size_t known = symbol_known_length(name), len;
	const char *dot = memchr(name, '.', known);
	enum symbol_variant variant = VARIANT_NONE;

	if (!dot || dot == name)
		return name[known] ? VARIANT_RENAMED : VARIANT_NONE;
	for (const char *part = dot + 1; part <= name + known; part += len + 1) {
		len = strcspn(part, ".");
		if (is_word(part, len, "cold"))
			return VARIANT_COLD;
		if (is_word(part, len, "constprop"))
			variant = variant ?: VARIANT_CLONE;
		else if (!variant || strspn(part, DIGITS) < len)
			variant = VARIANT_CHANGED;
	}
	return variant;
}

bool symbol_is_mapping(const char *name, size_t len)
{
	return len && (*name == '$' || (len > 1 && (!memcmp(name, ".L", 2) || !memcmp(name, "L0", 2))));
}
