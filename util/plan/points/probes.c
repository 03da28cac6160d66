// SPDX-License-Identifier: BSD-2-Clause
/*
 * Resolving points. One spec at a time: candidates are looked at, each is either added or gets a
 * reason why not; a spec that ends up with nothing has its reason told.
 */
#include "util/plan/points/probes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/text/glob.h"
#include "util/base/text/nearest.h"
#include "util/kernel/kernel.h"
#include "util/kernel/traceable.h"
#include "util/kernel/tracepoints/print_enums.h"
#include "util/kernel/types/btf.h"
#include "util/plan/points/probes_internal.h"

void probe_release(struct probe *probe)
{
	free(probe->text);
	func_args_release(&probe->args);
	tracepoint_free(probe->tracepoint);
}

static void probe_resolving_init(struct probe_resolving *r, struct kernel *kernel,
				 const struct probe_sources *sources)
{
	*r = (struct probe_resolving){
		.kernel = kernel,
		.tracefs = sources ? sources->tracefs : NULL,
	};
	live_code_init(&r->live, kernel);
	r->own_code = (struct code_source){ live_code_read, &r->live };
	r->code = sources && sources->code ? sources->code : &r->own_code;
}

static void probe_resolving_release(struct probe_resolving *r)
{
	live_code_close(&r->live);
	tracepoint_names_release(&r->tp_names);
	print_enums_free(r->enums);
	raw_tracepoints_release(&r->raw);
	strmap_release(&r->known);
	vec_foreach(key, &r->keys)
		free(*key);
	vec_release(&r->keys);
	strbuf_release(&r->why);
}

int probe_resolving_symbols(struct probe_resolving *r)
{
	int err = r->symbols ? 0 : kernel_symbols(r->kernel, &r->symbols);

	/* Tracepoints want the symbols alone, and may have come first. */
	if (err || r->asked_traceable)
		return err;
	r->asked_traceable = true;
	/* -ENOENT: not known; any function may be traceable. */
	err = kernel_traceable(r->kernel, &r->traceable);
	return err == -ENOENT ? 0 : err;
}

int probe_add(struct probe_resolving *r, struct probe *probe, char *key)
{
	const uint32_t *known;
	size_t nr = r->probes->v.len;

	if (!probe->text || !key || vec_push(&r->keys, key)) {
		free(key);
		goto oom;
	}
	known = strmap_put(&r->known, key, nr);
	if (!known)
		goto oom;
	r->usable++;
	probe->by_glob = !r->spec || is_glob(r->spec->name) ||
			 (r->spec->kind == PROBE_TP && is_glob(r->spec->category));
	if (*known != nr) {
		r->probes->v.data[*known].by_glob &= probe->by_glob;
		probe_release(probe);
		return 0;
	}
	if (vec_push(&r->probes->v, *probe))
		goto oom;
	return 0;
oom:
	probe_release(probe);
	return report_oom();
}

/* The reason why a candidate cannot be used; of several, the first is reported. */
int probe_refuse(struct probe_resolving *r, int err, const char *fmt, ...)
{
	va_list args;

	r->refused++;
	if (r->why.len)
		return 0;
	r->why_err = err;
	va_start(args, fmt);
	strbuf_vaddf(&r->why, fmt, args);
	va_end(args);
	return r->why.failed ? report_oom() : 0;
}

static int resolve_spec(struct probe_resolving *r, const struct probe_spec *spec)
{
	r->spec = spec;
	r->usable = r->refused = 0;
	r->why_err = 0;
	strbuf_reset(&r->why);
	switch (spec->kind) {
	case PROBE_TP:
		return resolve_tracepoints(r);
	case PROBE_RAWTP:
		return resolve_raw_tracepoints(r);
	case PROBE_LINE:
		return resolve_line(r);
	default:
		return resolve_functions(r);
	}
}

static int new_probes(struct probe_resolving *r)
{
	r->probes = calloc(1, sizeof(*r->probes));
	return r->probes ? 0 : report_oom();
}

int probes_resolve(struct kernel *kernel, const struct probe_spec_list *specs,
		   const struct probe_sources *sources, unsigned int flags,
		   struct probes **ret_probes)
{
	struct probe_resolving r;
	int err, failed = 0;

	probe_resolving_init(&r, kernel, sources);
	err = new_probes(&r);
	for (size_t i = 0; !err && i < specs->v.len; i++) {
		const struct probe_spec *spec = &specs->v.data[i];
		size_t before = r.probes->v.len;

		err = resolve_spec(&r, spec);
		if (err)
			break;
		if (!r.usable)
			failed =
				report(r.why_err, "probe '%s': %s", spec->text, strbuf_str(&r.why));
		else if (r.refused)
			say(VERBOSITY_VERBOSE, "probe '%s': %zu cannot be used; the first: %s",
			    spec->text, r.refused, strbuf_str(&r.why));
		if (!(flags & PROBES_NO_LIMIT) && r.probes->v.len > PROBES_MAX)
			err = report(
				-E2BIG,
				"probe '%s' selects %zu points; more than %d in all would take "
				"too long to attach: narrow it down",
				spec->text, r.probes->v.len - before, PROBES_MAX);
	}
	err = err ?: failed;
	if (err)
		probes_free(r.probes);
	else
		*ret_probes = r.probes;
	probe_resolving_release(&r);
	return err;
}

/* A point by its kind, or a glob on all tracepoints. */
static int list_specs(const char *glob, struct probe_spec_list *specs)
{
	static const char *const kinds[] = { "kprobe:", "kretprobe:", "tp:", "rawtp:", "line:" };

	if (glob && array_find(known, kinds, startswith(glob, *known)))
		return probe_spec_list_add(specs, glob);
	return 0;
}

static int report_unlisted(const struct probe_resolving *r, const char *glob)
{
	struct nearest near = nearest_start(glob);

	vec_foreach(tp, &r->tp_names.v) {
		nearest_offer(&near, tp->category);
		nearest_offer(&near, tp->name);
	}
	vec_foreach(point, &r->raw.v)
		nearest_offer(&near, point->name);
	if (near.name)
		return report(-ENOENT, "no tracepoint matches '%s'; did you mean '%s'?", glob,
			      near.name);
	return report(-ENOENT, "no tracepoint matches '%s'; functions are listed with 'kprobe:%s'",
		      glob, glob);
}

/* What functions look like is for the view to ask. */
static void get_types(struct kernel *kernel, struct probes *probes)
{
	vec_foreach(probe, &probes->v) {
		if (probes->btf)
			return;
		if (probe_is_on_function(probe->kind) && kernel_get_btf(kernel, &probes->btf))
			return;
	}
}

int probes_list(struct kernel *kernel, const char *glob, const struct probe_sources *sources,
		struct probes **ret_probes)
{
	struct probe_spec_list specs = { VEC_INIT };
	struct probe_resolving r;
	int err = list_specs(glob, &specs);

	if (!err && specs.v.len) {
		err = probes_resolve(kernel, &specs, sources, PROBES_NO_LIMIT, ret_probes);
		probe_spec_list_release(&specs);
		if (!err)
			get_types(kernel, *ret_probes);
		return err;
	}
	probe_spec_list_release(&specs);
	if (err)
		return err;
	probe_resolving_init(&r, kernel, sources);
	err = new_probes(&r) ?: list_tracepoints(&r, glob);
	if (!err && !r.probes->v.len)
		err = report_unlisted(&r, glob ?: "*");
	if (err)
		probes_free(r.probes);
	else
		*ret_probes = r.probes;
	probe_resolving_release(&r);
	return err;
}

int probes_why(struct kernel *kernel, const char *point, const struct probe_sources *sources,
	       size_t *ret_usable, struct strbuf *why)
{
	struct probe_spec_list specs = { VEC_INIT };
	struct probe_resolving r;
	int err = probe_spec_list_add(&specs, point);

	if (!err && specs.v.len != 1)
		err = report(-EINVAL, "--why takes one point, not '%s'", point);
	if (err) {
		probe_spec_list_release(&specs);
		return err;
	}
	probe_resolving_init(&r, kernel, sources);
	err = new_probes(&r) ?: resolve_spec(&r, specs.v.data);
	if (!err) {
		*ret_usable = r.usable;
		if (r.refused)
			strbuf_addstr(why, strbuf_str(&r.why));
	}
	probes_free(r.probes);
	probe_resolving_release(&r);
	probe_spec_list_release(&specs);
	return err;
}

void probes_free(struct probes *probes)
{
	if (!probes)
		return;
	vec_foreach(probe, &probes->v)
		probe_release(probe);
	vec_release(&probes->v);
	vec_foreach(name, &probes->names)
		free(*name);
	vec_release(&probes->names);
	free(probes);
}

void point_check_add(struct strbuf *sb, const char *func, uint64_t size, uint64_t offset,
		     const struct point_check *check)
{
	if (check->place == POINT_OUTSIDE) {
		strbuf_addf(sb, "+0x%" PRIx64 " is outside of %s, which has 0x%" PRIx64 " bytes",
			    offset, func, size);
		if (check->have_before)
			strbuf_addf(sb, "; its last instruction is at %s+0x%" PRIx64, func,
				    check->before);
		return;
	}
	if (check->place == POINT_BREAKS) {
		strbuf_addf(sb, "+0x%" PRIx64 " of %s is a call with a prefix, from which a probed kernel "
			    "returns to the wrong place; another offset may do", offset, func);
		return;
	}
	strbuf_addf(sb, "+0x%" PRIx64 " is in the middle of an instruction of %s", offset, func);
	if (!check->have_before)
		return;
	strbuf_addf(sb, "; the nearest that begin are %s+0x%" PRIx64, func, check->before);
	if (check->after != check->before)
		strbuf_addf(sb, " and %s+0x%" PRIx64, func, check->after);
}

void probe_attach_error(const struct probe *probe, const struct probe_sources *sources, int err,
			struct strbuf *sb)
{
	bool function = probe_is_on_function(probe->kind);
	struct probe_resolving r;
	struct point_check check;

	switch (err) {
	case -EILSEQ:
		probe_resolving_init(&r, NULL, sources);
		point_check(r.code, probe->func, probe->func_size, probe->offset, &check);
		/* The kernel decides; which places it can be asked about is found here. */
		check.place = POINT_MIDDLE;
		point_check_add(sb, probe->name, probe->func_size, probe->offset, &check);
		if (!check.have_before)
			strbuf_addf(sb, "; disassemble it (objdump -d vmlinux), or take %s itself",
				    probe->name);
		probe_resolving_release(&r);
		return;
	case -EINVAL:
		if (function) {
			strbuf_addf(sb,
				    "the kernel refuses probes there: it is blacklisted, notrace, "
				    "or code that is patched at run time%s",
				    probe->offset ? "; another offset may do" : "");
			return;
		}
		break;
	case -ENOENT:
	case -EADDRNOTAVAIL:
	case -ENODEV:
		strbuf_addf(sb, "the kernel does not have it%s%s%s",
			    probe->module ? "; was module " : "", probe->module ?: "",
			    probe->module ? " unloaded?" : "");
		return;
	case -EPERM:
	case -EACCES:
		strbuf_addstr(sb, "not allowed; run as root, and see 'retsnoop doctor'");
		return;
	case -EOPNOTSUPP:
		strbuf_addstr(sb, "this kernel does not support it");
		return;
	case -EMFILE:
	case -ENFILE:
		strbuf_addstr(sb, "too many open files; raise 'ulimit -n'");
		return;
	}
	strbuf_addf(sb, "%s", strerror(-err));
}
