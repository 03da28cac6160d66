// SPDX-License-Identifier: BSD-2-Clause
/*
 * For the static program: functions of elfutils' internal library that its libelf.a and libdw.a call, but which
 * Debian 13's packages (elfutils 0.192) do not contain. Weak: where the packages have them, those are taken.
 * Types and meaning as in elfutils' lib/eu-search.h, but for its lock: files are read by one thread at a time.
 */
#include <search.h>
#include <stddef.h>

#define WEAK __attribute__((weak))

/* Begins like elfutils' search_tree. */
struct search_tree {
	void *root;
};

typedef int compare_fn(const void *, const void *);

void eu_search_tree_init(struct search_tree *tree);
void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *));
void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *));
void *eu_tsearch(const void *key, struct search_tree *tree, compare_fn *compare);
void *eu_tfind(const void *key, struct search_tree *tree, compare_fn *compare);
void *eu_tdelete(const void *key, struct search_tree *tree, compare_fn *compare);

WEAK void eu_search_tree_init(struct search_tree *tree)
{
	tree->root = NULL;
}

WEAK void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *))
{
	tdestroy(tree->root, free_node);
	tree->root = NULL;
}

WEAK void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *))
{
	eu_tdestroy(tree, free_node);
}

WEAK void *eu_tsearch(const void *key, struct search_tree *tree, compare_fn *compare)
{
	return tsearch(key, &tree->root, compare);
}

WEAK void *eu_tfind(const void *key, struct search_tree *tree, compare_fn *compare)
{
	return tfind(key, &tree->root, compare);
}

WEAK void *eu_tdelete(const void *key, struct search_tree *tree, compare_fn *compare)
{
	return tdelete(key, &tree->root, compare);
}
