// SPDX-License-Identifier: BSD-2-Clause
/* Reading /proc and /sys for facts about the machine. */
#include "util/kernel/machine/machine.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/kernel/machine/pid_namespace.h"
#include "util/kernel/symbols/modules.h"

/* The beginning of a file as a string, without the line end. 0; -errno. */
static int read_text(const char *root, const char *path, char *text, size_t size)
{
	_cleanup_(free_p) char *full = strf("%s%s", root, path);
	_cleanup_(close_fd) int fd = -1;
	ssize_t n;

	if (!full)
		return -ENOMEM;
	fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, size - 1);
	if (n < 0)
		return -errno;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

static struct kernel_setting read_setting(const char *root, const char *path)
{
	struct kernel_setting setting = {};
	char text[64];

	setting.err = read_text(root, path, text, sizeof(text));
	if (!setting.err && sscanf(text, "%ld", &setting.value) != 1)
		setting.err = -EINVAL;
	return setting;
}

/* Whether a file can be opened and read: some refuse only reading. */
static int try_file(const char *root, const char *path)
{
	char text[2];
	int err = read_text(root, path, text, sizeof(text));

	return err == -EPERM ? -EACCES : err;
}

static unsigned int parse_version(const char *release)
{
	unsigned int major, minor;

	return sscanf(release, "%u.%u", &major, &minor) == 2 ? KERNEL_VERSION_OF(major, minor) : 0;
}

unsigned int kernel_version_running(void)
{
	struct utsname uts;

	return uname(&uts) ? 0 : parse_version(uts.release);
}

static void read_release(const char *root, struct machine *machine)
{
	struct utsname uts;

	if (!uname(&uts))
		snprintf(machine->arch, sizeof(machine->arch), "%s", uts.machine);
	if (read_text(root, "/proc/sys/kernel/osrelease", machine->release,
		      sizeof(machine->release)))
		snprintf(machine->release, sizeof(machine->release), "%s",
			 *root || uname(&uts) ? "" : uts.release);
	machine->version = parse_version(machine->release);
}

/* "Uid:\t0\t0\t0\t0" and "CapEff:\t000001ffffffffff"; the second of the four is the effective. */
static void read_rights(const char *root, struct machine *machine)
{
	_cleanup_(free_p) char *path = strf("%s/proc/self/status", root);
	_cleanup_(fclose_p) FILE *file = path ? fopen(path, "re") : NULL;
	_cleanup_(free_p) char *line = NULL;
	unsigned long long caps;
	size_t cap = 0;

	machine->uid = ~0u;
	while (file && getline(&line, &cap, file) > 0) {
		if (sscanf(line, "CapEff: %llx", &caps) == 1)
			machine->caps = caps;
		else
			sscanf(line, "Uid: %*u %u", &machine->uid);
	}
}

/* Outside of user namespaces all ids are themselves. */
static bool has_own_users(const char *root)
{
	unsigned long long inside, outside, count;
	char text[128];

	return !read_text(root, "/proc/self/uid_map", text, sizeof(text)) &&
	       sscanf(text, "%llu %llu %llu", &inside, &outside, &count) == 3 &&
	       (inside || outside || count != 4294967295ull);
}

static bool has_own_pids(const char *root)
{
	_cleanup_(free_p) char *path = strf("%s/proc/self/ns/pid", root);
	char name[32];
	ssize_t len = path ? readlink(path, name, sizeof(name) - 1) : -1;
	unsigned int ino;

	name[len < 0 ? 0 : len] = '\0';
	return sscanf(name, "pid:[%u]", &ino) == 1 && ino != PID_NAMESPACE_INITIAL;
}

static void find_container(const char *root, struct machine *machine)
{
	static const struct {
		const char *file, *kind;
	} marks[] = {
		{ "/.dockerenv", "docker" },
		{ "/run/.containerenv", "podman" },
		{ "/var/run/secrets/kubernetes.io", "kubernetes" },
	};

	/* systemd's convention, which others follow. */
	if (!read_text(root, "/run/systemd/container", machine->container,
		       sizeof(machine->container)) &&
	    machine->container[0])
		return;
	machine->container[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(marks) && !machine->container[0]; i++) {
		_cleanup_(free_p) char *path = strf("%s%s", root, marks[i].file);

		if (path && !access(path, F_OK))
			strcpy(machine->container, marks[i].kind);
	}
}

/*
 * enum lockdown: "none [integrity] confidentiality"; without securityfs, what the kernel was booted
 * with.
 */
static struct kernel_setting lockdown_read(const char *root)
{
	static const char *const names[] = { "none", "integrity", "confidentiality" };
	struct kernel_setting lockdown = {};
	char text[2048];

	lockdown.err = read_text(root, "/sys/kernel/security/lockdown", text, sizeof(text));
	for (int i = 0; !lockdown.err && i < 3; i++) {
		char marked[24];

		snprintf(marked, sizeof(marked), "[%s]", names[i]);
		if (strstr(text, marked))
			lockdown.value = i;
	}
	if (lockdown.err && !read_text(root, "/proc/cmdline", text, sizeof(text))) {
		for (int i = 1; i < 3; i++) {
			char asked[32];

			snprintf(asked, sizeof(asked), "lockdown=%s", names[i]);
			if (strstr(text, asked))
				lockdown = (struct kernel_setting){ .value = i };
		}
	}
	return lockdown;
}

struct kernel_setting max_stack_read(const char *root)
{
	return read_setting(root, "/proc/sys/kernel/perf_event_max_stack");
}

bool max_stack_is_low(const struct kernel_setting *max_stack)
{
	return !max_stack->err && max_stack->value < MAX_STACK_LEAST;
}

bool max_stack_is_short(const struct kernel_setting *max_stack)
{
	return !max_stack->err && max_stack->value < MAX_STACK_KEPT;
}

bool lockdown_is_complete(void)
{
	struct kernel_setting lockdown = lockdown_read("");

	return !lockdown.err && lockdown.value == LOCKDOWN_CONFIDENTIALITY;
}

/*
 * /proc/kallsyms begins with a symbol at 0 in some kernels indeed, with per-CPU ones; so a few
 * lines are looked at.
 */
static bool hides_addresses(const char *root)
{
	_cleanup_(free_p) char *path = strf("%s/proc/kallsyms", root);
	_cleanup_(fclose_p) FILE *file = path ? fopen(path, "re") : NULL;
	unsigned long long addr = 0;

	for (int i = 0; i < 32 && !addr; i++) {
		if (!file || fscanf(file, "%llx%*[^\n]", &addr) != 1)
			return true;
	}
	return !addr;
}

static void count_modules(const char *root, struct machine *machine)
{
	_cleanup_(free_p) char *path = strf("%s/proc/modules", root);
	_cleanup_(fclose_p) FILE *file = path ? fopen(path, "re") : NULL;
	struct loaded_modules modules = {};

	if (file)
		modules_parse(file, &modules);
	vec_foreach(module, &modules.v) {
		_cleanup_(free_p) char *btf = strf("%s/sys/kernel/btf/%s", root, module->name);

		machine->nr_modules++;
		machine->nr_module_btf += btf && !access(btf, F_OK);
	}
	vec_release(&modules.v);
}

/* Where a file system of that type is mounted first. */
static struct reachable find_mount(const char *root, const char *type)
{
	_cleanup_(free_p) char *path = strf("%s/proc/self/mounts", root);
	struct reachable found = { .err = -ENOENT };
	FILE *file = path ? setmntent(path, "re") : NULL;
	struct mntent entry;
	char buf[8192];

	while (file && found.err && getmntent_r(file, &entry, buf, sizeof(buf))) {
		if (strcmp(entry.mnt_type, type) || strlen(entry.mnt_dir) >= sizeof(found.path))
			continue;
		strcpy(found.path, entry.mnt_dir);
		found.err = 0;
	}
	if (file)
		endmntent(file);
	return found;
}

/* The lines of a file that takes the kernel a while to make. 0; -errno. */
static int count_lines(const char *path, unsigned long *ret_lines)
{
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned long lines = 0;
	char buf[65536];
	ssize_t n;

	if (fd < 0)
		return -errno;
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		for (const char *s = buf; (s = memchr(s, '\n', buf + n - s)); s++)
			lines++;
	}
	*ret_lines = lines;
	return n < 0 ? -errno : 0;
}

/* The kernel mounts it below debugfs when somebody looks there, as tracing will. */
static void read_tracefs(const char *root, struct machine *machine)
{
	_cleanup_(free_p) char *list = NULL;

	machine->tracefs = find_mount(root, "tracefs");
	if (machine->tracefs.err) {
		machine->tracefs = find_mount(root, "debugfs");
		if (machine->tracefs.err ||
		    strlen(machine->tracefs.path) + 9 > sizeof(machine->tracefs.path))
			return;
		strcat(machine->tracefs.path, "/tracing");
	}
	list = strf("%s%s/available_filter_functions", root, machine->tracefs.path);
	machine->tracefs.err = list ? count_lines(list, &machine->nr_traceable) : -ENOMEM;
}

static void read_debugfs(const char *root, struct machine *machine)
{
	_cleanup_(free_p) char *list = NULL;

	machine->blacklist = find_mount(root, "debugfs");
	if (machine->blacklist.err)
		return;
	list = strf("%s/kprobes/blacklist", machine->blacklist.path);
	machine->blacklist.err = list ? try_file(root, list) : -ENOMEM;
}

void switches_read(const char *root, struct switches *ret_switches)
{
	struct reachable debugfs = find_mount(root, "debugfs");
	_cleanup_(free_p) char *kprobes = NULL;

	ret_switches->ftrace = read_setting(root, "/proc/sys/kernel/ftrace_enabled");
	ret_switches->kprobes = (struct kernel_setting){ .err = debugfs.err };
	if (debugfs.err)
		return;
	kprobes = strf("%s/kprobes/enabled", debugfs.path);
	ret_switches->kprobes =
		kprobes ? read_setting(root, kprobes) : (struct kernel_setting){ .err = -ENOMEM };
}

/* The first line of a file; NULL: none. */
static char *first_line(const char *root, const char *path)
{
	_cleanup_(free_p) char *full = strf("%s%s", root, path);
	_cleanup_(fclose_p) FILE *file = full ? fopen(full, "re") : NULL;
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0;

	return file && getline(&line, &cap, file) > 0 ? take_ptr(line) : NULL;
}

/*
 * The kernel's build, as "#1 SMP PREEMPT_DYNAMIC Debian"; NULL: not known. In /proc/version it follows the
 * compiler's name, which may have hundreds of characters.
 */
static char *kernel_build(const char *root)
{
	_cleanup_(free_p) char *line = NULL;
	struct utsname names;
	const char *build;

	if (!root[0])
		return uname(&names) ? NULL : strdup(names.version);
	line = first_line(root, "/proc/version");
	build = line ? strstr(line, " #") : NULL;
	return build ? strdup(build + 1) : NULL;
}

bool kernel_is_preemptible(const char *root)
{
	struct reachable debugfs = find_mount(root, "debugfs");
	_cleanup_(free_p) char *path = strf("%s/sched/preempt", debugfs.path);
	_cleanup_(free_p) char *build = kernel_build(root);
	_cleanup_(free_p) char *line = NULL;

	if (!build || !strstr(build, " PREEMPT"))
		return !build;
	if (!strstr(build, " PREEMPT_DYNAMIC"))
		return true;
	/* As "none (voluntary) full lazy". */
	line = debugfs.err || !path ? NULL : first_line(root, path);
	return !line || (!strstr(line, "(none)") && !strstr(line, "(voluntary)"));
}

unsigned long threads_count(const char *root)
{
	_cleanup_(free_p) char *line = first_line(root, "/proc/loadavg");
	unsigned long threads = 0;
	struct sysinfo system;

	/* "0.00 0.01 0.05 4/117 2039" */
	if (!line || sscanf(line, "%*s %*s %*s %*u/%lu", &threads) != 1)
		threads = 0;
	if (!root[0] && !sysinfo(&system) && system.procs > threads)
		threads = system.procs;
	return threads;
}

struct kernel_setting perf_paranoid_read(const char *root)
{
	return read_setting(root, "/proc/sys/kernel/perf_event_paranoid");
}

bool setting_is_off(const struct kernel_setting *setting)
{
	return !setting->err && !setting->value;
}

static bool is_virtual(const char *root)
{
	_cleanup_(free_p) char *path = strf("%s/proc/cpuinfo", root);
	_cleanup_(fclose_p) FILE *file = path ? fopen(path, "re") : NULL;
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0;

	while (file && getline(&line, &cap, file) > 0) {
		if (startswith(line, "flags"))
			return strstr(line, " hypervisor") != NULL;
	}
	return false;
}

static struct kernel_setting read_branches(const char *root)
{
	/* Hybrid CPUs have a PMU for each kind of core. */
	struct kernel_setting branches =
		read_setting(root, "/sys/bus/event_source/devices/cpu/caps/branches");

	return branches.err ?
		       read_setting(root, "/sys/bus/event_source/devices/cpu_core/caps/branches") :
		       branches;
}

/* "Max locked memory         8388608              8388608              bytes" */
static struct kernel_setting read_memlock(const char *root)
{
	static const char title[] = "Max locked memory";
	_cleanup_(free_p) char *path = strf("%s/proc/self/limits", root);
	_cleanup_(fclose_p) FILE *file = path ? fopen(path, "re") : NULL;
	_cleanup_(free_p) char *line = NULL;
	struct kernel_setting limit = { .err = -ENOENT };
	size_t cap = 0;

	while (file && limit.err && getline(&line, &cap, file) > 0) {
		const char *value = line + strlen(title);

		if (!startswith(line, title))
			continue;
		if (sscanf(value, "%ld", &limit.value) != 1)
			limit.value = -1;
		limit.err = 0;
	}
	return limit;
}

static struct reachable reach_file(const char *root, const char *path)
{
	struct reachable found = { .err = try_file(root, path) };

	strcpy(found.path, path);
	return found;
}

/* Container engines bind /dev/null over it, which can be read and has nothing. */
static struct reachable reach_kcore(const char *root)
{
	struct reachable found = reach_file(root, "/proc/kcore");
	char magic[SELFMAG + 1] = "";

	if (!found.err)
		found.err = read_text(root, found.path, magic, sizeof(magic));
	if (!found.err && memcmp(magic, ELFMAG, SELFMAG))
		found.err = -EBADMSG;
	return found;
}

void machine_read(const char *root, struct machine *ret_machine)
{
	struct machine machine = {};

	read_release(root, &machine);
	distribution_read(root, &machine.os);
	read_rights(root, &machine);
	machine.own_users = has_own_users(root);
	machine.own_pids = has_own_pids(root);
	find_container(root, &machine);

	machine.lockdown = lockdown_read(root);
	machine.kptr_restrict = read_setting(root, "/proc/sys/kernel/kptr_restrict");
	machine.perf_paranoid = perf_paranoid_read(root);
	machine.unprivileged_bpf = read_setting(root, "/proc/sys/kernel/unprivileged_bpf_disabled");
	machine.max_stack = max_stack_read(root);
	machine.jit = read_setting(root, "/proc/sys/net/core/bpf_jit_enable");
	switches_read(root, &machine.switches);
	machine.branches = read_branches(root);
	machine.hypervisor = is_virtual(root);

	machine.addresses_hidden = hides_addresses(root);
	machine.btf = reach_file(root, "/sys/kernel/btf/vmlinux");
	count_modules(root, &machine);
	read_tracefs(root, &machine);
	read_debugfs(root, &machine);
	machine.kcore = reach_kcore(root);
	machine.cgroup2 = find_mount(root, "cgroup2");
	machine.memlock = read_memlock(root);
	*ret_machine = machine;
}

bool machine_can(const struct machine *machine, int capability)
{
	return machine->caps >> capability & 1;
}
