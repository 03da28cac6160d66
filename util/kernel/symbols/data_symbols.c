// SPDX-License-Identifier: BSD-2-Clause
/* Names of variables, from kallsyms. */
#include "util/kernel/symbols/data_symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/kernel/types/symbol_variant.h"

#define NAME_AT 19
/* The kernel and its modules are within this many bytes of each other. */
#define NEAR_CODE (1ll << 31)

bool data_symbol_is_near(uint64_t number, uint64_t code)
{
	int64_t away = number - code;

	/* Small numbers are near the kernel's last addresses, and kallsyms has offsets in per-CPU data. */
	return (int64_t)number < 0 && away < NEAR_CODE && away > -NEAR_CODE;
}

/*
 * "ffffffff82a12340 D init_user_ns\t[module]": the length of the name, which is at line + NAME_AT.
 * 0: another address, or a marker of a section's beginning or end, or inside a module. The type does not
 * tell data from code: 7.2 has T for variables.
 */
static size_t name_in(const char *line, const char *digits)
{
	const char *name = line + NAME_AT;
	size_t len;

	if (strncmp(line, digits, 16) || strlen(line) <= NAME_AT || line[16] != ' ' ||
	    line[18] != ' ' || startswith(name, "__start_") || startswith(name, "__stop_"))
		return 0;
	len = strcspn(name, " \t\n");
	return strchr(name + len, '[') && symbol_is_mapping(name, len) ? 0 : len;
}

static char *find_name(const char *path, uint64_t addr)
{
	_cleanup_(fclose_p) FILE *file = fopen(path, "re");
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0, len = 0;
	char digits[17];

	snprintf(digits, sizeof(digits), "%016" PRIx64, addr);
	while (file && !len && getline(&line, &cap, file) > 0)
		len = name_in(line, digits);
	return len ? strndup(line + NAME_AT, len) : NULL;
}

const char *data_symbol_name(struct data_symbols *symbols, uint64_t addr)
{
	char *name;

	vec_foreach(known, &symbols->v) {
		if (known->addr == addr)
			return known->name;
	}
	name = find_name(symbols->path ?: "/proc/kallsyms", addr);
	if (vec_push(&symbols->v, (struct data_symbol){ addr, name })) {
		free(name);
		return NULL;
	}
	return name;
}

void data_symbols_release(struct data_symbols *symbols)
{
	vec_foreach(known, &symbols->v)
		free(known->name);
	vec_release(&symbols->v);
}
