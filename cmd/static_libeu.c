// SPDX-License-Identifier: BSD-2-Clause
/*
 * For the static program: functions of elfutils' internal library that its libelf.a and libdw.a call, but which
 * Debian 13's packages (elfutils 0.192) do not contain. Weak: where the packages have them, those are taken.
 * Types and meaning as in elfutils' lib/eu-search.h; one lock serves for all trees.
 */
#include <pthread.h>
#include <search.h>
#include <stddef.h>

#define WEAK __attribute__((weak))

/* Begins like elfutils' search_tree, whose lock is not used. */
struct search_tree {
	void *root;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
	pthread_mutex_lock(&lock);
	tdestroy(tree->root, free_node);
	tree->root = NULL;
	pthread_mutex_unlock(&lock);
}

WEAK void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *))
{
	eu_tdestroy(tree, free_node);
}

WEAK void *eu_tsearch(const void *key, struct search_tree *tree, compare_fn *compare)
{
	void *found;

	pthread_mutex_lock(&lock);
	found = tsearch(key, &tree->root, compare);
	pthread_mutex_unlock(&lock);
	return found;
}

WEAK void *eu_tfind(const void *key, struct search_tree *tree, compare_fn *compare)
{
	void *found;

	pthread_mutex_lock(&lock);
	found = tfind(key, &tree->root, compare);
	pthread_mutex_unlock(&lock);
	return found;
}

WEAK void *eu_tdelete(const void *key, struct search_tree *tree, compare_fn *compare)
{
	void *found;

	pthread_mutex_lock(&lock);
	found = tdelete(key, &tree->root, compare);
	pthread_mutex_unlock(&lock);
	return found;
}
