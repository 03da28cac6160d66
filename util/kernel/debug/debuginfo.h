/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * DWARF of one ELF file (vmlinux or a module's debug file): addresses to source lines and inlined
 * calls, source files to the functions they define.
 *
 * Opening is cheap; units are read when an address or a path first needs them, and kept. One
 * thread at a time.
 */
#ifndef RETSNOOP_KERNEL_DEBUG_DEBUGINFO_H
#define RETSNOOP_KERNEL_DEBUG_DEBUGINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/kernel/elf/build_id.h"
#include "util/kernel/elf/section_layout.h"

struct debuginfo;

/**
 * Open an ELF file with DWARF, compressed sections and .xz/.zst/.gz files included.
 *
 * @layout	for relocatable files, used during the call only; NULL: one section after the other
 * @return	0; -ENOENT no such file; -ENOEXEC not ELF; -ENODATA ELF without DWARF; -ENOTSUP
 *		compressed in a way that this build does not know; -errno.
 *		Nothing is reported: the caller knows whether it matters.
 */
int debuginfo_open(const char *path, const struct section_layout *layout,
		   struct debuginfo **ret_info);
void debuginfo_free(struct debuginfo *info);

/* Add a holder, which must also free it. */
struct debuginfo *debuginfo_share(struct debuginfo *info);

/* The file's GNU build id. */
const struct build_id *debuginfo_build_id(const struct debuginfo *info);

/* Parts of debug info that are in other files, which are not read. Lines are known nevertheless. */
enum debuginfo_elsewhere {
	DEBUGINFO_WHOLE,
	DEBUGINFO_SPLIT,	/* functions are in .dwo files, or one .dwp */
	DEBUGINFO_SHARED,	/* names are in a file shared with others (.gnu_debugaltlink) */
};

/* @ret_file	may be NULL; with DEBUGINFO_SHARED the file's name, which belongs to @info */
enum debuginfo_elsewhere debuginfo_elsewhere(struct debuginfo *info, const char **ret_file);

/* The link-time value of an ELF symbol ("_stext"). 0; -ENOENT. */
int debuginfo_symbol(struct debuginfo *info, const char *name, uint64_t *ret_value);

/* One function in a chain, and the place in it. Strings belong to the debuginfo. */
struct source_frame {
	const char *function;	/* NULL for an outermost frame DWARF does not name */
	const char *file;	/* path in the kernel tree: "kernel/bpf/syscall.c"; or NULL */
	uint32_t line;		/* 0: unknown */
	uint32_t column;	/* 0: unknown */
	bool inlined;		/* a call inlined into the frame after it */
	bool statement;		/* of the innermost: by the line table, a statement begins here */
};

/**
 * The chain of functions at an address, innermost (most inlined) first; the last is the function
 * that the symbol table knows.
 *
 * @addr	link-time address; for a return address the caller passes it minus one
 * @ret_frames	valid until the next call
 * @return	number of frames; 0 DWARF has none for the address; -errno
 */
int debuginfo_lookup(struct debuginfo *info, uint64_t addr, const struct source_frame **ret_frames);

/*
 * Read, in several threads, the data that debuginfo_lookup() will need for many addresses.
 * Returns when the threads are done; without threads or memory, nothing happens.
 *
 * @bias	subtracted from each of @addrs
 */
void debuginfo_prefetch(struct debuginfo *info, const uint64_t *addrs, size_t nr, uint64_t bias);

/*
 * Called once for each match; a non-zero result ends the walk and is returned.
 *
 * @file	the file that declares the function; NULL: not known
 */
typedef int (*debuginfo_func_fn)(void *arg, const char *name, const char *file, uint32_t line,
				 uint64_t addr);

/**
 * Every function with code of its own in the source files that match @path_glob (relative to the
 * kernel tree, `*` does not cross '/'; a plain directory or a leading part that ends in '/' means
 * all below it). A function is in the file it is declared in, and in the one it was compiled as a
 * part of. Functions named only through DW_AT_abstract_origin included.
 */
int debuginfo_source_functions(struct debuginfo *info, const char *path_glob, debuginfo_func_fn fn,
			       void *arg);

/* Where the function at an address is defined. 0; -ENOENT. */
int debuginfo_function_source(struct debuginfo *info, uint64_t addr, const char **ret_file,
			      uint32_t *ret_line);

/*
 * Whether the compiler changed how the function at an address is called: parameters that are not used are
 * not passed, and the next ones have their registers; a result that no caller uses is not returned. Clang
 * does so to static functions, without another name for them.
 *
 * @addr	link-time address
 */
bool debuginfo_is_changed(struct debuginfo *info, uint64_t addr);

/*
 * Every place where @name was inlined: the function with code that holds it, and file:line of the
 * call. For `funcs --why`; looks through all units of the file (a second or two).
 */
typedef int (*debuginfo_inline_fn)(void *arg, const char *into, const char *call_file,
				   uint32_t call_line);
int debuginfo_inlined_into(struct debuginfo *info, const char *name, debuginfo_inline_fn fn,
			   void *arg);

/* Called once for each address, in no order; a non-zero result ends the walk and is returned. */
typedef int (*debuginfo_line_fn)(void *arg, uint64_t addr);

/**
 * The addresses where a statement of a source line begins, also in inlined copies. If a
 * statement's code is in pieces, each piece counts.
 *
 * @path	in the kernel tree: "kernel/fork.c"
 * @ret_nearest	when there is none: the nearest line that has code, the one below of two; 0: the
 *		file has no code at all
 * @return	number of addresses; -ENOENT no such file; -ENOMEM; what @fn returned
 */
int debuginfo_line_addresses(struct debuginfo *info, const char *path, uint32_t line,
			     debuginfo_line_fn fn, void *arg, uint32_t *ret_nearest);

/* Called for each path; a non-zero result ends the walk and is returned. */
typedef int (*debuginfo_path_fn)(void *arg, const char *path);

/* The source files that units were compiled from, as paths in the kernel tree. */
int debuginfo_paths(struct debuginfo *info, debuginfo_path_fn fn, void *arg);

#endif
