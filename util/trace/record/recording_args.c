// SPDX-License-Identifier: BSD-2-Clause
/* Parts of PLAN chunks: captured arguments, and captures of probes; and BTF chunks. */
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_subset.h"
#include "util/plan/args/args.h"
#include "util/plan/points/probes.h"
#include "util/trace/record/recording.h"
#include "util/trace/record/recording_format.h"
#include "util/trace/record/wire.h"

_Static_assert(ARG_AS_VALUE == 0 && ARG_AS_POINTER == 1 && ARG_AS_POINTEE == 2 &&
		       ARG_AS_STRING == 3 && ARG_AS_PATH == 4 && ARG_VALUE == 0 &&
		       ARG_MEMORY == 1 && ARG_STRING == 2 && ARG_PATH == 3,
	       "what an argument is, is a file format");
_Static_assert(PROBE_KPROBE == 0 && PROBE_KRETPROBE == 1 && PROBE_TP == 2 && PROBE_RAWTP == 3,
	       "probe_kind is a file format");

#define NO_BTF 0xffffffffu
#define NO_ITEM 0xff

#define ARGS_VARIADIC (1 << 0)
#define ARGS_SELECTED (1 << 1)

#define ARG_SIGNED (1 << 0)
#define ARG_RAW (1 << 1)
#define ARG_CUT (1 << 2)

/* The index of a BTF in the recording. */
static uint32_t index_of(struct kernel_btf *btf, const struct btf *types)
{
	const struct kernel_btf_module *module;

	for (int i = 0; btf && (module = kernel_btf_module(btf, i)); i++) {
		if (module->btf == types)
			return i;
	}
	return NO_BTF;
}

/* Write a type: the index of its BTF, and its id there. 0; -ENOMEM (reported). */
static int put_type(struct strbuf *sb, const struct btf *from, uint32_t id, struct kernel_btf *btf,
		    struct btf_subset *types)
{
	uint32_t index = NO_BTF, copied = 0;

	if (from && !types) {
		index = index_of(btf, from);
		copied = id;
	} else if (from) {
		if (btf_subset_add(types, from, id, &copied))
			return report_oom();
		index = 0;
	}
	wire_put_u32(sb, index);
	wire_put_u32(sb, copied);
	return 0;
}

/* Whatever the data, the result is a type that exists in a BTF, or none. */
static void get_type(struct wire *wire, struct kernel_btf *btf, int *ret_index, uint32_t *ret_id)
{
	uint32_t index = wire_get_u32(wire), id = wire_get_u32(wire);
	const struct kernel_btf_module *module;

	*ret_index = -1;
	*ret_id = 0;
	module = btf && index < RECORDING_MAX_BTFS ? kernel_btf_module(btf, index) : NULL;
	if (!module || id >= btf__type_cnt(module->btf))
		return;
	*ret_index = index;
	*ret_id = id;
}

static int put_arg(struct strbuf *sb, const struct arg *arg, struct kernel_btf *btf,
		   struct btf_subset *types)
{
	size_t item = wire_begin_item(sb);
	int err;

	wire_put_string(sb, arg->name);
	err = put_type(sb, arg->btf, arg->type, btf, types);
	wire_put_u8(sb, arg->item < 0 ? NO_ITEM : arg->item);
	wire_put_u8(sb, arg->form);
	wire_put_u8(sb, arg->skip);
	wire_put_u8(sb, arg->bit_offset);
	wire_put_u8(sb, arg->bits);
	wire_put_u8(sb, arg->size);
	wire_put_u8(sb, (arg->is_signed ? ARG_SIGNED : 0) | (arg->raw ? ARG_RAW : 0) |
				(arg->cut ? ARG_CUT : 0));
	wire_end_item(sb, item);
	return err;
}

/* The captures in place of the "..." of printf-like arguments. */
static void put_more(struct strbuf *sb, const struct args_more *more)
{
	size_t item = wire_begin_item(sb);

	wire_put_u8(sb, more->nr);
	wire_put_u8(sb, more->format);
	for (uint32_t i = 0; i < more->nr; i++) {
		wire_put_u8(sb, more->words[i].item);
		wire_put_u8(sb, more->words[i].skip);
		wire_put_u8(sb, more->words[i].text < 0 ? NO_ITEM : more->words[i].text);
	}
	wire_end_item(sb, item);
}

int recording_put_args(struct strbuf *sb, const struct func_args *args, struct kernel_btf *btf,
		       struct btf_subset *types)
{
	int err = 0;

	wire_put_u8(sb, (args->variadic ? ARGS_VARIADIC : 0) |
				(args->selected ? ARGS_SELECTED : 0));
	wire_put_u32(sb, args->items.nr);
	strbuf_add(sb, args->items.items, args->items.nr * sizeof(args->items.items[0]));
	wire_put_u32(sb, args->nr);
	for (uint32_t i = 0; i < args->nr && !err; i++)
		err = put_arg(sb, &args->args[i], btf, types);
	put_more(sb, &args->more);
	return err;
}

static int get_items(struct wire *wire, struct arg_items *items)
{
	uint32_t nr = wire_get_u32(wire);
	const void *data;

	if (nr > ARGS_MAX_ITEMS)
		return -EBADMSG;
	data = wire_take(wire, nr * sizeof(items->items[0]));
	if (!data)
		return -EBADMSG;
	items->nr = nr;
	memcpy(items->items, data, nr * sizeof(items->items[0]));
	for (uint32_t i = 0; i < nr; i++) {
		if (items->items[i].kind > ARG_PATH || !items->items[i].size)
			return -EBADMSG;
		items->max_bytes += items->items[i].size;
	}
	return 0;
}

static int get_arg(struct wire *wire, struct kernel_btf *btf, struct recording_strings *strings,
		   uint32_t nr_items, struct arg *arg)
{
	uint8_t item, flags;
	int index;

	*arg = (struct arg){ .name = recording_get_name(wire, strings), .item = -1 };
	get_type(wire, btf, &index, &arg->type);
	arg->btf = index < 0 ? NULL : kernel_btf_types(btf, index);
	item = wire_get_u8(wire);
	arg->form = wire_get_u8(wire);
	arg->skip = wire_get_u8(wire);
	arg->bit_offset = wire_get_u8(wire);
	arg->bits = wire_get_u8(wire);
	arg->size = wire_get_u8(wire);
	flags = wire_get_u8(wire);
	arg->is_signed = flags & ARG_SIGNED;
	arg->raw = flags & ARG_RAW;
	arg->cut = flags & ARG_CUT;
	if (item != NO_ITEM)
		arg->item = item;
	if (wire->bad || !arg->name || arg->form > ARG_AS_PATH ||
	    (item != NO_ITEM && item >= nr_items) || (arg->raw && !item))
		return -EBADMSG;
	return 0;
}

static int get_more(struct wire *wire, struct func_args *args)
{
	struct args_more *more = &args->more;

	more->nr = wire_get_u8(wire);
	more->format = wire_get_u8(wire);
	if (wire->bad || more->nr > ARGS_MORE_WORDS)
		return -EBADMSG;
	for (uint32_t i = 0; i < more->nr; i++) {
		uint8_t item = wire_get_u8(wire), skip = wire_get_u8(wire), text;

		text = wire_get_u8(wire);
		if (item >= args->items.nr || (text != NO_ITEM && text >= args->items.nr))
			return -EBADMSG;
		more->words[i].item = item;
		more->words[i].skip = skip;
		more->words[i].text = text == NO_ITEM ? -1 : text;
	}
	/* The format gives their types. */
	if (more->nr && (more->format >= args->nr || args->args[more->format].item < 0))
		return -EBADMSG;
	return wire->bad ? -EBADMSG : 0;
}

int recording_get_args(struct wire *wire, struct kernel_btf *btf,
		       struct recording_strings *strings, struct func_args *ret_args)
{
	struct func_args args = {};
	uint8_t flags = wire_get_u8(wire);
	int err = get_items(wire, &args.items);
	uint32_t nr = err ? 0 : wire_get_count(wire, 16);

	args.variadic = flags & ARGS_VARIADIC;
	args.selected = flags & ARGS_SELECTED;
	if (nr) {
		args.args = calloc(nr, sizeof(*args.args));
		if (!args.args)
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < nr && !err; i++) {
		struct wire item = wire_get_item(wire);

		err = get_arg(&item, btf, strings, args.items.nr, &args.args[i]);
		args.nr++;
	}
	if (!err) {
		struct wire more = wire_get_item(wire);

		err = get_more(&more, &args);
	}
	if (!err && wire->bad)
		err = -EBADMSG;
	if (err) {
		func_args_release(&args);
		return err;
	}
	*ret_args = args;
	return 0;
}

/* Probes. */

int recording_put_probe(struct strbuf *sb, const struct probe *probe, struct kernel_btf *btf,
			struct btf_subset *types)
{
	wire_put_u8(sb, probe->kind);
	wire_put_string(sb, probe->text);
	wire_put_string(sb, probe->name);
	wire_put_string(sb, probe->category);
	wire_put_string(sb, probe->module);
	wire_put_u64(sb, probe->addr);
	wire_put_u64(sb, probe->offset);
	wire_put_u32(sb, probe->capture.fixed);
	wire_put_string(sb, probe->tracepoint ? probe->tracepoint->format : NULL);
	wire_put_u8(sb, probe->returns);
	return recording_put_args(sb, &probe->args, btf, types);
}

static int get_tracepoint(const struct probe *probe, const char *format, size_t size,
			  struct symbols *symbols, struct tracepoint **ret)
{
	/* For a format that is not understood: then only the hit itself is shown. */
	static const char opaque[] = "name: unknown\nID: 1\nformat:\n\nprint fmt: \"\"\n";
	int err;

	if (!probe->category)
		return -EBADMSG;
	err = tracepoint_parse(probe->category, format, size, false, ret);
	if (err == -EINVAL)
		err = tracepoint_parse(probe->category, opaque, strlen(opaque), false, ret);
	if (err)
		return err == -ENOMEM ? err : -EBADMSG;
	tracepoint_use_symbols(*ret, symbols);
	return 0;
}

int recording_get_probe(struct wire *wire, struct kernel_btf *btf, struct symbols *symbols,
			struct recording_strings *strings, struct probe *ret_probe)
{
	uint8_t kind = wire_get_u8(wire);
	struct probe probe = { .text = recording_get_text(wire) };
	const char *format;
	int err = -EBADMSG;
	uint8_t returns;
	size_t size;

	probe.kind = kind;
	probe.name = recording_get_name(wire, strings);
	probe.category = recording_get_name(wire, strings);
	probe.module = recording_get_name(wire, strings);
	probe.addr = wire_get_u64(wire);
	probe.offset = wire_get_u64(wire);
	probe.capture.fixed = wire_get_u32(wire);
	format = wire_get_bytes(wire, &size);
	returns = wire_get_u8(wire);
	probe.returns = returns;
	probe.raw.name = probe.name;
	if (!wire->bad && probe.name && kind <= PROBE_RAWTP && returns < NR_RETURN_KINDS &&
	    probe.capture.fixed <= UINT16_MAX)
		err = recording_get_args(wire, btf, strings, &probe.args);
	if (!err && kind == PROBE_TP)
		err = get_tracepoint(&probe, format, size, symbols, &probe.tracepoint);
	if (err) {
		probe_release(&probe);
		return err;
	}
	*ret_probe = probe;
	return 0;
}

/* BTF chunks: the module's name, and the BTF. */

void recording_put_btf(struct strbuf *sb, const char *name, const void *btf, uint32_t size)
{
	wire_put_string(sb, name);
	wire_put_bytes(sb, btf, size);
}

/*
 * Names are printed to terminals. libbpf checks their offsets, but not their characters. This
 * function only has to stay within @btf. False: no BTF, or one with another byte order.
 */
static bool clean_names(uint8_t *btf, size_t size)
{
	struct btf_header header;
	uint64_t from, to;

	if (size < sizeof(header))
		return false;
	memcpy(&header, btf, sizeof(header));
	if (header.magic != BTF_MAGIC)
		return false;
	from = (uint64_t)header.hdr_len + header.str_off;
	to = from + header.str_len;
	for (uint64_t i = from; i < to && i < size; i++) {
		if (btf[i] && (btf[i] < ' ' || btf[i] >= 0x7f))
			btf[i] = '?';
	}
	return true;
}

/* libbpf reads a split BTF from files only. NULL and errno. */
static struct btf *parse_split(const void *data, size_t size, struct btf *base)
{
	_cleanup_(close_fd) int fd = memfd_create("btf", MFD_CLOEXEC);
	char path[32];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return btf__parse_raw_split(path, base);
}

int recording_get_btf(const void *data, size_t size, struct kernel_btf **btf, size_t *bytes)
{
	struct wire wire = wire_of(data, size);
	_cleanup_(free_p) char *name = recording_get_text(&wire);
	_cleanup_(free_p) uint8_t *copy = NULL;
	struct btf *types;
	size_t len;
	int err;

	data = wire_get_bytes(&wire, &len);
	/* The first BTF is that of vmlinux, the others are those of modules, each with a name. */
	if (wire.bad || *bytes + len > RECORDING_MAX_BTF_BYTES || !*name != !*btf)
		return -EBADMSG;
	if (*btf && kernel_btf_find_module(*btf, name) >= 0)
		return -EBADMSG;
	copy = malloc(len ?: 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, data, len);
	if (!clean_names(copy, len))
		return -EBADMSG;
	types = *btf ? parse_split(copy, len, (struct btf *)kernel_btf_types(*btf, 0)) :
		       btf__new(copy, len);
	if (!types)
		return errno == ENOMEM ? -ENOMEM : -EBADMSG;
	err = *btf ? kernel_btf_add_module(*btf, name, types) : kernel_btf_from(types, btf);
	if (err < 0) {
		btf__free(types);
		return err;
	}
	*bytes += len;
	return 0;
}
