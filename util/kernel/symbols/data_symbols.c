// SPDX-License-Identifier: BSD-2-Clause
/* Names of variables, from kallsyms. */
#include "util/kernel/symbols/data_symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/kernel/symbols/symbols_internal.h"
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
 * Whether a symbol may be a variable: not a marker of a section's beginning or end, or inside a module. The type
 * does not tell data from code: 7.2 has T for variables.
 */
static bool may_be_variable(const char *name, size_t len, bool in_module)
{
	return !startswith(name, "__start_") && !startswith(name, "__stop_") &&
	       !(in_module && symbol_is_mapping(name, len));
}

struct sought_variable {
	uint64_t addr;
	char *name;
};

/* A symbol_teller. */
static int look_at(void *arg, const struct told_symbol *told)
{
	struct sought_variable *sought = arg;

	if (told->addr != sought->addr || !may_be_variable(told->name, told->name_len, told->module))
		return 0;
	sought->name = strndup(told->name, told->name_len);
	return sought->name ? -EEXIST : -ENOMEM;
}

/* "ffffffff82a12340 D init_user_ns\t[module]" */
static int look_at_line(struct sought_variable *sought, const char *line, const char *digits)
{
	const char *name = line + NAME_AT;
	struct told_symbol told = { .addr = sought->addr, .name = name };

	if (strncmp(line, digits, 16) || strlen(line) <= NAME_AT || line[16] != ' ' || line[18] != ' ')
		return 0;
	told.name_len = strcspn(name, " \t\n");
	told.module = strchr(name + told.name_len, '[');
	return look_at(sought, &told);
}

static void look_in_text(struct sought_variable *sought, const char *path)
{
	_cleanup_(fclose_p) FILE *file = fopen(path, "re");
	_cleanup_(free_p) char *line = NULL;
	char digits[17];
	size_t cap = 0;
	int err = 0;

	snprintf(digits, sizeof(digits), "%016" PRIx64, sought->addr);
	while (file && !err && getline(&line, &cap, file) > 0)
		err = look_at_line(sought, line, digits);
}

const char *data_symbol_name(struct data_symbols *symbols, uint64_t addr)
{
	struct sought_variable sought = { .addr = addr };
	int err = -ENOENT;

	vec_foreach(known, &symbols->v) {
		if (known->addr == addr)
			return known->name;
	}
	/* The kernel takes five times as long to print them all as they take in its memory. */
	if (!symbols->path)
		err = symbols_tell_from_memory(symbols->types, look_at, &sought);
	if (err && err != -EEXIST)
		look_in_text(&sought, symbols->path ?: "/proc/kallsyms");
	if (vec_push(&symbols->v, (struct data_symbol){ addr, sought.name })) {
		free(sought.name);
		return NULL;
	}
	return sought.name;
}

void data_symbols_release(struct data_symbols *symbols)
{
	vec_foreach(known, &symbols->v)
		free(known->name);
	vec_release(&symbols->v);
}
