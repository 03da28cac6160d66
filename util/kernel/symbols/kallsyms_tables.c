// SPDX-License-Identifier: BSD-2-Clause
/*
 * Names in the kernel are a type's letter and a name, as tokens: bytes that stand for pieces of text
 * (scripts/kallsyms.c and kernel/kallsyms.c, Linux 6.0 to 7.2).
 */
#include "util/kernel/symbols/kallsyms_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"

#define MAX_SYMBOLS (1 << 21)
#define MAX_NAMES (64 << 20)	/* bytes */
#define MAX_TOKENS (64 << 10)	/* bytes */
#define NR_TOKENS 256
#define MARKED 256		/* each such name's place is in kallsyms_markers */
#define AT_ONCE 16		/* bytes copied of a token; most are shorter */

struct token {
	char start[AT_ONCE];	/* as much of the text as there is room for */
	uint32_t len;
	const char *text;
};

struct tables {
	uint32_t nr;
	uint64_t names_addr, offsets_addr;
	const uint8_t *names;
	size_t names_size;	/* with the markers */
	const int32_t *offsets;
	bool has_base;		/* offsets are from there; else each is from its own place (7.x) */
	bool absolute_per_cpu;	/* not negative: addresses (CONFIG_KALLSYMS_ABSOLUTE_PERCPU) */
	uint64_t base;
	struct token tokens[NR_TOKENS];
};

int vmcoreinfo_symbol(const char *vmcoreinfo, const char *name, uint64_t *ret_addr)
{
	size_t len = strlen(name);

	for (const char *line = vmcoreinfo; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (startswith(line, "SYMBOL(") && !strncmp(line + 7, name, len) &&
		    startswith(line + 7 + len, ")=")) {
			*ret_addr = strtoull(line + 7 + len + 2, NULL, 16);
			return *ret_addr ? 0 : -ENOENT;
		}
	}
	return -ENOENT;
}

static uint64_t address_of(const struct tables *t, uint32_t i)
{
	int32_t offset = t->offsets[i];

	if (!t->has_base)
		return t->offsets_addr + i * sizeof(offset) + offset;
	if (!t->absolute_per_cpu)
		return t->base + (uint32_t)offset;
	return offset >= 0 ? (uint64_t)offset : t->base - 1 - offset;
}

/* The tokens of the name at *at, which becomes the next name's place. NULL: that is no name. */
static const uint8_t *next_name(const struct tables *t, size_t *at, uint32_t *ret_nr)
{
	const uint8_t *end = t->names + t->names_size, *p = t->names + *at;
	uint32_t nr;

	if (end - p < 2)
		return NULL;
	nr = *p++;
	/* Since 6.1; in 6.0 no name is so long. */
	if (nr & 0x80)
		nr = (nr & 0x7f) | *p++ << 7;
	if (!nr || end - p < nr)
		return NULL;
	*at = p + nr - t->names;
	*ret_nr = nr;
	return p;
}

/* Room for as many tokens as the longest name can have, and for what is copied beyond the last one. */
#define TEXT_ROOM (SYMBOL_NAME_ROOM + SYMBOL_NAME_ROOM * AT_ONCE)

/*
 * The text, type first. Returns its length; 0: too long. There are two million tokens: that the text is
 * too long is only looked for where a token is, and at the end.
 */
static size_t expand(const struct tables *t, const uint8_t *name, uint32_t nr, char text[TEXT_ROOM])
{
	char *end = text;

	if (nr >= SYMBOL_NAME_ROOM)
		return 0;
	for (uint32_t i = 0; i < nr; i++) {
		const struct token *token = t->tokens + name[i];

		memcpy(end, token->start, AT_ONCE);
		if (token->len > AT_ONCE) {
			if (end - text + token->len >= SYMBOL_NAME_ROOM)
				return 0;
			memcpy(end, token->text, token->len);
		}
		end += token->len;
	}
	*end = '\0';
	return end - text < SYMBOL_NAME_ROOM ? end - text : 0;
}

/* Whether all names are where the kernel's markers say, which follow them. */
static bool is_marked(const struct tables *t)
{
	uint32_t nr_markers = (t->nr + MARKED - 1) / MARKED;
	_cleanup_(free_p) uint32_t *places = calloc(nr_markers, sizeof(*places));
	size_t at = 0, size = nr_markers * sizeof(*places);
	uint32_t nr_tokens;

	for (uint32_t i = 0; places && i < t->nr; i++) {
		if (i % MARKED == 0)
			places[i / MARKED] = at;
		if (!next_name(t, &at, &nr_tokens))
			return false;
	}
	/* Aligned to 8 bytes in 6.1, to 4 in 7.2. */
	for (uint64_t align = 4; places && align <= 8; align *= 2) {
		size_t markers = ((t->names_addr + at + align - 1) & ~(align - 1)) - t->names_addr;

		if (t->names_size >= markers && t->names_size - markers >= size &&
		    !memcmp(t->names + markers, places, size))
			return true;
	}
	return false;
}

static int tell_all(const struct tables *t, symbol_teller tell, void *arg)
{
	char text[TEXT_ROOM];
	size_t at = 0;

	for (uint32_t i = 0; i < t->nr; i++) {
		uint32_t nr;
		const uint8_t *name = next_name(t, &at, &nr);
		size_t len = name ? expand(t, name, nr, text) : 0;
		struct told_symbol told = { .addr = address_of(t, i), .type = text[0] };
		int err;

		if (!len)
			return -EBADMSG;
		/* Some have none; s_show() in kernel/kallsyms.c leaves them out, too. */
		if (len == 1)
			continue;
		told.name = text + 1;
		told.name_len = len - 1;
		err = tell(arg, &told);
		if (err)
			return err;
	}
	return 0;
}

struct sought {
	const char *name;
	uint64_t addr;
	bool found;
};

/* A symbol_teller. */
static int find_sought(void *arg, const struct told_symbol *told)
{
	struct sought *sought = arg;

	sought->found |= told->addr == sought->addr && told->name_len == strlen(sought->name) &&
			 !memcmp(told->name, sought->name, told->name_len);
	return sought->found;
}

static int find_tokens(struct tables *t, const char *texts, size_t size, const uint16_t index[NR_TOKENS])
{
	for (int i = 0; i < NR_TOKENS; i++) {
		if (index[i] >= size)
			return -EBADMSG;
		t->tokens[i].text = texts + index[i];
		t->tokens[i].len = strnlen(texts + index[i], size - index[i]);
		memcpy(t->tokens[i].start, texts + index[i], AT_ONCE);
	}
	return 0;
}

/* Where the tables are; 0 the base: there is none. */
struct table_addrs {
	uint64_t names, nr, tokens, token_index, offsets, base, stext;
};

static int find_tables(const char *vmcoreinfo, struct table_addrs *ret)
{
	int err = vmcoreinfo_symbol(vmcoreinfo, "kallsyms_names", &ret->names);

	err = err ?: vmcoreinfo_symbol(vmcoreinfo, "kallsyms_num_syms", &ret->nr);
	err = err ?: vmcoreinfo_symbol(vmcoreinfo, "kallsyms_token_table", &ret->tokens);
	err = err ?: vmcoreinfo_symbol(vmcoreinfo, "kallsyms_token_index", &ret->token_index);
	err = err ?: vmcoreinfo_symbol(vmcoreinfo, "kallsyms_offsets", &ret->offsets);
	err = err ?: vmcoreinfo_symbol(vmcoreinfo, "_stext", &ret->stext);
	if (err)
		return err;
	if (vmcoreinfo_symbol(vmcoreinfo, "kallsyms_relative_base", &ret->base))
		ret->base = 0;
	/* The names end before the tokens, in all versions, and these before their index. */
	if (ret->names >= ret->tokens || ret->tokens - ret->names > MAX_NAMES ||
	    ret->tokens >= ret->token_index || ret->token_index - ret->tokens > MAX_TOKENS)
		return -EBADMSG;
	return 0;
}

/* Prove the tables, then tell. */
static int prove_and_tell(const struct tables *t, uint64_t stext, symbol_teller tell, void *arg)
{
	struct sought sought = { .name = "_stext", .addr = stext };

	if (!is_marked(t))
		return -EBADMSG;
	tell_all(t, find_sought, &sought);
	return sought.found ? tell_all(t, tell, arg) : -EBADMSG;
}

int kallsyms_tables_tell(const struct code_source *memory, const char *vmcoreinfo, symbol_teller tell,
			 void *arg)
{
	_cleanup_(free_p) uint8_t *names = NULL;
	_cleanup_(free_p) char *tokens = NULL;
	_cleanup_(free_p) int32_t *offsets = NULL;
	uint16_t token_index[NR_TOKENS];
	struct table_addrs at = {};
	struct tables t = {};
	size_t tokens_size;
	int err = find_tables(vmcoreinfo, &at);

	err = err ?: code_source_read(memory, at.nr, &t.nr, sizeof(t.nr));
	if (err)
		return err;
	if (!t.nr || t.nr > MAX_SYMBOLS)
		return -EBADMSG;
	t.has_base = at.base;
	t.names_addr = at.names;
	t.offsets_addr = at.offsets;
	t.names_size = at.tokens - at.names;
	tokens_size = at.token_index - at.tokens;
	names = malloc(t.names_size);
	tokens = calloc(1, tokens_size + AT_ONCE);
	offsets = calloc(t.nr, sizeof(*offsets));
	if (!names || !tokens || !offsets)
		return -ENOMEM;
	err = code_source_read(memory, at.names, names, t.names_size);
	err = err ?: code_source_read(memory, at.tokens, tokens, tokens_size);
	err = err ?: code_source_read(memory, at.token_index, token_index, sizeof(token_index));
	err = err ?: code_source_read(memory, at.offsets, offsets, t.nr * sizeof(*offsets));
	if (!err && at.base)
		err = code_source_read(memory, at.base, &t.base, sizeof(t.base));
	t.names = names;
	t.offsets = offsets;
	/* The last symbol is no per-CPU variable, and within 2 GiB of the base. */
	t.absolute_per_cpu = at.base && offsets[t.nr - 1] < 0;
	err = err ?: find_tokens(&t, tokens, tokens_size, token_index);
	return err ?: prove_and_tell(&t, at.stext, tell, arg);
}
