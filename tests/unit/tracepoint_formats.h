/* SPDX-License-Identifier: BSD-2-Clause */
/* Formats as kernels have them, with fields of every sort; and records to go with them. */
#ifndef RETSNOOP_TESTS_TRACEPOINT_FORMATS_H
#define RETSNOOP_TESTS_TRACEPOINT_FORMATS_H

#include <stdint.h>
#include <string.h>

#define FORMAT_HEAD(name, id)                                                                      \
	"name: " name "\nID: " id "\nformat:\n"                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FORMAT_FIELD(declaration, offset, size, is_signed)                                         \
	"\tfield:" declaration ";\toffset:" offset ";\tsize:" size ";\tsigned:" is_signed ";\n"
#define FORMAT_PRINT(fmt) "\nprint fmt: " fmt "\n"

static const char format_exec[] =
	FORMAT_HEAD("proc_exec", "310")
	FORMAT_FIELD("__data_loc char[] filename", "8", "4", "0")
	FORMAT_FIELD("pid_t pid", "12", "4", "1")
	FORMAT_FIELD("pid_t old_pid", "16", "4", "1")
	FORMAT_PRINT("\"filename=%s pid=%d old_pid=%d\", __get_str(filename), REC->pid, "
		     "REC->old_pid");

static const char format_switch[] =
	FORMAT_HEAD("task_switch", "311")
	FORMAT_FIELD("char comm[16]", "8", "16", "0")
	FORMAT_FIELD("long state", "24", "8", "1")
	FORMAT_FIELD("unsigned int why", "32", "4", "0")
	FORMAT_FIELD("void * where", "40", "8", "0")
	FORMAT_PRINT("\"%s %s%s why=%s at %pS\", REC->comm, (REC->state & 0xff) ? "
		     "__print_flags(REC->state & 0xff, \"|\", { 1, \"S\" }, { 2, \"D\" }) : \"R\", "
		     "REC->state & 0x100 ? \"+\" : \"\", __print_symbolic(REC->why, "
		     "{ 1, \"WAIT\" }, { 2, \"YIELD\" }), REC->where");

static const char format_arrays[] =
	FORMAT_HEAD("arrays", "312")
	FORMAT_FIELD("u8 mac[6]", "8", "6", "0")
	FORMAT_FIELD("u16 len", "14", "2", "0")
	FORMAT_FIELD("__rel_loc u32[] numbers", "16", "4", "0")
	FORMAT_FIELD("__data_loc u8[] bytes", "20", "4", "0")
	FORMAT_FIELD("s32 four[4]", "24", "16", "1")
	FORMAT_PRINT("\"mac=%s bytes=%s numbers=%s\", __print_hex_str(REC->mac, 6), "
		     "__print_hex(__get_dynamic_array(bytes), REC->len), "
		     "__print_array(__get_rel_dynamic_array(numbers), "
		     "__get_rel_dynamic_array_len(numbers) / 4, 4)");

/* A print fmt that divides by what the record says. */
static const char format_ratio[] =
	FORMAT_HEAD("ratio", "313")
	FORMAT_FIELD("u32 a", "8", "4", "0")
	FORMAT_FIELD("u32 b", "12", "4", "0")
	FORMAT_PRINT("\"%u\", REC->a / REC->b");

/* One that no one outside of the kernel can follow. */
static const char format_opaque[] =
	FORMAT_HEAD("opaque", "314")
	FORMAT_FIELD("s8 tiny", "8", "1", "1")
	FORMAT_FIELD("bool yes", "9", "1", "0")
	FORMAT_FIELD("u64 big", "16", "8", "0")
	FORMAT_FIELD("__data_loc char[] name", "24", "4", "0")
	FORMAT_PRINT("\"%s\", kernel_only_function(REC->big, ({ int i; i; }))");

static const char format_syscall[] =
	FORMAT_HEAD("sys_enter_openat", "315")
	FORMAT_FIELD("int __syscall_nr", "8", "4", "1")
	FORMAT_FIELD("int dfd", "16", "8", "0")
	FORMAT_FIELD("const char * filename", "24", "8", "0")
	FORMAT_FIELD("__data_loc char[] __filename_val", "32", "4", "0")
	FORMAT_PRINT("\"dfd: 0x%08lx, filename: 0x%08lx \\\"%s\\\"\", REC->dfd, REC->filename, "
		     "__get_str(__filename_val)");

static const char format_masks[] =
	FORMAT_HEAD("masks", "316")
	FORMAT_FIELD("__data_loc cpumask_t cpus", "8", "4", "0")
	FORMAT_FIELD("__data_loc unsigned long[] bits", "12", "4", "0")
	FORMAT_FIELD("u8 ip[4]", "16", "4", "0")
	FORMAT_FIELD("int args[2]", "20", "8", "1")
	FORMAT_PRINT("\"bits=%s ip=%pI4 second=%d\", __get_bitmask(bits), REC->ip, REC->args[1]");

static const char format_cpus[] =
	FORMAT_HEAD("cpus", "317")
	FORMAT_FIELD("__data_loc cpumask_t cpus", "8", "4", "0")
	FORMAT_PRINT("\"cpus=%s\", __get_cpumask(cpus)");

static inline void put32(void *record, size_t offset, uint32_t n)
{
	memcpy((char *)record + offset, &n, sizeof(n));
}

static inline void put64(void *record, size_t offset, uint64_t n)
{
	memcpy((char *)record + offset, &n, sizeof(n));
}

/* A string behind the fields, and the word that leads to it. */
static inline void put_string(void *record, size_t word, size_t offset, const char *text)
{
	size_t len = strlen(text) + 1;

	put32(record, word, offset | len << 16);
	memcpy((char *)record + offset, text, len);
}

#endif
