// SPDX-License-Identifier: BSD-2-Clause
/*
 * The data of a probe as text. Registers are in the order of struct pt_regs; other modules print
 * the rest.
 */
#include "util/view/session/probe_text.h"

#include <inttypes.h>
#include <string.h>

#include "bpf/arg_items.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"
#include "util/plan/points/probes.h"
#include "util/view/session/args_text.h"
#include "util/view/session/result_text.h"
#include "util/view/values/btf_value.h"

#define REGISTER_INDENT 4

/* The architecture of the capture, found by the size of its registers; NULL: unknown. */
static const struct arch *arch_of(const struct probe *probe)
{
	return arch_of_registers(probe->capture.fixed / sizeof(uint64_t));
}

/* Small values in decimal. Of a register with 16 bits, the kernel stores more beside them. */
static void register_add(struct strbuf *sb, const struct arch *arch, size_t i, uint64_t n)
{
	bool narrow = arch->narrow_registers >> i & 1;
	bool bits = narrow || arch->flag_registers >> i & 1;

	if (narrow)
		n &= UINT16_MAX;
	strbuf_addf(sb, n && (bits || n > 1 << 20) ? "0x%" PRIx64 : "%" PRIu64, n);
}

static void begin_line(struct strbuf *sb, uint32_t indent)
{
	strbuf_addch(sb, '\n');
	strbuf_pad(sb, indent, ' ');
}

static void registers_item(const struct probe *probe, const void *data, size_t size, bool verbose,
			   const struct value_format *format, probe_item_fn fn, void *arg)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	bool lines = format->mode == VALUE_VERBOSE;
	const struct arch *arch = arch_of(probe);
	const char *separator = "", *name;

	strbuf_addch(&text, '{');
	for (size_t i = 0; (i + 1) * sizeof(uint64_t) <= size; i++) {
		uint64_t value;

		memcpy(&value, (const char *)data + i * sizeof(value), sizeof(value));
		name = arch && i < arch->nr_registers ? arch->registers[i] : NULL;
		if (!name)
			break;
		if (!value && !verbose)
			continue;
		if (lines)
			begin_line(&text, format->indent + REGISTER_INDENT);
		else
			strbuf_addstr(&text, separator);
		strbuf_addf(&text, lines ? ".%s = " : ".%s=", name);
		register_add(&text, arch, i, value);
		strbuf_addstr(&text, lines ? "," : "");
		separator = ",";
	}
	if (lines)
		begin_line(&text, format->indent);
	strbuf_addstr(&text, size < probe->capture.fixed ? "…}" : "}");
	fn(arg, "regs", strbuf_str(&text));
}

/* The register with the result, if it was captured. */
static void result_item(const struct probe *probe, const void *data, size_t size,
			probe_item_fn fn, void *arg)
{
	size_t at = arch_of(probe)->result;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	uint64_t result;

	if ((at + 1) * sizeof(result) > size || probe->returns == RETURN_VOID ||
	    probe->returns == RETURN_STRUCT)
		return;
	memcpy(&result, (const char *)data + at * sizeof(result), sizeof(result));
	result_add(&text, result, probe->returns);
	/* The result without brackets, as arguments are shown. */
	if (text.len && !text.failed) {
		text.s[text.len - 1] = 0;
		fn(arg, "result", text.s + 1);
	}
}

static void tracepoint_items(const struct probe *probe, const void *data, size_t size, bool verbose,
			     probe_item_fn fn, void *arg)
{
	const struct tracepoint *tracepoint = probe->tracepoint;
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!verbose) {
		tracepoint_add(tracepoint, data, size, &text);
		if (text.len)
			fn(arg, NULL, strbuf_str(&text));
		return;
	}
	vec_foreach(field, &tracepoint->fields) {
		strbuf_reset(&text);
		tracepoint_field_add(tracepoint, field, data, size, &text);
		fn(arg, field->name, strbuf_str(&text));
	}
}

static void argument_items(const struct func_args *args, const struct args_capture *capture,
			   const struct value_format *format, probe_item_fn fn, void *arg)
{
	struct arg_data data[ARGS_MAX_ITEMS];

	args_decode(&args->items, capture->value, capture->data, capture->len, data);
	for (uint32_t i = 0; i < args->nr; i++) {
		_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

		args_text_add_value(&text, format, &args->args[i], data);
		fn(arg, args->args[i].name, strbuf_str(&text));
	}
}

void probe_items(const struct probes *probes, uint32_t id, const struct args_capture *capture,
		 const struct value_format *format, bool verbose, probe_item_fn fn, void *arg)
{
	const struct probe *probe;

	if (id >= probes->v.len)
		return;
	probe = &probes->v.data[id];
	switch (probe->kind) {
	case PROBE_TP:
		tracepoint_items(probe, capture->data, capture->len, verbose, fn, arg);
		break;
	case PROBE_RAWTP:
		argument_items(&probe->args, capture, format, fn, arg);
		break;
	case PROBE_KRETPROBE:
		result_item(probe, capture->data, capture->len, fn, arg);
		/* fallthrough */
	default:
		registers_item(probe, capture->data, capture->len, verbose, format, fn, arg);
	}
}

/* A probe_item_fn. */
static void add_item(void *arg, const char *name, const char *value)
{
	struct strbuf *sb = arg;

	if (sb->len)
		strbuf_addch(sb, ' ');
	if (name)
		strbuf_addf(sb, "%s=", name);
	strbuf_addstr(sb, value);
}

void probe_text_add(struct strbuf *sb, const struct probes *probes, uint32_t id,
		    const struct args_capture *capture, const struct value_format *format)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	probe_items(probes, id, capture, format, format->mode == VALUE_VERBOSE, add_item, &text);
	strbuf_addstr(sb, strbuf_str(&text));
	sb->failed |= text.failed;
}
