// SPDX-License-Identifier: BSD-2-Clause
/* Points that the kernel's sources name: tracepoints, through tracefs and through BTF. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/text/glob.h"
#include "util/base/text/nearest.h"
#include "util/kernel/kernel.h"
#include "util/kernel/tracepoints/print_enums.h"
#include "util/kernel/types/btf.h"
#include "util/plan/points/probes_internal.h"

static int read_names(struct probe_resolving *r)
{
	int err = 0;

	if (r->have_tp_names)
		return 0;
	if (!r->tracefs)
		err = tracefs_find(&r->tracefs);
	if (!err)
		err = tracepoint_names_read(r->tracefs, &r->tp_names);
	r->have_tp_names = !err;
	return err;
}

static void capture_of(const struct tracepoint *tracepoint, struct probe_capture *capture)
{
	*capture = (struct probe_capture){ .fixed = tracepoint->fixed_size };
	if (capture->fixed > PROBE_MAX_BYTES)
		capture->fixed = PROBE_MAX_BYTES;
	vec_foreach(field, &tracepoint->fields) {
		if (!field->dynamic || field->offset + field->size > capture->fixed)
			continue;
		/* With more dynamic fields, as many bytes as fit are captured. */
		if (capture->nr_dynamic < PROBE_MAX_DYNAMIC)
			capture->dynamic[capture->nr_dynamic++] = (struct probe_dynamic){
				.offset = field->offset,
				.base = field->relative ? field->offset + field->size : 0,
			};
	}
}

static int add_tracepoint(struct probe_resolving *r, const struct tracepoint_name *name)
{
	struct probe probe = { .kind = PROBE_TP };
	int err;

	if (!r->enums)
		r->enums = print_enums_new(kernel_types(r->kernel));
	err = tracepoint_read(r->tracefs, name->category, name->name, r->enums, &probe.tracepoint);
	if (err == -ENOMEM)
		return report_oom();
	if (err == -EINVAL)
		return probe_refuse(r, err,
				    "tracefs describes tp:%s:%s in a way that makes no sense",
				    name->category, name->name);
	if (err)
		return probe_refuse(r, err, "cannot read the format of tp:%s:%s in %s: %s",
				    name->category, name->name, r->tracefs, strerror(-err));
	/* Names of functions, for print fmts that have some; without symbols they are numbers. */
	if (r->symbols || !kernel_symbols(r->kernel, &r->symbols))
		tracepoint_use_symbols(probe.tracepoint, r->symbols);
	probe.name = probe.tracepoint->name;
	probe.category = probe.tracepoint->category;
	probe.text = strf("tp:%s:%s", probe.category, probe.name);
	capture_of(probe.tracepoint, &probe.capture);
	return probe_add(r, &probe, strf("tp:%s:%s", name->category, name->name));
}

/* There is none: in that category, or that category. */
static int refuse_tracepoint(struct probe_resolving *r)
{
	const struct probe_spec *spec = r->spec;
	struct nearest category = nearest_start(spec->category), name = nearest_start(spec->name);
	const char *elsewhere = NULL;
	bool have_category = is_glob(spec->category);

	vec_foreach(tp, &r->tp_names.v) {
		bool here = glob_matches(spec->category, tp->category);

		have_category |= here;
		nearest_offer(&category, tp->category);
		if (here)
			nearest_offer(&name, tp->name);
		if (!elsewhere && !is_glob(spec->name) && !strcmp(tp->name, spec->name))
			elsewhere = tp->category;
	}
	if (elsewhere)
		return probe_refuse(r, -ENOENT,
				    "tracepoint '%s' is not in category '%s'; did you "
				    "mean 'tp:%s:%s'?",
				    spec->name, spec->category, elsewhere, spec->name);
	if (!have_category)
		return probe_refuse(r, -ENOENT, "no tracepoint category is named '%s'%s%s%s",
				    spec->category, category.name ? "; did you mean '" : "",
				    category.name ?: "",
				    category.name ? "'?" : "; its module may not be loaded");
	return probe_refuse(r, -ENOENT, "no tracepoint '%s' in category '%s'%s%s%s",
			    spec->name, spec->category, name.name ? "; did you mean '" : "",
			    name.name ?: "",
			    name.name ? "'?" : "; 'retsnoop probe --list' shows what there is");
}

int resolve_tracepoints(struct probe_resolving *r)
{
	const struct probe_spec *spec = r->spec;
	const char *refusal = tracepoint_category_refusal(spec->category);
	int err;

	if (refusal)
		return probe_refuse(r, -EINVAL, "tracepoints of '%s' cannot be attached to: %s",
				    spec->category, refusal);
	err = read_names(r);
	for (size_t i = 0; !err && i < r->tp_names.v.len; i++) {
		const struct tracepoint_name *name = &r->tp_names.v.data[i];

		if (glob_matches(spec->category, name->category) &&
		    glob_matches(spec->name, name->name))
			err = add_tracepoint(r, name);
	}
	if (!err && !r->usable && !r->refused)
		err = refuse_tracepoint(r);
	return err;
}

/* vmlinux's, and when that is not enough those of modules. */
static int read_raw(struct probe_resolving *r, bool modules)
{
	const struct symbol *all = NULL;
	const char *last = NULL;
	int err = 0;
	size_t nr;

	if (!r->have_raw && kernel_get_btf(r->kernel, &r->probes->btf) == 0)
		err = raw_tracepoints_add(r->probes->btf, NULL, &r->raw);
	if (!r->have_raw)
		raw_tracepoints_sort(&r->raw);
	r->have_raw = true;
	if (err || !modules || r->have_module_raw || !r->probes->btf)
		return err;
	r->have_module_raw = true;
	err = r->symbols ? 0 : kernel_symbols(r->kernel, &r->symbols);
	if (err)
		return err;
	/* Modules stand together, each once or in a few places. */
	nr = symbols_all(r->symbols, &all);
	for (size_t i = 0; !err && i < nr; i++) {
		if (!all[i].module || all[i].module == last)
			continue;
		last = all[i].module;
		err = raw_tracepoints_add(r->probes->btf, last, &r->raw);
	}
	raw_tracepoints_sort(&r->raw);
	return err;
}

static int add_raw(struct probe_resolving *r, const struct raw_tracepoint *point, const char *name)
{
	struct probe probe = {
		.kind = PROBE_RAWTP,
		.name = name,
		.text = strf("rawtp:%s", name),
	};

	if (point) {
		probe.raw = *point;
		probe.module = point->module;
		probe.capture.fixed = point->nr_args * sizeof(uint64_t);
	}
	return probe_add(r, &probe, strf("rawtp:%s", name));
}

/*
 * Without BTF, nearly every tracepoint has an event of the same name. Its arguments are not known
 * then.
 */
static int resolve_raw_by_events(struct probe_resolving *r)
{
	struct nearest near = nearest_start(r->spec->name);
	int err = read_names(r);

	for (size_t i = 0; !err && i < r->tp_names.v.len; i++) {
		const char *name = r->tp_names.v.data[i].name;
		char *copy;

		nearest_offer(&near, name);
		if (!glob_matches(r->spec->name, name))
			continue;
		copy = strdup(name);
		if (!copy || vec_push(&r->probes->names, copy)) {
			free(copy);
			return report_oom();
		}
		err = add_raw(r, NULL, copy);
	}
	if (err || r->usable || r->refused)
		return err;
	return probe_refuse(r, -ENOENT, "no raw tracepoint is named '%s'%s%s%s", r->spec->name,
			    near.name ? "; did you mean '" : "", near.name ?: "",
			    near.name ? "'?" : "");
}

static int add_matching_raw(struct probe_resolving *r)
{
	int err = 0;

	vec_foreach(point, &r->raw.v) {
		if (!err && glob_matches(r->spec->name, point->name))
			err = add_raw(r, point, point->name);
	}
	return err;
}

int resolve_raw_tracepoints(struct probe_resolving *r)
{
	struct nearest near = nearest_start(r->spec->name);
	int err = read_raw(r, is_glob(r->spec->name));

	if (!err && !r->probes->btf)
		return resolve_raw_by_events(r);
	if (!err)
		err = add_matching_raw(r);
	if (!err && !r->usable && !r->refused && !r->have_module_raw) {
		err = read_raw(r, true) ?: add_matching_raw(r);
	}
	if (err || r->usable || r->refused)
		return err;
	vec_foreach(point, &r->raw.v)
		nearest_offer(&near, point->name);
	return probe_refuse(r, -ENOENT, "no raw tracepoint is named '%s'%s%s%s", r->spec->name,
			    near.name ? "; did you mean '" : "", near.name ?: "",
			    near.name ? "'?" : "; 'retsnoop probe --list' shows what there is");
}

static bool is_listed(const char *glob, const struct tracepoint_name *name)
{
	_cleanup_(free_p) char *full = NULL;

	if (!glob || glob_matches(glob, name->name) || glob_matches(glob, name->category))
		return true;
	full = strf("%s:%s", name->category, name->name);
	return full && glob_matches(glob, full);
}

int list_tracepoints(struct probe_resolving *r, const char *glob)
{
	/* Without tracefs, only the tracepoints in BTF can be listed. */
	int err = read_names(r);

	for (size_t i = 0; !err && i < r->tp_names.v.len; i++) {
		if (is_listed(glob, &r->tp_names.v.data[i]))
			err = add_tracepoint(r, &r->tp_names.v.data[i]);
	}
	if (err == -ENOMEM)
		return err;
	err = read_raw(r, true);
	vec_foreach(point, &r->raw.v) {
		if (!err && (!glob || glob_matches(glob, point->name)))
			err = add_raw(r, point, point->name);
	}
	return err;
}
