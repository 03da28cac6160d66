// SPDX-License-Identifier: BSD-2-Clause
/* Members that are reached by container_of(), lists with a name, and characters. */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "decision_tests.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

/*
 * int NAME(struct cgroup_subsys_state *css, const char *s, struct vfsmount *mnt, struct twice *twice, int n,
 *	    struct inode *inode), or of sockets, int NAME(struct sock *sk)
 */
/* clang-format off */
asm(KERNEL
    TESTS(empties, "lea 8(%rdi), %rax\n mov 8(%rdi), %r9\n cmp %rax, %r9", "je")
    TESTS(fills, "lea 8(%rdi), %rax\n cmp %rax, 8(%rdi)", "jne")
    TESTS(others, "lea 24(%rdi), %rax\n cmp %rax, 8(%rdi)", "jne")
    TESTS(lasts, "lea 8(%rdi), %rax\n cmp %rax, 16(%rdi)", "jne")
    TESTS(queues, "lea 48(%rdi), %r9\n cmp 48(%rdi), %r9", "je")
    TESTS(queue_ends, "lea 48(%rdi), %r9\n cmp 56(%rdi), %r9", "je")
    TESTS(powers, "movslq %r8d, %r8\n mov %r8, %rax\n lea -1(%r8), %r9\n xor %r9, %rax\n cmp %rax, %r9", "jae")
    TESTS(no_powers, "movslq %r8d, %r8\n mov %r8, %rax\n lea -2(%r8), %r9\n xor %r9, %rax\n cmp %rax, %r9", "jae")
    TESTS(entries, "mov 8(%rdi), %r9\n cmpl $5, 16(%r9)", "je")
    TESTS(siblings, "mov 24(%rdi), %r9\n cmpl $5, 16(%r9)", "je")
    TESTS(firsts, "mov 8(%rdi), %r9\n sub $24, %r9", "je")
    TESTS(constants, "mov 8(%rdi), %r9\n cmp $24, %r9", "je")
    TESTS(ones, "mov 8(%rdi), %r9\n sub $1, %r9", "je")
    TESTS(mounts, "cmpq $0, -16(%rdx)", "je")
    TESTS(addresses, "lea -32(%rdx), %r9\n mov 16(%r9), %rax\n cmp %rax, %r9", "je")
    TESTS(behinds, "cmpl $0, 16(%rdx)", "je")
    TESTS(insides, "cmpl $0, 8(%rdx)", "je")
    TESTS(farthests, "cmpl $0, -36(%rdx)", "je")
    TESTS(twices, "cmpl $0, -8(%rcx)", "je")
    TESTS(texts, "cmpb $79, (%rsi)", "je")
    TESTS(quotes, "movsbl (%rsi), %eax\n cmp $39, %eax", "je")
    TESTS(ends, "cmpb $0, (%rsi)", "je")
    TESTS(newlines, "cmpb $10, (%rsi)", "je")
    TESTS(masks, "testb $79, (%rsi)", "jne")
    TESTS(digits, "movsbl (%rsi), %eax\n sub $48, %eax\n cmp $57, %eax", "ja")
    TESTS(numbers, "cmp $79, %r8d", "je")
    TESTS(shmem_seals, "mov -8(%r9), %eax\n and $4, %eax", "jne")
    TESTS(shmem_infos, "lea -16(%r9), %rax\n cmp %rax, (%rdx)", "je")
    TESTS(shmem_afters, "testb $4, 24(%r9)", "jne")
    TESTS(ramfs_seals, "mov -8(%r9), %eax\n and $4, %eax", "jne")
    TESTS(shmem_modes, "cmpl $4, 4(%r9)", "je")
    TESTS(unix_addrs, "cmpq $0, 40(%rdi)", "je")
    TESTS(unix_inners, "cmpq $0, 8(%rdi)", "je")
    TESTS(unix_behinds, "cmpq $0, 48(%rdi)", "je")
    TESTS(do_tcp_ports, "cmpl $0, 32(%rdi)", "je")
    TESTS(__tcp_accepts, "cmpl $0, 40(%rdi)", "je")
    TESTS(raw_addrs, "cmpq $0, 40(%rdi)", "je")
    TESTS(both_members, "movabs $0x100000008, %rax\n and (%r9), %rax\n cmp $8, %rax", "je")
    TESTS(one_of_two, "movabs $0x100000008, %rax\n and (%r9), %rax\n cmp $8, %rax", "jne")
    TESTS(both_clear, "movabs $0x100000008, %rax\n test %rax, (%r9)", "je")
    TESTS(both_whole, "mov (%r9), %rax\n movabs $0x600000005, %rcx\n cmp %rcx, %rax", "je")
    TESTS(bits_of_two, "movabs $0x300000008, %rax\n and (%r9), %rax\n movabs $0x100000000, %rcx\n cmp %rcx, %rax", "je")
    TESTS(one_member, "mov (%r9), %rax\n and $8, %rax\n cmp $8, %rax", "je")
    USER);
/* clang-format on */

#define EACH_FUNC(do)                                                                                      \
	do(EMPTIES, empties) do(FILLS, fills) do(OTHERS, others) do(LASTS, lasts) do(ENTRIES, entries)     \
	do(SIBLINGS, siblings) do(FIRSTS, firsts) do(CONSTANTS, constants) do(ONES, ones)                  \
	do(MOUNTS, mounts) do(ADDRESSES, addresses) do(BEHINDS, behinds) do(INSIDES, insides)              \
	do(FARTHESTS, farthests) do(TWICES, twices) do(TEXTS, texts) do(QUOTES, quotes) do(ENDS, ends)     \
	do(NEWLINES, newlines) do(MASKS, masks) do(DIGITS, digits) do(NUMBERS, numbers)        \
	do(SHMEM_SEALS, shmem_seals) do(SHMEM_INFOS, shmem_infos) do(SHMEM_AFTERS, shmem_afters)           \
	do(RAMFS_SEALS, ramfs_seals) do(SHMEM_MODES, shmem_modes) do(BOTH_MEMBERS, both_members)           \
	do(ONE_OF_TWO, one_of_two) do(BOTH_CLEAR, both_clear) do(BOTH_WHOLE, both_whole)                   \
	do(BITS_OF_TWO, bits_of_two) do(ONE_MEMBER, one_member) do(QUEUES, queues)                         \
	do(UNIX_ADDRS, unix_addrs) do(UNIX_INNERS, unix_inners) do(UNIX_BEHINDS, unix_behinds)             \
	do(DO_TCP_PORTS, do_tcp_ports) do(TCP_ACCEPTS, __tcp_accepts) do(RAW_ADDRS, raw_addrs)             \
	do(QUEUE_ENDS, queue_ends) do(POWERS, powers) do(NO_POWERS, no_powers)

#include "decision_play.h"
/* Of packets; struct_group() makes a member of its members. */
static int add_queue(struct btf *b)
{
	int packet = btf__add_struct(b, "sk_buff", 64), group[2], both, queue;

	packet = btf__add_ptr(b, packet);
	for (int i = 0; i < 2; i++) {
		group[i] = btf__add_struct(b, i ? "sk_buff_list" : NULL, 16);
		btf__add_field(b, "next", packet, 0, 0);
		btf__add_field(b, "prev", packet, 64, 0);
	}
	both = btf__add_union(b, NULL, 16);
	btf__add_field(b, NULL, group[0], 0, 0);
	btf__add_field(b, "list", group[1], 0, 0);
	queue = btf__add_struct(b, "sk_buff_head", 16);
	btf__add_field(b, NULL, both, 0, 0);
	return queue;
}

static int add_css(struct btf *b, int u32)
{
	int queue = add_queue(b), list = btf__add_struct(b, "list_head", 16), pointer, css;

	pointer = btf__type_cnt(b);
	btf__add_field(b, "next", pointer, 0, 0);
	btf__add_field(b, "prev", pointer, 64, 0);
	btf__add_ptr(b, list);
	css = btf__add_struct(b, "cgroup_subsys_state", 64);
	btf__add_field(b, "id", u32, 0, 0);
	btf__add_field(b, "children", list, 8 * 8, 0);
	btf__add_field(b, "sibling", list, 24 * 8, 0);
	btf__add_field(b, "flags", u32, 40 * 8, 0);
	btf__add_field(b, "queue", queue, 48 * 8, 0);
	return btf__add_ptr(b, css);
}

/* A struct vfsmount in a struct mount, and a struct twice in that one two times. */
static int add_mount(struct btf *b, int u32, int *ret_twice)
{
	int u64 = btf__add_int(b, "long unsigned int", 8, 0), vfsmount, twice, mount, pointer;

	vfsmount = btf__add_struct(b, "vfsmount", 16);
	btf__add_field(b, "data", u64, 0, 0);
	btf__add_field(b, "mnt_flags", u32, 64, 0);
	twice = btf__add_struct(b, "twice", 8);
	btf__add_field(b, "number", u64, 0, 0);
	pointer = btf__type_cnt(b);
	btf__add_ptr(b, pointer + 1);
	mount = btf__add_struct(b, "mount", 64);
	btf__add_field(b, "first", twice, 0, 0);
	btf__add_field(b, "second", twice, 64, 0);
	btf__add_field(b, "mnt_parent", pointer, 128, 0);
	btf__add_field(b, "mnt_id", u32, 192, 0);
	btf__add_field(b, "mnt", vfsmount, 256, 0);
	btf__add_field(b, "mnt_expiry", u32, 384, 0);
	if (mount != pointer + 1)
		abort();
	*ret_twice = btf__add_ptr(b, twice);
	return btf__add_ptr(b, vfsmount);
}

/* An inode of shmem. */
static int add_inode(struct btf *b, int u32)
{
	int inode = btf__add_struct(b, "inode", 16), info;

	btf__add_field(b, "i_flags", u32, 0, 0);
	btf__add_field(b, "i_mode", u32, 32, 0);
	info = btf__add_struct(b, "shmem_inode_info", 48);
	btf__add_field(b, "seals", u32, 64, 0);
	btf__add_field(b, "vfs_inode", inode, 128, 0);
	btf__add_field(b, "fsflags", u32, 320, 0);
	btf__add_ptr(b, info);
	return btf__add_ptr(b, inode);
}

/* Sockets: of 32 bytes, in those of protocols; TCP's are in two more structs. Returns the id of a pointer to one. */
static int add_sock(struct btf *b, int u32)
{
	int u64 = btf__add_int(b, "long long unsigned int", 8, 0), inner, outer;
	int sock = btf__add_struct(b, "sock", 32);

	btf__add_field(b, "sk_state", u64, 64, 0);
	for (int i = 0; i < 2; i++) {
		int protocol = btf__add_struct(b, i ? "raw_sock" : "unix_sock", 48);

		btf__add_field(b, "sk", sock, 0, 0);
		btf__add_field(b, "addr", u64, 320, 0);
		btf__add_ptr(b, protocol);
	}
	inner = btf__add_struct(b, "inet_sock", 40);
	btf__add_field(b, "sk", sock, 0, 0);
	btf__add_field(b, "inet_num", u32, 256, 0);
	btf__add_ptr(b, inner);
	outer = btf__add_struct(b, "inet_connection_sock", 48);
	btf__add_field(b, "icsk_inet", inner, 0, 0);
	btf__add_field(b, "icsk_retries", u32, 320, 0);
	btf__add_ptr(b, outer);
	return btf__add_ptr(b, sock);
}

static struct kernel_btf *types_of_functions(void)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int u32 = btf__add_int(b, "unsigned int", 4, 0);
	int c = btf__add_int(b, "char", 1, BTF_INT_SIGNED), text, css, mnt, twice, inode, sock;
	struct kernel_btf *btf;

	text = btf__add_ptr(b, btf__add_const(b, c));
	css = add_css(b, u32);
	mnt = add_mount(b, u32, &twice);
	inode = add_inode(b, u32);
	sock = add_sock(b, u32);
	for (int i = 0; i < NR_FUNCS; i++) {
		int proto = btf__add_func_proto(b, i32);

		if (i >= UNIX_ADDRS && i <= RAW_ADDRS)
			btf__add_func_param(b, "sk", sock);
		else
			btf__add_func_param(b, "css", css);
		btf__add_func_param(b, "s", text);
		btf__add_func_param(b, "mnt", mnt);
		btf__add_func_param(b, "twice", twice);
		btf__add_func_param(b, "n", i32);
		btf__add_func_param(b, "inode", inode);
		btf__add_func(b, func_names[i], BTF_FUNC_STATIC, proto);
	}
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

TEST_F(decision, a_number_that_is_no_power_of_two)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(powers, POWERS, "!is_power_of_2(n)");
	EXPECT_FALSE(condition_take_values(&self->condition, 3, 7));
	EXPECT_TRUE(condition_take_values(&self->condition, 98, 1));
	EXPECT_EQ(99, self->condition.a.value);
	EXPECT_TEXT(no_powers, NO_POWERS, "n - 2 >= rax");
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_list_that_is_empty_by_its_name)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(empties, EMPTIES, "list_empty(&css->children)");
	EXPECT_TEXT(fills, FILLS, "!list_empty(&css->children)");
	EXPECT_STREQ("css->children.next", self->condition.a.name);
	EXPECT_STREQ("&css->children", self->condition.b.name);
	EXPECT_TEXT(others, OTHERS, "css->children.next != rax");
	EXPECT_TEXT(lasts, LASTS, "css->children.prev != rax");
	EXPECT_TEXT(queues, QUEUES, "skb_queue_empty(&css->queue)");
	EXPECT_TEXT(queue_ends, QUEUE_ENDS, "r9 == css->queue.prev");
	kernel_btf_free(self->btf);
}

TEST_F(decision, members_that_are_compared_at_once)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(both_members, BOTH_MEMBERS, "!(inode->i_mode & 0x1)");
	EXPECT_STREQ("inode->i_flags & S_IMMUTABLE", self->condition.after);
	EXPECT_TEXT(one_of_two, ONE_OF_TWO, "!(inode->i_flags & S_IMMUTABLE) || inode->i_mode & 0x1");
	EXPECT_EQ(NULL, self->condition.after);
	EXPECT_TEXT(both_clear, BOTH_CLEAR, "!(inode->i_mode & 0x1)");
	EXPECT_STREQ("!(inode->i_flags & S_IMMUTABLE)", self->condition.after);
	EXPECT_TEXT(both_whole, BOTH_WHOLE, "inode->i_mode == 6");
	EXPECT_STREQ("inode->i_flags == 5", self->condition.after);
	/* Of two bits of the mode, one is set. */
	EXPECT_TEXT(bits_of_two, BITS_OF_TWO, "rax == 0x100000000");
	EXPECT_TEXT(one_member, ONE_MEMBER, "inode->i_flags & S_IMMUTABLE");
	kernel_btf_free(self->btf);
}

TEST_F(decision, what_the_entries_of_a_list_are_in)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(entries, ENTRIES,
		    "container_of(css->children.next, struct cgroup_subsys_state, sibling)->flags == 5");
	/* The next one may be the head, which is in something else. */
	EXPECT_TEXT(siblings, SIBLINGS, "*(u32 *)(css->sibling.next + 0x10) == 5");
	EXPECT_TEXT(firsts, FIRSTS, "container_of(css->children.next, ...) == NULL");
	EXPECT_TEXT(constants, CONSTANTS, "css->children.next == 24");
	EXPECT_TEXT(ones, ONES, "css->children.next == 1");
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_struct_that_is_always_in_another)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(mounts, MOUNTS, "container_of(mnt, struct mount, mnt)->mnt_parent == NULL");
	EXPECT_TEXT(addresses, ADDRESSES,
		    "container_of(mnt, struct mount, mnt) == container_of(mnt, struct mount, mnt)->mnt_parent");
	EXPECT_TEXT(insides, INSIDES, "mnt->mnt_flags == 0");
	/* It begins before the struct; another struct. */
	EXPECT_TEXT(behinds, BEHINDS, "container_of(mnt, struct mount, mnt)->mnt_expiry == 0");
	EXPECT_TEXT(farthests, FARTHESTS, "*(u32 *)(rdx - 0x24) == 0");
	EXPECT_TEXT(twices, TWICES, "*(u32 *)(rcx - 0x8) == 0");
	kernel_btf_free(self->btf);
}

TEST_F(decision, sockets_are_those_of_the_protocol)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(unix_addrs, UNIX_ADDRS, "unix_sk(sk)->addr == 0");
	EXPECT_TEXT(unix_inners, UNIX_INNERS, "sk->sk_state == 0");
	EXPECT_TEXT(unix_behinds, UNIX_BEHINDS, "*(u64 *)(sk + 0x30) == 0");
	EXPECT_TEXT(do_tcp_ports, DO_TCP_PORTS, "inet_sk(sk)->inet_num == 0");
	EXPECT_TEXT(__tcp_accepts, TCP_ACCEPTS, "inet_csk(sk)->icsk_retries == 0");
	/* Several protocols have such functions. */
	EXPECT_TEXT(raw_addrs, RAW_ADDRS, "*(u64 *)(sk + 0x28) == 0");
	kernel_btf_free(self->btf);
}

TEST_F(decision, what_the_inodes_of_a_file_system_are_in)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(shmem_seals, SHMEM_SEALS, "container_of(inode, struct shmem_inode_info, vfs_inode)->seals & 0x4");
	EXPECT_TEXT(shmem_infos, SHMEM_INFOS, "mnt->data == container_of(inode, struct shmem_inode_info, vfs_inode)");
	EXPECT_TEXT(shmem_afters, SHMEM_AFTERS,
		    "container_of(inode, struct shmem_inode_info, vfs_inode)->fsflags & 0x4");
	EXPECT_TEXT(shmem_modes, SHMEM_MODES, "inode->i_mode == 4");
	/* Whose inodes are in another struct, or in none. */
	EXPECT_TEXT(ramfs_seals, RAMFS_SEALS, "(u32)rax & 0x4");
	kernel_btf_free(self->btf);
}

TEST_F(decision, characters_are_no_numbers)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(texts, TEXTS, "*s == 'O'");
	EXPECT_TEXT(quotes, QUOTES, "*s == '\\''");
	EXPECT_TEXT(ends, ENDS, "*s == '\\0'");
	EXPECT_TEXT(newlines, NEWLINES, "*s == 10");
	EXPECT_TEXT(masks, MASKS, "*s & 0x4f");
	EXPECT_TEXT(digits, DIGITS, "*s < 48 || *s > 105");
	EXPECT_TEXT(numbers, NUMBERS, "n == 79");
	kernel_btf_free(self->btf);
}

#endif

TEST_HARNESS_MAIN
