/* SPDX-License-Identifier: BSD-2-Clause */
/* Plain calls on BPF, perf events, keys and modules. */
#define _GNU_SOURCE 1
#include <linux/bpf.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>

#include "plain_call.h"

static const union bpf_attr no_map = { .map_id = 0x7ffffff0 };
static const union bpf_attr pinned_nowhere = {
	.pathname = (uintptr_t)MISSING_PATH,
};
static const struct bpf_insn exit_only = { .code = BPF_JMP | BPF_EXIT };
static const struct bpf_insn no_such_insn = { .code = 0xff };
static const union bpf_attr program_type = {
	.prog_type = 999, .license = (uintptr_t)"GPL",
	.insns = (uintptr_t)&exit_only, .insn_cnt = 1,
};
static const union bpf_attr no_insns = {
	.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .license = (uintptr_t)"GPL",
	.insns = (uintptr_t)&exit_only,
};
static char verifier_log[4096];
static const union bpf_attr unset_result = {
	.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .license = (uintptr_t)"GPL",
	.insns = (uintptr_t)&exit_only, .insn_cnt = 1,
	.log_level = 1, .log_size = sizeof(verifier_log), .log_buf = (uintptr_t)verifier_log,
};
static const union bpf_attr unknown_insn = {
	.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .license = (uintptr_t)"GPL",
	.insns = (uintptr_t)&no_such_insn, .insn_cnt = 1,
};
static const union bpf_attr no_license = {
	.prog_type = BPF_PROG_TYPE_SOCKET_FILTER, .license = 8,
	.insns = (uintptr_t)&exit_only, .insn_cnt = 1,
};
static const union bpf_attr hash_without_key = {
	.map_type = BPF_MAP_TYPE_HASH, .value_size = 4, .max_entries = 1,
};
static const union bpf_attr queue_with_key = {
	.map_type = BPF_MAP_TYPE_QUEUE, .key_size = 4, .value_size = 4, .max_entries = 1,
};
static const union bpf_attr trie_key = {
	.map_type = BPF_MAP_TYPE_LPM_TRIE, .key_size = 4, .value_size = 4, .max_entries = 1,
	.map_flags = BPF_F_NO_PREALLOC,
};
static const union bpf_attr link_to_nothing = { .link_create = { .prog_fd = 9999 } };
static const union bpf_attr short_btf = { .btf = (uintptr_t)"x", .btf_size = 1 };

static const struct perf_event_attr unknown_type = { .type = 9999, .size = 112 };
static const struct perf_event_attr too_small = { .type = PERF_TYPE_SOFTWARE, .size = 8 };
static const struct perf_event_attr dummy = {
	.type = PERF_TYPE_SOFTWARE, .size = 112, .config = PERF_COUNT_SW_DUMMY,
};
static const struct perf_event_attr bad_sample = {
	.type = PERF_TYPE_SOFTWARE, .size = 112, .config = PERF_COUNT_SW_DUMMY,
	.sample_type = 1ULL << 60,
};
static const struct perf_event_attr fast = {
	.type = PERF_TYPE_SOFTWARE, .size = 112, .config = PERF_COUNT_SW_CPU_CLOCK,
	.freq = 1, .sample_freq = 1000000000,
};
static const struct perf_event_attr no_tracepoint = {
	.type = PERF_TYPE_TRACEPOINT, .size = 112, .config = 999999,
};

/* clang-format off */
const struct simfail_case simfail_plain_subsystem_cases[] = {
	PLAIN("bpf-command", EINVAL, "an unknown bpf command",
	      ON_NOTHING, bpf, 999, AT(&no_map), sizeof(no_map)),
	PLAIN("bpf-size", E2BIG, "bpf with a structure of 8 KB",
	      ON_NOTHING, bpf, BPF_MAP_CREATE, AT(&no_map), 8192),
	PLAIN("bpf-map-id", ENOENT, "a BPF map of an unknown number",
	      ON_NOTHING, bpf, BPF_MAP_GET_FD_BY_ID, AT(&no_map), 12),
	PLAIN("bpf-pin-missing", ENOENT, "open a pinned BPF object that does not exist",
	      ON_NOTHING, bpf, BPF_OBJ_GET, AT(&pinned_nowhere), 16),
	PLAIN("bpf-hash-key", EINVAL, "create a BPF hash whose keys have no bytes",
	      ON_NOTHING, bpf, BPF_MAP_CREATE, AT(&hash_without_key), sizeof(hash_without_key)),
	PLAIN("bpf-queue-key", EINVAL, "create a BPF queue with keys",
	      ON_NOTHING, bpf, BPF_MAP_CREATE, AT(&queue_with_key), sizeof(queue_with_key)),
	PLAIN("bpf-trie-key", EINVAL, "create a BPF trie with keys that are too short",
	      ON_NOTHING, bpf, BPF_MAP_CREATE, AT(&trie_key), sizeof(trie_key)),
	PLAIN("bpf-program-type", EINVAL, "load a BPF program of an unknown type",
	      ON_NOTHING, bpf, BPF_PROG_LOAD, AT(&program_type), 48),
	PLAIN("bpf-no-insns", E2BIG, "load a BPF program of no instructions",
	      ON_NOTHING, bpf, BPF_PROG_LOAD, AT(&no_insns), 48),
	PLAIN("bpf-unset-result", EACCES, "load a BPF program that returns what it never set",
	      ON_NOTHING, bpf, BPF_PROG_LOAD, AT(&unset_result), 48),
	PLAIN("bpf-unknown-insn", EINVAL, "load a BPF program of an unknown instruction",
	      ON_NOTHING, bpf, BPF_PROG_LOAD, AT(&unknown_insn), 48),
	PLAIN("bpf-license", EFAULT, "load a BPF program with its license at a bad address",
	      ON_NOTHING, bpf, BPF_PROG_LOAD, AT(&no_license), 48),
	PLAIN("bpf-link", EBADF, "link a BPF program that is closed",
	      ON_NOTHING, bpf, BPF_LINK_CREATE, AT(&link_to_nothing), 16),
	PLAIN("bpf-btf-short", EINVAL, "load BTF of one byte",
	      ON_NOTHING, bpf, BPF_BTF_LOAD, AT(&short_btf), 28),
	PLAIN("perf-type", ENOENT, "a perf event of an unknown type",
	      ON_NOTHING, perf_event_open, AT(&unknown_type), 0, -1, -1, 0),
	PLAIN("perf-size", E2BIG, "a perf event with a structure that is too small",
	      ON_NOTHING, perf_event_open, AT(&too_small), 0, -1, -1, 0),
	PLAIN("perf-flags", EINVAL, "a perf event with an unknown flag",
	      ON_NOTHING, perf_event_open, AT(&dummy), 0, -1, -1, 0x100),
	PLAIN("perf-nothing", EINVAL, "a perf event of no process on no CPU",
	      ON_NOTHING, perf_event_open, AT(&dummy), -1, -1, -1, 0),
	PLAIN("perf-group", EBADF, "a perf event in a group that is closed",
	      ON_NOTHING, perf_event_open, AT(&dummy), 0, -1, 9999, 0),
	PLAIN("perf-missing", ESRCH, "a perf event of a process that does not exist",
	      ON_NOTHING, perf_event_open, AT(&dummy), MISSING_PID, -1, -1, 0),
	PLAIN("perf-sample", EINVAL, "a perf event with an unknown sample type",
	      ON_NOTHING, perf_event_open, AT(&bad_sample), 0, -1, -1, 0),
	PLAIN("perf-frequency", EINVAL, "a perf event a billion times a second",
	      ON_NOTHING, perf_event_open, AT(&fast), 0, -1, -1, 0),
	PLAIN("perf-tracepoint", EINVAL, "a perf event of an unknown tracepoint",
	      ON_NOTHING, perf_event_open, AT(&no_tracepoint), 0, -1, -1, 0),
	PLAIN("perf-ioctl", ENOTTY, "an ioctl that perf events have not",
	      ON_PERF, ioctl, THING, 0x2477, 0),
	PLAIN("key-type", ENODEV, "add a key of an unknown type",
	      ON_NOTHING, add_key, AT("simfail"), AT("a"), AT("b"), 1, KEY_SPEC_PROCESS_KEYRING),
	PLAIN("key-dot", EPERM, "add a key of a reserved type",
	      ON_NOTHING, add_key, AT(".simfail"), AT("a"), AT("b"), 1, KEY_SPEC_PROCESS_KEYRING),
	PLAIN("key-long", EINVAL, "add a key of 2 MB",
	      ON_NOTHING, add_key, AT("user"), AT("a"), AT("b"), 2 << 20, KEY_SPEC_PROCESS_KEYRING),
	PLAIN("key-operation", EOPNOTSUPP, "an unknown key operation",
	      ON_NOTHING, keyctl, 999, 0, 0, 0, 0),
	PLAIN("key-revoke", ENOKEY, "revoke a key that does not exist",
	      ON_NOTHING, keyctl, KEYCTL_REVOKE, 0x7ffffff0, 0, 0, 0),
	PLAIN("key-special", EINVAL, "describe an unknown special key",
	      ON_NOTHING, keyctl, KEYCTL_GET_KEYRING_ID, -99, 0, 0, 0),
	PLAIN("module-garbage", ENOEXEC, "load a module that is none",
	      ON_NOTHING, init_module, AT("garbage, and more of it"), 16, AT("")),
	PLAIN("module-flags", EINVAL, "load a module with an unknown flag",
	      ON_NULL, finit_module, THING, AT(""), 0x100),
	PLAIN("module-missing", ENOENT, "unload a module that is not loaded",
	      ON_NOTHING, delete_module, AT("simfail_no_such_module"), 04000),
	PLAIN("kexec-segments", EINVAL, "a new kernel of 100 segments",
	      ON_NOTHING, kexec_load, 0, 100, 0, 0),
	{},
};
/* clang-format on */
