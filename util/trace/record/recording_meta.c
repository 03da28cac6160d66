// SPDX-License-Identifier: BSD-2-Clause
/* META, CLOCK, CGROUPS and MODULES chunks. In META, keys and values, each with its size. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/settings.h"
#include "util/base/macros.h"
#include "util/kernel/machine/cgroup_names.h"
#include "util/trace/record/recording.h"
#include "util/trace/record/recording_format.h"
#include "util/trace/record/wire.h"

/* Keys never change. */
enum meta_key {
	META_TOOL = 1,
	META_COMMAND_LINE = 2,
	META_RELEASE = 3,
	META_MACHINE = 4,
	META_BUILD_ID = 5,
	META_ANCHOR = 6,
	META_CLOCK = 7,
	META_RUN = 8,
	META_MODES = 9,
	/* settings_meta_key: 10 to 13, 18 */
	META_SELECTION = 14,
	META_ERROR_RULES = 15,
	META_TRAMPOLINE = 16,
	META_HOST = 17,
	/* 18: settings */
	META_CLOCK_SYNC = 19,
	META_BOOT = 20,
};

_Static_assert(CLOCK_SYNC_UNKNOWN == 0 && CLOCK_SYNC_YES == 1 && CLOCK_SYNC_NO == 2,
	       "clock_sync is a file format");

_Static_assert(MODE_STACK == 1 && MODE_TRACE == 2 && MODE_ARGS == 4 && MODE_BRANCHES == 8,
	       "modes are a file format");
_Static_assert(ARGS_COMPACT == 0 && ARGS_MULTILINE == 1 && ARGS_VERBOSE == 2,
	       "args_mode is a file format");
_Static_assert(SYMBOLIZE_AUTO == 0 && SYMBOLIZE_NONE == 1 && SYMBOLIZE_LINES == 2 &&
		       SYMBOLIZE_INLINES == 3,
	       "symbolize_level is a file format");
_Static_assert(SHOW_CGROUP == 1 && SHOW_UID == 2 && SHOW_CPU == 4 && DURATIONS_AUTO == 0 &&
		       DURATIONS_US == 1,
	       "what is shown is a file format");
_Static_assert(TERM_EQ == 0 && TERM_NE == 1 && TERM_LT == 2 && TERM_LE == 3 && TERM_GT == 4 &&
		       TERM_GE == 5,
	       "term_op is a file format");

static char *printable_text(const void *data, size_t size)
{
	char *text;

	if (size > RECORDING_MAX_STRING)
		return NULL;
	text = malloc(size + 1);
	if (!text)
		return NULL;
	for (size_t i = 0; i < size; i++) {
		char c = ((const char *)data)[i];

		text[i] = c >= ' ' && c < 0x7f ? c : '?';
	}
	text[size] = '\0';
	return text;
}

char *recording_get_text(struct wire *wire)
{
	size_t size;
	const void *data = wire_get_bytes(wire, &size);
	char *text = wire->bad ? NULL : printable_text(data, size);

	wire->bad |= !text;
	return text;
}

/* Add what is kept of a recording to a sum, which has a limit. @text may be NULL */
static void count_bytes(struct wire *wire, size_t *sum, size_t size, const char *text)
{
	*sum += size + (text ? strlen(text) + 1 : 0);
	wire->bad |= *sum > RECORDING_MAX_NAME_BYTES;
}

const char *recording_get_name(struct wire *wire, struct recording_strings *strings)
{
	char *text = recording_get_text(wire);

	count_bytes(wire, &strings->bytes, 0, text);
	if (!wire->bad && *text && !vec_push(&strings->v, text))
		return text;
	wire->bad |= text && *text;
	free(text);
	return NULL;
}

void recording_strings_release(struct recording_strings *strings)
{
	vec_foreach(string, &strings->v)
		free(*string);
	vec_release(&strings->v);
}

static size_t begin_key(struct strbuf *sb, uint16_t key)
{
	wire_put_u16(sb, key);
	return wire_begin_item(sb);
}

static void put_text_key(struct strbuf *sb, uint16_t key, const char *text)
{
	size_t item;

	if (!text)
		return;
	item = begin_key(sb, key);
	wire_put_string(sb, text);
	wire_end_item(sb, item);
}

static void put_build_id(struct strbuf *sb, const struct build_id *id)
{
	wire_put_bytes(sb, id->bytes, id->len);
}

static void get_build_id(struct wire *wire, struct build_id *id)
{
	size_t size;
	const void *data = wire_get_bytes(wire, &size);

	if (size > sizeof(id->bytes)) {
		wire->bad = true;
		return;
	}
	memcpy(id->bytes, data, size);
	id->len = size;
}

static void put_rules(struct strbuf *sb, const struct recording_meta *meta)
{
	size_t key = begin_key(sb, META_ERROR_RULES), item;

	wire_put_u32(sb, meta->error_rules.len);
	vec_foreach(rule, &meta->error_rules) {
		const struct config_terms *terms = &rule->expr.terms;

		item = wire_begin_item(sb);
		wire_put_string(sb, rule->expr.text);
		wire_put_u32(sb, terms->nr);
		for (uint32_t i = 0; i < terms->nr && i < CONFIG_TERMS; i++) {
			wire_put_u32(sb, terms->terms[i].op);
			wire_put_u64(sb, terms->terms[i].value);
		}
		wire_end_item(sb, item);
	}
	wire_end_item(sb, key);
}

static void put_number(struct strbuf *sb, uint64_t number, uint8_t size)
{
	if (size == 1)
		wire_put_u8(sb, number);
	else if (size == 4)
		wire_put_u32(sb, number);
	else
		wire_put_u64(sb, number);
}

static uint64_t get_number(struct wire *wire, uint8_t size)
{
	return size == 1 ? wire_get_u8(wire) :
	       size == 4 ? wire_get_u32(wire) :
			   wire_get_u64(wire);
}

static void put_settings(struct strbuf *sb, const struct trace_request *request)
{
	static const uint16_t keys[] = META_SETTINGS;
	const struct setting *setting;

	for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
		size_t item = begin_key(sb, keys[k]);

		for (unsigned int i = 0; (setting = settings_recorded(keys[k], i)); i++)
			put_number(sb, setting_get(setting, request), setting->recorded.size);
		wire_end_item(sb, item);
	}
}

static void get_settings(uint16_t key, struct wire *wire, struct trace_request *request)
{
	const struct setting *setting;

	for (unsigned int i = 0; (setting = settings_recorded(key, i)); i++) {
		uint64_t value = get_number(wire, setting->recorded.size);

		if (setting->type == SETTING_FLAG)
			value = !!value;
		else
			wire->bad |= value > setting->max;
		setting_put(setting, request, value);
	}
}

void recording_put_meta(struct strbuf *sb, const struct recording_meta *meta)
{
	size_t item;

	put_text_key(sb, META_TOOL, meta->tool);
	put_text_key(sb, META_COMMAND_LINE, meta->command_line);
	put_text_key(sb, META_HOST, meta->host);
	put_text_key(sb, META_RELEASE, meta->kernel.release);
	put_text_key(sb, META_MACHINE, meta->kernel.machine);
	item = begin_key(sb, META_BUILD_ID);
	put_build_id(sb, &meta->kernel.build_id);
	wire_end_item(sb, item);
	if (meta->kernel.anchor) {
		item = begin_key(sb, META_ANCHOR);
		wire_put_string(sb, meta->kernel.anchor);
		wire_put_u64(sb, meta->kernel.anchor_addr);
		wire_end_item(sb, item);
	}
	item = begin_key(sb, META_CLOCK);
	wire_put_u64(sb, meta->clock.offset_ns);
	wire_put_u32(sb, meta->utc_offset_s);
	wire_put_u64(sb, meta->start_ns);
	wire_end_item(sb, item);
	item = begin_key(sb, META_CLOCK_SYNC);
	wire_put_u8(sb, meta->clock_sync);
	wire_put_u64(sb, meta->clock_error_us);
	wire_end_item(sb, item);
	item = begin_key(sb, META_BOOT);
	strbuf_add(sb, meta->kernel.boot, sizeof(meta->kernel.boot));
	wire_end_item(sb, item);
	item = begin_key(sb, META_RUN);
	strbuf_add(sb, meta->run, sizeof(meta->run));
	wire_put_u32(sb, meta->part);
	wire_end_item(sb, item);
	item = begin_key(sb, META_MODES);
	wire_put_u32(sb, meta->modes);
	wire_put_u32(sb, meta->shown_modes);
	wire_end_item(sb, item);
	put_settings(sb, &meta->settings);
	item = begin_key(sb, META_SELECTION);
	wire_put_u8(sb, meta->successes);
	wire_put_u8(sb, meta->interim);
	wire_end_item(sb, item);
	put_rules(sb, meta);
	item = begin_key(sb, META_TRAMPOLINE);
	wire_put_u64(sb, meta->trampoline);
	wire_put_u64(sb, meta->trampoline_end);
	wire_end_item(sb, item);
}

/* If a key comes twice, the last value counts. */
static void get_text(struct wire *wire, char **text)
{
	free(*text);
	*text = recording_get_text(wire);
}

/* A name that is part of paths. */
static void get_path_part(struct wire *wire, char **text)
{
	get_text(wire, text);
	for (char *c = *text; c && *c; c++) {
		if (*c == '/' || (*c == '.' && c == *text))
			*c = '?';
	}
}

static void get_rule(struct wire *list, struct recording_meta *meta)
{
	struct wire item = wire_get_item(list);
	struct error_rule rule = { .expr.text = recording_get_text(&item) };
	struct config_terms *terms = &rule.expr.terms;

	terms->nr = wire_get_u32(&item);
	if (terms->nr > CONFIG_TERMS)
		item.bad = true;
	for (uint32_t i = 0; !item.bad && i < terms->nr; i++) {
		terms->terms[i].op = wire_get_u32(&item);
		terms->terms[i].value = wire_get_u64(&item);
		item.bad |= terms->terms[i].op > TERM_GE;
	}
	if (item.bad || vec_push(&meta->error_rules, rule)) {
		list->bad = true;
		error_rule_release(&rule);
	}
}

static void get_rules(struct wire *wire, struct recording_meta *meta)
{
	uint32_t nr = wire_get_count(wire, 8);

	wire->bad |= nr > CONFIG_RULES || meta->error_rules.len;
	for (uint32_t i = 0; i < nr && !wire->bad; i++)
		get_rule(wire, meta);
}

static void get_modes(struct wire *wire, struct recording_meta *meta)
{
	const unsigned int known = MODE_STACK | MODE_TRACE | MODE_ARGS | MODE_BRANCHES;

	meta->modes = wire_get_u32(wire) & known;
	meta->shown_modes = wire_get_u32(wire) & known;
}

static void get_clock_sync(struct wire *wire, struct recording_meta *meta)
{
	meta->clock_sync = wire_get_u8(wire);
	meta->clock_error_us = wire_get_u64(wire);
	wire->bad |= meta->clock_sync > CLOCK_SYNC_NO;
}

static void get_id(struct wire *wire, uint8_t *id, size_t size)
{
	const void *data = wire_take(wire, size);

	if (data)
		memcpy(id, data, size);
}

static void get_value(uint16_t key, struct wire *wire, struct recording_meta *meta)
{
	switch (key) {
	case META_TOOL:
		get_text(wire, &meta->tool);
		break;
	case META_COMMAND_LINE:
		get_text(wire, &meta->command_line);
		break;
	case META_HOST:
		get_text(wire, &meta->host);
		break;
	case META_RELEASE:
		get_path_part(wire, &meta->kernel.release);
		break;
	case META_MACHINE:
		get_text(wire, &meta->kernel.machine);
		break;
	case META_BUILD_ID:
		get_build_id(wire, &meta->kernel.build_id);
		break;
	case META_ANCHOR:
		get_text(wire, &meta->kernel.anchor);
		meta->kernel.anchor_addr = wire_get_u64(wire);
		break;
	case META_CLOCK:
		meta->clock.offset_ns = wire_get_u64(wire);
		meta->utc_offset_s = wire_get_u32(wire);
		meta->start_ns = wire_get_u64(wire);
		break;
	case META_CLOCK_SYNC:
		get_clock_sync(wire, meta);
		break;
	case META_BOOT:
		get_id(wire, meta->kernel.boot, sizeof(meta->kernel.boot));
		break;
	case META_RUN:
		get_id(wire, meta->run, sizeof(meta->run));
		meta->part = wire_get_u32(wire);
		break;
	case META_MODES:
		get_modes(wire, meta);
		break;
	case META_SELECTION:
		meta->successes = wire_get_u8(wire);
		meta->interim = wire_get_u8(wire);
		break;
	case META_ERROR_RULES:
		get_rules(wire, meta);
		break;
	case META_TRAMPOLINE:
		meta->trampoline = wire_get_u64(wire);
		meta->trampoline_end = wire_get_u64(wire);
		break;
	default:
		/* Keys of settings. Keys of newer versions have none. */
		get_settings(key, wire, &meta->settings);
	}
}

int recording_get_meta(const void *data, size_t size, struct recording_meta *ret_meta)
{
	struct recording_meta meta = {};
	struct wire wire = wire_of(data, size);

	while (wire_left(&wire) && !wire.bad) {
		uint16_t key = wire_get_u16(&wire);
		struct wire value = wire_get_item(&wire);

		get_value(key, &value, &meta);
		wire.bad |= value.bad;
	}
	if (wire.bad) {
		recording_meta_release(&meta);
		return -EBADMSG;
	}
	*ret_meta = meta;
	return 0;
}

void recording_meta_release(struct recording_meta *meta)
{
	free(meta->tool);
	free(meta->command_line);
	free(meta->host);
	recorded_kernel_release(&meta->kernel);
	vec_foreach(rule, &meta->error_rules)
		error_rule_release(rule);
	vec_release(&meta->error_rules);
	wall_clock_release(&meta->clock);
	*meta = (struct recording_meta){};
}

/* CLOCK: times and offsets. */

void recording_put_clock(struct strbuf *sb, const struct wall_change *changes, size_t nr)
{
	wire_put_u32(sb, nr);
	for (size_t i = 0; i < nr; i++) {
		size_t item = wire_begin_item(sb);

		wire_put_u64(sb, changes[i].from_ns);
		wire_put_u64(sb, changes[i].offset_ns);
		wire_end_item(sb, item);
	}
}

int recording_get_clock(const void *data, size_t size, struct wall_clock *clock)
{
	struct wire wire = wire_of(data, size);
	uint32_t nr = wire_get_count(&wire, 4);

	if (nr > RECORDING_MAX_CLOCK_CHANGES - clock->changes.len)
		return -EBADMSG;
	for (uint32_t i = 0; i < nr && !wire.bad; i++) {
		struct wire item = wire_get_item(&wire);
		uint64_t from_ns = wire_get_u64(&item);
		int64_t offset_ns = wire_get_u64(&item);
		size_t have = clock->changes.len;

		if (item.bad || (have && from_ns < clock->changes.data[have - 1].from_ns))
			return -EBADMSG;
		if (vec_push(&clock->changes, (struct wall_change){ from_ns, offset_ns }))
			return -ENOMEM;
	}
	return wire.bad ? -EBADMSG : 0;
}

/* CGROUPS: one item per cgroup. */

void recording_put_cgroups(struct strbuf *sb, struct cgroup_names *names)
{
	vec_foreach(name, &names->v) {
		size_t item;

		if (name->written || !name->path)
			continue;
		name->written = true;
		item = wire_begin_item(sb);
		wire_put_u64(sb, name->id);
		wire_put_string(sb, name->path);
		wire_end_item(sb, item);
	}
}

int recording_get_cgroups(const void *data, size_t size, struct cgroup_names *names)
{
	struct wire wire = wire_of(data, size);
	int err = 0;

	while (wire_left(&wire) && !err) {
		struct wire item = wire_get_item(&wire);
		uint64_t id = wire_get_u64(&item);
		char *path = recording_get_text(&item);

		item.bad |= path && strlen(path) >= RECORDING_MAX_CGROUP_PATH;
		err = item.bad ? -EBADMSG : cgroup_names_put(names, id, path);
		free(path);
	}
	return err;
}

/* MODULES: one item per module. */

void recording_put_module(struct strbuf *sb, const struct recorded_module *module)
{
	size_t item = wire_begin_item(sb);

	wire_put_string(sb, module->name);
	put_build_id(sb, &module->build_id);
	wire_put_u32(sb, module->sections.len);
	vec_foreach(section, &module->sections) {
		wire_put_string(sb, section->name);
		wire_put_u64(sb, section->addr);
	}
	wire_end_item(sb, item);
}

static bool same_module(const struct recorded_module *a, const struct recorded_module *b)
{
	bool unknown = !a->build_id.len && !b->build_id.len;

	if (!(unknown || build_id_equal(&a->build_id, &b->build_id)) || a->sections.len != b->sections.len)
		return false;
	for (size_t i = 0; i < a->sections.len; i++) {
		if (a->sections.data[i].addr != b->sections.data[i].addr ||
		    strcmp(a->sections.data[i].name ?: "", b->sections.data[i].name ?: ""))
			return false;
	}
	return true;
}

static int get_module(struct wire *wire, struct recorded_kernel *kernel)
{
	const struct recorded_module *known;
	const size_t bytes_before = kernel->module_bytes;
	struct recorded_module module = {};
	uint32_t nr;

	get_path_part(wire, &module.name);
	count_bytes(wire, &kernel->module_bytes, sizeof(module), module.name);
	get_build_id(wire, &module.build_id);
	nr = wire_get_count(wire, 12);
	for (uint32_t i = 0; i < nr && !wire->bad; i++) {
		struct recorded_section section = { .name = recording_get_text(wire) };

		section.addr = wire_get_u64(wire);
		count_bytes(wire, &kernel->module_bytes, sizeof(section), section.name);
		if (wire->bad || vec_push(&module.sections, section)) {
			free(section.name);
			wire->bad = true;
		}
	}
	/* They are written again when other ones come and go. */
	known = module.name ? recorded_kernel_module(kernel, module.name) : NULL;
	if (!wire->bad && known && same_module(known, &module)) {
		recorded_module_release(&module);
		kernel->module_bytes = bytes_before;
		return 0;
	}
	if (wire->bad || kernel->modules.len >= RECORDING_MAX_MODULES ||
	    vec_push(&kernel->modules, module)) {
		recorded_module_release(&module);
		kernel->module_bytes = bytes_before;
		return -EBADMSG;
	}
	return 0;
}

int recording_get_modules(const void *data, size_t size, struct recorded_kernel *kernel)
{
	struct wire wire = wire_of(data, size);
	int err = 0;

	while (wire_left(&wire) && !err) {
		struct wire item = wire_get_item(&wire);

		err = get_module(&item, kernel);
	}
	return err;
}
