// SPDX-License-Identifier: BSD-2-Clause
/*
 * Thread-local variables in ELF images (util/kernel/debug/tls_symbol.h): small files that are put
 * together here, as files and as they are in memory; and damaged ones.
 */
#include "unit.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/debug/tls_symbol.h"

#define NAME "otel_thread_ctx_v1"
#define BASE 0x20000		/* of the image in memory */
#define SYMBOL 2		/* its index; 1 has another name */

/* Addresses in the file are offsets in it. */
struct elf {
	Elf64_Ehdr header;
	Elf64_Phdr segments[3];
	Elf64_Dyn dynamic[12];
	Elf64_Sym symbols[3];
	struct {
		uint32_t nr_buckets, first, nr_words, shift;
		uint64_t words[1];
		uint32_t buckets[1], chains[2];
	} gnu_hash;
	struct {
		uint32_t nr_buckets, nr_chains, buckets[1], chains[3];
	} hash;
	char strings[64];
	Elf64_Rela relocations[2];
	uint64_t slots[2];
	uint64_t index[2];	/* what a descriptor may point to */
};

#define AT(member) offsetof(struct elf, member)

FIXTURE(tls)
{
	struct elf elf;
	struct tls_place place;
	int fd;
};

static uint32_t gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	while (*name)
		hash = hash * 33 + (uint8_t)*name++;
	return hash;
}

static void set_dynamic(struct elf *elf, int64_t tag, uint64_t value)
{
	Elf64_Dyn *entry = elf->dynamic;

	while (entry->d_tag && entry->d_tag != tag)
		entry++;
	*entry = (Elf64_Dyn){ tag, { value } };
}

FIXTURE_SETUP(tls)
{
	struct elf *elf = &self->elf;
	uint32_t hash = gnu_hash(NAME);

	memset(elf, 0, sizeof(*elf));
	memcpy(elf->header.e_ident, ELFMAG, SELFMAG);
	elf->header.e_ident[EI_CLASS] = ELFCLASS64;
	elf->header.e_ident[EI_DATA] = ELFDATA2LSB;
	elf->header.e_type = ET_DYN;
	elf->header.e_machine = EM_X86_64;
	elf->header.e_phoff = AT(segments);
	elf->header.e_phentsize = sizeof(Elf64_Phdr);
	elf->header.e_phnum = 3;
	elf->segments[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_filesz = sizeof(*elf),
					 .p_memsz = sizeof(*elf) };
	elf->segments[1] = (Elf64_Phdr){ .p_type = PT_DYNAMIC, .p_vaddr = AT(dynamic),
					 .p_memsz = sizeof(elf->dynamic) };
	elf->segments[2] = (Elf64_Phdr){ .p_type = PT_TLS, .p_vaddr = 0x3000, .p_memsz = 0x1c,
					 .p_align = 16 };
	strcpy(elf->strings + 1, "another");
	strcpy(elf->strings + 16, NAME);
	elf->symbols[1] = (Elf64_Sym){ .st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_TLS),
				       .st_shndx = 1, .st_size = 8 };
	elf->symbols[SYMBOL] = (Elf64_Sym){ .st_name = 16, .st_shndx = 1, .st_value = 8, .st_size = 8,
					    .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_TLS) };
	elf->gnu_hash.nr_buckets = elf->gnu_hash.first = elf->gnu_hash.nr_words = 1;
	elf->gnu_hash.shift = 6;
	elf->gnu_hash.words[0] = 1ull << hash % 64 | 1ull << (hash >> 6) % 64;
	elf->gnu_hash.buckets[0] = 1;
	/* The first one has the same hash. */
	elf->gnu_hash.chains[0] = hash & ~1u;
	elf->gnu_hash.chains[1] = hash | 1;
	elf->hash.nr_buckets = 1;
	elf->hash.nr_chains = 3;
	elf->hash.buckets[0] = 1;
	elf->hash.chains[1] = 2;
	set_dynamic(elf, DT_SYMTAB, AT(symbols));
	set_dynamic(elf, DT_STRTAB, AT(strings));
	set_dynamic(elf, DT_GNU_HASH, AT(gnu_hash));
	set_dynamic(elf, DT_RELA, AT(relocations));
	set_dynamic(elf, DT_RELASZ, sizeof(elf->relocations));
	set_dynamic(elf, DT_FLAGS_1, DF_1_PIE);
	self->fd = memfd_create("elf", MFD_CLOEXEC);
	self->place = (struct tls_place){ true, 77, 77 };
}

FIXTURE_TEARDOWN(tls)
{
	close(self->fd);
}

/* @in_memory	at BASE; reading beyond its end fails */
static int find(FIXTURE_DATA(tls) * self, bool in_memory, size_t size)
{
	struct tls_image image = { self->fd, in_memory, in_memory ? BASE : 0 };
	const struct arch *arch = self->elf.header.e_machine == EM_AARCH64 ? &arch_arm64 : &arch_x86;

	if (ftruncate(self->fd, 0) ||
	    pwrite(self->fd, &self->elf, size, image.base) != (ssize_t)size)
		abort();
	return tls_symbol_find(&image, NAME, arch->tls, &self->place);
}

#define FIND() find(self, false, sizeof(self->elf))
#define FIND_IN_MEMORY() find(self, true, sizeof(self->elf))

#define EXPECT_STATIC(at)                                \
	do {                                             \
		EXPECT_FALSE(self->place.dynamic);       \
		EXPECT_EQ((at), self->place.offset);     \
	} while (0)

#define EXPECT_DYNAMIC(number, at)                       \
	do {                                             \
		EXPECT_TRUE(self->place.dynamic);        \
		EXPECT_EQ((number), self->place.module); \
		EXPECT_EQ((at), self->place.offset);     \
	} while (0)

/* 0x1c bytes in blocks of 16 begin 0x20 below the thread pointer, or 16 above. */
TEST_F(tls, an_executables_variables_are_where_the_linker_put_them)
{
	EXPECT_EQ(0, FIND());
	EXPECT_STATIC(8 - 0x20);
	EXPECT_EQ(0, FIND_IN_MEMORY());
	EXPECT_STATIC(8 - 0x20);
	self->elf.header.e_machine = EM_AARCH64;
	EXPECT_EQ(0, FIND());
	EXPECT_STATIC(16 + 8);
	self->elf.segments[2].p_align = 64;
	EXPECT_EQ(0, FIND());
	EXPECT_STATIC(64 + 8);
}

TEST_F(tls, an_executable_at_a_fixed_address_too)
{
	self->elf.header.e_type = ET_EXEC;
	set_dynamic(&self->elf, DT_FLAGS_1, 0);
	EXPECT_EQ(0, FIND());
	EXPECT_STATIC(8 - 0x20);
}

TEST_F(tls, variables_that_are_not_aligned_keep_their_remainder)
{
	self->elf.segments[2].p_vaddr = 0x3008;
	EXPECT_EQ(0, FIND());
	/* The end of 0x1c bytes that begin 8 after a multiple of 16 is at 0x28. */
	EXPECT_STATIC(8 - 0x28);
	self->elf.header.e_machine = EM_AARCH64;
	EXPECT_EQ(0, FIND());
	EXPECT_STATIC(24 + 8);
}

TEST_F(tls, the_older_hash_works_too)
{
	set_dynamic(&self->elf, DT_GNU_HASH, 0);
	EXPECT_EQ(-ENOENT, FIND());
	set_dynamic(&self->elf, DT_HASH, AT(hash));
	EXPECT_EQ(0, FIND());
	EXPECT_STATIC(8 - 0x20);
}

/* As glibc does, and musl does not. */
TEST_F(tls, addresses_that_the_dynamic_linker_replaced_are_understood)
{
	set_dynamic(&self->elf, DT_SYMTAB, BASE + AT(symbols));
	set_dynamic(&self->elf, DT_STRTAB, BASE + AT(strings));
	set_dynamic(&self->elf, DT_GNU_HASH, BASE + AT(gnu_hash));
	EXPECT_EQ(0, FIND_IN_MEMORY());
	EXPECT_STATIC(8 - 0x20);
	EXPECT_EQ(-ENOENT, FIND());
}

static void make_library(struct elf *elf, uint32_t symbol, uint32_t type, int64_t addend)
{
	set_dynamic(elf, DT_FLAGS_1, 0);
	/* The first is about something else. */
	elf->relocations[0] = (Elf64_Rela){ 8, ELF64_R_INFO(SYMBOL, 8), 0 };
	elf->relocations[1] = (Elf64_Rela){ AT(slots), ELF64_R_INFO((uint64_t)symbol, type), addend };
}

TEST_F(tls, a_librarys_are_where_its_relocation_says)
{
	make_library(&self->elf, SYMBOL, R_X86_64_TPOFF64, 0);
	self->elf.slots[0] = -0x70;
	EXPECT_EQ(0, FIND_IN_MEMORY());
	EXPECT_STATIC(-0x70);
	/* The slot is that of another variable, at 16. */
	make_library(&self->elf, 0, R_X86_64_TPOFF64, 16);
	EXPECT_EQ(0, FIND_IN_MEMORY());
	EXPECT_STATIC(-0x70 - 16 + 8);
	EXPECT_EQ(-ENOTSUP, FIND());
}

TEST_F(tls, a_module_and_an_offset_are_dynamic)
{
	make_library(&self->elf, SYMBOL, R_X86_64_DTPMOD64, 0);
	self->elf.slots[0] = 3;
	self->elf.slots[1] = 0x18;
	EXPECT_EQ(0, FIND_IN_MEMORY());
	EXPECT_DYNAMIC(3, 0x18);
	make_library(&self->elf, 0, R_X86_64_DTPMOD64, 0);
	EXPECT_EQ(0, FIND_IN_MEMORY());
	EXPECT_DYNAMIC(3, 8);
}

TEST_F(tls, a_descriptor_has_an_offset_or_the_address_of_both)
{
	make_library(&self->elf, SYMBOL, R_X86_64_TLSDESC, 0);
	self->elf.slots[0] = 0x7f0000001000;
	self->elf.slots[1] = -0x48;
	EXPECT_EQ(0, FIND_IN_MEMORY());
	EXPECT_STATIC(-0x48);
	self->elf.slots[1] = BASE + AT(index);
	self->elf.index[0] = 5;
	self->elf.index[1] = 0x10;
	EXPECT_EQ(0, FIND_IN_MEMORY());
	EXPECT_DYNAMIC(5, 0x10);
	/* The offset is that of another variable, at 16. */
	make_library(&self->elf, 0, R_X86_64_TLSDESC, 16);
	EXPECT_EQ(0, FIND_IN_MEMORY());
	EXPECT_DYNAMIC(5, 8);
	/* Modules are counted from 1 on. */
	self->elf.index[0] = 0;
	EXPECT_EQ(-EAGAIN, FIND_IN_MEMORY());
}

TEST_F(tls, a_table_of_plt_relocations_counts_too)
{
	make_library(&self->elf, SYMBOL, R_X86_64_TLSDESC, 0);
	set_dynamic(&self->elf, DT_RELASZ, sizeof(self->elf.relocations[0]));
	self->elf.slots[0] = 1;
	self->elf.slots[1] = -0x48;
	EXPECT_EQ(-ENOTSUP, FIND_IN_MEMORY());
	set_dynamic(&self->elf, DT_JMPREL, AT(relocations[1]));
	set_dynamic(&self->elf, DT_PLTRELSZ, sizeof(self->elf.relocations[1]));
	EXPECT_EQ(0, FIND_IN_MEMORY());
	EXPECT_STATIC(-0x48);
}

TEST_F(tls, before_the_dynamic_linker_is_done_nothing_is_known)
{
	make_library(&self->elf, SYMBOL, R_X86_64_DTPMOD64, 0);
	EXPECT_EQ(-EAGAIN, FIND_IN_MEMORY());
	make_library(&self->elf, SYMBOL, R_X86_64_TPOFF64, 0);
	EXPECT_EQ(-EAGAIN, FIND_IN_MEMORY());
}

TEST_F(tls, a_library_that_does_not_use_it_is_not_understood)
{
	set_dynamic(&self->elf, DT_FLAGS_1, 0);
	EXPECT_EQ(-ENOTSUP, FIND_IN_MEMORY());
}

TEST_F(tls, other_symbols_are_not_it)
{
	const Elf64_Sym sound = self->elf.symbols[SYMBOL];
	Elf64_Sym *symbol = &self->elf.symbols[SYMBOL];

	symbol->st_shndx = SHN_UNDEF;
	EXPECT_EQ(-ENOENT, FIND());
	*symbol = sound;
	symbol->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
	EXPECT_EQ(-ENOENT, FIND());
	*symbol = sound;
	self->elf.strings[16 + strlen(NAME)] = '2';
	EXPECT_EQ(-ENOENT, FIND());
	self->elf.strings[16 + strlen(NAME)] = '\0';
	symbol->st_size = 4;
	EXPECT_EQ(-ENOTSUP, FIND());
	*symbol = sound;
	symbol->st_value = 0x1c - 4;
	EXPECT_EQ(-ENOTSUP, FIND());
}

TEST_F(tls, other_files_are_none)
{
	self->elf.header.e_machine = EM_AARCH64;
	EXPECT_EQ(0, FIND());
	self->elf.header.e_machine = EM_386;
	EXPECT_EQ(-ENOENT, FIND());
	self->elf.header.e_machine = EM_X86_64;
	self->elf.header.e_ident[EI_CLASS] = ELFCLASS32;
	EXPECT_EQ(-ENOENT, FIND());
	self->elf.header.e_ident[EI_CLASS] = ELFCLASS64;
	self->elf.segments[2].p_align = 24;
	EXPECT_EQ(-ENOTSUP, FIND());
	self->elf.segments[2].p_type = PT_NOTE;
	EXPECT_EQ(-ENOENT, FIND());
}

/* xorshift: the same damage on every machine. */
static uint64_t state;

static uint64_t draw(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % below;
}

TEST_F(tls, damaged_files_do_no_harm)
{
	static const uint64_t values[] = { 0, 1, 0xff, 0xffff, 0xffffffff, 1ull << 63, ~0ull, BASE };
	const struct elf sound = self->elf;
	unsigned int found = 0;

	state = 88172645463325252;
	for (int i = 0; i < 20000; i++) {
		size_t size = sizeof(sound);

		self->elf = sound;
		if (i & 1)
			make_library(&self->elf, SYMBOL,
				     i & 2 ? R_X86_64_TLSDESC : R_X86_64_DTPMOD64, 0);
		self->elf.slots[0] = self->elf.slots[1] = 3;
		for (uint64_t n = draw(4); n; n--) {
			uint64_t value = values[draw(ARRAY_SIZE(values))];
			size_t width = 1ull << draw(4), at = draw(sizeof(sound) / width) * width;

			memcpy((char *)&self->elf + at, &value, width);
		}
		if (!draw(8))
			size = draw(sizeof(sound));
		found += !find(self, i & 1, size);
	}
	/* Most damage is elsewhere. */
	EXPECT_GT(found, 5000);
	EXPECT_LT(found, 20000);
}

TEST_HARNESS_MAIN
