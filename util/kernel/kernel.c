// SPDX-License-Identifier: BSD-2-Clause
/* The parts of a kernel, each made when first asked for. */
#include "util/kernel/kernel.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/kernel/debug/debuginfo_find.h"
#include "util/kernel/elf/elf_file.h"
#include "util/kernel/machine/machine.h"
#include "util/kernel/symbols/code_source.h"
#include "util/kernel/symbols/modules.h"
#include "util/kernel/traceable.h"
#include "util/kernel/tracepoints/tracepoint.h"
#include "util/kernel/types/btf.h"

DEFINE_CLEANUP(struct debuginfo *, debuginfo_free)

/* In place of an error that is kept: not tried yet. */
#define UNTRIED 1

struct kernel {
	struct symbolizer_options options;
	struct symbols *symbols;
	struct loaded_modules modules;	/* before the symbols were read */
	struct symbolizer *symbolizer;
	struct traceable *traceable;
	struct kernel_btf *btf;
	int symbols_err, symbolizer_err, traceable_err, btf_err;
	/* Facts that a thread reads in advance; see kernel_prefetch(). */
	struct {
		pthread_t thread;
		bool running, text_done, btf_done;
		struct traceable_text text;
		struct kernel_btf *btf;
		int text_err, btf_err;
	} ahead;
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

static bool can_read_memory(void)
{
	_cleanup_(close_fd) int fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC);

	return fd >= 0;
}

static void *prefetch_facts(void *arg)
{
	struct kernel *kernel = arg;

	bool has_btf = !kernel->btf_err;

	if (kernel->btf_err == UNTRIED) {
		kernel->ahead.btf_err = kernel_btf_load_live(&kernel->ahead.btf);
		/* Then it is looked for elsewhere, when it is needed. */
		kernel->ahead.btf_done = kernel->ahead.btf_err != -ENOENT;
		has_btf = !kernel->ahead.btf_err;
	}
	/* With both, load_from_memory() needs neither the text nor the time. */
	if (has_btf && can_read_memory())
		return NULL;
	kernel->ahead.text_err = traceable_read(&kernel->ahead.text);
	kernel->ahead.text_done = true;
	return NULL;
}

static void stop_prefetch(struct kernel *kernel)
{
	if (kernel->ahead.running)
		pthread_join(kernel->ahead.thread, NULL);
	kernel->ahead.running = false;
}

void kernel_prefetch(struct kernel *kernel)
{
	if (!kernel->options.live || kernel->ahead.running || kernel->traceable_err != UNTRIED)
		return;
	/* If no thread can be started, the fact is read when it is needed. */
	kernel->ahead.running = !pthread_create(&kernel->ahead.thread, NULL, prefetch_facts, kernel);
}

void kernel_free(struct kernel *kernel)
{
	if (!kernel)
		return;
	stop_prefetch(kernel);
	traceable_text_release(&kernel->ahead.text);
	if (kernel->ahead.btf_done && !kernel->ahead.btf_err)
		kernel_btf_free(kernel->ahead.btf);
	/* Free users before the objects that they refer to. */
	traceable_free(kernel->traceable);
	if (kernel->symbolizer)
		symbolizer_free(kernel->symbolizer);
	kernel_btf_free(kernel->btf);
	if (kernel->symbols)
		symbols_free(kernel->symbols);
	vec_release(&kernel->modules.v);
	free(kernel);
}

bool kernel_is_live(const struct kernel *kernel)
{
	return kernel->options.live;
}

int kernel_btf_of_running(const char *vmlinux, struct kernel_btf **ret_btf)
{
	_cleanup_(debuginfo_free_p) struct debuginfo *info = NULL;
	_cleanup_(free_p) char *found = NULL;
	struct build_id running = { .len = 0 };
	struct kernel_place place = { "" };
	struct utsname names;
	int err = kernel_btf_load_live(ret_btf);

	if (err != -ENOENT || build_id_read("/sys/kernel/notes", &running) || uname(&names))
		return err;
	place.release = names.release;
	if (!vmlinux && debuginfo_find_vmlinux(&place, &running, &found, &info) == FIT_GOOD)
		vmlinux = found;
	if (!vmlinux || !kernel_image_is_running(vmlinux) || kernel_btf_load_file(vmlinux, ret_btf))
		return -ENOENT;
	return 0;
}

static int read_btf(struct kernel *kernel)
{
	int err;

	stop_prefetch(kernel);
	if (kernel->ahead.btf_done) {
		kernel->ahead.btf_done = false;
		kernel->btf = take_ptr(kernel->ahead.btf);
		return kernel->ahead.btf_err;
	}
	if (!kernel->options.live)
		return kernel_btf_load_file(kernel->options.vmlinux, &kernel->btf);
	err = kernel_btf_of_running(kernel->options.vmlinux, &kernel->btf);
	if (!err && !kernel_btf_is_live(kernel->btf))
		say(VERBOSITY_VERBOSE, "This kernel has no BTF: its types are read from its debug info.");
	return err;
}

const struct btf *kernel_types(struct kernel *kernel)
{
	if (kernel->btf_err == UNTRIED && !read_btf(kernel))
		kernel->btf_err = 0;
	return kernel->btf_err ? NULL : kernel_btf_types(kernel->btf, 0);
}

int kernel_symbols(struct kernel *kernel, struct symbols **ret)
{
	if (kernel->symbols_err == UNTRIED) {
		struct progress progress = progress_start("Reading the kernel's symbols");

		/* What is not known now is new later. */
		if (kernel->options.live)
			modules_list(&kernel->modules);
		kernel->symbols_err =
			kernel->options.live ?
				symbols_load_kallsyms(kernel_types(kernel), kernel->options.made_code,
						      &kernel->symbols) :
				symbols_load_elf(kernel->options.vmlinux, &kernel->symbols);
		progress_end(&progress);
	}
	if (!kernel->symbols_err)
		*ret = kernel->symbols;
	return kernel->symbols_err;
}

int kernel_symbolizer(struct kernel *kernel, struct symbolizer **ret)
{
	if (kernel->symbolizer_err == UNTRIED) {
		struct symbols *symbols;

		kernel->symbolizer_err = kernel_symbols(kernel, &symbols);
		if (!kernel->symbolizer_err) {
			struct progress progress = progress_start("Reading debug info");

			kernel->symbolizer_err =
				symbolizer_new(symbols, &kernel->options, &kernel->symbolizer);
			progress_end(&progress);
		}
	}
	if (!kernel->symbolizer_err)
		*ret = kernel->symbolizer;
	return kernel->symbolizer_err;
}

static int load_btf(struct kernel *kernel)
{
	int err = read_btf(kernel);
	char what[128];

	if (!err)
		return 0;
	if (err == -ENOMEM)
		return report_oom();
	if (err != -ENOENT) {
		/* It may be one of libbpf's own, from 4000 on. */
		libbpf_strerror(err, what, sizeof(what));
		warning("cannot read the kernel's BTF: %s", what);
	}
	warning("without BTF every function counts as returning an int, and trampolines (fentry, "
		"fsession) and arguments are out of reach; see retsnoop doctor");
	return -ENOENT;
}

int kernel_get_btf(struct kernel *kernel, struct kernel_btf **ret)
{
	if (kernel->btf_err == UNTRIED) {
		struct progress progress = progress_start("Reading the kernel's types");

		kernel->btf_err = load_btf(kernel);
		progress_end(&progress);
	}
	if (!kernel->btf_err)
		*ret = kernel->btf;
	return kernel->btf_err;
}

/* 0; -errno, and the text has to be read (not reported but for -ENOMEM). */
static int load_from_memory(struct kernel *kernel, const struct symbols *symbols)
{
	uint64_t list = symbols_tables(symbols)->ftrace_pages;
	struct kcore kcore = KCORE_INIT;
	const struct code_source memory = { kcore_read, &kcore };
	struct traceable_text *text = &kernel->ahead.text;
	addr_vec addrs = VEC_INIT;
	int err;

	const struct btf *types = list ? kernel_types(kernel) : NULL;

	if (!types || !can_read_memory())
		return -ENOENT;
	err = ftrace_pages_read(types, &memory, list, &addrs);
	kcore_close(&kcore);
	if (err)
		return err;
	traceable_read_blacklist(text);
	err = traceable_from_locations(symbols, &addrs, text, &kernel->traceable);
	traceable_text_release(text);
	return err;
}

static int load_traceable(struct kernel *kernel)
{
	struct traceable_text *text = &kernel->ahead.text;
	struct symbols *symbols = NULL;
	struct kernel_btf *btf = NULL;
	int err;

	if (!kernel->options.live)
		return -ENOENT;
	err = kernel_symbols(kernel, &symbols);
	if (err)
		return err;
	stop_prefetch(kernel);
	if (!kernel->ahead.text_done && !load_from_memory(kernel, symbols))
		return 0;
	if (!kernel->ahead.text_done)
		kernel->ahead.text_err = traceable_read(text);
	if (!kernel->ahead.text_err) {
		err = traceable_parse(symbols, text, &kernel->traceable);
	} else {
		const char *instead, *tracefs;

		kernel_get_btf(kernel, &btf);
		instead = btf ? "the functions in BTF" : "any function";
		if (lockdown_is_complete())
			warning("tracefs is closed by lockdown (confidentiality); taking %s for "
				"traceable",
				instead);
		else if (kernel->ahead.text_err == -ENOENT && !tracefs_look(&tracefs))
			warning("this kernel has no function tracing (CONFIG_FUNCTION_TRACER), so no list "
				"of functions; taking %s for traceable",
				instead);
		else if (kernel->ahead.text_err == -ENOENT)
			warning("tracefs is not mounted (mount -t tracefs nodev "
				"/sys/kernel/tracing); taking %s for traceable",
				instead);
		else
			warning("cannot read available_filter_functions in tracefs: %s; taking "
				"%s for traceable",
				strerror(-kernel->ahead.text_err), instead);
		err = traceable_guess(symbols, btf, text, &kernel->traceable);
	}
	traceable_text_release(text);
	return err;
}

int kernel_traceable(struct kernel *kernel, const struct traceable **ret)
{
	if (kernel->traceable_err == UNTRIED) {
		struct progress progress = progress_start("Reading which functions can be traced");

		kernel->traceable_err = load_traceable(kernel);
		progress_end(&progress);
	}
	if (!kernel->traceable_err)
		*ret = kernel->traceable;
	return kernel->traceable_err;
}

bool kernel_image_is_running(const char *vmlinux)
{
	struct build_id running = { .len = 0 };
	struct elf_file *file = NULL;
	bool same;

	if (build_id_read("/sys/kernel/notes", &running) || elf_file_open(vmlinux, NULL, &file))
		return false;
	same = elf_file_build_id(file)->len == running.len &&
	       !memcmp(elf_file_build_id(file)->bytes, running.bytes, running.len);
	elf_file_free(file);
	return same;
}

static void forget_btf(struct kernel *kernel)
{
	kernel_btf_free(kernel->btf);
	kernel->btf = NULL;
	kernel->btf_err = UNTRIED;
}

static void forget_traceable(struct kernel *kernel)
{
	traceable_free(kernel->traceable);
	kernel->traceable = NULL;
	kernel->traceable_err = UNTRIED;
	kernel->ahead.text_done = false;
}

void kernel_forget_facts(struct kernel *kernel)
{
	if (!kernel->options.live)
		return;
	/* An error is kept: it is reported once. */
	if (!kernel->btf_err && !kernel_btf_has_modules(kernel->btf))
		forget_btf(kernel);
	if (!kernel->traceable_err)
		forget_traceable(kernel);
	if (!kernel->symbols_err)
		symbols_forget_names(kernel->symbols);
	malloc_trim(0);
}

void kernel_forget_module(struct kernel *kernel, const char *module)
{
	if (kernel->btf)
		kernel_btf_forget_module(kernel->btf, module);
	if (kernel->symbolizer)
		symbolizer_forget_module(kernel->symbolizer, module);
}

int kernel_learn_modules(struct kernel *kernel)
{
	struct loaded_modules now = {}, added = {};
	struct symbols *symbols;
	int err;

	if (!kernel->options.live)
		return 0;
	err = kernel_symbols(kernel, &symbols);
	if (!err && modules_list(&now) == -ENOMEM)
		err = report_oom();
	if (!err && modules_subtract(&now, &kernel->modules, &added))
		err = report_oom();
	if (err || !added.v.len)
		goto out;
	vec_foreach(module, &added.v)
		kernel_forget_module(kernel, module->name);
	err = symbols_refresh(symbols);
	if (err)
		goto out;
	vec_release(&kernel->modules.v);
	kernel->modules = now;
	now = (struct loaded_modules){};
	err = 1;
	if (kernel->traceable_err != UNTRIED)
		forget_traceable(kernel);
out:
	vec_release(&now.v);
	vec_release(&added.v);
	return err;
}
