// SPDX-License-Identifier: BSD-2-Clause
/* Command lines, from options to a request. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "bpf/event.h"
#include "builtin/suite/command.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/kernel/machine/capabilities.h"
#include "util/ask/settings.h"

static const struct option_group *const groups[] = {
	&function_options, &attach_options,  &filter_options, &run_options,
	&symbol_options,   &general_options, &error_options,  &mode_options,
	&args_options,	   &branch_options,
	NULL,
};

static const struct command tracing = {
	.name = "stack",
	.summary = "the call stack behind each failing call",
	.usage = "-e GLOB [-a GLOB] [-- PROGRAM ARGS]",
	.help = "Shows things.",
	.examples = "# Things\nretsnoop stack -e thing",
	.options = groups,
	.formats = FORMAT_TEXT,
	.needs = NEED_TRACING,
};

static const struct command plain = {
	.name = "plain",
	.usage = "[NAME...]",
	.help = "Takes arguments.",
	.examples = "# Plainly\nretsnoop plain",
	.formats = FORMAT_TEXT | FORMAT_JSON,
};

FIXTURE(line)
{
	struct trace_request request;
	struct command_args args;
	char *words[3 * CONFIG_RULES];	/* outlive the parsing: the workload points into them */
	char *text;
	char *out, *messages;
	int err;
};

FIXTURE_SETUP(line)
{
	memset(self, 0, sizeof(*self));
	/* No configuration but that of the tests. */
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	trace_request_init(&self->request);
}

static void line_reset(FIXTURE_DATA(line) *self)
{
	command_args_release(&self->args);
	trace_request_release(&self->request);
	trace_request_init(&self->request);
	memset(&self->args, 0, sizeof(self->args));
	free(self->text);
	free(self->out);
	free(self->messages);
	self->text = self->out = self->messages = NULL;
	report_set_verbosity(VERBOSITY_NORMAL);
}

FIXTURE_TEARDOWN(line)
{
	line_reset(self);
	trace_request_release(&self->request);
}

/* Words are parted by single spaces; ~ stands for a space in a word. */
static void parse_as(FIXTURE_DATA(line) *self, const struct command *command, const char *text)
{
	void *const targets[] = { &self->request, &self->request, &self->request,
				  &self->request, &self->request, &self->request,
				  &self->request, &self->request, &self->request,
				  &self->request };
	char *rest;
	int argc = 0;

	line_reset(self);
	rest = self->text = strdup(text);
	self->words[argc++] = (char *)command->name;
	while (rest && *text) {
		self->words[argc] = strsep(&rest, " ");
		for (char *s = self->words[argc]; *s; s++)
			*s = *s == '~' ? ' ' : *s;
		argc++;
	}
	self->words[argc] = NULL;
	self->messages = stderr_of(
		self->out = stdout_of(self->err = settings_load(&self->request) ?:
						  command_parse(command, argc, self->words, targets,
								&self->args)));
}

#define PARSED(line)                                                                               \
	do {                                                                                       \
		parse_as(self, &tracing, line);                                                    \
		ASSERT_EQ(0, self->err) { TH_LOG("%s", self->messages); }                          \
		EXPECT_STREQ("", self->messages);                                                  \
		EXPECT_STREQ("", self->out);                                                       \
	} while (0)

#define REFUSED(line, message)                                                                     \
	do {                                                                                       \
		parse_as(self, &tracing, line);                                                    \
		EXPECT_EQ(-EINVAL, self->err);                                                     \
		EXPECT_STREQ("retsnoop: " message "\n", self->messages);                           \
		EXPECT_STREQ("", self->out);                                                       \
	} while (0)

#define TRY "; try 'retsnoop stack -h'"

TEST_F(line, nothing_asked_leaves_the_defaults)
{
	PARSED("");
	EXPECT_EQ(0, self->request.entry.v.len);
	EXPECT_EQ(RUNG_AUTO, self->request.rung);
	EXPECT_EQ(SUCCESS_AUTO, self->request.success);
	EXPECT_EQ(DEFAULT_RINGBUF_SIZE, self->request.ringbuf_size);
	EXPECT_EQ(SYMBOLIZE_AUTO, self->request.symbols.level);
	EXPECT_EQ(FORMAT_TEXT, self->args.format);
	EXPECT_EQ(NULL, self->args.workload);
}

TEST_F(line, functions)
{
	PARSED("-e *_sys_bpf --entry=foo~[mod] -a a -ab --allow c -d d -e e2");
	ASSERT_EQ(3, self->request.entry.v.len);
	EXPECT_STREQ("*_sys_bpf", self->request.entry.v.data[0].text);
	EXPECT_STREQ("foo", self->request.entry.v.data[1].name);
	EXPECT_STREQ("mod", self->request.entry.v.data[1].module);
	ASSERT_EQ(3, self->request.allow.v.len);
	EXPECT_STREQ("b", self->request.allow.v.data[1].text);
	ASSERT_EQ(1, self->request.deny.v.len);
	EXPECT_FALSE(self->request.entry.v.data[0].optional);
}

TEST_F(line, built_in_cases)
{
	PARSED("-c bpf -e mine");
	ASSERT_EQ(2, self->request.entry.v.len);
	EXPECT_STREQ("*_sys_bpf", self->request.entry.v.data[0].text);
	EXPECT_TRUE(self->request.entry.v.data[0].optional);
	EXPECT_FALSE(self->request.entry.v.data[1].optional);
	EXPECT_LT(10, self->request.allow.v.len);
	EXPECT_LT(5, self->request.deny.v.len);
	/* They work without debug info. */
	vec_foreach(spec, &self->request.allow.v) {
		EXPECT_EQ(SPEC_NAME, spec->kind);
	}

	PARSED("--case perf");
	EXPECT_STREQ("*_sys_perf_event_open", self->request.entry.v.data[0].text);
	REFUSED("-c prf", "-c: unknown case 'prf'; did you mean 'perf'?");
	REFUSED("-c networking",
		"-c: unknown case 'networking'; bpf and perf are built in, others come from the configuration");
}

TEST_F(line, rungs)
{
	PARSED("-M");
	EXPECT_EQ(RUNG_KPROBE_MULTI, self->request.rung);
	PARSED("-K");
	EXPECT_EQ(RUNG_KPROBE, self->request.rung);
	PARSED("-F");
	EXPECT_EQ(RUNG_FENTRY, self->request.rung);
	PARSED("-F --attach=fsession-multi");
	EXPECT_EQ(RUNG_FSESSION_MULTI, self->request.rung);
	PARSED("-K --attach=auto");
	EXPECT_EQ(RUNG_AUTO, self->request.rung);
	REFUSED("--attach=kprobe-mutli",
		"--attach: unknown attach method 'kprobe-mutli'; did you mean 'kprobe-multi'?");
	REFUSED("--attach=kprob", "--attach: unknown attach method 'kprob'; did you mean 'kprobe'?");
	REFUSED("--attach=x", "--attach: unknown attach method 'x'; --help-all lists them");
}

TEST_F(line, flags_can_be_taken_back)
{
	PARSED("--dry-run -I -S --forward-status");
	EXPECT_TRUE(self->request.dry_run);
	EXPECT_TRUE(self->request.interim);
	EXPECT_EQ(SUCCESS_YES, self->request.success);
	EXPECT_TRUE(self->request.forward_status);
	PARSED("--dry-run -I -S --forward-status --no-dry-run --no-interim-stacks"
	       " --no-success-stacks --no-forward-status");
	EXPECT_FALSE(self->request.dry_run);
	EXPECT_FALSE(self->request.interim);
	EXPECT_EQ(SUCCESS_NO, self->request.success);
	EXPECT_FALSE(self->request.forward_status);
}

TEST_F(line, success_stacks)
{
	PARSED("-Sy");
	EXPECT_EQ(SUCCESS_YES, self->request.success);
	PARSED("-S -Sn");
	EXPECT_EQ(SUCCESS_NO, self->request.success);
	PARSED("--success-stacks=y");
	EXPECT_EQ(SUCCESS_YES, self->request.success);
	PARSED("-IS");
	EXPECT_EQ(SUCCESS_YES, self->request.success);
	REFUSED("-SI", "-S: 'I' is not y or n");
	PARSED("-Sn");
	EXPECT_EQ(SUCCESS_NO, self->request.success);
	PARSED("-S --no-success-stacks");
	EXPECT_EQ(SUCCESS_NO, self->request.success);
	PARSED("-I");
	EXPECT_EQ(SUCCESS_AUTO, self->request.success);
}

/* Of a command that by itself shows the stack. 1, 0, or -1: the line is refused. */
static int shows_successes(FIXTURE_DATA(line) *self, const char *text)
{
	parse_as(self, &tracing, text);
	if (!(self->request.modes & (MODE_STACK | MODE_TRACE)))
		self->request.modes |= MODE_STACK;
	self->request.shown_modes = self->request.modes;
	trace_request_settle(&self->request);
	return self->err ? -1 : trace_request_shows_successes(&self->request);
}

TEST_F(line, stacks_and_branches_are_of_failures_and_traces_alone_of_all_calls)
{
	EXPECT_EQ(0, shows_successes(self, ""));
	EXPECT_EQ(0, shows_successes(self, "-E"));
	EXPECT_EQ(0, shows_successes(self, "-A"));
	EXPECT_EQ(1, shows_successes(self, "-T"));
	EXPECT_EQ(1, shows_successes(self, "-T -A"));
	EXPECT_EQ(1, shows_successes(self, "-T -J kprobe:f"));
	EXPECT_EQ(1, shows_successes(self, "-T -L 5 -X ENOENT -I --error-if x:ret==0"));
	EXPECT_EQ(0, shows_successes(self, "-T -E"));
	EXPECT_EQ(0, shows_successes(self, "-J kprobe:f"));
	EXPECT_EQ(0, shows_successes(self, "--lbr"));
	EXPECT_EQ(0, shows_successes(self, "-T --lbr"));
	EXPECT_EQ(0, shows_successes(self, "-L 5"));
	EXPECT_EQ(0, shows_successes(self, "--error-if x:ret==0"));
}

TEST_F(line, the_user_says_whether_successes_are_shown)
{
	EXPECT_EQ(1, shows_successes(self, "-S"));
	EXPECT_EQ(1, shows_successes(self, "-T -E -Sy"));
	EXPECT_EQ(1, shows_successes(self, "--lbr -S"));
	EXPECT_EQ(0, shows_successes(self, "-T -Sn"));
	EXPECT_EQ(0, shows_successes(self, "-T --no-success-stacks"));
}

TEST_F(line, conditions_and_counts_are_of_successes_too)
{
	EXPECT_EQ(1, shows_successes(self, "--return 0"));
	EXPECT_EQ(0, shows_successes(self, "--return 0 -Sn"));
	EXPECT_EQ(0, shows_successes(self, "--no-success-stacks --return 0"));
	EXPECT_EQ(1, shows_successes(self, "--summary"));
	EXPECT_EQ(0, shows_successes(self, "--summary -Sn"));
	EXPECT_EQ(1, shows_successes(self, "--interval 1"));
}

TEST_F(line, an_error_that_is_asked_for_leaves_out_successes)
{
	EXPECT_EQ(0, shows_successes(self, "-x EINVAL"));
	EXPECT_EQ(0, shows_successes(self, "-T -x any"));
	EXPECT_EQ(0, shows_successes(self, "-T -x EINVAL -S"));
	EXPECT_EQ(0, shows_successes(self, "--summary -x EINVAL"));
	EXPECT_EQ(0, shows_successes(self, "--return 0 -x NULL"));
}

TEST_F(line, modes)
{
	PARSED("");
	EXPECT_EQ(0, self->request.modes);
	PARSED("-T");
	EXPECT_EQ(MODE_TRACE, self->request.modes);
	PARSED("-ET");
	EXPECT_EQ(MODE_STACK | MODE_TRACE, self->request.modes);
	EXPECT_EQ(MODE_STACK | MODE_TRACE, self->request.modes_asked);
	PARSED("--trace --call-stack --no-trace");
	EXPECT_EQ(MODE_STACK, self->request.modes);
	EXPECT_EQ(MODE_STACK, self->request.modes_asked);
	PARSED("--no-call-stack");
	EXPECT_EQ(0, self->request.modes);
}

TEST_F(line, branches)
{
	PARSED("");
	EXPECT_EQ(0, self->request.branch_types);
	trace_request_settle(&self->request);
	EXPECT_EQ(PERF_SAMPLE_BRANCH_ANY_RETURN, self->request.branch_types);
	PARSED("--lbr");
	EXPECT_EQ(MODE_BRANCHES, self->request.modes);
	EXPECT_EQ(MODE_BRANCHES, self->request.modes_asked);
	EXPECT_EQ(0, self->request.branch_types);
	PARSED("-B -R --branches");
	EXPECT_EQ(MODE_BRANCHES, self->request.modes);
	EXPECT_EQ(0, self->request.branch_types);
	PARSED("--lbr=any");
	EXPECT_EQ(PERF_SAMPLE_BRANCH_ANY, self->request.branch_types);
	PARSED("--branches=any");
	EXPECT_EQ(PERF_SAMPLE_BRANCH_ANY, self->request.branch_types);
	PARSED("-Bcond -Rcall --lbr=ind_jump,ind_call --branches=0x100 -T");
	EXPECT_EQ(MODE_BRANCHES | MODE_TRACE, self->request.modes);
	EXPECT_EQ(0x3540, self->request.branch_types);
	trace_request_settle(&self->request);
	EXPECT_EQ(0x3540, self->request.branch_types);
	PARSED("--lbr=any -E --no-lbr");
	EXPECT_EQ(MODE_STACK, self->request.modes);
	EXPECT_EQ(MODE_STACK, self->request.modes_asked);
	PARSED("--lbr=any --no-branches --lbr");
	EXPECT_EQ(MODE_BRANCHES, self->request.modes);
	EXPECT_EQ(0, self->request.branch_types);
	REFUSED("--lbr=any_retrun",
		"--lbr: unknown branch type 'any_retrun'; did you mean 'any_return'?");
	REFUSED("-Bx", "--lbr: unknown branch type 'x'; --help-all lists them");
	REFUSED("--branches=0", "--lbr: '0' is no mask of branch types; --lbr=0x8 is any");
	/* The value of an optional one is never the next word. */
	REFUSED("--lbr any", "stack: unexpected argument 'any'; a program to run goes after '--', "
			     "functions after -e");
}

TEST_F(line, what_is_shown_of_branches)
{
	PARSED("");
	EXPECT_FALSE(self->request.branches_full);
	EXPECT_EQ(0, self->request.branches_max);
	EXPECT_EQ(NULL, self->request.source_dir);
	PARSED("--lbr-full --lbr-max-count=5 --source=/usr/src/linux");
	EXPECT_TRUE(self->request.branches_full);
	EXPECT_EQ(5, self->request.branches_max);
	EXPECT_STREQ("/usr/src/linux", self->request.source_dir);
	/* None of them asks for branches. */
	EXPECT_EQ(0, self->request.modes);
	PARSED("--lbr-full --no-lbr-full --source a --source=b --lbr-max-count=5 "
	       "--lbr-max-count=0");
	EXPECT_FALSE(self->request.branches_full);
	EXPECT_EQ(0, self->request.branches_max);
	EXPECT_STREQ("b", self->request.source_dir);
	PARSED("-C fmt.lbr-max-count=7");
	EXPECT_EQ(7, self->request.branches_max);
	REFUSED("--lbr-max-count=-1", "--lbr-max-count: '-1' is not a number of branches; 0 means all");
	REFUSED("--lbr-max-count=4294967296",
		"--lbr-max-count: '4294967296' is not a number of branches; 0 means all");
	REFUSED("-C fmt.lbr-max-count=x",
		"-C: fmt.lbr-max-count: 'x' is not a number of branches; 0 means all");
}

TEST_F(line, no_stacks_or_traces_are_kept_for_a_summary)
{
	parse_as(self, &tracing, "--summary");
	self->request.modes = MODE_TRACE;
	trace_request_settle(&self->request);
	EXPECT_EQ(0, self->request.modes);
}

TEST_F(line, spans_come_from_threads_and_the_usual_map_unless_one_is_named)
{
	PARSED("--duration=1");
	EXPECT_EQ(0, self->request.trace_context);
	PARSED("--trace-context");
	EXPECT_EQ(TRACE_CONTEXT_THREADS | TRACE_CONTEXT_MAP, self->request.trace_context);
	EXPECT_EQ(NULL, self->request.trace_context_map);
	trace_request_settle(&self->request);
	EXPECT_EQ(SHOW_TRACE, self->request.show);
	PARSED("--trace-context=threads");
	EXPECT_EQ(TRACE_CONTEXT_THREADS, self->request.trace_context);
	PARSED("--trace-context=map");
	EXPECT_EQ(TRACE_CONTEXT_MAP, self->request.trace_context);
	EXPECT_EQ(NULL, self->request.trace_context_map);
	PARSED("--trace-context=/sys/fs/bpf/mine");
	EXPECT_EQ(TRACE_CONTEXT_MAP, self->request.trace_context);
	EXPECT_STREQ("/sys/fs/bpf/mine", self->request.trace_context_map);
	PARSED("--trace-context=/sys/fs/bpf/mine --trace-context=threads");
	EXPECT_EQ(TRACE_CONTEXT_THREADS, self->request.trace_context);
	EXPECT_EQ(NULL, self->request.trace_context_map);
	PARSED("--trace-context --no-trace-context");
	EXPECT_EQ(0, self->request.trace_context);
	PARSED("--show=trace,cpu");
	EXPECT_EQ(SHOW_TRACE | SHOW_CPU, self->request.show);
	REFUSED("--trace-context=otel", "--trace-context: 'otel' is neither threads nor map nor the path of a "
					"pinned map; try /sys/fs/bpf/otel/traces_ctx_v1");
}

TEST_F(line, budgets_are_shares_of_the_cpus_time)
{
	PARSED("--duration=1");
	EXPECT_EQ(0, self->request.budget_ppm);
	PARSED("--budget=1%");
	EXPECT_EQ(10000, self->request.budget_ppm);
	PARSED("--budget=0.25%");
	EXPECT_EQ(2500, self->request.budget_ppm);
	PARSED("--budget=99.99999%");
	EXPECT_EQ(999999, self->request.budget_ppm);
	PARSED("--budget=0.01%");
	EXPECT_EQ(100, self->request.budget_ppm);
#define NO_BUDGET(text)                                                                            \
	REFUSED("--budget=" text, "--budget: '" text "' is not a share of the CPUs' time; try 1% or 0.5%")
	NO_BUDGET("1");
	NO_BUDGET("0%");
	NO_BUDGET("100%");
	NO_BUDGET("%");
	NO_BUDGET("-1%");
	NO_BUDGET("1%%");
	NO_BUDGET(".5%");
	NO_BUDGET("0.001%");
	NO_BUDGET("1e1%");
}

TEST_F(line, summaries_and_statistics)
{
	PARSED("--summary --stats=5");
	EXPECT_TRUE(self->request.summary);
	EXPECT_EQ(0, self->request.interval_ns);
	EXPECT_EQ(5000000000, self->request.stats_ns);
	PARSED("--interval=500ms");
	EXPECT_TRUE(self->request.summary);
	EXPECT_EQ(500000000, self->request.interval_ns);
	PARSED("--interval=1 --no-summary");
	EXPECT_FALSE(self->request.summary);
	EXPECT_EQ(0, self->request.interval_ns);
	PARSED("--by=cgroup --no-histogram");
	EXPECT_TRUE(self->request.summary);
	EXPECT_EQ(SUMMARY_BY_CGROUP, self->request.summary_by);
	EXPECT_EQ(HISTOGRAMS_NO, self->request.histograms);
	PARSED("--by=process --no-summary");
	EXPECT_FALSE(self->request.summary);
	EXPECT_EQ(SUMMARY_BY_NOTHING, self->request.summary_by);
	REFUSED("--by=uid", "--by: 'uid' is not process, comm, cgroup, producer or host");
	REFUSED("--interval=0", "--interval: '0' is not a time; try 10 (seconds), 500ms or 1m");
	REFUSED("--stats=often", "--stats: 'often' is not a time; try 10 (seconds), 500ms or 1m");
}

TEST_F(line, conditions_on_results)
{
	PARSED("--return -EINVAL,-ENOMEM");
	ASSERT_EQ(2, self->request.result.terms.nr);
	EXPECT_EQ(-ENOMEM, self->request.result.terms.terms[1].value);
	EXPECT_STREQ("-EINVAL,-ENOMEM", self->request.result.text);
	/* The last one counts. */
	PARSED("--return=0 --return=<5");
	ASSERT_EQ(1, self->request.result.terms.nr);
	EXPECT_EQ(TERM_LT, self->request.result.terms.terms[0].op);
	REFUSED("--return=0 --return <", "--return: '<' needs a number at column 2 of '<'");
	EXPECT_STREQ("0", self->request.result.text);
}

TEST_F(line, rules_of_errors)
{
	char text[CONFIG_RULES * 16 + 64] = "";

	PARSED("--error-if map_*:~ret~==~0 --error-if :kernel/bpf/*.c:ret<-1");
	ASSERT_EQ(2, self->request.error_rules.len);
	EXPECT_STREQ("map_*", self->request.error_rules.data[0].funcs.v.data[0].name);
	EXPECT_STREQ("ret<-1", self->request.error_rules.data[1].expr.text);
	REFUSED("--error-if x", "--error-if: 'x' is not of the form 'GLOB: ret == 0'");
	for (int i = 0; i < CONFIG_RULES; i++)
		strcat(text, i ? " --err b:ret>0" : "--err b:ret>0");
	PARSED(text);
	EXPECT_EQ(CONFIG_RULES, self->request.error_rules.len);
	strcat(text, " --err c:ret>0");
	REFUSED(text, "--error-if: no more than 64 rules");
}

TEST_F(line, users)
{
	PARSED("--uid 0,root --uid 4294967294");
	ASSERT_EQ(3, self->request.uids.len);
	EXPECT_EQ(0, self->request.uids.data[1]);
	EXPECT_EQ(4294967294, self->request.uids.data[2]);
	REFUSED("--uid no-such-user",
		"--uid: unknown user 'no-such-user'; a number works, too");
	REFUSED("--uid 4294967295", "--uid: unknown user '4294967295'; a number works, too");
	REFUSED("--uid 0,", "--uid: unknown user ''; a number works, too");
	REFUSED("--uid -1", "--uid: unknown user '-1'; a number works, too");
}

TEST_F(line, cgroups_are_folders_of_cgroup2)
{
	REFUSED("--cgroup=", "--cgroup: the path of a cgroup is missing");
	parse_as(self, &tracing, "--cgroup /no/such/group");
	EXPECT_EQ(-EINVAL, self->err);
	EXPECT_EQ(0, strncmp(self->messages, "retsnoop: --cgroup: ", 20));
	EXPECT_NE(NULL, strstr(self->messages, " does not exist"));
	EXPECT_EQ(0, self->request.cgroups.len);
}

TEST_F(line, cgroups_by_their_owners)
{
	PARSED("--cgroup=system.slice/web* --cgroup=*/job-?");
	ASSERT_EQ(2, self->request.cgroup_patterns.len);
	EXPECT_STREQ("/system.slice/web*", self->request.cgroup_patterns.data[0].text);
	EXPECT_STREQ("*/job-?", self->request.cgroup_patterns.data[1].text);
	PARSED("--pod=0b5f3a2e_9c1d_4e77_8a55_1f0c2b9d6e34");
	EXPECT_STREQ("0b5f3a2e-9c1d-4e77-8a55-1f0c2b9d6e34", self->request.cgroup_patterns.data[0].text);
	PARSED("--container=cri-o://3f5ab1c9 --unit=ssh --unit=x.scope --unit=web*");
	ASSERT_EQ(4, self->request.cgroup_patterns.len);
	EXPECT_STREQ("3f5ab1c9", self->request.cgroup_patterns.data[0].text);
	EXPECT_STREQ("ssh.service", self->request.cgroup_patterns.data[1].text);
	EXPECT_STREQ("x.scope", self->request.cgroup_patterns.data[2].text);
	EXPECT_STREQ("web*", self->request.cgroup_patterns.data[3].text);
	REFUSED("--pod=web-1", "--pod: 'web-1' is not a pod's UID; \"kubectl get pod NAME -o "
		"jsonpath='{.metadata.uid}'\" prints it");
	REFUSED("--pod=0b5f3a2e-9c1d-4e77-8a55-1f0c2b9d6e3", "--pod: "
		"'0b5f3a2e-9c1d-4e77-8a55-1f0c2b9d6e3' is not a pod's UID; \"kubectl get pod NAME -o "
		"jsonpath='{.metadata.uid}'\" prints it");
	REFUSED("--container=web", "--container: 'web' is not a container's id, nor the beginning of "
		"one; docker, podman and crictl print it with 'ps'");
	REFUSED("--container=", "--container: '' is not a container's id, nor the beginning of one; "
		"docker, podman and crictl print it with 'ps'");
	REFUSED("--unit=", "--unit: '' is not the name of a unit; try ssh.service or 'web*.service', "
		"or --cgroup with a path");
	REFUSED("--unit=a/b", "--unit: 'a/b' is not the name of a unit; try ssh.service or "
		"'web*.service', or --cgroup with a path");
}

TEST(what_patterns_of_cgroups_match)
{
	static const struct {
		enum cgroup_pattern_kind kind;
		const char *text, *path;
		bool matches;
	} rows[] = {
		{ CGROUP_GLOB, "system.slice/web*", "/system.slice/web.service", true },
		{ CGROUP_GLOB, "system.slice/web*", "/system.slice/ssh.service", false },
		{ CGROUP_GLOB, "*/job-?", "/a/b/job-1", true },
		{ CGROUP_UNIT, "web", "/system.slice/web.service", true },
		{ CGROUP_UNIT, "web", "/system.slice/web.service/web", false },
		{ CGROUP_UNIT, "web*", "/system.slice/web@2.service", true },
		{ CGROUP_UNIT, "web*", "/system.slice/website", false },
		{ CGROUP_UNIT, "cpu", "/system.slice/_cpu.service", true },
		{ CGROUP_CONTAINER, "3f5a", "/docker/3f5ab1c9d0e4", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct cgroup_pattern pattern;

		ASSERT_EQ(0, cgroup_pattern_parse(rows[i].kind, rows[i].text, &pattern));
		EXPECT_EQ(rows[i].matches, cgroup_pattern_matches(&pattern, rows[i].path))
			TH_LOG("%s %s", rows[i].text, rows[i].path);
		free(pattern.text);
	}
}

TEST_F(line, depth)
{
	PARSED("");
	EXPECT_EQ(EVENT_MAX_DEPTH, self->request.max_depth);
	PARSED("--max-depth=1");
	EXPECT_EQ(1, self->request.max_depth);
	PARSED("--max-depth=256");
	EXPECT_EQ(256, self->request.max_depth);
	REFUSED("--max-depth=257", "--max-depth: '257' is not a number from 1 to 256");
	REFUSED("--max-depth=0", "--max-depth: '0' is not a number from 1 to 256");
	REFUSED("--max-depth=all", "--max-depth: 'all' is not a number from 1 to 256");
}

TEST_F(line, process_ids)
{
	PARSED("-p 1 -p 22,333 -P 4194304");
	ASSERT_EQ(3, self->request.allow_pids.len);
	EXPECT_EQ(333, self->request.allow_pids.data[2]);
	ASSERT_EQ(1, self->request.deny_pids.len);
	EXPECT_EQ(4194304, self->request.deny_pids.data[0]);
	REFUSED("-p bpf",
		"-p takes process ids; the set of functions 'bpf' is chosen with '-c bpf'");
	REFUSED("-p bash", "-p: 'bash' is not a process id; names go with -n");
	REFUSED("-P bash", "-P: 'bash' is not a process id; names go with -N");
	REFUSED("-p 0", "-p: '0' is not a process id; names go with -n");
	REFUSED("-p 1,", "-p: '' is not a process id; names go with -n");
	REFUSED("-p -1", "-p: '-1' is not a process id; names go with -n");
}

TEST_F(line, process_names_are_as_long_as_the_kernel_keeps_them)
{
	PARSED("-n bash -n a-very-long-process-name -N kworker/0:1");
	ASSERT_EQ(2, self->request.allow_comms.len);
	EXPECT_STREQ("bash", self->request.allow_comms.data[0]);
	EXPECT_STREQ("a-very-long-pro", self->request.allow_comms.data[1]);
	EXPECT_STREQ("kworker/0:1", self->request.deny_comms.data[0]);
	REFUSED("--comm=", "-n: a process name is missing");
}

TEST_F(line, several_process_names_are_separated_by_commas)
{
	PARSED("-n mkdir,touch -n a-very-long-process-name,kworker/0:1-events -N sh,@x");
	ASSERT_EQ(4, self->request.allow_comms.len);
	EXPECT_STREQ("mkdir", self->request.allow_comms.data[0]);
	EXPECT_STREQ("touch", self->request.allow_comms.data[1]);
	EXPECT_STREQ("a-very-long-pro", self->request.allow_comms.data[2]);
	EXPECT_STREQ("kworker/0:1", self->request.allow_comms.data[3]);
	ASSERT_EQ(2, self->request.deny_comms.len);
	EXPECT_STREQ("sh", self->request.deny_comms.data[0]);
	EXPECT_STREQ("@x", self->request.deny_comms.data[1]);
	REFUSED("-n a,", "-n: a process name is missing");
	REFUSED("-N ,a", "-N: a process name is missing");
}

/* A file of process names, to be removed; @path ends with XXXXXX. False: it cannot be written. */
static bool write_names(char *path, const char *names)
{
	int fd = mkstemp(path);
	bool written = fd >= 0 && write(fd, names, strlen(names)) == (ssize_t)strlen(names);

	if (fd >= 0)
		close(fd);
	return written;
}

TEST_F(line, process_names_come_from_a_file_too)
{
	char path[] = "/tmp/retsnoop-test-XXXXXX", text[64];

	ASSERT_TRUE(write_names(path, "bash\n\nsome thing\nx,z"));
	snprintf(text, sizeof(text), "-n @%s -n y", path);
	PARSED(text);
	ASSERT_EQ(4, self->request.allow_comms.len);
	EXPECT_STREQ("some thing", self->request.allow_comms.data[1]);
	/* There, a comma is part of the name. */
	EXPECT_STREQ("x,z", self->request.allow_comms.data[2]);
	unlink(path);

	parse_as(self, &tracing, "-n @/nonexistent");
	EXPECT_EQ(-ENOENT, self->err);
	EXPECT_STREQ("retsnoop: -n: cannot read /nonexistent: No such file or directory\n",
		     self->messages);
}

TEST_F(line, a_file_of_process_names_may_have_lines_that_end_as_in_dos)
{
	char path[] = "/tmp/retsnoop-test-XXXXXX", text[64];

	ASSERT_TRUE(write_names(path, "bash\r\n\r\nmkdir"));
	snprintf(text, sizeof(text), "-n @%s", path);
	PARSED(text);
	ASSERT_EQ(2, self->request.allow_comms.len);
	EXPECT_STREQ("bash", self->request.allow_comms.data[0]);
	EXPECT_STREQ("mkdir", self->request.allow_comms.data[1]);
	unlink(path);
}

TEST_F(line, a_file_of_process_names_that_cannot_be_read_is_an_error)
{
	parse_as(self, &tracing, "-N @/");
	EXPECT_EQ(-EISDIR, self->err);
	EXPECT_STREQ("retsnoop: -N: cannot read /: Is a directory\n", self->messages);
}

TEST_F(line, errors)
{
	PARSED("-x EINVAL,-1 -x NULL -X enomem");
	EXPECT_TRUE(errno_set_has(&self->request.allow_errnos, EINVAL));
	EXPECT_TRUE(errno_set_has(&self->request.allow_errnos, EPERM));
	EXPECT_TRUE(errno_set_has(&self->request.allow_errnos, 0));
	EXPECT_FALSE(errno_set_has(&self->request.allow_errnos, ENOMEM));
	EXPECT_TRUE(errno_set_has(&self->request.deny_errnos, ENOMEM));
	REFUSED("-x EINVALL", "-x: unknown error 'EINVALL'; did you mean 'EINVAL'?");
	REFUSED("-X -ENOTSUP", "-X: unknown error '-ENOTSUP'; did you mean 'ENOTSUPP'?");
	REFUSED("-x 5000",
		"-x: unknown error '5000'; give a name such as EINVAL, a number, NULL or any");
}

TEST_F(line, times_and_limits)
{
	PARSED("-L 5 --duration=10 --max-sessions 3");
	EXPECT_EQ(5000000, self->request.longer_ns);
	EXPECT_EQ(10000000000, self->request.duration_ns);
	EXPECT_EQ(3, self->request.max_sessions);
	PARSED("--longer=20us --duration=500ms");
	EXPECT_EQ(20000, self->request.longer_ns);
	PARSED("-L 500us --fn-longer 2ms");
	EXPECT_EQ(500000, self->request.longer_ns);
	EXPECT_EQ(2000000, self->request.fn_longer_ns);
	PARSED("--longer 1s --fn-longer=3");
	EXPECT_EQ(1000000000, self->request.longer_ns);
	EXPECT_EQ(3000000, self->request.fn_longer_ns);
	PARSED("--at=+1h --duration=10s");
	EXPECT_LT(clock_ns(CLOCK_REALTIME) + 3500 * NSEC_PER_SEC, (uint64_t)self->request.at_ns);
	REFUSED("--at=noon", "--at: 'noon' is not a time; try 12:30, 12:30:05, '2026-01-02 12:30' or "
			     "+10s (from now)");
	REFUSED("--fn-longer=1x",
		"--fn-longer: '1x' is not a time; try 5 (milliseconds), 20us or 1s");
	PARSED("--longer=20us --duration=500ms");
	EXPECT_EQ(500000000, self->request.duration_ns);
	REFUSED("-L x", "-L: 'x' is not a time; try 5 (milliseconds), 20us or 1s");
	REFUSED("--duration=0",
		"--duration: '0' is not a time; try 10 (seconds), 500ms or 2m");
	REFUSED("--max-sessions=0", "--max-sessions: '0' is not a number of calls");
}

TEST_F(line, symbols)
{
	PARSED("-k /a -k /b -ss");
	EXPECT_STREQ("/b", self->request.symbols.vmlinux);
	EXPECT_EQ(self->request.vmlinux_path, self->request.symbols.vmlinux);
	EXPECT_EQ(SYMBOLIZE_INLINES, self->request.symbols.level);
	PARSED("-s");
	EXPECT_EQ(SYMBOLIZE_LINES, self->request.symbols.level);
	PARSED("-sn");
	EXPECT_EQ(SYMBOLIZE_NONE, self->request.symbols.level);
	PARSED("-snone");
	EXPECT_EQ(SYMBOLIZE_NONE, self->request.symbols.level);
	PARSED("--symbolize=inlines");
	EXPECT_EQ(SYMBOLIZE_INLINES, self->request.symbols.level);
	REFUSED("-sx", "-s: 'x' is not auto, none, lines or inlines");
}

TEST_F(line, configuration_keys)
{
	PARSED("-C bpf.ringbuf-size=64M -C bpf.sessions-size=2K -C stacks.symb-mode=none"
	       " -C stacks.emit-addrs -C stacks.unfiltered=true --config stacks.dec-offs=yes");
	EXPECT_EQ(64 << 20, self->request.ringbuf_size);
	EXPECT_EQ(2048, self->request.sessions_size);
	EXPECT_EQ(SYMBOLIZE_NONE, self->request.symbols.level);
	EXPECT_TRUE(self->request.stacks_emit_addrs);
	EXPECT_TRUE(self->request.stacks_unfiltered);
	EXPECT_TRUE(self->request.stacks_dec_offs);
	PARSED("-C stacks.emit-addrs -C stacks.emit-addrs=no");
	EXPECT_FALSE(self->request.stacks_emit_addrs);
	REFUSED("-C bpf.ringbuf=8M",
		"-C: unknown key 'bpf.ringbuf'; did you mean 'bpf.ringbuf-size'?");
	REFUSED("-C colour=red", "-C: unknown key 'colour'; --config-help lists them");
	REFUSED("-C bpf.ringbuf-size=lots",
		"-C: bpf.ringbuf-size: 'lots' is not a size up to 2G");
	REFUSED("-C bpf.ringbuf-size=4G", "-C: bpf.ringbuf-size: '4G' is not a size up to 2G");
	REFUSED("-C bpf.sessions-size=0",
		"-C: bpf.sessions-size: '0' is not a number up to 1M");
	REFUSED("-C stacks.dec-offs=2", "-C: stacks.dec-offs: '2' is not a boolean: "
		"y, yes, on, 1, true, n, no, off, 0 or false");
}

TEST_F(line, booleans)
{
	static const char *const keys[] = {
		"stacks.unfiltered", "stacks.emit-addrs", "stacks.dec-offs",
		"symbols.debuginfod", "args.capture-raw-ptrs",
	};
	static const char *const words[] = {
		"y", "yes", "on", "1", "true", "n", "no", "off", "0", "false",
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		for (size_t w = 0; w < ARRAY_SIZE(words); w++) {
			struct trace_request *request = &self->request;
			bool *const values[] = {
				&request->stacks_unfiltered, &request->stacks_emit_addrs,
				&request->stacks_dec_offs, &request->symbols.debuginfod,
				&request->args.raw_ptrs,
			};
			char line[64];

			/* The opposite first. */
			snprintf(line, sizeof(line), "-C %s=%s -C %s=%s", keys[i],
				 w < 5 ? "n" : "y", keys[i], words[w]);
			PARSED(line);
			EXPECT_EQ(w < 5, *values[i]) TH_LOG("%s", line);
		}
	}
}

TEST_F(line, the_ring_buffer_is_rounded_up_to_what_the_kernel_takes)
{
	parse_as(self, &tracing, "-C bpf.ringbuf-size=3M");
	EXPECT_EQ(0, self->err);
	EXPECT_EQ(4 << 20, self->request.ringbuf_size);
	EXPECT_STREQ("retsnoop: warning: bpf.ringbuf-size: rounded up to 4194304 bytes, a power of two of pages\n",
		     self->messages);
	parse_as(self, &tracing, "-q -C bpf.ringbuf-size=1");
	EXPECT_EQ(sysconf(_SC_PAGESIZE), self->request.ringbuf_size);
	EXPECT_STREQ("", self->messages);
}

TEST_F(line, a_name_that_looks_like_a_glob_is_a_name)
{
	parse_as(self, &tracing, "-n kworker*");
	EXPECT_EQ(0, self->err);
	ASSERT_EQ(1, self->request.allow_comms.len);
	EXPECT_STREQ("kworker*", self->request.allow_comms.data[0]);
	EXPECT_STREQ("retsnoop: warning: -n: 'kworker*' is a name, not a glob, and selects only processes named "
		     "exactly so\n",
		     self->messages);
	parse_as(self, &tracing, "-N sh?");
	EXPECT_EQ(0, self->err);
	EXPECT_STREQ("retsnoop: warning: -N: 'sh?' is a name, not a glob, and selects only processes named "
		     "exactly so\n",
		     self->messages);
	PARSED("-n kworker/0:1 -N [x]");
}

TEST_F(line, names_of_kernel_workers_are_taken_as_ps_prints_them)
{
	static const char *const names[][2] = {
		{ "kworker/0:1-rcu_gp", "kworker/0:1" },
		{ "kworker/u8:2+events_unbound", "kworker/u8:2" },
		{ "kworker/3:0H-kblockd", "kworker/3:0H" },
		{ "kworker/1:2", "kworker/1:2" },
		{ "kworker/u128:7-flush-8:0", "kworker/u128:7" },
		{ "kworker/R-writeback", "kworker/R-write" },
		{ "kworker-like-name", "kworker-like-na" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char words[64];

		snprintf(words, sizeof(words), "-n %s", names[i][0]);
		PARSED(words);
		ASSERT_EQ(1, self->request.allow_comms.len);
		EXPECT_STREQ(names[i][1], self->request.allow_comms.data[0]);
	}
}

TEST_F(line, the_buffer_of_a_session_is_a_power_of_two)
{
	PARSED("");
	trace_request_settle(&self->request);
	EXPECT_EQ(16 << 10, self->request.session_buf_size);
	PARSED("-A");
	trace_request_settle(&self->request);
	EXPECT_EQ(64 << 10, self->request.session_buf_size);
	PARSED("-C bpf.session-buf-size=1K");
	EXPECT_EQ(1024, self->request.session_buf_size);
	PARSED("-C bpf.session-buf-size=1M");
	EXPECT_EQ(1 << 20, self->request.session_buf_size);
	parse_as(self, &tracing, "-C bpf.session-buf-size=5000");
	EXPECT_EQ(0, self->err);
	EXPECT_EQ(8192, self->request.session_buf_size);
	EXPECT_STREQ("retsnoop: warning: bpf.session-buf-size: rounded up to 8192 bytes, a power of two\n",
		     self->messages);
	REFUSED("-C bpf.session-buf-size=1023",
		"-C: bpf.session-buf-size: '1023' is not a size from 1K to 1M");
	REFUSED("-C bpf.session-buf-size=2M",
		"-C: bpf.session-buf-size: '2M' is not a size from 1K to 1M");
}

TEST_F(line, the_workload_is_all_after_two_dashes)
{
	PARSED("-e x -- ls -e --foo");
	ASSERT_NE(NULL, self->args.workload);
	EXPECT_STREQ("ls", self->args.workload[0]);
	EXPECT_STREQ("-e", self->args.workload[1]);
	EXPECT_STREQ("--foo", self->args.workload[2]);
	EXPECT_EQ(NULL, self->args.workload[3]);
	EXPECT_EQ(1, self->request.entry.v.len);
	PARSED("-- sh -- x");
	EXPECT_STREQ("--", self->args.workload[1]);
	REFUSED("-e x --", "stack: no command after '--'" TRY);
	REFUSED("-e x ls",
		"stack: unexpected argument 'ls'; a program to run goes after '--', functions after -e");
}

TEST_F(line, other_commands_take_arguments)
{
	parse_as(self, &plain, "a -v b -- -c");
	EXPECT_EQ(0, self->err);
	EXPECT_EQ(NULL, self->args.workload);
	ASSERT_EQ(3, self->args.args.len);
	EXPECT_STREQ("a", self->args.args.data[0]);
	EXPECT_STREQ("-c", self->args.args.data[2]);
	EXPECT_EQ(1, report_verbosity());
	parse_as(self, &plain, "--format=json");
	EXPECT_EQ(FORMAT_JSON, self->args.format);
	parse_as(self, &plain, "--format=yaml");
	EXPECT_EQ(-EINVAL, self->err);
	EXPECT_STREQ("retsnoop: --format: 'yaml' is not one of text and json\n", self->messages);
}

TEST_F(line, verbosity)
{
	PARSED("-vv");
	EXPECT_EQ(2, report_verbosity());
	PARSED("-v -v -vvv");
	EXPECT_EQ(3, report_verbosity());
	PARSED("-v -q");
	EXPECT_EQ(-1, report_verbosity());
	PARSED("-q -v");
	EXPECT_EQ(1, report_verbosity());
}

TEST_F(line, mistakes_are_told_in_one_line)
{
	REFUSED("--foo", "stack: unrecognized option '--foo'" TRY);
	REFUSED("--foo=bar", "stack: unrecognized option '--foo'" TRY);
	REFUSED("--alow=x", "stack: unrecognized option '--alow'; did you mean '--allow'?");
	REFUSED("--no-dry-rum", "stack: unrecognized option '--no-dry-rum'; did you mean '--no-dry-run'?");
	REFUSED("-Z", "stack: unrecognized option '-Z'" TRY);
	REFUSED("-IZv", "stack: unrecognized option '-Z'" TRY);
	REFUSED("--dry-run -ZI", "stack: unrecognized option '-Z'" TRY);
	REFUSED("-e", "stack: option '-e' needs a value: GLOB" TRY);
	REFUSED("-Ie", "stack: option '-e' needs a value: GLOB" TRY);
	REFUSED("--entry", "stack: option '--entry' needs a value: GLOB" TRY);
	REFUSED("--dry-run=no", "stack: option '--dry-run' takes no value" TRY);
	REFUSED("--s", "stack: option '--s' is ambiguous: --syscall, --success-stacks, --symbolize, "
		"--summary, --show, --stats, --source");
	REFUSED("--no-lb=1", "stack: option '--no-lb' is ambiguous: --no-lbr, --no-lbr-full");
}

TEST_F(line, long_options_can_be_cut_short)
{
	PARSED("--dur=1 --success --no-int");
	EXPECT_EQ(1000000000, self->request.duration_ns);
	EXPECT_EQ(SUCCESS_YES, self->request.success);
}

TEST_F(line, options_that_reach_the_network_or_are_hidden_are_named_in_full)
{
	static const char *const cut[] = { "--debug", "--debuginfo", "--no-debuginfo" };
	static const char *const hidden[] = { "--list", "--list-option", "--usag", "--branche" };

	for (size_t i = 0; i < ARRAY_SIZE(cut); i++) {
		parse_as(self, &tracing, cut[i]);
		EXPECT_EQ(-EINVAL, self->err);
		EXPECT_NE(NULL, strstr(self->messages, "did you mean '--"));
		EXPECT_FALSE(self->request.symbols.debuginfod);
	}
	PARSED("--debuginfod");
	EXPECT_TRUE(self->request.symbols.debuginfod);
	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++) {
		parse_as(self, &tracing, hidden[i]);
		EXPECT_EQ(-EINVAL, self->err);
		EXPECT_NE(NULL, strstr(self->messages, TRY));
	}
	PARSED("--branches");
	EXPECT_TRUE(self->request.modes & MODE_BRANCHES);
}

TEST_F(line, help_and_version_end_it)
{
	parse_as(self, &tracing, "-h --foo");
	EXPECT_EQ(1, self->err);
	EXPECT_EQ(0, strncmp(self->out, "Usage: retsnoop stack -e GLOB", 29));
	EXPECT_NE(NULL, strstr(self->out, "\nExamples\n    # Things\n    retsnoop stack -e thing\n"));
	EXPECT_NE(NULL, strstr(self->out, "\nCommon options: 'retsnoop stack --help-all'"));
	EXPECT_EQ(NULL, strstr(self->out, "--[no-]dry-run"));
	EXPECT_STREQ("", self->messages);
	parse_as(self, &tracing, "--help-all --foo");
	EXPECT_EQ(1, self->err);
	EXPECT_EQ(0, strncmp(self->out, "Usage: retsnoop stack -e GLOB", 29));
	EXPECT_NE(NULL, strstr(self->out, "--[no-]dry-run"));
	EXPECT_EQ(NULL, strstr(self->out, "--no-dry-run"));
	EXPECT_EQ(NULL, strstr(self->out, "Common options"));
	EXPECT_STREQ("", self->messages);
	parse_as(self, &tracing, "-V");
	EXPECT_EQ(1, self->err);
	EXPECT_EQ(0, strncmp(self->out, "retsnoop " RETSNOOP_VERSION "\nlibbpf ", 17));
	parse_as(self, &tracing, "--config-help");
	EXPECT_EQ(1, self->err);
	EXPECT_NE(NULL, strstr(self->out, "bpf.ringbuf-size=8M"));
	parse_as(self, &plain, "--usage");
	EXPECT_STREQ("Usage: retsnoop plain [NAME...]\n", self->out);
}

TEST_F(line, a_silent_command_has_no_verbosity)
{
	static const struct command silent = { .name = "quiet", .usage = "", .silent = true };

	parse_as(self, &silent, "-v");
	EXPECT_EQ(-EINVAL, self->err);
	EXPECT_STREQ("retsnoop: quiet: unrecognized option '-v'; try 'retsnoop quiet -h'\n",
		     self->messages);
	parse_as(self, &silent, "-V");
	EXPECT_EQ(1, self->err);
}

TEST_F(line, no_line_of_help_is_wider_than_a_terminal)
{
	static const char *const options[] = { "-h", "--help-all" };

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		parse_as(self, &tracing, options[i]);
		EXPECT_NE('\0', self->out[0]);
		for (char *s = self->out; s && *s; s = strchr(s, '\n') + 1)
			EXPECT_GE(80, strcspn(s, "\n"));
	}
}

/* Configuration files. */

static void write_config(const char *folder, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "mkdir -p %s/retsnoop", folder);
	if (system(path))
		abort();
	snprintf(path, sizeof(path), "%s/retsnoop/config", folder);
	file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
	setenv("XDG_CONFIG_HOME", folder, 1);
}

static void remove_config(const char *folder)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	if (system(command))
		abort();
}

TEST_F(line, the_configuration_file_sets_defaults_and_cases)
{
	char folder[] = "/tmp/retsnoop-test-XXXXXX";

	ASSERT_NE(NULL, mkdtemp(folder));
	write_config(folder, "[stacks]\nunfiltered = y\nemit-addrs = on\n[bpf]\n\tsessions-size = 2048\n\tringbuf-size = 1M\n"
			     "[case \"net\"]\n\tentry = *_sys_sendto\n\tallow = tcp_*\n"
			     "\tallow = ip_* [ipv6]\n\tdeny = ip_rcv\n"
			     "[case \"perf\"]\nentry = mine\n");
	PARSED("-c net -C bpf.ringbuf-size=2M -C stacks.emit-addrs=n");
	EXPECT_TRUE(self->request.stacks_unfiltered);
	EXPECT_FALSE(self->request.stacks_emit_addrs);
	EXPECT_EQ(2048, self->request.sessions_size);
	EXPECT_EQ(2 << 20, self->request.ringbuf_size);
	/* Reading it later does not change what was given either. */
	self->request.sessions_size = 1;
	EXPECT_EQ(0, settings_load(&self->request));
	EXPECT_EQ(2048, self->request.sessions_size);
	EXPECT_EQ(2 << 20, self->request.ringbuf_size);
	EXPECT_FALSE(self->request.stacks_emit_addrs);
	ASSERT_EQ(1, self->request.entry.v.len);
	ASSERT_EQ(2, self->request.allow.v.len);
	EXPECT_STREQ("ipv6", self->request.allow.v.data[1].module);
	EXPECT_TRUE(self->request.allow.v.data[1].optional);
	ASSERT_EQ(1, self->request.deny.v.len);

	/* One's own stands before the built-in one of that name. */
	PARSED("-c perf");
	ASSERT_EQ(1, self->request.entry.v.len);
	EXPECT_STREQ("mine", self->request.entry.v.data[0].text);

	REFUSED("-c nte", "-c: unknown case 'nte'; did you mean 'net'?");
	REFUSED("-p net", "-p takes process ids; the set of functions 'net' is chosen with '-c net'");
	remove_config(folder);
}

TEST_F(line, a_mistake_in_the_configuration_file_is_told_with_its_line)
{
	char folder[] = "/tmp/retsnoop-test-XXXXXX", message[256];

	ASSERT_NE(NULL, mkdtemp(folder));
	write_config(folder, "[stacks]\nunfiltered = on\ndec-offs = maybe\n");
	parse_as(self, &tracing, "-e x");
	EXPECT_EQ(-EINVAL, self->err);
	snprintf(message, sizeof(message),
		 "retsnoop: %s/retsnoop/config:3: stacks.dec-offs: 'maybe' is not a boolean: "
		 "y, yes, on, 1, true, n, no, off, 0 or false\n",
		 folder);
	EXPECT_STREQ(message, self->messages);
	write_config(folder, "[stacks]\nsymb-mod = none\n");
	parse_as(self, &tracing, "-e x");
	EXPECT_EQ(-EINVAL, self->err);
	snprintf(message, sizeof(message),
		 "retsnoop: %s/retsnoop/config:2: unknown key 'stacks.symb-mod'; did you mean 'stacks.symb-mode'?\n",
		 folder);
	EXPECT_STREQ(message, self->messages);
	/* Of a case that nobody has asked for, too. */
	write_config(folder, "[case \"net\"]\nentri = x\n");
	parse_as(self, &tracing, "-e x");
	EXPECT_EQ(-EINVAL, self->err);
	snprintf(message, sizeof(message),
		 "retsnoop: %s/retsnoop/config:2: a case has entry, allow and deny, no 'entri'\n",
		 folder);
	EXPECT_STREQ(message, self->messages);
	write_config(folder, "[stacks \"x\"]\nsymb-mode = none\n");
	parse_as(self, &tracing, "-e x");
	EXPECT_EQ(-EINVAL, self->err);
	remove_config(folder);
}

TEST(every_command_has_its_texts)
{
	for (int i = 0; commands[i]; i++) {
		const struct command *command = commands[i];

		EXPECT_EQ(command, command_find(command->name));
		EXPECT_TRUE(command->run != NULL);
		ASSERT_NE(NULL, command->usage);
		ASSERT_NE(NULL, command->help);
		ASSERT_NE(NULL, command->examples);
		ASSERT_NE(NULL, command->summary);
		EXPECT_EQ(NULL, strchr(command->summary, '\n'));
		EXPECT_NE('.', command->summary[strlen(command->summary) - 1]);
		EXPECT_GE(60, strlen(command->summary));
	}
	EXPECT_EQ(NULL, command_find("nothing"));
	EXPECT_EQ(NULL, command_find(""));
}

#define EXPECT_CAPABILITIES(expected, ...)                                           \
	do {                                                                          \
		const struct tracing_needs needs = { __VA_ARGS__ };                   \
		struct strbuf text = STRBUF_INIT;                                     \
		capabilities_add(&text, tracing_capabilities(&needs));                \
		EXPECT_STREQ(expected, strbuf_str(&text));                            \
		strbuf_release(&text);                                                \
	} while (0)

TEST(rights_that_tracing_takes_depend_on_the_machine)
{
	EXPECT_CAPABILITIES("CAP_BPF and CAP_PERFMON", );
	EXPECT_CAPABILITIES("CAP_BPF, CAP_PERFMON and CAP_SYSLOG", .addresses_hidden = true);
	EXPECT_CAPABILITIES("CAP_SYS_ADMIN", .lists_modules = true);
	EXPECT_CAPABILITIES("CAP_SYS_ADMIN and CAP_SYSLOG", .lists_modules = true,
			    .addresses_hidden = true);
	EXPECT_CAPABILITIES("CAP_BPF, CAP_PERFMON, CAP_SYSLOG and CAP_SYS_RESOURCE",
			    .addresses_hidden = true, .memory_counted = true);
}

TEST(exit_statuses)
{
	EXPECT_EQ(0, command_exit_status(0));
	EXPECT_EQ(0, command_exit_status(1));
	EXPECT_EQ(2, command_exit_status(-EINVAL));
	EXPECT_EQ(3, command_exit_status(-EPERM));
	EXPECT_EQ(3, command_exit_status(-ENOMEM));
}

TEST_HARNESS_MAIN
