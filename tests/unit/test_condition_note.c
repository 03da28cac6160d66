// SPDX-License-Identifier: BSD-2-Clause
/* Conditions whose meaning in the kernel is known: bits, the end of a list, an index. */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "decision_tests.h"
#include "util/explain/condition_internal.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

/*
 * list_for_each_entry(): the entry is in rbx, its list at LIST. FIRST loads the first one's next into rax; HEAD is
 * compared with it.
 */
#define LISTS(name, first, list, head)        \
	FUNC(name)                            \
	ENTRY                                 \
	LABEL(name##_body)                    \
	first                                 \
	LABEL(name##_each)                    \
	"cmp " head ", %rax\n"                \
	LABEL(name##_jump)                    \
	"je 1f\n"                             \
	"lea -" list "(%rax), %rbx\n"         \
	"cmp %esi, 24(%rbx)\n"                \
	"je 2f\n"                             \
	"mov " list "(%rbx), %rax\n"          \
	LABEL(name##_jmp)                     \
	"jmp k_" #name "_each\n"              \
	"2: xor %eax, %eax\n"                 \
	"ret\n"                               \
	"1:\n"                                \
	LABEL(name##_bad)                     \
	"mov $-2, %eax\n"                     \
	LABEL(name##_ret)                     \
	"ret\n"                               \
	END(name)

/* clang-format off */
asm(KERNEL
    TESTS(indexes, "cmpq $0, 16(%rdx)", "je")
    TESTS(between, "cmpq $0, 12(%rdx)", "je")
    TESTS(halves, "cmpl $0, 16(%rdx)", "je")
    TESTS(elements, "add $24, %rdi\nmov $0xffffffff81234560, %rax\ncmp %rax, %rdi", "je")
    TESTS(counts, "add $1, %rdi\nmov $0xffffffff81234560, %rax\ncmp %rax, %rdi", "je")
    TESTS(counts_to, "add $24, %rdi\ncmp $256, %rdi", "je")
    TESTS(goes_on, "add $24, %rdi\nmov $0xffffffff81234560, %rax\ncmp %rax, %rdi", "jne")
    LISTS(lists, "lea 32(%rdi), %r12\n" "mov 32(%rdi), %rax\n", "16", "%r12")
    LISTS(starts, "mov (%rdi), %rax\n", "16", "%rdi")
    LISTS(tables, "mov %r9, %r12\n" "mov (%r9), %rax\n", "16", "%r12")
    LISTS(in_rbp, "mov %r9, %rbp\n" "mov (%rbp), %rax\n", "16", "%rbp")
    LISTS(in_frame, "lea 8(%rsp), %rbp\n" "mov (%rbp), %rax\n", "16", "%rbp")
    LISTS(others, "lea 40(%rdi), %r12\n" "mov 32(%rdi), %rax\n", "16", "%r12")
    TESTS(old_none, "testl $0x700000, 8(%rdi)", "je")
    TESTS(old_some, "testl $0x700000, 8(%rdi)", "jne")
    TESTS(new_none, "testl $0x380000, 8(%rdi)", "je")
    TESTS(new_some, "testl $0x380000, 8(%rdi)", "jne")
    TESTS(old_dir, "mov 8(%rdi), %eax\nand $0x700000, %eax\ncmp $0x200000, %eax", "jne")
    TESTS(old_link, "mov 8(%rdi), %eax\nand $0x700000, %eax\ncmp $0x600000, %eax", "je")
    TESTS(old_dirs, "mov 8(%rdi), %eax\nand $0x600000, %eax\ncmp $0x200000, %eax", "je")
    TESTS(old_file, "mov 8(%rdi), %eax\nand $0x700000, %eax\ncmp $0x400000, %eax", "je")
    TESTS(new_dir, "mov 8(%rdi), %eax\nand $0x380000, %eax\ncmp $0x100000, %eax", "jne")
    TESTS(creates, "testw $0x400, 6(%rsi)", "je")
    TESTS(appends, "testw $0x800, 6(%rsi)", "jne")
    TESTS(replaces, "testw $0x100, 6(%rsi)", "jne")
    TESTS(nf_newrule, "testw $0x300, 6(%rsi)", "jne")
    TESTS(nf_newset, "movzwl 6(%rsi), %eax\nand $0x300, %eax\ncmp $0x100, %eax", "jne")
    TESTS(masked_flag, "mov 8(%rcx), %eax\nand $0x20, %eax\ncmp $1, %eax", "jb")
    TESTS(unsigneds, "testb $0x20, 8(%rcx)", "je")
    TESTS(both_flags, "testb $0x30, 8(%rcx)", "je")
    TESTS(rawio, "testl $0x20000, 8(%r8)", "je")
    TESTS(rawio_bit, "mov 8(%r8), %rax\nbt $17, %rax", "jnc")
    TESTS(bpf_cap, "testb $0x80, 12(%r8)", "je")
    TESTS(bit_set, "testb $0x40, (%r8)", "jne")
    TESTS(bit_clear, "testl $0x40, (%r8)", "je")
    TESTS(bits_two, "testb $0xc0, (%r8)", "jne")
    TESTS(bit_of_two, "testb $0x2, (%r8)", "jne")
    TESTS(bit_loaded, "mov (%r8), %eax\n test $0x40, %al", "jne")
    TESTS(sign_set, "cmpb $0, 1(%r8)", "js")
    TESTS(sign_clear, "cmpl $0, (%r8)", "jns")
    TESTS(no_sign, "cmpb $0, (%r8)", "js")
    TESTS(two_caps, "testl $0x30000, 8(%r8)", "je")
    TESTS(creates_too, "testw $0x600, 6(%rsi)", "jne")
    /* return cred->no_new_privs ? 63 : -EPERM */
    FUNC(less_one)
    ENTRY
    LABEL(less_one_body)
    "movzbl (%r8), %eax\n"
    "and $0x40, %eax\n"
    "sub $1, %eax\n"
    LABEL(less_one_ret)
    "ret\n"
    END(less_one)
    USER);
/* clang-format on */

#define EACH_FUNC(do)                                                                                       \
	do(OLD_DIR, old_dir) do(OLD_LINK, old_link) do(OLD_DIRS, old_dirs) do(OLD_FILE, old_file)           \
	do(NEW_DIR, new_dir)                                                                                \
	do(OLD_NONE, old_none) do(OLD_SOME, old_some) do(NEW_NONE, new_none) do(NEW_SOME, new_some)         \
	do(CREATES, creates) do(APPENDS, appends) do(REPLACES, replaces) do(CREATES_TOO, creates_too)       \
	do(LESS_ONE, less_one) do(IN_RBP, in_rbp) do(IN_FRAME, in_frame) do(NF_NEWSET, nf_newset)           \
	do(MASKED_FLAG, masked_flag)                                                                        \
	do(NF_NEWRULE, nf_newrule) do(ELEMENTS, elements) do(COUNTS, counts) do(COUNTS_TO, counts_to)       \
	do(GOES_ON, goes_on) do(LISTS, lists) do(STARTS, starts) do(TABLES, tables) do(OTHERS, others)      \
	do(INDEXES, indexes) do(BETWEEN, between)                                                           \
	do(HALVES, halves) do(UNSIGNEDS, unsigneds) do(BOTH_FLAGS, both_flags)            \
	do(RAWIO, rawio) do(RAWIO_BIT, rawio_bit) do(BPF_CAP, bpf_cap) do(TWO_CAPS, two_caps)       \
	do(BIT_SET, bit_set) do(BIT_CLEAR, bit_clear) do(BITS_TWO, bits_two) do(BIT_OF_TWO, bit_of_two)     \
	do(BIT_LOADED, bit_loaded) do(SIGN_SET, sign_set) do(SIGN_CLEAR, sign_clear) do(NO_SIGN, no_sign)

#include "decision_play.h"

struct entry_flag {
	const char *name;
	int value;
};

/*
 * int NAME(struct dentry *dentry, struct nlmsghdr *nlh, struct nlmsghdr **tb, struct file_operations *f_op,
 * struct cred *cred, struct nft_net *nft_net), and with @flags, enum dentry_flags.
 *
 * @has_array	capabilities are in an array, as up to 6.2
 */
static struct kernel_btf *types_with_flags(const struct entry_flag *flags, size_t nr, bool has_array)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int u32 = btf__add_int(b, "unsigned int", 4, 0);
	int u16 = btf__add_int(b, "unsigned short", 2, 0), dentry, nlh, tb, operations, words, caps, cred, list, nft;
	int u64 = btf__add_int(b, "unsigned long long", 8, 0);
	struct kernel_btf *btf;

	dentry = btf__add_struct(b, "dentry", 12);
	btf__add_field(b, "first", i32, 0, 0);
	btf__add_field(b, "d_flags", u32, 64, 0);
	nlh = btf__add_struct(b, "nlmsghdr", 16);
	btf__add_field(b, "nlmsg_flags", u16, 48, 0);
	if (nr) {
		btf__add_enum(b, "dentry_flags", 4);
		btf__add_enum_value(b, "DCACHE_OP_HASH", 1);
	}
	for (size_t i = 0; i < nr; i++)
		btf__add_enum_value(b, flags[i].name, flags[i].value);
	dentry = btf__add_ptr(b, dentry);
	nlh = btf__add_ptr(b, nlh);
	tb = btf__add_ptr(b, nlh);
	operations = btf__add_struct(b, "file_operations", 16);
	btf__add_field(b, "fop_flags", u32, 64, 0);
	operations = btf__add_ptr(b, operations);
	words = btf__add_array(b, i32, u32, 2);
	caps = btf__add_struct(b, "kernel_cap", 8);
	btf__add_field(b, has_array ? "cap" : "val", has_array ? words : u64, 0, 0);
	cred = btf__add_struct(b, "cred", 16);
	btf__add_field(b, "two", u32, 0, 2);
	btf__add_field(b, "no_new_privs", u32, 6, 1);
	btf__add_field(b, "moves", u32, 15, 1);
	btf__add_field(b, "last", u32, 31, 1);
	btf__add_field(b, "cap_effective", caps, 64, 0);
	cred = btf__add_ptr(b, cred);
	list = btf__add_struct(b, "list_head", 16);
	btf__add_field(b, "next", u64, 0, 0);
	nft = btf__add_struct(b, "nft_net", 32);
	btf__add_field(b, "tables", list, 0, 0);
	nft = btf__add_ptr(b, nft);
	for (int i = 0; i < NR_FUNCS; i++) {
		int proto = btf__add_func_proto(b, i32);

		btf__add_func_param(b, "dentry", dentry);
		btf__add_func_param(b, "nlh", nlh);
		btf__add_func_param(b, "tb", tb);
		btf__add_func_param(b, "f_op", operations);
		btf__add_func_param(b, "cred", cred);
		btf__add_func_param(b, "nft_net", nft);
		btf__add_func(b, func_names[i], BTF_FUNC_STATIC, proto);
	}
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

/* @flag	the one that is known; NULL: none is, and there is no enum */
static struct kernel_btf *types_of_functions(const char *flag, int mask)
{
	const struct entry_flag known = { flag, mask };

	return types_with_flags(&known, flag != NULL, false);
}

/* As of 6.14. */
static struct kernel_btf *types_of_entries(void)
{
	static const struct entry_flag known[] = { { "DCACHE_ENTRY_TYPE", 0x380000 },
						   { "DCACHE_DIRECTORY_TYPE", 0x100000 },
						   { "DCACHE_AUTODIR_TYPE", 0x180000 },
						   { "DCACHE_SYMLINK_TYPE", 0x300000 } };

	return types_with_flags(known, ARRAY_SIZE(known), false);
}

TEST_F(decision, a_directory_entry_without_a_file)
{
	/* Macros, up to 6.13. */
	self->btf = types_of_functions(NULL, 0);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(old_none, OLD_NONE, "!(dentry->d_flags & 0x700000) (no such file)");
	EXPECT_TEXT(old_some, OLD_SOME, "dentry->d_flags & 0x700000 (the file exists)");
	EXPECT_TEXT(new_none, NEW_NONE, "!(dentry->d_flags & 0x380000)");
	kernel_btf_free(self->btf);
	self->btf = types_of_functions("DCACHE_ENTRY_TYPE", 0x380000);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(new_none, NEW_NONE, "!(dentry->d_flags & 0x380000) (no such file)");
	EXPECT_TEXT(new_some, NEW_SOME, "dentry->d_flags & 0x380000 (the file exists)");
	EXPECT_TEXT(old_none, OLD_NONE, "!(dentry->d_flags & 0x700000)");
	kernel_btf_free(self->btf);
	/* Another name of the flag is not known. */
	self->btf = types_of_functions("DCACHE_KIND", 0x700000);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(old_none, OLD_NONE, "!(dentry->d_flags & 0x700000)");
	kernel_btf_free(self->btf);
}

TEST_F(decision, the_type_of_a_directory_entry)
{
	self->btf = types_of_functions(NULL, 0);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(old_dir, OLD_DIR, "(dentry->d_flags & 0x700000) != 0x200000 (not a directory to look into)");
	EXPECT_TEXT(old_link, OLD_LINK, "(dentry->d_flags & 0x700000) == 0x600000 (a symbolic link)");
	EXPECT_TEXT(old_dirs, OLD_DIRS, "(dentry->d_flags & 0x600000) == 0x200000 (a directory)");
	EXPECT_TEXT(old_file, OLD_FILE, "(dentry->d_flags & 0x700000) == 0x400000");
	EXPECT_TEXT(new_dir, NEW_DIR, "(dentry->d_flags & 0x380000) != 0x100000");
	kernel_btf_free(self->btf);
	self->btf = types_of_functions("DCACHE_DIRECTORY_TYPE", 0x100000);
	ASSERT_NE(NULL, self->btf);
	/* The other flags are not known. */
	EXPECT_TEXT(new_dir, NEW_DIR, "(dentry->d_flags & 0x380000) != 0x100000");
	EXPECT_TEXT(old_link, OLD_LINK, "(dentry->d_flags & 0x700000) == 0x600000");
	kernel_btf_free(self->btf);
	self->btf = types_of_entries();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(new_dir, NEW_DIR, "(dentry->d_flags & 0x380000) != 0x100000 (not a directory to look into)");
	EXPECT_TEXT(old_dir, OLD_DIR, "(dentry->d_flags & 0x700000) != 0x200000");
	kernel_btf_free(self->btf);
}

TEST_F(decision, flags_of_netlink_that_have_one_meaning)
{
	self->btf = types_of_functions(NULL, 0);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(creates, CREATES, "!(nlh->nlmsg_flags & NLM_F_CREATE)");
	EXPECT_TEXT(appends, APPENDS, "nlh->nlmsg_flags & NLM_F_APPEND");
	/* Or NLM_F_ROOT, or NLM_F_NONREC. */
	EXPECT_TEXT(replaces, REPLACES, "nlh->nlmsg_flags & 0x100");
	EXPECT_TEXT(creates_too, CREATES_TOO, "nlh->nlmsg_flags & 0x600");
	EXPECT_TEXT(nf_newset, NF_NEWSET, "(nlh->nlmsg_flags & (NLM_F_REPLACE | NLM_F_EXCL)) != NLM_F_REPLACE");
	EXPECT_TEXT(nf_newrule, NF_NEWRULE, "nlh->nlmsg_flags & (NLM_F_REPLACE | NLM_F_EXCL)");
	kernel_btf_free(self->btf);
}

TEST_F(decision, flags_of_file_operations)
{
	self->btf = types_of_functions(NULL, 0);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(unsigneds, UNSIGNEDS, "!(f_op->fop_flags & FOP_UNSIGNED_OFFSET)");
	EXPECT_TEXT(masked_flag, MASKED_FLAG, "!(f_op->fop_flags & FOP_UNSIGNED_OFFSET)");
	EXPECT_TEXT(both_flags, BOTH_FLAGS, "!(f_op->fop_flags & (FOP_HUGE_PAGES | FOP_UNSIGNED_OFFSET))");
	kernel_btf_free(self->btf);
}

static const char *flags_of(const char *name, uint64_t mask)
{
	static char kept[128];
	struct strbuf text = STRBUF_INIT;
	bool known = condition_add_kernel_flags(&text, name, mask);

	snprintf(kept, sizeof(kept), "%s", known ? strbuf_str(&text) : text.len ? "something added" : "");
	strbuf_release(&text);
	return kept;
}

TEST(flags_of_the_kernels_objects)
{
	EXPECT_STREQ("S_IMMUTABLE", flags_of("path->dentry->d_inode->i_flags", 8));
	EXPECT_STREQ("(S_APPEND | S_IMMUTABLE)", flags_of("inode->i_flags", 0xc));
	EXPECT_STREQ("(MNT_NODEV | MNT_READONLY)", flags_of("mnt_flags", 0x42));
	EXPECT_STREQ("VM_HUGETLB", flags_of("vma->vm_flags", 0x400000));
	EXPECT_STREQ("VM_SHARED", flags_of("vma->shared.vm_flags", 8));
	EXPECT_STREQ("LOOKUP_BENEATH", flags_of("nd->flags", 1 << 27));
	EXPECT_STREQ("O_NONBLOCK", flags_of("iocb->ki_filp->f_flags", 0x800));
	EXPECT_STREQ("IOP_XATTR", flags_of("inode->i_opflags", 8));
	EXPECT_STREQ("SB_POSIXACL", flags_of("dentry->d_inode->i_sb->s_flags", 1 << 16));
	EXPECT_STREQ("SEND_SHUTDOWN", flags_of("sk->sk_shutdown", 2));
	EXPECT_STREQ("FL_SLEEP", flags_of("request->c.flc_flags", 0x80));
	EXPECT_STREQ("FL_SLEEP", flags_of("fl->fl_flags", 0x80));
	EXPECT_STREQ("NLM_F_CREATE", flags_of("cfg->fc_nlflags", 0x400));
	EXPECT_STREQ("MAY_WRITE", flags_of("acc_mode", 2));
	EXPECT_STREQ("(IPC_CREAT | IPC_EXCL)", flags_of("params->flg", 0x600));
	/* One that has no name, or not the same in each Linux. */
	EXPECT_STREQ("", flags_of("filp->f_flags", 0x4000));
	EXPECT_STREQ("", flags_of("inode->i_flags", 1 << 20));
	EXPECT_STREQ("", flags_of("inode->i_flags", 1ull << 40 | 8));
	EXPECT_STREQ("", flags_of("nd->flags", 1 << 18));
	EXPECT_STREQ("", flags_of("inode->i_flags", 0));
	/* Others' flags, and members of similar names. */
	EXPECT_STREQ("", flags_of("i_flags", 8));
	EXPECT_STREQ("", flags_of("xi_flags", 8));
	EXPECT_STREQ("", flags_of("x->xi_flags", 8));
	EXPECT_STREQ("", flags_of("tsk->flags", 1));
	EXPECT_STREQ("", flags_of("", 1));
}

TEST(requests_of_netlink_that_make_something)
{
	EXPECT_TRUE(condition_has_new_request("__rtnl_newlink", "nlh->nlmsg_flags"));
	EXPECT_TRUE(condition_has_new_request("neigh_add", "nlh->nlmsg_flags"));
	EXPECT_TRUE(condition_has_new_request("fib_table_insert", "cfg->fc_nlflags"));
	EXPECT_TRUE(condition_has_new_request("tc_modify_qdisc", "n->nlmsg_flags"));
	EXPECT_FALSE(condition_has_new_request("inet_rtm_deladdr", "nlh->nlmsg_flags"));
	EXPECT_FALSE(condition_has_new_request("rtnl_addrlabel", "nlh->nlmsg_flags"));
	EXPECT_FALSE(condition_has_new_request("rtnl_getlink", "nlh->nlmsg_flags"));
	EXPECT_FALSE(condition_has_new_request("neigh_add", "nlh->nlmsg_type"));
}

TEST(states_of_sockets)
{
	const char *state = "sk->__sk_common.skc_state";

	EXPECT_TRUE(condition_has_socket_state("inet_csk_accept", state));
	EXPECT_TRUE(condition_has_socket_state("unix_accept", state));
	/* BT_CONNECTED is 1, too. */
	EXPECT_FALSE(condition_has_socket_state("l2cap_sock_connect", state));
	EXPECT_FALSE(condition_has_socket_state("inet_csk_accept", "sk->sk_shutdown"));
	EXPECT_STREQ("TCP_LISTEN", condition_socket_state(10));
	EXPECT_EQ(NULL, condition_socket_state(0));
	EXPECT_EQ(NULL, condition_socket_state(99));
}

TEST_F(decision, capabilities_that_an_inlined_function_tests)
{
	self->btf = types_of_functions(NULL, 0);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(rawio, RAWIO, "!(cred->cap_effective.val & BIT(CAP_SYS_RAWIO))");
	EXPECT_TEXT(rawio_bit, RAWIO_BIT, "!(cred->cap_effective.val & BIT(CAP_SYS_RAWIO))");
	EXPECT_TEXT(bpf_cap, BPF_CAP, "!(cred->cap_effective.val & BIT(CAP_BPF))");
	EXPECT_TEXT(two_caps, TWO_CAPS, "!(cred->cap_effective.val & 0x30000)");
	kernel_btf_free(self->btf);
	self->btf = types_with_flags(NULL, 0, true);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(rawio, RAWIO, "!(cred->cap_effective.cap[0] & CAP_TO_MASK(CAP_SYS_RAWIO))");
	EXPECT_TEXT(bpf_cap, BPF_CAP, "!(cred->cap_effective.cap[1] & CAP_TO_MASK(CAP_BPF))");
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_bit_field_has_its_name_where_it_is_tested_alone)
{
	self->btf = types_of_functions(NULL, 0);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(bit_set, BIT_SET, "cred->no_new_privs");
	EXPECT_TEXT(bit_clear, BIT_CLEAR, "!cred->no_new_privs");
	EXPECT_TEXT(bits_two, BITS_TWO, "*(u8 *)cred & 0xc0");
	EXPECT_TEXT(bit_of_two, BIT_OF_TWO, "*(u8 *)cred & 0x2");
	EXPECT_TEXT(sign_set, SIGN_SET, "cred->moves");
	EXPECT_TEXT(sign_clear, SIGN_CLEAR, "!cred->last");
	/* The highest bit there is none of its own. */
	EXPECT_TEXT(no_sign, NO_SIGN, "*(u8 *)cred < 0");
	EXPECT_TEXT(bit_loaded, BIT_LOADED, "cred->no_new_privs");
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_result_that_was_computed_from_a_bit_field)
{
	self->btf = types_of_functions(NULL, 0);
	ASSERT_NE(NULL, self->btf);
	CALLED(less_one_body);
	RETURNED(less_one_ret);
	decided(self, LESS_ONE, -EPERM);
	EXPECT_STREQ("!cred->no_new_privs", self->condition.text ?: "");
	EXPECT_EQ(DECISION_SELECTED, self->decision.kind);
	kernel_btf_free(self->btf);
}

TEST_F(decision, one_of_several_pointers_in_a_row)
{
	self->btf = types_of_functions(NULL, 0);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(indexes, INDEXES, "tb[2] == NULL");
	EXPECT_TEXT(between, BETWEEN, "*(u64 *)(tb + 0xc) == 0");
	EXPECT_TEXT(halves, HALVES, "*(u32 *)(tb + 0x10) == 0");
	kernel_btf_free(self->btf);
}

/* Through @times entries. */
#define EXPECT_LIST(name, func, times, expected)                      \
	do {                                                          \
		self->nr = 0;                                         \
		CALLED(name##_body);                                  \
		for (int i = 0; i < times; i++)                       \
			TOOK(name##_jmp, name##_each);                \
		TOOK(name##_jump, name##_bad);                        \
		RETURNED(name##_ret);                                 \
		decided(self, func, -ENOENT);                         \
		EXPECT_STREQ(expected, self->condition.text ?: "");   \
	} while (0)

TEST_F(decision, a_list_that_led_to_its_head_ended)
{
	self->btf = types_of_functions(NULL, 0);
	ASSERT_NE(NULL, self->btf);
	EXPECT_LIST(lists, LISTS, 0, "*(u64 *)(dentry + 0x20) == r12 (the list is empty)");
	EXPECT_LIST(lists, LISTS, 3, "rax == r12 (the list ended)");
	/* An object that has its own address is no list, but one that has another's, which has its address, is. */
	EXPECT_LIST(starts, STARTS, 0, "*(u64 *)dentry == dentry");
	EXPECT_LIST(starts, STARTS, 2, "rax == dentry (the list ended)");
	/* So is one whose type begins with a list. */
	EXPECT_LIST(tables, TABLES, 0, "nft_net->tables.next == nft_net (the list is empty)");
	EXPECT_LIST(tables, TABLES, 2, "rax == nft_net (the list ended)");
	EXPECT_LIST(in_rbp, IN_RBP, 0, "nft_net->tables.next == nft_net (the list is empty)");
	EXPECT_LIST(in_rbp, IN_RBP, 2, "rax == nft_net (the list ended)");
	EXPECT_LIST(in_frame, IN_FRAME, 2, "rax == rbp");
	/* It began elsewhere. */
	EXPECT_LIST(others, OTHERS, 2, "rax == r12");
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_pointer_that_was_moved_to_the_end_of_an_array)
{
	self->btf = types_of_functions(NULL, 0);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(elements, ELEMENTS, "rdi == 0xffffffff81234560 (the array ended)");
	EXPECT_TEXT(counts, COUNTS, "rdi == 0xffffffff81234560");
	EXPECT_TEXT(counts_to, COUNTS_TO, "rdi == 256");
	EXPECT_TEXT(goes_on, GOES_ON, "rdi != 0xffffffff81234560");
	kernel_btf_free(self->btf);
}

#endif

TEST_HARNESS_MAIN
