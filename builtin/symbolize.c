// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop symbolize`: kernel addresses to functions and lines. */
#include "builtin/suite/command.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin/suite/output_file.h"
#include "builtin/symbolize_log.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/view/lists/symbolize_view.h"
#include "util/view/parts/output.h"

/* Lines of input are answered in batches of this size: several threads read the debug info. */
#define READ_SIZE (1 << 20)

struct symbolize_options {
	bool is_return;		/* -r */
	bool running;		/* --running */
	bool log;		/* --log */
};

static const struct setting symbolize_rows[] = {
	{ "return", 'r', .flags = SETTING_NEGATABLE, .type = SETTING_FLAG,
	  SETTING_FIELD(struct symbolize_options, is_return),
	  .help = "Addresses are return addresses: look up the call before each" },
	{ "running", .flags = SETTING_NEGATABLE, .type = SETTING_FLAG,
	  SETTING_FIELD(struct symbolize_options, running),
	  .help = "With -k: addresses are the running kernel's, not those VMLINUX was linked for" },
	{ "log", .flags = SETTING_NEGATABLE, .type = SETTING_FLAG,
	  SETTING_FIELD(struct symbolize_options, log),
	  .help = "Copy a kernel's log from standard input, with source lines and inlined calls added "
		  "below the lines that name places in code" },
	{}
};

static const struct option_group own_options = { .settings = symbolize_rows };

static const struct option_group *const own_groups[] = { &symbol_options, NULL };
static const struct option_group *const symbolize_options[] = {
	&own_options, &symbol_options, &general_options, NULL,
};

/* One address to look up, and the words it came from. */
struct query {
	const char *input;
	uint64_t addr;
};

struct session_state {
	const struct symbols *symbols;
	struct symbolizer *symbolizer;
	bool is_return;
	symbolize_view_fn view;
	bool color;
	struct progress progress;
	uint64_t answered;
	uint64_t input_size;	/* size of the input, if it is a file; 0: not known */
	VEC(struct query) queries;
	VEC(uint64_t) addrs;
	struct strbuf text;
	bool missed;		/* an input was bad, or has no symbol */
};

static int add_query(struct session_state *state, const char *input, uint64_t addr)
{
	struct query query = { input, addr };

	if (vec_push(&state->queries, query) || vec_push(&state->addrs, addr))
		return report_oom();
	return 0;
}

/* "0xffffffff81000000", or all hex digits. */
static bool parse_addr(const char *s, uint64_t *ret_addr)
{
	char *end;

	if (!isxdigit((unsigned char)*s))
		return false;
	errno = 0;
	*ret_addr = strtoull(s, &end, 16);
	return !*end && !errno;
}

/* "NAME", "NAME+OFFSET", "NAME+OFFSET/SIZE", each with or without " [MODULE]". */
struct named_place {
	char *name;
	const char *module;	/* NULL: any */
	uint64_t offset, size;
	bool has_size;
};

static bool parse_number(char *s, uint64_t *ret_number)
{
	char *end;

	errno = 0;
	*ret_number = strtoull(s, &end, 0);
	return isdigit((unsigned char)*s) && !*end && !errno;
}

/* Cuts @s into pieces. */
static bool parse_place(char *s, struct named_place *ret_place)
{
	struct named_place place = { .name = s };
	char *module = strchr(s, '['), *plus, *slash;
	size_t len;

	if (module) {
		len = strlen(module);
		if (module[len - 1] != ']')
			return false;
		module[len - 1] = '\0';
		*module++ = '\0';
		place.module = module;
		for (len = strlen(s); len && isspace((unsigned char)s[len - 1]); len--)
			s[len - 1] = '\0';
	}
	plus = strchr(s, '+');
	if (plus) {
		*plus++ = '\0';
		slash = strchr(plus, '/');
		if (slash) {
			*slash++ = '\0';
			place.has_size = parse_number(slash, &place.size);
			if (!place.has_size)
				return false;
		}
		if (!parse_number(plus, &place.offset))
			return false;
	}
	*ret_place = place;
	return *s;
}

/*
 * Find every function with that name, in the module and with the size given. If no function has the
 * size, find functions of all sizes.
 */
static int add_named(struct session_state *state, const char *input,
		     const struct named_place *place)
{
	const struct symbol *const *named;
	size_t nr = symbols_named(state->symbols, place->name, &named), before;
	unsigned int fit, best = 0;
	int err = 0;

	for (size_t i = 0; place->has_size && i < nr; i++) {
		fit = symbols_size_fit(state->symbols, named[i], place->size);
		best = fit > best ? fit : best;
	}
	before = state->queries.len;
	for (size_t i = 0; !err && i < nr; i++) {
		const char *module = named[i]->module;

		if ((place->module && strcmp(module ?: "vmlinux", place->module)) ||
		    (best && symbols_size_fit(state->symbols, named[i], place->size) != best))
			continue;
		err = add_query(state, input, named[i]->addr + place->offset);
	}
	if (!err && state->queries.len == before) {
		state->missed = true;
		report(0, "symbolize: no symbol '%s'%s%s", place->name,
		       place->module ? " in module " : "", place->module ?: "");
	}
	return err;
}

/* @input must outlive the queries made of it. 0 or -ENOMEM; bad input is reported. */
static int add_input(struct session_state *state, const char *input)
{
	_cleanup_(free_p) char *copy = strdup(input);
	const struct symbol *const *named;
	struct named_place place;
	uint64_t addr;

	if (!copy)
		return report_oom();
	/* "add" is a hexadecimal number, too: prefer the symbol of that name. */
	if (parse_addr(copy, &addr) && ((copy[0] == '0' && tolower(copy[1]) == 'x') ||
					strlen(copy) >= 16 ||
					!symbols_named(state->symbols, copy, &named)))
		return add_query(state, input, addr);
	if (parse_place(copy, &place))
		return add_named(state, input, &place);
	state->missed = true;
	report(0, "symbolize: '%s' is neither an address nor SYMBOL[+OFFSET]", input);
	return 0;
}

/* Print the answers to the queries, and remove the queries. */
static int print_answers(struct session_state *state)
{
	int err;

	symbolizer_prefetch(state->symbolizer, state->addrs.data, state->addrs.len);
	vec_foreach(query, &state->queries) {
		struct symbolized found;

		symbolizer_lookup(state->symbolizer, query->addr, state->is_return, &found);
		state->view(&state->text, state->color, query->input, query->addr, &found);
		state->missed |= !found.symbol && !found.nr_frames;
		state->answered++;
		if (!state->input_size)
			progress_update(&state->progress, state->answered, 0);
	}
	state->queries.len = state->addrs.len = 0;
	err = output_data(stdout, &state->text);
	strbuf_reset(&state->text);
	return err;
}

/* Split the text into lines, trim them, and query each that is not empty. @lines[@len] is overwritten. */
static int add_lines(struct session_state *state, char *lines, size_t len)
{
	char *after = lines + len, *next;

	for (char *line = lines; line < after; line = next + 1) {
		char *end = next = memchr(line, '\n', after - line) ?: after;
		int err;

		while (line < end && isspace((unsigned char)*line))
			line++;
		while (end > line && isspace((unsigned char)end[-1]))
			end--;
		*end = '\0';
		if (strlen(line) < (size_t)(end - line)) {
			state->missed = true;
			report(0, "symbolize: a line has a NUL byte after '%s'", line);
			continue;
		}
		err = *line ? add_input(state, line) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* Answer the lines typed so far, as soon as there is no more to read. */
static int answer_stdin(struct session_state *state)
{
	_cleanup_(free_p) char *buffer = malloc(READ_SIZE + 1);
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	uint64_t done = 0;
	size_t have = 0;
	struct stat st;
	ssize_t got = 1;

	if (!buffer)
		return report_oom();
	if (!fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode))
		state->input_size = st.st_size;
	while (got) {
		char *last;
		int err;

		got = read(STDIN_FILENO, buffer + have, READ_SIZE - have);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return report(-errno, "cannot read standard input: %m");
		have += got;
		done += got;
		if (state->input_size)
			progress_update_bytes(&state->progress, done, state->input_size);
		if (got && have < READ_SIZE && poll(&input, 1, 0) > 0)
			continue;
		/* Keep an incomplete line until its rest arrives; one that never ends is an error. */
		last = got ? memrchr(buffer, '\n', have) : buffer + have;
		if (!last && have < READ_SIZE)
			continue;
		if (!last)
			last = buffer + have;
		have = last < buffer + have ? buffer + have - last - 1 : 0;
		err = add_lines(state, buffer, last - buffer) ?: print_answers(state);
		if (err)
			return err;
		memmove(buffer, last + 1, have);
	}
	return 0;
}

static int answer_all(struct session_state *state, const struct command_args *args)
{
	if (!args->args.len)
		return answer_stdin(state);
	for (size_t i = 0; i < args->args.len; i++) {
		int err = add_input(state, args->args.data[i]);

		if (err)
			return err;
	}
	return print_answers(state);
}

/* With --log, the other options have no effect. */
static int run_log(const struct symbolize_options *options, const struct trace_request *request,
		   const struct command_args *args)
{
	const struct log_symbols_options log_options = {
		.vmlinux = request->symbols.vmlinux,
		.lines_only = request->symbols.level == SYMBOLIZE_LINES,
		.debuginfod = request->symbols.debuginfod,
	};

	if (args->args.len)
		return report(EXIT_USAGE, "--log reads standard input: unexpected argument '%s'",
			      args->args.data[0]);
	if (options->is_return || options->running ||
	    request->symbols.level == SYMBOLIZE_NONE)
		return report(EXIT_USAGE, "--log cannot be combined with -r, --running or -sn");
	return symbolize_log(&log_options, args->format, args->color);
}

static int symbolize_run(const struct command *command, int argc, char **argv)
{
	_cleanup_(trace_request_release) struct trace_request request;
	_cleanup_(command_args_release) struct command_args args = {};
	_cleanup_(kernel_free_p) struct kernel *kernel = NULL;
	struct symbolize_options options = {};
	struct symbolizer_options symbols_options;
	struct session_state state = { .text = STRBUF_INIT };
	struct symbols *symbols;
	const char *hint;
	int err;

	trace_request_init(&request);
	err = settings_load(&request) ?:
	      command_parse(command, argc, argv, (void *[]){ &options, &request, &request }, &args);
	if (err)
		return command_exit_status(err);
	if (output_file_open(&args, NULL))
		return EXIT_CANNOT;
	if (options.log)
		return run_log(&options, &request, &args);
	if (options.running && !request.symbols.vmlinux)
		return report(EXIT_USAGE, "--running needs -k; without it, addresses are the "
					  "running kernel's anyway");
	symbols_options = request.symbols;
	symbols_options.live = !symbols_options.vmlinux || options.running;
	symbols_options.made_code = true;
	if (kernel_new(&symbols_options, &kernel) || kernel_symbols(kernel, &symbols) ||
	    kernel_symbolizer(kernel, &state.symbolizer))
		return EXIT_CANNOT;
	hint = symbolizer_hint(state.symbolizer);
	if (hint)
		say(VERBOSITY_NORMAL, "retsnoop: %s", hint);
	state.symbols = symbols;
	state.is_return = options.is_return;
	state.color = args.color;
	state.view = args.format == FORMAT_JSON ? symbolize_view_json : symbolize_view_text;
	if (args.args.len || !isatty(STDIN_FILENO))
		state.progress = progress_start_beside_output("Symbolizing");
	err = answer_all(&state, &args);
	progress_end(&state.progress);
	vec_release(&state.queries);
	vec_release(&state.addrs);
	strbuf_release(&state.text);
	if (err)
		return err == -EPIPE ? EXIT_SHOWN : EXIT_CANNOT;
	return state.missed ? EXIT_NOTHING : EXIT_SHOWN;
}

static const char symbolize_help[] =
	"Prints function and offset, source line and inlined calls of kernel addresses, the outermost "
	"call first. An argument, or a line of standard input, is an address in hex or SYMBOL+OFFSET "
	"as the kernel prints it (\"do_exit+0x2f/0xa10\").\n\n"
	"With --log, standard input is the log of any kernel. It is copied, with source lines and "
	"inlined calls added; the release that the log names selects the debug info.\n\n"
	"Without -k, addresses are the running kernel's. With -k VMLINUX, they are the addresses that "
	"this file was linked for; root and that kernel are not needed.";

static const char symbolize_examples[] =
	"# The line of an address of the running kernel\nretsnoop symbolize do_syscall_64+0x55\n"
	"# A kernel log with source lines\ndmesg | retsnoop symbolize --log\n"
	"# An oops of another machine\nretsnoop symbolize --log -k vmlinux-6.1.0-amd64 < oops.txt";

const struct command cmd_symbolize = {
	.name = "symbolize",
	.summary = "kernel addresses to functions, lines and inlined calls",
	.usage = "[-r] [-k VMLINUX [--running]] [ADDRESS|SYMBOL[+OFFSET]...]\n"
		 "--log [-k VMLINUX] < LOG",
	.help = symbolize_help,
	.examples = symbolize_examples,
	.own_groups = own_groups,
	.options = symbolize_options,
	.formats = FORMAT_TEXT | FORMAT_JSON,
	.run = symbolize_run,
};
