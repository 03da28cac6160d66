// SPDX-License-Identifier: BSD-2-Clause
/* The parts of a kernel, each made when first asked for. */
#include "util/kernel/kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/report.h"
#include "util/kernel/btf.h"
#include "util/kernel/traceable.h"

/* Not tried yet, in the place of an error that is remembered. */
#define UNTRIED 1

struct kernel {
	struct symbolizer_options options;
	struct symbols *symbols;
	struct symbolizer *symbolizer;
	struct traceable *traceable;
	struct kernel_btf *btf;
	int symbols_err, symbolizer_err, traceable_err, btf_err;
};

int kernel_new(const struct symbolizer_options *options, struct kernel **ret_kernel)
{
	struct kernel *kernel;

	if (!options->live && !options->vmlinux)
		return report(-EINVAL, "a kernel that is not running needs its vmlinux (-k FILE)");
	kernel = malloc(sizeof(*kernel));
	if (!kernel)
		return report_oom();
	*kernel = (struct kernel){
		.options = *options,
		.symbols_err = UNTRIED,
		.symbolizer_err = UNTRIED,
		.traceable_err = UNTRIED,
		.btf_err = UNTRIED,
	};
	*ret_kernel = kernel;
	return 0;
}

int kernel_from_parts(struct symbols *symbols, struct kernel_btf *btf, struct traceable *traceable,
		      struct kernel **ret_kernel)
{
	struct kernel *kernel = malloc(sizeof(*kernel));

	if (!kernel)
		return report_oom();
	*kernel = (struct kernel){
		.options = { .level = SYMBOLIZE_NONE },
		.symbols = symbols,
		.btf = btf,
		.traceable = traceable,
		.symbolizer_err = UNTRIED,
		.traceable_err = traceable ? 0 : -ENOENT,
		.btf_err = btf ? 0 : -ENOENT,
	};
	*ret_kernel = kernel;
	return 0;
}

void kernel_free(struct kernel *kernel)
{
	if (!kernel)
		return;
	/* What refers to another goes before it. */
	traceable_free(kernel->traceable);
	if (kernel->symbolizer)
		symbolizer_free(kernel->symbolizer);
	kernel_btf_free(kernel->btf);
	if (kernel->symbols)
		symbols_free(kernel->symbols);
	free(kernel);
}

bool kernel_is_live(const struct kernel *kernel)
{
	return kernel->options.live;
}

int kernel_symbols(struct kernel *kernel, struct symbols **ret)
{
	if (kernel->symbols_err == UNTRIED)
		kernel->symbols_err =
			kernel->options.live ?
				symbols_load_kallsyms(&kernel->symbols) :
				symbols_load_elf(kernel->options.vmlinux, &kernel->symbols);
	if (!kernel->symbols_err)
		*ret = kernel->symbols;
	return kernel->symbols_err;
}

int kernel_symbolizer(struct kernel *kernel, struct symbolizer **ret)
{
	if (kernel->symbolizer_err == UNTRIED) {
		struct symbols *symbols;

		kernel->symbolizer_err = kernel_symbols(kernel, &symbols);
		if (!kernel->symbolizer_err)
			kernel->symbolizer_err = symbolizer_new(symbols, &kernel->options,
								&kernel->symbolizer);
	}
	if (!kernel->symbolizer_err)
		*ret = kernel->symbolizer;
	return kernel->symbolizer_err;
}

static int load_btf(struct kernel *kernel)
{
	int err = kernel->options.live ?
			  kernel_btf_load_live(&kernel->btf) :
			  kernel_btf_load_file(kernel->options.vmlinux, &kernel->btf);

	if (!err)
		return 0;
	if (err == -ENOMEM)
		return report_oom();
	if (err != -ENOENT)
		warning("cannot read the kernel's BTF: %s", strerror(-err));
	warning("without BTF every function counts as returning an int, and trampolines (fentry, "
		"fsession) and arguments are out of reach");
	return -ENOENT;
}

int kernel_get_btf(struct kernel *kernel, struct kernel_btf **ret)
{
	if (kernel->btf_err == UNTRIED)
		kernel->btf_err = load_btf(kernel);
	if (!kernel->btf_err)
		*ret = kernel->btf;
	return kernel->btf_err;
}

static int load_traceable(struct kernel *kernel)
{
	struct symbols *symbols = NULL;
	struct kernel_btf *btf = NULL;
	int err;

	if (!kernel->options.live)
		return -ENOENT;
	err = kernel_symbols(kernel, &symbols);
	if (err)
		return err;
	err = traceable_load(symbols, &kernel->traceable);
	if (!err || err == -ENOMEM)
		return err;
	kernel_get_btf(kernel, &btf);
	if (err == -ENOENT)
		warning("tracefs is not mounted (mount -t tracefs nodev /sys/kernel/tracing); "
			"taking %s for traceable",
			btf ? "the functions in BTF" : "any function");
	else
		warning("cannot read available_filter_functions in tracefs: %s; taking %s for "
			"traceable",
			strerror(-err), btf ? "the functions in BTF" : "any function");
	return traceable_guess(symbols, btf, &kernel->traceable);
}

int kernel_traceable(struct kernel *kernel, const struct traceable **ret)
{
	if (kernel->traceable_err == UNTRIED)
		kernel->traceable_err = load_traceable(kernel);
	if (!kernel->traceable_err)
		*ret = kernel->traceable;
	return kernel->traceable_err;
}
